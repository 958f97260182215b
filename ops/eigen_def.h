// The ops of eigenvalues of matrices of any kind, and of Householder's reflections.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// A `(..., n, n)` -> complex eigenvalues `(..., n)` in LAPACK's order, and eigenvectors of length 1 in the columns of
/// `(..., n, n)`, the largest element of each real for complex A. NaN for a matrix that is not finite or does not
/// converge.
extern Op eig_op;
/// The eigenvalues alone.
extern Op eigvals_op;
/// A `(..., m, n)` -> its reflections and R in one matrix as LAPACK's geqrf packs them, and tau `(..., min(m, n))`.
extern Op geqrf_op;

}  // namespace strata
