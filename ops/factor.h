// Matrix factorizations, solvers and what is made of them: libtorch's namespace linalg.
//
// All take matrices of float32, float64 or complex numbers of these in the last two dims, any dims before them (a
// batch, written `...`, which may be empty), and broadcast the batches of several operands. Functions that can fail on
// a value (cholesky, inv, solve, lu_factor where U is needed) read a code per matrix and throw an error that names the
// matrix; their `_ex` forms return the codes instead, int32 `(...)`, 0 for success. Under vmap and trace nothing can be
// read: there the result holds NaN or inf for a matrix that failed. docs/linalg.md has the routines behind them and the
// limits of their gradients.
#pragma once
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "../core/optional_array_ref.h"
#include "../core/tensor.h"
#include "reduce.h"

namespace strata {

/// A matrix whose values a function of linear algebra cannot take, as it is singular, not positive-definite or not
/// finite; a kind of Error, as in libtorch.
class LinAlgError : public Error {
 public:
  using Error::Error;
};

namespace linalg {

// --- factorizations

/// L `(..., n, n)` lower triangular with A = L L^H, or U with A = U^H U if `upper`. Only that triangle of the Hermitian
/// A is read; the gradient is Hermitian.
Tensor cholesky(const Tensor& A, bool upper = false);
/// (L, info): info is the order of the first leading minor that is not positive.
std::tuple<Tensor, Tensor> cholesky_ex(const Tensor& A, bool upper = false, bool check_errors = false);

/// (LU, pivots) of `(..., m, n)` with partial pivoting, as LAPACK packs them: pivots int32 `(..., min(m, n))`, from 1.
/// Without pivoting rows stay where they are, the pivots are 1, 2, …, and a zero on U's diagonal may leave inf or NaN.
std::tuple<Tensor, Tensor> lu_factor(const Tensor& A, bool pivot = true);
/// (LU, pivots, info): info is i if U[i - 1, i - 1] is zero.
std::tuple<Tensor, Tensor, Tensor> lu_factor_ex(const Tensor& A, bool pivot = true, bool check_errors = false);
/// (P, L, U) with A = P L U; without pivoting P is empty and A = L U.
std::tuple<Tensor, Tensor, Tensor> lu(const Tensor& A, bool pivot = true);

/// (LD, pivots) of a symmetric A `(..., n, n)`, of which the lower triangle is read, by Bunch and Kaufman's pivoting,
/// as LAPACK's sytrf packs them: L below the diagonal of LD, D of blocks of one and two on it and beside it; pivots
/// int32
/// `(..., n)`, from 1, negative for blocks of two. Of a Hermitian A by hetrf if `hermitian`. It has no derivative.
std::tuple<Tensor, Tensor> ldl_factor(const Tensor& A, bool hermitian = false);
/// (LD, pivots, info): info is i if D[i - 1, i - 1] is zero.
std::tuple<Tensor, Tensor, Tensor> ldl_factor_ex(const Tensor& A, bool hermitian = false, bool check_errors = false);
/// X `(..., n, k)` with A X = B, of what ldl_factor gave for A; leading dims broadcast. It has no derivative.
Tensor ldl_solve(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian = false);

/// (Q, R) with A = Q R; `mode` is "reduced", "complete" or "r" (Q is empty). Signs are those of Householder
/// reflections. The gradient needs the first min(m, n) columns of A to be independent, and exists for "complete" if m
/// <= n.
std::tuple<Tensor, Tensor> qr(const Tensor& A, std::string_view mode = "reduced");

/// (w, V): the eigenvalues of a Hermitian matrix in ascending order, real, and eigenvectors in columns, A = V diag(w)
/// V^H. The triangle that `UPLO` names is read. NaN if A is not finite. Eigenvectors are unique up to their signs (and
/// bases of equal eigenvalues' spaces): only of functions that do not depend on this is the gradient meaningful, and it
/// is infinite where eigenvalues are equal.
std::tuple<Tensor, Tensor> eigh(const Tensor& A, std::string_view UPLO = "L");
/// The eigenvalues alone; their gradient exists for equal ones too.
Tensor eigvalsh(const Tensor& A, std::string_view UPLO = "L");

/// (U, S, Vh) with A = U diag(S) Vh, S descending; U `(..., m, m)` and Vh `(..., n, n)`, or `(..., m, k)` and
/// `(..., k, n)` with k = min(m, n) unless `full_matrices`. NaN if A is not finite. As for eigh, gradients are those of
/// functions that do not depend on signs and bases; they are infinite where singular values are equal, or zero for
/// m != n. `driver` is accepted and ignored: it is always LAPACK's gesdd.
std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& A, bool full_matrices = true,
                                       std::optional<std::string_view> driver = std::nullopt);
/// The singular values alone; their gradient exists for equal ones too.
Tensor svdvals(const Tensor& A, std::optional<std::string_view> driver = std::nullopt);

/// The first columns of the product of reflections I - tau[i] v[i] v[i]^H, v in the columns of A `(..., m, n)` below
/// the diagonal (where they are 1), tau `(..., k)`.
Tensor householder_product(const Tensor& A, const Tensor& tau);

// --- solvers

/// X with A X = B, or X A = B unless `left`; B is a matrix `(..., n, k)`, or a vector if it has one dim or the shape of
/// A without its last.
Tensor solve(const Tensor& A, const Tensor& B, bool left = true);
/// `solve` without an error for singular matrices: (X, info), where info is 0 for a solved system.
std::tuple<Tensor, Tensor> solve_ex(const Tensor& A, const Tensor& B, bool left = true, bool check_errors = false);
/// The same for a triangular A, of which the other triangle, and the diagonal if `unitriangular`, is not read. A zero
/// on the diagonal gives inf or NaN.
Tensor solve_triangular(const Tensor& A, const Tensor& B, bool upper, bool left = true, bool unitriangular = false);
/// The same for a matrix that lu_factor took; A^H in its place if `adjoint`.
Tensor lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true, bool adjoint = false);
Tensor inv(const Tensor& A);
/// `inv` without an error for singular matrices: (inverse, info), where info is 0 for an inverted one.
std::tuple<Tensor, Tensor> inv_ex(const Tensor& A, bool check_errors = false);

/// (X, residuals, rank, singular values) with the least |A X - B|. `driver` "gels" takes A to have full rank and uses
/// QR; the others take any and give X the least norm: "gelsy" (the default) by QR with exchanged columns, "gelsd" and
/// "gelss" by the pseudo-inverse. What is below `rcond` (eps * max(m, n)) times the largest singular value is zero to
/// them. Residuals, squared distances `(..., k)`, are given for m > n and full rank, but not by "gelsy"; rank `(...)`
/// not by "gels"; singular values by "gelsd" and "gelss". What is not given is empty.
std::tuple<Tensor, Tensor, Tensor, Tensor> lstsq(const Tensor& A, const Tensor& B,
                                                 std::optional<double> rcond = std::nullopt,
                                                 std::optional<std::string_view> driver = std::nullopt);
/// The pseudo-inverse `(..., n, m)`: singular values up to max(atol, rtol * the largest) count as zero, rtol being
/// eps * max(m, n) unless one of the two is given. By eigenvalues if `hermitian`. The gradient holds where the rank is
/// constant.
Tensor pinv(const Tensor& A, std::optional<double> atol, std::optional<double> rtol, bool hermitian = false);
Tensor pinv(const Tensor& A, double rcond, bool hermitian = false);
inline Tensor pinv(const Tensor& A, double atol, double rtol, bool hermitian = false) {
  return pinv(A, std::optional(atol), std::optional(rtol), hermitian);
}
inline Tensor pinv(const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian = false) {
  return pinv(A, std::optional<double>(atol), std::optional<double>(rtol), hermitian);
}
/// The same with tolerances in real tensors `(...)`, one for each matrix, which broadcast.
Tensor pinv(const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol, bool hermitian = false);
Tensor pinv(const Tensor& A, const Tensor& rcond, bool hermitian = false);
Tensor pinv(const Tensor& A);
/// X with tensordot(A, X, X.dim()) = B, after moving the `dims` of A to its end.
Tensor tensorsolve(const Tensor& A, const Tensor& B, OptionalIntArrayRef dims = {});
/// The inverse of A as a map from its last dims to its first `ind`.
Tensor tensorinv(const Tensor& A, int64_t ind = 2);

// --- numbers

/// `(...)`. The gradient holds for singular matrices too (its own derivative does not).
Tensor det(const Tensor& A);
/// (sign, log |det A|): 0 and -inf for singular matrices, where there is no gradient.
std::tuple<Tensor, Tensor> slogdet(const Tensor& A);
/// The number of singular values above max(atol, rtol * the largest), as for pinv: int64 `(...)`.
Tensor matrix_rank(const Tensor& A, std::optional<double> atol, std::optional<double> rtol, bool hermitian = false);
Tensor matrix_rank(const Tensor& A, double tol, bool hermitian = false);
inline Tensor matrix_rank(const Tensor& A, double atol, double rtol, bool hermitian = false) {
  return matrix_rank(A, std::optional(atol), std::optional(rtol), hermitian);
}
inline Tensor matrix_rank(const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian = false) {
  return matrix_rank(A, std::optional<double>(atol), std::optional<double>(rtol), hermitian);
}
/// The same with tolerances in real tensors `(...)`, one for each matrix, which broadcast.
Tensor matrix_rank(const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol, bool hermitian = false);
Tensor matrix_rank(const Tensor& A, const Tensor& tol, bool hermitian = false);
Tensor matrix_rank(const Tensor& A);
/// norm(A) norm(A^-1) for p "fro", "nuc", inf, -inf, 1, -1 (inf for singular matrices); the ratio of the extreme
/// singular values for 2 (which stands for none) and -2.
Tensor cond(const Tensor& A, const std::optional<Scalar>& p = std::nullopt);
Tensor cond(const Tensor& A, std::string_view p);
/// ord: 1, -1 largest and smallest column sum of |A|; inf, -inf row sum; 2, -2 singular value; "fro" the root of the
/// sum of squares; "nuc" the sum of the singular values.
Tensor matrix_norm(const Tensor& A, const Scalar& ord, IntArrayRef dim = {-2, -1}, bool keepdim = false,
                   std::optional<DType> dtype = std::nullopt);
Tensor matrix_norm(const Tensor& A, std::string_view ord = "fro", IntArrayRef dim = {-2, -1}, bool keepdim = false,
                   std::optional<DType> dtype = std::nullopt);
/// (sum |x|^ord)^(1 / ord) over `dim`, all by default.
Tensor vector_norm(const Tensor& x, const Scalar& ord = 2, OptionalIntArrayRef dim = {}, bool keepdim = false,
                   std::optional<DType> dtype = std::nullopt);
/// A matrix norm if `ord` is given and there are two dims, else a vector norm.
Tensor norm(const Tensor& A, const std::optional<Scalar>& ord = std::nullopt, OptionalIntArrayRef dim = {},
            bool keepdim = false, std::optional<DType> dtype = std::nullopt);
Tensor norm(const Tensor& A, std::string_view ord, OptionalIntArrayRef dim = {}, bool keepdim = false,
            std::optional<DType> dtype = std::nullopt);

// --- products and functions of matrices

/// A to the n-th power by squaring; of the inverse for n < 0.
Tensor matrix_power(const Tensor& A, int64_t n);
/// exp(A) by scaling, a Taylor polynomial of degree 18 and squaring (Bader, Blanes, Casas 2019). Under vmap and trace
/// every matrix is squared up to 20 times, and one of a norm above a million gives NaN.
Tensor matrix_exp(const Tensor& A);
/// The positive square root X = X^H of a positive-definite Hermitian A, X X = A, by its eigenvalues; negative ones
/// count as zero. Only the lower triangle of A is read; the gradient is Hermitian.
Tensor matrix_sqrth(const Tensor& A);
/// The product of a chain in the cheapest order; the first may be a row vector, the last a column.
Tensor multi_dot(TensorList tensors);
/// The sum of products along `dim`, of x's conjugates where x is complex.
Tensor vecdot(const Tensor& x, const Tensor& y, int64_t dim = -1);
/// The cross product of vectors of 3 along `dim`.
Tensor cross(const Tensor& a, const Tensor& b, int64_t dim = -1);
/// Powers 0 to N - 1 (n of x `(..., n)` by default) in a last dim.
Tensor vander(const Tensor& x, std::optional<int64_t> N = std::nullopt);
/// A view of the diagonals, of the last two dims by default.
Tensor diagonal(const Tensor& A, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1);

}  // namespace linalg

// --- under libtorch's older names

/// The determinant, and the factors it is computed from: A's, or those of its transpose, with LAPACK's pivots.
std::tuple<Tensor, Tensor, Tensor> _linalg_det(const Tensor& A);
/// (sign, logabsdet, LU, pivots), likewise.
std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_slogdet(const Tensor& A);
/// (X, LU, pivots, info): what linalg::solve_ex gives, with A's factors.
std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_solve_ex(const Tensor& A, const Tensor& B, bool left = true,
                                                            bool check_errors = false);

/// The permutations that LAPACK's `pivots` `(..., k)` stand for, as (P, L, U) of lu_factor's result.
std::tuple<Tensor, Tensor, Tensor> lu_unpack(const Tensor& LU, const Tensor& pivots, bool unpack_data = true,
                                             bool unpack_pivots = true);
Tensor cholesky(const Tensor& A, bool upper = false);
/// X with A X = B for A = L L^T (U^T U if `upper`).
Tensor cholesky_solve(const Tensor& B, const Tensor& L, bool upper = false);
Tensor cholesky_inverse(const Tensor& L, bool upper = false);
Tensor inverse(const Tensor& A);
Tensor pinverse(const Tensor& A, double rcond = 1e-15);
Tensor det(const Tensor& A);
/// log det A; NaN if it is negative.
Tensor logdet(const Tensor& A);
std::tuple<Tensor, Tensor> slogdet(const Tensor& A);
Tensor matrix_power(const Tensor& A, int64_t n);
Tensor matrix_exp(const Tensor& A);
/// (X, A) with A X = B, or A^T X = B if `transpose`.
std::tuple<Tensor, Tensor> triangular_solve(const Tensor& B, const Tensor& A, bool upper = true, bool transpose = false,
                                            bool unitriangular = false);
Tensor lu_solve(const Tensor& B, const Tensor& LU, const Tensor& pivots);
/// (U, S, V): V, not its transpose; `some` gives the reduced form.
std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& A, bool some = true, bool compute_uv = true);
std::tuple<Tensor, Tensor> qr(const Tensor& A, bool some = true);
Tensor orgqr(const Tensor& A, const Tensor& tau);
/// Along the first dim of size 3 unless `dim` is given.
Tensor cross(const Tensor& a, const Tensor& b, std::optional<int64_t> dim = std::nullopt);
/// Powers n - 1 to 0 of a vector, or 0 to n - 1 if `increasing`.
Tensor vander(const Tensor& x, std::optional<int64_t> N = std::nullopt, bool increasing = false);
Tensor frobenius_norm(const Tensor& A, IntArrayRef dim, bool keepdim = false);
Tensor nuclear_norm(const Tensor& A, bool keepdim = false);
Tensor nuclear_norm(const Tensor& A, IntArrayRef dim, bool keepdim = false);

}  // namespace strata

#include "factor_names.h"
