// Singular values and vectors of real matrices that are about square.
#pragma once
#include "kernels/cpu/linalg/factor.h"

namespace strata::cpu::linalg {

/// Those of matrices (m, n) of one shape, one after the other: U (m, u_cols) and Vh (vh_rows, n). T is float or double.
template <class T>
class SquareSvd {
 public:
  SquareSvd(int64_t m, int64_t n, int64_t u_cols, int64_t vh_rows);
  /// Is one side less than about twice the other? For others it is faster to factor by QR first, as LAPACK's gesdd
  /// does.
  static bool takes(int64_t m, int64_t n) { return std::max(m, n) < std::min(m, n) * 11 / 6; }
  /// False if the matrix is not finite or the values did not converge.
  bool run(Matrix<T> a);
  const T* values() const { return values_; }
  const Matrix<T>& u() const { return u_; }
  const Matrix<T>& vh() const { return vh_; }

 private:
  void reduce(T* work, blasint length);
  bool solve_bidiagonal();
  void rotate_back();

  const int64_t m_, n_, k_, u_cols_, vh_rows_;
  Scratch<T> memory_[5];
  Scratch<blasint> integer_memory_;
  Matrix<T> a_, u_, vh_;
  T *values_, *beside_, *tau_left_, *tau_right_, *work_;
  blasint* integer_work_;
  blasint work_length_;
};

}  // namespace strata::cpu::linalg
