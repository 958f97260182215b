// Bessel and Airy functions in double: Chebyshev series between 0 and infinity, divided as in Cephes; those of a real
// order that oscillate are the C library's.
#pragma once
#include <math.h>

#include "kernels/arithmetic_special.h"
#include "kernels/special_series.h"

namespace strata::arithmetic::special {

STRATA_HD double bessel_j0(double x) { return ::j0(x); }
STRATA_HD double bessel_j1(double x) { return ::j1(x); }
/// -inf at 0 and NaN below, as in bessel_y1.
STRATA_HD double bessel_y0(double x) { return x > 0 ? ::y0(x) : x == 0 ? -kInf : kNaN; }
STRATA_HD double bessel_y1(double x) { return x > 0 ? ::y1(x) : x == 0 ? -kInf : kNaN; }

/// exp(-|x|) I0(x).
STRATA_HD double bessel_i0e(double x) {
  x = std::abs(x);
  return x <= 8 ? series::i0e_near(x / 4 - 1) : series::i0e_far(16 / x - 1) / std::sqrt(x);
}
/// exp(-|x|) I1(x).
STRATA_HD double bessel_i1e(double x) {
  const double size = std::abs(x);
  if (size <= 8) return x * series::i1e_near(size / 4 - 1);
  return std::copysign(series::i1e_far(16 / size - 1) / std::sqrt(size), x);
}
/// exp(|x|) times `scaled`, which may be small enough for a result where the power alone has none.
STRATA_HD double unscaled(double x, double scaled) {
  if (std::isinf(x)) return std::copysign(kInf, scaled);
  const double root = std::exp(std::abs(x) / 2);
  return root * scaled * root;
}
STRATA_HD double bessel_i0(double x) { return unscaled(x, bessel_i0e(x)); }
STRATA_HD double bessel_i1(double x) { return unscaled(x, bessel_i1e(x)); }

/// Infinite at 0 and NaN below, as are the others of the second kind.
STRATA_HD double bessel_k0(double x) {
  if (x <= 0) return x == 0 ? kInf : kNaN;
  if (x <= 2) return series::k0_near(x * x / 2 - 1) - std::log(x / 2) * bessel_i0(x);
  return std::exp(-x) * series::k0e_far(4 / x - 1) / std::sqrt(x);
}
STRATA_HD double bessel_k1(double x) {
  if (x <= 0) return x == 0 ? kInf : kNaN;
  if (x <= 2) return series::k1_near(x * x / 2 - 1) / x + std::log(x / 2) * bessel_i1(x);
  return std::exp(-x) * series::k1e_far(4 / x - 1) / std::sqrt(x);
}
/// exp(x) K0(x).
STRATA_HD double bessel_k0e(double x) {
  return x <= 2 ? std::exp(x) * bessel_k0(x) : series::k0e_far(4 / x - 1) / std::sqrt(x);
}
/// exp(x) K1(x).
STRATA_HD double bessel_k1e(double x) {
  return x <= 2 ? std::exp(x) * bessel_k1(x) : series::k1e_far(4 / x - 1) / std::sqrt(x);
}

/// 2/3 |x|^(3/2), of which both parts of an Airy function are made, and its place in the series beyond 2.
struct AiryPlace {
  double root, zeta, t;
};
STRATA_HD AiryPlace airy_place(double size) {
  constexpr double kZetaAtTwo = 1.8856180831641267317;
  const double root = std::sqrt(size), zeta = size * root * 2 / 3;
  return {root, zeta, 2 * kZetaAtTwo / zeta - 1};
}
inline constexpr double kRootPi = 1.7724538509055160273;

/// Airy's function of the first kind; NaN at infinity, as in PyTorch. Where it oscillates, the sine and cosine of
/// zeta + pi / 4 are made without the rounding of that sum.
STRATA_HD double airy_ai(double x) {
  if (std::isinf(x)) return kNaN;
  if (std::abs(x) <= 2) return series::airy_middle(x / 2);
  const AiryPlace p = airy_place(std::abs(x));
  if (x > 0) return std::exp(-p.zeta) * series::airy_decaying(p.t) / (2 * kRootPi * std::sqrt(p.root));
  const double s = std::sin(p.zeta), c = std::cos(p.zeta);
  const double wave = series::airy_sine(p.t) * (s + c) - series::airy_cosine(p.t) * (c - s);
  return wave / (std::numbers::sqrt2 * kRootPi * std::sqrt(p.root));
}
/// Its derivative.
STRATA_HD double airy_ai_slope(double x) {
  if (std::isinf(x)) return kNaN;
  if (std::abs(x) <= 2) return series::airy_slope_middle(x / 2);
  const AiryPlace p = airy_place(std::abs(x));
  if (x > 0) return std::exp(-p.zeta) * series::airy_slope_decaying(p.t) * std::sqrt(p.root) / (2 * kRootPi);
  const double s = std::sin(p.zeta), c = std::cos(p.zeta);
  const double wave = series::airy_slope_sine(p.t) * (c - s) + series::airy_slope_cosine(p.t) * (s + c);
  return -wave * std::sqrt(p.root) / (std::numbers::sqrt2 * kRootPi);
}

}  // namespace strata::arithmetic::special
