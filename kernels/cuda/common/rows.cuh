// Rows of tensors in the registers of a warp or a block, so that kernels read and write them once.
#pragma once
#include <algorithm>
#include <utility>

#include "kernels/arithmetic.h"
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda {

/// Most threads that share a row.
inline constexpr int kMostThreads = 1024;

struct Sum {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return a + b;
  }
};
/// A NaN in `b` is passed over.
struct Max {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return b > a ? b : a;
  }
};

/// block_reduce for the blockDim.x threads that share a row; blockDim.y rows of a block are reduced side by side. All
/// threads of the block call it, unless rows have one warp each. `f(identity, x)` is x.
template <class T, class F>
__device__ T row_reduce(T value, T identity, F f) {
  value = warp_reduce(value, f);
  const unsigned warps = blockDim.x / kWarp, lane = threadIdx.x % kWarp, first = threadIdx.y * warps;
  if (warps == 1) return value;
  __shared__ uint32_t of_warps[kWarp * Words<T>::kCount];
  __syncthreads();  // the last call's values have been read
  if (lane == 0) {
    const Words<T> words(value);
    STRATA_UNROLL
    for (int i = 0; i < words.kCount; ++i) of_warps[i * kWarp + first + threadIdx.x / kWarp] = words.values[i];
  }
  __syncthreads();
  Words<T> words(identity);
  if (lane < warps) {
    STRATA_UNROLL
    for (int i = 0; i < words.kCount; ++i) words.values[i] = of_warps[i * kWarp + first + lane];
  }
  return warp_reduce(words.get(), f);
}

/// One thread's part of a row: every blockDim.x-th pack of kWidth elements, in the type that is computed in.
template <class T, int kWidth, int kPacks>
struct RowPart {
  using C = arithmetic::Compute<T>;
  using P = Pack<T, kWidth>;
  static constexpr int kValues = kPacks * kWidth;
  C values[kValues];

  /// The number of this thread's k-th pack in the row.
  __device__ static int place(int k) { return static_cast<int>(threadIdx.x + k * blockDim.x); }

  /// Loads from a row of `packs`; what lies behind its end is `missing`.
  __device__ void load(const T* row, int packs, C missing) {
    P raw[kPacks] = {};
    STRATA_UNROLL
    for (int k = 0; k < kPacks; ++k)
      if (place(k) < packs) raw[k] = reinterpret_cast<const P*>(row)[place(k)];
    STRATA_UNROLL
    for (int k = 0; k < kPacks; ++k) {
      STRATA_UNROLL
      for (int j = 0; j < kWidth; ++j) values[k * kWidth + j] = place(k) < packs ? static_cast<C>(raw[k][j]) : missing;
    }
  }
  __device__ void store(T* row, int packs) const {
    STRATA_UNROLL
    for (int k = 0; k < kPacks; ++k) {
      if (place(k) >= packs) break;
      P raw;
      STRATA_UNROLL
      for (int j = 0; j < kWidth; ++j) raw[j] = static_cast<T>(values[k * kWidth + j]);
      reinterpret_cast<P*>(row)[place(k)] = raw;
    }
  }
  /// Replaces each value v by f(v).
  template <class F>
  __device__ void map(F f) {
    STRATA_UNROLL
    for (int i = 0; i < kValues; ++i) values[i] = f(values[i]);
  }
};

namespace detail {

/// The first number of packs per thread with which a warp has room for the row, else the last with as many warps as
/// that takes; f.template operator()<0>(threads) where 1024 threads have no room for it.
template <int... kPacks, class F>
void visit_packs(int64_t packs, std::integer_sequence<int, kPacks...>, F& f) {
  constexpr int kLast = std::max({kPacks...});
  const bool by_warp = ((packs <= kWarp * kPacks && (f.template operator()<kPacks>(dim3(kWarp, 4)), true)) || ...);
  if (by_warp) return;
  if (packs > kMostThreads * kLast) return f.template operator()<0>(dim3(kMostThreads));
  const int64_t warps = (packs + kLast * kWarp - 1) / (kLast * kWarp);
  f.template operator()<kLast>(dim3(static_cast<unsigned>(warps * kWarp)));
}

/// 1, 2, 4, ..., most.
template <int most, int... kPacks>
constexpr auto powers_to(std::integer_sequence<int, kPacks...> so_far) {
  constexpr int kNext = 1 << sizeof...(kPacks);
  if constexpr (kNext > most)
    return so_far;
  else
    return powers_to<most>(std::integer_sequence<int, kPacks..., kNext>());
}

}  // namespace detail

/// Calls f.template operator()<kWidth, kPacks>(packs of a row, threads) as suits rows of `length` elements, of which
/// a thread holds at most kMost in registers, or kMostNarrow where they are loaded one by one; kPacks is 0 for rows
/// that are longer. `wide` rows consist of 16-byte packs.
template <class T, int kMost, int kMostNarrow, class F>
void visit_rows(int64_t length, bool wide, F&& f) {
  constexpr int kWidth = 16 / static_cast<int>(sizeof(T));
  if (wide) {
    auto with_packs = [&]<int kPacks>(dim3 threads) {
      f.template operator()<kWidth, kPacks>(length / kWidth, threads);
    };
    return detail::visit_packs(length / kWidth, detail::powers_to<kMost / kWidth>(std::integer_sequence<int>()),
                               with_packs);
  }
  auto with_elements = [&]<int kPacks>(dim3 threads) { f.template operator()<1, kPacks>(length, threads); };
  detail::visit_packs(length, std::integer_sequence<int, 2, kMostNarrow>(), with_elements);
}

/// The blocks of `threads` that rows take.
inline Shape row_shape(uint32_t rows, dim3 threads) { return {(rows + threads.y - 1) / threads.y, threads}; }

}  // namespace strata::cuda
