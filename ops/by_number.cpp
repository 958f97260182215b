// The ops of a tensor and a number: powers, and products and quotients of 16-bit tensors.
#include "ops/binary.h"
#include "ops/binary_def.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/promote.h"
#include "ops/rules.h"

namespace strata {
namespace {

/// d x^e / dx, 0 where e is 0 whatever x.
Tensor slope_of_power(const Tensor& x, const Scalar& e) {
  if (e == 0) return rules::zero_like(x);
  if (e.is_complex()) return pow(x, e.toComplexDouble() - 1.0) * e;
  const Scalar less = e.is_floating_point() ? Scalar(e.toDouble() - 1) : Scalar(e.toLong() - 1);
  return (less == 1 ? x : pow(x, less)) * e;
}

/// An op that is linear in its tensor: gradients and tangents are what it makes of them.
template <Tensor (*kFunction)(const Tensor&, const Scalar&)>
constexpr auto by_number(const char* schema) {
  return pointwise<NumberParams>(schema, one)
      .vjp([](const Vjp& c, const NumberParams& p) { return Tensors(kFunction(c.grad(), p.number)); })
      .jvp([](const Jvp& c, const NumberParams& p) { return Tensors(kFunction(c.tangent(0), p.number)); })
      .decompose([](Args in, const NumberParams& p) {
        const DType t = in[0].dtype();
        return Tensors(cast(kFunction(cast(in[0], detail::opmath_dtype(t)), p.number), t));
      })
      .dtypes(kFloatingTypes);
}

}  // namespace

STRATA_OP(pow_scalar_op) = pointwise<PowParams>("pow_scalar(Tensor x, Scalar exponent) -> Tensor",
                                                [](const Primals& c, const PowParams& p) {
                                                  return slope_of_power(c.in(0), p.exponent);
                                                })
                               .vjp([](const Vjp& c, const PowParams& p) -> Tensors {
                                 if (p.exponent == 0) return rules::zero_like(c.in(0));
                                 return c.grad() * conj(slope_of_power(c.in(0), p.exponent));
                               })
                               .saves(saves_in(0))
                               .autocast(AutocastPolicy::kFloat32)
                               .dtypes(kNumberTypes);
STRATA_OP(mul_scalar_op) = by_number<&mul>("mul_scalar(Tensor x, float number) -> Tensor");
STRATA_OP(div_scalar_op) = by_number<&div>("div_scalar(Tensor x, float number) -> Tensor");

Tensor pow(const Tensor& a, const Scalar& b) {
  const DType t = result_type(a, b);
  // Integers and small floating point numbers have exponents of their own type.
  if (is_integral(t) || detail::opmath_dtype(t) != t) b.check_fits("pow", t);
  if (t == kBool) return b.toBool() ? a.clone() : ones_like(a);
  STRATA_CHECK(is_differentiable(t) || b.toLong() >= 0, "pow: integers to negative integer powers are not allowed");
  const Tensor x = cast(a, t);
  return call1(pow_scalar_op, {&x}, PowParams{b});
}

}  // namespace strata
