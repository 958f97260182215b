// The inner loops of symmetric eigenproblems: SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::linalg {

template <class T>
struct VecSymmetric {
  /// y = A x for the symmetric A (n, n) whose triangle on and above the diagonal is stored by rows, `step` apart.
  void (*multiply)(const T* a, int64_t step, const T* x, T* y, int64_t n);
  /// Rotates neighbouring rows of z (any rows, cols), `step` apart, the last pair first: rows i and i + 1 become
  /// c[i] z[i] - s[i] z[i + 1] and s[i] z[i] + c[i] z[i + 1], for i = last - 1 down to first.
  void (*rotate_rows)(T* z, int64_t step, int64_t first, int64_t last, const T* c, const T* s, int64_t cols);
};

/// The functions for this processor; T is float or double.
template <class T>
const VecSymmetric<T>& vec_symmetric();

}  // namespace strata::cpu::linalg
