// Eigenvalues and eigenvectors of real symmetric matrices.
#pragma once
#include "kernels/cpu/linalg/factor.h"

namespace strata::cpu::linalg {

/// Those of matrices (n, n) of one shape, n > 0, one after the other. T is float or double.
template <class T>
class SymmetricEigen {
 public:
  SymmetricEigen(int64_t n, bool upper);
  /// Reads one triangle. False if that is not finite or the values did not converge.
  bool run(Matrix<T> a);
  const T* values() const { return values_; }
  /// Eigenvector j is column j.
  Matrix<T> vectors() const { return vectors_; }

 private:
  const int64_t n_;
  const bool upper_;
  Scratch<T> memory_[3];
  Matrix<T> matrix_, vectors_;
  T *values_, *beside_, *tau_;
};

}  // namespace strata::cpu::linalg
