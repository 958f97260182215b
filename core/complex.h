// A complex number of two floats or doubles, usable in device code; std::complex converts both ways.
#pragma once
#include <concepts>
#include <type_traits>

namespace strata {

template <class T>
struct Complex;

/// strata::Complex and std::complex of float or double (known by its members, so that its header need not be included).
template <class C>
concept ComplexLike = std::is_floating_point_v<typename C::value_type> && requires(const C& c) {
  { c.real() } -> std::convertible_to<typename C::value_type>;
  { c.imag() } -> std::convertible_to<typename C::value_type>;
};

/// libtorch's c10::complex: the layout of T[2], real part first, aligned as one element.
template <class T>
struct alignas(2 * sizeof(T)) Complex {
  using value_type = T;
  T real_ = 0, imag_ = 0;

  constexpr Complex() = default;
  constexpr Complex(T re, T im = 0) : real_(re), imag_(im) {}
  template <ComplexLike C>
  requires(!std::is_same_v<C, Complex>) constexpr Complex(const C& c)
      : real_(static_cast<T>(c.real())), imag_(static_cast<T>(c.imag())) {}
  template <template <class> class C>
  requires ComplexLike<C<T>> &&(!std::is_same_v<C<T>, Complex<T>>)constexpr operator C<T>() const {
    return {real_, imag_};
  }
  constexpr T real() const { return real_; }
  constexpr T imag() const { return imag_; }
  constexpr void real(T re) { real_ = re; }
  constexpr void imag(T im) { imag_ = im; }

  constexpr Complex operator-() const { return {-real_, -imag_}; }
  constexpr Complex operator+() const { return *this; }
  constexpr Complex& operator+=(const Complex& o) { return *this = *this + o; }
  constexpr Complex& operator-=(const Complex& o) { return *this = *this - o; }
  constexpr Complex& operator*=(const Complex& o) { return *this = *this * o; }
  constexpr Complex& operator/=(const Complex& o) { return *this = *this / o; }

  friend constexpr Complex operator+(const Complex& a, const Complex& b) {
    return {a.real_ + b.real_, a.imag_ + b.imag_};
  }
  friend constexpr Complex operator-(const Complex& a, const Complex& b) {
    return {a.real_ - b.real_, a.imag_ - b.imag_};
  }
  friend constexpr Complex operator*(const Complex& a, const Complex& b) {
    return {a.real_ * b.real_ - a.imag_ * b.imag_, a.real_ * b.imag_ + a.imag_ * b.real_};
  }
  friend constexpr Complex operator/(const Complex& a, const Complex& b) { return divide(a, b); }
  friend constexpr Complex operator+(const Complex& a, T b) { return {a.real_ + b, a.imag_}; }
  friend constexpr Complex operator-(const Complex& a, T b) { return {a.real_ - b, a.imag_}; }
  friend constexpr Complex operator*(const Complex& a, T b) { return {a.real_ * b, a.imag_ * b}; }
  friend constexpr Complex operator/(const Complex& a, T b) { return {a.real_ / b, a.imag_ / b}; }
  friend constexpr Complex operator+(T a, const Complex& b) { return {a + b.real_, b.imag_}; }
  friend constexpr Complex operator-(T a, const Complex& b) { return {a - b.real_, -b.imag_}; }
  friend constexpr Complex operator*(T a, const Complex& b) { return {a * b.real_, a * b.imag_}; }
  friend constexpr Complex operator/(T a, const Complex& b) { return divide(Complex(a), b); }
  friend constexpr bool operator==(const Complex& a, const Complex& b) {
    return a.real_ == b.real_ && a.imag_ == b.imag_;
  }

 private:
  /// Smith's way, as NumPy and PyTorch: scaled by the larger part of the divisor, so that nothing overflows on the way.
  static constexpr Complex divide(const Complex& a, const Complex& b) {
    const T re = b.real_ < 0 ? -b.real_ : b.real_, im = b.imag_ < 0 ? -b.imag_ : b.imag_;
    if (re == 0 && im == 0) return {a.real_ / re, a.imag_ / re};
    if (re >= im) {
      const T ratio = b.imag_ / b.real_, scale = 1 / (b.real_ + b.imag_ * ratio);
      return {(a.real_ + a.imag_ * ratio) * scale, (a.imag_ - a.real_ * ratio) * scale};
    }
    const T ratio = b.real_ / b.imag_, scale = 1 / (b.real_ * ratio + b.imag_);
    return {(a.real_ * ratio + a.imag_) * scale, (a.imag_ * ratio - a.real_) * scale};
  }
};

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<Complex<T>> = true;

/// The conjugate; a real number's is itself.
template <class T>
constexpr Complex<T> conj(const Complex<T>& z) {
  return {z.real(), -z.imag()};
}

}  // namespace strata
