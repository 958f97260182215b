// The small formulas that rules and functions of matrix factors share.
#pragma once
#include "binary.h"
#include "complex.h"
#include "creation.h"
#include "factor_def.h"
#include "indexing.h"
#include "linalg.h"
#include "rules.h"
#include "shaping.h"
#include "view.h"

namespace strata::factor {

/// The part of a matrix that is its own adjoint.
inline Tensor symmetric(const Tensor& a) { return a.add(adjoint(a)).mul(0.5); }
inline Tensor skew(const Tensor& a) { return a.sub(adjoint(a)); }
/// The lower (upper) triangle with half of the diagonal.
inline Tensor half_tril(const Tensor& a) { return tril(a).add(tril(a, -1)).mul(0.5); }
inline Tensor half_triu(const Tensor& a) { return triu(a).add(triu(a, 1)).mul(0.5); }
/// Columns (rows) of a matrix times a vector's elements.
inline Tensor scale_columns(const Tensor& a, const Tensor& by) { return a.mul(unsqueeze(by, -2)); }
inline Tensor scale_rows(const Tensor& a, const Tensor& by) { return a.mul(unsqueeze(by, -1)); }
/// Matrices where the rank is less than `full`; where it is not they are 0, but for roundings, which products with a
/// pseudo-inverse make as large as the square of the condition.
inline Tensor beyond_rank(const Tensor& t, const Tensor& rank, int64_t full) {
  return masked_fill(t, unsqueeze(unsqueeze(eq(rank, full), -1), -1), 0);
}
inline Tensor matrix_diagonal(const Tensor& a) { return diagonal(a, 0, -2, -1); }
/// A number per matrix, to meet matrices.
inline Tensor per_matrix(const Tensor& x) { return unsqueeze(unsqueeze(x, -1), -1); }
/// Rows (columns) `start` to `start + length`.
inline Tensor rows(const Tensor& a, int64_t start, int64_t length) { return narrow(a, -2, start, length); }
inline Tensor cols(const Tensor& a, int64_t start, int64_t length) { return narrow(a, -1, start, length); }
/// a + b, a - b where either may be undefined, meaning zero.
inline Tensor plus(const Tensor& a, const Tensor& b) { return rules::add_defined(a, b); }
inline Tensor minus(const Tensor& a, const Tensor& b) { return !b.defined() ? a : a.defined() ? a.sub(b) : b.neg(); }
/// a b where a may be undefined, meaning zero.
inline Tensor times(const Tensor& a, const Tensor& b) { return a.defined() ? matmul(a, b) : a; }

inline Tensor triangular(const Tensor& a, const Tensor& b, const TriangularParams& p) {
  return call1(triangular_solve_op, {&a, &b}, p);
}
inline Tensor solve_with(const Tensor& a, const Tensor& b, const Tensor& lu, const Tensor& pivots,
                         const SolveParams& p) {
  return call1(solve_op, {&a, &b, &lu, &pivots}, p);
}
/// Identity matrices `(..., n, n)` like `a`'s.
inline Tensor identity_like(const Tensor& a) { return expand(eye(a.size(-1), a.options()), a.sizes()); }
/// The rows of `a` in the order that `perm` `(..., m)` names.
inline Tensor take_rows(const Tensor& a, const Tensor& perm) {
  return gather(a, -2, expand(unsqueeze(perm, -1), a.sizes()));
}
inline Tensor take_cols(const Tensor& a, const Tensor& perm) {
  return gather(a, -1, expand(unsqueeze(perm, -2), a.sizes()));
}
Tensor lu_permutation(const Tensor& pivots, int64_t rows);
/// The permutation that undoes `perm`.
Tensor inverse_permutation(const Tensor& perm);

/// The sizes of `a` without the last `n`.
inline DimVector leading(const Tensor& a, size_t n = 2) { return a.sizes().slice(0, a.sizes().size() - n); }
/// A fresh output with the leading sizes of `a` and then `last`.
inline Meta meta_with(const Tensor& a, std::initializer_list<int64_t> last, DType dtype, size_t cut = 2) {
  DimVector sizes = leading(a, cut);
  for (int64_t s : last) sizes.push_back(s);
  return meta(sizes, dtype, a.device());
}
inline Meta meta_with(const Tensor& a, std::initializer_list<int64_t> last) { return meta_with(a, last, a.dtype()); }
/// The same of real numbers: eigenvalues of Hermitian matrices, singular values, logarithms of absolute values.
inline Meta real_meta_with(const Tensor& a, std::initializer_list<int64_t> last) {
  return meta_with(a, last, to_real_dtype(a.dtype()));
}

// --- for the public functions

void check_matrix(const char* op, const Tensor& a);
void check_square(const char* op, const Tensor& a);
/// Two operands of one dtype whose leading dims broadcast; gives them equal leading dims.
std::pair<Tensor, Tensor> broadcast_leading(const char* op, const Tensor& a, const Tensor& b);
/// The numbers of a tensor, on the CPU; undefined under vmap and trace, where there are none to read.
Tensor readable(const char* op, const Tensor& x);
/// Throws if a code of `info` is not zero: "<op>: matrix 3 of the batch <what>", `what` with the code less `base` put
/// in.
void check_info(const char* op, const Tensor& info, const char* what, int base);
/// A's factors as constants: the ops that take them beside A know A's part in the derivative.
Tensors constant_factors(const Tensor& a);

}  // namespace strata::factor
