// Copies of matrices with any strides, with a change of type where one of the two has 16 bits.
#pragma once
#include <algorithm>

#include "kernels/cpu/common/blocks.h"
#include "kernels/cpu/matmul/gemm.h"

namespace strata::cpu::matmul {

template <class T>
inline constexpr bool kIs16Bit = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

template <class To, class From>
To convert(From v) {
  if constexpr (std::is_same_v<To, From>)
    return v;
  else
    return To(static_cast<float>(v));
}

// A run of neighbours to neighbours.
template <class To, class From>
void copy_run(To* to, const From* from, int64_t n) {
  if constexpr (kIs16Bit<From> && std::is_same_v<To, float>) {
    half_to_float(from, to, n);
  } else if constexpr (kIs16Bit<To> && std::is_same_v<From, float>) {
    float_to_half(from, to, n);
  } else if constexpr (std::is_same_v<To, From>) {
    std::copy_n(from, n, to);
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = convert<To, From>(from[i]);
  }
}

// Copies in blocks, so that a transposed source is read a cache line at a time.
template <class To, class From>
void copy_matrix(Matrix<To> to, Matrix<From> from, int64_t rows, int64_t cols) {
  using Source = std::remove_const_t<From>;
  constexpr int64_t kBlock = 64;
  const int64_t block = from.col == 1 ? cols : kBlock;
  for (int64_t j0 = 0; j0 < cols; j0 += block) {
    const int64_t end = std::min(cols, j0 + block);
    for (int64_t i = 0; i < rows; ++i) {
      To* out = to.data + i * to.row;
      const From* in = from.data + i * from.row;
      if (from.col == 1 && to.col == 1) {
        copy_run<To, Source>(out + j0, in + j0, end - j0);
      } else {
        for (int64_t j = j0; j < end; ++j) out[j * to.col] = convert<To, Source>(in[j * from.col]);
      }
    }
  }
}

}  // namespace strata::cpu::matmul
