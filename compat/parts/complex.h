// The functions of std on complex numbers, for c10::complex too, where libtorch's programs look for them.
#pragma once
#include <strata/core/complex.h>

#include <cmath>
#include <complex>

namespace strata {
/// The number of this length and angle.
template <class T>
Complex<T> polar(T length, T angle = T()) {
  return std::polar(length, angle);
}
}  // namespace strata

namespace std {
template <class T>
constexpr T real(const strata::Complex<T>& z) {
  return z.real();
}
template <class T>
constexpr T imag(const strata::Complex<T>& z) {
  return z.imag();
}
template <class T>
constexpr strata::Complex<T> conj(const strata::Complex<T>& z) {
  return strata::conj(z);
}
template <class T>
constexpr T norm(const strata::Complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
T abs(const strata::Complex<T>& z) {
  return hypot(z.real(), z.imag());
}
template <class T>
T arg(const strata::Complex<T>& z) {
  return atan2(z.imag(), z.real());
}
}  // namespace std

namespace strata {
/// Those of one complex number that give another, by std::complex; `std::exp(z)` and its kin stand below.
namespace compat {
template <class T, class F>
Complex<T> through_std(const Complex<T>& z, F f) {
  return f(std::complex<T>(z.real(), z.imag()));
}
}  // namespace compat
}  // namespace strata

#define STRATA_COMPAT_COMPLEX(function)                                                          \
  template <class T>                                                                             \
  strata::Complex<T> function(const strata::Complex<T>& z) {                                     \
    return strata::compat::through_std(z, [](const complex<T>& w) { return std::function(w); }); \
  }
namespace std {
STRATA_COMPAT_COMPLEX(exp)
STRATA_COMPAT_COMPLEX(log)
STRATA_COMPAT_COMPLEX(log10)
STRATA_COMPAT_COMPLEX(sqrt)
STRATA_COMPAT_COMPLEX(sin)
STRATA_COMPAT_COMPLEX(cos)
STRATA_COMPAT_COMPLEX(tan)
STRATA_COMPAT_COMPLEX(asin)
STRATA_COMPAT_COMPLEX(acos)
STRATA_COMPAT_COMPLEX(atan)
STRATA_COMPAT_COMPLEX(sinh)
STRATA_COMPAT_COMPLEX(cosh)
STRATA_COMPAT_COMPLEX(tanh)
template <class T>
strata::Complex<T> pow(const strata::Complex<T>& z, const strata::Complex<T>& exponent) {
  return pow(complex<T>(z.real(), z.imag()), complex<T>(exponent.real(), exponent.imag()));
}
template <class T>
strata::Complex<T> pow(const strata::Complex<T>& z, T exponent) {
  return pow(complex<T>(z.real(), z.imag()), exponent);
}
}  // namespace std
#undef STRATA_COMPAT_COMPLEX
