// What 8-bit floating point storage types are made of; dtype.h names them. Arithmetic is done in float.
#pragma once
#include <bit>
#include <cstdint>

namespace strata {

namespace detail {

/// What the codes at the end of the range stand for.
enum class Float8Codes {
  kFinite,       ///< two NaNs, no infinities: what is too large becomes the largest finite number ("fn")
  kIeee,         ///< infinities and NaNs as in IEEE 754
  kUnsignedZero  ///< the code of -0 is the only NaN, which is also what too large numbers become ("fnuz")
};

/// A sign, an exponent with this bias, and so many bits of fraction, with subnormal numbers.
template <int kFraction, int kBias, Float8Codes kCodes>
struct Float8 {
  uint8_t bits = 0;
  constexpr Float8() = default;
  /// To the nearest, ties to even.
  constexpr Float8(float f) : bits(encoded(f)) {}
  constexpr operator float() const { return decoded(bits); }
  static constexpr Float8 from_bits(uint8_t b) {
    Float8 f;
    f.bits = b;
    return f;
  }

 private:
  using enum Float8Codes;
  static constexpr uint32_t kFloatNan = 0x7fc00000u;

  static constexpr uint8_t nan(uint32_t sign) {
    return static_cast<uint8_t>(kCodes == kUnsignedZero ? 0x80u : sign | 0x7fu);
  }
  static constexpr uint8_t overflow(uint32_t sign) {
    if (kCodes == kUnsignedZero) return 0x80u;
    return static_cast<uint8_t>(sign | (kCodes == kFinite ? 0x7eu : 0x7cu));
  }
  static constexpr uint8_t encoded(float f) {
    constexpr uint32_t kLargest = kCodes == kFinite ? 0x7e : kCodes == kIeee ? 0x7b : 0x7f;
    constexpr uint32_t kLeastNormal = (128u - kBias) << 23;
    constexpr uint32_t kRounder = (151u - kBias - kFraction) << 23;  // of a unit in the last place like a subnormal's
    const uint32_t x = std::bit_cast<uint32_t>(f), a = x & 0x7fffffffu, sign = (x >> 24) & 0x80u;
    if (a > 0x7f800000u) return nan(sign);
    uint32_t code = 0;
    if (a < kLeastNormal) {  // the hardware rounds
      code = std::bit_cast<uint32_t>(std::bit_cast<float>(a) + std::bit_cast<float>(kRounder)) - kRounder;
    } else {
      const uint32_t odd = (a >> (23 - kFraction)) & 1u;
      code = (a - ((127u - kBias) << 23) + (1u << (22 - kFraction)) - 1 + odd) >> (23 - kFraction);
    }
    if (code > kLargest) return overflow(sign);
    if (kCodes == kUnsignedZero && code == 0) return 0;
    return static_cast<uint8_t>(sign | code);
  }
  static constexpr float decoded(uint8_t b) {
    const uint32_t sign = (b & 0x80u) << 24, a = b & 0x7fu;
    if (kCodes == kUnsignedZero && b == 0x80u) return std::bit_cast<float>(kFloatNan);
    if (kCodes == kFinite && a == 0x7fu) return std::bit_cast<float>(sign | kFloatNan);
    if (kCodes == kIeee && a >= 0x7cu) return std::bit_cast<float>(sign | (a > 0x7cu ? kFloatNan : 0x7f800000u));
    if (a >> kFraction) return std::bit_cast<float>(sign | ((a << (23 - kFraction)) + ((127u - kBias) << 23)));
    constexpr float kUnit = std::bit_cast<float>((128u - kBias - kFraction) << 23);
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(static_cast<float>(a) * kUnit));
  }
};

template <class T>
inline constexpr bool kIsFloat8 = false;
template <int fraction, int bias, Float8Codes codes>
inline constexpr bool kIsFloat8<Float8<fraction, bias, codes>> = true;

}  // namespace detail

/// Is T one of the 8-bit floating point types?
template <class T>
concept Float8Like = detail::kIsFloat8<T>;

}  // namespace strata
