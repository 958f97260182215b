// The language of CUDA kernels for the host's compiler: Note [Emulated kernels] in test/cuda_emulator/run.h.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "cuda_runtime_api.h"
#include "test/cuda_emulator/run.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__ __restrict
#define __align__(n) alignas(n)
#define __shared__ static  // one block runs at a time

/// Read where a kernel reads them; the emulator sets them for the thread that runs.
extern dim3 threadIdx, blockIdx, blockDim, gridDim;
inline constexpr int warpSize = 32;

struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};

inline void __syncthreads() { strata::emulator::sync_block(); }
inline void __syncwarp(unsigned mask = 0xffffffffu) { strata::emulator::sync_warp(mask); }
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

template <class T>
T __shfl_sync(unsigned mask, T value, int from, int width = 32) {
  const int lane = strata::emulator::lane();
  return strata::emulator::shuffle(mask, value, lane / width * width + from % width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  const int lane = strata::emulator::lane(), from = lane ^ bits;
  return strata::emulator::shuffle(mask, value, from / width > lane / width ? lane : from);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int lane = strata::emulator::lane(), from = lane + static_cast<int>(delta);
  return strata::emulator::shuffle(mask, value, from / width != lane / width ? lane : from);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int lane = strata::emulator::lane(), from = lane - static_cast<int>(delta);
  return strata::emulator::shuffle(mask, value, from < lane / width * width ? lane : from);
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  const unsigned mine = predicate != 0;
  strata::emulator::sync_warp(mask, &mine, sizeof(mine));
  unsigned all = 0;
  for (int lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1u) all |= *static_cast<const unsigned*>(strata::emulator::value_of_lane(lane)) << lane;
  return all;
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) == mask; }

/// What stood at `p` before `f` changed it: one thread runs at a time.
template <class T, class F>
T emulated_atomic(T* p, F f) {
  const T old = *p;
  *p = f(old);
  return old;
}
template <class T>
T atomicAdd(T* p, T x) {
  return emulated_atomic(p, [x](T old) { return old + x; });
}
template <class T>
T atomicMax(T* p, T x) {
  return emulated_atomic(p, [x](T old) { return std::max(old, x); });
}
template <class T>
T atomicMin(T* p, T x) {
  return emulated_atomic(p, [x](T old) { return std::min(old, x); });
}
template <class T>
T atomicOr(T* p, T x) {
  return emulated_atomic(p, [x](T old) { return old | x; });
}
template <class T>
T atomicExch(T* p, T x) {
  return emulated_atomic(p, [x](T) { return x; });
}
template <class T>
T atomicCAS(T* p, T expected, T x) {
  return emulated_atomic(p, [=](T old) { return old == expected ? x : old; });
}

template <class T>
T __ldg(const T* p) {
  return *p;
}
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(uint64_t{a} * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
