// Eigenvalues and eigenvectors of symmetric tridiagonal matrices.
#pragma once
#include "kernels/cpu/linalg/factor.h"

namespace strata::cpu::linalg {

/// Makes the diagonal (n) the eigenvalues in ascending order, and column j of z (n, n), stored by columns without gaps,
/// eigenvector j. `beside` (n) holds the second diagonal in its first n - 1 elements and is overwritten. False if the
/// values do not converge. All numbers are finite, n > 0, and T is float or double. Divides its work over the threads.
template <class T>
bool solve_tridiagonal(T* diagonal, T* beside, Matrix<T> z, int64_t n);

}  // namespace strata::cpu::linalg
