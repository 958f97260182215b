// Results written into tensors that are there: the out forms of functions that are not element-wise.
#pragma once
#include <optional>
#include <string_view>
#include <tuple>

#include "../core/tensor.h"

namespace strata {

// `out` gets the result's shape, as by resize_ where it has another, and must have a dtype that holds the result.
Tensor& quantile_out(Tensor& out, const Tensor& self, const Tensor& q, std::optional<int64_t> dim = std::nullopt,
                     bool keepdim = false, std::string_view interpolation = "linear");
Tensor& quantile_out(Tensor& out, const Tensor& self, double q, std::optional<int64_t> dim = std::nullopt,
                     bool keepdim = false, std::string_view interpolation = "linear");
std::tuple<Tensor&, Tensor&> median_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim,
                                        bool keepdim = false);
Tensor& median_out(Tensor& out, const Tensor& self);
std::tuple<Tensor&, Tensor&> mode_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim = -1,
                                      bool keepdim = false);
std::tuple<Tensor&, Tensor&> kthvalue_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t k,
                                          int64_t dim = -1, bool keepdim = false);
Tensor& diff_out(Tensor& out, const Tensor& self, int64_t n = 1, int64_t dim = -1, OptionalTensorRef prepend = {},
                 OptionalTensorRef append = {});
Tensor& column_stack_out(Tensor& out, TensorList tensors);
Tensor& dstack_out(Tensor& out, TensorList tensors);
Tensor& hstack_out(Tensor& out, TensorList tensors);
Tensor& vstack_out(Tensor& out, TensorList tensors);
Tensor& cat_out(Tensor& out, TensorList tensors, int64_t dim = 0);
Tensor& stack_out(Tensor& out, TensorList tensors, int64_t dim = 0);
Tensor& histc_out(Tensor& out, const Tensor& self, int64_t bins = 100, const Scalar& min = 0, const Scalar& max = 0);
Tensor& isin_out(Tensor& out, const Tensor& elements, const Tensor& test_elements, bool assume_unique = false,
                 bool invert = false);
Tensor& isin_out(Tensor& out, const Tensor& elements, const Scalar& test_element, bool assume_unique = false,
                 bool invert = false);
Tensor& isin_out(Tensor& out, const Scalar& element, const Tensor& test_elements, bool assume_unique = false,
                 bool invert = false);
Tensor& logcumsumexp_out(Tensor& out, const Tensor& self, int64_t dim);
Tensor& cumsum_out(Tensor& out, const Tensor& self, int64_t dim, std::optional<DType> dtype = std::nullopt);
Tensor& cumprod_out(Tensor& out, const Tensor& self, int64_t dim, std::optional<DType> dtype = std::nullopt);
std::tuple<Tensor&, Tensor&> cummax_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim);
std::tuple<Tensor&, Tensor&> cummin_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim);
Tensor& scatter_reduce_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                           std::string_view reduce, bool include_self = true);
Tensor& gather_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index);
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value);
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                    std::string_view reduce);
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                    std::string_view reduce);
Tensor& scatter_add_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
Tensor& index_select_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index);
Tensor& index_add_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                      const Scalar& alpha = 1);
Tensor& masked_select_out(Tensor& out, const Tensor& self, const Tensor& mask);
Tensor& take_out(Tensor& out, const Tensor& self, const Tensor& index);
Tensor& nonzero_out(Tensor& out, const Tensor& self);
std::tuple<Tensor&, Tensor&> sort_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim = -1,
                                      bool descending = false);
std::tuple<Tensor&, Tensor&> sort_out(Tensor& values, Tensor& indices, const Tensor& self, std::optional<bool> stable,
                                      int64_t dim = -1, bool descending = false);
std::tuple<Tensor&, Tensor&> topk_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t k, int64_t dim = -1,
                                      bool largest = true, bool sorted = true);
Tensor& arange_out(Tensor& out, const Scalar& end);
Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step);
Tensor& linspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps);
Tensor& eye_out(Tensor& out, int64_t n);
Tensor& eye_out(Tensor& out, int64_t n, int64_t m);
Tensor& full_out(Tensor& out, IntArrayRef size, const Scalar& fill_value);
Tensor& zeros_out(Tensor& out, IntArrayRef size);
Tensor& ones_out(Tensor& out, IntArrayRef size);
Tensor& sum_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
                std::optional<DType> dtype = std::nullopt);
Tensor& sum_out(Tensor& out, const Tensor& self, std::optional<DType> dtype = std::nullopt);
Tensor& mean_out(Tensor& out, const Tensor& self, std::optional<DType> dtype = std::nullopt);
Tensor& mean_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
                 std::optional<DType> dtype = std::nullopt);
Tensor& prod_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim = false,
                 std::optional<DType> dtype = std::nullopt);
Tensor& prod_out(Tensor& out, const Tensor& self, std::optional<DType> dtype = std::nullopt);
Tensor& amax_out(Tensor& out, const Tensor& self, IntArrayRef dim = {}, bool keepdim = false);
Tensor& amin_out(Tensor& out, const Tensor& self, IntArrayRef dim = {}, bool keepdim = false);
Tensor& all_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim = false);
Tensor& all_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false);
Tensor& all_out(Tensor& out, const Tensor& self);
Tensor& any_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim = false);
Tensor& any_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false);
Tensor& any_out(Tensor& out, const Tensor& self);
Tensor& argmax_out(Tensor& out, const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
Tensor& argmin_out(Tensor& out, const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
std::tuple<Tensor&, Tensor&> max_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim,
                                     bool keepdim = false);
Tensor& max_out(Tensor& out, const Tensor& self, const Tensor& other);
Tensor& max_out(Tensor& out, const Tensor& self);
std::tuple<Tensor&, Tensor&> min_out(Tensor& values, Tensor& indices, const Tensor& self, int64_t dim,
                                     bool keepdim = false);
Tensor& min_out(Tensor& out, const Tensor& self);
Tensor& min_out(Tensor& out, const Tensor& self, const Tensor& other);
Tensor& std_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
Tensor& std_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
                const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
Tensor& var_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
Tensor& var_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
                const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
Tensor& norm_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                 DType dtype);
Tensor& norm_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim,
                 bool keepdim = false);
Tensor& norm_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& p, DType dtype);
Tensor& norm_out(Tensor& out, const Tensor& self, const Scalar& p = 2);
Tensor& logsumexp_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim = false);
Tensor& addmv_out(Tensor& out, const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1,
                  const Scalar& alpha = 1);
Tensor& addbmm_out(Tensor& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
                   const Scalar& alpha = 1);
Tensor& baddbmm_out(Tensor& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
                    const Scalar& alpha = 1);
Tensor& mv_out(Tensor& out, const Tensor& self, const Tensor& vec);
Tensor& dot_out(Tensor& out, const Tensor& self, const Tensor& tensor);
Tensor& outer_out(Tensor& out, const Tensor& self, const Tensor& vec2);
Tensor& tril_out(Tensor& out, const Tensor& self, int64_t diagonal = 0);
Tensor& triu_out(Tensor& out, const Tensor& self, int64_t diagonal = 0);
Tensor& diag_out(Tensor& out, const Tensor& self, int64_t diagonal = 0);
Tensor& flip_out(Tensor& out, const Tensor& self, IntArrayRef dims);
Tensor& roll_out(Tensor& out, const Tensor& self, IntArrayRef shifts, IntArrayRef dims = {});
Tensor& bucketize_out(Tensor& out, const Tensor& self, const Tensor& boundaries, bool out_int32 = false,
                      bool right = false);
Tensor& bucketize_out(Tensor& out, const Scalar& self, const Tensor& boundaries, bool out_int32 = false,
                      bool right = false);
Tensor& searchsorted_out(Tensor& out, const Tensor& sorted_sequence, const Tensor& self, bool out_int32 = false,
                         bool right = false, std::optional<std::string_view> side = std::nullopt,
                         OptionalTensorRef sorter = {});
Tensor& searchsorted_out(Tensor& out, const Tensor& sorted_sequence, const Scalar& self, bool out_int32 = false,
                         bool right = false, std::optional<std::string_view> side = std::nullopt,
                         OptionalTensorRef sorter = {});
Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& self, const Tensor& other);
Tensor& linalg_cholesky_out(Tensor& out, const Tensor& self, bool upper = false);
Tensor& linalg_det_out(Tensor& out, const Tensor& A);
std::tuple<Tensor&, Tensor&> linalg_eig_out(Tensor& eigenvalues, Tensor& eigenvectors, const Tensor& self);
std::tuple<Tensor&, Tensor&> linalg_eigh_out(Tensor& eigvals, Tensor& eigvecs, const Tensor& self,
                                             std::string_view UPLO = "L");
Tensor& linalg_inv_out(Tensor& out, const Tensor& A);
std::tuple<Tensor&, Tensor&> linalg_qr_out(Tensor& Q, Tensor& R, const Tensor& A, std::string_view mode = "reduced");
Tensor& linalg_solve_out(Tensor& out, const Tensor& A, const Tensor& B, bool left = true);
std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_out(Tensor& U, Tensor& S, Tensor& Vh, const Tensor& A,
                                                     bool full_matrices = true,
                                                     std::optional<std::string_view> driver = std::nullopt);
Tensor& inverse_out(Tensor& out, const Tensor& self);

}  // namespace strata
