// Results of functions without a slope: an op that hands them on and knows what they were computed of.
#include "ops/without_slope_def.h"

#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/rules.h"
#include "ops/view.h"

namespace strata {
namespace {

const char* name_of(NoSlope why) {
  switch (why) {
    case NoSlope::kBernoulli:
    case NoSlope::kBernoulliOfNumber:
      return "bernoulli";
    case NoSlope::kPoisson:
      return "poisson";
    case NoSlope::kHeaviside:
      return "heaviside";
    case NoSlope::kBinomial:
      return "binomial";
    case NoSlope::kZeta:
      return "zeta";
    case NoSlope::kIgamma:
      return "igamma";
    case NoSlope::kIgammac:
      return "igammac";
    case NoSlope::kNextafter:
      return "nextafter";
    case NoSlope::kGeqrf:
      return "geqrf";
    case NoSlope::kLdlFactor:
      return "linalg.ldl_factor";
    case NoSlope::kLdlSolve:
      return "linalg.ldl_solve";
  }
  return "";
}

void check_has_slope(NoSlope why) {
  const char* const name = name_of(why);
  STRATA_CHECK(why < NoSlope::kFirstRefused || why == NoSlope::kNextafter,
               "{}: the derivative is not implemented; give {} a detached tensor, or detach what it returns", name,
               name);
}

}  // namespace

STRATA_OP(without_slope_op) =
    op<WithoutSlopeParams>("without_slope(Tensor y, Tensor x, int why) -> Tensor")
        .infer([](Args in) {
          const Tensor& y = in[0];
          return y.is_non_overlapping_and_dense() ? view_meta(y, y.sizes(), y.strides(), 0) : meta_like(y);
        })
        .vjp([](const Vjp& c, const WithoutSlopeParams& p) -> Tensors {
          if (c.needs(1)) check_has_slope(p.why);
          return {c.needs(0) ? c.grad() : Tensor(), c.needs(1) ? zeros_like(c.in(1)) : Tensor()};
        })
        .saves(saves_shape(1))
        .jvp([](const Jvp& c, const WithoutSlopeParams& p) -> Tensors {
          if (c.tangent(1).defined()) check_has_slope(p.why);
          return {c.tangent(0).defined() ? c.tangent(0) : zeros_like(c.out())};
        })
        .batch(pointwise_batch)
        .decompose([](Args in) -> Tensors { return in[0].clone(); })
        .dtypes(kFloatingTypes | kComplexTypes);

Tensor without_slope(const Tensor& y, const Tensor& x, NoSlope why) {
  // Inside of transforms a level may ask for the gradient, or a program that is traced now may be differentiated later.
  const bool is_asked_for = x.requires_grad() || (x.keys().has(Key::Transform) && is_differentiable(x.dtype()));
  if (!GradMode::is_enabled() || !is_asked_for || !is_differentiable(y.dtype())) return y;
  return call1(without_slope_op, {&y, &x}, WithoutSlopeParams{why});
}

}  // namespace strata
