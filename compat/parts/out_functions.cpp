// Functions made by script/compat-out: libtorch's that write their result into tensors given, and ATen's names for
// those of torch::special and torch::fft.
#include "compat/parts/all.h"

namespace strata {
Tensor fft_fft(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return strata::fft::fft(x, n, dim, norm);
}
Tensor fft_fft2(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return strata::fft::fft2(x, s, dim, norm);
}
Tensor fft_fftfreq(int64_t n, const TensorOptions& options) { return strata::fft::fftfreq(n, options); }
Tensor fft_fftfreq(int64_t n, double d, const TensorOptions& options) { return strata::fft::fftfreq(n, d, options); }
Tensor fft_fftn(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return strata::fft::fftn(x, s, dim, norm);
}
Tensor fft_fftshift(const Tensor& x, OptionalIntArrayRef dim) { return strata::fft::fftshift(x, dim); }
Tensor fft_hfft(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return strata::fft::hfft(x, n, dim, norm);
}
Tensor fft_hfft2(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return strata::fft::hfft2(x, s, dim, norm);
}
Tensor fft_hfftn(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return strata::fft::hfftn(x, s, dim, norm);
}
Tensor fft_ifft(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return strata::fft::ifft(x, n, dim, norm);
}
Tensor fft_ifft2(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return strata::fft::ifft2(x, s, dim, norm);
}
Tensor fft_ifftn(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return strata::fft::ifftn(x, s, dim, norm);
}
Tensor fft_ifftshift(const Tensor& x, OptionalIntArrayRef dim) { return strata::fft::ifftshift(x, dim); }
Tensor fft_ihfft(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return strata::fft::ihfft(x, n, dim, norm);
}
Tensor fft_ihfft2(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return strata::fft::ihfft2(x, s, dim, norm);
}
Tensor fft_ihfftn(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return strata::fft::ihfftn(x, s, dim, norm);
}
Tensor fft_irfft(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return strata::fft::irfft(x, n, dim, norm);
}
Tensor fft_irfft2(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return strata::fft::irfft2(x, s, dim, norm);
}
Tensor fft_irfftn(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return strata::fft::irfftn(x, s, dim, norm);
}
Tensor fft_rfft(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return strata::fft::rfft(x, n, dim, norm);
}
Tensor fft_rfft2(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return strata::fft::rfft2(x, s, dim, norm);
}
Tensor fft_rfftfreq(int64_t n, const TensorOptions& options) { return strata::fft::rfftfreq(n, options); }
Tensor fft_rfftfreq(int64_t n, double d, const TensorOptions& options) { return strata::fft::rfftfreq(n, d, options); }
Tensor fft_rfftn(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return strata::fft::rfftn(x, s, dim, norm);
}
Tensor special_airy_ai(const Tensor& x) { return strata::special::airy_ai(x); }
Tensor special_bessel_j0(const Tensor& x) { return strata::special::bessel_j0(x); }
Tensor special_bessel_j1(const Tensor& x) { return strata::special::bessel_j1(x); }
Tensor special_bessel_y0(const Tensor& x) { return strata::special::bessel_y0(x); }
Tensor special_bessel_y1(const Tensor& x) { return strata::special::bessel_y1(x); }
Tensor special_chebyshev_polynomial_t(const Scalar& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_t(x, n);
}
Tensor special_chebyshev_polynomial_t(const Tensor& x, const Scalar& n) {
  return strata::special::chebyshev_polynomial_t(x, n);
}
Tensor special_chebyshev_polynomial_t(const Tensor& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_t(x, n);
}
Tensor special_chebyshev_polynomial_u(const Scalar& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_u(x, n);
}
Tensor special_chebyshev_polynomial_u(const Tensor& x, const Scalar& n) {
  return strata::special::chebyshev_polynomial_u(x, n);
}
Tensor special_chebyshev_polynomial_u(const Tensor& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_u(x, n);
}
Tensor special_chebyshev_polynomial_v(const Scalar& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_v(x, n);
}
Tensor special_chebyshev_polynomial_v(const Tensor& x, const Scalar& n) {
  return strata::special::chebyshev_polynomial_v(x, n);
}
Tensor special_chebyshev_polynomial_v(const Tensor& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_v(x, n);
}
Tensor special_chebyshev_polynomial_w(const Scalar& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_w(x, n);
}
Tensor special_chebyshev_polynomial_w(const Tensor& x, const Scalar& n) {
  return strata::special::chebyshev_polynomial_w(x, n);
}
Tensor special_chebyshev_polynomial_w(const Tensor& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_w(x, n);
}
Tensor special_digamma(const Tensor& x) { return strata::special::digamma(x); }
Tensor special_entr(const Tensor& x) { return strata::special::entr(x); }
Tensor special_erf(const Tensor& x) { return strata::special::erf(x); }
Tensor special_erfc(const Tensor& x) { return strata::special::erfc(x); }
Tensor special_erfcx(const Tensor& x) { return strata::special::erfcx(x); }
Tensor special_erfinv(const Tensor& x) { return strata::special::erfinv(x); }
Tensor special_exp2(const Tensor& x) { return strata::special::exp2(x); }
Tensor special_expit(const Tensor& x) { return strata::special::expit(x); }
Tensor special_expm1(const Tensor& x) { return strata::special::expm1(x); }
Tensor special_gammainc(const Tensor& a, const Tensor& x) { return strata::special::gammainc(a, x); }
Tensor special_gammaincc(const Tensor& a, const Tensor& x) { return strata::special::gammaincc(a, x); }
Tensor special_gammaln(const Tensor& x) { return strata::special::gammaln(x); }
Tensor special_hermite_polynomial_h(const Scalar& x, const Tensor& n) {
  return strata::special::hermite_polynomial_h(x, n);
}
Tensor special_hermite_polynomial_h(const Tensor& x, const Scalar& n) {
  return strata::special::hermite_polynomial_h(x, n);
}
Tensor special_hermite_polynomial_h(const Tensor& x, const Tensor& n) {
  return strata::special::hermite_polynomial_h(x, n);
}
Tensor special_hermite_polynomial_he(const Scalar& x, const Tensor& n) {
  return strata::special::hermite_polynomial_he(x, n);
}
Tensor special_hermite_polynomial_he(const Tensor& x, const Scalar& n) {
  return strata::special::hermite_polynomial_he(x, n);
}
Tensor special_hermite_polynomial_he(const Tensor& x, const Tensor& n) {
  return strata::special::hermite_polynomial_he(x, n);
}
Tensor special_i0(const Tensor& x) { return strata::special::i0(x); }
Tensor special_i0e(const Tensor& x) { return strata::special::i0e(x); }
Tensor special_i1(const Tensor& x) { return strata::special::i1(x); }
Tensor special_i1e(const Tensor& x) { return strata::special::i1e(x); }
Tensor special_laguerre_polynomial_l(const Scalar& x, const Tensor& n) {
  return strata::special::laguerre_polynomial_l(x, n);
}
Tensor special_laguerre_polynomial_l(const Tensor& x, const Scalar& n) {
  return strata::special::laguerre_polynomial_l(x, n);
}
Tensor special_laguerre_polynomial_l(const Tensor& x, const Tensor& n) {
  return strata::special::laguerre_polynomial_l(x, n);
}
Tensor special_legendre_polynomial_p(const Scalar& x, const Tensor& n) {
  return strata::special::legendre_polynomial_p(x, n);
}
Tensor special_legendre_polynomial_p(const Tensor& x, const Scalar& n) {
  return strata::special::legendre_polynomial_p(x, n);
}
Tensor special_legendre_polynomial_p(const Tensor& x, const Tensor& n) {
  return strata::special::legendre_polynomial_p(x, n);
}
Tensor special_log1p(const Tensor& x) { return strata::special::log1p(x); }
Tensor special_log_ndtr(const Tensor& x) { return strata::special::log_ndtr(x); }
Tensor special_log_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return strata::special::log_softmax(x, dim, dtype);
}
Tensor special_logit(const Tensor& x, std::optional<double> eps) { return strata::special::logit(x, eps); }
Tensor special_logsumexp(const Tensor& x, IntArrayRef dims, bool keepdim) {
  return strata::special::logsumexp(x, dims, keepdim);
}
Tensor special_modified_bessel_i0(const Tensor& x) { return strata::special::modified_bessel_i0(x); }
Tensor special_modified_bessel_i1(const Tensor& x) { return strata::special::modified_bessel_i1(x); }
Tensor special_modified_bessel_k0(const Tensor& x) { return strata::special::modified_bessel_k0(x); }
Tensor special_modified_bessel_k1(const Tensor& x) { return strata::special::modified_bessel_k1(x); }
Tensor special_multigammaln(const Tensor& x, int64_t p) { return strata::special::multigammaln(x, p); }
Tensor special_ndtr(const Tensor& x) { return strata::special::ndtr(x); }
Tensor special_ndtri(const Tensor& x) { return strata::special::ndtri(x); }
Tensor special_polygamma(int64_t n, const Tensor& x) { return strata::special::polygamma(n, x); }
Tensor special_psi(const Tensor& x) { return strata::special::psi(x); }
Tensor special_round(const Tensor& x) { return strata::special::round(x); }
Tensor special_round(const Tensor& x, int64_t decimals) { return strata::special::round(x, decimals); }
Tensor special_scaled_modified_bessel_k0(const Tensor& x) { return strata::special::scaled_modified_bessel_k0(x); }
Tensor special_scaled_modified_bessel_k1(const Tensor& x) { return strata::special::scaled_modified_bessel_k1(x); }
Tensor special_shifted_chebyshev_polynomial_t(const Scalar& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_t(x, n);
}
Tensor special_shifted_chebyshev_polynomial_t(const Tensor& x, const Scalar& n) {
  return strata::special::shifted_chebyshev_polynomial_t(x, n);
}
Tensor special_shifted_chebyshev_polynomial_t(const Tensor& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_t(x, n);
}
Tensor special_shifted_chebyshev_polynomial_u(const Scalar& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_u(x, n);
}
Tensor special_shifted_chebyshev_polynomial_u(const Tensor& x, const Scalar& n) {
  return strata::special::shifted_chebyshev_polynomial_u(x, n);
}
Tensor special_shifted_chebyshev_polynomial_u(const Tensor& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_u(x, n);
}
Tensor special_shifted_chebyshev_polynomial_v(const Scalar& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_v(x, n);
}
Tensor special_shifted_chebyshev_polynomial_v(const Tensor& x, const Scalar& n) {
  return strata::special::shifted_chebyshev_polynomial_v(x, n);
}
Tensor special_shifted_chebyshev_polynomial_v(const Tensor& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_v(x, n);
}
Tensor special_shifted_chebyshev_polynomial_w(const Scalar& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_w(x, n);
}
Tensor special_shifted_chebyshev_polynomial_w(const Tensor& x, const Scalar& n) {
  return strata::special::shifted_chebyshev_polynomial_w(x, n);
}
Tensor special_shifted_chebyshev_polynomial_w(const Tensor& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_w(x, n);
}
Tensor special_sinc(const Tensor& x) { return strata::special::sinc(x); }
Tensor special_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return strata::special::softmax(x, dim, dtype);
}
Tensor special_spherical_bessel_j0(const Tensor& x) { return strata::special::spherical_bessel_j0(x); }
Tensor special_xlog1py(const Scalar& a, const Tensor& b) { return strata::special::xlog1py(a, b); }
Tensor special_xlog1py(const Tensor& a, const Scalar& b) { return strata::special::xlog1py(a, b); }
Tensor special_xlog1py(const Tensor& a, const Tensor& b) { return strata::special::xlog1py(a, b); }
Tensor special_xlogy(const Scalar& a, const Tensor& b) { return strata::special::xlogy(a, b); }
Tensor special_xlogy(const Tensor& a, const Scalar& b) { return strata::special::xlogy(a, b); }
Tensor special_xlogy(const Tensor& a, const Tensor& b) { return strata::special::xlogy(a, b); }
Tensor special_zeta(const Scalar& x, const Tensor& q) { return strata::special::zeta(x, q); }
Tensor special_zeta(const Tensor& x, const Scalar& q) { return strata::special::zeta(x, q); }
Tensor special_zeta(const Tensor& x, const Tensor& q) { return strata::special::zeta(x, q); }
Tensor& __lshift___out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("__lshift___out", out, strata::__lshift__(a, b));
}
Tensor& __lshift___out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("__lshift___out", out, strata::__lshift__(a, b));
}
Tensor& __rshift___out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("__rshift___out", out, strata::__rshift__(a, b));
}
Tensor& __rshift___out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("__rshift___out", out, strata::__rshift__(a, b));
}
Tensor& _adaptive_avg_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self) {
  return detail::write_out("_adaptive_avg_pool2d_backward_out", out,
                           strata::_adaptive_avg_pool2d_backward(grad_output, self));
}
Tensor& _adaptive_avg_pool2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size) {
  return detail::write_out("_adaptive_avg_pool2d_out", out, strata::_adaptive_avg_pool2d(self, output_size));
}
Tensor& _adaptive_avg_pool3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self) {
  return detail::write_out("_adaptive_avg_pool3d_backward_out", out,
                           strata::_adaptive_avg_pool3d_backward(grad_output, self));
}
Tensor& _adaptive_avg_pool3d_out(Tensor& out, const Tensor& self, IntArrayRef output_size) {
  return detail::write_out("_adaptive_avg_pool3d_out", out, strata::_adaptive_avg_pool3d(self, output_size));
}
Tensor& _add_relu_out(Tensor& out, const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return detail::write_out("_add_relu_out", out, strata::_add_relu(self, other, alpha));
}
Tensor& _add_relu_out(Tensor& out, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return detail::write_out("_add_relu_out", out, strata::_add_relu(self, other, alpha));
}
Tensor& _addmm_activation_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                              const Scalar& alpha, bool use_gelu) {
  return detail::write_out("_addmm_activation_out", out, strata::_addmm_activation(self, a, b, beta, alpha, use_gelu));
}
Tensor& _cdist_backward_out(Tensor& out, const Tensor& grad, const Tensor& x1, const Tensor& x2, double p,
                            const Tensor& cdist) {
  return detail::write_out("_cdist_backward_out", out, strata::_cdist_backward(grad, x1, x2, p, cdist));
}
Tensor& _cholesky_solve_helper_out(Tensor& out, const Tensor& self, const Tensor& A, bool upper) {
  return detail::write_out("_cholesky_solve_helper_out", out, strata::_cholesky_solve_helper(self, A, upper));
}
Tensor& _chunk_cat_out(Tensor& out, TensorList tensors, int64_t dim, int64_t num_chunks) {
  return detail::write_out("_chunk_cat_out", out, strata::_chunk_cat(tensors, dim, num_chunks));
}
Tensor& _compute_linear_combination_out(Tensor& out, const Tensor& input, const Tensor& coefficients) {
  return detail::write_out("_compute_linear_combination_out", out,
                           strata::_compute_linear_combination(input, coefficients));
}
Tensor& _conj_copy_out(Tensor& out, const Tensor& self) {
  return detail::write_out("_conj_copy_out", out, strata::_conj_copy(self));
}
Tensor& _conj_physical_out(Tensor& out, const Tensor& self) {
  return detail::write_out("_conj_physical_out", out, strata::_conj_physical(self));
}
Tensor& _conv_depthwise2d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                              OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {
  return detail::write_out("_conv_depthwise2d_out", out,
                           strata::_conv_depthwise2d(self, weight, kernel_size, bias, stride, padding, dilation));
}
Tensor& _convolution_out(Tensor& out, const Tensor& input, const Tensor& weight, OptionalTensorRef bias,
                         IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                         IntArrayRef output_padding, int64_t groups, bool benchmark, bool deterministic,
                         bool cudnn_enabled, bool allow_tf32) {
  return detail::write_out(
      "_convolution_out", out,
      strata::_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups,
                           benchmark, deterministic, cudnn_enabled, allow_tf32));
}
Tensor& _copy_from_and_resize_out(Tensor& out, const Tensor& self, const Tensor& dst) {
  return detail::write_out("_copy_from_and_resize_out", out, strata::_copy_from_and_resize(self, dst));
}
Tensor& _copy_from_out(Tensor& out, const Tensor& self, const Tensor& dst, bool non_blocking) {
  return detail::write_out("_copy_from_out", out, strata::_copy_from(self, dst, non_blocking));
}
Tensor& _efficientzerotensor_out(Tensor& out, IntArrayRef size) {
  return detail::write_out("_efficientzerotensor_out", out, strata::_efficientzerotensor(size, out.options()));
}
Tensor& _embedding_bag_dense_backward_out(Tensor& out, const Tensor& grad, const Tensor& indices,
                                          const Tensor& offset2bag, const Tensor& bag_size,
                                          const Tensor& maximum_indices, int64_t num_weights, bool scale_grad_by_freq,
                                          int64_t mode, OptionalTensorRef per_sample_weights, int64_t padding_idx) {
  return detail::write_out(
      "_embedding_bag_dense_backward_out", out,
      strata::_embedding_bag_dense_backward(grad, indices, offset2bag, bag_size, maximum_indices, num_weights,
                                            scale_grad_by_freq, mode, per_sample_weights, padding_idx));
}
Tensor& _embedding_bag_per_sample_weights_backward_out(Tensor& out, const Tensor& grad, const Tensor& weight,
                                                       const Tensor& indices, const Tensor& offsets,
                                                       const Tensor& offset2bag, int64_t mode, int64_t padding_idx) {
  return detail::write_out("_embedding_bag_per_sample_weights_backward_out", out,
                           strata::_embedding_bag_per_sample_weights_backward(grad, weight, indices, offsets,
                                                                              offset2bag, mode, padding_idx));
}
Tensor& _euclidean_dist_out(Tensor& out, const Tensor& x1, const Tensor& x2) {
  return detail::write_out("_euclidean_dist_out", out, strata::_euclidean_dist(x1, x2));
}
Tensor& _fft_c2c_out(Tensor& out, const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward) {
  return detail::write_out("_fft_c2c_out", out, strata::_fft_c2c(self, dim, normalization, forward));
}
Tensor& _fft_c2r_out(Tensor& out, const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size) {
  return detail::write_out("_fft_c2r_out", out, strata::_fft_c2r(self, dim, normalization, last_dim_size));
}
Tensor& _fft_r2c_out(Tensor& out, const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided) {
  return detail::write_out("_fft_r2c_out", out, strata::_fft_r2c(self, dim, normalization, onesided));
}
Tensor& _grid_sampler_2d_cpu_fallback_out(Tensor& out, const Tensor& input, const Tensor& grid,
                                          int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
  return detail::write_out(
      "_grid_sampler_2d_cpu_fallback_out", out,
      strata::_grid_sampler_2d_cpu_fallback(input, grid, interpolation_mode, padding_mode, align_corners));
}
Tensor& _index_put_impl_out(Tensor& out, const Tensor& self, const List<std::optional<Tensor>>& indices,
                            const Tensor& values, bool accumulate, bool unsafe) {
  return detail::write_out("_index_put_impl_out", out,
                           strata::_index_put_impl(self, indices, values, accumulate, unsafe));
}
Tensor& _int_mm_out(Tensor& out, const Tensor& self, const Tensor& mat2) {
  return detail::write_out("_int_mm_out", out, strata::_int_mm(self, mat2));
}
Tensor& _log_softmax_backward_data_out(Tensor& out, const Tensor& grad_output, const Tensor& output, int64_t dim,
                                       DType input_dtype) {
  return detail::write_out("_log_softmax_backward_data_out", out,
                           strata::_log_softmax_backward_data(grad_output, output, dim, input_dtype));
}
Tensor& _log_softmax_out(Tensor& out, const Tensor& self, int64_t dim, bool half_to_float) {
  return detail::write_out("_log_softmax_out", out, strata::_log_softmax(self, dim, half_to_float));
}
Tensor& _logcumsumexp_out(Tensor& out, const Tensor& self, int64_t dim) {
  return detail::write_out("_logcumsumexp_out", out, strata::_logcumsumexp(self, dim));
}
Tensor& _masked_scale_out(Tensor& out, const Tensor& self, const Tensor& mask, double scale) {
  return detail::write_out("_masked_scale_out", out, strata::_masked_scale(self, mask, scale));
}
Tensor& _masked_softmax_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& output, const Tensor& mask,
                                     std::optional<int64_t> dim) {
  return detail::write_out("_masked_softmax_backward_out", out,
                           strata::_masked_softmax_backward(grad_output, output, mask, dim));
}
Tensor& _masked_softmax_out(Tensor& out, const Tensor& self, const Tensor& mask, std::optional<int64_t> dim,
                            std::optional<int64_t> mask_type) {
  return detail::write_out("_masked_softmax_out", out, strata::_masked_softmax(self, mask, dim, mask_type));
}
Tensor& _neg_view_copy_out(Tensor& out, const Tensor& self) {
  return detail::write_out("_neg_view_copy_out", out, strata::_neg_view_copy(self));
}
Tensor& _pdist_backward_out(Tensor& out, const Tensor& grad, const Tensor& self, double p, const Tensor& pdist) {
  return detail::write_out("_pdist_backward_out", out, strata::_pdist_backward(grad, self, p, pdist));
}
Tensor& _pin_memory_out(Tensor& out, const Tensor& self, std::optional<Device> device) {
  return detail::write_out("_pin_memory_out", out, strata::_pin_memory(self, device));
}
Tensor& _reshape_alias_copy_out(Tensor& out, const Tensor& self, IntArrayRef size, IntArrayRef stride) {
  return detail::write_out("_reshape_alias_copy_out", out, strata::_reshape_alias_copy(self, size, stride));
}
Tensor& _resize_output_out(Tensor& out, const Tensor& self, IntArrayRef size, Device device) {
  return detail::write_out("_resize_output_out", out, strata::_resize_output(self, size, device));
}
Tensor& _sample_dirichlet_out(Tensor& out, const Tensor& self, OptionalGenerator generator) {
  return detail::write_out("_sample_dirichlet_out", out, strata::_sample_dirichlet(self, generator));
}
Tensor& _segment_reduce_backward_out(Tensor& out, const Tensor& grad, const Tensor& output, const Tensor& data,
                                     std::string_view reduce, const std::optional<Tensor>& lengths,
                                     const std::optional<Tensor>& offsets, int64_t axis,
                                     const std::optional<Scalar>& initial) {
  return detail::write_out(
      "_segment_reduce_backward_out", out,
      strata::_segment_reduce_backward(grad, output, data, reduce, lengths, offsets, axis, initial));
}
Tensor& _softmax_backward_data_out(Tensor& out, const Tensor& grad_output, const Tensor& output, int64_t dim,
                                   DType input_dtype) {
  return detail::write_out("_softmax_backward_data_out", out,
                           strata::_softmax_backward_data(grad_output, output, dim, input_dtype));
}
Tensor& _softmax_out(Tensor& out, const Tensor& self, int64_t dim, bool half_to_float) {
  return detail::write_out("_softmax_out", out, strata::_softmax(self, dim, half_to_float));
}
Tensor& _stack_out(Tensor& out, TensorList tensors, int64_t dim) {
  return detail::write_out("_stack_out", out, strata::_stack(tensors, dim));
}
Tensor& _standard_gamma_out(Tensor& out, const Tensor& self, OptionalGenerator generator) {
  return detail::write_out("_standard_gamma_out", out, strata::_standard_gamma(self, generator));
}
Tensor& _to_copy_out(Tensor& out, const Tensor& self, bool non_blocking, std::optional<MemoryFormat> memory_format) {
  return detail::write_out("_to_copy_out", out, strata::_to_copy(self, out.options(), non_blocking, memory_format));
}
Tensor& _trilinear_out(Tensor& out, const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArrayRef expand1,
                       IntArrayRef expand2, IntArrayRef expand3, IntArrayRef sumdim, int64_t unroll_dim) {
  return detail::write_out("_trilinear_out", out,
                           strata::_trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim));
}
Tensor& _unsafe_view_out(Tensor& out, const Tensor& self, IntArrayRef size) {
  return detail::write_out("_unsafe_view_out", out, strata::_unsafe_view(self, size));
}
Tensor& _upsample_bicubic2d_aa_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                            IntArrayRef input_size, bool align_corners, std::optional<double> scales_h,
                                            std::optional<double> scales_w) {
  return detail::write_out(
      "_upsample_bicubic2d_aa_backward_out", out,
      strata::_upsample_bicubic2d_aa_backward(grad_output, output_size, input_size, align_corners, scales_h, scales_w));
}
Tensor& _upsample_bicubic2d_aa_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                   std::optional<double> scales_h, std::optional<double> scales_w) {
  return detail::write_out("_upsample_bicubic2d_aa_out", out,
                           strata::_upsample_bicubic2d_aa(self, size, align_corners, scales_h, scales_w));
}
Tensor& _upsample_bicubic2d_aa_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                   std::nullopt_t a3) {
  return detail::write_out("_upsample_bicubic2d_aa_out", out,
                           strata::_upsample_bicubic2d_aa(self, size, align_corners, a3));
}
Tensor& _upsample_bicubic2d_aa_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                   std::optional<ArrayRef<double>> scales) {
  return detail::write_out("_upsample_bicubic2d_aa_out", out,
                           strata::_upsample_bicubic2d_aa(self, size, align_corners, scales));
}
Tensor& _upsample_bilinear2d_aa_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                             IntArrayRef input_size, bool align_corners, std::optional<double> scales_h,
                                             std::optional<double> scales_w) {
  return detail::write_out("_upsample_bilinear2d_aa_backward_out", out,
                           strata::_upsample_bilinear2d_aa_backward(grad_output, output_size, input_size, align_corners,
                                                                    scales_h, scales_w));
}
Tensor& _upsample_bilinear2d_aa_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                    std::optional<double> scales_h, std::optional<double> scales_w) {
  return detail::write_out("_upsample_bilinear2d_aa_out", out,
                           strata::_upsample_bilinear2d_aa(self, size, align_corners, scales_h, scales_w));
}
Tensor& _upsample_bilinear2d_aa_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                    std::nullopt_t a3) {
  return detail::write_out("_upsample_bilinear2d_aa_out", out,
                           strata::_upsample_bilinear2d_aa(self, size, align_corners, a3));
}
Tensor& _upsample_bilinear2d_aa_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                    std::optional<ArrayRef<double>> scales) {
  return detail::write_out("_upsample_bilinear2d_aa_out", out,
                           strata::_upsample_bilinear2d_aa(self, size, align_corners, scales));
}
Tensor& _upsample_nearest_exact1d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                               IntArrayRef input_size, std::optional<double> scales) {
  return detail::write_out("_upsample_nearest_exact1d_backward_out", out,
                           strata::_upsample_nearest_exact1d_backward(grad_output, output_size, input_size, scales));
}
Tensor& _upsample_nearest_exact1d_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<double> scales) {
  return detail::write_out("_upsample_nearest_exact1d_out", out, strata::_upsample_nearest_exact1d(self, size, scales));
}
Tensor& _upsample_nearest_exact1d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                                      std::optional<ArrayRef<double>> scales) {
  return detail::write_out("_upsample_nearest_exact1d_out", out, strata::_upsample_nearest_exact1d(self, size, scales));
}
Tensor& _upsample_nearest_exact2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                               IntArrayRef input_size, std::optional<double> scales_h,
                                               std::optional<double> scales_w) {
  return detail::write_out(
      "_upsample_nearest_exact2d_backward_out", out,
      strata::_upsample_nearest_exact2d_backward(grad_output, output_size, input_size, scales_h, scales_w));
}
Tensor& _upsample_nearest_exact2d_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<double> scales_h,
                                      std::optional<double> scales_w) {
  return detail::write_out("_upsample_nearest_exact2d_out", out,
                           strata::_upsample_nearest_exact2d(self, size, scales_h, scales_w));
}
Tensor& _upsample_nearest_exact2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, std::nullopt_t a2) {
  return detail::write_out("_upsample_nearest_exact2d_out", out, strata::_upsample_nearest_exact2d(self, size, a2));
}
Tensor& _upsample_nearest_exact2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                                      std::optional<ArrayRef<double>> scales) {
  return detail::write_out("_upsample_nearest_exact2d_out", out, strata::_upsample_nearest_exact2d(self, size, scales));
}
Tensor& _upsample_nearest_exact3d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                               IntArrayRef input_size, std::optional<double> scales_d,
                                               std::optional<double> scales_h, std::optional<double> scales_w) {
  return detail::write_out(
      "_upsample_nearest_exact3d_backward_out", out,
      strata::_upsample_nearest_exact3d_backward(grad_output, output_size, input_size, scales_d, scales_h, scales_w));
}
Tensor& _upsample_nearest_exact3d_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<double> scales_d,
                                      std::optional<double> scales_h, std::optional<double> scales_w) {
  return detail::write_out("_upsample_nearest_exact3d_out", out,
                           strata::_upsample_nearest_exact3d(self, size, scales_d, scales_h, scales_w));
}
Tensor& _upsample_nearest_exact3d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                                      std::optional<ArrayRef<double>> scales) {
  return detail::write_out("_upsample_nearest_exact3d_out", out, strata::_upsample_nearest_exact3d(self, size, scales));
}
Tensor& absolute_out(Tensor& out, const Tensor& x) {
  return detail::write_out("absolute_out", out, strata::absolute(x));
}
Tensor& adaptive_avg_pool1d_out(Tensor& out, const Tensor& input, IntArrayRef output_size) {
  return detail::write_out("adaptive_avg_pool1d_out", out, strata::adaptive_avg_pool1d(input, output_size));
}
Tensor& adaptive_avg_pool2d_out(Tensor& out, const Tensor& input, IntArrayRef output_size) {
  return detail::write_out("adaptive_avg_pool2d_out", out, strata::adaptive_avg_pool2d(input, output_size));
}
Tensor& adaptive_avg_pool3d_out(Tensor& out, const Tensor& input, IntArrayRef output_size) {
  return detail::write_out("adaptive_avg_pool3d_out", out, strata::adaptive_avg_pool3d(input, output_size));
}
Tensor& adaptive_max_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                         const Tensor& indices) {
  return detail::write_out("adaptive_max_pool2d_backward_out", out,
                           strata::adaptive_max_pool2d_backward(grad_output, self, indices));
}
Tensor& adaptive_max_pool3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                         const Tensor& indices) {
  return detail::write_out("adaptive_max_pool3d_backward_out", out,
                           strata::adaptive_max_pool3d_backward(grad_output, self, indices));
}
Tensor& add_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("add_out", out, strata::add(a, b));
}
Tensor& add_out(Tensor& out, const Tensor& a, const Scalar& b, const Scalar& alpha) {
  return detail::write_out("add_out", out, strata::add(a, b, alpha));
}
Tensor& addbmm_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                   const Scalar& alpha) {
  return detail::write_out("addbmm_out", out, strata::addbmm(self, a, b, beta, alpha));
}
Tensor& addcdiv_out(Tensor& out, const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value) {
  return detail::write_out("addcdiv_out", out, strata::addcdiv(x, a, b, value));
}
Tensor& addcmul_out(Tensor& out, const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value) {
  return detail::write_out("addcmul_out", out, strata::addcmul(x, a, b, value));
}
Tensor& addmm_out(Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2, DType out_dtype,
                  const Scalar& beta, const Scalar& alpha) {
  return detail::write_out("addmm_out", out, strata::addmm(self, mat1, mat2, out_dtype, beta, alpha));
}
Tensor& addmv_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& v, const Scalar& beta,
                  const Scalar& alpha) {
  return detail::write_out("addmv_out", out, strata::addmv(self, a, v, beta, alpha));
}
Tensor& addr_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                 const Scalar& alpha) {
  return detail::write_out("addr_out", out, strata::addr(self, a, b, beta, alpha));
}
Tensor& affine_grid_generator_out(Tensor& out, const Tensor& theta, IntArrayRef size, bool align_corners) {
  return detail::write_out("affine_grid_generator_out", out, strata::affine_grid_generator(theta, size, align_corners));
}
Tensor& alias_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("alias_copy_out", out, strata::alias_copy(x));
}
Tensor& all_out(Tensor& out, const Tensor& x) { return detail::write_out("all_out", out, strata::all(x)); }
Tensor& all_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim) {
  return detail::write_out("all_out", out, strata::all(x, dims, keepdim));
}
Tensor& all_out(Tensor& out, const Tensor& x, int64_t dim, bool keepdim) {
  return detail::write_out("all_out", out, strata::all(x, dim, keepdim));
}
Tensor& amax_out(Tensor& out, const Tensor& x, IntArrayRef dims, bool keepdim) {
  return detail::write_out("amax_out", out, strata::amax(x, dims, keepdim));
}
Tensor& amin_out(Tensor& out, const Tensor& x, IntArrayRef dims, bool keepdim) {
  return detail::write_out("amin_out", out, strata::amin(x, dims, keepdim));
}
Tensor& angle_out(Tensor& out, const Tensor& x) { return detail::write_out("angle_out", out, strata::angle(x)); }
Tensor& any_out(Tensor& out, const Tensor& x) { return detail::write_out("any_out", out, strata::any(x)); }
Tensor& any_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim) {
  return detail::write_out("any_out", out, strata::any(x, dims, keepdim));
}
Tensor& any_out(Tensor& out, const Tensor& x, int64_t dim, bool keepdim) {
  return detail::write_out("any_out", out, strata::any(x, dim, keepdim));
}
Tensor& arange_out(Tensor& out, const Scalar& end) {
  return detail::write_out("arange_out", out, strata::arange(end, out.options()));
}
Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end) {
  return detail::write_out("arange_out", out, strata::arange(start, end, out.options()));
}
Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step) {
  return detail::write_out("arange_out", out, strata::arange(start, end, step, out.options()));
}
Tensor& arccos_out(Tensor& out, const Tensor& x) { return detail::write_out("arccos_out", out, strata::arccos(x)); }
Tensor& arccosh_out(Tensor& out, const Tensor& x) { return detail::write_out("arccosh_out", out, strata::arccosh(x)); }
Tensor& arcsin_out(Tensor& out, const Tensor& x) { return detail::write_out("arcsin_out", out, strata::arcsin(x)); }
Tensor& arcsinh_out(Tensor& out, const Tensor& x) { return detail::write_out("arcsinh_out", out, strata::arcsinh(x)); }
Tensor& arctan2_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("arctan2_out", out, strata::arctan2(a, b));
}
Tensor& arctan_out(Tensor& out, const Tensor& x) { return detail::write_out("arctan_out", out, strata::arctan(x)); }
Tensor& arctanh_out(Tensor& out, const Tensor& x) { return detail::write_out("arctanh_out", out, strata::arctanh(x)); }
Tensor& argmax_out(Tensor& out, const Tensor& x, std::optional<int64_t> dim, bool keepdim) {
  return detail::write_out("argmax_out", out, strata::argmax(x, dim, keepdim));
}
Tensor& argmin_out(Tensor& out, const Tensor& x, std::optional<int64_t> dim, bool keepdim) {
  return detail::write_out("argmin_out", out, strata::argmin(x, dim, keepdim));
}
Tensor& argsort_out(Tensor& out, const Tensor& self, bool stable, int64_t dim, bool descending) {
  return detail::write_out("argsort_out", out, strata::argsort(self, stable, dim, descending));
}
Tensor& argsort_out(Tensor& out, const Tensor& x, int64_t dim, bool descending) {
  return detail::write_out("argsort_out", out, strata::argsort(x, dim, descending));
}
Tensor& as_strided_copy_out(Tensor& out, const Tensor& base, IntArrayRef sizes, IntArrayRef strides,
                            int64_t storage_offset) {
  return detail::write_out("as_strided_copy_out", out, strata::as_strided_copy(base, sizes, strides, storage_offset));
}
Tensor& as_strided_copy_out(Tensor& out, const Tensor& self, IntArrayRef size, IntArrayRef stride,
                            std::optional<int64_t> storage_offset) {
  return detail::write_out("as_strided_copy_out", out, strata::as_strided_copy(self, size, stride, storage_offset));
}
Tensor& as_strided_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, IntArrayRef sizes,
                               IntArrayRef strides, std::optional<int64_t> storage_offset) {
  return detail::write_out("as_strided_scatter_out", out,
                           strata::as_strided_scatter(base, source, sizes, strides, storage_offset));
}
Tensor& atan2_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("atan2_out", out, strata::atan2(a, b));
}
Tensor& avg_pool1d_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                       IntArrayRef padding, bool ceil_mode, bool count_include_pad) {
  return detail::write_out("avg_pool1d_out", out,
                           strata::avg_pool1d(input, kernel_size, stride, padding, ceil_mode, count_include_pad));
}
Tensor& avg_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                                std::optional<int64_t> divisor_override) {
  return detail::write_out("avg_pool2d_backward_out", out,
                           strata::avg_pool2d_backward(grad_output, self, kernel_size, stride, padding, ceil_mode,
                                                       count_include_pad, divisor_override));
}
Tensor& avg_pool2d_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                       IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                       std::optional<int64_t> divisor_override) {
  return detail::write_out(
      "avg_pool2d_out", out,
      strata::avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override));
}
Tensor& avg_pool3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                                std::optional<int64_t> divisor_override) {
  return detail::write_out("avg_pool3d_backward_out", out,
                           strata::avg_pool3d_backward(grad_output, self, kernel_size, stride, padding, ceil_mode,
                                                       count_include_pad, divisor_override));
}
Tensor& avg_pool3d_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                       IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                       std::optional<int64_t> divisor_override) {
  return detail::write_out(
      "avg_pool3d_out", out,
      strata::avg_pool3d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override));
}
Tensor& baddbmm_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                    const Scalar& alpha) {
  return detail::write_out("baddbmm_out", out, strata::baddbmm(self, a, b, beta, alpha));
}
Tensor& baddbmm_out(Tensor& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, DType out_dtype,
                    const Scalar& beta, const Scalar& alpha) {
  return detail::write_out("baddbmm_out", out, strata::baddbmm(self, batch1, batch2, out_dtype, beta, alpha));
}
Tensor& bartlett_window_out(Tensor& out, int64_t n) {
  return detail::write_out("bartlett_window_out", out, strata::bartlett_window(n, out.options()));
}
Tensor& bartlett_window_out(Tensor& out, int64_t n, bool periodic) {
  return detail::write_out("bartlett_window_out", out, strata::bartlett_window(n, periodic, out.options()));
}
Tensor& batch_norm_backward_elemt_out(Tensor& out, const Tensor& grad_out, const Tensor& input, const Tensor& mean,
                                      const Tensor& invstd, OptionalTensorRef weight, const Tensor& sum_dy,
                                      const Tensor& sum_dy_xmu, const Tensor& count) {
  return detail::write_out(
      "batch_norm_backward_elemt_out", out,
      strata::batch_norm_backward_elemt(grad_out, input, mean, invstd, weight, sum_dy, sum_dy_xmu, count));
}
Tensor& batch_norm_elemt_out(Tensor& out, const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias,
                             const Tensor& mean, const Tensor& invstd, double eps) {
  return detail::write_out("batch_norm_elemt_out", out,
                           strata::batch_norm_elemt(input, weight, bias, mean, invstd, eps));
}
Tensor& bernoulli_out(Tensor& out, const Tensor& self, const Tensor& p, OptionalGenerator generator) {
  return detail::write_out("bernoulli_out", out, strata::bernoulli(self, p, generator));
}
Tensor& bernoulli_out(Tensor& out, const Tensor& x, OptionalGenerator generator) {
  return detail::write_out("bernoulli_out", out, strata::bernoulli(x, generator));
}
Tensor& bernoulli_out(Tensor& out, const Tensor& x, double p, OptionalGenerator generator) {
  return detail::write_out("bernoulli_out", out, strata::bernoulli(x, p, generator));
}
Tensor& binary_cross_entropy_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                          const Tensor& target, OptionalTensorRef weight, int64_t reduction) {
  return detail::write_out("binary_cross_entropy_backward_out", out,
                           strata::binary_cross_entropy_backward(grad_output, self, target, weight, reduction));
}
Tensor& binary_cross_entropy_out(Tensor& out, const Tensor& x, const Tensor& target, OptionalTensorRef weight,
                                 int64_t reduction) {
  return detail::write_out("binary_cross_entropy_out", out, strata::binary_cross_entropy(x, target, weight, reduction));
}
Tensor& binary_cross_entropy_with_logits_out(Tensor& out, const Tensor& x, const Tensor& target,
                                             OptionalTensorRef weight, OptionalTensorRef pos_weight,
                                             int64_t reduction) {
  return detail::write_out("binary_cross_entropy_with_logits_out", out,
                           strata::binary_cross_entropy_with_logits(x, target, weight, pos_weight, reduction));
}
Tensor& bincount_out(Tensor& out, const Tensor& x, OptionalTensorRef weights, int64_t minlength) {
  return detail::write_out("bincount_out", out, strata::bincount(x, weights, minlength));
}
Tensor& binomial_out(Tensor& out, const Tensor& count, const Tensor& prob, OptionalGenerator generator) {
  return detail::write_out("binomial_out", out, strata::binomial(count, prob, generator));
}
Tensor& bitwise_and_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("bitwise_and_out", out, strata::bitwise_and(a, b));
}
Tensor& bitwise_and_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("bitwise_and_out", out, strata::bitwise_and(a, b));
}
Tensor& bitwise_and_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("bitwise_and_out", out, strata::bitwise_and(a, b));
}
Tensor& bitwise_left_shift_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("bitwise_left_shift_out", out, strata::bitwise_left_shift(a, b));
}
Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("bitwise_left_shift_out", out, strata::bitwise_left_shift(a, b));
}
Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("bitwise_left_shift_out", out, strata::bitwise_left_shift(a, b));
}
Tensor& bitwise_or_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("bitwise_or_out", out, strata::bitwise_or(a, b));
}
Tensor& bitwise_or_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("bitwise_or_out", out, strata::bitwise_or(a, b));
}
Tensor& bitwise_or_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("bitwise_or_out", out, strata::bitwise_or(a, b));
}
Tensor& bitwise_right_shift_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("bitwise_right_shift_out", out, strata::bitwise_right_shift(a, b));
}
Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("bitwise_right_shift_out", out, strata::bitwise_right_shift(a, b));
}
Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("bitwise_right_shift_out", out, strata::bitwise_right_shift(a, b));
}
Tensor& bitwise_xor_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("bitwise_xor_out", out, strata::bitwise_xor(a, b));
}
Tensor& bitwise_xor_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("bitwise_xor_out", out, strata::bitwise_xor(a, b));
}
Tensor& bitwise_xor_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("bitwise_xor_out", out, strata::bitwise_xor(a, b));
}
Tensor& blackman_window_out(Tensor& out, int64_t n) {
  return detail::write_out("blackman_window_out", out, strata::blackman_window(n, out.options()));
}
Tensor& blackman_window_out(Tensor& out, int64_t n, bool periodic) {
  return detail::write_out("blackman_window_out", out, strata::blackman_window(n, periodic, out.options()));
}
Tensor& block_diag_out(Tensor& out, TensorList tensors) {
  return detail::write_out("block_diag_out", out, strata::block_diag(tensors));
}
Tensor& bmm_out(Tensor& out, const Tensor& self, const Tensor& mat2, DType out_dtype) {
  return detail::write_out("bmm_out", out, strata::bmm(self, mat2, out_dtype));
}
Tensor& bucketize_out(Tensor& out, const Scalar& value, const Tensor& boundaries, bool out_int32, bool right) {
  return detail::write_out("bucketize_out", out, strata::bucketize(value, boundaries, out_int32, right));
}
Tensor& bucketize_out(Tensor& out, const Tensor& values, const Tensor& boundaries, bool out_int32, bool right) {
  return detail::write_out("bucketize_out", out, strata::bucketize(values, boundaries, out_int32, right));
}
Tensor& cat_out(Tensor& out, TensorList tensors, int64_t dim) {
  return detail::write_out("cat_out", out, strata::cat(tensors, dim));
}
Tensor& cauchy_out(Tensor& out, const Tensor& self, double median, double sigma, OptionalGenerator generator) {
  return detail::write_out("cauchy_out", out, strata::cauchy(self, median, sigma, generator));
}
Tensor& celu_out(Tensor& out, const Tensor& x, const Scalar& alpha) {
  return detail::write_out("celu_out", out, strata::celu(x, alpha));
}
Tensor& chain_matmul_out(Tensor& out, TensorList matrices) {
  return detail::write_out("chain_matmul_out", out, strata::chain_matmul(matrices));
}
Tensor& channel_shuffle_out(Tensor& out, const Tensor& x, int64_t groups) {
  return detail::write_out("channel_shuffle_out", out, strata::channel_shuffle(x, groups));
}
Tensor& cholesky_inverse_out(Tensor& out, const Tensor& L, bool upper) {
  return detail::write_out("cholesky_inverse_out", out, strata::cholesky_inverse(L, upper));
}
Tensor& cholesky_solve_out(Tensor& out, const Tensor& B, const Tensor& L, bool upper) {
  return detail::write_out("cholesky_solve_out", out, strata::cholesky_solve(B, L, upper));
}
Tensor& clamp_max_out(Tensor& out, const Tensor& x, const Scalar& max) {
  return detail::write_out("clamp_max_out", out, strata::clamp_max(x, max));
}
Tensor& clamp_max_out(Tensor& out, const Tensor& x, const Tensor& max) {
  return detail::write_out("clamp_max_out", out, strata::clamp_max(x, max));
}
Tensor& clamp_min_out(Tensor& out, const Tensor& x, const Scalar& min) {
  return detail::write_out("clamp_min_out", out, strata::clamp_min(x, min));
}
Tensor& clamp_min_out(Tensor& out, const Tensor& x, const Tensor& min) {
  return detail::write_out("clamp_min_out", out, strata::clamp_min(x, min));
}
Tensor& clamp_out(Tensor& out, const Tensor& x, OptionalTensorRef min, OptionalTensorRef max) {
  return detail::write_out("clamp_out", out, strata::clamp(x, min, max));
}
Tensor& clamp_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  return detail::write_out("clamp_out", out, strata::clamp(x, min, max));
}
Tensor& clip_out(Tensor& out, const Tensor& x, OptionalTensorRef min, OptionalTensorRef max) {
  return detail::write_out("clip_out", out, strata::clip(x, min, max));
}
Tensor& clip_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  return detail::write_out("clip_out", out, strata::clip(x, min, max));
}
Tensor& clone_out(Tensor& out, const Tensor& x) { return detail::write_out("clone_out", out, strata::clone(x)); }
Tensor& clone_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> format) {
  return detail::write_out("clone_out", out, strata::clone(x, format));
}
Tensor& col2im_out(Tensor& out, const Tensor& input, IntArrayRef output_size, IntArrayRef kernel_size,
                   IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) {
  return detail::write_out("col2im_out", out,
                           strata::col2im(input, output_size, kernel_size, dilation, padding, stride));
}
Tensor& column_stack_out(Tensor& out, TensorList tensors) {
  return detail::write_out("column_stack_out", out, strata::column_stack(tensors));
}
Tensor& complex_out(Tensor& out, const Tensor& real, const Tensor& imag) {
  return detail::write_out("complex_out", out, strata::complex(real, imag));
}
Tensor& concat_out(Tensor& out, TensorList tensors, int64_t dim) {
  return detail::write_out("concat_out", out, strata::concat(tensors, dim));
}
Tensor& concatenate_out(Tensor& out, TensorList tensors, int64_t dim) {
  return detail::write_out("concatenate_out", out, strata::concatenate(tensors, dim));
}
Tensor& conj_physical_out(Tensor& out, const Tensor& x) {
  return detail::write_out("conj_physical_out", out, strata::conj_physical(x));
}
Tensor& constant_pad_nd_out(Tensor& out, const Tensor& x, IntArrayRef padding, const Scalar& value) {
  return detail::write_out("constant_pad_nd_out", out, strata::constant_pad_nd(x, padding, value));
}
Tensor& conv_depthwise3d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                             OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {
  return detail::write_out("conv_depthwise3d_out", out,
                           strata::conv_depthwise3d(self, weight, kernel_size, bias, stride, padding, dilation));
}
Tensor& conv_tbc_out(Tensor& out, const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad) {
  return detail::write_out("conv_tbc_out", out, strata::conv_tbc(self, weight, bias, pad));
}
Tensor& convolution_out(Tensor& out, const Tensor& input, const Tensor& weight, OptionalTensorRef bias,
                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                        IntArrayRef output_padding, int64_t groups) {
  return detail::write_out(
      "convolution_out", out,
      strata::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups));
}
Tensor& copy_out(Tensor& out, const Tensor& self, const Tensor& src, bool non_blocking) {
  return detail::write_out("copy_out", out, strata::copy(self, src, non_blocking));
}
Tensor& copysign_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("copysign_out", out, strata::copysign(a, b));
}
Tensor& copysign_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("copysign_out", out, strata::copysign(a, b));
}
Tensor& count_nonzero_out(Tensor& out, const Tensor& self, std::optional<int64_t> dim) {
  return detail::write_out("count_nonzero_out", out, strata::count_nonzero(self, dim));
}
Tensor& count_nonzero_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims) {
  return detail::write_out("count_nonzero_out", out, strata::count_nonzero(x, dims));
}
Tensor& cross_out(Tensor& out, const Tensor& a, const Tensor& b, std::optional<int64_t> dim) {
  return detail::write_out("cross_out", out, strata::cross(a, b, dim));
}
Tensor& cumprod_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return detail::write_out("cumprod_out", out, strata::cumprod(x, dim, dtype));
}
Tensor& cumsum_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return detail::write_out("cumsum_out", out, strata::cumsum(x, dim, dtype));
}
Tensor& deg2rad_out(Tensor& out, const Tensor& x) { return detail::write_out("deg2rad_out", out, strata::deg2rad(x)); }
Tensor& detach_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("detach_copy_out", out, strata::detach_copy(x));
}
Tensor& diag_embed_out(Tensor& out, const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2) {
  return detail::write_out("diag_embed_out", out, strata::diag_embed(x, offset, dim1, dim2));
}
Tensor& diag_out(Tensor& out, const Tensor& x, int64_t diagonal) {
  return detail::write_out("diag_out", out, strata::diag(x, diagonal));
}
Tensor& diagonal_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t offset, int64_t dim1,
                              int64_t dim2) {
  return detail::write_out("diagonal_backward_out", out,
                           strata::diagonal_backward(grad, input_sizes, offset, dim1, dim2));
}
Tensor& diagonal_copy_out(Tensor& out, const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2) {
  return detail::write_out("diagonal_copy_out", out, strata::diagonal_copy(x, offset, dim1, dim2));
}
Tensor& diagonal_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, int64_t offset, int64_t dim1,
                             int64_t dim2) {
  return detail::write_out("diagonal_scatter_out", out, strata::diagonal_scatter(base, source, offset, dim1, dim2));
}
Tensor& diff_out(Tensor& out, const Tensor& x, int64_t n, int64_t dim, OptionalTensorRef prepend,
                 OptionalTensorRef append) {
  return detail::write_out("diff_out", out, strata::diff(x, n, dim, prepend, append));
}
Tensor& dist_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& p) {
  return detail::write_out("dist_out", out, strata::dist(a, b, p));
}
Tensor& div_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("div_out", out, strata::div(a, b));
}
Tensor& div_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("div_out", out, strata::div(a, b));
}
Tensor& div_out(Tensor& out, const Tensor& a, const Scalar& b, std::optional<std::string_view> rounding_mode) {
  return detail::write_out("div_out", out, strata::div(a, b, rounding_mode));
}
Tensor& div_out(Tensor& out, const Tensor& a, const Tensor& b, std::optional<std::string_view> rounding_mode) {
  return detail::write_out("div_out", out, strata::div(a, b, rounding_mode));
}
Tensor& dot_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("dot_out", out, strata::dot(a, b));
}
Tensor& dstack_out(Tensor& out, TensorList tensors) {
  return detail::write_out("dstack_out", out, strata::dstack(tensors));
}
Tensor& elu_backward_out(Tensor& out, const Tensor& grad_output, const Scalar& alpha, const Scalar& scale,
                         const Scalar& input_scale, bool is_result, const Tensor& self_or_result) {
  return detail::write_out("elu_backward_out", out,
                           strata::elu_backward(grad_output, alpha, scale, input_scale, is_result, self_or_result));
}
Tensor& elu_out(Tensor& out, const Tensor& x, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale) {
  return detail::write_out("elu_out", out, strata::elu(x, alpha, scale, input_scale));
}
Tensor& embedding_dense_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                     int64_t padding_idx, bool scale_grad_by_freq) {
  return detail::write_out(
      "embedding_dense_backward_out", out,
      strata::embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq));
}
Tensor& embedding_out(Tensor& out, const Tensor& weight, const Tensor& indices, int64_t padding_idx,
                      bool scale_grad_by_freq, bool sparse) {
  return detail::write_out("embedding_out", out,
                           strata::embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse));
}
Tensor& embedding_renorm_out(Tensor& out, const Tensor& self, const Tensor& indices, double max_norm,
                             double norm_type) {
  return detail::write_out("embedding_renorm_out", out, strata::embedding_renorm(self, indices, max_norm, norm_type));
}
Tensor& empty_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format) {
  return detail::write_out("empty_like_out", out, strata::empty_like(x, out.options(), memory_format));
}
Tensor& empty_out(Tensor& out, IntArrayRef sizes, std::optional<MemoryFormat> memory_format) {
  return detail::write_out("empty_out", out, strata::empty(sizes, out.options(), memory_format));
}
Tensor& empty_permuted_out(Tensor& out, IntArrayRef sizes, IntArrayRef physical_layout) {
  return detail::write_out("empty_permuted_out", out, strata::empty_permuted(sizes, physical_layout, out.options()));
}
Tensor& empty_strided_out(Tensor& out, IntArrayRef sizes, IntArrayRef strides) {
  return detail::write_out("empty_strided_out", out, strata::empty_strided(sizes, strides, out.options()));
}
Tensor& eq_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("eq_out", out, strata::eq(a, b));
}
Tensor& eq_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("eq_out", out, strata::eq(a, b));
}
Tensor& expand_copy_out(Tensor& out, const Tensor& x, IntArrayRef sizes, bool implicit) {
  return detail::write_out("expand_copy_out", out, strata::expand_copy(x, sizes, implicit));
}
Tensor& exponential_out(Tensor& out, const Tensor& self, double lambd, OptionalGenerator generator) {
  return detail::write_out("exponential_out", out, strata::exponential(self, lambd, generator));
}
Tensor& eye_out(Tensor& out, int64_t n) { return detail::write_out("eye_out", out, strata::eye(n, out.options())); }
Tensor& eye_out(Tensor& out, int64_t n, int64_t m) {
  return detail::write_out("eye_out", out, strata::eye(n, m, out.options()));
}
Tensor& fft_fft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_fft2_out", out, strata::fft::fft2(x, s, dim, norm));
}
Tensor& fft_fft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return detail::write_out("fft_fft_out", out, strata::fft::fft(x, n, dim, norm));
}
Tensor& fft_fftfreq_out(Tensor& out, int64_t n) {
  return detail::write_out("fft_fftfreq_out", out, strata::fft::fftfreq(n, out.options()));
}
Tensor& fft_fftfreq_out(Tensor& out, int64_t n, double d) {
  return detail::write_out("fft_fftfreq_out", out, strata::fft::fftfreq(n, d, out.options()));
}
Tensor& fft_fftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_fftn_out", out, strata::fft::fftn(x, s, dim, norm));
}
Tensor& fft_hfft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_hfft2_out", out, strata::fft::hfft2(x, s, dim, norm));
}
Tensor& fft_hfft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return detail::write_out("fft_hfft_out", out, strata::fft::hfft(x, n, dim, norm));
}
Tensor& fft_hfftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_hfftn_out", out, strata::fft::hfftn(x, s, dim, norm));
}
Tensor& fft_ifft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_ifft2_out", out, strata::fft::ifft2(x, s, dim, norm));
}
Tensor& fft_ifft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return detail::write_out("fft_ifft_out", out, strata::fft::ifft(x, n, dim, norm));
}
Tensor& fft_ifftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_ifftn_out", out, strata::fft::ifftn(x, s, dim, norm));
}
Tensor& fft_ihfft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_ihfft2_out", out, strata::fft::ihfft2(x, s, dim, norm));
}
Tensor& fft_ihfft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return detail::write_out("fft_ihfft_out", out, strata::fft::ihfft(x, n, dim, norm));
}
Tensor& fft_ihfftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_ihfftn_out", out, strata::fft::ihfftn(x, s, dim, norm));
}
Tensor& fft_irfft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_irfft2_out", out, strata::fft::irfft2(x, s, dim, norm));
}
Tensor& fft_irfft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return detail::write_out("fft_irfft_out", out, strata::fft::irfft(x, n, dim, norm));
}
Tensor& fft_irfftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_irfftn_out", out, strata::fft::irfftn(x, s, dim, norm));
}
Tensor& fft_rfft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_rfft2_out", out, strata::fft::rfft2(x, s, dim, norm));
}
Tensor& fft_rfft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm) {
  return detail::write_out("fft_rfft_out", out, strata::fft::rfft(x, n, dim, norm));
}
Tensor& fft_rfftfreq_out(Tensor& out, int64_t n) {
  return detail::write_out("fft_rfftfreq_out", out, strata::fft::rfftfreq(n, out.options()));
}
Tensor& fft_rfftfreq_out(Tensor& out, int64_t n, double d) {
  return detail::write_out("fft_rfftfreq_out", out, strata::fft::rfftfreq(n, d, out.options()));
}
Tensor& fft_rfftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm) {
  return detail::write_out("fft_rfftn_out", out, strata::fft::rfftn(x, s, dim, norm));
}
Tensor& fill_out(Tensor& out, const Tensor& self, const Scalar& value) {
  return detail::write_out("fill_out", out, strata::fill(self, value));
}
Tensor& fill_out(Tensor& out, const Tensor& self, const Tensor& value) {
  return detail::write_out("fill_out", out, strata::fill(self, value));
}
Tensor& fix_out(Tensor& out, const Tensor& x) { return detail::write_out("fix_out", out, strata::fix(x)); }
Tensor& flip_out(Tensor& out, const Tensor& x, IntArrayRef dims) {
  return detail::write_out("flip_out", out, strata::flip(x, dims));
}
Tensor& float_power_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("float_power_out", out, strata::float_power(a, b));
}
Tensor& float_power_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("float_power_out", out, strata::float_power(a, b));
}
Tensor& float_power_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("float_power_out", out, strata::float_power(a, b));
}
Tensor& floor_divide_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("floor_divide_out", out, strata::floor_divide(a, b));
}
Tensor& floor_divide_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("floor_divide_out", out, strata::floor_divide(a, b));
}
Tensor& fmax_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("fmax_out", out, strata::fmax(a, b));
}
Tensor& fmin_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("fmin_out", out, strata::fmin(a, b));
}
Tensor& fmod_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("fmod_out", out, strata::fmod(a, b));
}
Tensor& fmod_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("fmod_out", out, strata::fmod(a, b));
}
Tensor& fractional_max_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                           IntArrayRef kernel_size, IntArrayRef output_size, const Tensor& indices) {
  return detail::write_out(
      "fractional_max_pool2d_backward_out", out,
      strata::fractional_max_pool2d_backward(grad_output, self, kernel_size, output_size, indices));
}
Tensor& fractional_max_pool3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                           IntArrayRef kernel_size, IntArrayRef output_size, const Tensor& indices) {
  return detail::write_out(
      "fractional_max_pool3d_backward_out", out,
      strata::fractional_max_pool3d_backward(grad_output, self, kernel_size, output_size, indices));
}
Tensor& frobenius_norm_out(Tensor& out, const Tensor& A, IntArrayRef dim, bool keepdim) {
  return detail::write_out("frobenius_norm_out", out, strata::frobenius_norm(A, dim, keepdim));
}
Tensor& from_file_out(Tensor& out, std::string_view filename, std::optional<bool> shared, std::optional<int64_t> size) {
  return detail::write_out("from_file_out", out, strata::from_file(filename, shared, size, out.options()));
}
Tensor& full_like_out(Tensor& out, const Tensor& x, const Scalar& value, std::optional<MemoryFormat> memory_format) {
  return detail::write_out("full_like_out", out, strata::full_like(x, value, out.options(), memory_format));
}
Tensor& full_out(Tensor& out, IntArrayRef sizes, const Scalar& value) {
  return detail::write_out("full_out", out, strata::full(sizes, value, out.options()));
}
Tensor& gather_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad) {
  return detail::write_out("gather_out", out, strata::gather(self, dim, index, sparse_grad));
}
Tensor& gather_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index) {
  return detail::write_out("gather_out", out, strata::gather(x, dim, index));
}
Tensor& gcd_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("gcd_out", out, strata::gcd(a, b));
}
Tensor& ge_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("ge_out", out, strata::ge(a, b));
}
Tensor& ge_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("ge_out", out, strata::ge(a, b));
}
Tensor& gelu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, std::string_view approximate) {
  return detail::write_out("gelu_backward_out", out, strata::gelu_backward(grad_output, self, approximate));
}
Tensor& gelu_out(Tensor& out, const Tensor& x, std::string_view approximate) {
  return detail::write_out("gelu_out", out, strata::gelu(x, approximate));
}
Tensor& geometric_out(Tensor& out, const Tensor& self, double p, OptionalGenerator generator) {
  return detail::write_out("geometric_out", out, strata::geometric(self, p, generator));
}
Tensor& ger_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("ger_out", out, strata::ger(a, b));
}
Tensor& glu_backward_jvp_out(Tensor& out, const Tensor& grad_x, const Tensor& grad_glu, const Tensor& x,
                             const Tensor& dgrad_glu, const Tensor& dx, int64_t dim) {
  return detail::write_out("glu_backward_jvp_out", out,
                           strata::glu_backward_jvp(grad_x, grad_glu, x, dgrad_glu, dx, dim));
}
Tensor& glu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, int64_t dim) {
  return detail::write_out("glu_backward_out", out, strata::glu_backward(grad_output, self, dim));
}
Tensor& glu_jvp_out(Tensor& out, const Tensor& glu, const Tensor& x, const Tensor& dx, int64_t dim) {
  return detail::write_out("glu_jvp_out", out, strata::glu_jvp(glu, x, dx, dim));
}
Tensor& glu_out(Tensor& out, const Tensor& x, int64_t dim) {
  return detail::write_out("glu_out", out, strata::glu(x, dim));
}
Tensor& grid_sampler_2d_out(Tensor& out, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                            int64_t padding_mode, bool align_corners) {
  return detail::write_out("grid_sampler_2d_out", out,
                           strata::grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners));
}
Tensor& grid_sampler_3d_out(Tensor& out, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                            int64_t padding_mode, bool align_corners) {
  return detail::write_out("grid_sampler_3d_out", out,
                           strata::grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners));
}
Tensor& gt_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("gt_out", out, strata::gt(a, b));
}
Tensor& gt_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("gt_out", out, strata::gt(a, b));
}
Tensor& hamming_window_out(Tensor& out, int64_t n) {
  return detail::write_out("hamming_window_out", out, strata::hamming_window(n, out.options()));
}
Tensor& hamming_window_out(Tensor& out, int64_t n, bool periodic) {
  return detail::write_out("hamming_window_out", out, strata::hamming_window(n, periodic, out.options()));
}
Tensor& hamming_window_out(Tensor& out, int64_t n, bool periodic, double alpha) {
  return detail::write_out("hamming_window_out", out, strata::hamming_window(n, periodic, alpha, out.options()));
}
Tensor& hamming_window_out(Tensor& out, int64_t n, bool periodic, double alpha, double beta) {
  return detail::write_out("hamming_window_out", out, strata::hamming_window(n, periodic, alpha, beta, out.options()));
}
Tensor& hann_window_out(Tensor& out, int64_t n) {
  return detail::write_out("hann_window_out", out, strata::hann_window(n, out.options()));
}
Tensor& hann_window_out(Tensor& out, int64_t n, bool periodic) {
  return detail::write_out("hann_window_out", out, strata::hann_window(n, periodic, out.options()));
}
Tensor& hardshrink_backward_out(Tensor& out, const Tensor& grad_out, const Tensor& self, const Scalar& lambd) {
  return detail::write_out("hardshrink_backward_out", out, strata::hardshrink_backward(grad_out, self, lambd));
}
Tensor& hardshrink_out(Tensor& out, const Tensor& x, const Scalar& lambda) {
  return detail::write_out("hardshrink_out", out, strata::hardshrink(x, lambda));
}
Tensor& hardsigmoid_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self) {
  return detail::write_out("hardsigmoid_backward_out", out, strata::hardsigmoid_backward(grad_output, self));
}
Tensor& hardsigmoid_out(Tensor& out, const Tensor& x) {
  return detail::write_out("hardsigmoid_out", out, strata::hardsigmoid(x));
}
Tensor& hardswish_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self) {
  return detail::write_out("hardswish_backward_out", out, strata::hardswish_backward(grad_output, self));
}
Tensor& hardswish_out(Tensor& out, const Tensor& x) {
  return detail::write_out("hardswish_out", out, strata::hardswish(x));
}
Tensor& hardtanh_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar& min_val,
                              const Scalar& max_val) {
  return detail::write_out("hardtanh_backward_out", out,
                           strata::hardtanh_backward(grad_output, self, min_val, max_val));
}
Tensor& hardtanh_out(Tensor& out, const Tensor& x, const Scalar& min_val, const Scalar& max_val) {
  return detail::write_out("hardtanh_out", out, strata::hardtanh(x, min_val, max_val));
}
Tensor& hash_tensor_out(Tensor& out, const Tensor& x, IntArrayRef dims, bool keepdim, int64_t mode) {
  return detail::write_out("hash_tensor_out", out, strata::hash_tensor(x, dims, keepdim, mode));
}
Tensor& heaviside_out(Tensor& out, const Tensor& x, const Tensor& values) {
  return detail::write_out("heaviside_out", out, strata::heaviside(x, values));
}
Tensor& histc_out(Tensor& out, const Tensor& x, int64_t bins, const Scalar& min, const Scalar& max) {
  return detail::write_out("histc_out", out, strata::histc(x, bins, min, max));
}
Tensor& hstack_out(Tensor& out, TensorList tensors) {
  return detail::write_out("hstack_out", out, strata::hstack(tensors));
}
Tensor& huber_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                int64_t reduction, double delta) {
  return detail::write_out("huber_loss_backward_out", out,
                           strata::huber_loss_backward(grad_output, self, target, reduction, delta));
}
Tensor& huber_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction, double delta) {
  return detail::write_out("huber_loss_out", out, strata::huber_loss(x, target, reduction, delta));
}
Tensor& hypot_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("hypot_out", out, strata::hypot(a, b));
}
Tensor& i0_out(Tensor& out, const Tensor& x) { return detail::write_out("i0_out", out, strata::i0(x)); }
Tensor& igamma_out(Tensor& out, const Tensor& a, const Tensor& x) {
  return detail::write_out("igamma_out", out, strata::igamma(a, x));
}
Tensor& igammac_out(Tensor& out, const Tensor& a, const Tensor& x) {
  return detail::write_out("igammac_out", out, strata::igammac(a, x));
}
Tensor& im2col_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                   IntArrayRef stride) {
  return detail::write_out("im2col_out", out, strata::im2col(input, kernel_size, dilation, padding, stride));
}
Tensor& index_add_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                      const Scalar& alpha) {
  return detail::write_out("index_add_out", out, strata::index_add(x, dim, index, source, alpha));
}
Tensor& index_copy_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
  return detail::write_out("index_copy_out", out, strata::index_copy(x, dim, index, source));
}
Tensor& index_fill_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value) {
  return detail::write_out("index_fill_out", out, strata::index_fill(x, dim, index, value));
}
Tensor& index_fill_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& value) {
  return detail::write_out("index_fill_out", out, strata::index_fill(x, dim, index, value));
}
Tensor& index_out(Tensor& out, const Tensor& x, ArrayRef<indexing::TensorIndex> indices) {
  return detail::write_out("index_out", out, strata::index(x, indices));
}
Tensor& index_put_out(Tensor& out, const Tensor& x, ArrayRef<indexing::TensorIndex> indices, const Tensor& values,
                      bool accumulate) {
  return detail::write_out("index_put_out", out, strata::index_put(x, indices, values, accumulate));
}
Tensor& index_reduce_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                         std::string_view reduce, bool include_self) {
  return detail::write_out("index_reduce_out", out, strata::index_reduce(x, dim, index, source, reduce, include_self));
}
Tensor& index_select_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index) {
  return detail::write_out("index_select_out", out, strata::index_select(x, dim, index));
}
Tensor& inner_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("inner_out", out, strata::inner(a, b));
}
Tensor& inverse_out(Tensor& out, const Tensor& A) { return detail::write_out("inverse_out", out, strata::inverse(A)); }
Tensor& isin_out(Tensor& out, const Scalar& element, const Tensor& test_elements, bool assume_unique, bool invert) {
  return detail::write_out("isin_out", out, strata::isin(element, test_elements, assume_unique, invert));
}
Tensor& isin_out(Tensor& out, const Tensor& elements, const Scalar& test_element, bool assume_unique, bool invert) {
  return detail::write_out("isin_out", out, strata::isin(elements, test_element, assume_unique, invert));
}
Tensor& isin_out(Tensor& out, const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert) {
  return detail::write_out("isin_out", out, strata::isin(elements, test_elements, assume_unique, invert));
}
Tensor& isinf_out(Tensor& out, const Tensor& x) { return detail::write_out("isinf_out", out, strata::isinf(x)); }
Tensor& isnan_out(Tensor& out, const Tensor& x) { return detail::write_out("isnan_out", out, strata::isnan(x)); }
Tensor& isneginf_out(Tensor& out, const Tensor& x) {
  return detail::write_out("isneginf_out", out, strata::isneginf(x));
}
Tensor& isposinf_out(Tensor& out, const Tensor& x) {
  return detail::write_out("isposinf_out", out, strata::isposinf(x));
}
Tensor& kaiser_window_out(Tensor& out, int64_t n) {
  return detail::write_out("kaiser_window_out", out, strata::kaiser_window(n, out.options()));
}
Tensor& kaiser_window_out(Tensor& out, int64_t n, bool periodic) {
  return detail::write_out("kaiser_window_out", out, strata::kaiser_window(n, periodic, out.options()));
}
Tensor& kaiser_window_out(Tensor& out, int64_t n, bool periodic, double beta) {
  return detail::write_out("kaiser_window_out", out, strata::kaiser_window(n, periodic, beta, out.options()));
}
Tensor& kron_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("kron_out", out, strata::kron(a, b));
}
Tensor& lcm_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("lcm_out", out, strata::lcm(a, b));
}
Tensor& ldexp_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("ldexp_out", out, strata::ldexp(a, b));
}
Tensor& le_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("le_out", out, strata::le(a, b));
}
Tensor& le_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("le_out", out, strata::le(a, b));
}
Tensor& leaky_relu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                const Scalar& negative_slope, bool self_is_result) {
  return detail::write_out("leaky_relu_backward_out", out,
                           strata::leaky_relu_backward(grad_output, self, negative_slope, self_is_result));
}
Tensor& leaky_relu_out(Tensor& out, const Tensor& x, const Scalar& negative_slope) {
  return detail::write_out("leaky_relu_out", out, strata::leaky_relu(x, negative_slope));
}
Tensor& lerp_out(Tensor& out, const Tensor& start, const Tensor& end, const Scalar& weight) {
  return detail::write_out("lerp_out", out, strata::lerp(start, end, weight));
}
Tensor& lerp_out(Tensor& out, const Tensor& start, const Tensor& end, const Tensor& weight) {
  return detail::write_out("lerp_out", out, strata::lerp(start, end, weight));
}
Tensor& lift_fresh_copy_out(Tensor& out, const Tensor& self) {
  return detail::write_out("lift_fresh_copy_out", out, strata::lift_fresh_copy(self));
}
Tensor& lift_out(Tensor& out, const Tensor& self) { return detail::write_out("lift_out", out, strata::lift(self)); }
Tensor& linalg_cholesky_out(Tensor& out, const Tensor& A, bool upper) {
  return detail::write_out("linalg_cholesky_out", out, strata::linalg_cholesky(A, upper));
}
Tensor& linalg_cond_out(Tensor& out, const Tensor& A, const std::optional<Scalar>& p) {
  return detail::write_out("linalg_cond_out", out, strata::linalg_cond(A, p));
}
Tensor& linalg_cond_out(Tensor& out, const Tensor& A, std::string_view p) {
  return detail::write_out("linalg_cond_out", out, strata::linalg_cond(A, p));
}
Tensor& linalg_cross_out(Tensor& out, const Tensor& a, const Tensor& b, int64_t dim) {
  return detail::write_out("linalg_cross_out", out, strata::linalg_cross(a, b, dim));
}
Tensor& linalg_det_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_det_out", out, strata::linalg_det(A));
}
Tensor& linalg_eigvals_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_eigvals_out", out, strata::linalg_eigvals(A));
}
Tensor& linalg_eigvalsh_out(Tensor& out, const Tensor& A, std::string_view UPLO) {
  return detail::write_out("linalg_eigvalsh_out", out, strata::linalg_eigvalsh(A, UPLO));
}
Tensor& linalg_householder_product_out(Tensor& out, const Tensor& A, const Tensor& tau) {
  return detail::write_out("linalg_householder_product_out", out, strata::linalg_householder_product(A, tau));
}
Tensor& linalg_inv_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_inv_out", out, strata::linalg_inv(A));
}
Tensor& linalg_ldl_solve_out(Tensor& out, const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian) {
  return detail::write_out("linalg_ldl_solve_out", out, strata::linalg_ldl_solve(LD, pivots, B, hermitian));
}
Tensor& linalg_lu_solve_out(Tensor& out, const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left,
                            bool adjoint) {
  return detail::write_out("linalg_lu_solve_out", out, strata::linalg_lu_solve(LU, pivots, B, left, adjoint));
}
Tensor& linalg_matmul_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return detail::write_out("linalg_matmul_out", out, strata::linalg_matmul(self, other));
}
Tensor& linalg_matrix_exp_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_matrix_exp_out", out, strata::linalg_matrix_exp(A));
}
Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& A, const Scalar& ord, IntArrayRef dim, bool keepdim,
                               std::optional<DType> dtype) {
  return detail::write_out("linalg_matrix_norm_out", out, strata::linalg_matrix_norm(A, ord, dim, keepdim, dtype));
}
Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& A, std::string_view ord, IntArrayRef dim, bool keepdim,
                               std::optional<DType> dtype) {
  return detail::write_out("linalg_matrix_norm_out", out, strata::linalg_matrix_norm(A, ord, dim, keepdim, dtype));
}
Tensor& linalg_matrix_power_out(Tensor& out, const Tensor& A, int64_t n) {
  return detail::write_out("linalg_matrix_power_out", out, strata::linalg_matrix_power(A, n));
}
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A));
}
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol,
                               bool hermitian) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A, atol, rtol, hermitian));
}
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, const Tensor& tol, bool hermitian) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A, tol, hermitian));
}
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, double tol, bool hermitian) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A, tol, hermitian));
}
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A, atol, rtol, hermitian));
}
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                               bool hermitian) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A, atol, rtol, hermitian));
}
Tensor& linalg_matrix_sqrth_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_matrix_sqrth_out", out, strata::linalg_matrix_sqrth(A));
}
Tensor& linalg_multi_dot_out(Tensor& out, TensorList tensors) {
  return detail::write_out("linalg_multi_dot_out", out, strata::linalg_multi_dot(tensors));
}
Tensor& linalg_norm_out(Tensor& out, const Tensor& A, const std::optional<Scalar>& ord, OptionalIntArrayRef dim,
                        bool keepdim, std::optional<DType> dtype) {
  return detail::write_out("linalg_norm_out", out, strata::linalg_norm(A, ord, dim, keepdim, dtype));
}
Tensor& linalg_norm_out(Tensor& out, const Tensor& A, std::string_view ord, OptionalIntArrayRef dim, bool keepdim,
                        std::optional<DType> dtype) {
  return detail::write_out("linalg_norm_out", out, strata::linalg_norm(A, ord, dim, keepdim, dtype));
}
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A));
}
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol, bool hermitian) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A, atol, rtol, hermitian));
}
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, const Tensor& rcond, bool hermitian) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A, rcond, hermitian));
}
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, double rcond, bool hermitian) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A, rcond, hermitian));
}
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A, atol, rtol, hermitian));
}
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                        bool hermitian) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A, atol, rtol, hermitian));
}
Tensor& linalg_solve_out(Tensor& out, const Tensor& A, const Tensor& B, bool left) {
  return detail::write_out("linalg_solve_out", out, strata::linalg_solve(A, B, left));
}
Tensor& linalg_solve_triangular_out(Tensor& out, const Tensor& A, const Tensor& B, bool upper, bool left,
                                    bool unitriangular) {
  return detail::write_out("linalg_solve_triangular_out", out,
                           strata::linalg_solve_triangular(A, B, upper, left, unitriangular));
}
Tensor& linalg_svdvals_out(Tensor& out, const Tensor& A, std::optional<std::string_view> driver) {
  return detail::write_out("linalg_svdvals_out", out, strata::linalg_svdvals(A, driver));
}
Tensor& linalg_tensorinv_out(Tensor& out, const Tensor& A, int64_t ind) {
  return detail::write_out("linalg_tensorinv_out", out, strata::linalg_tensorinv(A, ind));
}
Tensor& linalg_tensorsolve_out(Tensor& out, const Tensor& A, const Tensor& B, OptionalIntArrayRef dims) {
  return detail::write_out("linalg_tensorsolve_out", out, strata::linalg_tensorsolve(A, B, dims));
}
Tensor& linalg_vecdot_out(Tensor& out, const Tensor& x, const Tensor& y, int64_t dim) {
  return detail::write_out("linalg_vecdot_out", out, strata::linalg_vecdot(x, y, dim));
}
Tensor& linalg_vector_norm_out(Tensor& out, const Tensor& x, const Scalar& ord, OptionalIntArrayRef dims, bool keepdim,
                               std::optional<DType> dtype) {
  return detail::write_out("linalg_vector_norm_out", out, strata::linalg_vector_norm(x, ord, dims, keepdim, dtype));
}
Tensor& linear_out(Tensor& out, const Tensor& x, const Tensor& weight, OptionalTensorRef bias) {
  return detail::write_out("linear_out", out, strata::linear(x, weight, bias));
}
Tensor& linspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps) {
  return detail::write_out("linspace_out", out, strata::linspace(start, end, steps, out.options()));
}
Tensor& linspace_out(Tensor& out, const Scalar& start, const Tensor& end, int64_t steps) {
  return detail::write_out("linspace_out", out, strata::linspace(start, end, steps, out.options()));
}
Tensor& linspace_out(Tensor& out, const Tensor& start, const Scalar& end, int64_t steps) {
  return detail::write_out("linspace_out", out, strata::linspace(start, end, steps, out.options()));
}
Tensor& linspace_out(Tensor& out, const Tensor& start, const Tensor& end, int64_t steps) {
  return detail::write_out("linspace_out", out, strata::linspace(start, end, steps, out.options()));
}
Tensor& log_normal_out(Tensor& out, const Tensor& self, double mean, double std, OptionalGenerator generator) {
  return detail::write_out("log_normal_out", out, strata::log_normal(self, mean, std, generator));
}
Tensor& log_sigmoid_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& buffer) {
  return detail::write_out("log_sigmoid_backward_out", out, strata::log_sigmoid_backward(grad_output, self, buffer));
}
Tensor& log_sigmoid_out(Tensor& out, const Tensor& x) {
  return detail::write_out("log_sigmoid_out", out, strata::log_sigmoid(x));
}
Tensor& log_softmax_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return detail::write_out("log_softmax_out", out, strata::log_softmax(x, dim, dtype));
}
Tensor& logaddexp2_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("logaddexp2_out", out, strata::logaddexp2(a, b));
}
Tensor& logaddexp_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("logaddexp_out", out, strata::logaddexp(a, b));
}
Tensor& logcumsumexp_out(Tensor& out, const Tensor& x, int64_t dim) {
  return detail::write_out("logcumsumexp_out", out, strata::logcumsumexp(x, dim));
}
Tensor& logical_and_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("logical_and_out", out, strata::logical_and(a, b));
}
Tensor& logical_or_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("logical_or_out", out, strata::logical_or(a, b));
}
Tensor& logical_xor_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("logical_xor_out", out, strata::logical_xor(a, b));
}
Tensor& logit_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, std::optional<double> eps) {
  return detail::write_out("logit_backward_out", out, strata::logit_backward(grad_output, self, eps));
}
Tensor& logit_out(Tensor& out, const Tensor& x, std::optional<double> eps) {
  return detail::write_out("logit_out", out, strata::logit(x, eps));
}
Tensor& logspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps, double base) {
  return detail::write_out("logspace_out", out, strata::logspace(start, end, steps, base, out.options()));
}
Tensor& logspace_out(Tensor& out, const Scalar& start, const Tensor& end, int64_t steps, double base) {
  return detail::write_out("logspace_out", out, strata::logspace(start, end, steps, base, out.options()));
}
Tensor& logspace_out(Tensor& out, const Tensor& start, const Scalar& end, int64_t steps, double base) {
  return detail::write_out("logspace_out", out, strata::logspace(start, end, steps, base, out.options()));
}
Tensor& logspace_out(Tensor& out, const Tensor& start, const Tensor& end, int64_t steps, double base) {
  return detail::write_out("logspace_out", out, strata::logspace(start, end, steps, base, out.options()));
}
Tensor& logsumexp_out(Tensor& out, const Tensor& x, IntArrayRef dims, bool keepdim) {
  return detail::write_out("logsumexp_out", out, strata::logsumexp(x, dims, keepdim));
}
Tensor& lt_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("lt_out", out, strata::lt(a, b));
}
Tensor& lt_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("lt_out", out, strata::lt(a, b));
}
Tensor& lu_solve_out(Tensor& out, const Tensor& B, const Tensor& LU, const Tensor& pivots) {
  return detail::write_out("lu_solve_out", out, strata::lu_solve(B, LU, pivots));
}
Tensor& masked_fill_out(Tensor& out, const Tensor& x, const Tensor& mask, const Scalar& value) {
  return detail::write_out("masked_fill_out", out, strata::masked_fill(x, mask, value));
}
Tensor& masked_fill_out(Tensor& out, const Tensor& x, const Tensor& mask, const Tensor& value) {
  return detail::write_out("masked_fill_out", out, strata::masked_fill(x, mask, value));
}
Tensor& masked_scatter_out(Tensor& out, const Tensor& x, const Tensor& mask, const Tensor& source) {
  return detail::write_out("masked_scatter_out", out, strata::masked_scatter(x, mask, source));
}
Tensor& masked_select_out(Tensor& out, const Tensor& x, const Tensor& mask) {
  return detail::write_out("masked_select_out", out, strata::masked_select(x, mask));
}
Tensor& matrix_power_out(Tensor& out, const Tensor& A, int64_t n) {
  return detail::write_out("matrix_power_out", out, strata::matrix_power(A, n));
}
Tensor& max_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("max_out", out, strata::max(a, b));
}
Tensor& max_out(Tensor& out, const Tensor& x) { return detail::write_out("max_out", out, strata::max(x)); }
Tensor& max_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  return detail::write_out(
      "max_pool2d_backward_out", out,
      strata::max_pool2d_backward(grad_output, self, kernel_size, stride, padding, dilation, ceil_mode));
}
Tensor& max_pool2d_with_indices_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                             IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                                             IntArrayRef dilation, bool ceil_mode, const Tensor& indices) {
  return detail::write_out("max_pool2d_with_indices_backward_out", out,
                           strata::max_pool2d_with_indices_backward(grad_output, self, kernel_size, stride, padding,
                                                                    dilation, ceil_mode, indices));
}
Tensor& max_pool3d_with_indices_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                             IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                                             IntArrayRef dilation, bool ceil_mode, const Tensor& indices) {
  return detail::write_out("max_pool3d_with_indices_backward_out", out,
                           strata::max_pool3d_with_indices_backward(grad_output, self, kernel_size, stride, padding,
                                                                    dilation, ceil_mode, indices));
}
Tensor& max_unpool2d_out(Tensor& out, const Tensor& input, const Tensor& indices, IntArrayRef output_size) {
  return detail::write_out("max_unpool2d_out", out, strata::max_unpool2d(input, indices, output_size));
}
Tensor& max_unpool3d_out(Tensor& out, const Tensor& input, const Tensor& indices, IntArrayRef output_size,
                         IntArrayRef stride, IntArrayRef padding) {
  return detail::write_out("max_unpool3d_out", out, strata::max_unpool3d(input, indices, output_size, stride, padding));
}
Tensor& mean_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) {
  return detail::write_out("mean_out", out, strata::mean(x, dims, keepdim, dtype));
}
Tensor& mean_out(Tensor& out, const Tensor& x, std::optional<DType> dtype) {
  return detail::write_out("mean_out", out, strata::mean(x, dtype));
}
Tensor& median_out(Tensor& out, const Tensor& x) { return detail::write_out("median_out", out, strata::median(x)); }
Tensor& min_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("min_out", out, strata::min(a, b));
}
Tensor& min_out(Tensor& out, const Tensor& x) { return detail::write_out("min_out", out, strata::min(x)); }
Tensor& mish_out(Tensor& out, const Tensor& x) { return detail::write_out("mish_out", out, strata::mish(x)); }
Tensor& mm_out(Tensor& out, const Tensor& self, const Tensor& mat2, DType out_dtype) {
  return detail::write_out("mm_out", out, strata::mm(self, mat2, out_dtype));
}
Tensor& mse_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                              int64_t reduction) {
  return detail::write_out("mse_loss_backward_out", out,
                           strata::mse_loss_backward(grad_output, self, target, reduction));
}
Tensor& mse_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction) {
  return detail::write_out("mse_loss_out", out, strata::mse_loss(x, target, reduction));
}
Tensor& msort_out(Tensor& out, const Tensor& x) { return detail::write_out("msort_out", out, strata::msort(x)); }
Tensor& mul_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("mul_out", out, strata::mul(a, b));
}
Tensor& mul_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("mul_out", out, strata::mul(a, b));
}
Tensor& multi_margin_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                       const Scalar& p, const Scalar& margin, const std::optional<Tensor>& weight,
                                       int64_t reduction) {
  return detail::write_out("multi_margin_loss_backward_out", out,
                           strata::multi_margin_loss_backward(grad_output, self, target, p, margin, weight, reduction));
}
Tensor& multi_margin_loss_out(Tensor& out, const Tensor& self, const Tensor& target, const Scalar& p,
                              const Scalar& margin, const std::optional<Tensor>& weight, int64_t reduction) {
  return detail::write_out("multi_margin_loss_out", out,
                           strata::multi_margin_loss(self, target, p, margin, weight, reduction));
}
Tensor& multilabel_margin_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                            const Tensor& target, int64_t reduction, const Tensor& is_target) {
  return detail::write_out("multilabel_margin_loss_backward_out", out,
                           strata::multilabel_margin_loss_backward(grad_output, self, target, reduction, is_target));
}
Tensor& multilabel_margin_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction) {
  return detail::write_out("multilabel_margin_loss_out", out, strata::multilabel_margin_loss(x, target, reduction));
}
Tensor& multinomial_out(Tensor& out, const Tensor& probs, int64_t num_samples, bool replacement,
                        OptionalGenerator generator) {
  return detail::write_out("multinomial_out", out, strata::multinomial(probs, num_samples, replacement, generator));
}
Tensor& mv_out(Tensor& out, const Tensor& a, const Tensor& v) {
  return detail::write_out("mv_out", out, strata::mv(a, v));
}
Tensor& mvlgamma_out(Tensor& out, const Tensor& x, int64_t p) {
  return detail::write_out("mvlgamma_out", out, strata::mvlgamma(x, p));
}
Tensor& nan_to_num_out(Tensor& out, const Tensor& x, std::optional<double> nan, std::optional<double> posinf,
                       std::optional<double> neginf) {
  return detail::write_out("nan_to_num_out", out, strata::nan_to_num(x, nan, posinf, neginf));
}
Tensor& nanmean_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) {
  return detail::write_out("nanmean_out", out, strata::nanmean(x, dims, keepdim, dtype));
}
Tensor& nanmedian_out(Tensor& out, const Tensor& x) {
  return detail::write_out("nanmedian_out", out, strata::nanmedian(x));
}
Tensor& nanquantile_out(Tensor& out, const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                        std::string_view interpolation) {
  return detail::write_out("nanquantile_out", out, strata::nanquantile(x, q, dim, keepdim, interpolation));
}
Tensor& nanquantile_out(Tensor& out, const Tensor& x, double q, std::optional<int64_t> dim, bool keepdim,
                        std::string_view interpolation) {
  return detail::write_out("nanquantile_out", out, strata::nanquantile(x, q, dim, keepdim, interpolation));
}
Tensor& nansum_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) {
  return detail::write_out("nansum_out", out, strata::nansum(x, dims, keepdim, dtype));
}
Tensor& narrow_copy_out(Tensor& out, const Tensor& x, int64_t dim, int64_t start, int64_t length) {
  return detail::write_out("narrow_copy_out", out, strata::narrow_copy(x, dim, start, length));
}
Tensor& native_dropout_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& mask, double scale) {
  return detail::write_out("native_dropout_backward_out", out,
                           strata::native_dropout_backward(grad_output, mask, scale));
}
Tensor& native_norm_out(Tensor& out, const Tensor& self, const Scalar& p) {
  return detail::write_out("native_norm_out", out, strata::native_norm(self, p));
}
Tensor& native_norm_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                        std::optional<DType> dtype) {
  return detail::write_out("native_norm_out", out, strata::native_norm(self, p, dim, keepdim, dtype));
}
Tensor& ne_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("ne_out", out, strata::ne(a, b));
}
Tensor& ne_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("ne_out", out, strata::ne(a, b));
}
Tensor& negative_out(Tensor& out, const Tensor& x) {
  return detail::write_out("negative_out", out, strata::negative(x));
}
Tensor& nextafter_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("nextafter_out", out, strata::nextafter(a, b));
}
Tensor& nll_loss2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                                const Tensor& total_weight) {
  return detail::write_out(
      "nll_loss2d_backward_out", out,
      strata::nll_loss2d_backward(grad_output, self, target, weight, reduction, ignore_index, total_weight));
}
Tensor& nll_loss2d_out(Tensor& out, const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                       int64_t ignore_index) {
  return detail::write_out("nll_loss2d_out", out, strata::nll_loss2d(x, target, weight, reduction, ignore_index));
}
Tensor& nll_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                              OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                              const Tensor& total_weight) {
  return detail::write_out(
      "nll_loss_backward_out", out,
      strata::nll_loss_backward(grad_output, self, target, weight, reduction, ignore_index, total_weight));
}
Tensor& nll_loss_out(Tensor& out, const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                     int64_t ignore_index) {
  return detail::write_out("nll_loss_out", out, strata::nll_loss(x, target, weight, reduction, ignore_index));
}
Tensor& nonzero_out(Tensor& out, const Tensor& x) { return detail::write_out("nonzero_out", out, strata::nonzero(x)); }
Tensor& nonzero_static_out(Tensor& out, const Tensor& x, int64_t size, int64_t fill_value) {
  return detail::write_out("nonzero_static_out", out, strata::nonzero_static(x, size, fill_value));
}
Tensor& norm_out(Tensor& out, const Tensor& x, const Scalar& p) {
  return detail::write_out("norm_out", out, strata::norm(x, p));
}
Tensor& norm_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& p, DType dtype) {
  return detail::write_out("norm_out", out, strata::norm(x, p, dtype));
}
Tensor& norm_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim) {
  return detail::write_out("norm_out", out, strata::norm(x, p, dims, keepdim));
}
Tensor& norm_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim,
                 DType dtype) {
  return detail::write_out("norm_out", out, strata::norm(x, p, dims, keepdim, dtype));
}
Tensor& normal_out(Tensor& out, const Tensor& mean, const Tensor& std, OptionalGenerator generator) {
  return detail::write_out("normal_out", out, strata::normal(mean, std, generator));
}
Tensor& normal_out(Tensor& out, const Tensor& mean, double std, OptionalGenerator generator) {
  return detail::write_out("normal_out", out, strata::normal(mean, std, generator));
}
Tensor& normal_out(Tensor& out, double mean, const Tensor& std, OptionalGenerator generator) {
  return detail::write_out("normal_out", out, strata::normal(mean, std, generator));
}
Tensor& normal_out(Tensor& out, double mean, double std, IntArrayRef sizes) {
  return detail::write_out("normal_out", out, strata::normal(mean, std, sizes, out.options()));
}
Tensor& normal_out(Tensor& out, double mean, double std, IntArrayRef sizes, OptionalGenerator generator) {
  return detail::write_out("normal_out", out, strata::normal(mean, std, sizes, generator, out.options()));
}
Tensor& nuclear_norm_out(Tensor& out, const Tensor& A, IntArrayRef dim, bool keepdim) {
  return detail::write_out("nuclear_norm_out", out, strata::nuclear_norm(A, dim, keepdim));
}
Tensor& nuclear_norm_out(Tensor& out, const Tensor& A, bool keepdim) {
  return detail::write_out("nuclear_norm_out", out, strata::nuclear_norm(A, keepdim));
}
Tensor& ones_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format) {
  return detail::write_out("ones_like_out", out, strata::ones_like(x, out.options(), memory_format));
}
Tensor& ones_out(Tensor& out, IntArrayRef sizes) {
  return detail::write_out("ones_out", out, strata::ones(sizes, out.options()));
}
Tensor& orgqr_out(Tensor& out, const Tensor& A, const Tensor& tau) {
  return detail::write_out("orgqr_out", out, strata::orgqr(A, tau));
}
Tensor& ormqr_out(Tensor& out, const Tensor& A, const Tensor& tau, const Tensor& other, bool left, bool transpose) {
  return detail::write_out("ormqr_out", out, strata::ormqr(A, tau, other, left, transpose));
}
Tensor& outer_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("outer_out", out, strata::outer(a, b));
}
Tensor& permute_copy_out(Tensor& out, const Tensor& x, IntArrayRef dims) {
  return detail::write_out("permute_copy_out", out, strata::permute_copy(x, dims));
}
Tensor& pixel_shuffle_out(Tensor& out, const Tensor& self, int64_t upscale_factor) {
  return detail::write_out("pixel_shuffle_out", out, strata::pixel_shuffle(self, upscale_factor));
}
Tensor& pixel_unshuffle_out(Tensor& out, const Tensor& self, int64_t downscale_factor) {
  return detail::write_out("pixel_unshuffle_out", out, strata::pixel_unshuffle(self, downscale_factor));
}
Tensor& poisson_out(Tensor& out, const Tensor& rate, OptionalGenerator generator) {
  return detail::write_out("poisson_out", out, strata::poisson(rate, generator));
}
Tensor& polar_out(Tensor& out, const Tensor& abs, const Tensor& angle) {
  return detail::write_out("polar_out", out, strata::polar(abs, angle));
}
Tensor& polygamma_out(Tensor& out, int64_t n, const Tensor& x) {
  return detail::write_out("polygamma_out", out, strata::polygamma(n, x));
}
Tensor& pow_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("pow_out", out, strata::pow(a, b));
}
Tensor& pow_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("pow_out", out, strata::pow(a, b));
}
Tensor& prod_out(Tensor& out, const Tensor& x, int64_t dim, bool keepdim, std::optional<DType> dtype) {
  return detail::write_out("prod_out", out, strata::prod(x, dim, keepdim, dtype));
}
Tensor& prod_out(Tensor& out, const Tensor& x, std::optional<DType> dtype) {
  return detail::write_out("prod_out", out, strata::prod(x, dtype));
}
Tensor& put_out(Tensor& out, const Tensor& x, const Tensor& index, const Tensor& source, bool accumulate) {
  return detail::write_out("put_out", out, strata::put(x, index, source, accumulate));
}
Tensor& quantile_out(Tensor& out, const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                     std::string_view interpolation) {
  return detail::write_out("quantile_out", out, strata::quantile(x, q, dim, keepdim, interpolation));
}
Tensor& quantile_out(Tensor& out, const Tensor& x, double q, std::optional<int64_t> dim, bool keepdim,
                     std::string_view interpolation) {
  return detail::write_out("quantile_out", out, strata::quantile(x, q, dim, keepdim, interpolation));
}
Tensor& rad2deg_out(Tensor& out, const Tensor& x) { return detail::write_out("rad2deg_out", out, strata::rad2deg(x)); }
Tensor& rand_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format) {
  return detail::write_out("rand_like_out", out, strata::rand_like(x, out.options(), memory_format));
}
Tensor& rand_out(Tensor& out, IntArrayRef sizes) {
  return detail::write_out("rand_out", out, strata::rand(sizes, out.options()));
}
Tensor& rand_out(Tensor& out, IntArrayRef sizes, OptionalGenerator generator) {
  return detail::write_out("rand_out", out, strata::rand(sizes, generator, out.options()));
}
Tensor& randint_like_out(Tensor& out, const Tensor& self, const Tensor& high) {
  return detail::write_out("randint_like_out", out, strata::randint_like(self, high, out.options()));
}
Tensor& randint_like_out(Tensor& out, const Tensor& self, const Tensor& high, OptionalGenerator generator) {
  return detail::write_out("randint_like_out", out, strata::randint_like(self, high, generator, out.options()));
}
Tensor& randint_like_out(Tensor& out, const Tensor& x, int64_t high, std::optional<MemoryFormat> memory_format) {
  return detail::write_out("randint_like_out", out, strata::randint_like(x, high, out.options(), memory_format));
}
Tensor& randint_like_out(Tensor& out, const Tensor& x, int64_t low, int64_t high,
                         std::optional<MemoryFormat> memory_format) {
  return detail::write_out("randint_like_out", out, strata::randint_like(x, low, high, out.options(), memory_format));
}
Tensor& randint_out(Tensor& out, int64_t high, IntArrayRef sizes) {
  return detail::write_out("randint_out", out, strata::randint(high, sizes, out.options()));
}
Tensor& randint_out(Tensor& out, int64_t high, IntArrayRef sizes, OptionalGenerator generator) {
  return detail::write_out("randint_out", out, strata::randint(high, sizes, generator, out.options()));
}
Tensor& randint_out(Tensor& out, int64_t low, int64_t high, IntArrayRef sizes) {
  return detail::write_out("randint_out", out, strata::randint(low, high, sizes, out.options()));
}
Tensor& randint_out(Tensor& out, int64_t low, int64_t high, IntArrayRef sizes, OptionalGenerator generator) {
  return detail::write_out("randint_out", out, strata::randint(low, high, sizes, generator, out.options()));
}
Tensor& randn_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format) {
  return detail::write_out("randn_like_out", out, strata::randn_like(x, out.options(), memory_format));
}
Tensor& randn_out(Tensor& out, IntArrayRef sizes) {
  return detail::write_out("randn_out", out, strata::randn(sizes, out.options()));
}
Tensor& randn_out(Tensor& out, IntArrayRef sizes, OptionalGenerator generator) {
  return detail::write_out("randn_out", out, strata::randn(sizes, generator, out.options()));
}
Tensor& randperm_out(Tensor& out, int64_t n) {
  return detail::write_out("randperm_out", out, strata::randperm(n, out.options()));
}
Tensor& randperm_out(Tensor& out, int64_t n, OptionalGenerator generator) {
  return detail::write_out("randperm_out", out, strata::randperm(n, generator, out.options()));
}
Tensor& range_out(Tensor& out, const Scalar& start, const Scalar& end) {
  return detail::write_out("range_out", out, strata::range(start, end, out.options()));
}
Tensor& range_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step) {
  return detail::write_out("range_out", out, strata::range(start, end, step, out.options()));
}
Tensor& reflection_pad1d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("reflection_pad1d_backward_out", out,
                           strata::reflection_pad1d_backward(grad_output, self, padding));
}
Tensor& reflection_pad1d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("reflection_pad1d_out", out, strata::reflection_pad1d(self, padding));
}
Tensor& reflection_pad2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("reflection_pad2d_backward_out", out,
                           strata::reflection_pad2d_backward(grad_output, self, padding));
}
Tensor& reflection_pad2d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("reflection_pad2d_out", out, strata::reflection_pad2d(self, padding));
}
Tensor& reflection_pad3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("reflection_pad3d_backward_out", out,
                           strata::reflection_pad3d_backward(grad_output, self, padding));
}
Tensor& reflection_pad3d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("reflection_pad3d_out", out, strata::reflection_pad3d(self, padding));
}
Tensor& remainder_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("remainder_out", out, strata::remainder(a, b));
}
Tensor& remainder_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("remainder_out", out, strata::remainder(a, b));
}
Tensor& remainder_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("remainder_out", out, strata::remainder(a, b));
}
Tensor& renorm_out(Tensor& out, const Tensor& x, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  return detail::write_out("renorm_out", out, strata::renorm(x, p, dim, maxnorm));
}
Tensor& repeat_interleave_out(Tensor& out, const Tensor& repeats, std::optional<int64_t> output_size) {
  return detail::write_out("repeat_interleave_out", out, strata::repeat_interleave(repeats, output_size));
}
Tensor& repeat_interleave_out(Tensor& out, const Tensor& x, const Tensor& repeats, std::optional<int64_t> dim,
                              std::optional<int64_t> output_size) {
  return detail::write_out("repeat_interleave_out", out, strata::repeat_interleave(x, repeats, dim, output_size));
}
Tensor& repeat_interleave_out(Tensor& out, const Tensor& x, int64_t repeats, std::optional<int64_t> dim,
                              std::optional<int64_t> output_size) {
  return detail::write_out("repeat_interleave_out", out, strata::repeat_interleave(x, repeats, dim, output_size));
}
Tensor& repeat_out(Tensor& out, const Tensor& x, IntArrayRef repeats) {
  return detail::write_out("repeat_out", out, strata::repeat(x, repeats));
}
Tensor& replication_pad1d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                       IntArrayRef padding) {
  return detail::write_out("replication_pad1d_backward_out", out,
                           strata::replication_pad1d_backward(grad_output, self, padding));
}
Tensor& replication_pad1d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("replication_pad1d_out", out, strata::replication_pad1d(self, padding));
}
Tensor& replication_pad2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                       IntArrayRef padding) {
  return detail::write_out("replication_pad2d_backward_out", out,
                           strata::replication_pad2d_backward(grad_output, self, padding));
}
Tensor& replication_pad2d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("replication_pad2d_out", out, strata::replication_pad2d(self, padding));
}
Tensor& replication_pad3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                       IntArrayRef padding) {
  return detail::write_out("replication_pad3d_backward_out", out,
                           strata::replication_pad3d_backward(grad_output, self, padding));
}
Tensor& replication_pad3d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("replication_pad3d_out", out, strata::replication_pad3d(self, padding));
}
Tensor& resize_as_out(Tensor& out, const Tensor& self, const Tensor& other, std::optional<MemoryFormat> format) {
  return detail::write_out("resize_as_out", out, strata::resize_as(self, other, format));
}
Tensor& resize_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<MemoryFormat> format) {
  return detail::write_out("resize_out", out, strata::resize(self, size, format));
}
Tensor& roll_out(Tensor& out, const Tensor& x, IntArrayRef shifts, IntArrayRef dims) {
  return detail::write_out("roll_out", out, strata::roll(x, shifts, dims));
}
Tensor& rot90_out(Tensor& out, const Tensor& x, int64_t k, IntArrayRef dims) {
  return detail::write_out("rot90_out", out, strata::rot90(x, k, dims));
}
Tensor& round_out(Tensor& out, const Tensor& x, int64_t decimals) {
  return detail::write_out("round_out", out, strata::round(x, decimals));
}
Tensor& row_stack_out(Tensor& out, TensorList tensors) {
  return detail::write_out("row_stack_out", out, strata::row_stack(tensors));
}
Tensor& rrelu_with_noise_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& noise,
                                      const Scalar& lower, const Scalar& upper, bool training, bool self_is_result) {
  return detail::write_out(
      "rrelu_with_noise_backward_out", out,
      strata::rrelu_with_noise_backward(grad_output, self, noise, lower, upper, training, self_is_result));
}
Tensor& rrelu_with_noise_out(Tensor& out, const Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper,
                             bool training, OptionalGenerator generator) {
  return detail::write_out("rrelu_with_noise_out", out,
                           strata::rrelu_with_noise(self, noise, lower, upper, training, generator));
}
Tensor& rsub_out(Tensor& out, const Tensor& a, const Scalar& b, const Scalar& alpha) {
  return detail::write_out("rsub_out", out, strata::rsub(a, b, alpha));
}
Tensor& rsub_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& alpha) {
  return detail::write_out("rsub_out", out, strata::rsub(a, b, alpha));
}
Tensor& scalar_tensor_out(Tensor& out, const Scalar& value) {
  return detail::write_out("scalar_tensor_out", out, strata::scalar_tensor(value, out.options()));
}
Tensor& scatter_add_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
  return detail::write_out("scatter_add_out", out, strata::scatter_add(x, dim, index, source));
}
Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value) {
  return detail::write_out("scatter_out", out, strata::scatter(x, dim, index, value));
}
Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value,
                    std::string_view reduce) {
  return detail::write_out("scatter_out", out, strata::scatter(x, dim, index, value, reduce));
}
Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
  return detail::write_out("scatter_out", out, strata::scatter(x, dim, index, source));
}
Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                    std::string_view reduce) {
  return detail::write_out("scatter_out", out, strata::scatter(x, dim, index, source, reduce));
}
Tensor& scatter_reduce_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                           std::string_view reduce, bool include_self) {
  return detail::write_out("scatter_reduce_out", out,
                           strata::scatter_reduce(x, dim, index, source, reduce, include_self));
}
Tensor& searchsorted_out(Tensor& out, const Tensor& sorted, const Scalar& value, bool out_int32, bool right,
                         std::optional<std::string_view> side, OptionalTensorRef sorter) {
  return detail::write_out("searchsorted_out", out,
                           strata::searchsorted(sorted, value, out_int32, right, side, sorter));
}
Tensor& searchsorted_out(Tensor& out, const Tensor& sorted, const Tensor& values, bool out_int32, bool right,
                         std::optional<std::string_view> side, OptionalTensorRef sorter) {
  return detail::write_out("searchsorted_out", out,
                           strata::searchsorted(sorted, values, out_int32, right, side, sorter));
}
Tensor& segment_reduce_out(Tensor& out, const Tensor& data, std::string_view reduce,
                           const std::optional<Tensor>& lengths, const std::optional<Tensor>& indices,
                           const std::optional<Tensor>& offsets, int64_t axis, bool unsafe,
                           const std::optional<Scalar>& initial) {
  return detail::write_out("segment_reduce_out", out,
                           strata::segment_reduce(data, reduce, lengths, indices, offsets, axis, unsafe, initial));
}
Tensor& select_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t index) {
  return detail::write_out("select_backward_out", out, strata::select_backward(grad, input_sizes, dim, index));
}
Tensor& select_copy_out(Tensor& out, const Tensor& x, int64_t dim, int64_t index) {
  return detail::write_out("select_copy_out", out, strata::select_copy(x, dim, index));
}
Tensor& select_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, int64_t dim, int64_t index) {
  return detail::write_out("select_scatter_out", out, strata::select_scatter(base, source, dim, index));
}
Tensor& set_out(Tensor& out, const Tensor& self) { return detail::write_out("set_out", out, strata::set(self)); }
Tensor& set_out(Tensor& out, const Tensor& self, const Storage& source) {
  return detail::write_out("set_out", out, strata::set(self, source));
}
Tensor& set_out(Tensor& out, const Tensor& self, const Storage& source, int64_t storage_offset, IntArrayRef size,
                IntArrayRef stride) {
  return detail::write_out("set_out", out, strata::set(self, source, storage_offset, size, stride));
}
Tensor& set_out(Tensor& out, const Tensor& self, const Tensor& source) {
  return detail::write_out("set_out", out, strata::set(self, source));
}
Tensor& sgn_out(Tensor& out, const Tensor& x) { return detail::write_out("sgn_out", out, strata::sgn(x)); }
Tensor& sigmoid_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& output) {
  return detail::write_out("sigmoid_backward_out", out, strata::sigmoid_backward(grad_output, output));
}
Tensor& signbit_out(Tensor& out, const Tensor& x) { return detail::write_out("signbit_out", out, strata::signbit(x)); }
Tensor& silu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self) {
  return detail::write_out("silu_backward_out", out, strata::silu_backward(grad_output, self));
}
Tensor& silu_out(Tensor& out, const Tensor& x) { return detail::write_out("silu_out", out, strata::silu(x)); }
Tensor& sinc_out(Tensor& out, const Tensor& x) { return detail::write_out("sinc_out", out, strata::sinc(x)); }
Tensor& slice_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t start,
                           int64_t end, int64_t step) {
  return detail::write_out("slice_backward_out", out, strata::slice_backward(grad, input_sizes, dim, start, end, step));
}
Tensor& slice_copy_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<int64_t> start,
                       std::optional<int64_t> end, int64_t step) {
  return detail::write_out("slice_copy_out", out, strata::slice_copy(x, dim, start, end, step));
}
Tensor& slice_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, int64_t dim,
                          std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  return detail::write_out("slice_scatter_out", out, strata::slice_scatter(base, source, dim, start, end, step));
}
Tensor& slow_conv3d_forward_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding) {
  return detail::write_out("slow_conv3d_forward_out", out,
                           strata::slow_conv3d_forward(self, weight, kernel_size, bias, stride, padding));
}
Tensor& slow_conv3d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                        OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding) {
  return detail::write_out("slow_conv3d_out", out,
                           strata::slow_conv3d(self, weight, kernel_size, bias, stride, padding));
}
Tensor& slow_conv_dilated2d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {
  return detail::write_out("slow_conv_dilated2d_out", out,
                           strata::slow_conv_dilated2d(self, weight, kernel_size, bias, stride, padding, dilation));
}
Tensor& slow_conv_dilated3d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {
  return detail::write_out("slow_conv_dilated3d_out", out,
                           strata::slow_conv_dilated3d(self, weight, kernel_size, bias, stride, padding, dilation));
}
Tensor& slow_conv_transpose2d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                  OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding,
                                  IntArrayRef output_padding, IntArrayRef dilation) {
  return detail::write_out(
      "slow_conv_transpose2d_out", out,
      strata::slow_conv_transpose2d(self, weight, kernel_size, bias, stride, padding, output_padding, dilation));
}
Tensor& slow_conv_transpose3d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                  OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding,
                                  IntArrayRef output_padding, IntArrayRef dilation) {
  return detail::write_out(
      "slow_conv_transpose3d_out", out,
      strata::slow_conv_transpose3d(self, weight, kernel_size, bias, stride, padding, output_padding, dilation));
}
Tensor& smooth_l1_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                    int64_t reduction, double beta) {
  return detail::write_out("smooth_l1_loss_backward_out", out,
                           strata::smooth_l1_loss_backward(grad_output, self, target, reduction, beta));
}
Tensor& smooth_l1_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction, double beta) {
  return detail::write_out("smooth_l1_loss_out", out, strata::smooth_l1_loss(x, target, reduction, beta));
}
Tensor& soft_margin_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                      int64_t reduction) {
  return detail::write_out("soft_margin_loss_backward_out", out,
                           strata::soft_margin_loss_backward(grad_output, self, target, reduction));
}
Tensor& soft_margin_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction) {
  return detail::write_out("soft_margin_loss_out", out, strata::soft_margin_loss(x, target, reduction));
}
Tensor& softmax_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype) {
  return detail::write_out("softmax_out", out, strata::softmax(x, dim, dtype));
}
Tensor& softplus_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar& beta,
                              const Scalar& threshold) {
  return detail::write_out("softplus_backward_out", out, strata::softplus_backward(grad_output, self, beta, threshold));
}
Tensor& softplus_out(Tensor& out, const Tensor& x, const Scalar& beta, const Scalar& threshold) {
  return detail::write_out("softplus_out", out, strata::softplus(x, beta, threshold));
}
Tensor& softshrink_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar& lambd) {
  return detail::write_out("softshrink_backward_out", out, strata::softshrink_backward(grad_output, self, lambd));
}
Tensor& softshrink_out(Tensor& out, const Tensor& x, const Scalar& lambda) {
  return detail::write_out("softshrink_out", out, strata::softshrink(x, lambda));
}
Tensor& special_airy_ai_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_airy_ai_out", out, strata::special::airy_ai(x));
}
Tensor& special_bessel_j0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_bessel_j0_out", out, strata::special::bessel_j0(x));
}
Tensor& special_bessel_j1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_bessel_j1_out", out, strata::special::bessel_j1(x));
}
Tensor& special_bessel_y0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_bessel_y0_out", out, strata::special::bessel_y0(x));
}
Tensor& special_bessel_y1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_bessel_y1_out", out, strata::special::bessel_y1(x));
}
Tensor& special_chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_chebyshev_polynomial_t_out", out, strata::special::chebyshev_polynomial_t(x, n));
}
Tensor& special_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_chebyshev_polynomial_t_out", out, strata::special::chebyshev_polynomial_t(x, n));
}
Tensor& special_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_chebyshev_polynomial_t_out", out, strata::special::chebyshev_polynomial_t(x, n));
}
Tensor& special_chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_chebyshev_polynomial_u_out", out, strata::special::chebyshev_polynomial_u(x, n));
}
Tensor& special_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_chebyshev_polynomial_u_out", out, strata::special::chebyshev_polynomial_u(x, n));
}
Tensor& special_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_chebyshev_polynomial_u_out", out, strata::special::chebyshev_polynomial_u(x, n));
}
Tensor& special_chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_chebyshev_polynomial_v_out", out, strata::special::chebyshev_polynomial_v(x, n));
}
Tensor& special_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_chebyshev_polynomial_v_out", out, strata::special::chebyshev_polynomial_v(x, n));
}
Tensor& special_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_chebyshev_polynomial_v_out", out, strata::special::chebyshev_polynomial_v(x, n));
}
Tensor& special_chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_chebyshev_polynomial_w_out", out, strata::special::chebyshev_polynomial_w(x, n));
}
Tensor& special_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_chebyshev_polynomial_w_out", out, strata::special::chebyshev_polynomial_w(x, n));
}
Tensor& special_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_chebyshev_polynomial_w_out", out, strata::special::chebyshev_polynomial_w(x, n));
}
Tensor& special_digamma_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_digamma_out", out, strata::special::digamma(x));
}
Tensor& special_entr_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_entr_out", out, strata::special::entr(x));
}
Tensor& special_erf_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_erf_out", out, strata::special::erf(x));
}
Tensor& special_erfc_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_erfc_out", out, strata::special::erfc(x));
}
Tensor& special_erfcx_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_erfcx_out", out, strata::special::erfcx(x));
}
Tensor& special_erfinv_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_erfinv_out", out, strata::special::erfinv(x));
}
Tensor& special_exp2_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_exp2_out", out, strata::special::exp2(x));
}
Tensor& special_expit_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_expit_out", out, strata::special::expit(x));
}
Tensor& special_expm1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_expm1_out", out, strata::special::expm1(x));
}
Tensor& special_gammainc_out(Tensor& out, const Tensor& a, const Tensor& x) {
  return detail::write_out("special_gammainc_out", out, strata::special::gammainc(a, x));
}
Tensor& special_gammaincc_out(Tensor& out, const Tensor& a, const Tensor& x) {
  return detail::write_out("special_gammaincc_out", out, strata::special::gammaincc(a, x));
}
Tensor& special_gammaln_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_gammaln_out", out, strata::special::gammaln(x));
}
Tensor& special_hermite_polynomial_h_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_hermite_polynomial_h_out", out, strata::special::hermite_polynomial_h(x, n));
}
Tensor& special_hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_hermite_polynomial_h_out", out, strata::special::hermite_polynomial_h(x, n));
}
Tensor& special_hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_hermite_polynomial_h_out", out, strata::special::hermite_polynomial_h(x, n));
}
Tensor& special_hermite_polynomial_he_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_hermite_polynomial_he_out", out, strata::special::hermite_polynomial_he(x, n));
}
Tensor& special_hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_hermite_polynomial_he_out", out, strata::special::hermite_polynomial_he(x, n));
}
Tensor& special_hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_hermite_polynomial_he_out", out, strata::special::hermite_polynomial_he(x, n));
}
Tensor& special_i0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_i0_out", out, strata::special::i0(x));
}
Tensor& special_i0e_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_i0e_out", out, strata::special::i0e(x));
}
Tensor& special_i1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_i1_out", out, strata::special::i1(x));
}
Tensor& special_i1e_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_i1e_out", out, strata::special::i1e(x));
}
Tensor& special_laguerre_polynomial_l_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_laguerre_polynomial_l_out", out, strata::special::laguerre_polynomial_l(x, n));
}
Tensor& special_laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_laguerre_polynomial_l_out", out, strata::special::laguerre_polynomial_l(x, n));
}
Tensor& special_laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_laguerre_polynomial_l_out", out, strata::special::laguerre_polynomial_l(x, n));
}
Tensor& special_legendre_polynomial_p_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_legendre_polynomial_p_out", out, strata::special::legendre_polynomial_p(x, n));
}
Tensor& special_legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_legendre_polynomial_p_out", out, strata::special::legendre_polynomial_p(x, n));
}
Tensor& special_legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_legendre_polynomial_p_out", out, strata::special::legendre_polynomial_p(x, n));
}
Tensor& special_log1p_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_log1p_out", out, strata::special::log1p(x));
}
Tensor& special_log_ndtr_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_log_ndtr_out", out, strata::special::log_ndtr(x));
}
Tensor& special_logit_out(Tensor& out, const Tensor& x, std::optional<double> eps) {
  return detail::write_out("special_logit_out", out, strata::special::logit(x, eps));
}
Tensor& special_logsumexp_out(Tensor& out, const Tensor& x, IntArrayRef dims, bool keepdim) {
  return detail::write_out("special_logsumexp_out", out, strata::special::logsumexp(x, dims, keepdim));
}
Tensor& special_modified_bessel_i0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_modified_bessel_i0_out", out, strata::special::modified_bessel_i0(x));
}
Tensor& special_modified_bessel_i1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_modified_bessel_i1_out", out, strata::special::modified_bessel_i1(x));
}
Tensor& special_modified_bessel_k0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_modified_bessel_k0_out", out, strata::special::modified_bessel_k0(x));
}
Tensor& special_modified_bessel_k1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_modified_bessel_k1_out", out, strata::special::modified_bessel_k1(x));
}
Tensor& special_multigammaln_out(Tensor& out, const Tensor& x, int64_t p) {
  return detail::write_out("special_multigammaln_out", out, strata::special::multigammaln(x, p));
}
Tensor& special_ndtr_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_ndtr_out", out, strata::special::ndtr(x));
}
Tensor& special_ndtri_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_ndtri_out", out, strata::special::ndtri(x));
}
Tensor& special_polygamma_out(Tensor& out, int64_t n, const Tensor& x) {
  return detail::write_out("special_polygamma_out", out, strata::special::polygamma(n, x));
}
Tensor& special_psi_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_psi_out", out, strata::special::psi(x));
}
Tensor& special_round_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_round_out", out, strata::special::round(x));
}
Tensor& special_round_out(Tensor& out, const Tensor& x, int64_t decimals) {
  return detail::write_out("special_round_out", out, strata::special::round(x, decimals));
}
Tensor& special_scaled_modified_bessel_k0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_scaled_modified_bessel_k0_out", out, strata::special::scaled_modified_bessel_k0(x));
}
Tensor& special_scaled_modified_bessel_k1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_scaled_modified_bessel_k1_out", out, strata::special::scaled_modified_bessel_k1(x));
}
Tensor& special_shifted_chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_t_out", out,
                           strata::special::shifted_chebyshev_polynomial_t(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_t_out", out,
                           strata::special::shifted_chebyshev_polynomial_t(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_t_out", out,
                           strata::special::shifted_chebyshev_polynomial_t(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_u_out", out,
                           strata::special::shifted_chebyshev_polynomial_u(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_u_out", out,
                           strata::special::shifted_chebyshev_polynomial_u(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_u_out", out,
                           strata::special::shifted_chebyshev_polynomial_u(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_v_out", out,
                           strata::special::shifted_chebyshev_polynomial_v(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_v_out", out,
                           strata::special::shifted_chebyshev_polynomial_v(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_v_out", out,
                           strata::special::shifted_chebyshev_polynomial_v(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_w_out", out,
                           strata::special::shifted_chebyshev_polynomial_w(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_w_out", out,
                           strata::special::shifted_chebyshev_polynomial_w(x, n));
}
Tensor& special_shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("special_shifted_chebyshev_polynomial_w_out", out,
                           strata::special::shifted_chebyshev_polynomial_w(x, n));
}
Tensor& special_sinc_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_sinc_out", out, strata::special::sinc(x));
}
Tensor& special_spherical_bessel_j0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("special_spherical_bessel_j0_out", out, strata::special::spherical_bessel_j0(x));
}
Tensor& special_xlog1py_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("special_xlog1py_out", out, strata::special::xlog1py(a, b));
}
Tensor& special_xlog1py_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("special_xlog1py_out", out, strata::special::xlog1py(a, b));
}
Tensor& special_xlog1py_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("special_xlog1py_out", out, strata::special::xlog1py(a, b));
}
Tensor& special_xlogy_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("special_xlogy_out", out, strata::special::xlogy(a, b));
}
Tensor& special_xlogy_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("special_xlogy_out", out, strata::special::xlogy(a, b));
}
Tensor& special_xlogy_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("special_xlogy_out", out, strata::special::xlogy(a, b));
}
Tensor& special_zeta_out(Tensor& out, const Scalar& x, const Tensor& q) {
  return detail::write_out("special_zeta_out", out, strata::special::zeta(x, q));
}
Tensor& special_zeta_out(Tensor& out, const Tensor& x, const Scalar& q) {
  return detail::write_out("special_zeta_out", out, strata::special::zeta(x, q));
}
Tensor& special_zeta_out(Tensor& out, const Tensor& x, const Tensor& q) {
  return detail::write_out("special_zeta_out", out, strata::special::zeta(x, q));
}
Tensor& squeeze_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("squeeze_copy_out", out, strata::squeeze_copy(x));
}
Tensor& squeeze_copy_out(Tensor& out, const Tensor& x, IntArrayRef dims) {
  return detail::write_out("squeeze_copy_out", out, strata::squeeze_copy(x, dims));
}
Tensor& squeeze_copy_out(Tensor& out, const Tensor& x, int64_t dim) {
  return detail::write_out("squeeze_copy_out", out, strata::squeeze_copy(x, dim));
}
Tensor& stack_out(Tensor& out, TensorList tensors, int64_t dim) {
  return detail::write_out("stack_out", out, strata::stack(tensors, dim));
}
Tensor& std_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                bool keepdim) {
  return detail::write_out("std_out", out, strata::std(x, dims, correction, keepdim));
}
Tensor& sub_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("sub_out", out, strata::sub(a, b));
}
Tensor& sub_out(Tensor& out, const Tensor& a, const Scalar& b, const Scalar& alpha) {
  return detail::write_out("sub_out", out, strata::sub(a, b, alpha));
}
Tensor& sum_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) {
  return detail::write_out("sum_out", out, strata::sum(x, dims, keepdim, dtype));
}
Tensor& sum_out(Tensor& out, const Tensor& x, std::optional<DType> dtype) {
  return detail::write_out("sum_out", out, strata::sum(x, dtype));
}
Tensor& t_copy_out(Tensor& out, const Tensor& x) { return detail::write_out("t_copy_out", out, strata::t_copy(x)); }
Tensor& take_along_dim_out(Tensor& out, const Tensor& x, const Tensor& index, std::optional<int64_t> dim) {
  return detail::write_out("take_along_dim_out", out, strata::take_along_dim(x, index, dim));
}
Tensor& take_out(Tensor& out, const Tensor& x, const Tensor& index) {
  return detail::write_out("take_out", out, strata::take(x, index));
}
Tensor& tanh_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& output) {
  return detail::write_out("tanh_backward_out", out, strata::tanh_backward(grad_output, output));
}
Tensor& tensordot_out(Tensor& out, const Tensor& a, const Tensor& b, IntArrayRef dims_a, IntArrayRef dims_b) {
  return detail::write_out("tensordot_out", out, strata::tensordot(a, b, dims_a, dims_b));
}
Tensor& tensordot_out(Tensor& out, const Tensor& a, const Tensor& b, int64_t dims) {
  return detail::write_out("tensordot_out", out, strata::tensordot(a, b, dims));
}
Tensor& thnn_conv2d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                        OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding) {
  return detail::write_out("thnn_conv2d_out", out,
                           strata::thnn_conv2d(self, weight, kernel_size, bias, stride, padding));
}
Tensor& threshold_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar& threshold) {
  return detail::write_out("threshold_backward_out", out, strata::threshold_backward(grad_output, self, threshold));
}
Tensor& threshold_out(Tensor& out, const Tensor& x, const Scalar& threshold, const Scalar& value) {
  return detail::write_out("threshold_out", out, strata::threshold(x, threshold, value));
}
Tensor& trace_out(Tensor& out, const Tensor& x) { return detail::write_out("trace_out", out, strata::trace(x)); }
Tensor& transpose_copy_out(Tensor& out, const Tensor& x, int64_t a, int64_t b) {
  return detail::write_out("transpose_copy_out", out, strata::transpose_copy(x, a, b));
}
Tensor& tril_indices_out(Tensor& out, int64_t rows, int64_t cols, int64_t offset) {
  return detail::write_out("tril_indices_out", out, strata::tril_indices(rows, cols, offset, out.options()));
}
Tensor& tril_out(Tensor& out, const Tensor& x, int64_t diagonal) {
  return detail::write_out("tril_out", out, strata::tril(x, diagonal));
}
Tensor& triu_indices_out(Tensor& out, int64_t rows, int64_t cols, int64_t offset) {
  return detail::write_out("triu_indices_out", out, strata::triu_indices(rows, cols, offset, out.options()));
}
Tensor& triu_out(Tensor& out, const Tensor& x, int64_t diagonal) {
  return detail::write_out("triu_out", out, strata::triu(x, diagonal));
}
Tensor& unfold_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t size,
                            int64_t step) {
  return detail::write_out("unfold_backward_out", out, strata::unfold_backward(grad, input_sizes, dim, size, step));
}
Tensor& unfold_copy_out(Tensor& out, const Tensor& x, int64_t dim, int64_t size, int64_t step) {
  return detail::write_out("unfold_copy_out", out, strata::unfold_copy(x, dim, size, step));
}
Tensor& uniform_out(Tensor& out, const Tensor& self, double from, double to, OptionalGenerator generator) {
  return detail::write_out("uniform_out", out, strata::uniform(self, from, to, generator));
}
Tensor& unsqueeze_copy_out(Tensor& out, const Tensor& x, int64_t dim) {
  return detail::write_out("unsqueeze_copy_out", out, strata::unsqueeze_copy(x, dim));
}
Tensor& upsample_bicubic2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                        IntArrayRef input_size, bool align_corners, std::optional<double> scales_h,
                                        std::optional<double> scales_w) {
  return detail::write_out(
      "upsample_bicubic2d_backward_out", out,
      strata::upsample_bicubic2d_backward(grad_output, output_size, input_size, align_corners, scales_h, scales_w));
}
Tensor& upsample_bicubic2d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                               std::optional<double> scales_h, std::optional<double> scales_w) {
  return detail::write_out("upsample_bicubic2d_out", out,
                           strata::upsample_bicubic2d(self, size, align_corners, scales_h, scales_w));
}
Tensor& upsample_bicubic2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                               std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_bicubic2d_out", out,
                           strata::upsample_bicubic2d(self, size, align_corners, scales));
}
Tensor& upsample_bilinear2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                         IntArrayRef input_size, bool align_corners, std::optional<double> scales_h,
                                         std::optional<double> scales_w) {
  return detail::write_out(
      "upsample_bilinear2d_backward_out", out,
      strata::upsample_bilinear2d_backward(grad_output, output_size, input_size, align_corners, scales_h, scales_w));
}
Tensor& upsample_bilinear2d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                std::optional<double> scales_h, std::optional<double> scales_w) {
  return detail::write_out("upsample_bilinear2d_out", out,
                           strata::upsample_bilinear2d(self, size, align_corners, scales_h, scales_w));
}
Tensor& upsample_bilinear2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_bilinear2d_out", out,
                           strata::upsample_bilinear2d(self, size, align_corners, scales));
}
Tensor& upsample_linear1d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                       IntArrayRef input_size, bool align_corners, std::optional<double> scales) {
  return detail::write_out(
      "upsample_linear1d_backward_out", out,
      strata::upsample_linear1d_backward(grad_output, output_size, input_size, align_corners, scales));
}
Tensor& upsample_linear1d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                              std::optional<double> scales) {
  return detail::write_out("upsample_linear1d_out", out, strata::upsample_linear1d(self, size, align_corners, scales));
}
Tensor& upsample_linear1d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                              std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_linear1d_out", out, strata::upsample_linear1d(self, size, align_corners, scales));
}
Tensor& upsample_nearest1d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                        IntArrayRef input_size, std::optional<double> scales) {
  return detail::write_out("upsample_nearest1d_backward_out", out,
                           strata::upsample_nearest1d_backward(grad_output, output_size, input_size, scales));
}
Tensor& upsample_nearest1d_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<double> scales) {
  return detail::write_out("upsample_nearest1d_out", out, strata::upsample_nearest1d(self, size, scales));
}
Tensor& upsample_nearest1d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                               std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_nearest1d_out", out, strata::upsample_nearest1d(self, size, scales));
}
Tensor& upsample_nearest2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                        IntArrayRef input_size, std::optional<double> scales_h,
                                        std::optional<double> scales_w) {
  return detail::write_out(
      "upsample_nearest2d_backward_out", out,
      strata::upsample_nearest2d_backward(grad_output, output_size, input_size, scales_h, scales_w));
}
Tensor& upsample_nearest2d_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<double> scales_h,
                               std::optional<double> scales_w) {
  return detail::write_out("upsample_nearest2d_out", out, strata::upsample_nearest2d(self, size, scales_h, scales_w));
}
Tensor& upsample_nearest2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                               std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_nearest2d_out", out, strata::upsample_nearest2d(self, size, scales));
}
Tensor& upsample_nearest3d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                        IntArrayRef input_size, std::optional<double> scales_d,
                                        std::optional<double> scales_h, std::optional<double> scales_w) {
  return detail::write_out(
      "upsample_nearest3d_backward_out", out,
      strata::upsample_nearest3d_backward(grad_output, output_size, input_size, scales_d, scales_h, scales_w));
}
Tensor& upsample_nearest3d_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<double> scales_d,
                               std::optional<double> scales_h, std::optional<double> scales_w) {
  return detail::write_out("upsample_nearest3d_out", out,
                           strata::upsample_nearest3d(self, size, scales_d, scales_h, scales_w));
}
Tensor& upsample_nearest3d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                               std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_nearest3d_out", out, strata::upsample_nearest3d(self, size, scales));
}
Tensor& upsample_trilinear3d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                          IntArrayRef input_size, bool align_corners, std::optional<double> scales_d,
                                          std::optional<double> scales_h, std::optional<double> scales_w) {
  return detail::write_out("upsample_trilinear3d_backward_out", out,
                           strata::upsample_trilinear3d_backward(grad_output, output_size, input_size, align_corners,
                                                                 scales_d, scales_h, scales_w));
}
Tensor& upsample_trilinear3d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                 std::optional<double> scales_d, std::optional<double> scales_h,
                                 std::optional<double> scales_w) {
  return detail::write_out("upsample_trilinear3d_out", out,
                           strata::upsample_trilinear3d(self, size, align_corners, scales_d, scales_h, scales_w));
}
Tensor& upsample_trilinear3d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                 std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_trilinear3d_out", out,
                           strata::upsample_trilinear3d(self, size, align_corners, scales));
}
Tensor& var_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                bool keepdim) {
  return detail::write_out("var_out", out, strata::var(x, dims, correction, keepdim));
}
Tensor& vdot_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("vdot_out", out, strata::vdot(a, b));
}
Tensor& view_as_complex_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("view_as_complex_copy_out", out, strata::view_as_complex_copy(x));
}
Tensor& view_as_real_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("view_as_real_copy_out", out, strata::view_as_real_copy(x));
}
Tensor& view_copy_out(Tensor& out, const Tensor& self, DType dtype) {
  return detail::write_out("view_copy_out", out, strata::view_copy(self, dtype));
}
Tensor& view_copy_out(Tensor& out, const Tensor& x, IntArrayRef sizes) {
  return detail::write_out("view_copy_out", out, strata::view_copy(x, sizes));
}
Tensor& vstack_out(Tensor& out, TensorList tensors) {
  return detail::write_out("vstack_out", out, strata::vstack(tensors));
}
Tensor& where_out(Tensor& out, const Tensor& condition, const Scalar& a, const Scalar& b) {
  return detail::write_out("where_out", out, strata::where(condition, a, b));
}
Tensor& where_out(Tensor& out, const Tensor& condition, const Scalar& a, const Tensor& b) {
  return detail::write_out("where_out", out, strata::where(condition, a, b));
}
Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& a, const Scalar& b) {
  return detail::write_out("where_out", out, strata::where(condition, a, b));
}
Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& a, const Tensor& b) {
  return detail::write_out("where_out", out, strata::where(condition, a, b));
}
Tensor& xlogy_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("xlogy_out", out, strata::xlogy(a, b));
}
Tensor& xlogy_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("xlogy_out", out, strata::xlogy(a, b));
}
Tensor& xlogy_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("xlogy_out", out, strata::xlogy(a, b));
}
Tensor& zero_out(Tensor& out, const Tensor& self) { return detail::write_out("zero_out", out, strata::zero(self)); }
Tensor& zeros_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format) {
  return detail::write_out("zeros_like_out", out, strata::zeros_like(x, out.options(), memory_format));
}
Tensor& zeros_out(Tensor& out, IntArrayRef sizes) {
  return detail::write_out("zeros_out", out, strata::zeros(sizes, out.options()));
}
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _batch_norm_no_update_out(
    Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3, const Tensor& input, OptionalTensorRef weight,
    OptionalTensorRef bias, OptionalTensorRef running_mean, OptionalTensorRef running_var, double momentum,
    double eps) {
  return detail::write_out(
      "_batch_norm_no_update_out", std::tie(out0, out1, out2, out3),
      strata::_batch_norm_no_update(input, weight, bias, running_mean, running_var, momentum, eps));
}
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _batch_norm_with_update_out(
    Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3, const Tensor& input, OptionalTensorRef weight,
    OptionalTensorRef bias, Tensor& running_mean, Tensor& running_var, double momentum, double eps) {
  return detail::write_out(
      "_batch_norm_with_update_out", std::tie(out0, out1, out2, out3),
      strata::_batch_norm_with_update(input, weight, bias, running_mean, running_var, momentum, eps));
}
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _embedding_bag_forward_only_out(
    Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3, const Tensor& weight, const Tensor& indices,
    const Tensor& offsets, bool scale_grad_by_freq, int64_t mode, bool sparse, OptionalTensorRef per_sample_weights,
    bool include_last_offset, int64_t padding_idx) {
  return detail::write_out(
      "_embedding_bag_forward_only_out", std::tie(out0, out1, out2, out3),
      strata::_embedding_bag_forward_only(weight, indices, offsets, scale_grad_by_freq, mode, sparse,
                                          per_sample_weights, include_last_offset, padding_idx));
}
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _embedding_bag_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                  Tensor& out3, const Tensor& weight,
                                                                  const Tensor& indices, const Tensor& offsets,
                                                                  bool scale_grad_by_freq, int64_t mode, bool sparse,
                                                                  OptionalTensorRef per_sample_weights,
                                                                  bool include_last_offset, int64_t padding_idx) {
  return detail::write_out("_embedding_bag_out", std::tie(out0, out1, out2, out3),
                           strata::_embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse,
                                                  per_sample_weights, include_last_offset, padding_idx));
}
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _linalg_slogdet_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                   Tensor& out3, const Tensor& A) {
  return detail::write_out("_linalg_slogdet_out", std::tie(out0, out1, out2, out3), strata::_linalg_slogdet(A));
}
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _linalg_solve_ex_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                    Tensor& out3, const Tensor& A, const Tensor& B,
                                                                    bool left, bool check_errors) {
  return detail::write_out("_linalg_solve_ex_out", std::tie(out0, out1, out2, out3),
                           strata::_linalg_solve_ex(A, B, left, check_errors));
}
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> batch_norm_backward_reduce_out(
    Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3, const Tensor& grad_out, const Tensor& input,
    const Tensor& mean, const Tensor& invstd, OptionalTensorRef weight, bool input_g, bool weight_g, bool bias_g) {
  return detail::write_out(
      "batch_norm_backward_reduce_out", std::tie(out0, out1, out2, out3),
      strata::batch_norm_backward_reduce(grad_out, input, mean, invstd, weight, input_g, weight_g, bias_g));
}
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_out(Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3,
                                                                const Tensor& A, const Tensor& B,
                                                                std::optional<double> rcond,
                                                                std::optional<std::string_view> driver) {
  return detail::write_out("linalg_lstsq_out", std::tie(out0, out1, out2, out3),
                           strata::linalg_lstsq(A, B, rcond, driver));
}
std::tuple<Tensor&, Tensor&, Tensor&> _linalg_det_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A) {
  return detail::write_out("_linalg_det_out", std::tie(out0, out1, out2), strata::_linalg_det(A));
}
std::tuple<Tensor&, Tensor&, Tensor&> _linalg_svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                      bool full_matrices, bool compute_uv,
                                                      std::optional<std::string_view> driver) {
  return detail::write_out("_linalg_svd_out", std::tie(out0, out1, out2),
                           strata::_linalg_svd(A, full_matrices, compute_uv, driver));
}
std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_no_training_out(
    Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias,
    const Tensor& running_mean, const Tensor& running_var, double momentum, double eps) {
  return detail::write_out(
      "_native_batch_norm_legit_no_training_out", std::tie(out0, out1, out2),
      strata::_native_batch_norm_legit_no_training(input, weight, bias, running_mean, running_var, momentum, eps));
}
std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                   const Tensor& input, OptionalTensorRef weight,
                                                                   OptionalTensorRef bias, Tensor& running_mean,
                                                                   Tensor& running_var, bool training, double momentum,
                                                                   double eps) {
  return detail::write_out(
      "_native_batch_norm_legit_out", std::tie(out0, out1, out2),
      strata::_native_batch_norm_legit(input, weight, bias, running_mean, running_var, training, momentum, eps));
}
std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                   const Tensor& input, OptionalTensorRef weight,
                                                                   OptionalTensorRef bias, bool training,
                                                                   double momentum, double eps) {
  return detail::write_out("_native_batch_norm_legit_out", std::tie(out0, out1, out2),
                           strata::_native_batch_norm_legit(input, weight, bias, training, momentum, eps));
}
std::tuple<Tensor&, Tensor&, Tensor&> _unique2_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& x,
                                                   bool sorted, bool return_inverse, bool return_counts) {
  return detail::write_out("_unique2_out", std::tie(out0, out1, out2),
                           strata::_unique2(x, sorted, return_inverse, return_counts));
}
std::tuple<Tensor&, Tensor&, Tensor&> convolution_backward_out(
    Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& grad_output, const Tensor& input, const Tensor& weight,
    OptionalIntArrayRef bias_sizes, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
    IntArrayRef output_padding, int64_t groups, std::array<bool, 3> output_mask) {
  return detail::write_out("convolution_backward_out", std::tie(out0, out1, out2),
                           strata::convolution_backward(grad_output, input, weight, bias_sizes, stride, padding,
                                                        dilation, transposed, output_padding, groups, output_mask));
}
std::tuple<Tensor&, Tensor&, Tensor&> linalg_ldl_factor_ex_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                               const Tensor& A, bool hermitian, bool check_errors) {
  return detail::write_out("linalg_ldl_factor_ex_out", std::tie(out0, out1, out2),
                           strata::linalg_ldl_factor_ex(A, hermitian, check_errors));
}
std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_factor_ex_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                              bool pivot, bool check_errors) {
  return detail::write_out("linalg_lu_factor_ex_out", std::tie(out0, out1, out2),
                           strata::linalg_lu_factor_ex(A, pivot, check_errors));
}
std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                    bool pivot) {
  return detail::write_out("linalg_lu_out", std::tie(out0, out1, out2), strata::linalg_lu(A, pivot));
}
std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                     bool full_matrices, std::optional<std::string_view> driver) {
  return detail::write_out("linalg_svd_out", std::tie(out0, out1, out2), strata::linalg_svd(A, full_matrices, driver));
}
std::tuple<Tensor&, Tensor&, Tensor&> linear_backward_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& self,
                                                          const Tensor& grad_output, const Tensor& weight,
                                                          std::array<bool, 3> output_mask) {
  return detail::write_out("linear_backward_out", std::tie(out0, out1, out2),
                           strata::linear_backward(self, grad_output, weight, output_mask));
}
std::tuple<Tensor&, Tensor&, Tensor&> lu_unpack_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& LU,
                                                    const Tensor& pivots, bool unpack_data, bool unpack_pivots) {
  return detail::write_out("lu_unpack_out", std::tie(out0, out1, out2),
                           strata::lu_unpack(LU, pivots, unpack_data, unpack_pivots));
}
std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_backward_out(
    Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& grad_out, const Tensor& input, OptionalTensorRef weight,
    OptionalTensorRef running_mean, OptionalTensorRef running_var, OptionalTensorRef save_mean,
    OptionalTensorRef save_invstd, bool train, double eps, std::array<bool, 3> output_mask) {
  return detail::write_out("native_batch_norm_backward_out", std::tie(out0, out1, out2),
                           strata::native_batch_norm_backward(grad_out, input, weight, running_mean, running_var,
                                                              save_mean, save_invstd, train, eps, output_mask));
}
std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                            const Tensor& input, OptionalTensorRef weight,
                                                            OptionalTensorRef bias, OptionalTensorRef running_mean,
                                                            OptionalTensorRef running_var, bool training,
                                                            double momentum, double eps) {
  return detail::write_out(
      "native_batch_norm_out", std::tie(out0, out1, out2),
      strata::native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps));
}
std::tuple<Tensor&, Tensor&, Tensor&> native_group_norm_backward_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                     const Tensor& grad_out, const Tensor& input,
                                                                     const Tensor& mean, const Tensor& rstd,
                                                                     OptionalTensorRef weight, int64_t N, int64_t C,
                                                                     int64_t HxW, int64_t group,
                                                                     std::array<bool, 3> output_mask) {
  return detail::write_out(
      "native_group_norm_backward_out", std::tie(out0, out1, out2),
      strata::native_group_norm_backward(grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask));
}
std::tuple<Tensor&, Tensor&, Tensor&> native_group_norm_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                            const Tensor& input, OptionalTensorRef weight,
                                                            OptionalTensorRef bias, int64_t N, int64_t C, int64_t HxW,
                                                            int64_t group, double eps) {
  return detail::write_out("native_group_norm_out", std::tie(out0, out1, out2),
                           strata::native_group_norm(input, weight, bias, N, C, HxW, group, eps));
}
std::tuple<Tensor&, Tensor&, Tensor&> native_layer_norm_backward_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                     const Tensor& grad_out, const Tensor& input,
                                                                     IntArrayRef normalized_shape, const Tensor& mean,
                                                                     const Tensor& rstd, OptionalTensorRef weight,
                                                                     OptionalTensorRef bias,
                                                                     std::array<bool, 3> output_mask) {
  return detail::write_out(
      "native_layer_norm_backward_out", std::tie(out0, out1, out2),
      strata::native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask));
}
std::tuple<Tensor&, Tensor&, Tensor&> native_layer_norm_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                            const Tensor& input, IntArrayRef normalized_shape,
                                                            OptionalTensorRef weight, OptionalTensorRef bias,
                                                            double eps) {
  return detail::write_out("native_layer_norm_out", std::tie(out0, out1, out2),
                           strata::native_layer_norm(input, normalized_shape, weight, bias, eps));
}
std::tuple<Tensor&, Tensor&, Tensor&> svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A, bool some,
                                              bool compute_uv) {
  return detail::write_out("svd_out", std::tie(out0, out1, out2), strata::svd(A, some, compute_uv));
}
std::tuple<Tensor&, Tensor&, Tensor&> unique_consecutive_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& x,
                                                             bool return_inverse, bool return_counts,
                                                             std::optional<int64_t> dim) {
  return detail::write_out("unique_consecutive_out", std::tie(out0, out1, out2),
                           strata::unique_consecutive(x, return_inverse, return_counts, dim));
}
std::tuple<Tensor&, Tensor&, Tensor&> unique_dim_consecutive_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                 const Tensor& x, int64_t dim, bool return_inverse,
                                                                 bool return_counts) {
  return detail::write_out("unique_dim_consecutive_out", std::tie(out0, out1, out2),
                           strata::unique_dim_consecutive(x, dim, return_inverse, return_counts));
}
std::tuple<Tensor&, Tensor&, Tensor&> unique_dim_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& x,
                                                     int64_t dim, bool sorted, bool return_inverse,
                                                     bool return_counts) {
  return detail::write_out("unique_dim_out", std::tie(out0, out1, out2),
                           strata::unique_dim(x, dim, sorted, return_inverse, return_counts));
}
std::tuple<Tensor&, Tensor&> _aminmax_out(Tensor& out0, Tensor& out1, const Tensor& self) {
  return detail::write_out("_aminmax_out", std::tie(out0, out1), strata::_aminmax(self));
}
std::tuple<Tensor&, Tensor&> _aminmax_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t dim, bool keepdim) {
  return detail::write_out("_aminmax_out", std::tie(out0, out1), strata::_aminmax(self, dim, keepdim));
}
std::tuple<Tensor&, Tensor&> _amp_update_scale_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                   const Tensor& growth_tracker, const Tensor& found_inf,
                                                   double scale_growth_factor, double scale_backoff_factor,
                                                   int64_t growth_interval) {
  return detail::write_out("_amp_update_scale_out", std::tie(out0, out1),
                           strata::_amp_update_scale(self, growth_tracker, found_inf, scale_growth_factor,
                                                     scale_backoff_factor, growth_interval));
}
std::tuple<Tensor&, Tensor&> _fused_dropout_out(Tensor& out0, Tensor& out1, const Tensor& self, double p,
                                                OptionalGenerator generator) {
  return detail::write_out("_fused_dropout_out", std::tie(out0, out1), strata::_fused_dropout(self, p, generator));
}
std::tuple<Tensor&, Tensor&> _linalg_eigh_out(Tensor& out0, Tensor& out1, const Tensor& A, std::string_view UPLO,
                                              bool compute_v) {
  return detail::write_out("_linalg_eigh_out", std::tie(out0, out1), strata::_linalg_eigh(A, UPLO, compute_v));
}
std::tuple<Tensor&, Tensor&> _pack_padded_sequence_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                       const Tensor& lengths, bool batch_first) {
  return detail::write_out("_pack_padded_sequence_out", std::tie(out0, out1),
                           strata::_pack_padded_sequence(input, lengths, batch_first));
}
std::tuple<Tensor&, Tensor&> _unique_out(Tensor& out0, Tensor& out1, const Tensor& x, bool sorted,
                                         bool return_inverse) {
  return detail::write_out("_unique_out", std::tie(out0, out1), strata::_unique(x, sorted, return_inverse));
}
std::tuple<Tensor&, Tensor&> _weight_norm_interface_backward_out(Tensor& out0, Tensor& out1, const Tensor& grad_w,
                                                                 const Tensor& saved_v, const Tensor& saved_g,
                                                                 const Tensor& saved_norms, int64_t dim) {
  return detail::write_out("_weight_norm_interface_backward_out", std::tie(out0, out1),
                           strata::_weight_norm_interface_backward(grad_w, saved_v, saved_g, saved_norms, dim));
}
std::tuple<Tensor&, Tensor&> _weight_norm_interface_out(Tensor& out0, Tensor& out1, const Tensor& v, const Tensor& g,
                                                        int64_t dim) {
  return detail::write_out("_weight_norm_interface_out", std::tie(out0, out1),
                           strata::_weight_norm_interface(v, g, dim));
}
std::tuple<Tensor&, Tensor&> adaptive_max_pool2d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                     IntArrayRef output_size) {
  return detail::write_out("adaptive_max_pool2d_out", std::tie(out0, out1),
                           strata::adaptive_max_pool2d(input, output_size));
}
std::tuple<Tensor&, Tensor&> adaptive_max_pool3d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                     IntArrayRef output_size) {
  return detail::write_out("adaptive_max_pool3d_out", std::tie(out0, out1),
                           strata::adaptive_max_pool3d(input, output_size));
}
std::tuple<Tensor&, Tensor&> aminmax_out(Tensor& out0, Tensor& out1, const Tensor& x, std::optional<int64_t> dim,
                                         bool keepdim) {
  return detail::write_out("aminmax_out", std::tie(out0, out1), strata::aminmax(x, dim, keepdim));
}
std::tuple<Tensor&, Tensor&> batch_norm_gather_stats_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                         const Tensor& mean, const Tensor& invstd,
                                                         OptionalTensorRef running_mean, OptionalTensorRef running_var,
                                                         double momentum, double eps, int64_t count) {
  return detail::write_out(
      "batch_norm_gather_stats_out", std::tie(out0, out1),
      strata::batch_norm_gather_stats(input, mean, invstd, running_mean, running_var, momentum, eps, count));
}
std::tuple<Tensor&, Tensor&> batch_norm_gather_stats_with_counts_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                                     const Tensor& mean, const Tensor& invstd,
                                                                     OptionalTensorRef running_mean,
                                                                     OptionalTensorRef running_var, double momentum,
                                                                     double eps, const Tensor& counts) {
  return detail::write_out("batch_norm_gather_stats_with_counts_out", std::tie(out0, out1),
                           strata::batch_norm_gather_stats_with_counts(input, mean, invstd, running_mean, running_var,
                                                                       momentum, eps, counts));
}
std::tuple<Tensor&, Tensor&> batch_norm_stats_out(Tensor& out0, Tensor& out1, const Tensor& input, double eps) {
  return detail::write_out("batch_norm_stats_out", std::tie(out0, out1), strata::batch_norm_stats(input, eps));
}
std::tuple<Tensor&, Tensor&> batch_norm_update_stats_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                         OptionalTensorRef running_mean, OptionalTensorRef running_var,
                                                         double momentum) {
  return detail::write_out("batch_norm_update_stats_out", std::tie(out0, out1),
                           strata::batch_norm_update_stats(input, running_mean, running_var, momentum));
}
std::tuple<Tensor&, Tensor&> cummax_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim) {
  return detail::write_out("cummax_out", std::tie(out0, out1), strata::cummax(x, dim));
}
std::tuple<Tensor&, Tensor&> cummin_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim) {
  return detail::write_out("cummin_out", std::tie(out0, out1), strata::cummin(x, dim));
}
std::tuple<Tensor&, Tensor&> fractional_max_pool2d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                       IntArrayRef kernel_size, IntArrayRef output_size,
                                                       const Tensor& random_samples) {
  return detail::write_out("fractional_max_pool2d_out", std::tie(out0, out1),
                           strata::fractional_max_pool2d(input, kernel_size, output_size, random_samples));
}
std::tuple<Tensor&, Tensor&> fractional_max_pool3d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                       IntArrayRef kernel_size, IntArrayRef output_size,
                                                       const Tensor& random_samples) {
  return detail::write_out("fractional_max_pool3d_out", std::tie(out0, out1),
                           strata::fractional_max_pool3d(input, kernel_size, output_size, random_samples));
}
std::tuple<Tensor&, Tensor&> frexp_out(Tensor& out0, Tensor& out1, const Tensor& x) {
  return detail::write_out("frexp_out", std::tie(out0, out1), strata::frexp(x));
}
std::tuple<Tensor&, Tensor&> geqrf_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return detail::write_out("geqrf_out", std::tie(out0, out1), strata::geqrf(A));
}
std::tuple<Tensor&, Tensor&> grid_sampler_2d_backward_out(Tensor& out0, Tensor& out1, const Tensor& grad_output,
                                                          const Tensor& input, const Tensor& grid,
                                                          int64_t interpolation_mode, int64_t padding_mode,
                                                          bool align_corners, std::array<bool, 2> output_mask) {
  return detail::write_out("grid_sampler_2d_backward_out", std::tie(out0, out1),
                           strata::grid_sampler_2d_backward(grad_output, input, grid, interpolation_mode, padding_mode,
                                                            align_corners, output_mask));
}
std::tuple<Tensor&, Tensor&> grid_sampler_3d_backward_out(Tensor& out0, Tensor& out1, const Tensor& grad_output,
                                                          const Tensor& input, const Tensor& grid,
                                                          int64_t interpolation_mode, int64_t padding_mode,
                                                          bool align_corners, std::array<bool, 2> output_mask) {
  return detail::write_out("grid_sampler_3d_backward_out", std::tie(out0, out1),
                           strata::grid_sampler_3d_backward(grad_output, input, grid, interpolation_mode, padding_mode,
                                                            align_corners, output_mask));
}
std::tuple<Tensor&, Tensor&> histogram_out(Tensor& out0, Tensor& out1, const Tensor& x, const Tensor& edges,
                                           OptionalTensorRef weight, bool density) {
  return detail::write_out("histogram_out", std::tie(out0, out1), strata::histogram(x, edges, weight, density));
}
std::tuple<Tensor&, Tensor&> histogram_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t bins,
                                           std::optional<ArrayRef<double>> range, OptionalTensorRef weight,
                                           bool density) {
  return detail::write_out("histogram_out", std::tie(out0, out1), strata::histogram(x, bins, range, weight, density));
}
std::tuple<Tensor&, Tensor&> kthvalue_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t k, int64_t dim,
                                          bool keepdim) {
  return detail::write_out("kthvalue_out", std::tie(out0, out1), strata::kthvalue(x, k, dim, keepdim));
}
std::tuple<Tensor&, Tensor&> linalg_cholesky_ex_out(Tensor& out0, Tensor& out1, const Tensor& A, bool upper,
                                                    bool check_errors) {
  return detail::write_out("linalg_cholesky_ex_out", std::tie(out0, out1),
                           strata::linalg_cholesky_ex(A, upper, check_errors));
}
std::tuple<Tensor&, Tensor&> linalg_eig_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return detail::write_out("linalg_eig_out", std::tie(out0, out1), strata::linalg_eig(A));
}
std::tuple<Tensor&, Tensor&> linalg_eigh_out(Tensor& out0, Tensor& out1, const Tensor& A, std::string_view UPLO) {
  return detail::write_out("linalg_eigh_out", std::tie(out0, out1), strata::linalg_eigh(A, UPLO));
}
std::tuple<Tensor&, Tensor&> linalg_inv_ex_out(Tensor& out0, Tensor& out1, const Tensor& A, bool check_errors) {
  return detail::write_out("linalg_inv_ex_out", std::tie(out0, out1), strata::linalg_inv_ex(A, check_errors));
}
std::tuple<Tensor&, Tensor&> linalg_ldl_factor_out(Tensor& out0, Tensor& out1, const Tensor& A, bool hermitian) {
  return detail::write_out("linalg_ldl_factor_out", std::tie(out0, out1), strata::linalg_ldl_factor(A, hermitian));
}
std::tuple<Tensor&, Tensor&> linalg_lu_factor_out(Tensor& out0, Tensor& out1, const Tensor& A, bool pivot) {
  return detail::write_out("linalg_lu_factor_out", std::tie(out0, out1), strata::linalg_lu_factor(A, pivot));
}
std::tuple<Tensor&, Tensor&> linalg_polar_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return detail::write_out("linalg_polar_out", std::tie(out0, out1), strata::linalg_polar(A));
}
std::tuple<Tensor&, Tensor&> linalg_qr_out(Tensor& out0, Tensor& out1, const Tensor& A, std::string_view mode) {
  return detail::write_out("linalg_qr_out", std::tie(out0, out1), strata::linalg_qr(A, mode));
}
std::tuple<Tensor&, Tensor&> linalg_slogdet_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return detail::write_out("linalg_slogdet_out", std::tie(out0, out1), strata::linalg_slogdet(A));
}
std::tuple<Tensor&, Tensor&> linalg_solve_ex_out(Tensor& out0, Tensor& out1, const Tensor& A, const Tensor& B,
                                                 bool left, bool check_errors) {
  return detail::write_out("linalg_solve_ex_out", std::tie(out0, out1),
                           strata::linalg_solve_ex(A, B, left, check_errors));
}
std::tuple<Tensor&, Tensor&> log_sigmoid_forward_out(Tensor& out0, Tensor& out1, const Tensor& self) {
  return detail::write_out("log_sigmoid_forward_out", std::tie(out0, out1), strata::log_sigmoid_forward(self));
}
std::tuple<Tensor&, Tensor&> matmul_backward_out(Tensor& out0, Tensor& out1, const Tensor& grad, const Tensor& self,
                                                 const Tensor& other, std::array<bool, 2> mask) {
  return detail::write_out("matmul_backward_out", std::tie(out0, out1),
                           strata::matmul_backward(grad, self, other, mask));
}
std::tuple<Tensor&, Tensor&> max_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim, bool keepdim) {
  return detail::write_out("max_out", std::tie(out0, out1), strata::max(x, dim, keepdim));
}
std::tuple<Tensor&, Tensor&> max_pool2d_with_indices_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                         IntArrayRef kernel_size, IntArrayRef stride,
                                                         IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  return detail::write_out("max_pool2d_with_indices_out", std::tie(out0, out1),
                           strata::max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode));
}
std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                         IntArrayRef kernel_size, IntArrayRef stride,
                                                         IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  return detail::write_out("max_pool3d_with_indices_out", std::tie(out0, out1),
                           strata::max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode));
}
std::tuple<Tensor&, Tensor&> median_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim, bool keepdim) {
  return detail::write_out("median_out", std::tie(out0, out1), strata::median(x, dim, keepdim));
}
std::tuple<Tensor&, Tensor&> min_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim, bool keepdim) {
  return detail::write_out("min_out", std::tie(out0, out1), strata::min(x, dim, keepdim));
}
std::tuple<Tensor&, Tensor&> mode_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim, bool keepdim) {
  return detail::write_out("mode_out", std::tie(out0, out1), strata::mode(x, dim, keepdim));
}
std::tuple<Tensor&, Tensor&> multilabel_margin_loss_forward_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                                const Tensor& target, int64_t reduction) {
  return detail::write_out("multilabel_margin_loss_forward_out", std::tie(out0, out1),
                           strata::multilabel_margin_loss_forward(self, target, reduction));
}
std::tuple<Tensor&, Tensor&> nanmedian_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim, bool keepdim) {
  return detail::write_out("nanmedian_out", std::tie(out0, out1), strata::nanmedian(x, dim, keepdim));
}
std::tuple<Tensor&, Tensor&> native_dropout_out(Tensor& out0, Tensor& out1, const Tensor& input, double p,
                                                std::optional<bool> train) {
  return detail::write_out("native_dropout_out", std::tie(out0, out1), strata::native_dropout(input, p, train));
}
std::tuple<Tensor&, Tensor&> nll_loss2d_forward_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                    const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                                                    int64_t ignore_index) {
  return detail::write_out("nll_loss2d_forward_out", std::tie(out0, out1),
                           strata::nll_loss2d_forward(self, target, weight, reduction, ignore_index));
}
std::tuple<Tensor&, Tensor&> nll_loss_forward_out(Tensor& out0, Tensor& out1, const Tensor& self, const Tensor& target,
                                                  OptionalTensorRef weight, int64_t reduction, int64_t ignore_index) {
  return detail::write_out("nll_loss_forward_out", std::tie(out0, out1),
                           strata::nll_loss_forward(self, target, weight, reduction, ignore_index));
}
std::tuple<Tensor&, Tensor&> slogdet_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return detail::write_out("slogdet_out", std::tie(out0, out1), strata::slogdet(A));
}
std::tuple<Tensor&, Tensor&> sort_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim, bool descending) {
  return detail::write_out("sort_out", std::tie(out0, out1), strata::sort(x, dim, descending));
}
std::tuple<Tensor&, Tensor&> sort_out(Tensor& out0, Tensor& out1, const Tensor& x, std::optional<bool> stable,
                                      int64_t dim, bool descending) {
  return detail::write_out("sort_out", std::tie(out0, out1), strata::sort(x, stable, dim, descending));
}
std::tuple<Tensor&, Tensor&> std_mean_out(Tensor& out0, Tensor& out1, const Tensor& x, OptionalIntArrayRef dims,
                                          const std::optional<Scalar>& correction, bool keepdim) {
  return detail::write_out("std_mean_out", std::tie(out0, out1), strata::std_mean(x, dims, correction, keepdim));
}
std::tuple<Tensor&, Tensor&> topk_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t k, int64_t dim, bool largest,
                                      bool sorted) {
  return detail::write_out("topk_out", std::tie(out0, out1), strata::topk(x, k, dim, largest, sorted));
}
std::tuple<Tensor&, Tensor&> triangular_solve_out(Tensor& out0, Tensor& out1, const Tensor& B, const Tensor& A,
                                                  bool upper, bool transpose, bool unitriangular) {
  return detail::write_out("triangular_solve_out", std::tie(out0, out1),
                           strata::triangular_solve(B, A, upper, transpose, unitriangular));
}
std::tuple<Tensor&, Tensor&> var_mean_out(Tensor& out0, Tensor& out1, const Tensor& x, OptionalIntArrayRef dims,
                                          const std::optional<Scalar>& correction, bool keepdim) {
  return detail::write_out("var_mean_out", std::tie(out0, out1), strata::var_mean(x, dims, correction, keepdim));
}
namespace special {
Tensor& airy_ai_out(Tensor& out, const Tensor& x) {
  return detail::write_out("airy_ai_out", out, strata::special::airy_ai(x));
}
Tensor& bessel_j0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("bessel_j0_out", out, strata::special::bessel_j0(x));
}
Tensor& bessel_j1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("bessel_j1_out", out, strata::special::bessel_j1(x));
}
Tensor& bessel_y0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("bessel_y0_out", out, strata::special::bessel_y0(x));
}
Tensor& bessel_y1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("bessel_y1_out", out, strata::special::bessel_y1(x));
}
Tensor& chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_t_out", out, strata::special::chebyshev_polynomial_t(x, n));
}
Tensor& chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("chebyshev_polynomial_t_out", out, strata::special::chebyshev_polynomial_t(x, n));
}
Tensor& chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_t_out", out, strata::special::chebyshev_polynomial_t(x, n));
}
Tensor& chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_u_out", out, strata::special::chebyshev_polynomial_u(x, n));
}
Tensor& chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("chebyshev_polynomial_u_out", out, strata::special::chebyshev_polynomial_u(x, n));
}
Tensor& chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_u_out", out, strata::special::chebyshev_polynomial_u(x, n));
}
Tensor& chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_v_out", out, strata::special::chebyshev_polynomial_v(x, n));
}
Tensor& chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("chebyshev_polynomial_v_out", out, strata::special::chebyshev_polynomial_v(x, n));
}
Tensor& chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_v_out", out, strata::special::chebyshev_polynomial_v(x, n));
}
Tensor& chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_w_out", out, strata::special::chebyshev_polynomial_w(x, n));
}
Tensor& chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("chebyshev_polynomial_w_out", out, strata::special::chebyshev_polynomial_w(x, n));
}
Tensor& chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_w_out", out, strata::special::chebyshev_polynomial_w(x, n));
}
Tensor& entr_out(Tensor& out, const Tensor& x) { return detail::write_out("entr_out", out, strata::special::entr(x)); }
Tensor& erfcx_out(Tensor& out, const Tensor& x) {
  return detail::write_out("erfcx_out", out, strata::special::erfcx(x));
}
Tensor& expit_out(Tensor& out, const Tensor& x) {
  return detail::write_out("expit_out", out, strata::special::expit(x));
}
Tensor& gammainc_out(Tensor& out, const Tensor& a, const Tensor& x) {
  return detail::write_out("gammainc_out", out, strata::special::gammainc(a, x));
}
Tensor& gammaincc_out(Tensor& out, const Tensor& a, const Tensor& x) {
  return detail::write_out("gammaincc_out", out, strata::special::gammaincc(a, x));
}
Tensor& gammaln_out(Tensor& out, const Tensor& x) {
  return detail::write_out("gammaln_out", out, strata::special::gammaln(x));
}
Tensor& hermite_polynomial_h_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("hermite_polynomial_h_out", out, strata::special::hermite_polynomial_h(x, n));
}
Tensor& hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("hermite_polynomial_h_out", out, strata::special::hermite_polynomial_h(x, n));
}
Tensor& hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("hermite_polynomial_h_out", out, strata::special::hermite_polynomial_h(x, n));
}
Tensor& hermite_polynomial_he_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("hermite_polynomial_he_out", out, strata::special::hermite_polynomial_he(x, n));
}
Tensor& hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("hermite_polynomial_he_out", out, strata::special::hermite_polynomial_he(x, n));
}
Tensor& hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("hermite_polynomial_he_out", out, strata::special::hermite_polynomial_he(x, n));
}
Tensor& i0e_out(Tensor& out, const Tensor& x) { return detail::write_out("i0e_out", out, strata::special::i0e(x)); }
Tensor& i1_out(Tensor& out, const Tensor& x) { return detail::write_out("i1_out", out, strata::special::i1(x)); }
Tensor& i1e_out(Tensor& out, const Tensor& x) { return detail::write_out("i1e_out", out, strata::special::i1e(x)); }
Tensor& laguerre_polynomial_l_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("laguerre_polynomial_l_out", out, strata::special::laguerre_polynomial_l(x, n));
}
Tensor& laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("laguerre_polynomial_l_out", out, strata::special::laguerre_polynomial_l(x, n));
}
Tensor& laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("laguerre_polynomial_l_out", out, strata::special::laguerre_polynomial_l(x, n));
}
Tensor& legendre_polynomial_p_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("legendre_polynomial_p_out", out, strata::special::legendre_polynomial_p(x, n));
}
Tensor& legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("legendre_polynomial_p_out", out, strata::special::legendre_polynomial_p(x, n));
}
Tensor& legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("legendre_polynomial_p_out", out, strata::special::legendre_polynomial_p(x, n));
}
Tensor& log_ndtr_out(Tensor& out, const Tensor& x) {
  return detail::write_out("log_ndtr_out", out, strata::special::log_ndtr(x));
}
Tensor& modified_bessel_i0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("modified_bessel_i0_out", out, strata::special::modified_bessel_i0(x));
}
Tensor& modified_bessel_i1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("modified_bessel_i1_out", out, strata::special::modified_bessel_i1(x));
}
Tensor& modified_bessel_k0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("modified_bessel_k0_out", out, strata::special::modified_bessel_k0(x));
}
Tensor& modified_bessel_k1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("modified_bessel_k1_out", out, strata::special::modified_bessel_k1(x));
}
Tensor& multigammaln_out(Tensor& out, const Tensor& x, int64_t p) {
  return detail::write_out("multigammaln_out", out, strata::special::multigammaln(x, p));
}
Tensor& ndtr_out(Tensor& out, const Tensor& x) { return detail::write_out("ndtr_out", out, strata::special::ndtr(x)); }
Tensor& ndtri_out(Tensor& out, const Tensor& x) {
  return detail::write_out("ndtri_out", out, strata::special::ndtri(x));
}
Tensor& psi_out(Tensor& out, const Tensor& x) { return detail::write_out("psi_out", out, strata::special::psi(x)); }
Tensor& scaled_modified_bessel_k0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("scaled_modified_bessel_k0_out", out, strata::special::scaled_modified_bessel_k0(x));
}
Tensor& scaled_modified_bessel_k1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("scaled_modified_bessel_k1_out", out, strata::special::scaled_modified_bessel_k1(x));
}
Tensor& shifted_chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_t_out", out,
                           strata::special::shifted_chebyshev_polynomial_t(x, n));
}
Tensor& shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("shifted_chebyshev_polynomial_t_out", out,
                           strata::special::shifted_chebyshev_polynomial_t(x, n));
}
Tensor& shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_t_out", out,
                           strata::special::shifted_chebyshev_polynomial_t(x, n));
}
Tensor& shifted_chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_u_out", out,
                           strata::special::shifted_chebyshev_polynomial_u(x, n));
}
Tensor& shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("shifted_chebyshev_polynomial_u_out", out,
                           strata::special::shifted_chebyshev_polynomial_u(x, n));
}
Tensor& shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_u_out", out,
                           strata::special::shifted_chebyshev_polynomial_u(x, n));
}
Tensor& shifted_chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_v_out", out,
                           strata::special::shifted_chebyshev_polynomial_v(x, n));
}
Tensor& shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("shifted_chebyshev_polynomial_v_out", out,
                           strata::special::shifted_chebyshev_polynomial_v(x, n));
}
Tensor& shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_v_out", out,
                           strata::special::shifted_chebyshev_polynomial_v(x, n));
}
Tensor& shifted_chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_w_out", out,
                           strata::special::shifted_chebyshev_polynomial_w(x, n));
}
Tensor& shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("shifted_chebyshev_polynomial_w_out", out,
                           strata::special::shifted_chebyshev_polynomial_w(x, n));
}
Tensor& shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_w_out", out,
                           strata::special::shifted_chebyshev_polynomial_w(x, n));
}
Tensor& spherical_bessel_j0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("spherical_bessel_j0_out", out, strata::special::spherical_bessel_j0(x));
}
Tensor& xlog1py_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("xlog1py_out", out, strata::special::xlog1py(a, b));
}
Tensor& xlog1py_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("xlog1py_out", out, strata::special::xlog1py(a, b));
}
Tensor& xlog1py_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("xlog1py_out", out, strata::special::xlog1py(a, b));
}
Tensor& zeta_out(Tensor& out, const Scalar& x, const Tensor& q) {
  return detail::write_out("zeta_out", out, strata::special::zeta(x, q));
}
Tensor& zeta_out(Tensor& out, const Tensor& x, const Scalar& q) {
  return detail::write_out("zeta_out", out, strata::special::zeta(x, q));
}
Tensor& zeta_out(Tensor& out, const Tensor& x, const Tensor& q) {
  return detail::write_out("zeta_out", out, strata::special::zeta(x, q));
}
}  // namespace special
}  // namespace strata
