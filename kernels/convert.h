// Conversion between element types: one value, the same on the CPU and the GPU.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/complex.h"
#include "core/half.h"
#include "kernels/host_device.h"

namespace strata {

template <class T>
inline constexpr bool kIsHalf16 = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// Without its fraction; what has no place in Int, NaN and infinities among it, gives the least Int, as x86's
/// instruction does.
template <class Int, class F>
STRATA_HD Int truncated(F x) {
  constexpr Int kLeast = std::numeric_limits<Int>::min();
  constexpr F kLimit = -static_cast<F>(kLeast);
  return x < kLimit && x >= -kLimit ? static_cast<Int>(x) : kLeast;
}
/// By way of int32, or int64 for what int32 does not hold, and from there into narrower types as integers wrap (uint64
/// by way of int64 in two halves of its range): PyTorch's results on this kind of CPU, on which programs rely.
template <class To, class F>
STRATA_HD To to_integer(F x) {
  if constexpr (std::is_same_v<To, uint64_t>) {
    constexpr F kHalf = static_cast<F>(9223372036854775808.0);
    constexpr uint64_t kTopBit = uint64_t{1} << 63;
    return x >= kHalf ? static_cast<uint64_t>(truncated<int64_t>(x - kHalf)) ^ kTopBit
                      : static_cast<uint64_t>(truncated<int64_t>(x));
  } else {
    using Wide = std::conditional_t<sizeof(To) < 4 || std::is_same_v<To, int32_t>, int32_t, int64_t>;
    return static_cast<To>(truncated<Wide>(x));
  }
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
    return to_integer<To>(x);
  else
    return static_cast<To>(x);
}

}  // namespace strata
