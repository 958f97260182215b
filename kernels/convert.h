// Conversion between element types: one value, the same on the CPU and the GPU.
#pragma once
#include <cstdint>
#include <type_traits>

#include "core/complex.h"
#include "core/half.h"
#include "kernels/host_device.h"

namespace strata {

template <class T>
inline constexpr bool kIsHalf16 = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// Values beyond int64 saturate and NaN gives 0; what remains wraps into narrower types as integers do.
template <class F>
STRATA_HD int64_t to_integer(F x) {
  constexpr F kLimit = F(9223372036854775808.0);
  if (!(x < kLimit)) return x >= kLimit ? INT64_MAX : 0;
  return x < -kLimit ? INT64_MIN : static_cast<int64_t>(x);
}

/// `x` as a To; bool is "not zero"; of a complex number the real part becomes a real one.
template <class To, class From>
STRATA_HD To convert(From x) {
  if constexpr (kIsHalf16<From>)
    return convert<To>(static_cast<float>(x));
  else if constexpr (kIsComplex<From> && kIsComplex<To>)
    return To(x);
  else if constexpr (kIsComplex<From> && std::is_same_v<To, bool>)
    return x.real() != 0 || x.imag() != 0;
  else if constexpr (kIsComplex<From>)
    return convert<To>(x.real());
  else if constexpr (kIsComplex<To>)
    return To(convert<typename To::value_type>(x));
  else if constexpr (std::is_same_v<To, bool>)
    return x != From(0);
  else if constexpr (kIsHalf16<To>)
    return To(static_cast<float>(x));
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    return static_cast<To>(to_integer(x));
  else
    return static_cast<To>(x);
}

}  // namespace strata
