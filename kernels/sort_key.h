// The order of sorting as unsigned integers, which radix sorts need: the same on the CPU and the GPU.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "core/half.h"
#include "kernels/host_device.h"

namespace strata {

/// An unsigned integer of 32 or 64 bits that compares as the value does, -0 as 0, and NaN above all.
template <class T>
STRATA_HD auto sort_key(T v) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    using Wide = std::conditional_t<sizeof(T) == 2, float, T>;  // depends on T, as a call within the definition must
    return sort_key(static_cast<Wide>(v));
  } else if constexpr (std::is_floating_point_v<T>) {
    using U = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr int kTop = 8 * sizeof(T) - 1;
    const U bits = std::bit_cast<U>(v + T(0));
    // All bits are turned where the sign is set, else the sign alone; by arithmetic, as signs are hard to predict.
    const U key = bits ^ ((U{0} - (bits >> kTop)) | (U{1} << kTop));
    return v != v ? ~U{0} : key;
  } else if constexpr (sizeof(T) == 8) {
    return static_cast<uint64_t>(v) ^ (uint64_t{1} << 63);
  } else {
    return static_cast<uint32_t>(static_cast<int64_t>(v) + (std::is_same_v<T, uint32_t> ? 0 : int64_t{1} << 31));
  }
}

template <class T>
using SortKey = decltype(sort_key(T()));

}  // namespace strata
