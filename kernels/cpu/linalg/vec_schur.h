// The QR iteration for real matrices of moderate size, as SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::linalg {

/// T is float or double.
template <class T>
struct VecSchur {
  /// Brings `h` (n, n), whose rows are `step` apart, of Hessenberg form in rows and columns [low, high) and triangular
  /// elsewhere, to Schur form: blocks of one or, for conjugate eigenvalues, two on the diagonal. Eigenvalues go to re
  /// and im. The transformations are applied from the right to `z` (n, n), stored by columns; where it is null h is
  /// only good for the eigenvalues. Did it converge? This is LAPACK's lahqr.
  bool (*run)(T* h, int64_t step, int64_t n, int64_t low, int64_t high, T* z, T* re, T* im);
};

/// The functions for this processor.
template <class T>
const VecSchur<T>& vec_schur();

}  // namespace strata::cpu::linalg
