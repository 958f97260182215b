// More element-wise functions of one and two operands: ops with their rules; and those that are made of other ops.
#include "ops/pointwise_functions.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/called.h"
#include "ops/binary.h"
#include "ops/binary_def.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/overwrite.h"
#include "ops/promote.h"
#include "ops/rules.h"
#include "ops/run_broadcast.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/unary_def.h"
#include "ops/view.h"
#include "ops/without_slope.h"

namespace strata {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check_real(const Tensor& x, const char* op) {
  STRATA_CHECK_AS(NotImplementedError, !is_complex(x.dtype()), "{}: not implemented for {}", op, name(x.dtype()));
}

/// In double, or in complex double where one of the two is complex.
Tensor in_double(const Tensor& x, bool is_complex) { return cast(x, is_complex ? kComplexDouble : kDouble); }

/// What fmax (kBehind = lt) and fmin (gt) pass on of `t` to operand `i`: all, half where both are equal, nothing. Where
/// both are NaN the first one has it all.
template <Tensor (*kBehind)(const Tensor&, const Tensor&)>
Tensor share(const Tensor& t, const Primals& c, size_t i) {
  const Tensor &mine = c.in(i), &other = c.in(1 - i);
  const Tensor is_none = i == 1 ? isnan(mine) : logical_and(isnan(mine), logical_not(isnan(other)));
  return where(logical_or(kBehind(mine, other), is_none), 0, where(mine == other, t * 0.5, t));
}
template <Tensor (*kBehind)(const Tensor&, const Tensor&)>
constexpr auto number_first(const char* schema) {
  return pointwise(schema, one, one)
      .vjp([](const Vjp& c) {
        Tensors grads = Tensors::undefined(2);
        for (size_t i = 0; i < 2; ++i)
          if (c.needs(i)) grads[i] = share<kBehind>(c.grad(), c, i);
        return grads;
      })
      .saves(saves_in(0, 1))
      .jvp([](const Jvp& c) {
        Tensor sum;
        for (size_t i = 0; i < 2; ++i)
          if (c.tangent(i).defined()) sum = rules::add_defined(sum, share<kBehind>(c.tangent(i), c, i));
        return Tensors(sum);
      });
}

/// The slope of sinc, by its series where the difference of cosine and sinc would cancel.
Tensor sinc_slope(const Tensor& x) {
  const Tensor angle = x * std::numbers::pi, is_small = abs(angle) < 0.2;
  const Tensor a = where(is_small, 1, angle), small = where(is_small, angle, 0), s = square(small);
  Tensor series = 1 - s * (1.0 / 88);
  for (const double between : {54.0, 28.0, 10.0}) series = 1 - s * (1 / between) * series;
  return where(is_small, 0 - small * (1.0 / 3) * series, (a * cos(a) - sin(a)) / square(a)) * std::numbers::pi;
}

/// A gradient or tangent of sinc's operand times the slope, which at 0 is 0 also times infinity, as in PyTorch.
Tensor along_sinc(const Tensor& t, const Tensor& x, const Tensor& slope) {
  return where(logical_and(x == 0, logical_not(isfinite(t))), 0, t * slope);
}

}  // namespace

STRATA_OP(fmax_op) = number_first<&lt>("fmax(Tensor a, Tensor b) -> Tensor");
STRATA_OP(fmin_op) = number_first<&gt>("fmin(Tensor a, Tensor b) -> Tensor");
STRATA_OP(hypot_op) = pointwise(
                          "hypot(Tensor a, Tensor b) -> Tensor", [](const Primals& c) { return c.in(0) / c.out(); },
                          [](const Primals& c) { return c.in(1) / c.out(); })
                          .saves_for(0, saves_in(0) | saves_out(0))
                          .saves_for(1, saves_in(1) | saves_out(0))
                          .dtypes(kFloatingTypes);
STRATA_OP(copysign_op) = pointwise(
                             "copysign(Tensor a, Tensor b) -> Tensor",
                             [](const Primals& c) {
                               const Tensor& x = c.in(0);
                               return where(isnan(x), x, sign(x) * sign(c.out()));
                             },
                             zero)
                             .saves_for(0, saves_in(0) | saves_out(0))
                             .dtypes(kFloatingTypes);
STRATA_OP(logaddexp2_op) = pointwise(
                               "logaddexp2(Tensor a, Tensor b) -> Tensor",
                               [](const Primals& c) { return sigmoid((c.in(0) - c.in(1)) * std::numbers::ln2); },
                               [](const Primals& c) { return sigmoid((c.in(1) - c.in(0)) * std::numbers::ln2); })
                               .saves_for(0, saves_in(0, 1))
                               .saves_for(1, saves_in(0, 1))
                               .dtypes(kFloatingTypes);
STRATA_OP(sinc_op) = pointwise("sinc(Tensor x) -> Tensor", [](const Primals& c) { return sinc_slope(c.in(0)); })
                         .vjp([](const Vjp& c) {
                           const Tensor& x = c.in(0);
                           return Tensors(along_sinc(c.grad(), x, conj(sinc_slope(x))));
                         })
                         .saves(saves_in(0))
                         .jvp([](const Jvp& c) {
                           const Tensor& x = c.in(0);
                           return Tensors(along_sinc(c.tangent(0), x, sinc_slope(x)));
                         })
                         .decompose([](Args in) {
                           const Tensor &x = in[0], is_zero = x == 0;
                           const Tensor angle = where(is_zero, 1, x) * std::numbers::pi;
                           return Tensors(where(is_zero, 1, sin(angle) / angle));
                         })
                         .dtypes(kFloatingTypes | kComplexTypes);

Tensor positive(const Tensor& x) {
  STRATA_CHECK_AS(NotImplementedError, x.dtype() != kBool, "positive: not implemented for bool");
  return x;
}

Tensor signbit(const Tensor& x) {
  check_real(x, "signbit");
  if (!is_floating_point(x.dtype())) return x < 0;
  // The sign of a number is that of the integer of the same bits, zeros and NaN too.
  const size_t bytes = item_size(x.dtype());
  return x.view(bytes == 2 ? kShort : bytes == 4 ? kInt : kLong) < 0;
}

Tensor copysign(const Tensor& a, const Tensor& b) {
  check_real(a, "copysign"), check_real(b, "copysign");
  return detail::run_broadcast(copysign_op, "copysign", a, b, float_type(result_type(a, b)));
}
Tensor copysign(const Tensor& a, const Scalar& b) {
  STRATA_CHECK_AS(NotImplementedError, !b.is_complex(), "copysign: not implemented for complex numbers");
  const Tensor x = cast(a, float_type(result_type(a, b))), y = constant(b, x.dtype(), x.device(), x.sizes());
  return call1(copysign_op, {&x, &y});
}

Tensor heaviside(const Tensor& x, const Tensor& values) {
  check_real(x, "heaviside"), check_real(values, "heaviside");
  STRATA_CHECK(x.dtype() == values.dtype(), "heaviside: x and values must have one dtype, got {} and {}",
               name(x.dtype()), name(values.dtype()));
  // What x does not tell of the order of the result's dims, by sizes and strides of its own, values tell.
  const bool tells = x.sizes() == values.sizes() && x.is_non_overlapping_and_dense();
  const Tensor zero = tells ? constant(0, x.dtype(), x.device(), x.sizes()) : zeros_like(values);
  const Tensor y = where(x == zero, stop_gradient(values), cast(x > zero, x.dtype()));
  return without_slope(without_slope(y, x, NoSlope::kHeaviside), values, NoSlope::kHeaviside);
}

Tensor sinc(const Tensor& x) {
  const Tensor y = cast(x, float_type(x.dtype()));
  return call1(sinc_op, {&y});
}
Tensor& sinc_(Tensor& x) {
  return detail::overwrite(x, "sinc_", [&] { return sinc(detail::before(x)); });
}

Tensor logaddexp2(const Tensor& a, const Tensor& b) {
  const DType t = result_type(a, b);
  STRATA_CHECK(is_floating_point(t), "logaddexp2: expected floating point tensors, got {} and {}", name(a.dtype()),
               name(b.dtype()));
  return detail::run_broadcast(logaddexp2_op, "logaddexp2", a, b, t);
}

Tensor ldexp(const Tensor& a, const Tensor& b) {
  const Called called;
  const bool follows = is_integral(b.dtype(), true) && is_floating_point(a.dtype());
  return mul(a, pow(2.0, follows ? b.to(a.dtype()) : b));
}
Tensor& ldexp_(Tensor& a, const Tensor& b) {
  return detail::overwrite(a, "ldexp_", [&] { return ldexp(detail::before(a, b), b); });
}

Tensor float_power(const Tensor& a, const Tensor& b) {
  const bool wide = is_complex(a.dtype()) || is_complex(b.dtype());
  return pow(in_double(a, wide), in_double(b, wide));
}
Tensor float_power(const Tensor& a, const Scalar& b) {
  if (is_complex(a.dtype()) || b.is_complex()) return pow(in_double(a, true), Scalar(b.toComplexDouble()));
  return pow(in_double(a, false), Scalar(b.toDouble()));
}
Tensor float_power(const Scalar& a, const Tensor& b) {
  if (a.is_complex() || is_complex(b.dtype())) return pow(Scalar(a.toComplexDouble()), in_double(b, true));
  return pow(Scalar(a.toDouble()), in_double(b, false));
}

Tensor isposinf(const Tensor& x) {
  check_real(x, "isposinf");
  return is_floating_point(x.dtype()) ? x == kInfinity : isinf(x);
}
Tensor isneginf(const Tensor& x) {
  check_real(x, "isneginf");
  return is_floating_point(x.dtype()) ? x == -kInfinity : isinf(x);
}

Tensor mvlgamma(const Tensor& x, int64_t p) {
  const Called called;
  check_real(x, "mvlgamma");
  // The terms are added one by one; more of them than these is a mistake that would seem to hang.
  STRATA_CHECK(p >= 1 && p <= 1'000'000, "mvlgamma: p must be in 1 to 1000000, got {}", p);
  const Tensor y = cast(x, float_type(x.dtype()));
  Tensor sum = lgamma(y);
  for (int64_t j = 1; j < p; ++j) sum = sum + lgamma(y - static_cast<double>(j) / 2);
  const double order = static_cast<double>(p);
  return (sum + order * (order - 1) / 4 * std::log(std::numbers::pi)).contiguous();
}

Tensor __and__(const Tensor& a, const Tensor& b) { return bitwise_and(a, b); }
Tensor __and__(const Tensor& a, const Scalar& b) { return bitwise_and(a, b); }
Tensor __or__(const Tensor& a, const Tensor& b) { return bitwise_or(a, b); }
Tensor __or__(const Tensor& a, const Scalar& b) { return bitwise_or(a, b); }
Tensor __xor__(const Tensor& a, const Tensor& b) { return bitwise_xor(a, b); }
Tensor __xor__(const Tensor& a, const Scalar& b) { return bitwise_xor(a, b); }
Tensor __lshift__(const Tensor& a, const Tensor& b) { return bitwise_left_shift(a, b); }
Tensor __lshift__(const Tensor& a, const Scalar& b) { return bitwise_left_shift(a, b); }
Tensor __rshift__(const Tensor& a, const Tensor& b) { return bitwise_right_shift(a, b); }
Tensor __rshift__(const Tensor& a, const Scalar& b) { return bitwise_right_shift(a, b); }

}  // namespace strata
