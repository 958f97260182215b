// Special functions that the C++ library lacks, in double: series and recurrences of the gamma family (after Cephes)
// and the inverse of erf (Giles' start, Newton's steps).
#pragma once
#include <math.h>

#include <numbers>

#include "kernels/arithmetic.h"

namespace strata::arithmetic {
namespace special {

inline constexpr double kPi = std::numbers::pi;
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

/// Derivative of lgamma; PyTorch's limits: NaN at negative integers, -inf at +0, +inf at -0.
STRATA_HD double digamma(double x) {
  if (x == 0) return std::copysign(kInf, -x);
  double reflected = 0;
  if (x < 0) {
    if (x == std::floor(x)) return kNaN;
    double whole = 0;
    const double rest = std::modf(x, &whole);
    reflected = -kPi / std::tan(kPi * rest);
    x = 1 - x;
  }
  double sum = reflected;
  for (; x < 10; ++x) sum -= 1 / x;
  if (x == kInf) return sum + x;
  const double z = 1 / (x * x);
  const double series =
      z * (1.0 / 12 - z * (1.0 / 120 -
                           z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z * (1.0 / 12)))))));
  return sum + std::log(x) - 0.5 / x - series;
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

/// n-th derivative of digamma, n >= 1, by Hurwitz's zeta.
STRATA_HD double polygamma(int n, double x) {
  const double sign = n % 2 ? 1.0 : -1.0;
  return sign * std::tgamma(n + 1.0) * zeta(n + 1.0, x);
}

/// Inverse of erf; infinite at -1 and 1, NaN beyond.
STRATA_HD double erfinv(double x) {
  if (std::isnan(x) || std::abs(x) > 1) return kNaN;
  if (std::abs(x) == 1) return std::copysign(kInf, x);
  if (x == 0) return x;
  // 1 - x^2 without cancellation; Giles 2010, table 5.
  double w = -std::log((1 - x) * (1 + x)), p = 0;
  constexpr double kCentral[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                 -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
  constexpr double kTail[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                              -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
  const bool central = w < 5;
  w = central ? w - 2.5 : std::sqrt(w) - 3;
  for (int i = 0; i < 9; ++i) p = p * w + (central ? kCentral[i] : kTail[i]);
  double y = p * x;
  for (int step = 0; step < 2; ++step) {  // on erfc where erf has lost its digits
    const double tail = (1 - std::abs(x)) - std::erfc(std::abs(y));
    const double error = std::abs(x) < 0.5 ? std::erf(y) - x : std::copysign(1.0, x) * tail;
    const double newton = error * std::sqrt(kPi) / 2 * std::exp(y * y);
    y -= newton / (1 + y * newton);
  }
  return y;
}

}  // namespace special

/// Functions of so many instructions that their copies for several elements at once do harm.
struct Long {
  static constexpr bool kLong = true;
};
struct Lgamma : Long {
  template <class T>
  STRATA_HD static T run(T x) {
    return static_cast<T>(special::lgamma(x));
  }
};
struct Digamma : Long {
  template <class T>
  STRATA_HD static T run(T x) {
    return static_cast<T>(special::digamma(x));
  }
};
struct Erfinv : Long {
  template <class T>
  STRATA_HD static T run(T x) {
    return static_cast<T>(special::erfinv(x));
  }
};
struct Polygamma : Long {
  template <class T>
  STRATA_HD static T run(T x, int n) {
    return static_cast<T>(special::polygamma(n, x));
  }
};

}  // namespace strata::arithmetic
