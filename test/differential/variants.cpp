// Functions by other names and in other shapes: as copies of views, of lists of tensors, into tensors that are given,
// of no tensors at all.
#include "test/differential/names.h"

namespace differential {
namespace {

namespace F = strata::nn::functional;
namespace linalg = strata::linalg;
namespace fft = strata::fft;
namespace special = strata::special;
using L = IntArrayRef;
using Scalars = std::vector<Scalar>;
using Places = std::vector<strata::indexing::TensorIndex>;

strata::TensorOptions of_dtype(MaybeDType dtype) {
  return dtype ? strata::TensorOptions(*dtype) : strata::TensorOptions();
}

/// Copies of pieces that in PyTorch are no views of what they lie in.
Tensors copied(Tensors pieces) {
  for (Tensor& piece : pieces) piece = piece.clone();
  return pieces;
}

Rows copy_rows() {
  return {
      {"alias_copy", [](T x) { return strata::alias_copy(x); }},
      {"detach_copy", [](T x) { return strata::detach_copy(x); }},
      {"narrow_copy", [](T x, I dim, I start, I length) { return strata::narrow_copy(x, dim, start, length); }},
      {"unsafe_chunk", [](T x, I count, I dim) { return copied(strata::unsafe_chunk(x, count, dim)); }},
      {"unsafe_split", [](T x, I size, I dim) { return copied(strata::unsafe_split(x, size, dim)); }},
      {"unsafe_split_with_sizes",
       [](T x, L sizes, I dim) { return copied(strata::unsafe_split_with_sizes(x, sizes, dim)); }},
      {"diagonal_copy", [](T x, I offset, I a, I b) { return strata::diagonal_copy(x, offset, a, b); }},
      {"expand_copy", [](T x, L sizes) { return strata::expand_copy(x, sizes); }},
      {"permute_copy", [](T x, L dims) { return strata::permute_copy(x, dims); }},
      {"select_copy", [](T x, I dim, I i) { return strata::select_copy(x, dim, i); }},
      {"slice_copy",
       [](T x, I dim, MaybeInt start, MaybeInt stop, I step) { return strata::slice_copy(x, dim, start, stop, step); }},
      {"squeeze_copy", [](T x) { return strata::squeeze_copy(x); }},
      {"squeeze_copy", [](T x, I dim) { return strata::squeeze_copy(x, dim); }},
      {"squeeze_copy", [](T x, L dims) { return strata::squeeze_copy(x, dims); }},
      {"t_copy", [](T x) { return strata::t_copy(x); }},
      {"transpose_copy", [](T x, I a, I b) { return strata::transpose_copy(x, a, b); }},
      {"unfold_copy", [](T x, I dim, I size, I step) { return strata::unfold_copy(x, dim, size, step); }},
      {"unsqueeze_copy", [](T x, I dim) { return strata::unsqueeze_copy(x, dim); }},
      {"view_copy", [](T x, L sizes) { return strata::view_copy(x, sizes); }},
      {"view_as_real_copy", [](T x) { return strata::view_as_real_copy(x); }},
      {"view_as_complex_copy", [](T x) { return strata::view_as_complex_copy(x); }},
      {"unbind_copy", [](T x, I dim) { return strata::unbind_copy(x, dim); }},
      {"split_with_sizes_copy", [](T x, L sizes, I dim) { return strata::split_with_sizes_copy(x, sizes, dim); }},
      {"viewed_as", [](T x, strata::DType dtype) { return x.view_dtype(dtype).clone(); }},
      {"moveaxis", [](T x, L from, L to) { return strata::moveaxis(x, from, to); }},
      {"swapdims", [](T x, I a, I b) { return strata::swapdims(x, a, b); }},
      {"select_backward", [](T g, L sizes, I dim, I i) { return strata::select_backward(g, sizes, dim, i); }},
      {"slice_backward", [](T g, L sizes, I dim, I start, I stop,
                            I step) { return strata::slice_backward(g, sizes, dim, start, stop, step); }},
      {"unfold_backward",
       [](T g, L sizes, I dim, I size, I step) { return strata::unfold_backward(g, sizes, dim, size, step); }},
  };
}

Rows factory_rows() {
  return {
      {"arange",
       [](S start, S end, S step, MaybeDType dtype) { return strata::arange(start, end, step, of_dtype(dtype)); }},
      {"range",
       [](S start, S end, S step, MaybeDType dtype) { return strata::range(start, end, step, of_dtype(dtype)); }},
      {"linspace",
       [](S start, S end, I steps, MaybeDType dtype) { return strata::linspace(start, end, steps, of_dtype(dtype)); }},
      {"logspace", [](S start, S end, I steps, double base,
                      MaybeDType dtype) { return strata::logspace(start, end, steps, base, of_dtype(dtype)); }},
      {"eye", [](I n, I m, MaybeDType dtype) { return strata::eye(n, m, of_dtype(dtype)); }},
      {"full", [](L sizes, S value, MaybeDType dtype) { return strata::full(sizes, value, of_dtype(dtype)); }},
      {"zeros", [](L sizes, MaybeDType dtype) { return strata::zeros(sizes, of_dtype(dtype)); }},
      {"ones", [](L sizes, MaybeDType dtype) { return strata::ones(sizes, of_dtype(dtype)); }},
      {"scalar_tensor", [](S value, MaybeDType dtype) { return strata::scalar_tensor(value, of_dtype(dtype)); }},
      {"zeros_like", [](T x, MaybeDType dtype) { return strata::zeros_like(x, of_dtype(dtype)); }},
      {"ones_like", [](T x, MaybeDType dtype) { return strata::ones_like(x, of_dtype(dtype)); }},
      {"full_like", [](T x, S value, MaybeDType dtype) { return strata::full_like(x, value, of_dtype(dtype)); }},
      {"tril_indices", [](I rows, I cols, I offset) { return strata::tril_indices(rows, cols, offset); }},
      {"triu_indices", [](I rows, I cols, I offset) { return strata::triu_indices(rows, cols, offset); }},
      {"hann_window",
       [](I n, bool periodic, MaybeDType dtype) { return strata::hann_window(n, periodic, of_dtype(dtype)); }},
      {"hamming_window",
       [](I n, bool periodic, MaybeDType dtype) { return strata::hamming_window(n, periodic, of_dtype(dtype)); }},
      {"blackman_window",
       [](I n, bool periodic, MaybeDType dtype) { return strata::blackman_window(n, periodic, of_dtype(dtype)); }},
      {"bartlett_window",
       [](I n, bool periodic, MaybeDType dtype) { return strata::bartlett_window(n, periodic, of_dtype(dtype)); }},
      {"kaiser_window", [](I n, bool periodic, double beta,
                           MaybeDType dtype) { return strata::kaiser_window(n, periodic, beta, of_dtype(dtype)); }},
      {"fft_fftfreq", [](I n, double d, MaybeDType dtype) { return fft::fftfreq(n, d, of_dtype(dtype)); }},
      {"fft_rfftfreq", [](I n, double d, MaybeDType dtype) { return fft::rfftfreq(n, d, of_dtype(dtype)); }},
  };
}

/// Functions that write into a tensor, which comes first.
Rows out_rows() {
  return {
      {"add_out_", [](Tensor& out, T x, T y, S alpha) { return strata::add_out(out, x, y, alpha); }},
      {"sub_out_", [](Tensor& out, T x, T y, S alpha) { return strata::sub_out(out, x, y, alpha); }},
      {"mul_out_", [](Tensor& out, T x, T y) { return strata::mul_out(out, x, y); }},
      {"div_out_", [](Tensor& out, T x, T y) { return strata::div_out(out, x, y); }},
      {"pow_out_", [](Tensor& out, T x, T y) { return strata::pow_out(out, x, y); }},
      {"maximum_out_", [](Tensor& out, T x, T y) { return strata::maximum_out(out, x, y); }},
      {"minimum_out_", [](Tensor& out, T x, T y) { return strata::minimum_out(out, x, y); }},
      {"mm_out_", [](Tensor& out, T x, T y) { return strata::mm_out(out, x, y); }},
      {"bmm_out_", [](Tensor& out, T x, T y) { return strata::bmm_out(out, x, y); }},
      {"matmul_out_", [](Tensor& out, T x, T y) { return strata::matmul_out(out, x, y); }},
      {"addmm_out_",
       [](Tensor& out, T self, T x, T y, S beta, S alpha) { return strata::addmm_out(out, self, x, y, beta, alpha); }},
      {"neg_out_", [](Tensor& out, T x) { return strata::neg_out(out, x); }},
      {"abs_out_", [](Tensor& out, T x) { return strata::abs_out(out, x); }},
      {"exp_out_", [](Tensor& out, T x) { return strata::exp_out(out, x); }},
      {"sqrt_out_", [](Tensor& out, T x) { return strata::sqrt_out(out, x); }},
      {"sigmoid_out_", [](Tensor& out, T x) { return strata::sigmoid_out(out, x); }},
      {"floor_out_", [](Tensor& out, T x) { return strata::floor_out(out, x); }},
      {"logical_not_out_", [](Tensor& out, T x) { return strata::logical_not_out(out, x); }},
      {"bitwise_not_out_", [](Tensor& out, T x) { return strata::bitwise_not_out(out, x); }},
      {"set_index_", [](Tensor& x, Places at, T value) { return strata::index_put_(x, at, value); }},
      {"clamp_", [](Tensor& x, Maybe low, Maybe high) { return x.clamp_(tensor_of(low), tensor_of(high)); }},
  };
}

Rows list_rows() {
  return {
      {"_foreach_abs", [](Tensors x) { return strata::_foreach_abs(x); }},
      {"_foreach_exp", [](Tensors x) { return strata::_foreach_exp(x); }},
      {"_foreach_neg", [](Tensors x) { return strata::_foreach_neg(x); }},
      {"_foreach_sqrt", [](Tensors x) { return strata::_foreach_sqrt(x); }},
      {"_foreach_reciprocal", [](Tensors x) { return strata::_foreach_reciprocal(x); }},
      {"_foreach_round", [](Tensors x) { return strata::_foreach_round(x); }},
      {"_foreach_sign", [](Tensors x) { return strata::_foreach_sign(x); }},
      {"_foreach_tanh", [](Tensors x) { return strata::_foreach_tanh(x); }},
      {"_foreach_max", [](Tensors x) { return strata::_foreach_max(x); }},
      {"_foreach_norm", [](Tensors x, S ord) { return strata::_foreach_norm(x, ord); }},
      {"_foreach_add", [](Tensors x, Tensors y, S alpha) { return strata::_foreach_add(x, y, alpha); }},
      {"_foreach_add", [](Tensors x, S y) { return strata::_foreach_add(x, y); }},
      {"_foreach_add", [](Tensors x, Scalars y) { return strata::_foreach_add(x, y); }},
      {"_foreach_sub", [](Tensors x, Tensors y, S alpha) { return strata::_foreach_sub(x, y, alpha); }},
      {"_foreach_sub", [](Tensors x, S y) { return strata::_foreach_sub(x, y); }},
      {"_foreach_sub", [](Tensors x, Scalars y) { return strata::_foreach_sub(x, y); }},
      {"_foreach_mul", [](Tensors x, Tensors y) { return strata::_foreach_mul(x, y); }},
      {"_foreach_mul", [](Tensors x, S y) { return strata::_foreach_mul(x, y); }},
      {"_foreach_mul", [](Tensors x, Scalars y) { return strata::_foreach_mul(x, y); }},
      {"_foreach_div", [](Tensors x, Tensors y) { return strata::_foreach_div(x, y); }},
      {"_foreach_div", [](Tensors x, S y) { return strata::_foreach_div(x, y); }},
      {"_foreach_div", [](Tensors x, Scalars y) { return strata::_foreach_div(x, y); }},
      {"_foreach_pow", [](Tensors x, Tensors y) { return strata::_foreach_pow(x, y); }},
      {"_foreach_pow", [](Tensors x, S y) { return strata::_foreach_pow(x, y); }},
      {"_foreach_maximum", [](Tensors x, Tensors y) { return strata::_foreach_maximum(x, y); }},
      {"_foreach_maximum", [](Tensors x, S y) { return strata::_foreach_maximum(x, y); }},
      {"_foreach_minimum", [](Tensors x, Tensors y) { return strata::_foreach_minimum(x, y); }},
      {"_foreach_minimum", [](Tensors x, S y) { return strata::_foreach_minimum(x, y); }},
      {"_foreach_lerp", [](Tensors x, Tensors y, S weight) { return strata::_foreach_lerp(x, y, weight); }},
      {"_foreach_lerp", [](Tensors x, Tensors y, Tensors weights) { return strata::_foreach_lerp(x, y, weights); }},
      {"_foreach_addcmul",
       [](Tensors x, Tensors a, Tensors b, S value) { return strata::_foreach_addcmul(x, a, b, value); }},
      {"_foreach_addcdiv",
       [](Tensors x, Tensors a, Tensors b, S value) { return strata::_foreach_addcdiv(x, a, b, value); }},
  };
}

Rows other_rows() {
  return {
      {"__and__", [](T x, T y) { return strata::__and__(x, y); }},
      {"__and__", [](T x, S y) { return strata::__and__(x, y); }},
      {"__or__", [](T x, T y) { return strata::__or__(x, y); }},
      {"__or__", [](T x, S y) { return strata::__or__(x, y); }},
      {"__xor__", [](T x, T y) { return strata::__xor__(x, y); }},
      {"__xor__", [](T x, S y) { return strata::__xor__(x, y); }},
      {"__lshift__", [](T x, T y) { return strata::__lshift__(x, y); }},
      {"__lshift__", [](T x, S y) { return strata::__lshift__(x, y); }},
      {"__rshift__", [](T x, T y) { return strata::__rshift__(x, y); }},
      {"__rshift__", [](T x, S y) { return strata::__rshift__(x, y); }},
      {"clip", [](T x, MaybeScalar low, MaybeScalar high) { return strata::clip(x, low, high); }},
      {"true_divide", [](T x, T y) { return strata::true_divide(x, y); }},
      {"subtract", [](T x, T y, S alpha) { return strata::subtract(x, y, alpha); }},
      {"multiply", [](T x, T y) { return strata::multiply(x, y); }},
      {"special_shifted_chebyshev_polynomial_t",
       [](T x, T n) { return special::shifted_chebyshev_polynomial_t(x, n); }},
      {"special_shifted_chebyshev_polynomial_u",
       [](T x, T n) { return special::shifted_chebyshev_polynomial_u(x, n); }},
      {"special_shifted_chebyshev_polynomial_v",
       [](T x, T n) { return special::shifted_chebyshev_polynomial_v(x, n); }},
      {"special_shifted_chebyshev_polynomial_w",
       [](T x, T n) { return special::shifted_chebyshev_polynomial_w(x, n); }},
      {"scatter", [](T x, I dim, T index, T source, Text how) { return strata::scatter(x, dim, index, source, how); }},
      {"scatter", [](T x, I dim, T index, S value, Text how) { return strata::scatter(x, dim, index, value, how); }},
      {"searchsorted",
       [](T edges, S value, bool int32, bool right) { return strata::searchsorted(edges, value, int32, right); }},
      {"isin", [](T x, S y, bool unique, bool invert) { return strata::isin(x, y, unique, invert); }},
      {"_unique2",
       [](T x, bool sorted, bool inverse, bool counts) { return strata::_unique2(x, sorted, inverse, counts); }},
      {"dropout", [](T x, double p, bool train) { return strata::dropout(x, p, train); }},
      {"alpha_dropout", [](T x, double p, bool train) { return strata::alpha_dropout(x, p, train); }},
      {"feature_dropout", [](T x, double p, bool train) { return strata::feature_dropout(x, p, train); }},
      {"max_pool3d_with_indices",
       [](T x, L kernel, L stride, L padding, L dilation, bool ceil) {
         return strata::max_pool3d_with_indices(x, kernel, stride, padding, dilation, ceil);
       }},
      {"max_pool1d_with_indices",
       [](T x, L kernel, L stride, L padding, L dilation, bool ceil) {
         return strata::max_pool1d_with_indices(x, kernel, stride, padding, dilation, ceil);
       }},
      {"pad_sequence", [](Tensors x, bool batch_first,
                          double value) { return strata::nn::utils::rnn::pad_sequence(x, batch_first, value); }},
      {"equal", [](T x, T y) { return strata::scalar_tensor(strata::equal(x, y), strata::kBool); }},
      {"allclose",
       [](T x, T y, double relative, double absolute, bool nan) {
         return strata::scalar_tensor(strata::allclose(x, y, relative, absolute, nan), strata::kBool);
       }},
      {"item", [](T x) { return strata::scalar_tensor(x.item(), x.dtype()); }},
      {"linalg_cross", [](T x, T y, I dim) { return linalg::cross(x, y, dim); }},
      {"linalg_diagonal", [](T x, I offset, I a, I b) { return linalg::diagonal(x, offset, a, b); }},
      {"lu_unpack", [](T lu, T pivots) { return strata::lu_unpack(lu, pivots); }},
      {"linalg_cholesky_ex", [](T x, bool upper, bool check) { return linalg::cholesky_ex(x, upper, check); }},
      {"linalg_lu_factor_ex", [](T x, bool pivot, bool check) { return linalg::lu_factor_ex(x, pivot, check); }},
      {"linalg_polar", [](T x) { return linalg::polar(x); }},
      {"linalg_matrix_sqrth", [](T x) { return linalg::matrix_sqrth(x); }},
      {"geqrf", [](T x) { return strata::geqrf(x); }},
      {"triangular_solve",
       [](T b, T a, bool upper, bool transpose, bool unit) {
         return std::get<0>(strata::triangular_solve(b, a, upper, transpose, unit));
       }},
      {"frobenius_norm", [](T x, L dims, bool keep) { return strata::frobenius_norm(x, dims, keep); }},
      {"inverse", [](T x) { return strata::inverse(x); }},
      {"pinverse", [](T x) { return strata::pinverse(x); }},
  };
}

}  // namespace

Rows variant_rows() {
  Rows rows;
  for (auto family : {copy_rows, factory_rows, out_rows, list_rows, other_rows})
    for (auto& row : family()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
