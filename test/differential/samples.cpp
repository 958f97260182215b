// Forms of functions that programs from PyTorch's own sample inputs call and random programs do not.
#include "compat/parts/aten.h"
#include "compat/parts/backward.h"
#include "compat/parts/native.h"
#include "compat/parts/overloads.h"
#include "compat/parts/underscore.h"
#include "test/differential/names.h"

namespace differential {
namespace {

using strata::DType;
using L = IntArrayRef;
using D = double;
using Doubles = std::optional<std::vector<double>>;
using Format = MaybeInt;  // of memory, which programs cannot say: always none
namespace linalg = strata::linalg;
namespace fft = strata::fft;

strata::TensorOptions options(MaybeDType dtype) {
  return dtype ? strata::TensorOptions(*dtype) : strata::TensorOptions();
}

Rows made_rows() {
  return {
      {"to", [](T x, DType dtype, bool non_blocking, bool copy, Format) { return x.to(dtype, non_blocking, copy); }},
      {"clone", [](T x, Format) { return x.clone(); }},
      {"new_full", [](T x, L sizes, S value, MaybeDType dtype) { return x.new_full(sizes, value, options(dtype)); }},
      {"new_zeros", [](T x, L sizes, MaybeDType dtype) { return x.new_zeros(sizes, options(dtype)); }},
      {"new_ones", [](T x, L sizes, MaybeDType dtype) { return x.new_ones(sizes, options(dtype)); }},
      {"ones_like", [](T x, MaybeDType dtype, Format) { return strata::ones_like(x, options(dtype)); }},
      {"zeros_like", [](T x, MaybeDType dtype, Format) { return strata::zeros_like(x, options(dtype)); }},
      {"full_like", [](T x, S value, MaybeDType dtype, Format) { return strata::full_like(x, value, options(dtype)); }},
      {"zeros", [](L sizes, MaybeDType dtype) { return strata::zeros(sizes, options(dtype)); }},
      {"ones", [](L sizes, MaybeDType dtype) { return strata::ones(sizes, options(dtype)); }},
      {"full", [](L sizes, S value, MaybeDType dtype) { return strata::full(sizes, value, options(dtype)); }},
      {"eye", [](I n, MaybeDType dtype) { return strata::eye(n, options(dtype)); }},
      {"eye", [](I n, I m, MaybeDType dtype) { return strata::eye(n, m, options(dtype)); }},
      {"arange", [](S begin, S end, MaybeDType dtype) { return strata::arange(begin, end, options(dtype)); }},
      {"arange",
       [](S begin, S end, S step, MaybeDType dtype) { return strata::arange(begin, end, step, options(dtype)); }},
      {"linspace", [](T a, T b, I steps, MaybeDType dtype) { return strata::linspace(a, b, steps, options(dtype)); }},
      {"linspace", [](S a, S b, I steps, MaybeDType dtype) { return strata::linspace(a, b, steps, options(dtype)); }},
      {"linspace", [](T a, S b, I steps, MaybeDType dtype) { return strata::linspace(a, b, steps, options(dtype)); }},
      {"linspace", [](S a, T b, I steps, MaybeDType dtype) { return strata::linspace(a, b, steps, options(dtype)); }},
      {"logspace",
       [](S a, S b, I steps, D base, MaybeDType dtype) { return strata::logspace(a, b, steps, base, options(dtype)); }},
      {"logspace",
       [](T a, T b, I steps, D base, MaybeDType dtype) { return strata::logspace(a, b, steps, base, options(dtype)); }},
      {"triu_indices",
       [](I r, I c, I offset, MaybeDType dtype) { return strata::triu_indices(r, c, offset, options(dtype)); }},
      {"tril_indices",
       [](I r, I c, I offset, MaybeDType dtype) { return strata::tril_indices(r, c, offset, options(dtype)); }},
      {"fill", [](T x, S value) { return strata::fill(x, value); }},
      {"dropout", [](T x, D p, bool train) { return strata::dropout(x, p, train); }},
      {"feature_dropout", [](T x, D p, bool train) { return strata::feature_dropout(x, p, train); }},
      {"alpha_dropout", [](T x, D p, bool train) { return strata::alpha_dropout(x, p, train); }},
      {"feature_alpha_dropout", [](T x, D p, bool train) { return strata::feature_alpha_dropout(x, p, train); }},
      {"native_dropout_backward",
       [](T grad, T mask, D scale) { return strata::native_dropout_backward(grad, mask, scale); }},
  };
}

Rows arranged_rows() {
  return {
      {"pad", [](T x, L pad, Text mode, MaybeDouble value) { return strata::pad(x, pad, mode, value); }},
      {"mT", [](T x) { return x.mT(); }},
      {"mH", [](T x) { return x.mH(); }},
      {"numpy_T", [](T x) { return x.numpy_T(); }},
      {"matrix_H", [](T x) { return x.matrix_H(); }},
      {"adjoint", [](T x) { return x.adjoint(); }},
      {"_conj", [](T x) { return strata::_conj(x); }},
      {"resolve_conj", [](T x) { return strata::resolve_conj(x); }},
      {"resolve_neg", [](T x) { return strata::resolve_neg(x); }},
      {"expand", [](T x, L sizes, bool implicit) { return x.expand(sizes, implicit); }},
      {"expand_copy", [](T x, L sizes, bool implicit) { return strata::expand_copy(x, sizes, implicit); }},
      {"as_strided_copy",
       [](T x, L sizes, L strides, MaybeInt offset) {
         return strata::as_strided_copy(x, sizes, strides, offset.value_or(x.storage_offset()));
       }},
      {"reshape_as", [](T x, T other) { return x.reshape_as(other); }},
      {"narrow", [](T x, I dim, T start, I length) { return x.narrow(dim, start, length); }},
      {"gather", [](T x, I dim, T index, bool sparse) { return x.gather(dim, index, sparse); }},
      {"einsum", [](Text equation, Tensors x, Value) { return strata::einsum(std::string(equation), x); }},
      {"repeat_interleave", [](T x, I n, MaybeInt dim, MaybeInt size) { return x.repeat_interleave(n, dim, size); }},
      {"repeat_interleave", [](T x, T n, MaybeInt dim, MaybeInt size) { return x.repeat_interleave(n, dim, size); }},
      {"repeat_interleave", [](T n, MaybeInt size) { return strata::repeat_interleave(n, size); }},
      {"tensor_split", [](T x, T at, I dim) { return x.tensor_split(at, dim); }},
      {"tensor_split", [](T x, I n, I dim) { return x.tensor_split(n, dim); }},
      {"tensor_split", [](T x, L at, I dim) { return x.tensor_split(at, dim); }},
      {"hsplit", [](T x, L at) { return x.hsplit(at); }},
      {"vsplit", [](T x, L at) { return x.vsplit(at); }},
      {"dsplit", [](T x, L at) { return x.dsplit(at); }},
      {"hsplit", [](T x, I n) { return x.hsplit(n); }},
      {"vsplit", [](T x, I n) { return x.vsplit(n); }},
      {"dsplit", [](T x, I n) { return x.dsplit(n); }},
      {"nonzero_numpy", [](T x) { return strata::nonzero_numpy(x); }},
      {"_chunk_cat", [](Tensors x, I dim, I n) { return strata::_chunk_cat(x, dim, n); }},
      {"searchsorted", [](T sorted, T x, bool int32, bool right, std::optional<Text> side,
                          Maybe sorter) { return strata::searchsorted(sorted, x, int32, right, side, sorter); }},
      {"searchsorted", [](T sorted, S x, bool int32, bool right, std::optional<Text> side,
                          Maybe sorter) { return strata::searchsorted(sorted, x, int32, right, side, sorter); }},
  };
}

Rows reduced_rows() {
  return {
      {"cov", [](T x, I correction, Maybe f, Maybe a) { return x.cov(correction, f, a); }},
      {"count_nonzero", [](T x, MaybeInt dim) { return strata::count_nonzero(x, dim); }},
      {"var", [](T x, bool unbiased) { return x.var(unbiased); }},
      {"std", [](T x, bool unbiased) { return x.std(unbiased); }},
      {"var_mean", [](T x, bool unbiased) { return strata::var_mean(x, unbiased); }},
      {"std_mean", [](T x, bool unbiased) { return strata::std_mean(x, unbiased); }},
      {"_safe_softmax", [](T x, I dim, MaybeDType dtype) { return strata::_safe_softmax(x, dim, dtype); }},
      {"_softmax_backward_data",
       [](T grad, T y, I dim, DType dtype) { return strata::_softmax_backward_data(grad, y, dim, dtype); }},
      {"cumulative_trapezoid", [](T y, T x, I dim) { return strata::cumulative_trapezoid(y, x, dim); }},
      {"cumulative_trapezoid", [](T y, S dx, I dim) { return strata::cumulative_trapezoid(y, dx, dim); }},
      {"trapz", [](T y, D dx, I dim) { return strata::trapz(y, dx, dim); }},
      {"gradient",
       [](T x, MaybeScalar spacing, MaybeInt dim, I order) { return strata::gradient(x, spacing, dim, order); }},
      {"histogram", [](T x, I bins, Doubles range, Maybe weight,
                       bool density) { return strata::histogram(x, bins, range, weight, density); }},
      {"i0", [](T x) { return strata::i0(x); }},
      {"special_polygamma", [](I n, T x) { return strata::polygamma(n, x); }},
      {"divide", [](T a, T b) { return strata::divide(a, b); }},
      {"divide", [](T a, S b) { return strata::divide(a, b); }},
  };
}

Rows layer_forms() {
  return {
      {"group_norm",
       [](T x, I groups, Maybe w, Maybe b, D eps, bool) { return strata::group_norm(x, groups, w, b, eps); }},
      {"layer_norm",
       [](T x, L shape, Maybe w, Maybe b, D eps, bool) { return strata::layer_norm(x, shape, w, b, eps); }},
      {"native_layer_norm",
       [](T x, L shape, Maybe w, Maybe b, D eps) { return strata::native_layer_norm(x, shape, w, b, eps); }},
      {"native_group_norm", [](T x, Maybe w, Maybe b, I n, I c, I size, I groups,
                               D eps) { return strata::native_group_norm(x, w, b, n, c, size, groups, eps); }},
      {"native_batch_norm",
       [](T x, Maybe w, Maybe b, Maybe mean, Maybe var, bool training, D momentum, D eps) {
         return strata::native_batch_norm(x, w, b, mean, var, training, momentum, eps);
       }},
      {"avg_pool3d",
       [](T x, L kernel, L stride, L padding, bool ceil, bool pad, MaybeInt divisor) {
         return strata::avg_pool3d(x, kernel, stride, padding, ceil, pad, divisor);
       }},
      {"scaled_dot_product_attention",
       [](T q, T k, T v, Maybe mask, D p, bool causal, MaybeDouble scale, bool grouped) {
         return strata::scaled_dot_product_attention(q, k, v, mask, p, causal, scale, grouped);
       }},
      {"embedding", [](T weight, T index, I padding, bool scaled,
                       bool sparse) { return strata::embedding(weight, index, padding, scaled, sparse); }},
  };
}

Rows spectrum_rows() {
  return {
      {"fft_fft", &fft::fft},       {"fft_ifft", &fft::ifft},   {"fft_rfft", &fft::rfft},
      {"fft_irfft", &fft::irfft},   {"fft_hfft", &fft::hfft},   {"fft_ihfft", &fft::ihfft},
      {"fft_fft2", &fft::fft2},     {"fft_ifft2", &fft::ifft2}, {"fft_rfft2", &fft::rfft2},
      {"fft_irfft2", &fft::irfft2}, {"fft_hfft2", &fft::hfft2}, {"fft_ihfft2", &fft::ihfft2},
      {"fft_fftn", &fft::fftn},     {"fft_ifftn", &fft::ifftn}, {"fft_rfftn", &fft::rfftn},
      {"fft_irfftn", &fft::irfftn}, {"fft_hfftn", &fft::hfftn}, {"fft_ihfftn", &fft::ihfftn},
  };
}

Rows matrix_rows() {
  using MaybeDriver = std::optional<Text>;
  return {
      {"linalg_matrix_rank",
       [](T a, Maybe atol, Maybe rtol, bool hermitian) { return linalg::matrix_rank(a, atol, rtol, hermitian); }},
      {"linalg_matrix_rank", [](T a, MaybeDouble atol, MaybeDouble rtol,
                                bool hermitian) { return linalg::matrix_rank(a, atol, rtol, hermitian); }},
      {"linalg_matrix_rank", [](T a, D tol, bool hermitian) { return linalg::matrix_rank(a, tol, hermitian); }},
      {"linalg_pinv",
       [](T a, Maybe atol, Maybe rtol, bool hermitian) { return linalg::pinv(a, atol, rtol, hermitian); }},
      {"linalg_pinv",
       [](T a, MaybeDouble atol, MaybeDouble rtol, bool hermitian) { return linalg::pinv(a, atol, rtol, hermitian); }},
      {"linalg_lstsq",
       [](T a, T b, MaybeDouble rcond, MaybeDriver driver) { return linalg::lstsq(a, b, rcond, driver); }},
      {"linalg_eigvals", [](T a) { return linalg::eigvals(a); }},
      {"linalg_svdvals", [](T a, MaybeDriver driver) { return linalg::svdvals(a, driver); }},
      {"linalg_ldl_factor_ex",
       [](T a, bool hermitian, bool check) { return linalg::ldl_factor_ex(a, hermitian, check); }},
      {"matrix_exp", [](T a) { return strata::matrix_exp(a); }},
      {"pinverse", [](T a, D rcond) { return strata::pinverse(a, rcond); }},
      {"lu_unpack", [](T lu, T pivots, bool data, bool p) { return strata::lu_unpack(lu, pivots, data, p); }},
      {"lu_solve", [](T b, T lu, T pivots) { return strata::lu_solve(b, lu, pivots); }},
      {"_lu_with_info", [](T a, bool pivot, bool check) { return strata::_lu_with_info(a, pivot, check); }},
  };
}

}  // namespace

Rows sample_rows() {
  Rows rows;
  for (auto family : {made_rows, arranged_rows, reduced_rows, layer_forms, spectrum_rows, matrix_rows})
    for (auto& row : family()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
