// Triangles and panels small enough for the first-level cache: SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

#include "kernels/cpu/matmul/gemm.h"

namespace strata::cpu::linalg {

/// Columns of the panels that are factored by QR.
constexpr int64_t kQrColumns = 16;

template <class T>
struct VecFactor {
  /// x (n, cols) becomes t^-1 x for the lower triangle t (n, n), whose diagonal has these inverses. Rows of x are runs.
  /// An upper triangle is one whose rows and columns are counted from the last, by negative strides.
  void (*solve_lower)(matmul::Matrix<const T> t, const T* inverses, matmul::Matrix<T> x, int64_t n, int64_t cols);
  /// LU with row exchanges of a panel (rows, cols) stored by columns, which begin at multiples of 64 bytes. Gives the
  /// rows exchanged with 0, 1, ..., min(rows, cols) - 1, from 1; returns the first zero on U's diagonal, from 1, or 0.
  int32_t (*factor_panel)(T* columns, int64_t step, int64_t rows, int64_t cols, int32_t* pivots);
  /// QR of the first `cols` columns of a panel (rows >= cols, kQrColumns) whose rows follow each other; the other
  /// columns become Q^T times what they were. R comes on and above the diagonal; below it and in `tau` the reflections,
  /// as LAPACK's geqrf leaves them.
  void (*qr_panel)(T* a, int64_t rows, int64_t cols, T* tau);
};

/// The functions for this processor; T is float or double.
template <class T>
const VecFactor<T>& vec_factor();

}  // namespace strata::cpu::linalg
