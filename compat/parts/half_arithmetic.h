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

/// What the standard library tells of its own numbers.
template <strata::compat::Half16 T>
struct std::numeric_limits<T> {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true, is_iec559 = true,
                        is_bounded = true;
  static constexpr int radix = 2, digits = std::is_same_v<T, strata::Half> ? 11 : 8;
  static constexpr T min() { return T::from_bits(digits == 11 ? 0x0400 : 0x0080); }
  static constexpr T lowest() { return T::from_bits(digits == 11 ? 0xfbff : 0xff7f); }
  static constexpr T max() { return T::from_bits(digits == 11 ? 0x7bff : 0x7f7f); }
  static constexpr T epsilon() { return T::from_bits(digits == 11 ? 0x1400 : 0x3c00); }
  static constexpr T denorm_min() { return T::from_bits(1); }
  static constexpr T infinity() { return T::from_bits(digits == 11 ? 0x7c00 : 0x7f80); }
  static constexpr T quiet_NaN() { return T::from_bits(digits == 11 ? 0x7e00 : 0x7fc0); }
  static constexpr T signaling_NaN() { return T::from_bits(digits == 11 ? 0x7d00 : 0x7f80 + 0x20); }
};
