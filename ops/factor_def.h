// The ops that factor matrices and solve with the factors, for rules and kernels.
//
// Note [Factorizations]
// All take float or double matrices in the last two dims and any leading dims `...` (a batch, which may be empty; m, n
// and k may be 0 too). Inputs have any strides, outputs are row-major by infer; a kernel must fill strided ones all the
// same. Inputs of one op have equal leading dims and one floating dtype. `info` is int32 `(...)`, 0 where all went
// well. Kernels never raise about values and never read a result on the host: eigenvalue and singular value kernels
// fill all their outputs for a matrix with NaN when it holds NaN or inf or when the algorithm does not converge;
// Cholesky and LU kernels may let NaN through or set info. Public functions check info where they say so.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct CholeskyParams {
  bool upper;
};
struct PermutationParams {
  int64_t rows;
};
struct SolveParams {
  bool left, adjoint;
};
struct TriangularParams {
  bool upper, left, unitriangular;
};
struct QrParams {
  bool complete;
};
struct EighParams {
  bool upper;
};
struct SvdParams {
  bool full_matrices;
};

/// A `(..., n, n)` -> L `(..., n, n)`, info `(...)`. Reads only the lower (upper) triangle of A; A = L L^T, or L^T L if
/// upper; the other triangle of L is zero. info is the order of the leading minor that is not positive (1-based); L is
/// then unspecified.
extern Op cholesky_op;

/// A `(..., m, n)` -> LU `(..., m, n)`, pivots int32 `(..., min(m, n))`, info `(...)`. L below the diagonal of LU (its
/// unit diagonal is not stored), U on and above it. Row i was swapped with row pivots[i] - 1, for i in order, as LAPACK
/// counts. info is i if U[i - 1, i - 1] is exactly zero (the first such i); the factors are complete all the same.
extern Op lu_factor_op;

/// The same without an exchange of rows: LU, info. What a zero on U's diagonal divides is inf or NaN.
extern Op lu_plain_op;

/// pivots int32 `(..., k)` -> int64 `(..., rows)`: where each row of L U comes from, i.e. A[perm[i], :] = (L U)[i, :].
extern Op lu_permutation_op;

/// A `(..., n, n)`, B `(..., n, k)` (`(..., k, n)` if not left), LU and pivots of A as lu_factor gives them -> X of B's
/// shape with A X = B (left), X A = B (not left); with A^H in A's place if adjoint. A kernel reads LU and pivots only:
/// A is there for the derivative. A zero on U's diagonal gives inf or NaN.
extern Op solve_op;

/// A `(..., n, n)`, B `(..., n, k)` (`(..., k, n)` if not left) -> X of B's shape with A X = B (left) or X A = B. Reads
/// only the upper (lower) triangle of A, and takes its diagonal as ones if unitriangular. A is often a transposed view.
extern Op triangular_solve_op;

/// A `(..., m, n)` -> Q `(..., m, k)`, R `(..., k, n)` with k = min(m, n), or k = m if complete. Q's columns are
/// orthonormal, R is upper triangular with zeros below; signs as Householder reflections give them.
extern Op qr_op;

/// A `(..., n, n)`, of which only the lower (upper) triangle is read -> eigenvalues `(..., n)` ascending, eigenvectors
/// `(..., n, n)` in columns.
extern Op eigh_op;
/// The eigenvalues alone.
extern Op eigvalsh_op;

/// A `(..., m, n)` -> U `(..., m, k)`, S `(..., min(m, n))` descending, Vh `(..., k, n)` with k = min(m, n); U
/// `(..., m, m)` and Vh `(..., n, n)` if full_matrices. A = U diag(S) Vh.
extern Op svd_op;
/// The singular values alone.
extern Op svdvals_op;

/// A `(..., n, n)`, LU and pivots of A -> its determinant `(...)`. A kernel reads LU and pivots only; 1 for n = 0.
extern Op det_op;
/// The same -> sign (det / |det|) in A's dtype and the logarithm of the determinant's absolute value, real, both
/// `(...)`; 0 and -inf for a singular matrix.
extern Op slogdet_op;

/// A `(..., n, n)` and its Hermitian square root X -> a copy of X: A is there for the derivative, which exists where
/// eigenvalues are equal. A kernel is the one of copy on X.
extern Op matrix_sqrth_op;

/// A `(..., n, n)` and its inverse X -> a copy of X: A is there for the derivative, which is made of the copy alone, so
/// that A may be written over. A kernel is the one of copy on X.
extern Op inverse_op;

/// A `(..., m, n)` and its pseudo-inverse P `(..., n, m)` -> a copy of P: A is there for the derivative alone, which
/// unlike that of the singular values P was made of exists where they are equal. A kernel is the one of copy on P.
extern Op pinv_op;

}  // namespace strata
