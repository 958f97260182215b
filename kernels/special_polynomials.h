// Orthogonal polynomials of degree n at x, in double, by their recurrences; 0 for n < 0, and n without its fraction.
#pragma once
#include "kernels/arithmetic_special.h"

namespace strata::arithmetic::special {

/// Steps of a recurrence that a kernel takes at most: more would seem to hang.
inline constexpr double kHighestDegree = 1e6;

/// p_n of p_0 = 1, p_1 = `first` and p_{k + 1} = next(k, p_k, p_{k - 1}); NaN for n above the highest degree.
template <class F>
STRATA_HD double recurrent(double n, double first, F next) {
  n = std::trunc(n);
  if (!(n >= 1)) return n == 0 ? 1 : std::isnan(n) ? n : 0;
  if (n > kHighestDegree) return kNaN;
  double before = 1, p = first;
  for (double k = 1; k < n && !std::isnan(p); ++k) {
    const double after = next(k, p, before);
    before = p;
    p = after;
  }
  return p;
}
STRATA_HD double sign_of_power(double n) { return std::fmod(std::trunc(n), 2) == 0 ? 1 : -1; }
/// Chebyshev's ones share a recurrence.
STRATA_HD double chebyshev(double x, double n, double first) {
  return recurrent(n, first, [x](double, double p, double before) { return 2 * x * p - before; });
}

STRATA_HD double chebyshev_t(double x, double n) {
  if (n >= 0 && std::abs(x) == 1) return x > 0 ? 1 : sign_of_power(n);
  if (n > 6 && std::abs(x) < 1) return std::cos(std::trunc(n) * std::acos(x));
  return chebyshev(x, n, x);
}
STRATA_HD double chebyshev_u(double x, double n) {
  const double whole = std::trunc(n);
  if (n >= 0 && std::abs(x) == 1) return x > 0 ? whole + 1 : sign_of_power(n) * (whole + 1);
  if (n > 8 && std::abs(x) < 1) return std::sin((whole + 1) * std::acos(x)) / std::sin(std::acos(x));
  return chebyshev(x, n, 2 * x);
}
STRATA_HD double chebyshev_v(double x, double n) {
  const double whole = std::trunc(n);
  if (n >= 0 && std::abs(x) == 1) return x > 0 ? 1 : sign_of_power(n) * (2 * whole + 1);
  if (n > 8 && std::abs(x) < 1) return std::cos((whole + 0.5) * std::acos(x)) / std::cos(std::acos(x) / 2);
  return chebyshev(x, n, 2 * x - 1);
}
STRATA_HD double chebyshev_w(double x, double n) {
  const double whole = std::trunc(n);
  if (n >= 0 && std::abs(x) == 1) return x > 0 ? 2 * whole + 1 : sign_of_power(n);
  if (n > 8 && std::abs(x) < 1) return std::sin((whole + 0.5) * std::acos(x)) / std::sin(std::acos(x) / 2);
  return chebyshev(x, n, 2 * x + 1);
}
STRATA_HD double shifted_chebyshev_t(double x, double n) { return chebyshev_t(2 * x - 1, n); }
STRATA_HD double shifted_chebyshev_u(double x, double n) { return chebyshev_u(2 * x - 1, n); }
STRATA_HD double shifted_chebyshev_v(double x, double n) { return chebyshev_v(2 * x - 1, n); }
STRATA_HD double shifted_chebyshev_w(double x, double n) { return chebyshev_w(2 * x - 1, n); }

/// The physicists' ones.
STRATA_HD double hermite_h(double x, double n) {
  return recurrent(n, 2 * x, [x](double k, double p, double before) { return 2 * (x * p - k * before); });
}
/// The probabilists' ones.
STRATA_HD double hermite_he(double x, double n) {
  return recurrent(n, x, [x](double k, double p, double before) { return x * p - k * before; });
}
STRATA_HD double laguerre_l(double x, double n) {
  return recurrent(n, 1 - x,
                   [x](double k, double p, double before) { return ((2 * k + 1 - x) * p - k * before) / (k + 1); });
}
STRATA_HD double legendre_p(double x, double n) {
  return recurrent(n, x,
                   [x](double k, double p, double before) { return ((2 * k + 1) * x * p - k * before) / (k + 1); });
}

}  // namespace strata::arithmetic::special
