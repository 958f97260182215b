// Combining the values of a warp's or a block's threads, always in the order of the threads.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "kernels/host_device.h"

namespace strata::cuda {

inline constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffff;

/// The bits of a trivially copyable T as the words that shuffles move.
template <class T>
struct Words {
  static constexpr int kCount = (sizeof(T) + 3) / 4;
  uint32_t values[kCount];

  Words() = default;
  __device__ explicit Words(const T& value) {
    if constexpr (sizeof(T) % 4 != 0) values[kCount - 1] = 0;
    memcpy(values, &value, sizeof(T));
  }
  /// Words that lie `stride` apart.
  __device__ static Words from(const uint32_t* memory, int stride) {
    Words words;
    STRATA_UNROLL
    for (int i = 0; i < kCount; ++i) words.values[i] = memory[i * stride];
    return words;
  }
  __device__ void put(uint32_t* memory, int stride) const {
    STRATA_UNROLL
    for (int i = 0; i < kCount; ++i) memory[i * stride] = values[i];
  }
  __device__ T get() const {
    T value;
    memcpy(&value, values, sizeof(T));
    return value;
  }
};

/// `move`, a shuffle of one word, for a value of any size.
template <class T, class F>
__device__ T shuffle(const T& value, F move) {
  Words<T> words(value);
  STRATA_UNROLL
  for (int i = 0; i < Words<T>::kCount; ++i) words.values[i] = move(words.values[i]);
  return words.get();
}

/// The value of the lane whose number differs in the bits of `mask`.
template <class T>
__device__ T shuffle_xor(const T& value, int mask) {
  return shuffle(value, [=](uint32_t word) { return __shfl_xor_sync(kAllLanes, word, mask); });
}

/// The value of the lane `distance` before this one; its own where there is none.
template <class T>
__device__ T shuffle_up(const T& value, int distance) {
  return shuffle(value, [=](uint32_t word) { return __shfl_up_sync(kAllLanes, word, distance); });
}

/// The value of lane `lane % 32`.
template <class T>
__device__ T shuffle_from(const T& value, int lane) {
  return shuffle(value, [=](uint32_t word) { return __shfl_sync(kAllLanes, word, lane); });
}

/// f(...f(f(value of lane 0, of lane 1), ...)) as a balanced tree, for each group of kLanes neighbouring lanes (a power
/// of two). All lanes of the warp call it, and all lanes of a group get the same bits. `f(T, T)` is associative.
template <int kLanes = kWarp, class T, class F>
__device__ T warp_reduce(T value, F f) {
  STRATA_UNROLL
  for (int step = 1; step < kLanes; step *= 2) {
    const T other = shuffle_xor(value, step);
    value = threadIdx.x & step ? f(other, value) : f(value, other);
  }
  return value;
}

/// The same over a block of kThreads threads in one dimension (a power of two, 32 to 1024): every thread gets the
/// result. All threads call it; it may be called again at once.
template <int kThreads, class T, class F>
__device__ T block_reduce(T value, F f) {
  constexpr int kWarps = kThreads / kWarp;
  value = warp_reduce(value, f);
  if constexpr (kWarps > 1) {
    __shared__ uint32_t of_warps[kWarps * Words<T>::kCount];
    __syncthreads();  // the last call's values have been read
    if (threadIdx.x % kWarp == 0) Words<T>(value).put(of_warps + threadIdx.x / kWarp, kWarps);
    __syncthreads();
    const auto words = Words<T>::from(of_warps + threadIdx.x % kWarps, kWarps);
    value = warp_reduce<kWarps>(words.get(), f);
  }
  return value;
}

}  // namespace strata::cuda
