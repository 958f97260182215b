// Running extremes of lines and of columns, with the places where they were met: SIMD code chosen at run time.
#pragma once
#include <cstdint>

namespace strata::cpu::reduce {

/// C is float, double or int64. Of equal values the last one counts, and a NaN once met stays until the next NaN.
template <class C>
struct VecExtremeScan {
  /// values[i] = the extreme of x[0], …, x[i], which was last met at indices[i].
  void (*line)(const C* x, C* values, int64_t* indices, int64_t n);
  /// The same down each of `columns` <= kExtremeColumns neighbouring columns; rows, less than 2^31, lie `*_step` apart.
  void (*columns)(const C* x, int64_t x_step, C* values, int64_t value_step, int64_t* indices, int64_t index_step,
                  int64_t rows, int64_t columns);
};

inline constexpr int64_t kExtremeColumns = 1024;

/// The functions for this processor, of maxima or of minima.
template <class C>
const VecExtremeScan<C>& vec_extreme_scan(bool max);

}  // namespace strata::cpu::reduce
