// Half and BFloat16: all 65,536 patterns against arithmetic done in double, rounding at every tie.
#include "core/half.h"

#include <cmath>
#include <cstring>

#include "test/catch.h"

namespace strata {
namespace {

/// The value a 16-bit float with these field widths stands for, by the definition of IEEE 754.
double value_by_definition(uint16_t bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
  const int exponent = (bits >> mantissa_bits) & top, mantissa = bits & ((1 << mantissa_bits) - 1);
  const double sign = bits >> 15 ? -1 : 1;
  if (exponent == top) return mantissa ? NAN : sign * INFINITY;
  const double fraction = std::ldexp(mantissa, -mantissa_bits);
  return sign * (exponent ? std::ldexp(1 + fraction, exponent - bias) : std::ldexp(fraction, 1 - bias));
}

template <class T>
int wrong_values(int exponent_bits, int mantissa_bits) {
  int wrong = 0;
  for (uint32_t b = 0; b < 65536; ++b) {
    const double expected = value_by_definition(static_cast<uint16_t>(b), exponent_bits, mantissa_bits);
    const float got = T::from_bits(static_cast<uint16_t>(b));
    wrong += std::isnan(expected) ? !std::isnan(got)
                                  : (static_cast<double>(got) != expected || std::signbit(got) != (b >> 15));
  }
  return wrong;
}

template <class T>
int wrong_round_trips() {
  int wrong = 0;
  for (uint32_t b = 0; b < 65536; ++b) {
    const float f = T::from_bits(static_cast<uint16_t>(b));
    const T back(f);
    wrong += std::isnan(f) ? !std::isnan(static_cast<float>(back)) : back.bits != b;
  }
  return wrong;
}

/// Floats exactly between two neighbours and one float either side of that: nearest, ties to the even pattern.
template <class T>
int wrong_roundings(uint32_t last_finite) {
  int wrong = 0;
  for (uint32_t b = 0; b < last_finite; ++b) {
    const float low = T::from_bits(static_cast<uint16_t>(b)), high = T::from_bits(static_cast<uint16_t>(b + 1));
    const float middle = static_cast<float>((static_cast<double>(low) + high) / 2);
    wrong += T(middle).bits != (b % 2 ? b + 1 : b);
    wrong += T(std::nextafter(middle, 0.0f)).bits != b;
    wrong += T(std::nextafter(middle, INFINITY)).bits != b + 1;
    wrong += T(-middle).bits != ((b % 2 ? b + 1 : b) | 0x8000u);
  }
  return wrong;
}

}  // namespace

TEST_CASE("every 16-bit pattern has the value IEEE 754 defines") {
  CHECK(wrong_values<Half>(5, 10) == 0);
  CHECK(wrong_values<BFloat16>(8, 7) == 0);
}

TEST_CASE("every 16-bit pattern survives the way through float") {
  CHECK(wrong_round_trips<Half>() == 0);
  CHECK(wrong_round_trips<BFloat16>() == 0);
}

TEST_CASE("conversion rounds to nearest, ties to even, between all neighbours") {
  CHECK(wrong_roundings<Half>(0x7bff) == 0);
  CHECK(wrong_roundings<BFloat16>(0x7f7f) == 0);
}

TEST_CASE("conversion of what does not fit gives infinity, tiny values give zero") {
  CHECK(Half(65504.0f).bits == 0x7bff);
  CHECK(Half(65519.99f).bits == 0x7bff);
  CHECK(Half(65520.0f).bits == 0x7c00);
  CHECK(Half(-1e30f).bits == 0xfc00);
  CHECK(Half(2.98e-8f).bits == 0);
  CHECK(Half(-2.98e-8f).bits == 0x8000);
  CHECK(Half(5.9604645e-8f).bits == 1);
  CHECK(BFloat16(3.4028235e38f).bits == 0x7f80);
  CHECK(BFloat16(1e-45f).bits == 0);
  CHECK(std::isnan(static_cast<float>(Half(NAN))));
  CHECK(std::isnan(static_cast<float>(BFloat16(NAN))));
}

}  // namespace strata
