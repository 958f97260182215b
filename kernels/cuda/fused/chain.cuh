// What generated kernels are written with: Note [Generated kernels]. Included by nothing else.
#pragma once
#ifndef __CUDACC_RTC__  // which knows the language without it
#include <cuda_runtime.h>
#endif

#include "kernels/arithmetic.h"
#include "kernels/convert.h"
#include "kernels/cuda/fused/chain_data.h"

namespace strata::cuda::fused {

/// Threads of a block.
inline constexpr int kThreads = 256;

/// n elements of an operand from element `at` on.
template <class T, int n>
__device__ Pack<T, n> load(const ChainData& a, int operand, int64_t at) {
  return *reinterpret_cast<const Pack<T, n>*>(static_cast<const T*>(a.data[operand]) + at);
}
/// Its element `at`, n times.
template <class T, int n>
__device__ Pack<T, n> spread(const ChainData& a, int operand, int64_t at) {
  const T value = static_cast<const T*>(a.data[operand])[at];
  Pack<T, n> x;
  STRATA_UNROLL
  for (int j = 0; j < n; ++j) x[j] = value;
  return x;
}
template <class T, int n>
__device__ void store(const ChainData& a, int operand, int64_t at, const Pack<T, n>& y) {
  *reinterpret_cast<Pack<T, n>*>(static_cast<T*>(a.data[operand]) + at) = y;
}

/// The k-th of the steps' numbers, in the type that a formula computes in.
template <class C>
__device__ C number(const ChainData& a, int k) {
  return static_cast<C>(a.numbers[k]);
}

/// Formula F at one element, as the op's own kernel applies it.
template <class R, class F, class... T>
__device__ R run(T... x) {
  return static_cast<R>(F::run(static_cast<arithmetic::Compute<T>>(x)...));
}

/// body<n>(i) for packs of n elements that begin at i, and body<1>(i) for those that are left.
template <int n, class F>
__device__ void for_each_in_a_row(const ChainData& a, const F& body) {
  const int64_t thread = int64_t{blockIdx.x} * kThreads + threadIdx.x, step = int64_t{gridDim.x} * kThreads;
  const int64_t packs = a.numel / n;
  for (int64_t i = thread; i < packs; i += step) body.template operator()<n>(i * n);
  if (packs * n + thread < a.numel) body.template operator()<1>(packs * n + thread);
}

/// body<n>(at) for packs of n elements that begin, in operand k, at at[k].
template <int n, class F>
__device__ void for_each_strided(const ChainData& a, const F& body) {
  const uint32_t step = gridDim.x * kThreads;
  for (uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < a.walk.numel; i += step)
    body.template operator()<n>(a.walk.at(static_cast<uint32_t>(i)));
}

}  // namespace strata::cuda::fused
