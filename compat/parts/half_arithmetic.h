// Arithmetic of the 16-bit and 8-bit floating point types as c10's: among themselves and with integers it gives their
// own type, with float and double the wider one (c10/util/Half-inl.h). Strata's own kernels compute in float and round
// once.
#pragma once
#include <strata/strata.h>

#include <concepts>
#include <limits>
#include <ostream>
#include <type_traits>

namespace strata {
namespace compat {
template <class T>
concept Half16 = std::same_as<T, Half> || std::same_as<T, BFloat16>;
template <class T>
concept Reduced = Half16<T> || Float8Like<T>;
}  // namespace compat

/// Prints as the float that it is.
template <compat::Reduced T>
std::ostream& operator<<(std::ostream& out, T value) {
  return out << static_cast<float>(value);
}

template <compat::Reduced T>
constexpr T operator+(T a, T b) {
  return static_cast<float>(a) + static_cast<float>(b);
}
template <compat::Reduced T>
constexpr T operator-(T a, T b) {
  return static_cast<float>(a) - static_cast<float>(b);
}
template <compat::Reduced T>
constexpr T operator*(T a, T b) {
  return static_cast<float>(a) * static_cast<float>(b);
}
template <compat::Reduced T>
constexpr T operator/(T a, T b) {
  return static_cast<float>(a) / static_cast<float>(b);
}
template <compat::Reduced T>
constexpr T operator-(T a) {
  return -static_cast<float>(a);
}

template <compat::Reduced T, std::integral I>
constexpr T operator+(T a, I b) {
  return a + static_cast<T>(static_cast<float>(b));
}
template <compat::Reduced T, std::integral I>
constexpr T operator+(I a, T b) {
  return static_cast<T>(static_cast<float>(a)) + b;
}
template <compat::Reduced T, std::integral I>
constexpr T operator-(T a, I b) {
  return a - static_cast<T>(static_cast<float>(b));
}
template <compat::Reduced T, std::integral I>
constexpr T operator-(I a, T b) {
  return static_cast<T>(static_cast<float>(a)) - b;
}
template <compat::Reduced T, std::integral I>
constexpr T operator*(T a, I b) {
  return a * static_cast<T>(static_cast<float>(b));
}
template <compat::Reduced T, std::integral I>
constexpr T operator*(I a, T b) {
  return static_cast<T>(static_cast<float>(a)) * b;
}
template <compat::Reduced T, std::integral I>
constexpr T operator/(T a, I b) {
  return a / static_cast<T>(static_cast<float>(b));
}
template <compat::Reduced T, std::integral I>
constexpr T operator/(I a, T b) {
  return static_cast<T>(static_cast<float>(a)) / b;
}

template <compat::Reduced T>
constexpr T& operator+=(T& a, std::type_identity_t<T> b) {
  return a = a + b;
}
template <compat::Reduced T>
constexpr T& operator-=(T& a, std::type_identity_t<T> b) {
  return a = a - b;
}
template <compat::Reduced T>
constexpr T& operator*=(T& a, std::type_identity_t<T> b) {
  return a = a * b;
}
template <compat::Reduced T>
constexpr T& operator/=(T& a, std::type_identity_t<T> b) {
  return a = a / b;
}
/// A float that takes up a reduced one stays a float.
template <compat::Reduced T>
constexpr float& operator+=(float& a, T b) {
  return a += static_cast<float>(b);
}
template <compat::Reduced T>
constexpr float& operator-=(float& a, T b) {
  return a -= static_cast<float>(b);
}

}  // namespace strata

/// What the standard library tells of its own numbers. BFloat16 has float's exponents; what is not said here is as of
/// float for both.
template <strata::compat::Half16 T>
struct std::numeric_limits<T> : std::numeric_limits<float> {
 private:
  static constexpr bool kIsHalf = std::is_same_v<T, strata::Half>;
  using Float = std::numeric_limits<float>;

 public:
  static constexpr int digits = kIsHalf ? 11 : 8, digits10 = kIsHalf ? 3 : 2, max_digits10 = kIsHalf ? 5 : 4;
  static constexpr int min_exponent = kIsHalf ? -13 : Float::min_exponent,
                       min_exponent10 = kIsHalf ? -4 : Float::min_exponent10;
  static constexpr int max_exponent = kIsHalf ? 16 : Float::max_exponent,
                       max_exponent10 = kIsHalf ? 4 : Float::max_exponent10;
  static constexpr T min() { return T::from_bits(digits == 11 ? 0x0400 : 0x0080); }
  static constexpr T lowest() { return T::from_bits(digits == 11 ? 0xfbff : 0xff7f); }
  static constexpr T max() { return T::from_bits(digits == 11 ? 0x7bff : 0x7f7f); }
  static constexpr T epsilon() { return T::from_bits(digits == 11 ? 0x1400 : 0x3c00); }
  static constexpr T denorm_min() { return T::from_bits(1); }
  static constexpr T infinity() { return T::from_bits(digits == 11 ? 0x7c00 : 0x7f80); }
  static constexpr T round_error() { return T::from_bits(digits == 11 ? 0x3800 : 0x3f00); }
  static constexpr T quiet_NaN() { return T::from_bits(digits == 11 ? 0x7e00 : 0x7fc0); }
  static constexpr T signaling_NaN() { return T::from_bits(digits == 11 ? 0x7d00 : 0x7f80 + 0x20); }
};
