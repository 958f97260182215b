// The functions of namespace linalg under the names linalg_..., included by factor.h.
#pragma once
#include "factor.h"

namespace strata {

inline Tensor linalg_cholesky(const Tensor& A, bool upper = false) { return linalg::cholesky(A, upper); }
inline std::tuple<Tensor, Tensor> linalg_cholesky_ex(const Tensor& A, bool upper = false, bool check_errors = false) {
  return linalg::cholesky_ex(A, upper, check_errors);
}
inline std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot = true) {
  return linalg::lu_factor(A, pivot);
}
inline std::tuple<Tensor, Tensor, Tensor> linalg_lu_factor_ex(const Tensor& A, bool pivot = true,
                                                              bool check_errors = false) {
  return linalg::lu_factor_ex(A, pivot, check_errors);
}
inline std::tuple<Tensor, Tensor, Tensor> linalg_lu(const Tensor& A, bool pivot = true) { return linalg::lu(A, pivot); }
inline std::tuple<Tensor, Tensor> linalg_ldl_factor(const Tensor& A, bool hermitian = false) {
  return linalg::ldl_factor(A, hermitian);
}
inline std::tuple<Tensor, Tensor, Tensor> linalg_ldl_factor_ex(const Tensor& A, bool hermitian = false,
                                                               bool check_errors = false) {
  return linalg::ldl_factor_ex(A, hermitian, check_errors);
}
inline Tensor linalg_ldl_solve(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian = false) {
  return linalg::ldl_solve(LD, pivots, B, hermitian);
}
inline std::tuple<Tensor, Tensor> linalg_qr(const Tensor& A, std::string_view mode = "reduced") {
  return linalg::qr(A, mode);
}
inline std::tuple<Tensor, Tensor> linalg_eigh(const Tensor& A, std::string_view UPLO = "L") {
  return linalg::eigh(A, UPLO);
}
inline Tensor linalg_eigvalsh(const Tensor& A, std::string_view UPLO = "L") { return linalg::eigvalsh(A, UPLO); }
inline std::tuple<Tensor, Tensor, Tensor> linalg_svd(const Tensor& A, bool full_matrices = true,
                                                     std::optional<std::string_view> driver = std::nullopt) {
  return linalg::svd(A, full_matrices, driver);
}
inline Tensor linalg_svdvals(const Tensor& A, std::optional<std::string_view> driver = std::nullopt) {
  return linalg::svdvals(A, driver);
}
inline Tensor linalg_householder_product(const Tensor& A, const Tensor& tau) {
  return linalg::householder_product(A, tau);
}
inline Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left = true) { return linalg::solve(A, B, left); }
inline std::tuple<Tensor, Tensor> linalg_solve_ex(const Tensor& A, const Tensor& B, bool left = true,
                                                  bool check_errors = false) {
  return linalg::solve_ex(A, B, left, check_errors);
}
inline Tensor linalg_solve_triangular(const Tensor& A, const Tensor& B, bool upper, bool left = true,
                                      bool unitriangular = false) {
  return linalg::solve_triangular(A, B, upper, left, unitriangular);
}
inline Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true,
                              bool adjoint = false) {
  return linalg::lu_solve(LU, pivots, B, left, adjoint);
}
inline Tensor linalg_inv(const Tensor& A) { return linalg::inv(A); }
inline std::tuple<Tensor, Tensor> linalg_inv_ex(const Tensor& A, bool check_errors = false) {
  return linalg::inv_ex(A, check_errors);
}
inline std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq(const Tensor& A, const Tensor& B,
                                                               std::optional<double> rcond = std::nullopt,
                                                               std::optional<std::string_view> driver = std::nullopt) {
  return linalg::lstsq(A, B, rcond, driver);
}
inline Tensor linalg_pinv(const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                          bool hermitian = false) {
  return linalg::pinv(A, atol, rtol, hermitian);
}
inline Tensor linalg_pinv(const Tensor& A, double rcond, bool hermitian = false) {
  return linalg::pinv(A, rcond, hermitian);
}
inline Tensor linalg_pinv(const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian = false) {
  return linalg::pinv(A, atol, rtol, hermitian);
}
inline Tensor linalg_pinv(const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol, bool hermitian = false) {
  return linalg::pinv(A, atol, rtol, hermitian);
}
inline Tensor linalg_pinv(const Tensor& A, const Tensor& rcond, bool hermitian = false) {
  return linalg::pinv(A, rcond, hermitian);
}
inline Tensor linalg_pinv(const Tensor& A) { return linalg::pinv(A); }
inline Tensor linalg_tensorsolve(const Tensor& A, const Tensor& B, OptionalIntArrayRef dims = {}) {
  return linalg::tensorsolve(A, B, std::move(dims));
}
inline Tensor linalg_tensorinv(const Tensor& A, int64_t ind = 2) { return linalg::tensorinv(A, ind); }
inline Tensor linalg_det(const Tensor& A) { return linalg::det(A); }
inline std::tuple<Tensor, Tensor> linalg_slogdet(const Tensor& A) { return linalg::slogdet(A); }
inline Tensor linalg_matrix_rank(const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                                 bool hermitian = false) {
  return linalg::matrix_rank(A, atol, rtol, hermitian);
}
inline Tensor linalg_matrix_rank(const Tensor& A, double tol, bool hermitian = false) {
  return linalg::matrix_rank(A, tol, hermitian);
}
inline Tensor linalg_matrix_rank(const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian = false) {
  return linalg::matrix_rank(A, atol, rtol, hermitian);
}
inline Tensor linalg_matrix_rank(const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol,
                                 bool hermitian = false) {
  return linalg::matrix_rank(A, atol, rtol, hermitian);
}
inline Tensor linalg_matrix_rank(const Tensor& A, const Tensor& tol, bool hermitian = false) {
  return linalg::matrix_rank(A, tol, hermitian);
}
inline Tensor linalg_matrix_rank(const Tensor& A) { return linalg::matrix_rank(A); }
inline Tensor linalg_cond(const Tensor& A, const std::optional<Scalar>& p = std::nullopt) { return linalg::cond(A, p); }
inline Tensor linalg_cond(const Tensor& A, std::string_view p) { return linalg::cond(A, p); }
inline Tensor linalg_matrix_norm(const Tensor& A, const Scalar& ord, IntArrayRef dim = {-2, -1}, bool keepdim = false,
                                 std::optional<DType> dtype = std::nullopt) {
  return linalg::matrix_norm(A, ord, dim, keepdim, dtype);
}
inline Tensor linalg_matrix_norm(const Tensor& A, std::string_view ord = "fro", IntArrayRef dim = {-2, -1},
                                 bool keepdim = false, std::optional<DType> dtype = std::nullopt) {
  return linalg::matrix_norm(A, ord, dim, keepdim, dtype);
}
inline Tensor linalg_norm(const Tensor& A, const std::optional<Scalar>& ord = std::nullopt,
                          OptionalIntArrayRef dim = {}, bool keepdim = false,
                          std::optional<DType> dtype = std::nullopt) {
  return linalg::norm(A, ord, std::move(dim), keepdim, dtype);
}
inline Tensor linalg_norm(const Tensor& A, std::string_view ord, OptionalIntArrayRef dim = {}, bool keepdim = false,
                          std::optional<DType> dtype = std::nullopt) {
  return linalg::norm(A, ord, std::move(dim), keepdim, dtype);
}
inline Tensor linalg_matrix_power(const Tensor& A, int64_t n) { return linalg::matrix_power(A, n); }
inline Tensor linalg_matrix_sqrth(const Tensor& A) { return linalg::matrix_sqrth(A); }
inline Tensor linalg_matrix_exp(const Tensor& A) { return linalg::matrix_exp(A); }
inline Tensor linalg_multi_dot(TensorList tensors) { return linalg::multi_dot(tensors); }
inline Tensor linalg_vecdot(const Tensor& x, const Tensor& y, int64_t dim = -1) { return linalg::vecdot(x, y, dim); }
inline Tensor linalg_cross(const Tensor& a, const Tensor& b, int64_t dim = -1) { return linalg::cross(a, b, dim); }
inline Tensor linalg_vander(const Tensor& x, std::optional<int64_t> N = std::nullopt) { return linalg::vander(x, N); }
inline Tensor linalg_diagonal(const Tensor& A, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) {
  return linalg::diagonal(A, offset, dim1, dim2);
}

}  // namespace strata
