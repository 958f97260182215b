// Out forms: the function's result, copied into the tensor that is there.
#include "ops/out_forms.h"

#include <array>

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/differences.h"
#include "ops/eigen.h"
#include "ops/factor.h"
#include "ops/histogram.h"
#include "ops/indexing.h"
#include "ops/joining.h"
#include "ops/linalg.h"
#include "ops/promote.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/scatter_reduce.h"
#include "ops/sets.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/statistics.h"
#include "ops/ternary.h"

namespace strata {
namespace {

Tensor& write_out(const char* op, Tensor& out, const Tensor& result) {
  STRATA_CHECK(can_cast(result.dtype(), out.dtype()), "{}: the result is {}, out is {}", op, name(result.dtype()),
               name(out.dtype()));
  if (out.sizes() != result.sizes()) out.resize_(result.sizes());
  return out.copy_(result);
}

template <size_t kCount, class Results, size_t... I>
auto write_each(const char* op, const std::array<Tensor*, kCount>& out, const Results& results,
                std::index_sequence<I...>) {
  return std::tie(write_out(op, *out[I], std::get<I>(results))...);
}
/// The same of functions with several results.
template <size_t kCount, class Results>
auto write_out(const char* op, const std::array<Tensor*, kCount>& out, const Results& results) {
  return write_each(op, out, results, std::make_index_sequence<kCount>());
}

}  // namespace

Tensor& quantile_out(Tensor& out, const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                     std::string_view interpolation) {
  return write_out("quantile_out", out, quantile(self, q, dim, keepdim, interpolation));
}
Tensor& quantile_out(Tensor& out, const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                     std::string_view interpolation) {
  return write_out("quantile_out", out, quantile(self, q, dim, keepdim, interpolation));
}
std::tuple<Tensor&, Tensor&> median_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim,
                                        bool keepdim) {
  return write_out<2>("median_out", {&values, &indices}, median(self, dim, keepdim));
}
Tensor& median_out(Tensor& out, const Tensor& self) { return write_out("median_out", out, median(self)); }
std::tuple<Tensor&, Tensor&> mode_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim, bool keepdim) {
  return write_out<2>("mode_out", {&values, &indices}, mode(self, dim, keepdim));
}
std::tuple<Tensor&, Tensor&> kthvalue_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t k, int64_t dim,
                                          bool keepdim) {
  return write_out<2>("kthvalue_out", {&values, &indices}, kthvalue(self, k, dim, keepdim));
}
Tensor& diff_out(Tensor& out, const Tensor& self, int64_t n, int64_t dim, OptionalTensorRef prepend,
                 OptionalTensorRef append) {
  return write_out("diff_out", out, diff(self, n, dim, prepend, append));
}
Tensor& column_stack_out(Tensor& out, TensorList tensors) {
  return write_out("column_stack_out", out, column_stack(tensors));
}
Tensor& dstack_out(Tensor& out, TensorList tensors) { return write_out("dstack_out", out, dstack(tensors)); }
Tensor& hstack_out(Tensor& out, TensorList tensors) { return write_out("hstack_out", out, hstack(tensors)); }
Tensor& vstack_out(Tensor& out, TensorList tensors) { return write_out("vstack_out", out, vstack(tensors)); }
Tensor& cat_out(Tensor& out, TensorList tensors, int64_t dim) { return write_out("cat_out", out, cat(tensors, dim)); }
Tensor& stack_out(Tensor& out, TensorList tensors, int64_t dim) {
  return write_out("stack_out", out, stack(tensors, dim));
}
Tensor& histc_out(Tensor& out, const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max) {
  return write_out("histc_out", out, histc(self, bins, min, max));
}
Tensor& isin_out(Tensor& out, const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert) {
  return write_out("isin_out", out, isin(elements, test_elements, assume_unique, invert));
}
Tensor& isin_out(Tensor& out, const Tensor& elements, const Scalar& test_element, bool assume_unique, bool invert) {
  return write_out("isin_out", out, isin(elements, test_element, assume_unique, invert));
}
Tensor& isin_out(Tensor& out, const Scalar& element, const Tensor& test_elements, bool assume_unique, bool invert) {
  return write_out("isin_out", out, isin(element, test_elements, assume_unique, invert));
}
Tensor& logcumsumexp_out(Tensor& out, const Tensor& self, int64_t dim) {
  return write_out("logcumsumexp_out", out, logcumsumexp(self, dim));
}
Tensor& cumsum_out(Tensor& out, const Tensor& self, int64_t dim, std::optional<DType> dtype) {
  return write_out("cumsum_out", out, cumsum(self, dim, dtype));
}
Tensor& cumprod_out(Tensor& out, const Tensor& self, int64_t dim, std::optional<DType> dtype) {
  return write_out("cumprod_out", out, cumprod(self, dim, dtype));
}
std::tuple<Tensor&, Tensor&> cummax_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim) {
  return write_out<2>("cummax_out", {&values, &indices}, cummax(self, dim));
}
std::tuple<Tensor&, Tensor&> cummin_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim) {
  return write_out<2>("cummin_out", {&values, &indices}, cummin(self, dim));
}
Tensor& scatter_reduce_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                           std::string_view reduce, bool include_self) {
  return write_out("scatter_reduce_out", out, scatter_reduce(self, dim, index, src, reduce, include_self));
}
Tensor& gather_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index) {
  return write_out("gather_out", out, gather(self, dim, index));
}
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return write_out("scatter_out", out, scatter(self, dim, index, src));
}
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return write_out("scatter_out", out, scatter(self, dim, index, value));
}
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                    std::string_view reduce) {
  return write_out("scatter_out", out, scatter(self, dim, index, src, reduce));
}
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                    std::string_view reduce) {
  return write_out("scatter_out", out, scatter(self, dim, index, value, reduce));
}
Tensor& scatter_add_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return write_out("scatter_add_out", out, scatter_add(self, dim, index, src));
}
Tensor& index_select_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index) {
  return write_out("index_select_out", out, index_select(self, dim, index));
}
Tensor& index_add_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                      const Scalar& alpha) {
  return write_out("index_add_out", out, index_add(self, dim, index, source, alpha));
}
Tensor& masked_select_out(Tensor& out, const Tensor& self, const Tensor& mask) {
  return write_out("masked_select_out", out, masked_select(self, mask));
}
Tensor& take_out(Tensor& out, const Tensor& self, const Tensor& index) {
  return write_out("take_out", out, take(self, index));
}
Tensor& nonzero_out(Tensor& out, const Tensor& self) { return write_out("nonzero_out", out, nonzero(self)); }
std::tuple<Tensor&, Tensor&> sort_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim,
                                      bool descending) {
  return write_out<2>("sort_out", {&values, &indices}, sort(self, dim, descending));
}
std::tuple<Tensor&, Tensor&> sort_out(Tensor& values, Tensor& indices, const Tensor& self, std::optional<bool> stable,
                                      int64_t dim, bool descending) {
  return write_out<2>("sort_out", {&values, &indices}, sort(self, stable, dim, descending));
}
std::tuple<Tensor&, Tensor&> topk_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t k, int64_t dim,
                                      bool largest, bool sorted) {
  return write_out<2>("topk_out", {&values, &indices}, topk(self, k, dim, largest, sorted));
}
Tensor& arange_out(Tensor& out, const Scalar& end) { return write_out("arange_out", out, arange(end)); }
Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step) {
  return write_out("arange_out", out, arange(start, end, step));
}
Tensor& linspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps) {
  return write_out("linspace_out", out, linspace(start, end, steps));
}
Tensor& eye_out(Tensor& out, int64_t n) { return write_out("eye_out", out, eye(n)); }
Tensor& eye_out(Tensor& out, int64_t n, int64_t m) { return write_out("eye_out", out, eye(n, m)); }
Tensor& full_out(Tensor& out, IntArrayRef size, const Scalar& fill_value) {
  return write_out("full_out", out, full(size, fill_value));
}
Tensor& zeros_out(Tensor& out, IntArrayRef size) { return write_out("zeros_out", out, zeros(size)); }
Tensor& ones_out(Tensor& out, IntArrayRef size) { return write_out("ones_out", out, ones(size)); }
Tensor& sum_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<DType> dtype) {
  return write_out("sum_out", out, sum(self, dim, keepdim, dtype));
}
Tensor& sum_out(Tensor& out, const Tensor& self, std::optional<DType> dtype) {
  return write_out("sum_out", out, sum(self, dtype));
}
Tensor& mean_out(Tensor& out, const Tensor& self, std::optional<DType> dtype) {
  return write_out("mean_out", out, mean(self, dtype));
}
Tensor& mean_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<DType> dtype) {
  return write_out("mean_out", out, mean(self, dim, keepdim, dtype));
}
Tensor& prod_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim, std::optional<DType> dtype) {
  return write_out("prod_out", out, prod(self, dim, keepdim, dtype));
}
Tensor& prod_out(Tensor& out, const Tensor& self, std::optional<DType> dtype) {
  return write_out("prod_out", out, prod(self, dtype));
}
Tensor& amax_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim) {
  return write_out("amax_out", out, amax(self, dim, keepdim));
}
Tensor& amin_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim) {
  return write_out("amin_out", out, amin(self, dim, keepdim));
}
Tensor& all_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim) {
  return write_out("all_out", out, all(self, dim, keepdim));
}
Tensor& all_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return write_out("all_out", out, all(self, dim, keepdim));
}
Tensor& all_out(Tensor& out, const Tensor& self) { return write_out("all_out", out, all(self)); }
Tensor& any_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim) {
  return write_out("any_out", out, any(self, dim, keepdim));
}
Tensor& any_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return write_out("any_out", out, any(self, dim, keepdim));
}
Tensor& any_out(Tensor& out, const Tensor& self) { return write_out("any_out", out, any(self)); }
Tensor& argmax_out(Tensor& out, const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  return write_out("argmax_out", out, argmax(self, dim, keepdim));
}
Tensor& argmin_out(Tensor& out, const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  return write_out("argmin_out", out, argmin(self, dim, keepdim));
}
std::tuple<Tensor&, Tensor&> max_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim, bool keepdim) {
  return write_out<2>("max_out", {&values, &indices}, strata::max(self, dim, keepdim));
}
Tensor& max_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return write_out("max_out", out, max(self, other));
}
Tensor& max_out(Tensor& out, const Tensor& self) { return write_out("max_out", out, max(self)); }
std::tuple<Tensor&, Tensor&> min_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim, bool keepdim) {
  return write_out<2>("min_out", {&values, &indices}, strata::min(self, dim, keepdim));
}
Tensor& min_out(Tensor& out, const Tensor& self) { return write_out("min_out", out, min(self)); }
Tensor& min_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return write_out("min_out", out, min(self, other));
}
Tensor& std_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return write_out("std_out", out, std(self, dim, unbiased, keepdim));
}
Tensor& std_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                bool keepdim) {
  return write_out("std_out", out, std(self, dim, correction, keepdim));
}
Tensor& var_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return write_out("var_out", out, var(self, dim, unbiased, keepdim));
}
Tensor& var_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                bool keepdim) {
  return write_out("var_out", out, var(self, dim, correction, keepdim));
}
Tensor& norm_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                 DType dtype) {
  return write_out("norm_out", out, norm(self, p, dim, keepdim, dtype));
}
Tensor& norm_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim) {
  return write_out("norm_out", out, norm(self, p, dim, keepdim));
}
Tensor& norm_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& p, DType dtype) {
  return write_out("norm_out", out, norm(self, p, dtype));
}
Tensor& norm_out(Tensor& out, const Tensor& self, const Scalar& p) { return write_out("norm_out", out, norm(self, p)); }
Tensor& logsumexp_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim) {
  return write_out("logsumexp_out", out, logsumexp(self, dim, keepdim));
}
Tensor& addmv_out(Tensor& out, const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta,
                  const Scalar& alpha) {
  return write_out("addmv_out", out, addmv(self, mat, vec, beta, alpha));
}
Tensor& addbmm_out(Tensor& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                   const Scalar& alpha) {
  return write_out("addbmm_out", out, addbmm(self, batch1, batch2, beta, alpha));
}
Tensor& baddbmm_out(Tensor& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                    const Scalar& alpha) {
  return write_out("baddbmm_out", out, baddbmm(self, batch1, batch2, beta, alpha));
}
Tensor& mv_out(Tensor& out, const Tensor& self, const Tensor& vec) { return write_out("mv_out", out, mv(self, vec)); }
Tensor& dot_out(Tensor& out, const Tensor& self, const Tensor& tensor) {
  return write_out("dot_out", out, dot(self, tensor));
}
Tensor& outer_out(Tensor& out, const Tensor& self, const Tensor& vec2) {
  return write_out("outer_out", out, outer(self, vec2));
}
Tensor& tril_out(Tensor& out, const Tensor& self, int64_t diagonal) {
  return write_out("tril_out", out, tril(self, diagonal));
}
Tensor& triu_out(Tensor& out, const Tensor& self, int64_t diagonal) {
  return write_out("triu_out", out, triu(self, diagonal));
}
Tensor& diag_out(Tensor& out, const Tensor& self, int64_t diagonal) {
  return write_out("diag_out", out, diag(self, diagonal));
}
Tensor& flip_out(Tensor& out, const Tensor& self, IntArrayRef dims) {
  return write_out("flip_out", out, flip(self, dims));
}
Tensor& roll_out(Tensor& out, const Tensor& self, IntArrayRef shifts, IntArrayRef dims) {
  return write_out("roll_out", out, roll(self, shifts, dims));
}
Tensor& bucketize_out(Tensor& out, const Tensor& self, const Tensor& boundaries, bool out_int32, bool right) {
  return write_out("bucketize_out", out, bucketize(self, boundaries, out_int32, right));
}
Tensor& bucketize_out(Tensor& out, const Scalar& self, const Tensor& boundaries, bool out_int32, bool right) {
  return write_out("bucketize_out", out, bucketize(self, boundaries, out_int32, right));
}
Tensor& searchsorted_out(Tensor& out, const Tensor& sorted_sequence, const Tensor& self, bool out_int32, bool right,
                         std::optional<std::string_view> side, OptionalTensorRef sorter) {
  return write_out("searchsorted_out", out, searchsorted(sorted_sequence, self, out_int32, right, side, sorter));
}
Tensor& searchsorted_out(Tensor& out, const Tensor& sorted_sequence, const Scalar& self, bool out_int32, bool right,
                         std::optional<std::string_view> side, OptionalTensorRef sorter) {
  return write_out("searchsorted_out", out, searchsorted(sorted_sequence, self, out_int32, right, side, sorter));
}
Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& self, const Tensor& other) {
  return write_out("where_out", out, where(condition, self, other));
}
Tensor& linalg_cholesky_out(Tensor& out, const Tensor& self, bool upper) {
  return write_out("linalg_cholesky_out", out, linalg_cholesky(self, upper));
}
Tensor& linalg_det_out(Tensor& out, const Tensor& A) { return write_out("linalg_det_out", out, linalg_det(A)); }
std::tuple<Tensor&, Tensor&> linalg_eig_out(Tensor& eigenvalues, Tensor& eigenvectors, const Tensor& self) {
  return write_out<2>("linalg_eig_out", {&eigenvalues, &eigenvectors}, linalg_eig(self));
}
std::tuple<Tensor&, Tensor&> linalg_eigh_out(Tensor& eigvals, Tensor& eigvecs, const Tensor& self,
                                             std::string_view UPLO) {
  return write_out<2>("linalg_eigh_out", {&eigvals, &eigvecs}, linalg_eigh(self, UPLO));
}
Tensor& linalg_inv_out(Tensor& out, const Tensor& A) { return write_out("linalg_inv_out", out, linalg_inv(A)); }
std::tuple<Tensor&, Tensor&> linalg_qr_out(Tensor& Q, Tensor& R, const Tensor& A, std::string_view mode) {
  return write_out<2>("linalg_qr_out", {&Q, &R}, linalg_qr(A, mode));
}
Tensor& linalg_solve_out(Tensor& out, const Tensor& A, const Tensor& B, bool left) {
  return write_out("linalg_solve_out", out, linalg_solve(A, B, left));
}
std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_out(Tensor& U, Tensor& S, Tensor& Vh, const Tensor& A,
                                                     bool full_matrices, std::optional<std::string_view> driver) {
  return write_out<3>("linalg_svd_out", {&U, &S, &Vh}, linalg_svd(A, full_matrices, driver));
}
Tensor& inverse_out(Tensor& out, const Tensor& self) { return write_out("inverse_out", out, inverse(self)); }

}  // namespace strata
