// Reductions of spans of numbers and of their columns: SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu {

/// One function per reduction of a contiguous span of `n` values; the tree is fixed by `n` alone, whatever the vector
/// width.
///
/// Note [Reduction tree]: values go round 256 bytes of virtual lanes (64 floats or 32 doubles), 16 rounds are summed
/// before they join a running total, and the lanes are folded in halves at the end. Callers cut long spans into chunks
/// of kReduceChunk and fold the chunks' results pairwise, so the error of a sum stays below eps * log2(n) * sum|x| and
/// the bits do not depend on the number of threads, nor, but for sums of exponentials, on the instruction set.
template <class T>
struct VecReduce {
  T (*sum)(const T* x, int64_t n) = nullptr;
  T (*prod)(const T* x, int64_t n) = nullptr;
  /// NaN if any value is; -inf (or +inf for min) when n is 0.
  T (*max)(const T* x, int64_t n);
  T (*min)(const T* x, int64_t n);
  T (*sum_abs)(const T* x, int64_t n) = nullptr;
  /// Sum of what is not NaN.
  T (*sum_numbers)(const T* x, int64_t n) = nullptr;
  /// Sum of x - shift.
  T (*sum_shifted)(const T* x, int64_t n, T shift) = nullptr;
  /// Sum of (x - shift)^2.
  T (*sum_square)(const T* x, int64_t n, T shift) = nullptr;
  /// Sum of exp(x - shift).
  T (*sum_exp)(const T* x, int64_t n, T shift) = nullptr;
  /// Index of the first value equal to `v` (of the first NaN if `v` is NaN); n if there is none.
  int64_t (*find)(const T* x, int64_t n, T v);

  /// out[i] = the result of the n values from x + i * stride on, for i < count: of short lines a call for each costs
  /// more than they do. The bits are those of the functions of one line.
  void (*sum_lines)(const T* x, int64_t n, int64_t stride, int64_t count, T* out) = nullptr;
  void (*sum_abs_lines)(const T* x, int64_t n, int64_t stride, int64_t count, T* out) = nullptr;
  void (*squares_lines)(const T* x, int64_t n, int64_t stride, int64_t count, T* out) = nullptr;
  void (*max_lines)(const T* x, int64_t n, int64_t stride, int64_t count, T* out);
  void (*min_lines)(const T* x, int64_t n, int64_t stride, int64_t count, T* out);
  /// The same with at[i] = where line i, which must not be empty, first has its result.
  void (*find_max_lines)(const T* x, int64_t n, int64_t stride, int64_t count, T* out, int64_t* at);
  void (*find_min_lines)(const T* x, int64_t n, int64_t stride, int64_t count, T* out, int64_t* at);

  /// out[j] = sum over i of x[i * stride + j], for `rows` <= kReduceRows and j < cols; the others likewise.
  void (*sum_rows)(const T* x, int64_t rows, int64_t stride, int64_t cols, T* out) = nullptr;
  void (*sum_numbers_rows)(const T* x, int64_t rows, int64_t stride, int64_t cols, T* out) = nullptr;
  void (*sum_abs_rows)(const T* x, int64_t rows, int64_t stride, int64_t cols, T* out) = nullptr;
  void (*squares_rows)(const T* x, int64_t rows, int64_t stride, int64_t cols, T* out) = nullptr;
  void (*prod_rows)(const T* x, int64_t rows, int64_t stride, int64_t cols, T* out) = nullptr;
  /// out[j] = sum over i of x[i * stride + j] - shifts[j], of its squares, and of its exponentials.
  void (*sum_shifted_rows)(const T* x, int64_t rows, int64_t stride, int64_t cols, const T* shifts, T* out) = nullptr;
  void (*sum_square_rows)(const T* x, int64_t rows, int64_t stride, int64_t cols, const T* shifts, T* out) = nullptr;
  void (*sum_exp_rows)(const T* x, int64_t rows, int64_t stride, int64_t cols, const T* shifts, T* out) = nullptr;
  void (*max_rows)(const T* x, int64_t rows, int64_t stride, int64_t cols, T* out);
  void (*min_rows)(const T* x, int64_t rows, int64_t stride, int64_t cols, T* out);
};

inline constexpr int64_t kReduceChunk = 4096;
inline constexpr int64_t kReduceRows = 256;
/// As many columns as are best reduced together.
inline constexpr int64_t kReduceColumns = 512;

/// The functions for this processor; T is float or double, or int64_t, which has sums and products (that wrap around),
/// extremes and `find` only, or a narrower integer, which has the latter two only.
template <class T>
const VecReduce<T>& vec_reduce();

/// How many of n bools are true.
int64_t count_true(const bool* x, int64_t n);
/// to[i] |= x[i] for i < n if `any`, else to[i] &= x[i].
void join_bools(const bool* x, int64_t n, bool any, bool* to);

}  // namespace strata::cpu
