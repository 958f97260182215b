// Special functions that the C++ library lacks: those that vectors have too, and the zeta family in double (after
// Cephes).
#pragma once
#include <math.h>

#include <numbers>

#include "kernels/arithmetic.h"

namespace strata::arithmetic {
namespace special {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Hurwitz's zeta(s, q) for s > 1 by Euler and Maclaurin's formula; takes max(9, 9 - q) steps.
STRATA_HD double zeta_by_steps(double s, double q) {
  // (2k)! / B_2k
  constexpr double kFactors[] = {12.0,
                                 -720.0,
                                 30240.0,
                                 -1209600.0,
                                 47900160.0,
                                 -1.8924375803183791606e9,
                                 7.47242496e10,
                                 -2.950130727918164224e12,
                                 1.1646782814350067249e14,
                                 -4.5979787224074726105e15,
                                 1.8152105401943546773e17,
                                 -7.1661652561756670113e18};
  double sum = std::pow(q, -s), a = q, term = 0;
  for (int i = 0; i < 9 || a <= 9.0; ++i) {
    a += 1;
    term = std::pow(a, -s);
    sum += term;
    if (std::abs(term) < 1e-17 * std::abs(sum)) return sum;
  }
  sum += term * a / (s - 1) - 0.5 * term;
  double factor = 1, k = 0;
  for (double f : kFactors) {
    factor *= s + k;
    term /= a;
    const double part = factor * term / f;
    sum += part;
    if (std::abs(part / sum) < 1e-17) break;
    factor *= s + k + 1;
    term /= a;
    k += 2;
  }
  return sum;
}

/// log |Gamma(x)|, safe on any thread.
STRATA_HD double lgamma(double x) {
#ifdef __CUDA_ARCH__
  return ::lgamma(x);
#else
  int sign = 0;
  return ::lgamma_r(x, &sign);
#endif
}

/// Hurwitz's zeta(s, q) for s > 1.
STRATA_HD double zeta(double s, double q) {
  if (std::isinf(q)) return q > 0 ? 0 : kNaN;
  if (q > 0 || std::isnan(q)) return zeta_by_steps(s, q);
  if (q == std::floor(q)) return kInf;
  if (s != std::floor(s)) return kNaN;
  if (q > -20) return zeta_by_steps(s, q);
  // The sum over all integers repeats from q to q + 1, so that no step is taken for each.
  const double rest = q - std::floor(q), sign = std::fmod(s, 2) == 0 ? 1 : -1;
  return zeta_by_steps(s, rest) + sign * (zeta_by_steps(s, 1 - rest) - zeta_by_steps(s, 1 - q));
}

/// The same as ops take it, with PyTorch's limits in s.
STRATA_HD double zeta_of(double q, double s) { return s == 1 ? kInf : s < 1 || std::isnan(s) ? kNaN : zeta(s, q); }

/// What Hurwitz's zeta(n + 1, x) is multiplied with in the n-th derivative of digamma, n >= 1.
STRATA_HD double polygamma_scale(double n) { return (std::fmod(n, 2) == 1 ? 1.0 : -1.0) * std::tgamma(n + 1.0); }
STRATA_HD double polygamma_of(double x, double n) { return polygamma_scale(n) * zeta(n + 1.0, x); }

// The C library's, where floats have no vectors.
STRATA_HD double bessel_j0(double x) { return ::j0(x); }
STRATA_HD double bessel_j1(double x) { return ::j1(x); }
/// -inf at 0 and NaN below, as in bessel_y1.
STRATA_HD double bessel_y0(double x) { return x > 0 ? ::y0(x) : x == 0 ? -kInf : kNaN; }
STRATA_HD double bessel_y1(double x) { return x > 0 ? ::y1(x) : x == 0 ? -kInf : kNaN; }

}  // namespace special

namespace math {
template <class T>
inline constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();
}  // namespace math

#define STRATA_FORMULA STRATA_HD static
// A group uses those above it.
#include "kernels/special_formulas-inl.h"

#include "kernels/special_series-inl.h"

#include "kernels/special_bessel-inl.h"
#include "kernels/special_erf-inl.h"
#include "kernels/special_polynomials-inl.h"
#undef STRATA_FORMULA

}  // namespace strata::arithmetic
