// Where the elements of strided tensors lie: index arithmetic of the kernels, which the host's tests run too. Kernels
// that are compiled at run time include it.
#pragma once
#include <cstdint>

#include "kernels/host_device.h"

namespace strata::cuda {

/// Dimensions that a kernel walks; what has more after collapsing is cut into pieces on the host.
inline constexpr int kMaxRank = 8;

/// `n` elements that are read or written at once, in one access where they make 16 bytes or less.
template <class T, int n>
struct alignas(n * sizeof(T) < 16 ? n * sizeof(T) : 16) Pack {
  T values[n];
  STRATA_HD T& operator[](int i) { return values[i]; }
  STRATA_HD const T& operator[](int i) const { return values[i]; }
};

/// Division of numbers below 2^31 by a fixed divisor with a multiplication and a shift (Granlund and Montgomery, 1994):
/// a division costs a GPU some twenty instructions.
struct Divider {
  uint32_t divisor = 1, magic = 1, shift = 0;

  Divider() = default;
  explicit Divider(uint32_t d) : divisor(d) {
    while ((uint64_t{1} << shift) < d) ++shift;
    magic = static_cast<uint32_t>((uint64_t{1} << 32) * ((uint64_t{1} << shift) - d) / d + 1);
  }
  STRATA_HD uint32_t quotient(uint32_t n) const {
#ifdef __CUDA_ARCH__
    const uint32_t high = __umulhi(n, magic);
#else
    const uint32_t high = static_cast<uint32_t>(uint64_t{n} * magic >> 32);
#endif
    return (high + n) >> shift;
  }
};

/// One offset in elements for each of N tensors.
template <int N>
struct Offsets {
  int32_t values[N];
  STRATA_HD int32_t& operator[](int k) { return values[k]; }
  STRATA_HD int32_t operator[](int k) const { return values[k]; }
};

/// N tensors of one shape as a kernel sees them: dimensions from the innermost outwards, all numbers below 2^31.
template <int N>
struct Strided {
  int rank = 0;
  uint32_t numel = 0;
  Divider sizes[kMaxRank];
  int32_t strides[kMaxRank][N];

  /// Where the i-th element of each tensor is.
  STRATA_HD Offsets<N> at(uint32_t i) const {
    Offsets<N> at{};
    STRATA_UNROLL
    for (int d = 0; d < kMaxRank; ++d) {
      if (d == rank) break;
      const uint32_t quotient = sizes[d].quotient(i);
      const int32_t index = static_cast<int32_t>(i - quotient * sizes[d].divisor);
      STRATA_UNROLL
      for (int k = 0; k < N; ++k) at[k] += index * strides[d][k];
      i = quotient;
    }
    return at;
  }
};

}  // namespace strata::cuda
