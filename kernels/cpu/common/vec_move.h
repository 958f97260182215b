// Moving elements without looking at them, transposed, reversed and in short rows: SIMD code chosen at run time for the
// processor.
#pragma once
#include <cstdint>

namespace strata::cpu {

/// Functions for elements that are as large as U.
template <class U>
struct VecMove {
  /// to[i * to_step + j] = from[i + j * from_step] for i < rows and j < cols.
  void (*transpose)(U* to, int64_t to_step, const U* from, int64_t from_step, int64_t rows, int64_t cols);
  /// to[i * to_step + j] = from[i * from_step + j] for i < rows and j < n: rows too short for calls of memcpy.
  void (*copy_rows)(U* to, int64_t to_step, const U* from, int64_t from_step, int64_t rows, int64_t n);
  /// to[i] = from[-i] for i < n.
  void (*reverse)(U* to, const U* from, int64_t n);
};

/// The functions for this processor; U is uint8_t, uint16_t, uint32_t or uint64_t.
template <class U>
const VecMove<U>& vec_move();

}  // namespace strata::cpu
