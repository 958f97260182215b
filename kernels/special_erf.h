// Relatives of the error function in double.
#pragma once
#include "kernels/arithmetic_special.h"
#include "kernels/special_series.h"

namespace strata::arithmetic::special {

/// exp(x^2) erfc(x).
STRATA_HD double erfcx(double x) {
  constexpr double kInvRootPi = 0.56418958354775628695;
  const double size = std::abs(x);
  // The series' argument is one of infinity there.
  const double tail = size > 1e9 ? kInvRootPi / size : series::erfcx((size - 3.75) / (size + 3.75)) / (1 + 2 * size);
  if (!(x < 0)) return tail;
  // The square with what its rounding lost.
  const double square = x * x;
  if (square > 710) return kInf;
  return 2 * std::exp(square) * (1 + std::fma(x, x, -square)) - tail;
}

/// The logarithm of the share of the standard normal distribution below x.
STRATA_HD double log_ndtr(double x) {
  const double t = x * 0.70710678118654752440;
  return x < -1 ? std::log(erfcx(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
}

/// a[0] + a[1] x + ...
template <int n>
STRATA_HD double polynomial(const double (&a)[n], double x) {
  double sum = a[n - 1];
  for (int i = n - 2; i >= 0; --i) sum = sum * x + a[i];
  return sum;
}

/// What of the standard normal distribution lies p below: Wichura's algorithm AS 241 (1988), PPND16. Infinite at 0 and
/// 1, NaN outside.
STRATA_HD double ndtri(double p) {
  constexpr double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                          1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                          3.3430575583588128105e+4, 2.5090809287301226727e+3};
  constexpr double b[] = {1,
                          4.2313330701600911252e+1,
                          6.8718700749205790830e+2,
                          5.3941960214247511077e+3,
                          2.1213794301586595867e+4,
                          3.9307895800092710610e+4,
                          2.8729085735721942674e+4,
                          5.2264952788528545610e+3};
  constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                          3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                          2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double d[] = {1,
                          2.05319162663775882187e0,
                          1.67638483018380384940e0,
                          6.89767334985100004550e-1,
                          1.48103976427480074590e-1,
                          1.51986665636164571966e-2,
                          5.47593808499534494600e-4,
                          1.05075007164441684324e-9};
  constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                          2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                          2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr double f[] = {1,
                          5.99832206555887937690e-1,
                          1.36929880922735805310e-1,
                          1.48753612908506148525e-2,
                          7.86869131145613259100e-4,
                          1.84631831751005468180e-5,
                          1.42151175831644588870e-7,
                          2.04426310338993978564e-15};
  if (!(p >= 0 && p <= 1)) return kNaN;
  if (p == 0 || p == 1) return p == 0 ? -kInf : kInf;
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  const double size =
      r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5) / polynomial(f, r - 5);
  return std::copysign(size, q);
}

}  // namespace strata::arithmetic::special
