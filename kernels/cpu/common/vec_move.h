// Moving elements without looking at them, transposed, reversed and in short rows: SIMD code chosen at run time for the
// processor.
#pragma once
#include <cstdint>
#include <type_traits>

namespace strata::cpu {

/// Functions for elements that are as large as U.
template <class U>
struct VecMove {
  /// to[i * to_step + j] = from[i + j * from_step] for i < rows and j < cols.
  void (*transpose)(U* to, int64_t to_step, const U* from, int64_t from_step, int64_t rows, int64_t cols);
  /// to[i * to_step + j] = from[i * from_step + j] for i < rows and j < n: without memcpy's cost where rows are short,
  /// and faster than that in the outer caches where they are long.
  void (*copy_rows)(U* to, int64_t to_step, const U* from, int64_t from_step, int64_t rows, int64_t n);
  /// to[i] = from[-i] for i < n.
  void (*reverse)(U* to, const U* from, int64_t n);
};

/// The functions for this processor; U is uint8_t, uint16_t, uint32_t or uint64_t.
template <class U>
const VecMove<U>& vec_move();

/// VecMove's copy_rows of a T of 1, 2, 4, 8 or 16 bytes, which are copied without regard to what they mean.
template <class T>
void copy_runs(T* to, int64_t to_step, const T* from, int64_t from_step, int64_t rows, int64_t n) {
  using Small = std::conditional_t<sizeof(T) == 1, uint8_t, uint16_t>;
  using U = std::conditional_t<(sizeof(T) >= 8), uint64_t, std::conditional_t<sizeof(T) == 4, uint32_t, Small>>;
  constexpr int64_t k = sizeof(T) / sizeof(U);
  static_assert(k * sizeof(U) == sizeof(T));
  U* const y = reinterpret_cast<U*>(to);
  vec_move<U>().copy_rows(y, k * to_step, reinterpret_cast<const U*>(from), k * from_step, rows, k * n);
}

/// to[i] = from[i] for i < n.
template <class T>
void copy_run(T* to, const T* from, int64_t n) {
  copy_runs(to, 0, from, 0, 1, n);
}

}  // namespace strata::cpu
