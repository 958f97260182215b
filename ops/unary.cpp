// The ops of one operand: rules and public functions.
#include "ops/unary.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "core/called.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/complex_def.h"
#include "ops/gradient_op.h"
#include "ops/in_place.h"
#include "ops/out.h"
#include "ops/promote.h"
#include "ops/rules.h"
#include "ops/ternary.h"
#include "ops/unary_def.h"

namespace strata {

using std::numbers::ln10, std::numbers::ln2, std::numbers::inv_sqrtpi;

namespace {

/// A function whose derivative is 1 / D(x), or 1 / D of its result. Its rules divide in place of multiplying by a
/// partial derivative: the reciprocal of a small number may be none of its dtype, and that of a complex 0 is NaN in one
/// part.
template <Tensor (*D)(const Tensor&), bool kOfResult = false>
constexpr Builder<NoParams> reciprocal_slope(const char* schema) {
  return pointwise(schema, zero)
      .vjp([](const Vjp& c) { return Tensors(c.grad() / conj(D(kOfResult ? c.out() : c.in(0)))); })
      .jvp([](const Jvp& c) { return Tensors(c.tangent() / D(kOfResult ? c.out() : c.in(0))); })
      .saves(kOfResult ? saves_out(0) : saves_in(0))
      .dtypes(kFloatingTypes | kComplexTypes);
}
template <Tensor (*D)(const Tensor&)>
constexpr Builder<NoParams> logarithm(const char* schema) {
  return reciprocal_slope<D>(schema).autocast(AutocastPolicy::kFloat32);
}

}  // namespace

STRATA_OP(neg_op) = pointwise("neg(Tensor x) -> Tensor", minus_one).dtypes(kNumberTypes);
STRATA_OP(abs_op) = pointwise("abs(Tensor x) -> Tensor", [](const Primals& c) { return sign(c.in(0)); })
                        .saves(saves_in(0))
                        .dtypes(kRealNumberTypes | kFloat8Types);
STRATA_OP(sign_op) = pointwise("sign(Tensor x) -> Tensor", zero).dtypes(kRealNumberTypes);
STRATA_OP(sqrt_op) = reciprocal_slope<[](const Tensor& y) { return 2 * y; }, true>("sqrt(Tensor x) -> Tensor");
STRATA_OP(rsqrt_op) = pointwise("rsqrt(Tensor x) -> Tensor",
                                [](const Primals& c) { return -0.5 * (square(c.out()) * c.out()); })
                          .saves(saves_out(0))
                          .autocast(AutocastPolicy::kFloat32)
                          .decompose([](Args in) { return Tensors(reciprocal(sqrt(in[0]))); })
                          .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(reciprocal_op) = pointwise("reciprocal(Tensor x) -> Tensor",
                                     [](const Primals& c) { return -square(c.out()); })
                               .saves(saves_out(0))
                               .autocast(AutocastPolicy::kFloat32)
                               .decompose([](Args in) { return Tensors(1 / in[0]); })
                               .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(square_op) = pointwise("square(Tensor x) -> Tensor", [](const Primals& c) { return 2 * c.in(0); })
                           .saves(saves_in(0))
                           .autocast(AutocastPolicy::kFloat32)
                           .decompose([](Args in) { return Tensors(in[0] * in[0]); })
                           .dtypes(kNumberTypes);

STRATA_OP(exp_op) = pointwise("exp(Tensor x) -> Tensor", [](const Primals& c) { return c.out(); })
                        .saves(saves_out(0))
                        .autocast(AutocastPolicy::kFloat32)
                        .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(exp2_op) = pointwise("exp2(Tensor x) -> Tensor", [](const Primals& c) { return ln2 * c.out(); })
                         .saves(saves_out(0))
                         .autocast(AutocastPolicy::kFloat32)
                         .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(expm1_op) = pointwise("expm1(Tensor x) -> Tensor", [](const Primals& c) { return c.out() + 1; })
                          .saves(saves_out(0))
                          .autocast(AutocastPolicy::kFloat32)
                          .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(log_op) = logarithm<[](const Tensor& x) { return x; }>("log(Tensor x) -> Tensor");
STRATA_OP(log2_op) = logarithm<[](const Tensor& x) { return x * ln2; }>("log2(Tensor x) -> Tensor");
STRATA_OP(log10_op) = logarithm<[](const Tensor& x) { return x * ln10; }>("log10(Tensor x) -> Tensor");
STRATA_OP(log1p_op) = logarithm<[](const Tensor& x) { return x + 1; }>("log1p(Tensor x) -> Tensor");
STRATA_OP(sin_op) = pointwise("sin(Tensor x) -> Tensor", [](const Primals& c) { return cos(c.in(0)); })
                        .saves(saves_in(0))
                        .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(cos_op) = pointwise("cos(Tensor x) -> Tensor", [](const Primals& c) { return -sin(c.in(0)); })
                        .saves(saves_in(0))
                        .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(tan_op) = pointwise("tan(Tensor x) -> Tensor", [](const Primals& c) { return square(c.out()) + 1; })
                        .saves(saves_out(0))
                        .autocast(AutocastPolicy::kFloat32)
                        .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(asin_op) = pointwise("asin(Tensor x) -> Tensor", [](const Primals& c) { return rsqrt(1 - square(c.in(0))); })
                         .saves(saves_in(0))
                         .autocast(AutocastPolicy::kFloat32)
                         .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(acos_op) = pointwise("acos(Tensor x) -> Tensor", [](const Primals& c) { return -rsqrt(1 - square(c.in(0))); })
                         .saves(saves_in(0))
                         .autocast(AutocastPolicy::kFloat32)
                         .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(atan_op) = reciprocal_slope<[](const Tensor& x) { return square(x) + 1; }>("atan(Tensor x) -> Tensor");
STRATA_OP(sinh_op) = pointwise("sinh(Tensor x) -> Tensor", [](const Primals& c) { return cosh(c.in(0)); })
                         .saves(saves_in(0))
                         .autocast(AutocastPolicy::kFloat32)
                         .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(cosh_op) = pointwise("cosh(Tensor x) -> Tensor", [](const Primals& c) { return sinh(c.in(0)); })
                         .saves(saves_in(0))
                         .autocast(AutocastPolicy::kFloat32)
                         .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(asinh_op) = pointwise("asinh(Tensor x) -> Tensor",
                                [](const Primals& c) { return rsqrt(square(c.in(0)) + 1); })
                          .saves(saves_in(0))
                          .dtypes(kFloatingTypes | kComplexTypes);

namespace {

/// The derivative of acosh. One root of both factors would leave the branch that complex numbers are on.
Tensor acosh_slope(const Tensor& x) {
  return is_complex(x) ? rsqrt(x - 1) * rsqrt(x + 1) : rsqrt((x - 1) * (x + 1) + 0);
}

}  // namespace

STRATA_OP(acosh_op) =
    pointwise("acosh(Tensor x) -> Tensor", zero)
        .vjp([](const Vjp& c) {
          const Tensor &grad = c.grad(), &x = c.in(0);
          return Tensors(is_complex(x) ? grad * conj(acosh_slope(x)) : call1(acosh_backward_op, {&grad, &x}));
        })
        .jvp([](const Jvp& c) {
          const Tensor &tangent = c.tangent(), &x = c.in(0);
          return Tensors(is_complex(x) ? tangent * acosh_slope(x) : call1(acosh_backward_op, {&tangent, &x}));
        })
        .saves(saves_in(0))
        .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(acosh_backward_op) = pointwise(
                                   "acosh_backward(Tensor grad, Tensor x) -> Tensor",
                                   [](const Primals& c) { return acosh_slope(c.in(1)); },
                                   [](const Primals& c) {
                                     const Tensor slope = acosh_slope(c.in(1));
                                     return -(c.in(0) * c.in(1)) * (square(slope) * slope);
                                   })
                                   .saves_for(0, saves_in(1))
                                   .saves_for(1, saves_in(0, 1))
                                   .decompose([](Args in) { return Tensors(in[0] * acosh_slope(in[1])); })
                                   .dtypes(kFloatingTypes);
STRATA_OP(atanh_op) = reciprocal_slope<[](const Tensor& x) { return 1 - square(x); }>("atanh(Tensor x) -> Tensor");

namespace {

// relu, tanh and sigmoid: the derivative is one fused op of (cotangent or tangent, output).
template <Op& kBackward>
constexpr auto fused(const char* schema) {
  return pointwise(schema, one)
      .vjp([](const Vjp& c) {
        const Tensor y = conj(c.out());
        return Tensors(call1(kBackward, {&c.grad(), &y}));
      })
      .saves(saves_out(0))
      .jvp([](const Jvp& c) {
        return Tensors(call1(kBackward, {&c.tangent(), &c.out()}));
      });
}

}  // namespace

STRATA_OP(tanh_op) = fused<tanh_backward_op>("tanh(Tensor x) -> Tensor").dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(sigmoid_op) = fused<sigmoid_backward_op>("sigmoid(Tensor x) -> Tensor")
                            .decompose([](Args in) { return Tensors(reciprocal(1 + exp(-in[0]))); })
                            .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(relu_op) = fused<relu_backward_op>("relu(Tensor x) -> Tensor").dtypes(kRealNumberTypes);

STRATA_OP(tanh_backward_op) = pointwise(
                                  "tanh_backward(Tensor grad, Tensor y) -> Tensor",
                                  [](const Primals& c) { return 1 - square(c.in(1)); },
                                  [](const Primals& c) { return -2 * (c.in(0) * c.in(1)); })
                                  .saves_for(0, saves_in(1))
                                  .saves_for(1, saves_in(0, 1))
                                  .decompose([](Args in) { return Tensors(in[0] * (1 - square(in[1]))); })
                                  .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(sigmoid_backward_op) = pointwise(
                                     "sigmoid_backward(Tensor grad, Tensor y) -> Tensor",
                                     [](const Primals& c) { return c.in(1) * (1 - c.in(1)); },
                                     [](const Primals& c) { return c.in(0) * (1 - 2 * c.in(1)); })
                                     .saves_for(0, saves_in(1))
                                     .saves_for(1, saves_in(0, 1))
                                     .decompose([](Args in) { return Tensors(in[0] * ((1 - in[1]) * in[1])); })
                                     .dtypes(kFloatingTypes | kComplexTypes);
STRATA_OP(relu_backward_op) = gradient_op("relu_backward(Tensor grad, Tensor y) -> Tensor", zero)
                                  .decompose([](Args in) { return Tensors(where(in[1] <= 0, 0, in[0])); })
                                  .dtypes(kFloatingTypes);

STRATA_OP(erf_op) = pointwise("erf(Tensor x) -> Tensor",
                              [](const Primals& c) { return (2 * inv_sqrtpi) * exp(-square(c.in(0))); })
                        .saves(saves_in(0))
                        .dtypes(kFloatingTypes);
STRATA_OP(erfc_op) = pointwise("erfc(Tensor x) -> Tensor",
                               [](const Primals& c) { return (-2 * inv_sqrtpi) * exp(-square(c.in(0))); })
                         .saves(saves_in(0))
                         .dtypes(kFloatingTypes);
STRATA_OP(erfinv_op) = pointwise("erfinv(Tensor x) -> Tensor",
                                 [](const Primals& c) { return (0.5 / inv_sqrtpi) * exp(square(erfinv(c.in(0)))); })
                           .saves(saves_in(0))
                           .autocast(AutocastPolicy::kFloat32)
                           .dtypes(kFloatingTypes);
STRATA_OP(lgamma_op) = pointwise("lgamma(Tensor x) -> Tensor", [](const Primals& c) { return digamma(c.in(0)); })
                           .saves(saves_in(0))
                           .dtypes(kFloatingTypes);
STRATA_OP(digamma_op) = pointwise("digamma(Tensor x) -> Tensor", [](const Primals& c) { return polygamma(1, c.in(0)); })
                            .saves(saves_in(0))
                            .dtypes(kFloatingTypes);
STRATA_OP(polygamma_op) = pointwise<PolygammaParams>("polygamma(Tensor x, int n) -> Tensor",
                                                     [](const Primals& c, const PolygammaParams& p) {
                                                       return polygamma(p.n + 1, c.in(0));
                                                     })
                              .saves(saves_in(0))
                              .dtypes(kFloatingTypes);

STRATA_OP(floor_op) = pointwise("floor(Tensor x) -> Tensor", zero).dtypes(kRealNumberTypes);
STRATA_OP(ceil_op) = pointwise("ceil(Tensor x) -> Tensor", zero).dtypes(kRealNumberTypes);
STRATA_OP(round_op) = pointwise("round(Tensor x) -> Tensor", zero).dtypes(kRealNumberTypes);
STRATA_OP(round_to_op) =
    pointwise<RoundToParams>("round_to(Tensor x, float up, float down) -> Tensor", zero).dtypes(kFloatingTypes);
STRATA_OP(trunc_op) = pointwise("trunc(Tensor x) -> Tensor", zero).dtypes(kRealNumberTypes);
STRATA_OP(frac_op) = pointwise("frac(Tensor x) -> Tensor", one).dtypes(kFloatingTypes);

STRATA_OP(nan_to_num_op) =
    pointwise<NanToNumParams>("nan_to_num(Tensor x, float nan, float posinf, float neginf) -> Tensor", one)
        .vjp([](const Vjp& c, const NanToNumParams&) { return Tensors(c.grad() * isfinite(c.in(0))); })
        .saves(saves_in(0))
        .jvp([](const Jvp& c, const NanToNumParams&) { return Tensors(c.tangent() * isfinite(c.in(0))); })
        .dtypes(kFloatingTypes);

STRATA_OP(isnan_op) = pointwise_constant<NoParams, kBool>("isnan(Tensor x) -> Tensor").dtypes(kStoredTypes);
STRATA_OP(isinf_op) = pointwise_constant<NoParams, kBool>("isinf(Tensor x) -> Tensor").dtypes(kStoredTypes);
STRATA_OP(isfinite_op) = pointwise_constant<NoParams, kBool>("isfinite(Tensor x) -> Tensor").dtypes(kStoredTypes);
STRATA_OP(logical_not_op) = pointwise_constant<NoParams, kBool>("logical_not(Tensor x) -> Tensor").dtypes(kAllTypes);
STRATA_OP(bitwise_not_op) = pointwise_constant("bitwise_not(Tensor x) -> Tensor").dtypes(kIntegralTypes);

namespace {

/// A function whose result has the operand's dtype.
Tensor same_type(const Op& op, const Tensor& x) { return call1(op, {&x}); }
Tensor& same_type_(const Op& op, Tensor& x) {
  return detail::in_place(op, [&]() -> Tensor& {
    call_inplace(op, x, {&x});
    return x;
  });
}

/// A function that is floating point whatever the operand.
Tensor floating(const Op& op, const Tensor& x) {
  if (is_differentiable(x.dtype())) [[likely]]
    return call1(op, {&x});
  const Tensor converted = cast(x, get_default_dtype());
  return call1(op, {&converted});
}
Tensor& floating_(const Op& op, Tensor& x) {
  STRATA_CHECK(is_differentiable(x.dtype()), "{}_: result type {} can't be cast to the desired output type {}",
               op.name(), name(get_default_dtype()), name(x.dtype()));
  return same_type_(op, x);
}

void check_not_bool(const Op& op, const Tensor& x) {
  STRATA_CHECK_AS(NotImplementedError, x.dtype() != kBool,
                  "{}: not implemented for bool; use logical_not or convert first", op.name());
}
Tensor number(const Op& op, const Tensor& x) {
  check_not_bool(op, x);
  return same_type(op, x);
}
Tensor& number_(const Op& op, Tensor& x) {
  return detail::in_place(op, [&]() -> Tensor& {
    check_not_bool(op, x);
    return same_type_(op, x);
  });
}
/// The absolute value of a complex number is a real one.
Tensor magnitude(const Op& op, const Tensor& x) {
  return is_complex(x.dtype()) ? call1(complex_abs_op, {&x}) : number(op, x);
}
Tensor& magnitude_(const Op& op, Tensor& x) { return number_(op, x); }

}  // namespace

namespace {

/// Straight into `out` where the op's result has its dtype, else through `f` and a conversion.
Tensor& write_out(const Op& op, Tensor& out, const Tensor& x, Tensor (*f)(const Tensor&)) {
  const bool fits = out.sizes() == x.sizes() && out.dtype() == x.dtype();
  // Of complex numbers `abs` is another op, whose results are real.
  if (fits && is_differentiable(x.dtype()) && op.dtypes_for(0).has(x.dtype())) return detail::call_out(op, out, {&x});
  return detail::write_out((std::string(op.name()) + "_out").c_str(), out, f(x));
}

}  // namespace

// The free functions and both methods of one op: `kind` says what happens to the dtype.
#define STRATA_UNARY(f, kind)                                                             \
  Tensor f(const Tensor& x) { return kind(f##_op, x); }                                   \
  Tensor& f##_(Tensor& x) { return kind##_(f##_op, x); }                                  \
  Tensor& f##_out(Tensor& out, const Tensor& x) { return write_out(f##_op, out, x, &f); } \
  Tensor Tensor::f() const { return strata::f(*this); }                                   \
  Tensor& Tensor::f##_() const { return strata::f##_(self()); }

STRATA_UNARY(neg, number)
STRATA_UNARY(abs, magnitude)
STRATA_UNARY(relu, number)
STRATA_UNARY(floor, number)
STRATA_UNARY(ceil, number)
STRATA_UNARY(round, number)
STRATA_UNARY(trunc, number)
STRATA_UNARY(frac, number)
STRATA_UNARY(bitwise_not, same_type)
STRATA_UNARY(sqrt, floating)
STRATA_UNARY(rsqrt, floating)
STRATA_UNARY(reciprocal, floating)
STRATA_UNARY(exp, floating)
STRATA_UNARY(exp2, floating)
STRATA_UNARY(expm1, floating)
STRATA_UNARY(log, floating)
STRATA_UNARY(log2, floating)
STRATA_UNARY(log10, floating)
STRATA_UNARY(log1p, floating)
STRATA_UNARY(sin, floating)
STRATA_UNARY(cos, floating)
STRATA_UNARY(tan, floating)
STRATA_UNARY(asin, floating)
STRATA_UNARY(acos, floating)
STRATA_UNARY(atan, floating)
STRATA_UNARY(sinh, floating)
STRATA_UNARY(cosh, floating)
STRATA_UNARY(tanh, floating)
STRATA_UNARY(asinh, floating)
STRATA_UNARY(acosh, floating)
STRATA_UNARY(atanh, floating)
STRATA_UNARY(sigmoid, floating)
STRATA_UNARY(erf, floating)
STRATA_UNARY(erfc, floating)
STRATA_UNARY(erfinv, floating)
STRATA_UNARY(lgamma, floating)
STRATA_UNARY(digamma, floating)
#undef STRATA_UNARY

// The sign of a bool is the bool.
Tensor sign(const Tensor& x) { return x.dtype() == kBool ? clone(x) : same_type(sign_op, x); }
Tensor& sign_(Tensor& x) { return x.dtype() == kBool ? x : same_type_(sign_op, x); }
Tensor& sign_out(Tensor& out, const Tensor& x) { return write_out(sign_op, out, x, &sign); }
Tensor Tensor::sign() const { return strata::sign(*this); }
Tensor& Tensor::sign_() const { return strata::sign_(self()); }

// The square of a bool is an integer.
Tensor square(const Tensor& x) { return x.dtype() == kBool ? cast(x, kLong) : same_type(square_op, x); }
Tensor& square_(Tensor& x) { return number_(square_op, x); }
Tensor& square_out(Tensor& out, const Tensor& x) { return write_out(square_op, out, x, &square); }
Tensor Tensor::square() const { return strata::square(*this); }
Tensor& Tensor::square_() const { return strata::square_(self()); }

Tensor logical_not(const Tensor& x) { return same_type(logical_not_op, x); }
Tensor& logical_not_(Tensor& x) {
  if (x.dtype() == kBool) return same_type_(logical_not_op, x);
  return detail::in_place(logical_not_op, [&]() -> Tensor& { return x.copy_(logical_not(x)); });
}
Tensor& logical_not_out(Tensor& out, const Tensor& x) { return out.copy_(logical_not(x)); }
Tensor Tensor::logical_not() const { return strata::logical_not(*this); }
Tensor& Tensor::logical_not_() const { return strata::logical_not_(self()); }

Tensor isnan(const Tensor& x) { return same_type(isnan_op, x); }
Tensor isinf(const Tensor& x) { return same_type(isinf_op, x); }
Tensor isfinite(const Tensor& x) { return same_type(isfinite_op, x); }
Tensor Tensor::isnan() const { return strata::isnan(*this); }
Tensor Tensor::isinf() const { return strata::isinf(*this); }
Tensor Tensor::isfinite() const { return strata::isfinite(*this); }

Tensor Tensor::operator-() const { return strata::neg(*this); }
Tensor Tensor::operator~() const { return strata::bitwise_not(*this); }
Tensor Tensor::operator!() const { return strata::logical_not(*this); }

Tensor polygamma(int64_t n, const Tensor& x) {
  STRATA_CHECK(n >= 0 && n < 170, "polygamma: the order must be in 0 to 169, got {}", n);
  if (n == 0) return digamma(x);
  const Tensor y = cast(x, float_type(x.dtype()));
  return call1(polygamma_op, {&y}, PolygammaParams{n});
}

Tensor round(const Tensor& x, int64_t decimals) {
  if (decimals == 0 || !is_floating_point(x.dtype())) return round(x);
  const double scale = std::pow(10.0, std::abs(static_cast<double>(decimals)));
  return call1(round_to_op, {&x}, decimals > 0 ? RoundToParams{scale, 1} : RoundToParams{1, scale});
}

namespace {
/// The largest finite value of a floating point dtype.
double largest(DType t) {
  if (t == kHalf) return 65504;
  if (t == kBFloat16) return 3.3895313892515355e38;
  return t == kFloat ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}
}  // namespace

Tensor nan_to_num(const Tensor& x, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf) {
  if (is_complex(x.dtype()))
    return complex(nan_to_num(real(x), nan, posinf, neginf), nan_to_num(imag(x), nan, posinf, neginf));
  if (!is_floating_point(x.dtype())) return clone(x);
  const double top = largest(x.dtype());
  return call1(nan_to_num_op, {&x}, NanToNumParams{nan.value_or(0), posinf.value_or(top), neginf.value_or(-top)});
}

Tensor Tensor::nan_to_num(std::optional<double> nan, std::optional<double> posinf, std::optional<double> neginf) const {
  return strata::nan_to_num(*this, nan, posinf, neginf);
}

Tensor deg2rad(const Tensor& x) {
  const Called called;
  return x * (std::numbers::pi / 180);
}
Tensor rad2deg(const Tensor& x) {
  const Called called;
  return x * (180 / std::numbers::pi);
}

}  // namespace strata
