// Functions of one tensor, element by element.
#pragma once
#include <optional>

#include "../core/tensor.h"

namespace strata {

// Functions that leave the integers (exp, sqrt, sin, ...) convert integer tensors to the default floating point dtype
// first. `f_(x)` works in place; it throws when the result's dtype cannot be stored in x.

/// -x.
Tensor neg(const Tensor& x);
Tensor& neg_(Tensor& x);
Tensor& neg_out(Tensor& out, const Tensor& x);
/// |x|.
Tensor abs(const Tensor& x);
Tensor& abs_(Tensor& x);
Tensor& abs_out(Tensor& out, const Tensor& x);
/// -1, 0 or 1 by the sign; 0 for NaN.
Tensor sign(const Tensor& x);
Tensor& sign_(Tensor& x);
Tensor& sign_out(Tensor& out, const Tensor& x);
/// Square root; NaN below zero.
Tensor sqrt(const Tensor& x);
Tensor& sqrt_(Tensor& x);
Tensor& sqrt_out(Tensor& out, const Tensor& x);
/// 1 / sqrt(x).
Tensor rsqrt(const Tensor& x);
Tensor& rsqrt_(Tensor& x);
Tensor& rsqrt_out(Tensor& out, const Tensor& x);
/// 1 / x.
Tensor reciprocal(const Tensor& x);
Tensor& reciprocal_(Tensor& x);
Tensor& reciprocal_out(Tensor& out, const Tensor& x);
/// x * x.
Tensor square(const Tensor& x);
Tensor& square_(Tensor& x);
Tensor& square_out(Tensor& out, const Tensor& x);
/// e^x.
Tensor exp(const Tensor& x);
Tensor& exp_(Tensor& x);
Tensor& exp_out(Tensor& out, const Tensor& x);
/// 2^x.
Tensor exp2(const Tensor& x);
Tensor& exp2_(Tensor& x);
Tensor& exp2_out(Tensor& out, const Tensor& x);
/// exp(x) - 1, exact near 0.
Tensor expm1(const Tensor& x);
Tensor& expm1_(Tensor& x);
Tensor& expm1_out(Tensor& out, const Tensor& x);
/// Natural logarithm; NaN below zero, -inf at zero.
Tensor log(const Tensor& x);
Tensor& log_(Tensor& x);
Tensor& log_out(Tensor& out, const Tensor& x);
/// Logarithm to base 2.
Tensor log2(const Tensor& x);
Tensor& log2_(Tensor& x);
Tensor& log2_out(Tensor& out, const Tensor& x);
/// Logarithm to base 10.
Tensor log10(const Tensor& x);
Tensor& log10_(Tensor& x);
Tensor& log10_out(Tensor& out, const Tensor& x);
/// log(1 + x), exact near 0.
Tensor log1p(const Tensor& x);
Tensor& log1p_(Tensor& x);
Tensor& log1p_out(Tensor& out, const Tensor& x);
/// Sine.
Tensor sin(const Tensor& x);
Tensor& sin_(Tensor& x);
Tensor& sin_out(Tensor& out, const Tensor& x);
/// Cosine.
Tensor cos(const Tensor& x);
Tensor& cos_(Tensor& x);
Tensor& cos_out(Tensor& out, const Tensor& x);
/// Tangent.
Tensor tan(const Tensor& x);
Tensor& tan_(Tensor& x);
Tensor& tan_out(Tensor& out, const Tensor& x);
/// Inverse sine in [-pi/2, pi/2]; NaN outside of [-1, 1].
Tensor asin(const Tensor& x);
Tensor& asin_(Tensor& x);
Tensor& asin_out(Tensor& out, const Tensor& x);
/// Inverse cosine in [0, pi]; NaN outside of [-1, 1].
Tensor acos(const Tensor& x);
Tensor& acos_(Tensor& x);
Tensor& acos_out(Tensor& out, const Tensor& x);
/// Inverse tangent in (-pi/2, pi/2).
Tensor atan(const Tensor& x);
Tensor& atan_(Tensor& x);
Tensor& atan_out(Tensor& out, const Tensor& x);
/// Hyperbolic sine.
Tensor sinh(const Tensor& x);
Tensor& sinh_(Tensor& x);
Tensor& sinh_out(Tensor& out, const Tensor& x);
/// Hyperbolic cosine.
Tensor cosh(const Tensor& x);
Tensor& cosh_(Tensor& x);
Tensor& cosh_out(Tensor& out, const Tensor& x);
/// Hyperbolic tangent.
Tensor tanh(const Tensor& x);
Tensor& tanh_(Tensor& x);
Tensor& tanh_out(Tensor& out, const Tensor& x);
/// Inverse of sinh.
Tensor asinh(const Tensor& x);
Tensor& asinh_(Tensor& x);
Tensor& asinh_out(Tensor& out, const Tensor& x);
/// Inverse of cosh; NaN below 1.
Tensor acosh(const Tensor& x);
Tensor& acosh_(Tensor& x);
Tensor& acosh_out(Tensor& out, const Tensor& x);
/// Inverse of tanh; NaN outside of [-1, 1].
Tensor atanh(const Tensor& x);
Tensor& atanh_(Tensor& x);
Tensor& atanh_out(Tensor& out, const Tensor& x);
/// 1 / (1 + exp(-x)).
Tensor sigmoid(const Tensor& x);
Tensor& sigmoid_(Tensor& x);
Tensor& sigmoid_out(Tensor& out, const Tensor& x);
/// Error function.
Tensor erf(const Tensor& x);
Tensor& erf_(Tensor& x);
Tensor& erf_out(Tensor& out, const Tensor& x);
/// 1 - erf(x), exact for large x.
Tensor erfc(const Tensor& x);
Tensor& erfc_(Tensor& x);
Tensor& erfc_out(Tensor& out, const Tensor& x);
/// Inverse of erf on (-1, 1).
Tensor erfinv(const Tensor& x);
Tensor& erfinv_(Tensor& x);
Tensor& erfinv_out(Tensor& out, const Tensor& x);
/// log |Gamma(x)|.
Tensor lgamma(const Tensor& x);
Tensor& lgamma_(Tensor& x);
Tensor& lgamma_out(Tensor& out, const Tensor& x);
/// Derivative of lgamma.
Tensor digamma(const Tensor& x);
Tensor& digamma_(Tensor& x);
Tensor& digamma_out(Tensor& out, const Tensor& x);
/// Largest integer not above x.
Tensor floor(const Tensor& x);
Tensor& floor_(Tensor& x);
Tensor& floor_out(Tensor& out, const Tensor& x);
/// Smallest integer not below x.
Tensor ceil(const Tensor& x);
Tensor& ceil_(Tensor& x);
Tensor& ceil_out(Tensor& out, const Tensor& x);
/// Nearest integer, halves to even.
Tensor round(const Tensor& x);
Tensor& round_(Tensor& x);
Tensor& round_out(Tensor& out, const Tensor& x);
/// Towards zero.
Tensor trunc(const Tensor& x);
Tensor& trunc_(Tensor& x);
Tensor& trunc_out(Tensor& out, const Tensor& x);
/// x - trunc(x).
Tensor frac(const Tensor& x);
Tensor& frac_(Tensor& x);
Tensor& frac_out(Tensor& out, const Tensor& x);
/// max(x, 0); NaN stays NaN.
Tensor relu(const Tensor& x);
Tensor& relu_(Tensor& x);
Tensor& relu_out(Tensor& out, const Tensor& x);
/// x == 0, as bool.
Tensor logical_not(const Tensor& x);
Tensor& logical_not_(Tensor& x);
Tensor& logical_not_out(Tensor& out, const Tensor& x);
/// Flips all bits of an integer; `not` of a bool.
Tensor bitwise_not(const Tensor& x);
Tensor& bitwise_not_(Tensor& x);
Tensor& bitwise_not_out(Tensor& out, const Tensor& x);
/// The n-th derivative of digamma; n >= 0.
Tensor polygamma(int64_t n, const Tensor& x);
/// Rounds to `decimals` places after the point (before it, if negative).
Tensor round(const Tensor& x, int64_t decimals);
/// Tests, as bool; integers are finite numbers.
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);
/// NaN becomes `nan` (0), infinities the largest finite values unless given.
Tensor nan_to_num(const Tensor& x, std::optional<double> nan = std::nullopt,
                  std::optional<double> posinf = std::nullopt, std::optional<double> neginf = std::nullopt);
/// Degrees to radians and back.
Tensor deg2rad(const Tensor& x);
Tensor rad2deg(const Tensor& x);
/// log(x / (1 - x)); with `eps`, x is clamped to [eps, 1 - eps] first.
Tensor logit(const Tensor& x, std::optional<double> eps = std::nullopt);

// libtorch's other names.
inline Tensor negative(const Tensor& x) { return neg(x); }
inline Tensor absolute(const Tensor& x) { return abs(x); }
inline Tensor arcsin(const Tensor& x) { return asin(x); }
inline Tensor arccos(const Tensor& x) { return acos(x); }
inline Tensor arctan(const Tensor& x) { return atan(x); }
inline Tensor arcsinh(const Tensor& x) { return asinh(x); }
inline Tensor arccosh(const Tensor& x) { return acosh(x); }
inline Tensor arctanh(const Tensor& x) { return atanh(x); }
inline Tensor fix(const Tensor& x) { return trunc(x); }

}  // namespace strata
