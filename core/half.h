// 16-bit floating point storage types; arithmetic is done in float.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

namespace strata {

namespace detail {
/// IEEE binary32 to binary16, round to nearest even. A GPU has an instruction for each of these.
constexpr uint16_t half_from_float(float f) {
#ifdef __CUDA_ARCH__
  if (!std::is_constant_evaluated()) {
    uint16_t h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
  }
#endif
  const uint32_t x = std::bit_cast<uint32_t>(f);
  const uint32_t sign = (x >> 16) & 0x8000u;
  const uint32_t a = x & 0x7fffffffu;
  if (a > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (a >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (a < 0x38800000u) {  // subnormal result: add a magic number so that the hardware rounds
    const float r = std::bit_cast<float>(a) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(r) - 0x3f000000u));
  }
  const uint32_t odd = (a >> 13) & 1u;
  return static_cast<uint16_t>(sign | ((a + 0xc8000fffu + odd) >> 13));
}
constexpr float half_to_float(uint16_t h) {
#ifdef __CUDA_ARCH__
  if (!std::is_constant_evaluated()) {
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
  }
#endif
  const uint32_t sign = (h & 0x8000u) << 16;
  const uint32_t magnitude = h & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | ((h & 0x3ffu) << 13));
  if (magnitude >= 0x400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  const float v = static_cast<float>(magnitude) * 5.9604644775390625e-8f;  // 2^-24
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(v));
}
constexpr uint16_t bfloat16_from_float(float f) {
#ifdef __CUDA_ARCH__
  if (!std::is_constant_evaluated()) {
    uint16_t h;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
  }
#endif
  const uint32_t x = std::bit_cast<uint32_t>(f);
  if ((x & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((x >> 16) | 0x40u);
  return static_cast<uint16_t>((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
}
}  // namespace detail

/// IEEE binary16.
struct Half {
  uint16_t bits = 0;
  constexpr Half() = default;
  constexpr Half(float f) : bits(detail::half_from_float(f)) {}
  constexpr operator float() const { return detail::half_to_float(bits); }
  static constexpr Half from_bits(uint16_t b) {
    Half h;
    h.bits = b;
    return h;
  }
};

/// The upper half of an IEEE binary32.
struct BFloat16 {
  uint16_t bits = 0;
  constexpr BFloat16() = default;
  constexpr BFloat16(float f) : bits(detail::bfloat16_from_float(f)) {}
  constexpr operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
  static constexpr BFloat16 from_bits(uint16_t b) {
    BFloat16 h;
    h.bits = b;
    return h;
  }
};

}  // namespace strata
