// Rows of windows as SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>
#include <type_traits>

namespace strata::cpu::pool {

/// The maxima of one plane x of rows of `width` values (fewer than 2^31 in all) into out `(oh, ow)`, and into `index`
/// where each stands in x. All windows lie inside x. The first of equal values wins, a later NaN over all.
void max_pool_2x2(const float* x, int64_t width, int64_t oh, int64_t ow, float* out, int64_t* index);

/// A position in a plane, as wide as its elements.
template <class T>
using Place = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

/// `n` windows in a row, whose elements are x[tap[t] + o * step] for window o.
struct WindowRow {
  const int64_t* tap;
  int64_t taps, step, n;
};

/// T is float or double.
template <class T>
struct VecPool {
  /// The largest element of each window into `out`, and where it stands into `index` unless that is null: `first`
  /// plus its place in x, which is below 2^31. The first of equal values wins, a later NaN over all.
  void (*max_row)(const T* x, const WindowRow& row, int64_t first, T* out, int64_t* index);
  /// The sum of each window's elements, in order, divided by `divisor`.
  void (*mean_row)(const T* x, const WindowRow& row, T divisor, T* out);
  /// Where x[i] is larger than best[i] or NaN, it takes its place and `at[i]` becomes `number`, for i < n.
  void (*meet)(const T* x, int64_t n, Place<T> number, T* best, Place<T>* at);
};

/// The functions for this processor.
template <class T>
const VecPool<T>& vec_pool();

}  // namespace strata::cpu::pool
