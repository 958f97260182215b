// Divisors of whole numbers, and floats by their digits: rules and public functions.
#include "ops/digits.h"

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/digits_def.h"
#include "ops/overwrite.h"
#include "ops/pointwise_functions.h"
#include "ops/rules.h"
#include "ops/run_broadcast.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "ops/without_slope.h"

namespace strata {
STRATA_OP(gcd_op) = pointwise_constant("gcd(Tensor x, Tensor y) -> Tensor").dtypes(kIntegerTypes);
STRATA_OP(lcm_op) = pointwise_constant("lcm(Tensor x, Tensor y) -> Tensor").dtypes(kIntegerTypes);
// The step to the next number is as small as it can be; where both are equal the result is y, as in PyTorch.
STRATA_OP(nextafter_op) = pointwise(
                              "nextafter(Tensor x, Tensor y) -> Tensor",
                              [](const Primals& c) { return cast(ne(c.in(0), c.in(1)), c.in(0).dtype()); }, zero)
                              .saves_for(0, saves_in(0, 1))
                              .dtypes(kSingleAndDouble);
STRATA_OP(frexp_mantissa_op) = pointwise("frexp_mantissa(Tensor x) -> Tensor",
                                         [](const Primals& c) { return exp2(-call1(frexp_exponent_op, {&c.in(0)})); })
                                   .saves(saves_in(0))
                                   .dtypes(kFloatingTypes);
STRATA_OP(frexp_exponent_op) = pointwise_constant("frexp_exponent(Tensor x) -> Tensor").dtypes(kFloatingTypes);

namespace {

Tensor of_integers(const Op& op, const Tensor& a, const Tensor& b) {
  const std::string name(op.name());
  const DType t = result_type(a, b);
  STRATA_CHECK_AS(NotImplementedError, is_integral(t) && t != kBool, "{}: expected integers, got {} and {}", name,
                  strata::name(a.dtype()), strata::name(b.dtype()));
  return detail::run_broadcast(op, name.c_str(), a, b, t);
}

/// The neighbours of float16 and bfloat16 numbers, in double: a step of the last place, which is half of it below a
/// power of two. What exp2 may round the conversion back to 16 bits rounds away. A finite number is stepped from by
/// adding the step, which is what gives it its slope.
Tensor next_of_16_bits(const Tensor& from, const Tensor& b) {
  const Tensor a = stop_gradient(from);
  const bool is_half = a.dtype() == kHalf;
  const double digits = is_half ? 11 : 8, least = is_half ? -24 : -133, largest = is_half ? 65504 : 0x1.fep127;
  const Tensor x = cast(a, kDouble), to = cast(b, kDouble);
  const auto [mantissa, exponent] = frexp(x);
  const Tensor inwards = ne(gt(to, x), gt(x, 0)), below = logical_and(inwards, eq(abs(mantissa), 0.5));
  const Tensor place = clamp_min(cast(exponent, kDouble) - cast(below, kDouble) - digits, least);
  const Tensor size = abs(x) + where(inwards, -1, 1).to(kDouble) * exp2(place);
  const Tensor next = copysign(where(isinf(x), largest, size), x);
  const Tensor from_zero = copysign(exp2(full_like(x, least)), to);
  const Tensor there = where(logical_or(eq(x, to), isnan(to)), to, where(eq(x, 0), from_zero, next));
  const Tensor steps = logical_and(logical_and(isfinite(x), ne(x, to)), ne(there, 0));
  return cast(where(steps, cast(from, kDouble) + (there - x), there), a.dtype());
}

}  // namespace

Tensor gcd(const Tensor& a, const Tensor& b) { return of_integers(gcd_op, a, b); }
Tensor& gcd_(Tensor& a, const Tensor& b) {
  return detail::overwrite(a, "gcd_", [&] { return gcd(a, b); });
}
Tensor lcm(const Tensor& a, const Tensor& b) { return of_integers(lcm_op, a, b); }
Tensor& lcm_(Tensor& a, const Tensor& b) {
  return detail::overwrite(a, "lcm_", [&] { return lcm(a, b); });
}

Tensor nextafter(const Tensor& a, const Tensor& b) {
  const DType t = result_type(a, b);
  STRATA_CHECK(is_floating_point(t), "nextafter: expected floating point tensors, got {} and {}", name(a.dtype()),
               name(b.dtype()));
  if (t == kHalf || t == kBFloat16)
    return without_slope(next_of_16_bits(cast(a, t), cast(stop_gradient(b), t)), b, NoSlope::kNextafter);
  return detail::run_broadcast(nextafter_op, "nextafter", a, b, t);
}

std::tuple<Tensor, Tensor> frexp(const Tensor& x) {
  STRATA_CHECK(is_floating_point(x.dtype()), "frexp: only supports floating-point dtypes, got {}", name(x.dtype()));
  // What is saved for the exponents that backward needs is a copy: x may be written to before, as in PyTorch.
  const Tensor saved = dispatch::is_gradient_wanted(x) ? x.clone() : x;
  return {call1(frexp_mantissa_op, {&saved}), cast(call1(frexp_exponent_op, {&x}), kInt)};
}

Tensor Tensor::gcd(const Tensor& other) const { return strata::gcd(*this, other); }
Tensor& Tensor::gcd_(const Tensor& other) const { return strata::gcd_(self(), other); }
Tensor Tensor::lcm(const Tensor& other) const { return strata::lcm(*this, other); }
Tensor& Tensor::lcm_(const Tensor& other) const { return strata::lcm_(self(), other); }
Tensor Tensor::nextafter(const Tensor& other) const { return strata::nextafter(*this, other); }
Tensor& Tensor::nextafter_(const Tensor& other) const {
  return detail::overwrite(self(), "nextafter_", [&] { return nextafter(other); });
}
std::tuple<Tensor, Tensor> Tensor::frexp() const { return strata::frexp(*this); }

}  // namespace strata
