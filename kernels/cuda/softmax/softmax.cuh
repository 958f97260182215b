// What softmax forward and backward share: which rows and lines of which tensors, and how threads share them.
#pragma once
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/common/lines.h"
#include "kernels/cuda/common/rows.cuh"
#include "kernels/visit_floating.h"

namespace strata::cuda::softmax {

/// Values of one operand that a thread holds in registers.
template <class T>
inline constexpr int kMostValues = sizeof(T) == 8 ? 16 : 32;
/// Lines up to this length are left to one thread each.
inline constexpr int64_t kShortLine = 16;

template <int N>
bool suits_rows(const Lines<N>& lines) {
  return lines.in_a_row() && lines.length > kShortLine;
}

template <class T, int N>
bool is_wide(const Lines<N>& lines, const std::array<const void*, N>& data) {
  return lines.packed(16 / sizeof(T), sizeof(T), data);
}

/// `in` itself, or a copy of it where `out` has rows along `dim` and `in` has not.
inline Tensor in_rows_as(const Tensor& out, const Tensor& in, int64_t dim) {
  const bool rows = suits_rows(lines_along<1>({&out}, dim));
  return rows && !lines_along<1>({&in}, dim).in_a_row() ? row_major(in) : in;
}

/// Lines as the kernel walks them.
template <int N>
struct Steps {
  int64_t length, steps[N];
};
template <int N>
Steps<N> steps_of(const Lines<N>& lines) {
  Steps<N> s{lines.length, {}};
  std::copy_n(lines.steps, N, s.steps);
  return s;
}

/// A thread among those of a block that take lines side by side, kParts threads (1 or a number of warps) each line.
template <int kParts>
struct LineThread {
  static constexpr int kLines = kThreads / kParts;
  uint32_t line;
  int part;
  __device__ LineThread()
      : line(blockIdx.x * kLines + threadIdx.x % kLines), part(static_cast<int>(threadIdx.x) / kLines) {}

  /// f over the parts of this thread's line, in their order; all threads of the block call it.
  template <class V, class F>
  __device__ V reduce(V value, F f) const {
    if constexpr (kParts > 1) value = over_parts(value, f);
    return value;
  }

 private:
  template <class V, class F>
  __device__ V over_parts(V value, F f) const {
    __shared__ uint32_t of_threads[Words<V>::kCount * kThreads];
    const Words<V> mine(value);
    for (int i = 0; i < mine.kCount; ++i) of_threads[i * kThreads + threadIdx.x] = mine.values[i];
    __syncthreads();
    for (int p = 0; p < kParts; ++p) {
      Words<V> words;
      for (int i = 0; i < words.kCount; ++i)
        words.values[i] = of_threads[i * kThreads + p * kLines + threadIdx.x % kLines];
      value = p == 0 ? words.get() : f(value, words.get());
    }
    return value;
  }
};

template <int kParts>
Shape line_shape(uint32_t lines) {
  constexpr uint32_t kLines = LineThread<kParts>::kLines;
  return {(lines + kLines - 1) / kLines};
}

/// Calls f.template operator()<threads per line>(): several for long lines.
template <int N, class F>
void visit_parts(const Lines<N>& lines, F&& f) {
  if (lines.length < 64) return f.template operator()<1>();
  f.template operator()<8>();
}

/// The values of a pack in the type that is computed in.
template <class C, class T, int n>
__device__ Pack<C, n> widened(const Pack<T, n>& p) {
  Pack<C, n> r;
  STRATA_UNROLL
  for (int j = 0; j < n; ++j) r[j] = static_cast<C>(p[j]);
  return r;
}
/// T(f(...)) of each element of packs.
template <class T, class F, class C, int n, class... More>
__device__ Pack<T, n> mapped(const F& f, const Pack<C, n>& x, const More&... more) {
  Pack<T, n> r;
  STRATA_UNROLL
  for (int j = 0; j < n; ++j) r[j] = static_cast<T>(f(x[j], more[j]...));
  return r;
}

}  // namespace strata::cuda::softmax
