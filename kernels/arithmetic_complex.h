// The mathematical functions of complex numbers, which stand beside those of real numbers under the same names.
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/complex.h"
#include "kernels/host_device.h"

/// The functions of <cmath>, and the same of complex numbers.
namespace strata::arithmetic::math {

// Note [Complex mathematics]
// Branch cuts, signs of zeros and results for infinities and NaN are those of C (ISO C Annex G), and so std::complex's.
// Nothing overflows on the way to a finite result. Parts are right to a few units in the last place of the larger one,
// mostly of their own. Products are not those of Annex G: as in PyTorch and NumPy an infinity times something may be
// NaN.

using std::abs, std::fma, std::erf, std::erfc, std::atan2;
using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh, std::asinh,
    std::acosh, std::atanh;
using std::sqrt, std::exp, std::exp2, std::expm1, std::log, std::log2, std::log10, std::log1p, std::pow;

template <class T>
inline constexpr T kInf = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T kEpsilon = std::numeric_limits<T>::epsilon();
template <class T>
inline constexpr T kLn2 = T(0.69314718055994530942);

template <class T>
requires std::is_floating_point_v<T> STRATA_HD bool is_nan(T x) { return x != x; }
template <class T>
requires std::is_floating_point_v<T> STRATA_HD bool is_inf(T x) { return std::abs(x) == kInf<T>; }
template <class T>
requires std::is_floating_point_v<T> STRATA_HD bool is_finite(T x) { return std::abs(x) < kInf<T>; }
template <class T>
STRATA_HD bool is_nan(const Complex<T>& z) {
  return is_nan(z.real()) || is_nan(z.imag());
}
template <class T>
STRATA_HD bool is_inf(const Complex<T>& z) {
  return is_inf(z.real()) || is_inf(z.imag());
}
template <class T>
STRATA_HD bool is_finite(const Complex<T>& z) {
  return is_finite(z.real()) && is_finite(z.imag());
}

template <class T>
STRATA_HD T abs(const Complex<T>& z) {
  return std::hypot(z.real(), z.imag());
}
template <class T>
STRATA_HD T arg(const Complex<T>& z) {
  return std::atan2(z.imag(), z.real());
}
/// Real and imaginary part change places: the mirror image at the diagonal.
template <class T>
STRATA_HD Complex<T> mirrored(const Complex<T>& z) {
  return {z.imag(), z.real()};
}

// --- roots ----------------------------------------------------------------------------------------------------------

namespace detail {
/// Of finite numbers, not both 0. The part that is a sum of two positive numbers gives the other by a division.
template <class T>
STRATA_HD Complex<T> root(T x, T y) {
  const T size = std::sqrt((std::abs(x) + std::hypot(x, y)) * T(0.5)), other = y / (2 * size);
  return x >= 0 ? Complex<T>(size, other) : Complex<T>(std::abs(other), std::copysign(size, y));
}
}  // namespace detail

template <class T>
STRATA_HD Complex<T> sqrt(const Complex<T>& z) {
  using Limits = std::numeric_limits<T>;
  const T x = z.real(), y = z.imag(), most = std::abs(x) > std::abs(y) ? std::abs(x) : std::abs(y);
  if (is_inf(y)) return {kInf<T>, y};
  if (is_nan(x)) return {x, x};
  if (is_inf(x))
    return x > 0 ? Complex<T>(x, std::copysign(y - y, y)) : Complex<T>(std::abs(y - y), std::copysign(x, y));
  if (most == 0) return {0, y};
  if (most > Limits::max() / 4) return detail::root(x / 4, y / 4) * T(2);
  constexpr T kUp = 1 / kEpsilon<T>;
  if (most < Limits::min() * kUp) return detail::root(x * kUp * kUp, y * kUp * kUp) * kEpsilon<T>;
  return detail::root(x, y);
}

// --- exponentials ---------------------------------------------------------------------------------------------------

namespace detail {
/// Where exp(x) is near the largest number, and exp there.
template <class T>
inline constexpr T kHighStep = sizeof(T) == 8 ? T(700) : T(88);
template <class T>
inline constexpr T kExpOfStep = sizeof(T) == 8 ? T(1.0142320547350045e304) : T(1.6516362549940018e38);

/// exp(x) * z, where exp(x) alone may be too large.
template <class T>
STRATA_HD Complex<T> exp_times(T x, Complex<T> z) {
  for (int i = 0; i < 2 && x > kHighStep<T>; ++i) {
    z = z * kExpOfStep<T>;
    x -= kHighStep<T>;
  }
  return z * std::exp(x);
}
/// cosh(x) * a + i sinh(x) * b
template <class T>
STRATA_HD Complex<T> hyperbolic(T x, T a, T b) {
  if (std::abs(x) <= kHighStep<T>) return {std::cosh(x) * a, std::sinh(x) * b};
  constexpr T kHalf = kExpOfStep<T> / 2;  // half of a denormal number alone may be 0
  const Complex<T> large = exp_times(std::abs(x) - kHighStep<T>, Complex<T>(a * kHalf, b * kHalf));
  return {large.real(), std::copysign(T(1), x) * large.imag()};
}
}  // namespace detail

template <class T>
STRATA_HD Complex<T> exp(const Complex<T>& z) {
  const T x = z.real(), y = z.imag();
  if (y == 0) return {std::exp(x), y};
  if (is_inf(x) && !is_finite(y)) return x > 0 ? Complex<T>(x, y - y) : Complex<T>(0, std::copysign(T(0), y));
  return detail::exp_times(x, Complex<T>(std::cos(y), std::sin(y)));
}
template <class T>
STRATA_HD Complex<T> exp2(const Complex<T>& z) {
  return exp(z * kLn2<T>);
}
/// expm1(x) cos(y) - 2 sin(y / 2)^2 + i exp(x) sin(y)
template <class T>
STRATA_HD Complex<T> expm1(const Complex<T>& z) {
  const T x = z.real(), y = z.imag(), half = std::sin(y / 2);
  if (y == 0) return {std::expm1(x), y};
  return {std::expm1(x) * std::cos(y) - 2 * half * half, std::exp(x) * std::sin(y)};
}
template <class T>
STRATA_HD Complex<T> sinh(const Complex<T>& z) {
  const T x = z.real(), y = z.imag();
  if (y == 0) return {std::sinh(x), y};
  if (!is_finite(y)) return {x == 0 || is_inf(x) ? x : y - y, y - y};
  return mirrored(detail::hyperbolic(x, std::sin(y), std::cos(y)));
}
template <class T>
STRATA_HD Complex<T> cosh(const Complex<T>& z) {
  const T x = z.real(), y = z.imag();
  if (y == 0) return {std::cosh(x), std::copysign(T(1), x) * y};
  if (!is_finite(y)) return {is_inf(x) ? kInf<T> : y - y, x == 0 ? x : y - y};
  return detail::hyperbolic(x, std::cos(y), std::sin(y));
}
/// Kahan, "Branch cuts for complex elementary functions", 1987.
template <class T>
STRATA_HD Complex<T> tanh(const Complex<T>& z) {
  constexpr T kOne = sizeof(T) == 8 ? T(22) : T(11);  // tanh rounds to 1 from here on
  const T x = z.real(), y = z.imag();
  if (is_nan(x)) return {x, y == 0 ? y : x};
  if (is_inf(x)) return {std::copysign(T(1), x), std::copysign(T(0), is_finite(y) ? std::sin(y) * std::cos(y) : y)};
  if (!is_finite(y)) return {x == 0 ? x : y - y, y - y};
  if (std::abs(x) >= kOne) {
    const T e = std::exp(-std::abs(x));
    return {std::copysign(T(1), x), 4 * std::sin(y) * std::cos(y) * e * e};
  }
  const T t = std::tan(y), beta = 1 + t * t, s = std::sinh(x), rho = std::sqrt(1 + s * s), all = 1 + beta * s * s;
  return {beta * rho * s / all, t / all};
}
// f(i z) = i g(z) for these.
template <class T>
STRATA_HD Complex<T> sin(const Complex<T>& z) {
  const Complex<T> w = sinh(Complex<T>(-z.imag(), z.real()));
  return {w.imag(), -w.real()};
}
template <class T>
STRATA_HD Complex<T> cos(const Complex<T>& z) {
  return cosh(Complex<T>(-z.imag(), z.real()));
}
template <class T>
STRATA_HD Complex<T> tan(const Complex<T>& z) {
  const Complex<T> w = tanh(Complex<T>(-z.imag(), z.real()));
  return {w.imag(), -w.real()};
}

// --- logarithms -----------------------------------------------------------------------------------------------------

namespace detail {
/// a^2 + b^2 - 1 for a >= b with all bits, where the sum is near 1.
template <class T>
STRATA_HD T norm_minus_one(T a, T b) {
  const T p = a * a, q = b * b;
  const T near = p >= T(0.5) ? (p - 1) + q : (p - T(0.5)) + (q - T(0.5));
  return (near + std::fma(a, a, -p)) + std::fma(b, b, -q);
}
/// log(|x + iy|)
template <class T>
STRATA_HD T log_size(T x, T y) {
  using Limits = std::numeric_limits<T>;
  const T a = std::abs(x) > std::abs(y) ? std::abs(x) : std::abs(y), b = a == std::abs(x) ? std::abs(y) : std::abs(x);
  const T norm = a * a + b * b;
  if (norm > T(0.5) && norm < 2) return std::log1p(norm_minus_one(a, b)) / 2;
  if (a > Limits::max() / 2 && a < kInf<T>) return std::log(std::hypot(a / 2, b / 2)) + kLn2<T>;
  constexpr T kUp = 1 / kEpsilon<T>;
  if (a < Limits::min() * kUp) return std::log(std::hypot(x * kUp, y * kUp)) - (Limits::digits - 1) * kLn2<T>;
  return std::log(std::hypot(x, y));
}
}  // namespace detail

template <class T>
STRATA_HD Complex<T> log(const Complex<T>& z) {
  return {detail::log_size(z.real(), z.imag()), arg(z)};
}
template <class T>
STRATA_HD Complex<T> log2(const Complex<T>& z) {
  return log(z) * T(1.44269504088896340736);
}
template <class T>
STRATA_HD Complex<T> log10(const Complex<T>& z) {
  return log(z) * T(0.43429448190325182765);
}
template <class T>
STRATA_HD Complex<T> log1p(const Complex<T>& z) {
  const T x = z.real(), y = z.imag(), angle = std::atan2(y, x + 1);
  if (!(abs(z) < T(0.5))) return {detail::log_size(x + 1, y), angle};
  const T norm = std::fma(y, y, x * (2 + x));  // |1 + z|^2 - 1
  return {norm == 0 ? x : std::log1p(norm) / 2, angle};
}
/// exp(w log(z)); 0 to the power 0 is 1, and to one with a positive real part 0.
template <class T>
STRATA_HD Complex<T> pow(const Complex<T>& z, const Complex<T>& w) {
  if (w == Complex<T>()) return {1, 0};
  if (z == Complex<T>() && w.real() > 0) return {0, 0};
  return exp(w * log(z));
}

// --- inverse functions ----------------------------------------------------------------------------------------------

namespace detail {
/// Beyond this 1 is nothing.
template <class T>
STRATA_HD bool is_large(const Complex<T>& z) {
  constexpr T kLarge = 1 / kEpsilon<T>;
  return std::abs(z.real()) > kLarge || std::abs(z.imag()) > kLarge;
}
/// The roots of 1 - z and 1 + z, which keep the sign of a zero imaginary part. Kahan's formulas are made of them.
template <class T>
struct Roots {
  Complex<T> below, above;
  STRATA_HD explicit Roots(const Complex<T>& z)
      : below(sqrt(Complex<T>(1 - z.real(), -z.imag()))), above(sqrt(Complex<T>(1 + z.real(), z.imag()))) {}
  /// Im(conj(below) * above)
  STRATA_HD T crossed() const { return below.real() * above.imag() - below.imag() * above.real(); }
};
template <class T>
STRATA_HD Complex<T> asin_of_nan(T x, T y) {
  if (is_inf(y)) return {x, y};
  if (is_inf(x)) return {y, x};
  return x == 0 ? Complex<T>(x, y) : Complex<T>(x + y, x + y);
}
template <class T>
STRATA_HD Complex<T> acos_of_nan(T x, T y) {
  if (is_inf(x)) return {y, -kInf<T>};
  if (is_inf(y)) return {x, -y};
  return x == 0 ? Complex<T>(T(1.57079632679489661923), y) : Complex<T>(x + y, x + y);
}
}  // namespace detail

template <class T>
STRATA_HD Complex<T> asin(const Complex<T>& z) {
  const T x = z.real(), y = z.imag();
  if (is_nan(z)) return detail::asin_of_nan(x, y);
  if (detail::is_large(z)) return {std::atan2(x, std::abs(y)), std::copysign(detail::log_size(x, y) + kLn2<T>, y)};
  const detail::Roots<T> r(z);
  return {std::atan2(x, (r.below * r.above).real()), std::asinh(r.crossed())};
}
template <class T>
STRATA_HD Complex<T> acos(const Complex<T>& z) {
  const T x = z.real(), y = z.imag();
  if (is_nan(z)) return detail::acos_of_nan(x, y);
  if (detail::is_large(z)) return {std::atan2(std::abs(y), x), -std::copysign(detail::log_size(x, y) + kLn2<T>, y)};
  const detail::Roots<T> r(z);
  return {2 * std::atan2(r.below.real(), r.above.real()), -std::asinh(r.crossed())};
}
template <class T>
STRATA_HD Complex<T> asinh(const Complex<T>& z) {
  return mirrored(asin(mirrored(z)));
}
template <class T>
STRATA_HD Complex<T> acosh(const Complex<T>& z) {
  const Complex<T> w = acos(z);
  return {std::abs(w.imag()), std::copysign(w.real(), z.imag())};
}

namespace detail {
/// The real part of 1 / z for large z.
template <class T>
STRATA_HD T real_of_reciprocal(T x, T y) {
  if (is_inf(x) || is_inf(y)) return std::copysign(T(0), x);
  const T ratio = std::abs(x) >= std::abs(y) ? y / x : x / y, most = std::abs(x) >= std::abs(y) ? 1 / x : ratio / y;
  return most / (1 + ratio * ratio);
}
template <class T>
STRATA_HD Complex<T> atanh_of_nan(T x, T y) {
  if (is_inf(x)) return {std::copysign(T(0), x), y};
  if (is_inf(y)) return {std::copysign(T(0), x), std::copysign(T(1.57079632679489661923), y)};
  return {x == 0 ? x : x + y, x + y};
}
}  // namespace detail

/// log1p(4x / ((1 - x)^2 + y^2)) / 4 + i atan2(2y, (1 - x)(1 + x) - y^2) / 2
template <class T>
STRATA_HD Complex<T> atanh(const Complex<T>& z) {
  const T x = z.real(), y = z.imag(), a = std::abs(x), b = std::abs(y);
  if (b == 0 && a <= 1) return {std::atanh(x), y};
  if (is_nan(z)) return detail::atanh_of_nan(x, y);
  if (detail::is_large(z)) return {detail::real_of_reciprocal(x, y), std::copysign(T(1.57079632679489661923), y)};
  const T square = b < std::sqrt(std::numeric_limits<T>::min()) ? T(0) : b * b, distance = 1 - a;
  const T re =
      a == 1 && b < kEpsilon<T> ? (kLn2<T> - std::log(b)) / 2 : std::log1p(4 * a / (distance * distance + square)) / 4;
  const T im = (a == 1 ? std::atan2(T(2), -b) : std::atan2(2 * b, distance * (1 + a) - square)) / 2;
  return {std::copysign(re, x), std::copysign(im, y)};
}
template <class T>
STRATA_HD Complex<T> atan(const Complex<T>& z) {
  return mirrored(atanh(mirrored(z)));
}

}  // namespace strata::arithmetic::math
