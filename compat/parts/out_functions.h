// Functions made by script/compat-out: libtorch's that write their result into tensors given, and ATen's names for
// those of torch::special and torch::fft.
#pragma once
#include <strata/ops/out.h>
#include <strata/strata.h>

#include "aten.h"

namespace strata {
inline Tensor& absolute_out(Tensor& out, const Tensor& x) {
  return detail::write_out("absolute_out", out, strata::absolute(x));
}
inline Tensor& adaptive_avg_pool1d_out(Tensor& out, const Tensor& input, IntArrayRef output_size) {
  return detail::write_out("adaptive_avg_pool1d_out", out, strata::adaptive_avg_pool1d(input, output_size));
}
inline Tensor& adaptive_avg_pool2d_out(Tensor& out, const Tensor& input, IntArrayRef output_size) {
  return detail::write_out("adaptive_avg_pool2d_out", out, strata::adaptive_avg_pool2d(input, output_size));
}
inline Tensor& adaptive_avg_pool3d_out(Tensor& out, const Tensor& input, IntArrayRef output_size) {
  return detail::write_out("adaptive_avg_pool3d_out", out, strata::adaptive_avg_pool3d(input, output_size));
}
inline Tensor& addbmm_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1,
                          const Scalar& alpha = 1) {
  return detail::write_out("addbmm_out", out, strata::addbmm(self, a, b, beta, alpha));
}
inline Tensor& addcdiv_out(Tensor& out, const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value = 1) {
  return detail::write_out("addcdiv_out", out, strata::addcdiv(x, a, b, value));
}
inline Tensor& addcmul_out(Tensor& out, const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value = 1) {
  return detail::write_out("addcmul_out", out, strata::addcmul(x, a, b, value));
}
inline Tensor& addmv_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& v, const Scalar& beta = 1,
                         const Scalar& alpha = 1) {
  return detail::write_out("addmv_out", out, strata::addmv(self, a, v, beta, alpha));
}
inline Tensor& addr_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1,
                        const Scalar& alpha = 1) {
  return detail::write_out("addr_out", out, strata::addr(self, a, b, beta, alpha));
}
inline Tensor& affine_grid_generator_out(Tensor& out, const Tensor& theta, IntArrayRef size, bool align_corners) {
  return detail::write_out("affine_grid_generator_out", out, strata::affine_grid_generator(theta, size, align_corners));
}
inline Tensor& alias_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("alias_copy_out", out, strata::alias_copy(x));
}
inline Tensor& all_out(Tensor& out, const Tensor& x) { return detail::write_out("all_out", out, strata::all(x)); }
inline Tensor& all_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false) {
  return detail::write_out("all_out", out, strata::all(x, dims, keepdim));
}
inline Tensor& all_out(Tensor& out, const Tensor& x, int64_t dim, bool keepdim = false) {
  return detail::write_out("all_out", out, strata::all(x, dim, keepdim));
}
inline Tensor& amax_out(Tensor& out, const Tensor& x, IntArrayRef dims = {}, bool keepdim = false) {
  return detail::write_out("amax_out", out, strata::amax(x, dims, keepdim));
}
inline Tensor& amin_out(Tensor& out, const Tensor& x, IntArrayRef dims = {}, bool keepdim = false) {
  return detail::write_out("amin_out", out, strata::amin(x, dims, keepdim));
}
inline Tensor& angle_out(Tensor& out, const Tensor& x) { return detail::write_out("angle_out", out, strata::angle(x)); }
inline Tensor& any_out(Tensor& out, const Tensor& x) { return detail::write_out("any_out", out, strata::any(x)); }
inline Tensor& any_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false) {
  return detail::write_out("any_out", out, strata::any(x, dims, keepdim));
}
inline Tensor& any_out(Tensor& out, const Tensor& x, int64_t dim, bool keepdim = false) {
  return detail::write_out("any_out", out, strata::any(x, dim, keepdim));
}
inline Tensor& arange_out(Tensor& out, const Scalar& end) {
  return detail::write_out("arange_out", out, strata::arange(end, out.options()));
}
inline Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end) {
  return detail::write_out("arange_out", out, strata::arange(start, end, out.options()));
}
inline Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step) {
  return detail::write_out("arange_out", out, strata::arange(start, end, step, out.options()));
}
inline Tensor& arccos_out(Tensor& out, const Tensor& x) {
  return detail::write_out("arccos_out", out, strata::arccos(x));
}
inline Tensor& arccosh_out(Tensor& out, const Tensor& x) {
  return detail::write_out("arccosh_out", out, strata::arccosh(x));
}
inline Tensor& arcsin_out(Tensor& out, const Tensor& x) {
  return detail::write_out("arcsin_out", out, strata::arcsin(x));
}
inline Tensor& arcsinh_out(Tensor& out, const Tensor& x) {
  return detail::write_out("arcsinh_out", out, strata::arcsinh(x));
}
inline Tensor& arctan2_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("arctan2_out", out, strata::arctan2(a, b));
}
inline Tensor& arctan_out(Tensor& out, const Tensor& x) {
  return detail::write_out("arctan_out", out, strata::arctan(x));
}
inline Tensor& arctanh_out(Tensor& out, const Tensor& x) {
  return detail::write_out("arctanh_out", out, strata::arctanh(x));
}
inline Tensor& argmax_out(Tensor& out, const Tensor& x, std::optional<int64_t> dim = std::nullopt,
                          bool keepdim = false) {
  return detail::write_out("argmax_out", out, strata::argmax(x, dim, keepdim));
}
inline Tensor& argmin_out(Tensor& out, const Tensor& x, std::optional<int64_t> dim = std::nullopt,
                          bool keepdim = false) {
  return detail::write_out("argmin_out", out, strata::argmin(x, dim, keepdim));
}
inline Tensor& argsort_out(Tensor& out, const Tensor& x, int64_t dim = -1, bool descending = false) {
  return detail::write_out("argsort_out", out, strata::argsort(x, dim, descending));
}
inline Tensor& as_strided_copy_out(Tensor& out, const Tensor& base, IntArrayRef sizes, IntArrayRef strides,
                                   int64_t storage_offset = 0) {
  return detail::write_out("as_strided_copy_out", out, strata::as_strided_copy(base, sizes, strides, storage_offset));
}
inline Tensor& as_strided_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, IntArrayRef sizes,
                                      IntArrayRef strides, std::optional<int64_t> storage_offset = std::nullopt) {
  return detail::write_out("as_strided_scatter_out", out,
                           strata::as_strided_scatter(base, source, sizes, strides, storage_offset));
}
inline Tensor& atan2_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("atan2_out", out, strata::atan2(a, b));
}
inline Tensor& avg_pool1d_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {},
                              IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true) {
  return detail::write_out("avg_pool1d_out", out,
                           strata::avg_pool1d(input, kernel_size, stride, padding, ceil_mode, count_include_pad));
}
inline Tensor& avg_pool2d_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {},
                              IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true,
                              std::optional<int64_t> divisor_override = std::nullopt) {
  return detail::write_out(
      "avg_pool2d_out", out,
      strata::avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override));
}
inline Tensor& avg_pool3d_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {},
                              IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true,
                              std::optional<int64_t> divisor_override = std::nullopt) {
  return detail::write_out(
      "avg_pool3d_out", out,
      strata::avg_pool3d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override));
}
inline Tensor& baddbmm_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1,
                           const Scalar& alpha = 1) {
  return detail::write_out("baddbmm_out", out, strata::baddbmm(self, a, b, beta, alpha));
}
inline Tensor& bartlett_window_out(Tensor& out, int64_t n) {
  return detail::write_out("bartlett_window_out", out, strata::bartlett_window(n, out.options()));
}
inline Tensor& bartlett_window_out(Tensor& out, int64_t n, bool periodic) {
  return detail::write_out("bartlett_window_out", out, strata::bartlett_window(n, periodic, out.options()));
}
inline Tensor& bernoulli_out(Tensor& out, const Tensor& x, OptionalGenerator generator = {}) {
  return detail::write_out("bernoulli_out", out, strata::bernoulli(x, generator));
}
inline Tensor& bernoulli_out(Tensor& out, const Tensor& x, double p, OptionalGenerator generator = {}) {
  return detail::write_out("bernoulli_out", out, strata::bernoulli(x, p, generator));
}
inline Tensor& binary_cross_entropy_out(Tensor& out, const Tensor& x, const Tensor& target,
                                        OptionalTensorRef weight = {}, int64_t reduction = Reduction::Mean) {
  return detail::write_out("binary_cross_entropy_out", out, strata::binary_cross_entropy(x, target, weight, reduction));
}
inline Tensor& binary_cross_entropy_with_logits_out(Tensor& out, const Tensor& x, const Tensor& target,
                                                    OptionalTensorRef weight = {}, OptionalTensorRef pos_weight = {},
                                                    int64_t reduction = Reduction::Mean) {
  return detail::write_out("binary_cross_entropy_with_logits_out", out,
                           strata::binary_cross_entropy_with_logits(x, target, weight, pos_weight, reduction));
}
inline Tensor& bincount_out(Tensor& out, const Tensor& x, OptionalTensorRef weights = {}, int64_t minlength = 0) {
  return detail::write_out("bincount_out", out, strata::bincount(x, weights, minlength));
}
inline Tensor& binomial_out(Tensor& out, const Tensor& count, const Tensor& prob, OptionalGenerator generator = {}) {
  return detail::write_out("binomial_out", out, strata::binomial(count, prob, generator));
}
inline Tensor& bitwise_and_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("bitwise_and_out", out, strata::bitwise_and(a, b));
}
inline Tensor& bitwise_and_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("bitwise_and_out", out, strata::bitwise_and(a, b));
}
inline Tensor& bitwise_and_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("bitwise_and_out", out, strata::bitwise_and(a, b));
}
inline Tensor& bitwise_left_shift_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("bitwise_left_shift_out", out, strata::bitwise_left_shift(a, b));
}
inline Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("bitwise_left_shift_out", out, strata::bitwise_left_shift(a, b));
}
inline Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("bitwise_left_shift_out", out, strata::bitwise_left_shift(a, b));
}
inline Tensor& bitwise_or_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("bitwise_or_out", out, strata::bitwise_or(a, b));
}
inline Tensor& bitwise_or_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("bitwise_or_out", out, strata::bitwise_or(a, b));
}
inline Tensor& bitwise_or_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("bitwise_or_out", out, strata::bitwise_or(a, b));
}
inline Tensor& bitwise_right_shift_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("bitwise_right_shift_out", out, strata::bitwise_right_shift(a, b));
}
inline Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("bitwise_right_shift_out", out, strata::bitwise_right_shift(a, b));
}
inline Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("bitwise_right_shift_out", out, strata::bitwise_right_shift(a, b));
}
inline Tensor& bitwise_xor_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("bitwise_xor_out", out, strata::bitwise_xor(a, b));
}
inline Tensor& bitwise_xor_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("bitwise_xor_out", out, strata::bitwise_xor(a, b));
}
inline Tensor& bitwise_xor_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("bitwise_xor_out", out, strata::bitwise_xor(a, b));
}
inline Tensor& blackman_window_out(Tensor& out, int64_t n) {
  return detail::write_out("blackman_window_out", out, strata::blackman_window(n, out.options()));
}
inline Tensor& blackman_window_out(Tensor& out, int64_t n, bool periodic) {
  return detail::write_out("blackman_window_out", out, strata::blackman_window(n, periodic, out.options()));
}
inline Tensor& block_diag_out(Tensor& out, TensorList tensors) {
  return detail::write_out("block_diag_out", out, strata::block_diag(tensors));
}
inline Tensor& bucketize_out(Tensor& out, const Scalar& value, const Tensor& boundaries, bool out_int32 = false,
                             bool right = false) {
  return detail::write_out("bucketize_out", out, strata::bucketize(value, boundaries, out_int32, right));
}
inline Tensor& bucketize_out(Tensor& out, const Tensor& values, const Tensor& boundaries, bool out_int32 = false,
                             bool right = false) {
  return detail::write_out("bucketize_out", out, strata::bucketize(values, boundaries, out_int32, right));
}
inline Tensor& cat_out(Tensor& out, TensorList tensors, int64_t dim = 0) {
  return detail::write_out("cat_out", out, strata::cat(tensors, dim));
}
inline Tensor& cauchy_out(Tensor& out, const Tensor& self, double median = 0, double sigma = 1) {
  return detail::write_out("cauchy_out", out, strata::cauchy(self, median, sigma));
}
inline Tensor& celu_out(Tensor& out, const Tensor& x, const Scalar& alpha = 1) {
  return detail::write_out("celu_out", out, strata::celu(x, alpha));
}
inline Tensor& chain_matmul_out(Tensor& out, TensorList matrices) {
  return detail::write_out("chain_matmul_out", out, strata::chain_matmul(matrices));
}
inline Tensor& channel_shuffle_out(Tensor& out, const Tensor& x, int64_t groups) {
  return detail::write_out("channel_shuffle_out", out, strata::channel_shuffle(x, groups));
}
inline Tensor& cholesky_inverse_out(Tensor& out, const Tensor& L, bool upper = false) {
  return detail::write_out("cholesky_inverse_out", out, strata::cholesky_inverse(L, upper));
}
inline Tensor& cholesky_solve_out(Tensor& out, const Tensor& B, const Tensor& L, bool upper = false) {
  return detail::write_out("cholesky_solve_out", out, strata::cholesky_solve(B, L, upper));
}
inline Tensor& clamp_max_out(Tensor& out, const Tensor& x, const Scalar& max) {
  return detail::write_out("clamp_max_out", out, strata::clamp_max(x, max));
}
inline Tensor& clamp_max_out(Tensor& out, const Tensor& x, const Tensor& max) {
  return detail::write_out("clamp_max_out", out, strata::clamp_max(x, max));
}
inline Tensor& clamp_min_out(Tensor& out, const Tensor& x, const Scalar& min) {
  return detail::write_out("clamp_min_out", out, strata::clamp_min(x, min));
}
inline Tensor& clamp_min_out(Tensor& out, const Tensor& x, const Tensor& min) {
  return detail::write_out("clamp_min_out", out, strata::clamp_min(x, min));
}
inline Tensor& clamp_out(Tensor& out, const Tensor& x, OptionalTensorRef min = {}, OptionalTensorRef max = {}) {
  return detail::write_out("clamp_out", out, strata::clamp(x, min, max));
}
inline Tensor& clamp_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& min,
                         const std::optional<Scalar>& max = std::nullopt) {
  return detail::write_out("clamp_out", out, strata::clamp(x, min, max));
}
inline Tensor& clip_out(Tensor& out, const Tensor& x, OptionalTensorRef min = {}, OptionalTensorRef max = {}) {
  return detail::write_out("clip_out", out, strata::clip(x, min, max));
}
inline Tensor& clip_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& min,
                        const std::optional<Scalar>& max = std::nullopt) {
  return detail::write_out("clip_out", out, strata::clip(x, min, max));
}
inline Tensor& clone_out(Tensor& out, const Tensor& x) { return detail::write_out("clone_out", out, strata::clone(x)); }
inline Tensor& col2im_out(Tensor& out, const Tensor& input, IntArrayRef output_size, IntArrayRef kernel_size,
                          IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) {
  return detail::write_out("col2im_out", out,
                           strata::col2im(input, output_size, kernel_size, dilation, padding, stride));
}
inline Tensor& column_stack_out(Tensor& out, TensorList tensors) {
  return detail::write_out("column_stack_out", out, strata::column_stack(tensors));
}
inline Tensor& complex_out(Tensor& out, const Tensor& real, const Tensor& imag) {
  return detail::write_out("complex_out", out, strata::complex(real, imag));
}
inline Tensor& concat_out(Tensor& out, TensorList tensors, int64_t dim = 0) {
  return detail::write_out("concat_out", out, strata::concat(tensors, dim));
}
inline Tensor& concatenate_out(Tensor& out, TensorList tensors, int64_t dim = 0) {
  return detail::write_out("concatenate_out", out, strata::concatenate(tensors, dim));
}
inline Tensor& conj_physical_out(Tensor& out, const Tensor& x) {
  return detail::write_out("conj_physical_out", out, strata::conj_physical(x));
}
inline Tensor& constant_pad_nd_out(Tensor& out, const Tensor& x, IntArrayRef padding, const Scalar& value = 0) {
  return detail::write_out("constant_pad_nd_out", out, strata::constant_pad_nd(x, padding, value));
}
inline Tensor& conv_tbc_out(Tensor& out, const Tensor& self, const Tensor& weight, const Tensor& bias,
                            int64_t pad = 0) {
  return detail::write_out("conv_tbc_out", out, strata::conv_tbc(self, weight, bias, pad));
}
inline Tensor& convolution_out(Tensor& out, const Tensor& input, const Tensor& weight, OptionalTensorRef bias,
                               IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                               IntArrayRef output_padding, int64_t groups) {
  return detail::write_out(
      "convolution_out", out,
      strata::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups));
}
inline Tensor& copy_out(Tensor& out, const Tensor& self, const Tensor& src, bool non_blocking = false) {
  return detail::write_out("copy_out", out, strata::copy(self, src, non_blocking));
}
inline Tensor& copysign_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("copysign_out", out, strata::copysign(a, b));
}
inline Tensor& copysign_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("copysign_out", out, strata::copysign(a, b));
}
inline Tensor& count_nonzero_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims = {}) {
  return detail::write_out("count_nonzero_out", out, strata::count_nonzero(x, dims));
}
inline Tensor& cross_out(Tensor& out, const Tensor& a, const Tensor& b, std::optional<int64_t> dim = std::nullopt) {
  return detail::write_out("cross_out", out, strata::cross(a, b, dim));
}
inline Tensor& cumprod_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("cumprod_out", out, strata::cumprod(x, dim, dtype));
}
inline Tensor& cumsum_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("cumsum_out", out, strata::cumsum(x, dim, dtype));
}
inline Tensor& deg2rad_out(Tensor& out, const Tensor& x) {
  return detail::write_out("deg2rad_out", out, strata::deg2rad(x));
}
inline Tensor& detach_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("detach_copy_out", out, strata::detach_copy(x));
}
inline Tensor& diag_embed_out(Tensor& out, const Tensor& x, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) {
  return detail::write_out("diag_embed_out", out, strata::diag_embed(x, offset, dim1, dim2));
}
inline Tensor& diag_out(Tensor& out, const Tensor& x, int64_t diagonal = 0) {
  return detail::write_out("diag_out", out, strata::diag(x, diagonal));
}
inline Tensor& diagonal_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t offset,
                                     int64_t dim1, int64_t dim2) {
  return detail::write_out("diagonal_backward_out", out,
                           strata::diagonal_backward(grad, input_sizes, offset, dim1, dim2));
}
inline Tensor& diagonal_copy_out(Tensor& out, const Tensor& x, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) {
  return detail::write_out("diagonal_copy_out", out, strata::diagonal_copy(x, offset, dim1, dim2));
}
inline Tensor& diagonal_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, int64_t offset = 0,
                                    int64_t dim1 = 0, int64_t dim2 = 1) {
  return detail::write_out("diagonal_scatter_out", out, strata::diagonal_scatter(base, source, offset, dim1, dim2));
}
inline Tensor& diff_out(Tensor& out, const Tensor& x, int64_t n = 1, int64_t dim = -1, OptionalTensorRef prepend = {},
                        OptionalTensorRef append = {}) {
  return detail::write_out("diff_out", out, strata::diff(x, n, dim, prepend, append));
}
inline Tensor& dist_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& p = 2) {
  return detail::write_out("dist_out", out, strata::dist(a, b, p));
}
inline Tensor& dot_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("dot_out", out, strata::dot(a, b));
}
inline Tensor& dstack_out(Tensor& out, TensorList tensors) {
  return detail::write_out("dstack_out", out, strata::dstack(tensors));
}
inline Tensor& elu_out(Tensor& out, const Tensor& x, const Scalar& alpha = 1, const Scalar& scale = 1,
                       const Scalar& input_scale = 1) {
  return detail::write_out("elu_out", out, strata::elu(x, alpha, scale, input_scale));
}
inline Tensor& embedding_out(Tensor& out, const Tensor& weight, const Tensor& indices, int64_t padding_idx = -1,
                             bool scale_grad_by_freq = false, bool sparse = false) {
  return detail::write_out("embedding_out", out,
                           strata::embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse));
}
inline Tensor& embedding_renorm_out(Tensor& out, const Tensor& self, const Tensor& indices, double max_norm,
                                    double norm_type) {
  return detail::write_out("embedding_renorm_out", out, strata::embedding_renorm(self, indices, max_norm, norm_type));
}
inline Tensor& empty_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format = std::nullopt) {
  return detail::write_out("empty_like_out", out, strata::empty_like(x, out.options(), memory_format));
}
inline Tensor& empty_out(Tensor& out, IntArrayRef sizes, std::optional<MemoryFormat> memory_format = std::nullopt) {
  return detail::write_out("empty_out", out, strata::empty(sizes, out.options(), memory_format));
}
inline Tensor& empty_permuted_out(Tensor& out, IntArrayRef sizes, IntArrayRef physical_layout) {
  return detail::write_out("empty_permuted_out", out, strata::empty_permuted(sizes, physical_layout, out.options()));
}
inline Tensor& empty_strided_out(Tensor& out, IntArrayRef sizes, IntArrayRef strides) {
  return detail::write_out("empty_strided_out", out, strata::empty_strided(sizes, strides, out.options()));
}
inline Tensor& eq_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("eq_out", out, strata::eq(a, b));
}
inline Tensor& eq_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("eq_out", out, strata::eq(a, b));
}
inline Tensor& expand_copy_out(Tensor& out, const Tensor& x, IntArrayRef sizes, bool implicit = false) {
  return detail::write_out("expand_copy_out", out, strata::expand_copy(x, sizes, implicit));
}
inline Tensor& exponential_out(Tensor& out, const Tensor& self, double lambd = 1) {
  return detail::write_out("exponential_out", out, strata::exponential(self, lambd));
}
inline Tensor& eye_out(Tensor& out, int64_t n) {
  return detail::write_out("eye_out", out, strata::eye(n, out.options()));
}
inline Tensor& eye_out(Tensor& out, int64_t n, int64_t m) {
  return detail::write_out("eye_out", out, strata::eye(n, m, out.options()));
}
inline Tensor& fill_out(Tensor& out, const Tensor& self, const Scalar& value) {
  return detail::write_out("fill_out", out, strata::fill(self, value));
}
inline Tensor& fill_out(Tensor& out, const Tensor& self, const Tensor& value) {
  return detail::write_out("fill_out", out, strata::fill(self, value));
}
inline Tensor& fix_out(Tensor& out, const Tensor& x) { return detail::write_out("fix_out", out, strata::fix(x)); }
inline Tensor& flip_out(Tensor& out, const Tensor& x, IntArrayRef dims) {
  return detail::write_out("flip_out", out, strata::flip(x, dims));
}
inline Tensor& float_power_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("float_power_out", out, strata::float_power(a, b));
}
inline Tensor& float_power_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("float_power_out", out, strata::float_power(a, b));
}
inline Tensor& float_power_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("float_power_out", out, strata::float_power(a, b));
}
inline Tensor& floor_divide_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("floor_divide_out", out, strata::floor_divide(a, b));
}
inline Tensor& floor_divide_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("floor_divide_out", out, strata::floor_divide(a, b));
}
inline Tensor& fmax_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("fmax_out", out, strata::fmax(a, b));
}
inline Tensor& fmin_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("fmin_out", out, strata::fmin(a, b));
}
inline Tensor& fmod_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("fmod_out", out, strata::fmod(a, b));
}
inline Tensor& fmod_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("fmod_out", out, strata::fmod(a, b));
}
inline Tensor& frobenius_norm_out(Tensor& out, const Tensor& A, IntArrayRef dim, bool keepdim = false) {
  return detail::write_out("frobenius_norm_out", out, strata::frobenius_norm(A, dim, keepdim));
}
inline Tensor& from_file_out(Tensor& out, const std::string& filename, std::optional<bool> shared = {},
                             std::optional<int64_t> size = 0) {
  return detail::write_out("from_file_out", out, strata::from_file(filename, shared, size, out.options()));
}
inline Tensor& full_like_out(Tensor& out, const Tensor& x, const Scalar& value,
                             std::optional<MemoryFormat> memory_format = std::nullopt) {
  return detail::write_out("full_like_out", out, strata::full_like(x, value, out.options(), memory_format));
}
inline Tensor& full_out(Tensor& out, IntArrayRef sizes, const Scalar& value) {
  return detail::write_out("full_out", out, strata::full(sizes, value, out.options()));
}
inline Tensor& gather_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index) {
  return detail::write_out("gather_out", out, strata::gather(x, dim, index));
}
inline Tensor& gcd_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("gcd_out", out, strata::gcd(a, b));
}
inline Tensor& ge_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("ge_out", out, strata::ge(a, b));
}
inline Tensor& ge_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("ge_out", out, strata::ge(a, b));
}
inline Tensor& gelu_out(Tensor& out, const Tensor& x, std::string_view approximate = "none") {
  return detail::write_out("gelu_out", out, strata::gelu(x, approximate));
}
inline Tensor& geometric_out(Tensor& out, const Tensor& self, double p) {
  return detail::write_out("geometric_out", out, strata::geometric(self, p));
}
inline Tensor& ger_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("ger_out", out, strata::ger(a, b));
}
inline Tensor& glu_out(Tensor& out, const Tensor& x, int64_t dim = -1) {
  return detail::write_out("glu_out", out, strata::glu(x, dim));
}
inline Tensor& grid_sampler_2d_out(Tensor& out, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                                   int64_t padding_mode, bool align_corners) {
  return detail::write_out("grid_sampler_2d_out", out,
                           strata::grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners));
}
inline Tensor& grid_sampler_3d_out(Tensor& out, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                                   int64_t padding_mode, bool align_corners) {
  return detail::write_out("grid_sampler_3d_out", out,
                           strata::grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners));
}
inline Tensor& gt_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("gt_out", out, strata::gt(a, b));
}
inline Tensor& gt_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("gt_out", out, strata::gt(a, b));
}
inline Tensor& hamming_window_out(Tensor& out, int64_t n) {
  return detail::write_out("hamming_window_out", out, strata::hamming_window(n, out.options()));
}
inline Tensor& hamming_window_out(Tensor& out, int64_t n, bool periodic) {
  return detail::write_out("hamming_window_out", out, strata::hamming_window(n, periodic, out.options()));
}
inline Tensor& hamming_window_out(Tensor& out, int64_t n, bool periodic, double alpha) {
  return detail::write_out("hamming_window_out", out, strata::hamming_window(n, periodic, alpha, out.options()));
}
inline Tensor& hamming_window_out(Tensor& out, int64_t n, bool periodic, double alpha, double beta) {
  return detail::write_out("hamming_window_out", out, strata::hamming_window(n, periodic, alpha, beta, out.options()));
}
inline Tensor& hann_window_out(Tensor& out, int64_t n) {
  return detail::write_out("hann_window_out", out, strata::hann_window(n, out.options()));
}
inline Tensor& hann_window_out(Tensor& out, int64_t n, bool periodic) {
  return detail::write_out("hann_window_out", out, strata::hann_window(n, periodic, out.options()));
}
inline Tensor& hardshrink_out(Tensor& out, const Tensor& x, const Scalar& lambda = 0.5) {
  return detail::write_out("hardshrink_out", out, strata::hardshrink(x, lambda));
}
inline Tensor& hardsigmoid_out(Tensor& out, const Tensor& x) {
  return detail::write_out("hardsigmoid_out", out, strata::hardsigmoid(x));
}
inline Tensor& hardswish_out(Tensor& out, const Tensor& x) {
  return detail::write_out("hardswish_out", out, strata::hardswish(x));
}
inline Tensor& hardtanh_out(Tensor& out, const Tensor& x, const Scalar& min_val = -1, const Scalar& max_val = 1) {
  return detail::write_out("hardtanh_out", out, strata::hardtanh(x, min_val, max_val));
}
inline Tensor& heaviside_out(Tensor& out, const Tensor& x, const Tensor& values) {
  return detail::write_out("heaviside_out", out, strata::heaviside(x, values));
}
inline Tensor& histc_out(Tensor& out, const Tensor& x, int64_t bins = 100, const Scalar& min = 0,
                         const Scalar& max = 0) {
  return detail::write_out("histc_out", out, strata::histc(x, bins, min, max));
}
inline Tensor& hstack_out(Tensor& out, TensorList tensors) {
  return detail::write_out("hstack_out", out, strata::hstack(tensors));
}
inline Tensor& huber_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean,
                              double delta = 1) {
  return detail::write_out("huber_loss_out", out, strata::huber_loss(x, target, reduction, delta));
}
inline Tensor& hypot_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("hypot_out", out, strata::hypot(a, b));
}
inline Tensor& i0_out(Tensor& out, const Tensor& x) { return detail::write_out("i0_out", out, strata::i0(x)); }
inline Tensor& igamma_out(Tensor& out, const Tensor& a, const Tensor& x) {
  return detail::write_out("igamma_out", out, strata::igamma(a, x));
}
inline Tensor& igammac_out(Tensor& out, const Tensor& a, const Tensor& x) {
  return detail::write_out("igammac_out", out, strata::igammac(a, x));
}
inline Tensor& im2col_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation,
                          IntArrayRef padding, IntArrayRef stride) {
  return detail::write_out("im2col_out", out, strata::im2col(input, kernel_size, dilation, padding, stride));
}
inline Tensor& index_add_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                             const Scalar& alpha = 1) {
  return detail::write_out("index_add_out", out, strata::index_add(x, dim, index, source, alpha));
}
inline Tensor& index_copy_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
  return detail::write_out("index_copy_out", out, strata::index_copy(x, dim, index, source));
}
inline Tensor& index_fill_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value) {
  return detail::write_out("index_fill_out", out, strata::index_fill(x, dim, index, value));
}
inline Tensor& index_fill_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& value) {
  return detail::write_out("index_fill_out", out, strata::index_fill(x, dim, index, value));
}
inline Tensor& index_out(Tensor& out, const Tensor& x, ArrayRef<indexing::TensorIndex> indices) {
  return detail::write_out("index_out", out, strata::index(x, indices));
}
inline Tensor& index_put_out(Tensor& out, const Tensor& x, ArrayRef<indexing::TensorIndex> indices,
                             const Tensor& values, bool accumulate = false) {
  return detail::write_out("index_put_out", out, strata::index_put(x, indices, values, accumulate));
}
inline Tensor& index_reduce_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                                std::string_view reduce, bool include_self = true) {
  return detail::write_out("index_reduce_out", out, strata::index_reduce(x, dim, index, source, reduce, include_self));
}
inline Tensor& index_select_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index) {
  return detail::write_out("index_select_out", out, strata::index_select(x, dim, index));
}
inline Tensor& inner_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("inner_out", out, strata::inner(a, b));
}
inline Tensor& inverse_out(Tensor& out, const Tensor& A) {
  return detail::write_out("inverse_out", out, strata::inverse(A));
}
inline Tensor& isin_out(Tensor& out, const Scalar& element, const Tensor& test_elements, bool assume_unique = false,
                        bool invert = false) {
  return detail::write_out("isin_out", out, strata::isin(element, test_elements, assume_unique, invert));
}
inline Tensor& isin_out(Tensor& out, const Tensor& elements, const Scalar& test_element, bool assume_unique = false,
                        bool invert = false) {
  return detail::write_out("isin_out", out, strata::isin(elements, test_element, assume_unique, invert));
}
inline Tensor& isin_out(Tensor& out, const Tensor& elements, const Tensor& test_elements, bool assume_unique = false,
                        bool invert = false) {
  return detail::write_out("isin_out", out, strata::isin(elements, test_elements, assume_unique, invert));
}
inline Tensor& isinf_out(Tensor& out, const Tensor& x) { return detail::write_out("isinf_out", out, strata::isinf(x)); }
inline Tensor& isnan_out(Tensor& out, const Tensor& x) { return detail::write_out("isnan_out", out, strata::isnan(x)); }
inline Tensor& isneginf_out(Tensor& out, const Tensor& x) {
  return detail::write_out("isneginf_out", out, strata::isneginf(x));
}
inline Tensor& isposinf_out(Tensor& out, const Tensor& x) {
  return detail::write_out("isposinf_out", out, strata::isposinf(x));
}
inline Tensor& kaiser_window_out(Tensor& out, int64_t n) {
  return detail::write_out("kaiser_window_out", out, strata::kaiser_window(n, out.options()));
}
inline Tensor& kaiser_window_out(Tensor& out, int64_t n, bool periodic) {
  return detail::write_out("kaiser_window_out", out, strata::kaiser_window(n, periodic, out.options()));
}
inline Tensor& kaiser_window_out(Tensor& out, int64_t n, bool periodic, double beta) {
  return detail::write_out("kaiser_window_out", out, strata::kaiser_window(n, periodic, beta, out.options()));
}
inline Tensor& kron_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("kron_out", out, strata::kron(a, b));
}
inline Tensor& lcm_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("lcm_out", out, strata::lcm(a, b));
}
inline Tensor& ldexp_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("ldexp_out", out, strata::ldexp(a, b));
}
inline Tensor& le_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("le_out", out, strata::le(a, b));
}
inline Tensor& le_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("le_out", out, strata::le(a, b));
}
inline Tensor& leaky_relu_out(Tensor& out, const Tensor& x, const Scalar& negative_slope = 0.01) {
  return detail::write_out("leaky_relu_out", out, strata::leaky_relu(x, negative_slope));
}
inline Tensor& lerp_out(Tensor& out, const Tensor& start, const Tensor& end, const Scalar& weight) {
  return detail::write_out("lerp_out", out, strata::lerp(start, end, weight));
}
inline Tensor& lerp_out(Tensor& out, const Tensor& start, const Tensor& end, const Tensor& weight) {
  return detail::write_out("lerp_out", out, strata::lerp(start, end, weight));
}
inline Tensor& linalg_cholesky_out(Tensor& out, const Tensor& A, bool upper = false) {
  return detail::write_out("linalg_cholesky_out", out, strata::linalg_cholesky(A, upper));
}
inline Tensor& linalg_cond_out(Tensor& out, const Tensor& A, const std::optional<Scalar>& p = std::nullopt) {
  return detail::write_out("linalg_cond_out", out, strata::linalg_cond(A, p));
}
inline Tensor& linalg_cond_out(Tensor& out, const Tensor& A, std::string_view p) {
  return detail::write_out("linalg_cond_out", out, strata::linalg_cond(A, p));
}
inline Tensor& linalg_cross_out(Tensor& out, const Tensor& a, const Tensor& b, int64_t dim = -1) {
  return detail::write_out("linalg_cross_out", out, strata::linalg_cross(a, b, dim));
}
inline Tensor& linalg_det_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_det_out", out, strata::linalg_det(A));
}
inline Tensor& linalg_eigvals_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_eigvals_out", out, strata::linalg_eigvals(A));
}
inline Tensor& linalg_eigvalsh_out(Tensor& out, const Tensor& A, std::string_view UPLO = "L") {
  return detail::write_out("linalg_eigvalsh_out", out, strata::linalg_eigvalsh(A, UPLO));
}
inline Tensor& linalg_householder_product_out(Tensor& out, const Tensor& A, const Tensor& tau) {
  return detail::write_out("linalg_householder_product_out", out, strata::linalg_householder_product(A, tau));
}
inline Tensor& linalg_inv_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_inv_out", out, strata::linalg_inv(A));
}
inline Tensor& linalg_ldl_solve_out(Tensor& out, const Tensor& LD, const Tensor& pivots, const Tensor& B,
                                    bool hermitian = false) {
  return detail::write_out("linalg_ldl_solve_out", out, strata::linalg_ldl_solve(LD, pivots, B, hermitian));
}
inline Tensor& linalg_lu_solve_out(Tensor& out, const Tensor& LU, const Tensor& pivots, const Tensor& B,
                                   bool left = true, bool adjoint = false) {
  return detail::write_out("linalg_lu_solve_out", out, strata::linalg_lu_solve(LU, pivots, B, left, adjoint));
}
inline Tensor& linalg_matmul_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return detail::write_out("linalg_matmul_out", out, strata::linalg_matmul(self, other));
}
inline Tensor& linalg_matrix_exp_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_matrix_exp_out", out, strata::linalg_matrix_exp(A));
}
inline Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& A, const Scalar& ord, IntArrayRef dim = {-2, -1},
                                      bool keepdim = false, std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("linalg_matrix_norm_out", out, strata::linalg_matrix_norm(A, ord, dim, keepdim, dtype));
}
inline Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& A, std::string_view ord = "fro",
                                      IntArrayRef dim = {-2, -1}, bool keepdim = false,
                                      std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("linalg_matrix_norm_out", out, strata::linalg_matrix_norm(A, ord, dim, keepdim, dtype));
}
inline Tensor& linalg_matrix_power_out(Tensor& out, const Tensor& A, int64_t n) {
  return detail::write_out("linalg_matrix_power_out", out, strata::linalg_matrix_power(A, n));
}
inline Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A));
}
inline Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol,
                                      bool hermitian = false) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A, atol, rtol, hermitian));
}
inline Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, const Tensor& tol, bool hermitian = false) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A, tol, hermitian));
}
inline Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, double tol, bool hermitian = false) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A, tol, hermitian));
}
inline Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol,
                                      bool hermitian = false) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A, atol, rtol, hermitian));
}
inline Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, std::optional<double> atol,
                                      std::optional<double> rtol, bool hermitian = false) {
  return detail::write_out("linalg_matrix_rank_out", out, strata::linalg_matrix_rank(A, atol, rtol, hermitian));
}
inline Tensor& linalg_matrix_sqrth_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_matrix_sqrth_out", out, strata::linalg_matrix_sqrth(A));
}
inline Tensor& linalg_multi_dot_out(Tensor& out, TensorList tensors) {
  return detail::write_out("linalg_multi_dot_out", out, strata::linalg_multi_dot(tensors));
}
inline Tensor& linalg_norm_out(Tensor& out, const Tensor& A, const std::optional<Scalar>& ord = std::nullopt,
                               OptionalIntArrayRef dim = {}, bool keepdim = false,
                               std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("linalg_norm_out", out, strata::linalg_norm(A, ord, dim, keepdim, dtype));
}
inline Tensor& linalg_norm_out(Tensor& out, const Tensor& A, std::string_view ord, OptionalIntArrayRef dim = {},
                               bool keepdim = false, std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("linalg_norm_out", out, strata::linalg_norm(A, ord, dim, keepdim, dtype));
}
inline Tensor& linalg_pinv_out(Tensor& out, const Tensor& A) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A));
}
inline Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol,
                               bool hermitian = false) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A, atol, rtol, hermitian));
}
inline Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, const Tensor& rcond, bool hermitian = false) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A, rcond, hermitian));
}
inline Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, double rcond, bool hermitian = false) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A, rcond, hermitian));
}
inline Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol,
                               bool hermitian = false) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A, atol, rtol, hermitian));
}
inline Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                               bool hermitian = false) {
  return detail::write_out("linalg_pinv_out", out, strata::linalg_pinv(A, atol, rtol, hermitian));
}
inline Tensor& linalg_solve_out(Tensor& out, const Tensor& A, const Tensor& B, bool left = true) {
  return detail::write_out("linalg_solve_out", out, strata::linalg_solve(A, B, left));
}
inline Tensor& linalg_solve_triangular_out(Tensor& out, const Tensor& A, const Tensor& B, bool upper, bool left = true,
                                           bool unitriangular = false) {
  return detail::write_out("linalg_solve_triangular_out", out,
                           strata::linalg_solve_triangular(A, B, upper, left, unitriangular));
}
inline Tensor& linalg_svdvals_out(Tensor& out, const Tensor& A, std::optional<std::string_view> driver = std::nullopt) {
  return detail::write_out("linalg_svdvals_out", out, strata::linalg_svdvals(A, driver));
}
inline Tensor& linalg_tensorinv_out(Tensor& out, const Tensor& A, int64_t ind = 2) {
  return detail::write_out("linalg_tensorinv_out", out, strata::linalg_tensorinv(A, ind));
}
inline Tensor& linalg_tensorsolve_out(Tensor& out, const Tensor& A, const Tensor& B, OptionalIntArrayRef dims = {}) {
  return detail::write_out("linalg_tensorsolve_out", out, strata::linalg_tensorsolve(A, B, dims));
}
inline Tensor& linalg_vecdot_out(Tensor& out, const Tensor& x, const Tensor& y, int64_t dim = -1) {
  return detail::write_out("linalg_vecdot_out", out, strata::linalg_vecdot(x, y, dim));
}
inline Tensor& linalg_vector_norm_out(Tensor& out, const Tensor& x, const Scalar& ord = 2,
                                      OptionalIntArrayRef dims = {}, bool keepdim = false,
                                      std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("linalg_vector_norm_out", out, strata::linalg_vector_norm(x, ord, dims, keepdim, dtype));
}
inline Tensor& linear_out(Tensor& out, const Tensor& x, const Tensor& weight, OptionalTensorRef bias = {}) {
  return detail::write_out("linear_out", out, strata::linear(x, weight, bias));
}
inline Tensor& linspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps) {
  return detail::write_out("linspace_out", out, strata::linspace(start, end, steps, out.options()));
}
inline Tensor& log_normal_out(Tensor& out, const Tensor& self, double mean = 1, double std = 2) {
  return detail::write_out("log_normal_out", out, strata::log_normal(self, mean, std));
}
inline Tensor& log_sigmoid_out(Tensor& out, const Tensor& x) {
  return detail::write_out("log_sigmoid_out", out, strata::log_sigmoid(x));
}
inline Tensor& log_softmax_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("log_softmax_out", out, strata::log_softmax(x, dim, dtype));
}
inline Tensor& logaddexp2_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("logaddexp2_out", out, strata::logaddexp2(a, b));
}
inline Tensor& logaddexp_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("logaddexp_out", out, strata::logaddexp(a, b));
}
inline Tensor& logcumsumexp_out(Tensor& out, const Tensor& x, int64_t dim) {
  return detail::write_out("logcumsumexp_out", out, strata::logcumsumexp(x, dim));
}
inline Tensor& logical_and_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("logical_and_out", out, strata::logical_and(a, b));
}
inline Tensor& logical_or_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("logical_or_out", out, strata::logical_or(a, b));
}
inline Tensor& logical_xor_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("logical_xor_out", out, strata::logical_xor(a, b));
}
inline Tensor& logit_out(Tensor& out, const Tensor& x, std::optional<double> eps = std::nullopt) {
  return detail::write_out("logit_out", out, strata::logit(x, eps));
}
inline Tensor& logspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps, double base = 10) {
  return detail::write_out("logspace_out", out, strata::logspace(start, end, steps, base, out.options()));
}
inline Tensor& logsumexp_out(Tensor& out, const Tensor& x, IntArrayRef dims, bool keepdim = false) {
  return detail::write_out("logsumexp_out", out, strata::logsumexp(x, dims, keepdim));
}
inline Tensor& lt_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("lt_out", out, strata::lt(a, b));
}
inline Tensor& lt_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("lt_out", out, strata::lt(a, b));
}
inline Tensor& lu_solve_out(Tensor& out, const Tensor& B, const Tensor& LU, const Tensor& pivots) {
  return detail::write_out("lu_solve_out", out, strata::lu_solve(B, LU, pivots));
}
inline Tensor& masked_fill_out(Tensor& out, const Tensor& x, const Tensor& mask, const Scalar& value) {
  return detail::write_out("masked_fill_out", out, strata::masked_fill(x, mask, value));
}
inline Tensor& masked_fill_out(Tensor& out, const Tensor& x, const Tensor& mask, const Tensor& value) {
  return detail::write_out("masked_fill_out", out, strata::masked_fill(x, mask, value));
}
inline Tensor& masked_scatter_out(Tensor& out, const Tensor& x, const Tensor& mask, const Tensor& source) {
  return detail::write_out("masked_scatter_out", out, strata::masked_scatter(x, mask, source));
}
inline Tensor& masked_select_out(Tensor& out, const Tensor& x, const Tensor& mask) {
  return detail::write_out("masked_select_out", out, strata::masked_select(x, mask));
}
inline Tensor& matrix_power_out(Tensor& out, const Tensor& A, int64_t n) {
  return detail::write_out("matrix_power_out", out, strata::matrix_power(A, n));
}
inline Tensor& max_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("max_out", out, strata::max(a, b));
}
inline Tensor& max_out(Tensor& out, const Tensor& x) { return detail::write_out("max_out", out, strata::max(x)); }
inline Tensor& max_unpool2d_out(Tensor& out, const Tensor& input, const Tensor& indices, IntArrayRef output_size) {
  return detail::write_out("max_unpool2d_out", out, strata::max_unpool2d(input, indices, output_size));
}
inline Tensor& max_unpool3d_out(Tensor& out, const Tensor& input, const Tensor& indices, IntArrayRef output_size,
                                IntArrayRef stride, IntArrayRef padding) {
  return detail::write_out("max_unpool3d_out", out, strata::max_unpool3d(input, indices, output_size, stride, padding));
}
inline Tensor& mean_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false,
                        std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("mean_out", out, strata::mean(x, dims, keepdim, dtype));
}
inline Tensor& mean_out(Tensor& out, const Tensor& x, std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("mean_out", out, strata::mean(x, dtype));
}
inline Tensor& median_out(Tensor& out, const Tensor& x) {
  return detail::write_out("median_out", out, strata::median(x));
}
inline Tensor& min_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("min_out", out, strata::min(a, b));
}
inline Tensor& min_out(Tensor& out, const Tensor& x) { return detail::write_out("min_out", out, strata::min(x)); }
inline Tensor& mish_out(Tensor& out, const Tensor& x) { return detail::write_out("mish_out", out, strata::mish(x)); }
inline Tensor& mse_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean) {
  return detail::write_out("mse_loss_out", out, strata::mse_loss(x, target, reduction));
}
inline Tensor& msort_out(Tensor& out, const Tensor& x) { return detail::write_out("msort_out", out, strata::msort(x)); }
inline Tensor& multi_margin_loss_out(Tensor& out, const Tensor& self, const Tensor& target, const Scalar& p = 1,
                                     const Scalar& margin = 1, const std::optional<Tensor>& weight = {},
                                     int64_t reduction = Reduction::Mean) {
  return detail::write_out("multi_margin_loss_out", out,
                           strata::multi_margin_loss(self, target, p, margin, weight, reduction));
}
inline Tensor& multilabel_margin_loss_out(Tensor& out, const Tensor& x, const Tensor& target,
                                          int64_t reduction = Reduction::Mean) {
  return detail::write_out("multilabel_margin_loss_out", out, strata::multilabel_margin_loss(x, target, reduction));
}
inline Tensor& multinomial_out(Tensor& out, const Tensor& probs, int64_t num_samples, bool replacement = false,
                               OptionalGenerator generator = {}) {
  return detail::write_out("multinomial_out", out, strata::multinomial(probs, num_samples, replacement, generator));
}
inline Tensor& mv_out(Tensor& out, const Tensor& a, const Tensor& v) {
  return detail::write_out("mv_out", out, strata::mv(a, v));
}
inline Tensor& mvlgamma_out(Tensor& out, const Tensor& x, int64_t p) {
  return detail::write_out("mvlgamma_out", out, strata::mvlgamma(x, p));
}
inline Tensor& nan_to_num_out(Tensor& out, const Tensor& x, std::optional<double> nan = std::nullopt,
                              std::optional<double> posinf = std::nullopt,
                              std::optional<double> neginf = std::nullopt) {
  return detail::write_out("nan_to_num_out", out, strata::nan_to_num(x, nan, posinf, neginf));
}
inline Tensor& nanmean_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims = {}, bool keepdim = false,
                           std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("nanmean_out", out, strata::nanmean(x, dims, keepdim, dtype));
}
inline Tensor& nanmedian_out(Tensor& out, const Tensor& x) {
  return detail::write_out("nanmedian_out", out, strata::nanmedian(x));
}
inline Tensor& nanquantile_out(Tensor& out, const Tensor& x, const Tensor& q, std::optional<int64_t> dim = std::nullopt,
                               bool keepdim = false, std::string_view interpolation = "linear") {
  return detail::write_out("nanquantile_out", out, strata::nanquantile(x, q, dim, keepdim, interpolation));
}
inline Tensor& nanquantile_out(Tensor& out, const Tensor& x, double q, std::optional<int64_t> dim = std::nullopt,
                               bool keepdim = false, std::string_view interpolation = "linear") {
  return detail::write_out("nanquantile_out", out, strata::nanquantile(x, q, dim, keepdim, interpolation));
}
inline Tensor& nansum_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims = {}, bool keepdim = false,
                          std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("nansum_out", out, strata::nansum(x, dims, keepdim, dtype));
}
inline Tensor& narrow_copy_out(Tensor& out, const Tensor& x, int64_t dim, int64_t start, int64_t length) {
  return detail::write_out("narrow_copy_out", out, strata::narrow_copy(x, dim, start, length));
}
inline Tensor& ne_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("ne_out", out, strata::ne(a, b));
}
inline Tensor& ne_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("ne_out", out, strata::ne(a, b));
}
inline Tensor& negative_out(Tensor& out, const Tensor& x) {
  return detail::write_out("negative_out", out, strata::negative(x));
}
inline Tensor& nextafter_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("nextafter_out", out, strata::nextafter(a, b));
}
inline Tensor& nll_loss2d_out(Tensor& out, const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                              int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  return detail::write_out("nll_loss2d_out", out, strata::nll_loss2d(x, target, weight, reduction, ignore_index));
}
inline Tensor& nll_loss_out(Tensor& out, const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                            int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  return detail::write_out("nll_loss_out", out, strata::nll_loss(x, target, weight, reduction, ignore_index));
}
inline Tensor& nonzero_out(Tensor& out, const Tensor& x) {
  return detail::write_out("nonzero_out", out, strata::nonzero(x));
}
inline Tensor& nonzero_static_out(Tensor& out, const Tensor& x, int64_t size, int64_t fill_value = -1) {
  return detail::write_out("nonzero_static_out", out, strata::nonzero_static(x, size, fill_value));
}
inline Tensor& norm_out(Tensor& out, const Tensor& x, const Scalar& p = 2) {
  return detail::write_out("norm_out", out, strata::norm(x, p));
}
inline Tensor& norm_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& p, DType dtype) {
  return detail::write_out("norm_out", out, strata::norm(x, p, dtype));
}
inline Tensor& norm_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims,
                        bool keepdim = false) {
  return detail::write_out("norm_out", out, strata::norm(x, p, dims, keepdim));
}
inline Tensor& norm_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim,
                        DType dtype) {
  return detail::write_out("norm_out", out, strata::norm(x, p, dims, keepdim, dtype));
}
inline Tensor& normal_out(Tensor& out, const Tensor& mean, const Tensor& std, OptionalGenerator generator = {}) {
  return detail::write_out("normal_out", out, strata::normal(mean, std, generator));
}
inline Tensor& normal_out(Tensor& out, const Tensor& mean, double std = 1, OptionalGenerator generator = {}) {
  return detail::write_out("normal_out", out, strata::normal(mean, std, generator));
}
inline Tensor& normal_out(Tensor& out, double mean, const Tensor& std, OptionalGenerator generator = {}) {
  return detail::write_out("normal_out", out, strata::normal(mean, std, generator));
}
inline Tensor& normal_out(Tensor& out, double mean, double std, IntArrayRef sizes) {
  return detail::write_out("normal_out", out, strata::normal(mean, std, sizes, out.options()));
}
inline Tensor& normal_out(Tensor& out, double mean, double std, IntArrayRef sizes, OptionalGenerator generator) {
  return detail::write_out("normal_out", out, strata::normal(mean, std, sizes, generator, out.options()));
}
inline Tensor& nuclear_norm_out(Tensor& out, const Tensor& A, IntArrayRef dim, bool keepdim = false) {
  return detail::write_out("nuclear_norm_out", out, strata::nuclear_norm(A, dim, keepdim));
}
inline Tensor& nuclear_norm_out(Tensor& out, const Tensor& A, bool keepdim = false) {
  return detail::write_out("nuclear_norm_out", out, strata::nuclear_norm(A, keepdim));
}
inline Tensor& ones_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format = std::nullopt) {
  return detail::write_out("ones_like_out", out, strata::ones_like(x, out.options(), memory_format));
}
inline Tensor& ones_out(Tensor& out, IntArrayRef sizes) {
  return detail::write_out("ones_out", out, strata::ones(sizes, out.options()));
}
inline Tensor& orgqr_out(Tensor& out, const Tensor& A, const Tensor& tau) {
  return detail::write_out("orgqr_out", out, strata::orgqr(A, tau));
}
inline Tensor& ormqr_out(Tensor& out, const Tensor& A, const Tensor& tau, const Tensor& other, bool left = true,
                         bool transpose = false) {
  return detail::write_out("ormqr_out", out, strata::ormqr(A, tau, other, left, transpose));
}
inline Tensor& outer_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("outer_out", out, strata::outer(a, b));
}
inline Tensor& permute_copy_out(Tensor& out, const Tensor& x, IntArrayRef dims) {
  return detail::write_out("permute_copy_out", out, strata::permute_copy(x, dims));
}
inline Tensor& pixel_shuffle_out(Tensor& out, const Tensor& self, int64_t upscale_factor) {
  return detail::write_out("pixel_shuffle_out", out, strata::pixel_shuffle(self, upscale_factor));
}
inline Tensor& pixel_unshuffle_out(Tensor& out, const Tensor& self, int64_t downscale_factor) {
  return detail::write_out("pixel_unshuffle_out", out, strata::pixel_unshuffle(self, downscale_factor));
}
inline Tensor& poisson_out(Tensor& out, const Tensor& rate, OptionalGenerator generator = {}) {
  return detail::write_out("poisson_out", out, strata::poisson(rate, generator));
}
inline Tensor& polar_out(Tensor& out, const Tensor& abs, const Tensor& angle) {
  return detail::write_out("polar_out", out, strata::polar(abs, angle));
}
inline Tensor& polygamma_out(Tensor& out, int64_t n, const Tensor& x) {
  return detail::write_out("polygamma_out", out, strata::polygamma(n, x));
}
inline Tensor& prod_out(Tensor& out, const Tensor& x, int64_t dim, bool keepdim = false,
                        std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("prod_out", out, strata::prod(x, dim, keepdim, dtype));
}
inline Tensor& prod_out(Tensor& out, const Tensor& x, std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("prod_out", out, strata::prod(x, dtype));
}
inline Tensor& put_out(Tensor& out, const Tensor& x, const Tensor& index, const Tensor& source,
                       bool accumulate = false) {
  return detail::write_out("put_out", out, strata::put(x, index, source, accumulate));
}
inline Tensor& quantile_out(Tensor& out, const Tensor& x, const Tensor& q, std::optional<int64_t> dim = std::nullopt,
                            bool keepdim = false, std::string_view interpolation = "linear") {
  return detail::write_out("quantile_out", out, strata::quantile(x, q, dim, keepdim, interpolation));
}
inline Tensor& quantile_out(Tensor& out, const Tensor& x, double q, std::optional<int64_t> dim = std::nullopt,
                            bool keepdim = false, std::string_view interpolation = "linear") {
  return detail::write_out("quantile_out", out, strata::quantile(x, q, dim, keepdim, interpolation));
}
inline Tensor& rad2deg_out(Tensor& out, const Tensor& x) {
  return detail::write_out("rad2deg_out", out, strata::rad2deg(x));
}
inline Tensor& rand_like_out(Tensor& out, const Tensor& x) {
  return detail::write_out("rand_like_out", out, strata::rand_like(x, out.options()));
}
inline Tensor& rand_out(Tensor& out, IntArrayRef sizes) {
  return detail::write_out("rand_out", out, strata::rand(sizes, out.options()));
}
inline Tensor& rand_out(Tensor& out, IntArrayRef sizes, Generator& generator) {
  return detail::write_out("rand_out", out, strata::rand(sizes, generator, out.options()));
}
inline Tensor& randint_like_out(Tensor& out, const Tensor& x, int64_t high) {
  return detail::write_out("randint_like_out", out, strata::randint_like(x, high, out.options()));
}
inline Tensor& randint_like_out(Tensor& out, const Tensor& x, int64_t low, int64_t high) {
  return detail::write_out("randint_like_out", out, strata::randint_like(x, low, high, out.options()));
}
inline Tensor& randint_out(Tensor& out, int64_t high, IntArrayRef sizes) {
  return detail::write_out("randint_out", out, strata::randint(high, sizes, out.options()));
}
inline Tensor& randint_out(Tensor& out, int64_t high, IntArrayRef sizes, OptionalGenerator generator) {
  return detail::write_out("randint_out", out, strata::randint(high, sizes, generator, out.options()));
}
inline Tensor& randint_out(Tensor& out, int64_t low, int64_t high, IntArrayRef sizes) {
  return detail::write_out("randint_out", out, strata::randint(low, high, sizes, out.options()));
}
inline Tensor& randint_out(Tensor& out, int64_t low, int64_t high, IntArrayRef sizes, OptionalGenerator generator) {
  return detail::write_out("randint_out", out, strata::randint(low, high, sizes, generator, out.options()));
}
inline Tensor& randn_like_out(Tensor& out, const Tensor& x) {
  return detail::write_out("randn_like_out", out, strata::randn_like(x, out.options()));
}
inline Tensor& randn_out(Tensor& out, IntArrayRef sizes) {
  return detail::write_out("randn_out", out, strata::randn(sizes, out.options()));
}
inline Tensor& randn_out(Tensor& out, IntArrayRef sizes, Generator& generator) {
  return detail::write_out("randn_out", out, strata::randn(sizes, generator, out.options()));
}
inline Tensor& randperm_out(Tensor& out, int64_t n) {
  return detail::write_out("randperm_out", out, strata::randperm(n, out.options()));
}
inline Tensor& randperm_out(Tensor& out, int64_t n, Generator& generator) {
  return detail::write_out("randperm_out", out, strata::randperm(n, generator, out.options()));
}
inline Tensor& range_out(Tensor& out, const Scalar& start, const Scalar& end) {
  return detail::write_out("range_out", out, strata::range(start, end, out.options()));
}
inline Tensor& range_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step) {
  return detail::write_out("range_out", out, strata::range(start, end, step, out.options()));
}
inline Tensor& reflection_pad1d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("reflection_pad1d_out", out, strata::reflection_pad1d(self, padding));
}
inline Tensor& reflection_pad2d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("reflection_pad2d_out", out, strata::reflection_pad2d(self, padding));
}
inline Tensor& reflection_pad3d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("reflection_pad3d_out", out, strata::reflection_pad3d(self, padding));
}
inline Tensor& remainder_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("remainder_out", out, strata::remainder(a, b));
}
inline Tensor& remainder_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("remainder_out", out, strata::remainder(a, b));
}
inline Tensor& remainder_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("remainder_out", out, strata::remainder(a, b));
}
inline Tensor& renorm_out(Tensor& out, const Tensor& x, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  return detail::write_out("renorm_out", out, strata::renorm(x, p, dim, maxnorm));
}
inline Tensor& repeat_interleave_out(Tensor& out, const Tensor& repeats,
                                     std::optional<int64_t> output_size = std::nullopt) {
  return detail::write_out("repeat_interleave_out", out, strata::repeat_interleave(repeats, output_size));
}
inline Tensor& repeat_interleave_out(Tensor& out, const Tensor& x, const Tensor& repeats,
                                     std::optional<int64_t> dim = std::nullopt,
                                     std::optional<int64_t> output_size = std::nullopt) {
  return detail::write_out("repeat_interleave_out", out, strata::repeat_interleave(x, repeats, dim, output_size));
}
inline Tensor& repeat_interleave_out(Tensor& out, const Tensor& x, int64_t repeats,
                                     std::optional<int64_t> dim = std::nullopt,
                                     std::optional<int64_t> output_size = std::nullopt) {
  return detail::write_out("repeat_interleave_out", out, strata::repeat_interleave(x, repeats, dim, output_size));
}
inline Tensor& repeat_out(Tensor& out, const Tensor& x, IntArrayRef repeats) {
  return detail::write_out("repeat_out", out, strata::repeat(x, repeats));
}
inline Tensor& replication_pad1d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("replication_pad1d_out", out, strata::replication_pad1d(self, padding));
}
inline Tensor& replication_pad2d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("replication_pad2d_out", out, strata::replication_pad2d(self, padding));
}
inline Tensor& replication_pad3d_out(Tensor& out, const Tensor& self, IntArrayRef padding) {
  return detail::write_out("replication_pad3d_out", out, strata::replication_pad3d(self, padding));
}
inline Tensor& resize_as_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return detail::write_out("resize_as_out", out, strata::resize_as(self, other));
}
inline Tensor& resize_out(Tensor& out, const Tensor& self, IntArrayRef size) {
  return detail::write_out("resize_out", out, strata::resize(self, size));
}
inline Tensor& roll_out(Tensor& out, const Tensor& x, IntArrayRef shifts, IntArrayRef dims = {}) {
  return detail::write_out("roll_out", out, strata::roll(x, shifts, dims));
}
inline Tensor& rot90_out(Tensor& out, const Tensor& x, int64_t k = 1, IntArrayRef dims = {0, 1}) {
  return detail::write_out("rot90_out", out, strata::rot90(x, k, dims));
}
inline Tensor& row_stack_out(Tensor& out, TensorList tensors) {
  return detail::write_out("row_stack_out", out, strata::row_stack(tensors));
}
inline Tensor& rsub_out(Tensor& out, const Tensor& a, const Scalar& b, const Scalar& alpha = 1) {
  return detail::write_out("rsub_out", out, strata::rsub(a, b, alpha));
}
inline Tensor& rsub_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& alpha = 1) {
  return detail::write_out("rsub_out", out, strata::rsub(a, b, alpha));
}
inline Tensor& scalar_tensor_out(Tensor& out, const Scalar& value) {
  return detail::write_out("scalar_tensor_out", out, strata::scalar_tensor(value, out.options()));
}
inline Tensor& scatter_add_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
  return detail::write_out("scatter_add_out", out, strata::scatter_add(x, dim, index, source));
}
inline Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value) {
  return detail::write_out("scatter_out", out, strata::scatter(x, dim, index, value));
}
inline Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value,
                           std::string_view reduce) {
  return detail::write_out("scatter_out", out, strata::scatter(x, dim, index, value, reduce));
}
inline Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
  return detail::write_out("scatter_out", out, strata::scatter(x, dim, index, source));
}
inline Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                           std::string_view reduce) {
  return detail::write_out("scatter_out", out, strata::scatter(x, dim, index, source, reduce));
}
inline Tensor& scatter_reduce_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                                  std::string_view reduce, bool include_self = true) {
  return detail::write_out("scatter_reduce_out", out,
                           strata::scatter_reduce(x, dim, index, source, reduce, include_self));
}
inline Tensor& searchsorted_out(Tensor& out, const Tensor& sorted, const Scalar& value, bool out_int32 = false,
                                bool right = false, std::optional<std::string_view> side = std::nullopt,
                                OptionalTensorRef sorter = {}) {
  return detail::write_out("searchsorted_out", out,
                           strata::searchsorted(sorted, value, out_int32, right, side, sorter));
}
inline Tensor& searchsorted_out(Tensor& out, const Tensor& sorted, const Tensor& values, bool out_int32 = false,
                                bool right = false, std::optional<std::string_view> side = std::nullopt,
                                OptionalTensorRef sorter = {}) {
  return detail::write_out("searchsorted_out", out,
                           strata::searchsorted(sorted, values, out_int32, right, side, sorter));
}
inline Tensor& segment_reduce_out(Tensor& out, const Tensor& data, std::string_view reduce,
                                  const std::optional<Tensor>& lengths = {}, const std::optional<Tensor>& indices = {},
                                  const std::optional<Tensor>& offsets = {}, int64_t axis = 0, bool unsafe = false,
                                  const std::optional<Scalar>& initial = {}) {
  return detail::write_out("segment_reduce_out", out,
                           strata::segment_reduce(data, reduce, lengths, indices, offsets, axis, unsafe, initial));
}
inline Tensor& select_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t dim,
                                   int64_t index) {
  return detail::write_out("select_backward_out", out, strata::select_backward(grad, input_sizes, dim, index));
}
inline Tensor& select_copy_out(Tensor& out, const Tensor& x, int64_t dim, int64_t index) {
  return detail::write_out("select_copy_out", out, strata::select_copy(x, dim, index));
}
inline Tensor& select_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, int64_t dim, int64_t index) {
  return detail::write_out("select_scatter_out", out, strata::select_scatter(base, source, dim, index));
}
inline Tensor& set_out(Tensor& out, const Tensor& self, const Tensor& source) {
  return detail::write_out("set_out", out, strata::set(self, source));
}
inline Tensor& sgn_out(Tensor& out, const Tensor& x) { return detail::write_out("sgn_out", out, strata::sgn(x)); }
inline Tensor& signbit_out(Tensor& out, const Tensor& x) {
  return detail::write_out("signbit_out", out, strata::signbit(x));
}
inline Tensor& silu_out(Tensor& out, const Tensor& x) { return detail::write_out("silu_out", out, strata::silu(x)); }
inline Tensor& sinc_out(Tensor& out, const Tensor& x) { return detail::write_out("sinc_out", out, strata::sinc(x)); }
inline Tensor& slice_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t start,
                                  int64_t end, int64_t step) {
  return detail::write_out("slice_backward_out", out, strata::slice_backward(grad, input_sizes, dim, start, end, step));
}
inline Tensor& slice_copy_out(Tensor& out, const Tensor& x, int64_t dim = 0,
                              std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt,
                              int64_t step = 1) {
  return detail::write_out("slice_copy_out", out, strata::slice_copy(x, dim, start, end, step));
}
inline Tensor& slice_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, int64_t dim = 0,
                                 std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt,
                                 int64_t step = 1) {
  return detail::write_out("slice_scatter_out", out, strata::slice_scatter(base, source, dim, start, end, step));
}
inline Tensor& smooth_l1_loss_out(Tensor& out, const Tensor& x, const Tensor& target,
                                  int64_t reduction = Reduction::Mean, double beta = 1) {
  return detail::write_out("smooth_l1_loss_out", out, strata::smooth_l1_loss(x, target, reduction, beta));
}
inline Tensor& soft_margin_loss_out(Tensor& out, const Tensor& x, const Tensor& target,
                                    int64_t reduction = Reduction::Mean) {
  return detail::write_out("soft_margin_loss_out", out, strata::soft_margin_loss(x, target, reduction));
}
inline Tensor& softmax_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("softmax_out", out, strata::softmax(x, dim, dtype));
}
inline Tensor& softplus_out(Tensor& out, const Tensor& x, const Scalar& beta = 1, const Scalar& threshold = 20) {
  return detail::write_out("softplus_out", out, strata::softplus(x, beta, threshold));
}
inline Tensor& softshrink_out(Tensor& out, const Tensor& x, const Scalar& lambda = 0.5) {
  return detail::write_out("softshrink_out", out, strata::softshrink(x, lambda));
}
inline Tensor& squeeze_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("squeeze_copy_out", out, strata::squeeze_copy(x));
}
inline Tensor& squeeze_copy_out(Tensor& out, const Tensor& x, IntArrayRef dims) {
  return detail::write_out("squeeze_copy_out", out, strata::squeeze_copy(x, dims));
}
inline Tensor& squeeze_copy_out(Tensor& out, const Tensor& x, int64_t dim) {
  return detail::write_out("squeeze_copy_out", out, strata::squeeze_copy(x, dim));
}
inline Tensor& stack_out(Tensor& out, TensorList tensors, int64_t dim = 0) {
  return detail::write_out("stack_out", out, strata::stack(tensors, dim));
}
inline Tensor& std_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims = std::nullopt,
                       const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false) {
  return detail::write_out("std_out", out, strata::std(x, dims, correction, keepdim));
}
inline Tensor& sum_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false,
                       std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("sum_out", out, strata::sum(x, dims, keepdim, dtype));
}
inline Tensor& sum_out(Tensor& out, const Tensor& x, std::optional<DType> dtype = std::nullopt) {
  return detail::write_out("sum_out", out, strata::sum(x, dtype));
}
inline Tensor& t_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("t_copy_out", out, strata::t_copy(x));
}
inline Tensor& take_along_dim_out(Tensor& out, const Tensor& x, const Tensor& index,
                                  std::optional<int64_t> dim = std::nullopt) {
  return detail::write_out("take_along_dim_out", out, strata::take_along_dim(x, index, dim));
}
inline Tensor& take_out(Tensor& out, const Tensor& x, const Tensor& index) {
  return detail::write_out("take_out", out, strata::take(x, index));
}
inline Tensor& tensordot_out(Tensor& out, const Tensor& a, const Tensor& b, IntArrayRef dims_a, IntArrayRef dims_b) {
  return detail::write_out("tensordot_out", out, strata::tensordot(a, b, dims_a, dims_b));
}
inline Tensor& tensordot_out(Tensor& out, const Tensor& a, const Tensor& b, int64_t dims = 2) {
  return detail::write_out("tensordot_out", out, strata::tensordot(a, b, dims));
}
inline Tensor& threshold_out(Tensor& out, const Tensor& x, const Scalar& threshold, const Scalar& value) {
  return detail::write_out("threshold_out", out, strata::threshold(x, threshold, value));
}
inline Tensor& trace_out(Tensor& out, const Tensor& x) { return detail::write_out("trace_out", out, strata::trace(x)); }
inline Tensor& transpose_copy_out(Tensor& out, const Tensor& x, int64_t a, int64_t b) {
  return detail::write_out("transpose_copy_out", out, strata::transpose_copy(x, a, b));
}
inline Tensor& tril_indices_out(Tensor& out, int64_t rows, int64_t cols, int64_t offset = 0) {
  return detail::write_out("tril_indices_out", out, strata::tril_indices(rows, cols, offset, out.options()));
}
inline Tensor& tril_out(Tensor& out, const Tensor& x, int64_t diagonal = 0) {
  return detail::write_out("tril_out", out, strata::tril(x, diagonal));
}
inline Tensor& triu_indices_out(Tensor& out, int64_t rows, int64_t cols, int64_t offset = 0) {
  return detail::write_out("triu_indices_out", out, strata::triu_indices(rows, cols, offset, out.options()));
}
inline Tensor& triu_out(Tensor& out, const Tensor& x, int64_t diagonal = 0) {
  return detail::write_out("triu_out", out, strata::triu(x, diagonal));
}
inline Tensor& unfold_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t size,
                                   int64_t step) {
  return detail::write_out("unfold_backward_out", out, strata::unfold_backward(grad, input_sizes, dim, size, step));
}
inline Tensor& unfold_copy_out(Tensor& out, const Tensor& x, int64_t dim, int64_t size, int64_t step) {
  return detail::write_out("unfold_copy_out", out, strata::unfold_copy(x, dim, size, step));
}
inline Tensor& uniform_out(Tensor& out, const Tensor& self, double from = 0, double to = 1) {
  return detail::write_out("uniform_out", out, strata::uniform(self, from, to));
}
inline Tensor& unsqueeze_copy_out(Tensor& out, const Tensor& x, int64_t dim) {
  return detail::write_out("unsqueeze_copy_out", out, strata::unsqueeze_copy(x, dim));
}
inline Tensor& upsample_bicubic2d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                      std::optional<double> scales_h = {}, std::optional<double> scales_w = {}) {
  return detail::write_out("upsample_bicubic2d_out", out,
                           strata::upsample_bicubic2d(self, size, align_corners, scales_h, scales_w));
}
inline Tensor& upsample_bicubic2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                      std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_bicubic2d_out", out,
                           strata::upsample_bicubic2d(self, size, align_corners, scales));
}
inline Tensor& upsample_bilinear2d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                       std::optional<double> scales_h = {}, std::optional<double> scales_w = {}) {
  return detail::write_out("upsample_bilinear2d_out", out,
                           strata::upsample_bilinear2d(self, size, align_corners, scales_h, scales_w));
}
inline Tensor& upsample_bilinear2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                       std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_bilinear2d_out", out,
                           strata::upsample_bilinear2d(self, size, align_corners, scales));
}
inline Tensor& upsample_linear1d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                     std::optional<double> scales = {}) {
  return detail::write_out("upsample_linear1d_out", out, strata::upsample_linear1d(self, size, align_corners, scales));
}
inline Tensor& upsample_linear1d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                     std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_linear1d_out", out, strata::upsample_linear1d(self, size, align_corners, scales));
}
inline Tensor& upsample_nearest1d_out(Tensor& out, const Tensor& self, IntArrayRef size,
                                      std::optional<double> scales = {}) {
  return detail::write_out("upsample_nearest1d_out", out, strata::upsample_nearest1d(self, size, scales));
}
inline Tensor& upsample_nearest1d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                                      std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_nearest1d_out", out, strata::upsample_nearest1d(self, size, scales));
}
inline Tensor& upsample_nearest2d_out(Tensor& out, const Tensor& self, IntArrayRef size,
                                      std::optional<double> scales_h = {}, std::optional<double> scales_w = {}) {
  return detail::write_out("upsample_nearest2d_out", out, strata::upsample_nearest2d(self, size, scales_h, scales_w));
}
inline Tensor& upsample_nearest2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                                      std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_nearest2d_out", out, strata::upsample_nearest2d(self, size, scales));
}
inline Tensor& upsample_nearest3d_out(Tensor& out, const Tensor& self, IntArrayRef size,
                                      std::optional<double> scales_d = {}, std::optional<double> scales_h = {},
                                      std::optional<double> scales_w = {}) {
  return detail::write_out("upsample_nearest3d_out", out,
                           strata::upsample_nearest3d(self, size, scales_d, scales_h, scales_w));
}
inline Tensor& upsample_nearest3d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                                      std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_nearest3d_out", out, strata::upsample_nearest3d(self, size, scales));
}
inline Tensor& upsample_trilinear3d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                        std::optional<double> scales_d = {}, std::optional<double> scales_h = {},
                                        std::optional<double> scales_w = {}) {
  return detail::write_out("upsample_trilinear3d_out", out,
                           strata::upsample_trilinear3d(self, size, align_corners, scales_d, scales_h, scales_w));
}
inline Tensor& upsample_trilinear3d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                        std::optional<ArrayRef<double>> scales) {
  return detail::write_out("upsample_trilinear3d_out", out,
                           strata::upsample_trilinear3d(self, size, align_corners, scales));
}
inline Tensor& var_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims = std::nullopt,
                       const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false) {
  return detail::write_out("var_out", out, strata::var(x, dims, correction, keepdim));
}
inline Tensor& vdot_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("vdot_out", out, strata::vdot(a, b));
}
inline Tensor& view_as_complex_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("view_as_complex_copy_out", out, strata::view_as_complex_copy(x));
}
inline Tensor& view_as_real_copy_out(Tensor& out, const Tensor& x) {
  return detail::write_out("view_as_real_copy_out", out, strata::view_as_real_copy(x));
}
inline Tensor& view_copy_out(Tensor& out, const Tensor& x, IntArrayRef sizes) {
  return detail::write_out("view_copy_out", out, strata::view_copy(x, sizes));
}
inline Tensor& vstack_out(Tensor& out, TensorList tensors) {
  return detail::write_out("vstack_out", out, strata::vstack(tensors));
}
inline Tensor& where_out(Tensor& out, const Tensor& condition, const Scalar& a, const Scalar& b) {
  return detail::write_out("where_out", out, strata::where(condition, a, b));
}
inline Tensor& where_out(Tensor& out, const Tensor& condition, const Scalar& a, const Tensor& b) {
  return detail::write_out("where_out", out, strata::where(condition, a, b));
}
inline Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& a, const Scalar& b) {
  return detail::write_out("where_out", out, strata::where(condition, a, b));
}
inline Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& a, const Tensor& b) {
  return detail::write_out("where_out", out, strata::where(condition, a, b));
}
inline Tensor& xlogy_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("xlogy_out", out, strata::xlogy(a, b));
}
inline Tensor& xlogy_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("xlogy_out", out, strata::xlogy(a, b));
}
inline Tensor& xlogy_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("xlogy_out", out, strata::xlogy(a, b));
}
inline Tensor& zero_out(Tensor& out, const Tensor& self) {
  return detail::write_out("zero_out", out, strata::zero(self));
}
inline Tensor& zeros_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format = std::nullopt) {
  return detail::write_out("zeros_like_out", out, strata::zeros_like(x, out.options(), memory_format));
}
inline Tensor& zeros_out(Tensor& out, IntArrayRef sizes) {
  return detail::write_out("zeros_out", out, strata::zeros(sizes, out.options()));
}
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_out(
    Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3, const Tensor& A, const Tensor& B,
    std::optional<double> rcond = std::nullopt, std::optional<std::string_view> driver = std::nullopt) {
  return detail::write_out("linalg_lstsq_out", std::tie(out0, out1, out2, out3),
                           strata::linalg_lstsq(A, B, rcond, driver));
}
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_ldl_factor_ex_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                      const Tensor& A, bool hermitian = false,
                                                                      bool check_errors = false) {
  return detail::write_out("linalg_ldl_factor_ex_out", std::tie(out0, out1, out2),
                           strata::linalg_ldl_factor_ex(A, hermitian, check_errors));
}
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_factor_ex_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                     const Tensor& A, bool pivot = true,
                                                                     bool check_errors = false) {
  return detail::write_out("linalg_lu_factor_ex_out", std::tie(out0, out1, out2),
                           strata::linalg_lu_factor_ex(A, pivot, check_errors));
}
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                           bool pivot = true) {
  return detail::write_out("linalg_lu_out", std::tie(out0, out1, out2), strata::linalg_lu(A, pivot));
}
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                            bool full_matrices = true,
                                                            std::optional<std::string_view> driver = std::nullopt) {
  return detail::write_out("linalg_svd_out", std::tie(out0, out1, out2), strata::linalg_svd(A, full_matrices, driver));
}
inline std::tuple<Tensor&, Tensor&, Tensor&> lu_unpack_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& LU,
                                                           const Tensor& pivots, bool unpack_data = true,
                                                           bool unpack_pivots = true) {
  return detail::write_out("lu_unpack_out", std::tie(out0, out1, out2),
                           strata::lu_unpack(LU, pivots, unpack_data, unpack_pivots));
}
inline std::tuple<Tensor&, Tensor&, Tensor&> svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                     bool some = true, bool compute_uv = true) {
  return detail::write_out("svd_out", std::tie(out0, out1, out2), strata::svd(A, some, compute_uv));
}
inline std::tuple<Tensor&, Tensor&, Tensor&> unique_consecutive_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                    const Tensor& x, bool return_inverse = false,
                                                                    bool return_counts = false,
                                                                    std::optional<int64_t> dim = std::nullopt) {
  return detail::write_out("unique_consecutive_out", std::tie(out0, out1, out2),
                           strata::unique_consecutive(x, return_inverse, return_counts, dim));
}
inline std::tuple<Tensor&, Tensor&, Tensor&> unique_dim_consecutive_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                        const Tensor& x, int64_t dim,
                                                                        bool return_inverse = false,
                                                                        bool return_counts = false) {
  return detail::write_out("unique_dim_consecutive_out", std::tie(out0, out1, out2),
                           strata::unique_dim_consecutive(x, dim, return_inverse, return_counts));
}
inline std::tuple<Tensor&, Tensor&, Tensor&> unique_dim_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& x,
                                                            int64_t dim, bool sorted = true,
                                                            bool return_inverse = false, bool return_counts = false) {
  return detail::write_out("unique_dim_out", std::tie(out0, out1, out2),
                           strata::unique_dim(x, dim, sorted, return_inverse, return_counts));
}
inline std::tuple<Tensor&, Tensor&> adaptive_max_pool2d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                            IntArrayRef output_size) {
  return detail::write_out("adaptive_max_pool2d_out", std::tie(out0, out1),
                           strata::adaptive_max_pool2d(input, output_size));
}
inline std::tuple<Tensor&, Tensor&> adaptive_max_pool3d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                            IntArrayRef output_size) {
  return detail::write_out("adaptive_max_pool3d_out", std::tie(out0, out1),
                           strata::adaptive_max_pool3d(input, output_size));
}
inline std::tuple<Tensor&, Tensor&> aminmax_out(Tensor& out0, Tensor& out1, const Tensor& x,
                                                std::optional<int64_t> dim = std::nullopt, bool keepdim = false) {
  return detail::write_out("aminmax_out", std::tie(out0, out1), strata::aminmax(x, dim, keepdim));
}
inline std::tuple<Tensor&, Tensor&> cummax_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim) {
  return detail::write_out("cummax_out", std::tie(out0, out1), strata::cummax(x, dim));
}
inline std::tuple<Tensor&, Tensor&> cummin_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim) {
  return detail::write_out("cummin_out", std::tie(out0, out1), strata::cummin(x, dim));
}
inline std::tuple<Tensor&, Tensor&> fractional_max_pool2d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                              IntArrayRef kernel_size, IntArrayRef output_size,
                                                              const Tensor& random_samples) {
  return detail::write_out("fractional_max_pool2d_out", std::tie(out0, out1),
                           strata::fractional_max_pool2d(input, kernel_size, output_size, random_samples));
}
inline std::tuple<Tensor&, Tensor&> fractional_max_pool3d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                              IntArrayRef kernel_size, IntArrayRef output_size,
                                                              const Tensor& random_samples) {
  return detail::write_out("fractional_max_pool3d_out", std::tie(out0, out1),
                           strata::fractional_max_pool3d(input, kernel_size, output_size, random_samples));
}
inline std::tuple<Tensor&, Tensor&> frexp_out(Tensor& out0, Tensor& out1, const Tensor& x) {
  return detail::write_out("frexp_out", std::tie(out0, out1), strata::frexp(x));
}
inline std::tuple<Tensor&, Tensor&> geqrf_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return detail::write_out("geqrf_out", std::tie(out0, out1), strata::geqrf(A));
}
inline std::tuple<Tensor&, Tensor&> histogram_out(Tensor& out0, Tensor& out1, const Tensor& x, const Tensor& edges,
                                                  OptionalTensorRef weight = {}, bool density = false) {
  return detail::write_out("histogram_out", std::tie(out0, out1), strata::histogram(x, edges, weight, density));
}
inline std::tuple<Tensor&, Tensor&> histogram_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t bins = 100,
                                                  std::optional<ArrayRef<double>> range = std::nullopt,
                                                  OptionalTensorRef weight = {}, bool density = false) {
  return detail::write_out("histogram_out", std::tie(out0, out1), strata::histogram(x, bins, range, weight, density));
}
inline std::tuple<Tensor&, Tensor&> kthvalue_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t k,
                                                 int64_t dim = -1, bool keepdim = false) {
  return detail::write_out("kthvalue_out", std::tie(out0, out1), strata::kthvalue(x, k, dim, keepdim));
}
inline std::tuple<Tensor&, Tensor&> linalg_cholesky_ex_out(Tensor& out0, Tensor& out1, const Tensor& A,
                                                           bool upper = false, bool check_errors = false) {
  return detail::write_out("linalg_cholesky_ex_out", std::tie(out0, out1),
                           strata::linalg_cholesky_ex(A, upper, check_errors));
}
inline std::tuple<Tensor&, Tensor&> linalg_eig_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return detail::write_out("linalg_eig_out", std::tie(out0, out1), strata::linalg_eig(A));
}
inline std::tuple<Tensor&, Tensor&> linalg_eigh_out(Tensor& out0, Tensor& out1, const Tensor& A,
                                                    std::string_view UPLO = "L") {
  return detail::write_out("linalg_eigh_out", std::tie(out0, out1), strata::linalg_eigh(A, UPLO));
}
inline std::tuple<Tensor&, Tensor&> linalg_inv_ex_out(Tensor& out0, Tensor& out1, const Tensor& A,
                                                      bool check_errors = false) {
  return detail::write_out("linalg_inv_ex_out", std::tie(out0, out1), strata::linalg_inv_ex(A, check_errors));
}
inline std::tuple<Tensor&, Tensor&> linalg_ldl_factor_out(Tensor& out0, Tensor& out1, const Tensor& A,
                                                          bool hermitian = false) {
  return detail::write_out("linalg_ldl_factor_out", std::tie(out0, out1), strata::linalg_ldl_factor(A, hermitian));
}
inline std::tuple<Tensor&, Tensor&> linalg_lu_factor_out(Tensor& out0, Tensor& out1, const Tensor& A,
                                                         bool pivot = true) {
  return detail::write_out("linalg_lu_factor_out", std::tie(out0, out1), strata::linalg_lu_factor(A, pivot));
}
inline std::tuple<Tensor&, Tensor&> linalg_polar_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return detail::write_out("linalg_polar_out", std::tie(out0, out1), strata::linalg_polar(A));
}
inline std::tuple<Tensor&, Tensor&> linalg_qr_out(Tensor& out0, Tensor& out1, const Tensor& A,
                                                  std::string_view mode = "reduced") {
  return detail::write_out("linalg_qr_out", std::tie(out0, out1), strata::linalg_qr(A, mode));
}
inline std::tuple<Tensor&, Tensor&> linalg_slogdet_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return detail::write_out("linalg_slogdet_out", std::tie(out0, out1), strata::linalg_slogdet(A));
}
inline std::tuple<Tensor&, Tensor&> linalg_solve_ex_out(Tensor& out0, Tensor& out1, const Tensor& A, const Tensor& B,
                                                        bool left = true, bool check_errors = false) {
  return detail::write_out("linalg_solve_ex_out", std::tie(out0, out1),
                           strata::linalg_solve_ex(A, B, left, check_errors));
}
inline std::tuple<Tensor&, Tensor&> max_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim,
                                            bool keepdim = false) {
  return detail::write_out("max_out", std::tie(out0, out1), strata::max(x, dim, keepdim));
}
inline std::tuple<Tensor&, Tensor&> max_pool2d_with_indices_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                                IntArrayRef kernel_size, IntArrayRef stride = {},
                                                                IntArrayRef padding = 0, IntArrayRef dilation = 1,
                                                                bool ceil_mode = false) {
  return detail::write_out("max_pool2d_with_indices_out", std::tie(out0, out1),
                           strata::max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode));
}
inline std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                                IntArrayRef kernel_size, IntArrayRef stride = {},
                                                                IntArrayRef padding = 0, IntArrayRef dilation = 1,
                                                                bool ceil_mode = false) {
  return detail::write_out("max_pool3d_with_indices_out", std::tie(out0, out1),
                           strata::max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode));
}
inline std::tuple<Tensor&, Tensor&> median_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim,
                                               bool keepdim = false) {
  return detail::write_out("median_out", std::tie(out0, out1), strata::median(x, dim, keepdim));
}
inline std::tuple<Tensor&, Tensor&> min_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim,
                                            bool keepdim = false) {
  return detail::write_out("min_out", std::tie(out0, out1), strata::min(x, dim, keepdim));
}
inline std::tuple<Tensor&, Tensor&> mode_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim = -1,
                                             bool keepdim = false) {
  return detail::write_out("mode_out", std::tie(out0, out1), strata::mode(x, dim, keepdim));
}
inline std::tuple<Tensor&, Tensor&> nanmedian_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim,
                                                  bool keepdim = false) {
  return detail::write_out("nanmedian_out", std::tie(out0, out1), strata::nanmedian(x, dim, keepdim));
}
inline std::tuple<Tensor&, Tensor&> slogdet_out(Tensor& out0, Tensor& out1, const Tensor& A) {
  return detail::write_out("slogdet_out", std::tie(out0, out1), strata::slogdet(A));
}
inline std::tuple<Tensor&, Tensor&> sort_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim = -1,
                                             bool descending = false) {
  return detail::write_out("sort_out", std::tie(out0, out1), strata::sort(x, dim, descending));
}
inline std::tuple<Tensor&, Tensor&> sort_out(Tensor& out0, Tensor& out1, const Tensor& x, std::optional<bool> stable,
                                             int64_t dim = -1, bool descending = false) {
  return detail::write_out("sort_out", std::tie(out0, out1), strata::sort(x, stable, dim, descending));
}
inline std::tuple<Tensor&, Tensor&> std_mean_out(Tensor& out0, Tensor& out1, const Tensor& x,
                                                 OptionalIntArrayRef dims = std::nullopt,
                                                 const std::optional<Scalar>& correction = std::nullopt,
                                                 bool keepdim = false) {
  return detail::write_out("std_mean_out", std::tie(out0, out1), strata::std_mean(x, dims, correction, keepdim));
}
inline std::tuple<Tensor&, Tensor&> topk_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t k, int64_t dim = -1,
                                             bool largest = true, bool sorted = true) {
  return detail::write_out("topk_out", std::tie(out0, out1), strata::topk(x, k, dim, largest, sorted));
}
inline std::tuple<Tensor&, Tensor&> triangular_solve_out(Tensor& out0, Tensor& out1, const Tensor& B, const Tensor& A,
                                                         bool upper = true, bool transpose = false,
                                                         bool unitriangular = false) {
  return detail::write_out("triangular_solve_out", std::tie(out0, out1),
                           strata::triangular_solve(B, A, upper, transpose, unitriangular));
}
inline std::tuple<Tensor&, Tensor&> var_mean_out(Tensor& out0, Tensor& out1, const Tensor& x,
                                                 OptionalIntArrayRef dims = std::nullopt,
                                                 const std::optional<Scalar>& correction = std::nullopt,
                                                 bool keepdim = false) {
  return detail::write_out("var_mean_out", std::tie(out0, out1), strata::var_mean(x, dims, correction, keepdim));
}
namespace special {
inline Tensor& airy_ai_out(Tensor& out, const Tensor& x) {
  return detail::write_out("airy_ai_out", out, strata::special::airy_ai(x));
}
inline Tensor& bessel_j0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("bessel_j0_out", out, strata::special::bessel_j0(x));
}
inline Tensor& bessel_j1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("bessel_j1_out", out, strata::special::bessel_j1(x));
}
inline Tensor& bessel_y0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("bessel_y0_out", out, strata::special::bessel_y0(x));
}
inline Tensor& bessel_y1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("bessel_y1_out", out, strata::special::bessel_y1(x));
}
inline Tensor& chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_t_out", out, strata::special::chebyshev_polynomial_t(x, n));
}
inline Tensor& chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("chebyshev_polynomial_t_out", out, strata::special::chebyshev_polynomial_t(x, n));
}
inline Tensor& chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_t_out", out, strata::special::chebyshev_polynomial_t(x, n));
}
inline Tensor& chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_u_out", out, strata::special::chebyshev_polynomial_u(x, n));
}
inline Tensor& chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("chebyshev_polynomial_u_out", out, strata::special::chebyshev_polynomial_u(x, n));
}
inline Tensor& chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_u_out", out, strata::special::chebyshev_polynomial_u(x, n));
}
inline Tensor& chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_v_out", out, strata::special::chebyshev_polynomial_v(x, n));
}
inline Tensor& chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("chebyshev_polynomial_v_out", out, strata::special::chebyshev_polynomial_v(x, n));
}
inline Tensor& chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_v_out", out, strata::special::chebyshev_polynomial_v(x, n));
}
inline Tensor& chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_w_out", out, strata::special::chebyshev_polynomial_w(x, n));
}
inline Tensor& chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("chebyshev_polynomial_w_out", out, strata::special::chebyshev_polynomial_w(x, n));
}
inline Tensor& chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("chebyshev_polynomial_w_out", out, strata::special::chebyshev_polynomial_w(x, n));
}
inline Tensor& entr_out(Tensor& out, const Tensor& x) {
  return detail::write_out("entr_out", out, strata::special::entr(x));
}
inline Tensor& erfcx_out(Tensor& out, const Tensor& x) {
  return detail::write_out("erfcx_out", out, strata::special::erfcx(x));
}
inline Tensor& expit_out(Tensor& out, const Tensor& x) {
  return detail::write_out("expit_out", out, strata::special::expit(x));
}
inline Tensor& gammainc_out(Tensor& out, const Tensor& a, const Tensor& x) {
  return detail::write_out("gammainc_out", out, strata::special::gammainc(a, x));
}
inline Tensor& gammaincc_out(Tensor& out, const Tensor& a, const Tensor& x) {
  return detail::write_out("gammaincc_out", out, strata::special::gammaincc(a, x));
}
inline Tensor& gammaln_out(Tensor& out, const Tensor& x) {
  return detail::write_out("gammaln_out", out, strata::special::gammaln(x));
}
inline Tensor& hermite_polynomial_h_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("hermite_polynomial_h_out", out, strata::special::hermite_polynomial_h(x, n));
}
inline Tensor& hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("hermite_polynomial_h_out", out, strata::special::hermite_polynomial_h(x, n));
}
inline Tensor& hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("hermite_polynomial_h_out", out, strata::special::hermite_polynomial_h(x, n));
}
inline Tensor& hermite_polynomial_he_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("hermite_polynomial_he_out", out, strata::special::hermite_polynomial_he(x, n));
}
inline Tensor& hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("hermite_polynomial_he_out", out, strata::special::hermite_polynomial_he(x, n));
}
inline Tensor& hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("hermite_polynomial_he_out", out, strata::special::hermite_polynomial_he(x, n));
}
inline Tensor& i0e_out(Tensor& out, const Tensor& x) {
  return detail::write_out("i0e_out", out, strata::special::i0e(x));
}
inline Tensor& i1_out(Tensor& out, const Tensor& x) { return detail::write_out("i1_out", out, strata::special::i1(x)); }
inline Tensor& i1e_out(Tensor& out, const Tensor& x) {
  return detail::write_out("i1e_out", out, strata::special::i1e(x));
}
inline Tensor& laguerre_polynomial_l_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("laguerre_polynomial_l_out", out, strata::special::laguerre_polynomial_l(x, n));
}
inline Tensor& laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("laguerre_polynomial_l_out", out, strata::special::laguerre_polynomial_l(x, n));
}
inline Tensor& laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("laguerre_polynomial_l_out", out, strata::special::laguerre_polynomial_l(x, n));
}
inline Tensor& legendre_polynomial_p_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("legendre_polynomial_p_out", out, strata::special::legendre_polynomial_p(x, n));
}
inline Tensor& legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("legendre_polynomial_p_out", out, strata::special::legendre_polynomial_p(x, n));
}
inline Tensor& legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("legendre_polynomial_p_out", out, strata::special::legendre_polynomial_p(x, n));
}
inline Tensor& log_ndtr_out(Tensor& out, const Tensor& x) {
  return detail::write_out("log_ndtr_out", out, strata::special::log_ndtr(x));
}
inline Tensor& modified_bessel_i0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("modified_bessel_i0_out", out, strata::special::modified_bessel_i0(x));
}
inline Tensor& modified_bessel_i1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("modified_bessel_i1_out", out, strata::special::modified_bessel_i1(x));
}
inline Tensor& modified_bessel_k0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("modified_bessel_k0_out", out, strata::special::modified_bessel_k0(x));
}
inline Tensor& modified_bessel_k1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("modified_bessel_k1_out", out, strata::special::modified_bessel_k1(x));
}
inline Tensor& multigammaln_out(Tensor& out, const Tensor& x, int64_t p) {
  return detail::write_out("multigammaln_out", out, strata::special::multigammaln(x, p));
}
inline Tensor& ndtr_out(Tensor& out, const Tensor& x) {
  return detail::write_out("ndtr_out", out, strata::special::ndtr(x));
}
inline Tensor& ndtri_out(Tensor& out, const Tensor& x) {
  return detail::write_out("ndtri_out", out, strata::special::ndtri(x));
}
inline Tensor& psi_out(Tensor& out, const Tensor& x) {
  return detail::write_out("psi_out", out, strata::special::psi(x));
}
inline Tensor& scaled_modified_bessel_k0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("scaled_modified_bessel_k0_out", out, strata::special::scaled_modified_bessel_k0(x));
}
inline Tensor& scaled_modified_bessel_k1_out(Tensor& out, const Tensor& x) {
  return detail::write_out("scaled_modified_bessel_k1_out", out, strata::special::scaled_modified_bessel_k1(x));
}
inline Tensor& shifted_chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_t_out", out,
                           strata::special::shifted_chebyshev_polynomial_t(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("shifted_chebyshev_polynomial_t_out", out,
                           strata::special::shifted_chebyshev_polynomial_t(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_t_out", out,
                           strata::special::shifted_chebyshev_polynomial_t(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_u_out", out,
                           strata::special::shifted_chebyshev_polynomial_u(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("shifted_chebyshev_polynomial_u_out", out,
                           strata::special::shifted_chebyshev_polynomial_u(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_u_out", out,
                           strata::special::shifted_chebyshev_polynomial_u(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_v_out", out,
                           strata::special::shifted_chebyshev_polynomial_v(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("shifted_chebyshev_polynomial_v_out", out,
                           strata::special::shifted_chebyshev_polynomial_v(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_v_out", out,
                           strata::special::shifted_chebyshev_polynomial_v(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_w_out", out,
                           strata::special::shifted_chebyshev_polynomial_w(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n) {
  return detail::write_out("shifted_chebyshev_polynomial_w_out", out,
                           strata::special::shifted_chebyshev_polynomial_w(x, n));
}
inline Tensor& shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n) {
  return detail::write_out("shifted_chebyshev_polynomial_w_out", out,
                           strata::special::shifted_chebyshev_polynomial_w(x, n));
}
inline Tensor& spherical_bessel_j0_out(Tensor& out, const Tensor& x) {
  return detail::write_out("spherical_bessel_j0_out", out, strata::special::spherical_bessel_j0(x));
}
inline Tensor& xlog1py_out(Tensor& out, const Scalar& a, const Tensor& b) {
  return detail::write_out("xlog1py_out", out, strata::special::xlog1py(a, b));
}
inline Tensor& xlog1py_out(Tensor& out, const Tensor& a, const Scalar& b) {
  return detail::write_out("xlog1py_out", out, strata::special::xlog1py(a, b));
}
inline Tensor& xlog1py_out(Tensor& out, const Tensor& a, const Tensor& b) {
  return detail::write_out("xlog1py_out", out, strata::special::xlog1py(a, b));
}
inline Tensor& zeta_out(Tensor& out, const Scalar& x, const Tensor& q) {
  return detail::write_out("zeta_out", out, strata::special::zeta(x, q));
}
inline Tensor& zeta_out(Tensor& out, const Tensor& x, const Scalar& q) {
  return detail::write_out("zeta_out", out, strata::special::zeta(x, q));
}
inline Tensor& zeta_out(Tensor& out, const Tensor& x, const Tensor& q) {
  return detail::write_out("zeta_out", out, strata::special::zeta(x, q));
}
using strata::digamma_out;
using strata::erf_out;
using strata::erfc_out;
using strata::erfinv_out;
using strata::exp2_out;
using strata::expm1_out;
using strata::i0_out;
using strata::log1p_out;
using strata::logit_out;
using strata::logsumexp_out;
using strata::polygamma_out;
using strata::round_out;
using strata::sinc_out;
using strata::xlogy_out;
}  // namespace special
inline Tensor special_airy_ai(const Tensor& x) { return strata::special::airy_ai(x); }
inline Tensor special_bessel_j0(const Tensor& x) { return strata::special::bessel_j0(x); }
inline Tensor special_bessel_j1(const Tensor& x) { return strata::special::bessel_j1(x); }
inline Tensor special_bessel_y0(const Tensor& x) { return strata::special::bessel_y0(x); }
inline Tensor special_bessel_y1(const Tensor& x) { return strata::special::bessel_y1(x); }
inline Tensor special_chebyshev_polynomial_t(const Scalar& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_t(x, n);
}
inline Tensor special_chebyshev_polynomial_t(const Tensor& x, const Scalar& n) {
  return strata::special::chebyshev_polynomial_t(x, n);
}
inline Tensor special_chebyshev_polynomial_t(const Tensor& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_t(x, n);
}
inline Tensor special_chebyshev_polynomial_u(const Scalar& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_u(x, n);
}
inline Tensor special_chebyshev_polynomial_u(const Tensor& x, const Scalar& n) {
  return strata::special::chebyshev_polynomial_u(x, n);
}
inline Tensor special_chebyshev_polynomial_u(const Tensor& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_u(x, n);
}
inline Tensor special_chebyshev_polynomial_v(const Scalar& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_v(x, n);
}
inline Tensor special_chebyshev_polynomial_v(const Tensor& x, const Scalar& n) {
  return strata::special::chebyshev_polynomial_v(x, n);
}
inline Tensor special_chebyshev_polynomial_v(const Tensor& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_v(x, n);
}
inline Tensor special_chebyshev_polynomial_w(const Scalar& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_w(x, n);
}
inline Tensor special_chebyshev_polynomial_w(const Tensor& x, const Scalar& n) {
  return strata::special::chebyshev_polynomial_w(x, n);
}
inline Tensor special_chebyshev_polynomial_w(const Tensor& x, const Tensor& n) {
  return strata::special::chebyshev_polynomial_w(x, n);
}
inline Tensor special_digamma(const Tensor& x) { return strata::special::digamma(x); }
inline Tensor special_entr(const Tensor& x) { return strata::special::entr(x); }
inline Tensor special_erf(const Tensor& x) { return strata::special::erf(x); }
inline Tensor special_erfc(const Tensor& x) { return strata::special::erfc(x); }
inline Tensor special_erfcx(const Tensor& x) { return strata::special::erfcx(x); }
inline Tensor special_erfinv(const Tensor& x) { return strata::special::erfinv(x); }
inline Tensor special_exp2(const Tensor& x) { return strata::special::exp2(x); }
inline Tensor special_expit(const Tensor& x) { return strata::special::expit(x); }
inline Tensor special_expm1(const Tensor& x) { return strata::special::expm1(x); }
inline Tensor special_gammainc(const Tensor& a, const Tensor& x) { return strata::special::gammainc(a, x); }
inline Tensor special_gammaincc(const Tensor& a, const Tensor& x) { return strata::special::gammaincc(a, x); }
inline Tensor special_gammaln(const Tensor& x) { return strata::special::gammaln(x); }
inline Tensor special_hermite_polynomial_h(const Scalar& x, const Tensor& n) {
  return strata::special::hermite_polynomial_h(x, n);
}
inline Tensor special_hermite_polynomial_h(const Tensor& x, const Scalar& n) {
  return strata::special::hermite_polynomial_h(x, n);
}
inline Tensor special_hermite_polynomial_h(const Tensor& x, const Tensor& n) {
  return strata::special::hermite_polynomial_h(x, n);
}
inline Tensor special_hermite_polynomial_he(const Scalar& x, const Tensor& n) {
  return strata::special::hermite_polynomial_he(x, n);
}
inline Tensor special_hermite_polynomial_he(const Tensor& x, const Scalar& n) {
  return strata::special::hermite_polynomial_he(x, n);
}
inline Tensor special_hermite_polynomial_he(const Tensor& x, const Tensor& n) {
  return strata::special::hermite_polynomial_he(x, n);
}
inline Tensor special_i0(const Tensor& x) { return strata::special::i0(x); }
inline Tensor special_i0e(const Tensor& x) { return strata::special::i0e(x); }
inline Tensor special_i1(const Tensor& x) { return strata::special::i1(x); }
inline Tensor special_i1e(const Tensor& x) { return strata::special::i1e(x); }
inline Tensor special_laguerre_polynomial_l(const Scalar& x, const Tensor& n) {
  return strata::special::laguerre_polynomial_l(x, n);
}
inline Tensor special_laguerre_polynomial_l(const Tensor& x, const Scalar& n) {
  return strata::special::laguerre_polynomial_l(x, n);
}
inline Tensor special_laguerre_polynomial_l(const Tensor& x, const Tensor& n) {
  return strata::special::laguerre_polynomial_l(x, n);
}
inline Tensor special_legendre_polynomial_p(const Scalar& x, const Tensor& n) {
  return strata::special::legendre_polynomial_p(x, n);
}
inline Tensor special_legendre_polynomial_p(const Tensor& x, const Scalar& n) {
  return strata::special::legendre_polynomial_p(x, n);
}
inline Tensor special_legendre_polynomial_p(const Tensor& x, const Tensor& n) {
  return strata::special::legendre_polynomial_p(x, n);
}
inline Tensor special_log1p(const Tensor& x) { return strata::special::log1p(x); }
inline Tensor special_log_ndtr(const Tensor& x) { return strata::special::log_ndtr(x); }
inline Tensor special_log_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt) {
  return strata::special::log_softmax(x, dim, dtype);
}
inline Tensor special_logit(const Tensor& x, std::optional<double> eps = std::nullopt) {
  return strata::special::logit(x, eps);
}
inline Tensor special_logsumexp(const Tensor& x, IntArrayRef dims, bool keepdim = false) {
  return strata::special::logsumexp(x, dims, keepdim);
}
inline Tensor special_modified_bessel_i0(const Tensor& x) { return strata::special::modified_bessel_i0(x); }
inline Tensor special_modified_bessel_i1(const Tensor& x) { return strata::special::modified_bessel_i1(x); }
inline Tensor special_modified_bessel_k0(const Tensor& x) { return strata::special::modified_bessel_k0(x); }
inline Tensor special_modified_bessel_k1(const Tensor& x) { return strata::special::modified_bessel_k1(x); }
inline Tensor special_multigammaln(const Tensor& x, int64_t p) { return strata::special::multigammaln(x, p); }
inline Tensor special_ndtr(const Tensor& x) { return strata::special::ndtr(x); }
inline Tensor special_ndtri(const Tensor& x) { return strata::special::ndtri(x); }
inline Tensor special_polygamma(int64_t n, const Tensor& x) { return strata::special::polygamma(n, x); }
inline Tensor special_psi(const Tensor& x) { return strata::special::psi(x); }
inline Tensor special_round(const Tensor& x) { return strata::special::round(x); }
inline Tensor special_round(const Tensor& x, int64_t decimals) { return strata::special::round(x, decimals); }
inline Tensor special_scaled_modified_bessel_k0(const Tensor& x) {
  return strata::special::scaled_modified_bessel_k0(x);
}
inline Tensor special_scaled_modified_bessel_k1(const Tensor& x) {
  return strata::special::scaled_modified_bessel_k1(x);
}
inline Tensor special_shifted_chebyshev_polynomial_t(const Scalar& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_t(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_t(const Tensor& x, const Scalar& n) {
  return strata::special::shifted_chebyshev_polynomial_t(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_t(const Tensor& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_t(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_u(const Scalar& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_u(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_u(const Tensor& x, const Scalar& n) {
  return strata::special::shifted_chebyshev_polynomial_u(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_u(const Tensor& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_u(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_v(const Scalar& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_v(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_v(const Tensor& x, const Scalar& n) {
  return strata::special::shifted_chebyshev_polynomial_v(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_v(const Tensor& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_v(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_w(const Scalar& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_w(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_w(const Tensor& x, const Scalar& n) {
  return strata::special::shifted_chebyshev_polynomial_w(x, n);
}
inline Tensor special_shifted_chebyshev_polynomial_w(const Tensor& x, const Tensor& n) {
  return strata::special::shifted_chebyshev_polynomial_w(x, n);
}
inline Tensor special_sinc(const Tensor& x) { return strata::special::sinc(x); }
inline Tensor special_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt) {
  return strata::special::softmax(x, dim, dtype);
}
inline Tensor special_spherical_bessel_j0(const Tensor& x) { return strata::special::spherical_bessel_j0(x); }
inline Tensor special_xlog1py(const Scalar& a, const Tensor& b) { return strata::special::xlog1py(a, b); }
inline Tensor special_xlog1py(const Tensor& a, const Scalar& b) { return strata::special::xlog1py(a, b); }
inline Tensor special_xlog1py(const Tensor& a, const Tensor& b) { return strata::special::xlog1py(a, b); }
inline Tensor special_xlogy(const Scalar& a, const Tensor& b) { return strata::special::xlogy(a, b); }
inline Tensor special_xlogy(const Tensor& a, const Scalar& b) { return strata::special::xlogy(a, b); }
inline Tensor special_xlogy(const Tensor& a, const Tensor& b) { return strata::special::xlogy(a, b); }
inline Tensor special_zeta(const Scalar& x, const Tensor& q) { return strata::special::zeta(x, q); }
inline Tensor special_zeta(const Tensor& x, const Scalar& q) { return strata::special::zeta(x, q); }
inline Tensor special_zeta(const Tensor& x, const Tensor& q) { return strata::special::zeta(x, q); }
inline Tensor fft_fft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                      fft::Norm norm = std::nullopt) {
  return strata::fft::fft(x, n, dim, norm);
}
inline Tensor fft_fft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                       fft::Norm norm = std::nullopt) {
  return strata::fft::fft2(x, s, dim, norm);
}
inline Tensor fft_fftfreq(int64_t n, const TensorOptions& options = {}) { return strata::fft::fftfreq(n, options); }
inline Tensor fft_fftfreq(int64_t n, double d, const TensorOptions& options = {}) {
  return strata::fft::fftfreq(n, d, options);
}
inline Tensor fft_fftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                       fft::Norm norm = std::nullopt) {
  return strata::fft::fftn(x, s, dim, norm);
}
inline Tensor fft_fftshift(const Tensor& x, OptionalIntArrayRef dim = {}) { return strata::fft::fftshift(x, dim); }
inline Tensor fft_hfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                       fft::Norm norm = std::nullopt) {
  return strata::fft::hfft(x, n, dim, norm);
}
inline Tensor fft_hfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                        fft::Norm norm = std::nullopt) {
  return strata::fft::hfft2(x, s, dim, norm);
}
inline Tensor fft_hfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                        fft::Norm norm = std::nullopt) {
  return strata::fft::hfftn(x, s, dim, norm);
}
inline Tensor fft_ifft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                       fft::Norm norm = std::nullopt) {
  return strata::fft::ifft(x, n, dim, norm);
}
inline Tensor fft_ifft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                        fft::Norm norm = std::nullopt) {
  return strata::fft::ifft2(x, s, dim, norm);
}
inline Tensor fft_ifftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                        fft::Norm norm = std::nullopt) {
  return strata::fft::ifftn(x, s, dim, norm);
}
inline Tensor fft_ifftshift(const Tensor& x, OptionalIntArrayRef dim = {}) { return strata::fft::ifftshift(x, dim); }
inline Tensor fft_ihfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                        fft::Norm norm = std::nullopt) {
  return strata::fft::ihfft(x, n, dim, norm);
}
inline Tensor fft_ihfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                         fft::Norm norm = std::nullopt) {
  return strata::fft::ihfft2(x, s, dim, norm);
}
inline Tensor fft_ihfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                         fft::Norm norm = std::nullopt) {
  return strata::fft::ihfftn(x, s, dim, norm);
}
inline Tensor fft_irfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                        fft::Norm norm = std::nullopt) {
  return strata::fft::irfft(x, n, dim, norm);
}
inline Tensor fft_irfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                         fft::Norm norm = std::nullopt) {
  return strata::fft::irfft2(x, s, dim, norm);
}
inline Tensor fft_irfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                         fft::Norm norm = std::nullopt) {
  return strata::fft::irfftn(x, s, dim, norm);
}
inline Tensor fft_rfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                       fft::Norm norm = std::nullopt) {
  return strata::fft::rfft(x, n, dim, norm);
}
inline Tensor fft_rfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                        fft::Norm norm = std::nullopt) {
  return strata::fft::rfft2(x, s, dim, norm);
}
inline Tensor fft_rfftfreq(int64_t n, const TensorOptions& options = {}) { return strata::fft::rfftfreq(n, options); }
inline Tensor fft_rfftfreq(int64_t n, double d, const TensorOptions& options = {}) {
  return strata::fft::rfftfreq(n, d, options);
}
inline Tensor fft_rfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                        fft::Norm norm = std::nullopt) {
  return strata::fft::rfftn(x, s, dim, norm);
}
}  // namespace strata
