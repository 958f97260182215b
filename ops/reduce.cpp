// The reductions: ops with their rules. The functions users call are in reduce_functions.cpp.
#include "ops/reduce.h"

#include <algorithm>
#include <cmath>

#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/reduce_def.h"
#include "ops/rules.h"
#include "ops/scan_def.h"
#include "ops/softmax.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "ops/without_dims.h"

namespace strata {
namespace {

IntArrayRef dims_of(const ReduceDimParams& p) { return p.dim; }
template <class P>
IntArrayRef dims_of(const P& p) {
  return p.dims;
}

bool is_reduced(IntArrayRef dims, int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

template <class P>
Meta reduced(const Tensor& x, const P& p, DType dtype) {
  const IntArrayRef dims = dims_of(p);
  DimVector sizes;
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (!is_reduced(dims, d))
      sizes.push_back(x.sizes()[d]);
    else if (p.keepdim)
      sizes.push_back(1);
  }
  return meta(sizes, dtype, x.device());
}

/// Nothing of x is reduced: no dims are named, or those of examples that have none.
template <class P>
bool is_whole(const Tensor& x, const P& p) {
  return dims_of(p).empty() || is_without(x, dims_of(p)[0]);
}

/// A result of `x` with its reduced dims back, of size 1 (a 0-dim one broadcasts as it is).
template <class P>
Tensor unreduced(Tensor t, const Tensor& x, const P& p) {
  if (p.keepdim || t.dim() == 0 || is_whole(x, p)) return t;
  for (const int64_t d : dims_of(p)) t = unsqueeze(t, d);
  return t;
}

template <class P>
int64_t reduced_count(const Tensor& x, const P& p) {
  int64_t n = 1;
  for (const int64_t d : dims_of(p)) n *= x.dim() ? x.sizes()[d] : 1;
  return n;
}

constexpr DType sum_dtype(DType t) { return is_differentiable(t) ? t : kLong; }

template <class P>
Tensor sum_by(const Tensor& x, const P& p) {
  if (!x.defined() || is_whole(x, p)) return x;
  return sum(x, dims_of(p), p.keepdim);
}

/// A derivative of x's shape, or its product with a factor that has size 1 in the reduced dims: cotangents take that up
/// while they are small. Undefined where it is 0, as tangents and cotangents are, so that nothing is multiplied by it.
struct Derivative {
  Tensor of_elements, factor;
  Derivative(Tensor of_elements, Tensor factor = {}) : of_elements(std::move(of_elements)), factor(std::move(factor)) {}
  Tensor times(const Tensor& t) const {
    if (!of_elements.defined()) return of_elements;
    return factor.defined() ? t * factor * of_elements : t * of_elements;
  }
  Derivative conjugate() const { return {conjugate_of(of_elements), conjugate_of(factor)}; }
  static Tensor conjugate_of(const Tensor& t) { return t.defined() ? conj(t) : t; }
};

/// A reduction y with derivative dy/dx = F(primals, params): the vjp multiplies by it, the jvp sums the product.
template <class P, class F>
constexpr Builder<P> smooth_reduction(const char* schema, F) {
  return op<P>(schema)
      .infer([](Args in, const P& p) { return reduced(in[0], p, sum_dtype(in[0].dtype())); })
      .vjp([](const Vjp& c, const P& p) -> Tensors {
        return Derivative(F{}(c, p)).conjugate().times(unreduced(c.grad(), c.in(0), p));
      })
      .jvp([](const Jvp& c, const P& p) -> Tensors { return sum_by(Derivative(F{}(c, p)).times(c.tangent()), p); })
      .saves(saves_in(0) | saves_out(0));
}

/// Where the extreme that is output `i` stands: at all NaNs where there is one.
Tensor is_extreme(const Primals& c, const ReduceParams& p, size_t i = 0) {
  const Tensor &x = c.in(0), y = unreduced(c.out(i), c.in(0), p);
  return logical_or(eq(x, y), logical_and(isnan(x), isnan(y)));
}

/// An extreme's gradient is shared evenly by the elements that are equal to it; the others have none, even of NaN.
Tensor from_extreme(const Vjp& c, const ReduceParams& p, size_t i = 0) {
  if (!c.grad(i).defined()) return {};
  const Tensor chosen = is_extreme(c, p, i);
  return where(chosen, unreduced(c.grad(i) / sum_by(chosen, p), c.in(0), p), 0);
}
Tensor along_extreme(const Jvp& c, const ReduceParams& p, size_t i = 0) {
  const Tensor chosen = is_extreme(c, p, i);
  return sum_by(where(chosen, c.tangent(), 0), p) / sum_by(chosen, p);
}

constexpr Builder<ReduceParams> extreme_reduction(const char* schema) {
  return op<ReduceParams>(schema)
      .infer([](Args in, const ReduceParams& p) { return reduced(in[0], p, in[0].dtype()); })
      .vjp([](const Vjp& c, const ReduceParams& p) -> Tensors { return from_extreme(c, p); })
      .jvp([](const Jvp& c, const ReduceParams& p) -> Tensors { return along_extreme(c, p); })
      .saves(saves_in(0) | saves_out(0))
      .batch(shift_dims<&ReduceParams::dims>);
}

constexpr auto kBoolInfer = [](Args in, const ReduceParams& p) { return reduced(in[0], p, kBool); };

/// A result along one dim with the number of dims that the operand has.
Tensor with_dim(const Tensor& t, const ReduceDimParams& p) { return p.keepdim ? t : unsqueeze(t, p.dim); }

/// (values, indices) along a dim.
constexpr Builder<ReduceDimParams> selecting_reduction(const char* schema) {
  using P = ReduceDimParams;
  return op<P>(schema)
      .infer([](Args in, const P& p) { return Metas(reduced(in[0], p, in[0].dtype()), reduced(in[0], p, kLong)); })
      .vjp([](const Vjp& c, const P& p) -> Tensors {
        const Tensor& x = c.in(0);
        if (!c.grad().defined() || is_without(x, p.dim)) return c.grad();
        return scatter(rules::zero_like(x), p.dim, with_dim(c.out(1), p), with_dim(c.grad(), p));
      })
      .saves(saves_shape(0) | saves_out(1))
      .jvp([](const Jvp& c, const P& p) -> Tensors {
        if (is_without(c.in(0), p.dim)) return {c.tangent(), Tensor()};
        const Tensor chosen = gather(c.tangent(), p.dim, with_dim(c.out(1), p));
        return {p.keepdim ? chosen : squeeze(chosen, p.dim), Tensor()};
      })
      .batch(shift_dims<&P::dim>);
}

constexpr Builder<ReduceDimParams> index_reduction(const char* schema) {
  using P = ReduceDimParams;
  return op<P>(schema)
      .flag(kNotDifferentiable)
      .infer([](Args in, const P& p) { return reduced(in[0], p, kLong); })
      .batch(shift_dims<&P::dim>);
}

Tensor two_for(const Tensor& x) { return constant(2, to_real_dtype(x.dtype()), x.device(), {}); }

/// x minus its mean, and `factor` over what the sum of squares is divided by. Along given dims that may be negative, as
/// in PyTorch: where all values are their mean, the gradient of too few of them is 0.
Derivative centered(const Tensor& x, const VarParams& p, const Tensor& factor) {
  const double n = static_cast<double>(reduced_count(x, p));
  const Tensor center = dims_of(p).empty() ? x : mean(x, p.dims, true);
  const double divisor = n - p.correction;
  return {x - center, factor / (p.dims.empty() ? std::max(0.0, divisor) : divisor)};
}

/// `t` with 1 in place of 0: what to divide by where a zero denominator means a zero numerator.
Tensor ones_for_zeros(const Tensor& t) { return masked_fill(t, eq(t, 0), 1); }

/// `t` with infinity in place of 0: what to divide by where a zero denominator means that the slope is 0, and so is
/// that of the slope.
Tensor infinity_for_zeros(const Tensor& t) { return masked_fill(t, eq(t, 0), INFINITY); }

Derivative std_derivative(const Primals& c, const VarParams& p) {
  return centered(c.in(0), p, 1 / infinity_for_zeros(unreduced(c.out(), c.in(0), p)));
}

/// The squares of what is left of x without its mean, shared among as many elements as there are degrees of freedom.
Tensor variance_of_others(const Tensor& x, const VarParams& p) {
  const double divisor = std::max(0.0, static_cast<double>(reduced_count(x, p)) - p.correction);
  return sum_by(square(abs(x - mean(x, p.dims, true))), p) / divisor;
}

/// d norm / d x.
Tensor norm_derivative(const Primals& c, const NormParams& p) {
  if (p.p == 0) return {};
  const Tensor& x = c.in(0);
  const Tensor y = unreduced(c.out(), c.in(0), p);
  if (p.p == 1) return sign(x);
  if (p.p == 2) return x / infinity_for_zeros(y);
  if (std::isinf(p.p)) {
    const Tensor is_extreme = eq(abs(x), y);  // nothing is where there is a NaN
    return where(is_extreme, sign(x) / sum_by(is_extreme, ReduceParams{p.dims, true}), 0);
  }
  // |x / y|^(p - 1), which neither overflows nor underflows where the norm itself does not.
  const Tensor slope = sign(x) * pow(ones_for_zeros(abs(x)) / ones_for_zeros(y), p.p - 1);
  return p.p < 0 ? masked_fill(slope, eq(y, 0), 0) : slope;  // one zero makes such a norm 0, whatever the others are
}

}  // namespace

STRATA_OP(sum_op) = op<ReduceParams>("sum(Tensor x, int[] dims, bool keepdim) -> Tensor")
                        .infer([](Args in, const ReduceParams& p) {
                          return reduced(in[0], p, sum_dtype(in[0].dtype()));
                        })
                        .vjp([](const Vjp& c, const ReduceParams& p) -> Tensors {
                          return expand(unreduced(c.grad(), c.in(0), p), c.in(0).sizes());
                        })
                        .saves(saves_shape(0))
                        .jvp(linear_rule)
                        .batch(shift_dims<&ReduceParams::dims>)
                        .dtypes(kAllTypes)
                        .autocast(AutocastPolicy::kFloat32)
                        .flag(kNamedByDims);

STRATA_OP(nansum_op) = op<ReduceParams>("nansum(Tensor x, int[] dims, bool keepdim) -> Tensor")
                           .infer([](Args in, const ReduceParams& p) { return reduced(in[0], p, in[0].dtype()); })
                           .vjp([](const Vjp& c, const ReduceParams& p) -> Tensors {
                             return where(isnan(c.in(0)), 0, unreduced(c.grad(), c.in(0), p));
                           })
                           .saves(saves_in(0))
                           .jvp([](const Jvp& c, const ReduceParams& p) -> Tensors {
                             return sum_by(masked_fill(c.tangent(), isnan(c.in(0)), 0), p);
                           })
                           .batch(shift_dims<&ReduceParams::dims>)
                           .dtypes(kFloatingTypes)
                           .autocast(AutocastPolicy::kFloat32)
                           .decompose([](Args in, const ReduceParams& p) {
                             return Tensors(sum_by(masked_fill(in[0], isnan(in[0]), 0), p));
                           });

STRATA_OP(mean_op) = op<ReduceParams>("mean(Tensor x, int[] dims, bool keepdim) -> Tensor")
                         .infer([](Args in, const ReduceParams& p) { return reduced(in[0], p, in[0].dtype()); })
                         .vjp([](const Vjp& c, const ReduceParams& p) -> Tensors {
                           const Tensor share = c.grad() / static_cast<double>(reduced_count(c.in(0), p));
                           return expand(unreduced(share, c.in(0), p), c.in(0).sizes());
                         })
                         .saves(saves_shape(0))
                         .jvp(linear_rule)
                         .batch(shift_dims<&ReduceParams::dims>)
                         .dtypes(kAllTypes)
                         .autocast(AutocastPolicy::kFloat32)
                         .decompose([](Args in, const ReduceParams& p) {
                           return Tensors(sum(in[0], p.dims, p.keepdim) / static_cast<double>(reduced_count(in[0], p)));
                         })
                         .flag(kNamedByDims);

// The product of all other elements: exact with any number of zeros.
STRATA_OP(prod_op) = smooth_reduction<ReduceDimParams>("prod(Tensor x, int dim, bool keepdim) -> Tensor",
                                                       [](const Primals& c, const ReduceDimParams& p) {
                                                         return product_of_others(c.in(0), p.dim);
                                                       })
                         .batch(shift_dims<&ReduceDimParams::dim>)
                         .dtypes(kAllTypes)
                         .autocast(AutocastPolicy::kFloat32)
                         .flag(kNamedByDims);

STRATA_OP(amax_op) = extreme_reduction("amax(Tensor x, int[] dims, bool keepdim) -> Tensor");
STRATA_OP(amin_op) = extreme_reduction("amin(Tensor x, int[] dims, bool keepdim) -> Tensor");
STRATA_OP(aminmax_op) = op<ReduceParams>("aminmax(Tensor x, int[] dims, bool keepdim) -> (Tensor min, Tensor max)")
                            .infer([](Args in, const ReduceParams& p) {
                              return Metas(reduced(in[0], p, in[0].dtype()), reduced(in[0], p, in[0].dtype()));
                            })
                            .vjp([](const Vjp& c, const ReduceParams& p) -> Tensors {
                              return rules::add_defined(from_extreme(c, p, 0), from_extreme(c, p, 1));
                            })
                            .jvp([](const Jvp& c, const ReduceParams& p) -> Tensors {
                              return {along_extreme(c, p, 0), along_extreme(c, p, 1)};
                            })
                            .saves(saves_in(0) | saves_out(0, 1))
                            .batch(shift_dims<&ReduceParams::dims>)
                            .decompose([](Args in, const ReduceParams& p) -> Tensors {
                              return {call1(amin_op, {&in[0]}, p), call1(amax_op, {&in[0]}, p)};
                            });

STRATA_OP(max_dim_op) =
    selecting_reduction("max_dim(Tensor x, int dim, bool keepdim) -> (Tensor values, Tensor indices)");
STRATA_OP(min_dim_op) =
    selecting_reduction("min_dim(Tensor x, int dim, bool keepdim) -> (Tensor values, Tensor indices)");
STRATA_OP(argmax_op) = index_reduction("argmax(Tensor x, int dim, bool keepdim) -> Tensor");
STRATA_OP(argmin_op) = index_reduction("argmin(Tensor x, int dim, bool keepdim) -> Tensor");

STRATA_OP(var_op) = smooth_reduction<VarParams>("var(Tensor x, int[] dims, bool keepdim, float correction) -> Tensor",
                                                [](const Primals& c, const VarParams& p) {
                                                  return centered(c.in(0), p, two_for(c.in(0)));
                                                })
                        .saves(saves_in(0))
                        .batch(shift_dims<&VarParams::dims>)
                        .decompose([](Args in, const VarParams& p) { return Tensors(variance_of_others(in[0], p)); })
                        .autocast(AutocastPolicy::kFloat32);
STRATA_OP(std_op) =
    smooth_reduction<VarParams>("std(Tensor x, int[] dims, bool keepdim, float correction) -> Tensor",
                                [](const Primals& c, const VarParams& p) { return std_derivative(c, p); })
        .vjp([](const Vjp& c, const VarParams& p) -> Tensors {
          // A deviation of 0 has a gradient of 0, even where that of what follows is infinite (sqrt's).
          const Tensor grad = masked_fill(c.grad(), eq(c.out(), 0), 0);
          return std_derivative(c, p).times(unreduced(grad, c.in(0), p));
        })
        .batch(shift_dims<&VarParams::dims>)
        .decompose([](Args in, const VarParams& p) { return Tensors(sqrt(variance_of_others(in[0], p))); })
        .autocast(AutocastPolicy::kFloat32);
STRATA_OP(norm_op) = smooth_reduction<NormParams>("norm(Tensor x, float p, int[] dims, bool keepdim) -> Tensor",
                                                  [](const Primals& c, const NormParams& p) {
                                                    return norm_derivative(c, p);
                                                  })
                         .batch(shift_dims<&NormParams::dims>)
                         .autocast(AutocastPolicy::kFloat32)
                         .flag(kNamedByDims);
STRATA_OP(logsumexp_op) = smooth_reduction<ReduceParams>("logsumexp(Tensor x, int[] dims, bool keepdim) -> Tensor",
                                                         [](const Primals& c, const ReduceParams& p) {
                                                           const Tensor y = unreduced(c.out(), c.in(0), p);
                                                           return exp(c.in(0) - masked_fill(y, eq(y, -INFINITY), 0));
                                                         })
                              .batch(shift_dims<&ReduceParams::dims>)
                              .decompose([](Args in, const ReduceParams& p) {
                                const Tensor most = amax(in[0], p.dims, true);
                                const Tensor shift = masked_fill(most, isinf(most), 0);
                                return Tensors(log(sum_by(exp(in[0] - shift), p)) + sum_by(shift, p));
                              })
                              .autocast(AutocastPolicy::kFloat32);

STRATA_OP(all_op) = op<ReduceParams>("all(Tensor x, int[] dims, bool keepdim) -> Tensor")
                        .flag(kNotDifferentiable)
                        .infer(kBoolInfer)
                        .batch(shift_dims<&ReduceParams::dims>);
STRATA_OP(any_op) = op<ReduceParams>("any(Tensor x, int[] dims, bool keepdim) -> Tensor")
                        .flag(kNotDifferentiable)
                        .infer(kBoolInfer)
                        .batch(shift_dims<&ReduceParams::dims>);

}  // namespace strata
