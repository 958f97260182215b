// The regularized incomplete gamma functions in double: power series (DLMF 8.7.1, 8.7.3), continued fraction (8.9.2)
// and, where x is near a large a, Temme's uniform expansion (8.12).
#pragma once
#include "kernels/arithmetic_special.h"

namespace strata::arithmetic::special {

inline constexpr int kMostTerms = 4000;
inline constexpr double kSmallest = 1e-17;

/// log(Gamma(1 + a)) for a >= 0, exact near 0.
STRATA_HD double lgamma1p(double a) {
  return a <= 1 ? a * series::lgamma1p<double>(2 * a - 1) : special::lgamma(1 + a);
}
/// log(1 + s) - s for |s| <= 0.5.
STRATA_HD double log1pmx(double s) { return s * s * series::log1pmx<double>(2 * s); }

/// x^a exp(-x) / Gamma(1 + a).
STRATA_HD double gamma_density(double a, double x) {
  if (x == 0) return 0;
  if (a < 10) return std::exp(a * std::log(x) - x - lgamma1p(a));
  const double s = (x - a) / a, power = std::abs(s) <= 0.5 ? log1pmx(s) : std::log(x / a) - s;
  const double r = 1 / a, r2 = r * r;  // of Stirling's series
  const double stirling =
      r * (1.0 / 12 - r2 * (1.0 / 360 - r2 * (1.0 / 1260 - r2 * (1.0 / 1680 - r2 * (1.0 / 1188 - r2 * 691 / 360360)))));
  return std::exp(a * power - stirling) / std::sqrt(2 * kPi * a);
}

STRATA_HD double gamma_p_by_series(double a, double x) {
  double term = 1, sum = 1;
  for (int n = 1; n < kMostTerms && term > kSmallest * sum; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return gamma_density(a, x) * sum;
}

/// 1 - P for small x, where the difference would cancel.
STRATA_HD double gamma_q_by_series(double a, double x) {
  double term = 1, sum = 0;
  for (int n = 1; n < kMostTerms; ++n) {
    term *= -x / n;
    const double part = term / (a + n);
    sum += part;
    if (std::abs(part) <= kSmallest * std::abs(sum)) break;
  }
  const double power = a * std::log(x) - lgamma1p(a);
  return -std::expm1(power) - std::exp(power) * a * sum;
}

/// By Lentz's way of evaluating a continued fraction.
STRATA_HD double gamma_q_by_fraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a, c = 1 / kTiny, d = 1 / (b == 0 ? kTiny : b), h = d;
  for (int n = 1; n < kMostTerms; ++n) {
    const double an = n * (a - n);
    b += 2;
    d = an * d + b;
    d = 1 / (d == 0 ? kTiny : d);
    c = b + an / c;
    c = c == 0 ? kTiny : c;
    const double change = d * c;
    h *= change;
    if (std::abs(change - 1) < 1e-16) break;
  }
  return gamma_density(a, x) * a * h;
}

/// P where `lower`, else Q.
STRATA_HD double gamma_uniform(double a, double x, bool lower) {
  const double s = (x - a) / a, h = s * std::sqrt(-2 * series::log1pmx<double>(2 * s)), half = h * std::sqrt(a / 2);
  const double rest = std::exp(-half * half) / std::sqrt(2 * kPi * a) * series::temme(a, h);
  return lower ? std::erfc(-half) / 2 - rest : std::erfc(half) / 2 + rest;
}

/// P(a, x) where `lower`, else Q(a, x) = 1 - P(a, x); NaN below 0. P(0, x) is 1.
STRATA_HD double incomplete_gamma(double a, double x, bool lower) {
  const double all = lower ? 1 : 0, none = 1 - all;
  if (!(a >= 0 && x >= 0)) return kNaN;
  if (a == 0) return x > 0 ? all : kNaN;
  if (x == 0) return none;
  if (std::isinf(a)) return std::isinf(x) ? kNaN : none;
  if (std::isinf(x)) return all;
  if (a > 200 && std::abs(x - a) < 0.3 * a) return gamma_uniform(a, x, lower);
  if (x > 1.1 && x >= a) {
    const double q = gamma_q_by_fraction(a, x);
    return lower ? 1 - q : q;
  }
  const bool is_mostly_p = x <= 0.5 ? -0.4 / std::log(x) >= a : x * 1.1 >= a;
  if (lower || x > 1.1 || !is_mostly_p) {
    const double p = gamma_p_by_series(a, x);
    return lower ? p : 1 - p;
  }
  return gamma_q_by_series(a, x);
}

// As the ops take them: what they are derived by stands first.
STRATA_HD double gamma_p(double x, double a) { return incomplete_gamma(a, x, true); }
STRATA_HD double gamma_q(double x, double a) { return incomplete_gamma(a, x, false); }

}  // namespace strata::arithmetic::special

namespace strata::arithmetic {
#define STRATA_FORMULA STRATA_HD static
#include "kernels/special_gamma-inl.h"
#undef STRATA_FORMULA
}  // namespace strata::arithmetic
