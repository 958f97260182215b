// libtorch's functions that end in _outf, made by script/compat-out: those in _out with what is written to behind.
#pragma once
#include "aten.h"
#include "backward.h"
#include "native.h"
#include "out_functions.h"
#include "overloads.h"
#include "underscore.h"

namespace strata {
inline Tensor& __lshift___outf(const Tensor& a, const Scalar& b, Tensor& out) { return __lshift___out(out, a, b); }
inline Tensor& __lshift___outf(const Tensor& a, const Tensor& b, Tensor& out) { return __lshift___out(out, a, b); }
inline Tensor& __rshift___outf(const Tensor& a, const Scalar& b, Tensor& out) { return __rshift___out(out, a, b); }
inline Tensor& __rshift___outf(const Tensor& a, const Tensor& b, Tensor& out) { return __rshift___out(out, a, b); }
inline Tensor& _adaptive_avg_pool2d_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& out) {
  return _adaptive_avg_pool2d_backward_out(out, grad_output, self);
}
inline Tensor& _adaptive_avg_pool2d_outf(const Tensor& self, IntArrayRef output_size, Tensor& out) {
  return _adaptive_avg_pool2d_out(out, self, output_size);
}
inline Tensor& _adaptive_avg_pool3d_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& out) {
  return _adaptive_avg_pool3d_backward_out(out, grad_output, self);
}
inline Tensor& _adaptive_avg_pool3d_outf(const Tensor& self, IntArrayRef output_size, Tensor& out) {
  return _adaptive_avg_pool3d_out(out, self, output_size);
}
inline Tensor& _add_relu_outf(const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  return _add_relu_out(out, self, other, alpha);
}
inline Tensor& _add_relu_outf(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return _add_relu_out(out, self, other, alpha);
}
inline Tensor& _addmm_activation_outf(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                                      const Scalar& alpha, bool use_gelu, Tensor& out) {
  return _addmm_activation_out(out, self, a, b, beta, alpha, use_gelu);
}
inline Tensor& _amp_update_scale_outf(const Tensor& self, Tensor& growth_tracker, const Tensor& found_inf,
                                      double scale_growth_factor, double scale_backoff_factor, int64_t growth_interval,
                                      Tensor& out) {
  return _amp_update_scale_out(out, self, growth_tracker, found_inf, scale_growth_factor, scale_backoff_factor,
                               growth_interval);
}
inline Tensor& _cdist_backward_outf(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p,
                                    const Tensor& cdist, Tensor& out) {
  return _cdist_backward_out(out, grad, x1, x2, p, cdist);
}
inline Tensor& _cholesky_solve_helper_outf(const Tensor& self, const Tensor& A, bool upper, Tensor& out) {
  return _cholesky_solve_helper_out(out, self, A, upper);
}
inline Tensor& _chunk_cat_outf(TensorList tensors, int64_t dim, int64_t num_chunks, Tensor& out) {
  return _chunk_cat_out(out, tensors, dim, num_chunks);
}
inline Tensor& _compute_linear_combination_outf(const Tensor& input, const Tensor& coefficients, Tensor& out) {
  return _compute_linear_combination_out(out, input, coefficients);
}
inline Tensor& _conj_copy_outf(const Tensor& self, Tensor& out) { return _conj_copy_out(out, self); }
inline Tensor& _conj_physical_outf(const Tensor& self, Tensor& out) { return _conj_physical_out(out, self); }
inline Tensor& _conv_depthwise2d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                      OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding,
                                      IntArrayRef dilation, Tensor& out) {
  return _conv_depthwise2d_out(out, self, weight, kernel_size, bias, stride, padding, dilation);
}
inline Tensor& _convolution_outf(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                                 IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                                 int64_t groups, bool benchmark, bool deterministic, bool cudnn_enabled,
                                 bool allow_tf32, Tensor& out) {
  return _convolution_out(out, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups,
                          benchmark, deterministic, cudnn_enabled, allow_tf32);
}
inline Tensor& _copy_from_and_resize_outf(const Tensor& self, const Tensor& dst, Tensor& out) {
  return _copy_from_and_resize_out(out, self, dst);
}
inline Tensor& _copy_from_outf(const Tensor& self, const Tensor& dst, bool non_blocking, Tensor& out) {
  return _copy_from_out(out, self, dst, non_blocking);
}
inline Tensor& _efficientzerotensor_outf(IntArrayRef size, Tensor& out) { return _efficientzerotensor_out(out, size); }
inline Tensor& _embedding_bag_dense_backward_outf(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag,
                                                  const Tensor& bag_size, const Tensor& maximum_indices,
                                                  int64_t num_weights, bool scale_grad_by_freq, int64_t mode,
                                                  OptionalTensorRef per_sample_weights, int64_t padding_idx,
                                                  Tensor& out) {
  return _embedding_bag_dense_backward_out(out, grad, indices, offset2bag, bag_size, maximum_indices, num_weights,
                                           scale_grad_by_freq, mode, per_sample_weights, padding_idx);
}
inline Tensor& _embedding_bag_per_sample_weights_backward_outf(const Tensor& grad, const Tensor& weight,
                                                               const Tensor& indices, const Tensor& offsets,
                                                               const Tensor& offset2bag, int64_t mode,
                                                               int64_t padding_idx, Tensor& out) {
  return _embedding_bag_per_sample_weights_backward_out(out, grad, weight, indices, offsets, offset2bag, mode,
                                                        padding_idx);
}
inline Tensor& _euclidean_dist_outf(const Tensor& x1, const Tensor& x2, Tensor& out) {
  return _euclidean_dist_out(out, x1, x2);
}
inline Tensor& _fft_c2c_outf(const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward, Tensor& out) {
  return _fft_c2c_out(out, self, dim, normalization, forward);
}
inline Tensor& _fft_c2r_outf(const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size,
                             Tensor& out) {
  return _fft_c2r_out(out, self, dim, normalization, last_dim_size);
}
inline Tensor& _fft_r2c_outf(const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided, Tensor& out) {
  return _fft_r2c_out(out, self, dim, normalization, onesided);
}
inline Tensor& _grid_sampler_2d_cpu_fallback_outf(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                                                  int64_t padding_mode, bool align_corners, Tensor& out) {
  return _grid_sampler_2d_cpu_fallback_out(out, input, grid, interpolation_mode, padding_mode, align_corners);
}
inline Tensor& _index_put_impl_outf(const Tensor& self, const List<std::optional<Tensor>>& indices,
                                    const Tensor& values, bool accumulate, bool unsafe, Tensor& out) {
  return _index_put_impl_out(out, self, indices, values, accumulate, unsafe);
}
inline Tensor& _int_mm_outf(const Tensor& self, const Tensor& mat2, Tensor& out) {
  return _int_mm_out(out, self, mat2);
}
inline Tensor& _log_softmax_backward_data_outf(const Tensor& grad_output, const Tensor& output, int64_t dim,
                                               DType input_dtype, Tensor& out) {
  return _log_softmax_backward_data_out(out, grad_output, output, dim, input_dtype);
}
inline Tensor& _log_softmax_outf(const Tensor& self, int64_t dim, bool half_to_float, Tensor& out) {
  return _log_softmax_out(out, self, dim, half_to_float);
}
inline Tensor& _logcumsumexp_outf(const Tensor& self, int64_t dim, Tensor& out) {
  return _logcumsumexp_out(out, self, dim);
}
inline Tensor& _masked_scale_outf(const Tensor& self, const Tensor& mask, double scale, Tensor& out) {
  return _masked_scale_out(out, self, mask, scale);
}
inline Tensor& _masked_softmax_backward_outf(const Tensor& grad_output, const Tensor& output, const Tensor& mask,
                                             std::optional<int64_t> dim, Tensor& out) {
  return _masked_softmax_backward_out(out, grad_output, output, mask, dim);
}
inline Tensor& _masked_softmax_outf(const Tensor& self, const Tensor& mask, std::optional<int64_t> dim,
                                    std::optional<int64_t> mask_type, Tensor& out) {
  return _masked_softmax_out(out, self, mask, dim, mask_type);
}
inline Tensor& _neg_view_copy_outf(const Tensor& self, Tensor& out) { return _neg_view_copy_out(out, self); }
inline Tensor& _pdist_backward_outf(const Tensor& grad, const Tensor& self, double p, const Tensor& pdist,
                                    Tensor& out) {
  return _pdist_backward_out(out, grad, self, p, pdist);
}
inline Tensor& _pin_memory_outf(const Tensor& self, std::optional<Device> device, Tensor& out) {
  return _pin_memory_out(out, self, device);
}
inline Tensor& _reshape_alias_copy_outf(const Tensor& self, IntArrayRef size, IntArrayRef stride, Tensor& out) {
  return _reshape_alias_copy_out(out, self, size, stride);
}
inline Tensor& _resize_output_outf(const Tensor& self, IntArrayRef size, Device device, Tensor& out) {
  return _resize_output_out(out, self, size, device);
}
inline Tensor& _sample_dirichlet_outf(const Tensor& self, OptionalGenerator generator, Tensor& out) {
  return _sample_dirichlet_out(out, self, generator);
}
inline Tensor& _segment_reduce_backward_outf(const Tensor& grad, const Tensor& output, const Tensor& data,
                                             std::string_view reduce, const std::optional<Tensor>& lengths,
                                             const std::optional<Tensor>& offsets, int64_t axis,
                                             const std::optional<Scalar>& initial, Tensor& out) {
  return _segment_reduce_backward_out(out, grad, output, data, reduce, lengths, offsets, axis, initial);
}
inline Tensor& _softmax_backward_data_outf(const Tensor& grad_output, const Tensor& output, int64_t dim,
                                           DType input_dtype, Tensor& out) {
  return _softmax_backward_data_out(out, grad_output, output, dim, input_dtype);
}
inline Tensor& _softmax_outf(const Tensor& self, int64_t dim, bool half_to_float, Tensor& out) {
  return _softmax_out(out, self, dim, half_to_float);
}
inline Tensor& _stack_outf(TensorList tensors, int64_t dim, Tensor& out) { return _stack_out(out, tensors, dim); }
inline Tensor& _standard_gamma_outf(const Tensor& self, OptionalGenerator generator, Tensor& out) {
  return _standard_gamma_out(out, self, generator);
}
inline Tensor& _to_copy_outf(const Tensor& self, bool non_blocking, std::optional<MemoryFormat> memory_format,
                             Tensor& out) {
  return _to_copy_out(out, self, non_blocking, memory_format);
}
inline Tensor& _trilinear_outf(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArrayRef expand1,
                               IntArrayRef expand2, IntArrayRef expand3, IntArrayRef sumdim, int64_t unroll_dim,
                               Tensor& out) {
  return _trilinear_out(out, i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim);
}
inline Tensor& _unsafe_view_outf(const Tensor& self, IntArrayRef size, Tensor& out) {
  return _unsafe_view_out(out, self, size);
}
inline Tensor& _upsample_bicubic2d_aa_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                    IntArrayRef input_size, bool align_corners,
                                                    std::optional<double> scales_h, std::optional<double> scales_w,
                                                    Tensor& out) {
  return _upsample_bicubic2d_aa_backward_out(out, grad_output, output_size, input_size, align_corners, scales_h,
                                             scales_w);
}
inline Tensor& _upsample_bicubic2d_aa_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                           std::optional<double> scales_h, std::optional<double> scales_w,
                                           Tensor& out) {
  return _upsample_bicubic2d_aa_out(out, self, size, align_corners, scales_h, scales_w);
}
inline Tensor& _upsample_bicubic2d_aa_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                           std::nullopt_t a3, Tensor& out) {
  return _upsample_bicubic2d_aa_out(out, self, size, align_corners, a3);
}
inline Tensor& _upsample_bicubic2d_aa_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                           std::optional<ArrayRef<double>> scales, Tensor& out) {
  return _upsample_bicubic2d_aa_out(out, self, size, align_corners, scales);
}
inline Tensor& _upsample_bilinear2d_aa_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                     IntArrayRef input_size, bool align_corners,
                                                     std::optional<double> scales_h, std::optional<double> scales_w,
                                                     Tensor& out) {
  return _upsample_bilinear2d_aa_backward_out(out, grad_output, output_size, input_size, align_corners, scales_h,
                                              scales_w);
}
inline Tensor& _upsample_bilinear2d_aa_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                            std::optional<double> scales_h, std::optional<double> scales_w,
                                            Tensor& out) {
  return _upsample_bilinear2d_aa_out(out, self, size, align_corners, scales_h, scales_w);
}
inline Tensor& _upsample_bilinear2d_aa_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                            std::nullopt_t a3, Tensor& out) {
  return _upsample_bilinear2d_aa_out(out, self, size, align_corners, a3);
}
inline Tensor& _upsample_bilinear2d_aa_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                            std::optional<ArrayRef<double>> scales, Tensor& out) {
  return _upsample_bilinear2d_aa_out(out, self, size, align_corners, scales);
}
inline Tensor& _upsample_nearest_exact1d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                       IntArrayRef input_size, std::optional<double> scales,
                                                       Tensor& out) {
  return _upsample_nearest_exact1d_backward_out(out, grad_output, output_size, input_size, scales);
}
inline Tensor& _upsample_nearest_exact1d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales,
                                              Tensor& out) {
  return _upsample_nearest_exact1d_out(out, self, size, scales);
}
inline Tensor& _upsample_nearest_exact1d_outf(const Tensor& self, OptionalIntArrayRef size,
                                              std::optional<ArrayRef<double>> scales, Tensor& out) {
  return _upsample_nearest_exact1d_out(out, self, size, scales);
}
inline Tensor& _upsample_nearest_exact2d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                       IntArrayRef input_size, std::optional<double> scales_h,
                                                       std::optional<double> scales_w, Tensor& out) {
  return _upsample_nearest_exact2d_backward_out(out, grad_output, output_size, input_size, scales_h, scales_w);
}
inline Tensor& _upsample_nearest_exact2d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales_h,
                                              std::optional<double> scales_w, Tensor& out) {
  return _upsample_nearest_exact2d_out(out, self, size, scales_h, scales_w);
}
inline Tensor& _upsample_nearest_exact2d_outf(const Tensor& self, OptionalIntArrayRef size, std::nullopt_t a2,
                                              Tensor& out) {
  return _upsample_nearest_exact2d_out(out, self, size, a2);
}
inline Tensor& _upsample_nearest_exact2d_outf(const Tensor& self, OptionalIntArrayRef size,
                                              std::optional<ArrayRef<double>> scales, Tensor& out) {
  return _upsample_nearest_exact2d_out(out, self, size, scales);
}
inline Tensor& _upsample_nearest_exact3d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                       IntArrayRef input_size, std::optional<double> scales_d,
                                                       std::optional<double> scales_h, std::optional<double> scales_w,
                                                       Tensor& out) {
  return _upsample_nearest_exact3d_backward_out(out, grad_output, output_size, input_size, scales_d, scales_h,
                                                scales_w);
}
inline Tensor& _upsample_nearest_exact3d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales_d,
                                              std::optional<double> scales_h, std::optional<double> scales_w,
                                              Tensor& out) {
  return _upsample_nearest_exact3d_out(out, self, size, scales_d, scales_h, scales_w);
}
inline Tensor& _upsample_nearest_exact3d_outf(const Tensor& self, OptionalIntArrayRef size,
                                              std::optional<ArrayRef<double>> scales, Tensor& out) {
  return _upsample_nearest_exact3d_out(out, self, size, scales);
}
inline Tensor& abs_outf(const Tensor& x, Tensor& out) { return abs_out(out, x); }
inline Tensor& absolute_outf(const Tensor& x, Tensor& out) { return absolute_out(out, x); }
inline Tensor& acos_outf(const Tensor& x, Tensor& out) { return acos_out(out, x); }
inline Tensor& acosh_outf(const Tensor& x, Tensor& out) { return acosh_out(out, x); }
inline Tensor& adaptive_avg_pool1d_outf(const Tensor& input, IntArrayRef output_size, Tensor& out) {
  return adaptive_avg_pool1d_out(out, input, output_size);
}
inline Tensor& adaptive_avg_pool2d_outf(const Tensor& input, IntArrayRef output_size, Tensor& out) {
  return adaptive_avg_pool2d_out(out, input, output_size);
}
inline Tensor& adaptive_avg_pool3d_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& grad_input) {
  return adaptive_avg_pool3d_backward_out(grad_input, grad_output, self);
}
inline Tensor& adaptive_avg_pool3d_outf(const Tensor& input, IntArrayRef output_size, Tensor& out) {
  return adaptive_avg_pool3d_out(out, input, output_size);
}
inline Tensor& adaptive_max_pool2d_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& indices,
                                                 Tensor& out) {
  return adaptive_max_pool2d_backward_out(out, grad_output, self, indices);
}
inline Tensor& adaptive_max_pool3d_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& indices,
                                                 Tensor& out) {
  return adaptive_max_pool3d_backward_out(out, grad_output, self, indices);
}
inline Tensor& add_outf(const Scalar& a, const Tensor& b, Tensor& out) { return add_out(out, a, b); }
inline Tensor& add_outf(const Tensor& a, const Scalar& b, const Scalar& alpha, Tensor& out) {
  return add_out(out, a, b, alpha);
}
inline Tensor& add_outf(const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  return add_out(out, a, b, alpha);
}
inline Tensor& addbmm_outf(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                           const Scalar& alpha, Tensor& out) {
  return addbmm_out(out, self, a, b, beta, alpha);
}
inline Tensor& addcdiv_outf(const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value, Tensor& out) {
  return addcdiv_out(out, x, a, b, value);
}
inline Tensor& addcmul_outf(const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value, Tensor& out) {
  return addcmul_out(out, x, a, b, value);
}
inline Tensor& addmm_outf(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha,
                          Tensor& out) {
  return addmm_out(out, self, a, b, beta, alpha);
}
inline Tensor& addmm_outf(const Tensor& self, const Tensor& mat1, const Tensor& mat2, DType out_dtype,
                          const Scalar& beta, const Scalar& alpha, Tensor& out) {
  return addmm_out(out, self, mat1, mat2, out_dtype, beta, alpha);
}
inline Tensor& addmv_outf(const Tensor& self, const Tensor& a, const Tensor& v, const Scalar& beta, const Scalar& alpha,
                          Tensor& out) {
  return addmv_out(out, self, a, v, beta, alpha);
}
inline Tensor& addr_outf(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha,
                         Tensor& out) {
  return addr_out(out, self, a, b, beta, alpha);
}
inline Tensor& affine_grid_generator_outf(const Tensor& theta, IntArrayRef size, bool align_corners, Tensor& out) {
  return affine_grid_generator_out(out, theta, size, align_corners);
}
inline Tensor& alias_copy_outf(const Tensor& x, Tensor& out) { return alias_copy_out(out, x); }
inline Tensor& all_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, Tensor& out) {
  return all_out(out, x, dims, keepdim);
}
inline Tensor& all_outf(const Tensor& x, Tensor& out) { return all_out(out, x); }
inline Tensor& all_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out) {
  return all_out(out, x, dim, keepdim);
}
inline Tensor& amax_outf(const Tensor& x, IntArrayRef dims, bool keepdim, Tensor& out) {
  return amax_out(out, x, dims, keepdim);
}
inline Tensor& amin_outf(const Tensor& x, IntArrayRef dims, bool keepdim, Tensor& out) {
  return amin_out(out, x, dims, keepdim);
}
inline Tensor& angle_outf(const Tensor& x, Tensor& out) { return angle_out(out, x); }
inline Tensor& any_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, Tensor& out) {
  return any_out(out, x, dims, keepdim);
}
inline Tensor& any_outf(const Tensor& x, Tensor& out) { return any_out(out, x); }
inline Tensor& any_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out) {
  return any_out(out, x, dim, keepdim);
}
inline Tensor& arange_outf(const Scalar& end, Tensor& out) { return arange_out(out, end); }
inline Tensor& arange_outf(const Scalar& start, const Scalar& end, Tensor& out) { return arange_out(out, start, end); }
inline Tensor& arange_outf(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  return arange_out(out, start, end, step);
}
inline Tensor& arccos_outf(const Tensor& x, Tensor& out) { return arccos_out(out, x); }
inline Tensor& arccosh_outf(const Tensor& x, Tensor& out) { return arccosh_out(out, x); }
inline Tensor& arcsin_outf(const Tensor& x, Tensor& out) { return arcsin_out(out, x); }
inline Tensor& arcsinh_outf(const Tensor& x, Tensor& out) { return arcsinh_out(out, x); }
inline Tensor& arctan2_outf(const Tensor& a, const Tensor& b, Tensor& out) { return arctan2_out(out, a, b); }
inline Tensor& arctan_outf(const Tensor& x, Tensor& out) { return arctan_out(out, x); }
inline Tensor& arctanh_outf(const Tensor& x, Tensor& out) { return arctanh_out(out, x); }
inline Tensor& argmax_outf(const Tensor& x, std::optional<int64_t> dim, bool keepdim, Tensor& out) {
  return argmax_out(out, x, dim, keepdim);
}
inline Tensor& argmin_outf(const Tensor& x, std::optional<int64_t> dim, bool keepdim, Tensor& out) {
  return argmin_out(out, x, dim, keepdim);
}
inline Tensor& argsort_outf(const Tensor& self, bool stable, int64_t dim, bool descending, Tensor& out) {
  return argsort_out(out, self, stable, dim, descending);
}
inline Tensor& argsort_outf(const Tensor& x, int64_t dim, bool descending, Tensor& out) {
  return argsort_out(out, x, dim, descending);
}
inline Tensor& as_strided_copy_outf(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset,
                                    Tensor& out) {
  return as_strided_copy_out(out, base, sizes, strides, storage_offset);
}
inline Tensor& as_strided_copy_outf(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                                    std::optional<int64_t> storage_offset, Tensor& out) {
  return as_strided_copy_out(out, self, size, stride, storage_offset);
}
inline Tensor& as_strided_scatter_outf(const Tensor& base, const Tensor& source, IntArrayRef sizes, IntArrayRef strides,
                                       std::optional<int64_t> storage_offset, Tensor& out) {
  return as_strided_scatter_out(out, base, source, sizes, strides, storage_offset);
}
inline Tensor& asin_outf(const Tensor& x, Tensor& out) { return asin_out(out, x); }
inline Tensor& asinh_outf(const Tensor& x, Tensor& out) { return asinh_out(out, x); }
inline Tensor& atan2_outf(const Tensor& a, const Tensor& b, Tensor& out) { return atan2_out(out, a, b); }
inline Tensor& atan_outf(const Tensor& x, Tensor& out) { return atan_out(out, x); }
inline Tensor& atanh_outf(const Tensor& x, Tensor& out) { return atanh_out(out, x); }
inline Tensor& avg_pool1d_outf(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                               bool ceil_mode, bool count_include_pad, Tensor& out) {
  return avg_pool1d_out(out, input, kernel_size, stride, padding, ceil_mode, count_include_pad);
}
inline Tensor& avg_pool2d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                        IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                                        std::optional<int64_t> divisor_override, Tensor& out) {
  return avg_pool2d_backward_out(out, grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                                 divisor_override);
}
inline Tensor& avg_pool2d_outf(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                               bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override,
                               Tensor& out) {
  return avg_pool2d_out(out, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
}
inline Tensor& avg_pool3d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                        IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                                        std::optional<int64_t> divisor_override, Tensor& out) {
  return avg_pool3d_backward_out(out, grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                                 divisor_override);
}
inline Tensor& avg_pool3d_outf(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                               bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override,
                               Tensor& out) {
  return avg_pool3d_out(out, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
}
inline Tensor& baddbmm_outf(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                            const Scalar& alpha, Tensor& out) {
  return baddbmm_out(out, self, a, b, beta, alpha);
}
inline Tensor& baddbmm_outf(const Tensor& self, const Tensor& batch1, const Tensor& batch2, DType out_dtype,
                            const Scalar& beta, const Scalar& alpha, Tensor& out) {
  return baddbmm_out(out, self, batch1, batch2, out_dtype, beta, alpha);
}
inline Tensor& bartlett_window_outf(int64_t n, Tensor& out) { return bartlett_window_out(out, n); }
inline Tensor& bartlett_window_outf(int64_t n, bool periodic, Tensor& out) {
  return bartlett_window_out(out, n, periodic);
}
inline Tensor& batch_norm_backward_elemt_outf(const Tensor& grad_out, const Tensor& input, const Tensor& mean,
                                              const Tensor& invstd, OptionalTensorRef weight, const Tensor& sum_dy,
                                              const Tensor& sum_dy_xmu, const Tensor& count, Tensor& out) {
  return batch_norm_backward_elemt_out(out, grad_out, input, mean, invstd, weight, sum_dy, sum_dy_xmu, count);
}
inline Tensor& batch_norm_elemt_outf(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias,
                                     const Tensor& mean, const Tensor& invstd, double eps, Tensor& out) {
  return batch_norm_elemt_out(out, input, weight, bias, mean, invstd, eps);
}
inline Tensor& bernoulli_outf(const Tensor& self, const Tensor& p, OptionalGenerator generator, Tensor& out) {
  return bernoulli_out(out, self, p, generator);
}
inline Tensor& bernoulli_outf(const Tensor& x, OptionalGenerator generator, Tensor& out) {
  return bernoulli_out(out, x, generator);
}
inline Tensor& bernoulli_outf(const Tensor& x, double p, OptionalGenerator generator, Tensor& out) {
  return bernoulli_out(out, x, p, generator);
}
inline Tensor& binary_cross_entropy_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                                  OptionalTensorRef weight, int64_t reduction, Tensor& out) {
  return binary_cross_entropy_backward_out(out, grad_output, self, target, weight, reduction);
}
inline Tensor& binary_cross_entropy_outf(const Tensor& x, const Tensor& target, OptionalTensorRef weight,
                                         int64_t reduction, Tensor& out) {
  return binary_cross_entropy_out(out, x, target, weight, reduction);
}
inline Tensor& binary_cross_entropy_with_logits_outf(const Tensor& x, const Tensor& target, OptionalTensorRef weight,
                                                     OptionalTensorRef pos_weight, int64_t reduction, Tensor& out) {
  return binary_cross_entropy_with_logits_out(out, x, target, weight, pos_weight, reduction);
}
inline Tensor& bincount_outf(const Tensor& x, OptionalTensorRef weights, int64_t minlength, Tensor& out) {
  return bincount_out(out, x, weights, minlength);
}
inline Tensor& binomial_outf(const Tensor& count, const Tensor& prob, OptionalGenerator generator, Tensor& out) {
  return binomial_out(out, count, prob, generator);
}
inline Tensor& bitwise_and_outf(const Scalar& a, const Tensor& b, Tensor& out) { return bitwise_and_out(out, a, b); }
inline Tensor& bitwise_and_outf(const Tensor& a, const Scalar& b, Tensor& out) { return bitwise_and_out(out, a, b); }
inline Tensor& bitwise_and_outf(const Tensor& a, const Tensor& b, Tensor& out) { return bitwise_and_out(out, a, b); }
inline Tensor& bitwise_left_shift_outf(const Scalar& a, const Tensor& b, Tensor& out) {
  return bitwise_left_shift_out(out, a, b);
}
inline Tensor& bitwise_left_shift_outf(const Tensor& a, const Scalar& b, Tensor& out) {
  return bitwise_left_shift_out(out, a, b);
}
inline Tensor& bitwise_left_shift_outf(const Tensor& a, const Tensor& b, Tensor& out) {
  return bitwise_left_shift_out(out, a, b);
}
inline Tensor& bitwise_not_outf(const Tensor& x, Tensor& out) { return bitwise_not_out(out, x); }
inline Tensor& bitwise_or_outf(const Scalar& a, const Tensor& b, Tensor& out) { return bitwise_or_out(out, a, b); }
inline Tensor& bitwise_or_outf(const Tensor& a, const Scalar& b, Tensor& out) { return bitwise_or_out(out, a, b); }
inline Tensor& bitwise_or_outf(const Tensor& a, const Tensor& b, Tensor& out) { return bitwise_or_out(out, a, b); }
inline Tensor& bitwise_right_shift_outf(const Scalar& a, const Tensor& b, Tensor& out) {
  return bitwise_right_shift_out(out, a, b);
}
inline Tensor& bitwise_right_shift_outf(const Tensor& a, const Scalar& b, Tensor& out) {
  return bitwise_right_shift_out(out, a, b);
}
inline Tensor& bitwise_right_shift_outf(const Tensor& a, const Tensor& b, Tensor& out) {
  return bitwise_right_shift_out(out, a, b);
}
inline Tensor& bitwise_xor_outf(const Scalar& a, const Tensor& b, Tensor& out) { return bitwise_xor_out(out, a, b); }
inline Tensor& bitwise_xor_outf(const Tensor& a, const Scalar& b, Tensor& out) { return bitwise_xor_out(out, a, b); }
inline Tensor& bitwise_xor_outf(const Tensor& a, const Tensor& b, Tensor& out) { return bitwise_xor_out(out, a, b); }
inline Tensor& blackman_window_outf(int64_t n, Tensor& out) { return blackman_window_out(out, n); }
inline Tensor& blackman_window_outf(int64_t n, bool periodic, Tensor& out) {
  return blackman_window_out(out, n, periodic);
}
inline Tensor& block_diag_outf(TensorList tensors, Tensor& out) { return block_diag_out(out, tensors); }
inline Tensor& bmm_outf(const Tensor& a, const Tensor& b, Tensor& out) { return bmm_out(out, a, b); }
inline Tensor& bmm_outf(const Tensor& self, const Tensor& mat2, DType out_dtype, Tensor& out) {
  return bmm_out(out, self, mat2, out_dtype);
}
inline Tensor& bucketize_outf(const Scalar& value, const Tensor& boundaries, bool out_int32, bool right, Tensor& out) {
  return bucketize_out(out, value, boundaries, out_int32, right);
}
inline Tensor& bucketize_outf(const Tensor& values, const Tensor& boundaries, bool out_int32, bool right, Tensor& out) {
  return bucketize_out(out, values, boundaries, out_int32, right);
}
inline Tensor& cat_outf(TensorList tensors, int64_t dim, Tensor& out) { return cat_out(out, tensors, dim); }
inline Tensor& cauchy_outf(const Tensor& self, double median, double sigma, OptionalGenerator generator, Tensor& out) {
  return cauchy_out(out, self, median, sigma, generator);
}
inline Tensor& ceil_outf(const Tensor& x, Tensor& out) { return ceil_out(out, x); }
inline Tensor& celu_outf(const Tensor& x, const Scalar& alpha, Tensor& out) { return celu_out(out, x, alpha); }
inline Tensor& chain_matmul_outf(TensorList matrices, Tensor& out) { return chain_matmul_out(out, matrices); }
inline Tensor& channel_shuffle_outf(const Tensor& x, int64_t groups, Tensor& out) {
  return channel_shuffle_out(out, x, groups);
}
inline Tensor& cholesky_inverse_outf(const Tensor& L, bool upper, Tensor& out) {
  return cholesky_inverse_out(out, L, upper);
}
inline Tensor& cholesky_solve_outf(const Tensor& B, const Tensor& L, bool upper, Tensor& out) {
  return cholesky_solve_out(out, B, L, upper);
}
inline Tensor& clamp_max_outf(const Tensor& x, const Scalar& max, Tensor& out) { return clamp_max_out(out, x, max); }
inline Tensor& clamp_max_outf(const Tensor& x, const Tensor& max, Tensor& out) { return clamp_max_out(out, x, max); }
inline Tensor& clamp_min_outf(const Tensor& x, const Scalar& min, Tensor& out) { return clamp_min_out(out, x, min); }
inline Tensor& clamp_min_outf(const Tensor& x, const Tensor& min, Tensor& out) { return clamp_min_out(out, x, min); }
inline Tensor& clamp_outf(const Tensor& x, OptionalTensorRef min, OptionalTensorRef max, Tensor& out) {
  return clamp_out(out, x, min, max);
}
inline Tensor& clamp_outf(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max,
                          Tensor& out) {
  return clamp_out(out, x, min, max);
}
inline Tensor& clip_outf(const Tensor& x, OptionalTensorRef min, OptionalTensorRef max, Tensor& out) {
  return clip_out(out, x, min, max);
}
inline Tensor& clip_outf(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max,
                         Tensor& out) {
  return clip_out(out, x, min, max);
}
inline Tensor& clone_outf(const Tensor& x, Tensor& out) { return clone_out(out, x); }
inline Tensor& clone_outf(const Tensor& x, std::optional<MemoryFormat> format, Tensor& out) {
  return clone_out(out, x, format);
}
inline Tensor& col2im_outf(const Tensor& input, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
                           IntArrayRef padding, IntArrayRef stride, Tensor& out) {
  return col2im_out(out, input, output_size, kernel_size, dilation, padding, stride);
}
inline Tensor& column_stack_outf(TensorList tensors, Tensor& out) { return column_stack_out(out, tensors); }
inline Tensor& complex_outf(const Tensor& real, const Tensor& imag, Tensor& out) {
  return complex_out(out, real, imag);
}
inline Tensor& concat_outf(TensorList tensors, int64_t dim, Tensor& out) { return concat_out(out, tensors, dim); }
inline Tensor& concatenate_outf(TensorList tensors, int64_t dim, Tensor& out) {
  return concatenate_out(out, tensors, dim);
}
inline Tensor& conj_physical_outf(const Tensor& x, Tensor& out) { return conj_physical_out(out, x); }
inline Tensor& constant_pad_nd_outf(const Tensor& x, IntArrayRef padding, const Scalar& value, Tensor& out) {
  return constant_pad_nd_out(out, x, padding, value);
}
inline Tensor& conv_depthwise3d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                     OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding,
                                     IntArrayRef dilation, Tensor& out) {
  return conv_depthwise3d_out(out, self, weight, kernel_size, bias, stride, padding, dilation);
}
inline Tensor& conv_tbc_outf(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad, Tensor& out) {
  return conv_tbc_out(out, self, weight, bias, pad);
}
inline Tensor& convolution_outf(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                                IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                                int64_t groups, Tensor& out) {
  return convolution_out(out, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}
inline Tensor& copy_outf(const Tensor& self, const Tensor& src, bool non_blocking, Tensor& out) {
  return copy_out(out, self, src, non_blocking);
}
inline Tensor& copysign_outf(const Tensor& a, const Scalar& b, Tensor& out) { return copysign_out(out, a, b); }
inline Tensor& copysign_outf(const Tensor& a, const Tensor& b, Tensor& out) { return copysign_out(out, a, b); }
inline Tensor& cos_outf(const Tensor& x, Tensor& out) { return cos_out(out, x); }
inline Tensor& cosh_outf(const Tensor& x, Tensor& out) { return cosh_out(out, x); }
inline Tensor& count_nonzero_outf(const Tensor& self, std::optional<int64_t> dim, Tensor& out) {
  return count_nonzero_out(out, self, dim);
}
inline Tensor& count_nonzero_outf(const Tensor& x, OptionalIntArrayRef dims, Tensor& out) {
  return count_nonzero_out(out, x, dims);
}
inline Tensor& cross_outf(const Tensor& a, const Tensor& b, std::optional<int64_t> dim, Tensor& out) {
  return cross_out(out, a, b, dim);
}
inline Tensor& cumprod_outf(const Tensor& x, int64_t dim, std::optional<DType> dtype, Tensor& out) {
  return cumprod_out(out, x, dim, dtype);
}
inline Tensor& cumsum_outf(const Tensor& x, int64_t dim, std::optional<DType> dtype, Tensor& out) {
  return cumsum_out(out, x, dim, dtype);
}
inline Tensor& deg2rad_outf(const Tensor& x, Tensor& out) { return deg2rad_out(out, x); }
inline Tensor& detach_copy_outf(const Tensor& x, Tensor& out) { return detach_copy_out(out, x); }
inline Tensor& diag_embed_outf(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2, Tensor& out) {
  return diag_embed_out(out, x, offset, dim1, dim2);
}
inline Tensor& diag_outf(const Tensor& x, int64_t diagonal, Tensor& out) { return diag_out(out, x, diagonal); }
inline Tensor& diagonal_backward_outf(const Tensor& grad, IntArrayRef input_sizes, int64_t offset, int64_t dim1,
                                      int64_t dim2, Tensor& out) {
  return diagonal_backward_out(out, grad, input_sizes, offset, dim1, dim2);
}
inline Tensor& diagonal_copy_outf(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2, Tensor& out) {
  return diagonal_copy_out(out, x, offset, dim1, dim2);
}
inline Tensor& diagonal_scatter_outf(const Tensor& base, const Tensor& source, int64_t offset, int64_t dim1,
                                     int64_t dim2, Tensor& out) {
  return diagonal_scatter_out(out, base, source, offset, dim1, dim2);
}
inline Tensor& diff_outf(const Tensor& x, int64_t n, int64_t dim, OptionalTensorRef prepend, OptionalTensorRef append,
                         Tensor& out) {
  return diff_out(out, x, n, dim, prepend, append);
}
inline Tensor& digamma_outf(const Tensor& x, Tensor& out) { return digamma_out(out, x); }
inline Tensor& dist_outf(const Tensor& a, const Tensor& b, const Scalar& p, Tensor& out) {
  return dist_out(out, a, b, p);
}
inline Tensor& div_outf(const Scalar& a, const Tensor& b, Tensor& out) { return div_out(out, a, b); }
inline Tensor& div_outf(const Tensor& a, const Scalar& b, Tensor& out) { return div_out(out, a, b); }
inline Tensor& div_outf(const Tensor& a, const Scalar& b, std::optional<std::string_view> rounding_mode, Tensor& out) {
  return div_out(out, a, b, rounding_mode);
}
inline Tensor& div_outf(const Tensor& a, const Tensor& b, Tensor& out) { return div_out(out, a, b); }
inline Tensor& div_outf(const Tensor& a, const Tensor& b, std::optional<std::string_view> rounding_mode, Tensor& out) {
  return div_out(out, a, b, rounding_mode);
}
inline Tensor& dot_outf(const Tensor& a, const Tensor& b, Tensor& out) { return dot_out(out, a, b); }
inline Tensor& dstack_outf(TensorList tensors, Tensor& out) { return dstack_out(out, tensors); }
inline Tensor& elu_backward_outf(const Tensor& grad_output, const Scalar& alpha, const Scalar& scale,
                                 const Scalar& input_scale, bool is_result, const Tensor& self_or_result, Tensor& out) {
  return elu_backward_out(out, grad_output, alpha, scale, input_scale, is_result, self_or_result);
}
inline Tensor& elu_outf(const Tensor& x, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                        Tensor& out) {
  return elu_out(out, x, alpha, scale, input_scale);
}
inline Tensor& embedding_dense_backward_outf(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                             int64_t padding_idx, bool scale_grad_by_freq, Tensor& out) {
  return embedding_dense_backward_out(out, grad_output, indices, num_weights, padding_idx, scale_grad_by_freq);
}
inline Tensor& embedding_outf(const Tensor& weight, const Tensor& indices, int64_t padding_idx, bool scale_grad_by_freq,
                              bool sparse, Tensor& out) {
  return embedding_out(out, weight, indices, padding_idx, scale_grad_by_freq, sparse);
}
inline Tensor& embedding_renorm_outf(const Tensor& self, const Tensor& indices, double max_norm, double norm_type,
                                     Tensor& out) {
  return embedding_renorm_out(out, self, indices, max_norm, norm_type);
}
inline Tensor& empty_like_outf(const Tensor& x, std::optional<MemoryFormat> memory_format, Tensor& out) {
  return empty_like_out(out, x, memory_format);
}
inline Tensor& empty_outf(IntArrayRef sizes, std::optional<MemoryFormat> memory_format, Tensor& out) {
  return empty_out(out, sizes, memory_format);
}
inline Tensor& empty_permuted_outf(IntArrayRef sizes, IntArrayRef physical_layout, Tensor& out) {
  return empty_permuted_out(out, sizes, physical_layout);
}
inline Tensor& empty_strided_outf(IntArrayRef sizes, IntArrayRef strides, Tensor& out) {
  return empty_strided_out(out, sizes, strides);
}
inline Tensor& eq_outf(const Tensor& a, const Scalar& b, Tensor& out) { return eq_out(out, a, b); }
inline Tensor& eq_outf(const Tensor& a, const Tensor& b, Tensor& out) { return eq_out(out, a, b); }
inline Tensor& erf_outf(const Tensor& x, Tensor& out) { return erf_out(out, x); }
inline Tensor& erfc_outf(const Tensor& x, Tensor& out) { return erfc_out(out, x); }
inline Tensor& erfinv_outf(const Tensor& x, Tensor& out) { return erfinv_out(out, x); }
inline Tensor& exp2_outf(const Tensor& x, Tensor& out) { return exp2_out(out, x); }
inline Tensor& exp_outf(const Tensor& x, Tensor& out) { return exp_out(out, x); }
inline Tensor& expand_copy_outf(const Tensor& x, IntArrayRef sizes, bool implicit, Tensor& out) {
  return expand_copy_out(out, x, sizes, implicit);
}
inline Tensor& expm1_outf(const Tensor& x, Tensor& out) { return expm1_out(out, x); }
inline Tensor& exponential_outf(const Tensor& self, double lambd, OptionalGenerator generator, Tensor& out) {
  return exponential_out(out, self, lambd, generator);
}
inline Tensor& eye_outf(int64_t n, Tensor& out) { return eye_out(out, n); }
inline Tensor& eye_outf(int64_t n, int64_t m, Tensor& out) { return eye_out(out, n, m); }
inline Tensor& fft_fft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out) {
  return fft_fft2_out(out, x, s, dim, norm);
}
inline Tensor& fft_fft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out) {
  return fft_fft_out(out, x, n, dim, norm);
}
inline Tensor& fft_fftfreq_outf(int64_t n, Tensor& out) { return fft_fftfreq_out(out, n); }
inline Tensor& fft_fftfreq_outf(int64_t n, double d, Tensor& out) { return fft_fftfreq_out(out, n, d); }
inline Tensor& fft_fftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm,
                             Tensor& out) {
  return fft_fftn_out(out, x, s, dim, norm);
}
inline Tensor& fft_hfft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out) {
  return fft_hfft2_out(out, x, s, dim, norm);
}
inline Tensor& fft_hfft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out) {
  return fft_hfft_out(out, x, n, dim, norm);
}
inline Tensor& fft_hfftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm,
                              Tensor& out) {
  return fft_hfftn_out(out, x, s, dim, norm);
}
inline Tensor& fft_ifft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out) {
  return fft_ifft2_out(out, x, s, dim, norm);
}
inline Tensor& fft_ifft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out) {
  return fft_ifft_out(out, x, n, dim, norm);
}
inline Tensor& fft_ifftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm,
                              Tensor& out) {
  return fft_ifftn_out(out, x, s, dim, norm);
}
inline Tensor& fft_ihfft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out) {
  return fft_ihfft2_out(out, x, s, dim, norm);
}
inline Tensor& fft_ihfft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out) {
  return fft_ihfft_out(out, x, n, dim, norm);
}
inline Tensor& fft_ihfftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm,
                               Tensor& out) {
  return fft_ihfftn_out(out, x, s, dim, norm);
}
inline Tensor& fft_irfft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out) {
  return fft_irfft2_out(out, x, s, dim, norm);
}
inline Tensor& fft_irfft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out) {
  return fft_irfft_out(out, x, n, dim, norm);
}
inline Tensor& fft_irfftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm,
                               Tensor& out) {
  return fft_irfftn_out(out, x, s, dim, norm);
}
inline Tensor& fft_rfft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out) {
  return fft_rfft2_out(out, x, s, dim, norm);
}
inline Tensor& fft_rfft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out) {
  return fft_rfft_out(out, x, n, dim, norm);
}
inline Tensor& fft_rfftfreq_outf(int64_t n, Tensor& out) { return fft_rfftfreq_out(out, n); }
inline Tensor& fft_rfftfreq_outf(int64_t n, double d, Tensor& out) { return fft_rfftfreq_out(out, n, d); }
inline Tensor& fft_rfftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm,
                              Tensor& out) {
  return fft_rfftn_out(out, x, s, dim, norm);
}
inline Tensor& fill_outf(const Tensor& self, const Scalar& value, Tensor& out) { return fill_out(out, self, value); }
inline Tensor& fill_outf(const Tensor& self, const Tensor& value, Tensor& out) { return fill_out(out, self, value); }
inline Tensor& fix_outf(const Tensor& x, Tensor& out) { return fix_out(out, x); }
inline Tensor& flip_outf(const Tensor& x, IntArrayRef dims, Tensor& out) { return flip_out(out, x, dims); }
inline Tensor& float_power_outf(const Scalar& a, const Tensor& b, Tensor& out) { return float_power_out(out, a, b); }
inline Tensor& float_power_outf(const Tensor& a, const Scalar& b, Tensor& out) { return float_power_out(out, a, b); }
inline Tensor& float_power_outf(const Tensor& a, const Tensor& b, Tensor& out) { return float_power_out(out, a, b); }
inline Tensor& floor_divide_outf(const Tensor& a, const Scalar& b, Tensor& out) { return floor_divide_out(out, a, b); }
inline Tensor& floor_divide_outf(const Tensor& a, const Tensor& b, Tensor& out) { return floor_divide_out(out, a, b); }
inline Tensor& floor_outf(const Tensor& x, Tensor& out) { return floor_out(out, x); }
inline Tensor& fmax_outf(const Tensor& a, const Tensor& b, Tensor& out) { return fmax_out(out, a, b); }
inline Tensor& fmin_outf(const Tensor& a, const Tensor& b, Tensor& out) { return fmin_out(out, a, b); }
inline Tensor& fmod_outf(const Tensor& a, const Scalar& b, Tensor& out) { return fmod_out(out, a, b); }
inline Tensor& fmod_outf(const Tensor& a, const Tensor& b, Tensor& out) { return fmod_out(out, a, b); }
inline Tensor& frac_outf(const Tensor& x, Tensor& out) { return frac_out(out, x); }
inline Tensor& fractional_max_pool2d_backward_outf(const Tensor& grad_output, const Tensor& self,
                                                   IntArrayRef kernel_size, IntArrayRef output_size,
                                                   const Tensor& indices, Tensor& out) {
  return fractional_max_pool2d_backward_out(out, grad_output, self, kernel_size, output_size, indices);
}
inline Tensor& fractional_max_pool3d_backward_outf(const Tensor& grad_output, const Tensor& self,
                                                   IntArrayRef kernel_size, IntArrayRef output_size,
                                                   const Tensor& indices, Tensor& out) {
  return fractional_max_pool3d_backward_out(out, grad_output, self, kernel_size, output_size, indices);
}
inline Tensor& frobenius_norm_outf(const Tensor& A, IntArrayRef dim, bool keepdim, Tensor& out) {
  return frobenius_norm_out(out, A, dim, keepdim);
}
inline Tensor& from_file_outf(std::string_view filename, std::optional<bool> shared, std::optional<int64_t> size,
                              Tensor& out) {
  return from_file_out(out, filename, shared, size);
}
inline Tensor& full_like_outf(const Tensor& x, const Scalar& value, std::optional<MemoryFormat> memory_format,
                              Tensor& out) {
  return full_like_out(out, x, value, memory_format);
}
inline Tensor& full_outf(IntArrayRef sizes, const Scalar& value, Tensor& out) { return full_out(out, sizes, value); }
inline Tensor& gather_outf(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad, Tensor& out) {
  return gather_out(out, self, dim, index, sparse_grad);
}
inline Tensor& gather_outf(const Tensor& x, int64_t dim, const Tensor& index, Tensor& out) {
  return gather_out(out, x, dim, index);
}
inline Tensor& gcd_outf(const Tensor& a, const Tensor& b, Tensor& out) { return gcd_out(out, a, b); }
inline Tensor& ge_outf(const Tensor& a, const Scalar& b, Tensor& out) { return ge_out(out, a, b); }
inline Tensor& ge_outf(const Tensor& a, const Tensor& b, Tensor& out) { return ge_out(out, a, b); }
inline Tensor& gelu_backward_outf(const Tensor& grad_output, const Tensor& self, std::string_view approximate,
                                  Tensor& out) {
  return gelu_backward_out(out, grad_output, self, approximate);
}
inline Tensor& gelu_outf(const Tensor& x, std::string_view approximate, Tensor& out) {
  return gelu_out(out, x, approximate);
}
inline Tensor& geometric_outf(const Tensor& self, double p, OptionalGenerator generator, Tensor& out) {
  return geometric_out(out, self, p, generator);
}
inline Tensor& ger_outf(const Tensor& a, const Tensor& b, Tensor& out) { return ger_out(out, a, b); }
inline Tensor& glu_backward_jvp_outf(const Tensor& grad_x, const Tensor& grad_glu, const Tensor& x,
                                     const Tensor& dgrad_glu, const Tensor& dx, int64_t dim, Tensor& out) {
  return glu_backward_jvp_out(out, grad_x, grad_glu, x, dgrad_glu, dx, dim);
}
inline Tensor& glu_backward_outf(const Tensor& grad_output, const Tensor& self, int64_t dim, Tensor& out) {
  return glu_backward_out(out, grad_output, self, dim);
}
inline Tensor& glu_jvp_outf(const Tensor& glu, const Tensor& x, const Tensor& dx, int64_t dim, Tensor& out) {
  return glu_jvp_out(out, glu, x, dx, dim);
}
inline Tensor& glu_outf(const Tensor& x, int64_t dim, Tensor& out) { return glu_out(out, x, dim); }
inline Tensor& grid_sampler_2d_outf(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                                    int64_t padding_mode, bool align_corners, Tensor& out) {
  return grid_sampler_2d_out(out, input, grid, interpolation_mode, padding_mode, align_corners);
}
inline Tensor& grid_sampler_3d_outf(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                                    int64_t padding_mode, bool align_corners, Tensor& out) {
  return grid_sampler_3d_out(out, input, grid, interpolation_mode, padding_mode, align_corners);
}
inline Tensor& gt_outf(const Tensor& a, const Scalar& b, Tensor& out) { return gt_out(out, a, b); }
inline Tensor& gt_outf(const Tensor& a, const Tensor& b, Tensor& out) { return gt_out(out, a, b); }
inline Tensor& hamming_window_outf(int64_t n, Tensor& out) { return hamming_window_out(out, n); }
inline Tensor& hamming_window_outf(int64_t n, bool periodic, Tensor& out) {
  return hamming_window_out(out, n, periodic);
}
inline Tensor& hamming_window_outf(int64_t n, bool periodic, double alpha, Tensor& out) {
  return hamming_window_out(out, n, periodic, alpha);
}
inline Tensor& hamming_window_outf(int64_t n, bool periodic, double alpha, double beta, Tensor& out) {
  return hamming_window_out(out, n, periodic, alpha, beta);
}
inline Tensor& hann_window_outf(int64_t n, Tensor& out) { return hann_window_out(out, n); }
inline Tensor& hann_window_outf(int64_t n, bool periodic, Tensor& out) { return hann_window_out(out, n, periodic); }
inline Tensor& hardshrink_backward_outf(const Tensor& grad_out, const Tensor& self, const Scalar& lambd, Tensor& out) {
  return hardshrink_backward_out(out, grad_out, self, lambd);
}
inline Tensor& hardshrink_outf(const Tensor& x, const Scalar& lambda, Tensor& out) {
  return hardshrink_out(out, x, lambda);
}
inline Tensor& hardsigmoid_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& out) {
  return hardsigmoid_backward_out(out, grad_output, self);
}
inline Tensor& hardsigmoid_outf(const Tensor& x, Tensor& out) { return hardsigmoid_out(out, x); }
inline Tensor& hardswish_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& out) {
  return hardswish_backward_out(out, grad_output, self);
}
inline Tensor& hardswish_outf(const Tensor& x, Tensor& out) { return hardswish_out(out, x); }
inline Tensor& hardtanh_backward_outf(const Tensor& grad_output, const Tensor& self, const Scalar& min_val,
                                      const Scalar& max_val, Tensor& out) {
  return hardtanh_backward_out(out, grad_output, self, min_val, max_val);
}
inline Tensor& hardtanh_outf(const Tensor& x, const Scalar& min_val, const Scalar& max_val, Tensor& out) {
  return hardtanh_out(out, x, min_val, max_val);
}
inline Tensor& hash_tensor_outf(const Tensor& x, IntArrayRef dims, bool keepdim, int64_t mode, Tensor& out) {
  return hash_tensor_out(out, x, dims, keepdim, mode);
}
inline Tensor& heaviside_outf(const Tensor& x, const Tensor& values, Tensor& out) {
  return heaviside_out(out, x, values);
}
inline Tensor& histc_outf(const Tensor& x, int64_t bins, const Scalar& min, const Scalar& max, Tensor& out) {
  return histc_out(out, x, bins, min, max);
}
inline Tensor& hstack_outf(TensorList tensors, Tensor& out) { return hstack_out(out, tensors); }
inline Tensor& huber_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                        int64_t reduction, double delta, Tensor& out) {
  return huber_loss_backward_out(out, grad_output, self, target, reduction, delta);
}
inline Tensor& huber_loss_outf(const Tensor& x, const Tensor& target, int64_t reduction, double delta, Tensor& out) {
  return huber_loss_out(out, x, target, reduction, delta);
}
inline Tensor& hypot_outf(const Tensor& a, const Tensor& b, Tensor& out) { return hypot_out(out, a, b); }
inline Tensor& i0_outf(const Tensor& x, Tensor& out) { return i0_out(out, x); }
inline Tensor& igamma_outf(const Tensor& a, const Tensor& x, Tensor& out) { return igamma_out(out, a, x); }
inline Tensor& igammac_outf(const Tensor& a, const Tensor& x, Tensor& out) { return igammac_out(out, a, x); }
inline Tensor& im2col_outf(const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                           IntArrayRef stride, Tensor& out) {
  return im2col_out(out, input, kernel_size, dilation, padding, stride);
}
inline Tensor& index_add_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                              const Scalar& alpha, Tensor& out) {
  return index_add_out(out, x, dim, index, source, alpha);
}
inline Tensor& index_copy_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Tensor& out) {
  return index_copy_out(out, x, dim, index, source);
}
inline Tensor& index_fill_outf(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value, Tensor& out) {
  return index_fill_out(out, x, dim, index, value);
}
inline Tensor& index_fill_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& value, Tensor& out) {
  return index_fill_out(out, x, dim, index, value);
}
inline Tensor& index_outf(const Tensor& x, ArrayRef<indexing::TensorIndex> indices, Tensor& out) {
  return index_out(out, x, indices);
}
inline Tensor& index_put_outf(const Tensor& x, ArrayRef<indexing::TensorIndex> indices, const Tensor& values,
                              bool accumulate, Tensor& out) {
  return index_put_out(out, x, indices, values, accumulate);
}
inline Tensor& index_reduce_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                                 std::string_view reduce, bool include_self, Tensor& out) {
  return index_reduce_out(out, x, dim, index, source, reduce, include_self);
}
inline Tensor& index_select_outf(const Tensor& x, int64_t dim, const Tensor& index, Tensor& out) {
  return index_select_out(out, x, dim, index);
}
inline Tensor& inner_outf(const Tensor& a, const Tensor& b, Tensor& out) { return inner_out(out, a, b); }
inline Tensor& inverse_outf(const Tensor& A, Tensor& out) { return inverse_out(out, A); }
inline Tensor& isin_outf(const Scalar& element, const Tensor& test_elements, bool assume_unique, bool invert,
                         Tensor& out) {
  return isin_out(out, element, test_elements, assume_unique, invert);
}
inline Tensor& isin_outf(const Tensor& elements, const Scalar& test_element, bool assume_unique, bool invert,
                         Tensor& out) {
  return isin_out(out, elements, test_element, assume_unique, invert);
}
inline Tensor& isin_outf(const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert,
                         Tensor& out) {
  return isin_out(out, elements, test_elements, assume_unique, invert);
}
inline Tensor& isinf_outf(const Tensor& x, Tensor& out) { return isinf_out(out, x); }
inline Tensor& isnan_outf(const Tensor& x, Tensor& out) { return isnan_out(out, x); }
inline Tensor& isneginf_outf(const Tensor& x, Tensor& out) { return isneginf_out(out, x); }
inline Tensor& isposinf_outf(const Tensor& x, Tensor& out) { return isposinf_out(out, x); }
inline Tensor& kaiser_window_outf(int64_t n, Tensor& out) { return kaiser_window_out(out, n); }
inline Tensor& kaiser_window_outf(int64_t n, bool periodic, Tensor& out) { return kaiser_window_out(out, n, periodic); }
inline Tensor& kaiser_window_outf(int64_t n, bool periodic, double beta, Tensor& out) {
  return kaiser_window_out(out, n, periodic, beta);
}
inline Tensor& kron_outf(const Tensor& a, const Tensor& b, Tensor& out) { return kron_out(out, a, b); }
inline Tensor& lcm_outf(const Tensor& a, const Tensor& b, Tensor& out) { return lcm_out(out, a, b); }
inline Tensor& ldexp_outf(const Tensor& a, const Tensor& b, Tensor& out) { return ldexp_out(out, a, b); }
inline Tensor& le_outf(const Tensor& a, const Scalar& b, Tensor& out) { return le_out(out, a, b); }
inline Tensor& le_outf(const Tensor& a, const Tensor& b, Tensor& out) { return le_out(out, a, b); }
inline Tensor& leaky_relu_backward_outf(const Tensor& grad_output, const Tensor& self, const Scalar& negative_slope,
                                        bool self_is_result, Tensor& out) {
  return leaky_relu_backward_out(out, grad_output, self, negative_slope, self_is_result);
}
inline Tensor& leaky_relu_outf(const Tensor& x, const Scalar& negative_slope, Tensor& out) {
  return leaky_relu_out(out, x, negative_slope);
}
inline Tensor& lerp_outf(const Tensor& start, const Tensor& end, const Scalar& weight, Tensor& out) {
  return lerp_out(out, start, end, weight);
}
inline Tensor& lerp_outf(const Tensor& start, const Tensor& end, const Tensor& weight, Tensor& out) {
  return lerp_out(out, start, end, weight);
}
inline Tensor& lgamma_outf(const Tensor& x, Tensor& out) { return lgamma_out(out, x); }
inline Tensor& lift_fresh_copy_outf(const Tensor& self, Tensor& out) { return lift_fresh_copy_out(out, self); }
inline Tensor& lift_outf(const Tensor& self, Tensor& out) { return lift_out(out, self); }
inline Tensor& linalg_cholesky_outf(const Tensor& A, bool upper, Tensor& out) {
  return linalg_cholesky_out(out, A, upper);
}
inline Tensor& linalg_cond_outf(const Tensor& A, const std::optional<Scalar>& p, Tensor& out) {
  return linalg_cond_out(out, A, p);
}
inline Tensor& linalg_cond_outf(const Tensor& A, std::string_view p, Tensor& out) { return linalg_cond_out(out, A, p); }
inline Tensor& linalg_cross_outf(const Tensor& a, const Tensor& b, int64_t dim, Tensor& out) {
  return linalg_cross_out(out, a, b, dim);
}
inline Tensor& linalg_det_outf(const Tensor& A, Tensor& out) { return linalg_det_out(out, A); }
inline Tensor& linalg_eigvals_outf(const Tensor& A, Tensor& out) { return linalg_eigvals_out(out, A); }
inline Tensor& linalg_eigvalsh_outf(const Tensor& A, std::string_view UPLO, Tensor& out) {
  return linalg_eigvalsh_out(out, A, UPLO);
}
inline Tensor& linalg_householder_product_outf(const Tensor& A, const Tensor& tau, Tensor& out) {
  return linalg_householder_product_out(out, A, tau);
}
inline Tensor& linalg_inv_outf(const Tensor& A, Tensor& out) { return linalg_inv_out(out, A); }
inline Tensor& linalg_ldl_solve_outf(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian,
                                     Tensor& out) {
  return linalg_ldl_solve_out(out, LD, pivots, B, hermitian);
}
inline Tensor& linalg_lu_solve_outf(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint,
                                    Tensor& out) {
  return linalg_lu_solve_out(out, LU, pivots, B, left, adjoint);
}
inline Tensor& linalg_matmul_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return linalg_matmul_out(out, self, other);
}
inline Tensor& linalg_matrix_exp_outf(const Tensor& A, Tensor& out) { return linalg_matrix_exp_out(out, A); }
inline Tensor& linalg_matrix_norm_outf(const Tensor& A, const Scalar& ord, IntArrayRef dim, bool keepdim,
                                       std::optional<DType> dtype, Tensor& out) {
  return linalg_matrix_norm_out(out, A, ord, dim, keepdim, dtype);
}
inline Tensor& linalg_matrix_norm_outf(const Tensor& A, std::string_view ord, IntArrayRef dim, bool keepdim,
                                       std::optional<DType> dtype, Tensor& out) {
  return linalg_matrix_norm_out(out, A, ord, dim, keepdim, dtype);
}
inline Tensor& linalg_matrix_power_outf(const Tensor& A, int64_t n, Tensor& out) {
  return linalg_matrix_power_out(out, A, n);
}
inline Tensor& linalg_matrix_rank_outf(const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol, bool hermitian,
                                       Tensor& out) {
  return linalg_matrix_rank_out(out, A, atol, rtol, hermitian);
}
inline Tensor& linalg_matrix_rank_outf(const Tensor& A, Tensor& out) { return linalg_matrix_rank_out(out, A); }
inline Tensor& linalg_matrix_rank_outf(const Tensor& A, const Tensor& tol, bool hermitian, Tensor& out) {
  return linalg_matrix_rank_out(out, A, tol, hermitian);
}
inline Tensor& linalg_matrix_rank_outf(const Tensor& A, double tol, bool hermitian, Tensor& out) {
  return linalg_matrix_rank_out(out, A, tol, hermitian);
}
inline Tensor& linalg_matrix_rank_outf(const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian,
                                       Tensor& out) {
  return linalg_matrix_rank_out(out, A, atol, rtol, hermitian);
}
inline Tensor& linalg_matrix_rank_outf(const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                                       bool hermitian, Tensor& out) {
  return linalg_matrix_rank_out(out, A, atol, rtol, hermitian);
}
inline Tensor& linalg_matrix_sqrth_outf(const Tensor& A, Tensor& out) { return linalg_matrix_sqrth_out(out, A); }
inline Tensor& linalg_multi_dot_outf(TensorList tensors, Tensor& out) { return linalg_multi_dot_out(out, tensors); }
inline Tensor& linalg_norm_outf(const Tensor& A, const std::optional<Scalar>& ord, OptionalIntArrayRef dim,
                                bool keepdim, std::optional<DType> dtype, Tensor& out) {
  return linalg_norm_out(out, A, ord, dim, keepdim, dtype);
}
inline Tensor& linalg_norm_outf(const Tensor& A, std::string_view ord, OptionalIntArrayRef dim, bool keepdim,
                                std::optional<DType> dtype, Tensor& out) {
  return linalg_norm_out(out, A, ord, dim, keepdim, dtype);
}
inline Tensor& linalg_pinv_outf(const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol, bool hermitian,
                                Tensor& out) {
  return linalg_pinv_out(out, A, atol, rtol, hermitian);
}
inline Tensor& linalg_pinv_outf(const Tensor& A, Tensor& out) { return linalg_pinv_out(out, A); }
inline Tensor& linalg_pinv_outf(const Tensor& A, const Tensor& rcond, bool hermitian, Tensor& out) {
  return linalg_pinv_out(out, A, rcond, hermitian);
}
inline Tensor& linalg_pinv_outf(const Tensor& A, double rcond, bool hermitian, Tensor& out) {
  return linalg_pinv_out(out, A, rcond, hermitian);
}
inline Tensor& linalg_pinv_outf(const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian,
                                Tensor& out) {
  return linalg_pinv_out(out, A, atol, rtol, hermitian);
}
inline Tensor& linalg_pinv_outf(const Tensor& A, std::optional<double> atol, std::optional<double> rtol, bool hermitian,
                                Tensor& out) {
  return linalg_pinv_out(out, A, atol, rtol, hermitian);
}
inline Tensor& linalg_solve_outf(const Tensor& A, const Tensor& B, bool left, Tensor& out) {
  return linalg_solve_out(out, A, B, left);
}
inline Tensor& linalg_solve_triangular_outf(const Tensor& A, const Tensor& B, bool upper, bool left, bool unitriangular,
                                            Tensor& out) {
  return linalg_solve_triangular_out(out, A, B, upper, left, unitriangular);
}
inline Tensor& linalg_svdvals_outf(const Tensor& A, std::optional<std::string_view> driver, Tensor& out) {
  return linalg_svdvals_out(out, A, driver);
}
inline Tensor& linalg_tensorinv_outf(const Tensor& A, int64_t ind, Tensor& out) {
  return linalg_tensorinv_out(out, A, ind);
}
inline Tensor& linalg_tensorsolve_outf(const Tensor& A, const Tensor& B, OptionalIntArrayRef dims, Tensor& out) {
  return linalg_tensorsolve_out(out, A, B, dims);
}
inline Tensor& linalg_vecdot_outf(const Tensor& x, const Tensor& y, int64_t dim, Tensor& out) {
  return linalg_vecdot_out(out, x, y, dim);
}
inline Tensor& linalg_vector_norm_outf(const Tensor& x, const Scalar& ord, OptionalIntArrayRef dims, bool keepdim,
                                       std::optional<DType> dtype, Tensor& out) {
  return linalg_vector_norm_out(out, x, ord, dims, keepdim, dtype);
}
inline Tensor& linear_outf(const Tensor& x, const Tensor& weight, OptionalTensorRef bias, Tensor& out) {
  return linear_out(out, x, weight, bias);
}
inline Tensor& linspace_outf(const Scalar& start, const Scalar& end, int64_t steps, Tensor& out) {
  return linspace_out(out, start, end, steps);
}
inline Tensor& linspace_outf(const Scalar& start, const Tensor& end, int64_t steps, Tensor& out) {
  return linspace_out(out, start, end, steps);
}
inline Tensor& linspace_outf(const Tensor& start, const Scalar& end, int64_t steps, Tensor& out) {
  return linspace_out(out, start, end, steps);
}
inline Tensor& linspace_outf(const Tensor& start, const Tensor& end, int64_t steps, Tensor& out) {
  return linspace_out(out, start, end, steps);
}
inline Tensor& log10_outf(const Tensor& x, Tensor& out) { return log10_out(out, x); }
inline Tensor& log1p_outf(const Tensor& x, Tensor& out) { return log1p_out(out, x); }
inline Tensor& log2_outf(const Tensor& x, Tensor& out) { return log2_out(out, x); }
inline Tensor& log_normal_outf(const Tensor& self, double mean, double std, OptionalGenerator generator, Tensor& out) {
  return log_normal_out(out, self, mean, std, generator);
}
inline Tensor& log_outf(const Tensor& x, Tensor& out) { return log_out(out, x); }
inline Tensor& log_sigmoid_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& buffer,
                                         Tensor& out) {
  return log_sigmoid_backward_out(out, grad_output, self, buffer);
}
inline Tensor& log_sigmoid_outf(const Tensor& x, Tensor& out) { return log_sigmoid_out(out, x); }
inline Tensor& log_softmax_outf(const Tensor& x, int64_t dim, std::optional<DType> dtype, Tensor& out) {
  return log_softmax_out(out, x, dim, dtype);
}
inline Tensor& logaddexp2_outf(const Tensor& a, const Tensor& b, Tensor& out) { return logaddexp2_out(out, a, b); }
inline Tensor& logaddexp_outf(const Tensor& a, const Tensor& b, Tensor& out) { return logaddexp_out(out, a, b); }
inline Tensor& logcumsumexp_outf(const Tensor& x, int64_t dim, Tensor& out) { return logcumsumexp_out(out, x, dim); }
inline Tensor& logical_and_outf(const Tensor& a, const Tensor& b, Tensor& out) { return logical_and_out(out, a, b); }
inline Tensor& logical_not_outf(const Tensor& x, Tensor& out) { return logical_not_out(out, x); }
inline Tensor& logical_or_outf(const Tensor& a, const Tensor& b, Tensor& out) { return logical_or_out(out, a, b); }
inline Tensor& logical_xor_outf(const Tensor& a, const Tensor& b, Tensor& out) { return logical_xor_out(out, a, b); }
inline Tensor& logit_backward_outf(const Tensor& grad_output, const Tensor& self, std::optional<double> eps,
                                   Tensor& out) {
  return logit_backward_out(out, grad_output, self, eps);
}
inline Tensor& logit_outf(const Tensor& x, std::optional<double> eps, Tensor& out) { return logit_out(out, x, eps); }
inline Tensor& logspace_outf(const Scalar& start, const Scalar& end, int64_t steps, double base, Tensor& out) {
  return logspace_out(out, start, end, steps, base);
}
inline Tensor& logspace_outf(const Scalar& start, const Tensor& end, int64_t steps, double base, Tensor& out) {
  return logspace_out(out, start, end, steps, base);
}
inline Tensor& logspace_outf(const Tensor& start, const Scalar& end, int64_t steps, double base, Tensor& out) {
  return logspace_out(out, start, end, steps, base);
}
inline Tensor& logspace_outf(const Tensor& start, const Tensor& end, int64_t steps, double base, Tensor& out) {
  return logspace_out(out, start, end, steps, base);
}
inline Tensor& logsumexp_outf(const Tensor& x, IntArrayRef dims, bool keepdim, Tensor& out) {
  return logsumexp_out(out, x, dims, keepdim);
}
inline Tensor& lt_outf(const Tensor& a, const Scalar& b, Tensor& out) { return lt_out(out, a, b); }
inline Tensor& lt_outf(const Tensor& a, const Tensor& b, Tensor& out) { return lt_out(out, a, b); }
inline Tensor& lu_solve_outf(const Tensor& B, const Tensor& LU, const Tensor& pivots, Tensor& out) {
  return lu_solve_out(out, B, LU, pivots);
}
inline Tensor& masked_fill_outf(const Tensor& x, const Tensor& mask, const Scalar& value, Tensor& out) {
  return masked_fill_out(out, x, mask, value);
}
inline Tensor& masked_fill_outf(const Tensor& x, const Tensor& mask, const Tensor& value, Tensor& out) {
  return masked_fill_out(out, x, mask, value);
}
inline Tensor& masked_scatter_outf(const Tensor& x, const Tensor& mask, const Tensor& source, Tensor& out) {
  return masked_scatter_out(out, x, mask, source);
}
inline Tensor& masked_select_outf(const Tensor& x, const Tensor& mask, Tensor& out) {
  return masked_select_out(out, x, mask);
}
inline Tensor& matmul_outf(const Tensor& a, const Tensor& b, Tensor& out) { return matmul_out(out, a, b); }
inline Tensor& matrix_power_outf(const Tensor& A, int64_t n, Tensor& out) { return matrix_power_out(out, A, n); }
inline Tensor& max_outf(const Tensor& a, const Tensor& b, Tensor& out) { return max_out(out, a, b); }
inline Tensor& max_outf(const Tensor& x, Tensor& out) { return max_out(out, x); }
inline Tensor& max_pool2d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode,
                                        Tensor& out) {
  return max_pool2d_backward_out(out, grad_output, self, kernel_size, stride, padding, dilation, ceil_mode);
}
inline Tensor& max_pool2d_with_indices_backward_outf(const Tensor& grad_output, const Tensor& self,
                                                     IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                                                     IntArrayRef dilation, bool ceil_mode, const Tensor& indices,
                                                     Tensor& out) {
  return max_pool2d_with_indices_backward_out(out, grad_output, self, kernel_size, stride, padding, dilation, ceil_mode,
                                              indices);
}
inline Tensor& max_pool3d_with_indices_backward_outf(const Tensor& grad_output, const Tensor& self,
                                                     IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                                                     IntArrayRef dilation, bool ceil_mode, const Tensor& indices,
                                                     Tensor& out) {
  return max_pool3d_with_indices_backward_out(out, grad_output, self, kernel_size, stride, padding, dilation, ceil_mode,
                                              indices);
}
inline Tensor& max_unpool2d_outf(const Tensor& input, const Tensor& indices, IntArrayRef output_size, Tensor& out) {
  return max_unpool2d_out(out, input, indices, output_size);
}
inline Tensor& max_unpool3d_outf(const Tensor& input, const Tensor& indices, IntArrayRef output_size,
                                 IntArrayRef stride, IntArrayRef padding, Tensor& out) {
  return max_unpool3d_out(out, input, indices, output_size, stride, padding);
}
inline Tensor& maximum_outf(const Tensor& a, const Tensor& b, Tensor& out) { return maximum_out(out, a, b); }
inline Tensor& mean_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype,
                         Tensor& out) {
  return mean_out(out, x, dims, keepdim, dtype);
}
inline Tensor& mean_outf(const Tensor& x, std::optional<DType> dtype, Tensor& out) { return mean_out(out, x, dtype); }
inline Tensor& median_outf(const Tensor& x, Tensor& out) { return median_out(out, x); }
inline Tensor& min_outf(const Tensor& a, const Tensor& b, Tensor& out) { return min_out(out, a, b); }
inline Tensor& min_outf(const Tensor& x, Tensor& out) { return min_out(out, x); }
inline Tensor& minimum_outf(const Tensor& a, const Tensor& b, Tensor& out) { return minimum_out(out, a, b); }
inline Tensor& mish_outf(const Tensor& x, Tensor& out) { return mish_out(out, x); }
inline Tensor& mm_outf(const Tensor& a, const Tensor& b, Tensor& out) { return mm_out(out, a, b); }
inline Tensor& mm_outf(const Tensor& self, const Tensor& mat2, DType out_dtype, Tensor& out) {
  return mm_out(out, self, mat2, out_dtype);
}
inline Tensor& mse_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                      int64_t reduction, Tensor& out) {
  return mse_loss_backward_out(out, grad_output, self, target, reduction);
}
inline Tensor& mse_loss_outf(const Tensor& x, const Tensor& target, int64_t reduction, Tensor& out) {
  return mse_loss_out(out, x, target, reduction);
}
inline Tensor& msort_outf(const Tensor& x, Tensor& out) { return msort_out(out, x); }
inline Tensor& mul_outf(const Scalar& a, const Tensor& b, Tensor& out) { return mul_out(out, a, b); }
inline Tensor& mul_outf(const Tensor& a, const Scalar& b, Tensor& out) { return mul_out(out, a, b); }
inline Tensor& mul_outf(const Tensor& a, const Tensor& b, Tensor& out) { return mul_out(out, a, b); }
inline Tensor& multi_margin_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                               const Scalar& p, const Scalar& margin,
                                               const std::optional<Tensor>& weight, int64_t reduction, Tensor& out) {
  return multi_margin_loss_backward_out(out, grad_output, self, target, p, margin, weight, reduction);
}
inline Tensor& multi_margin_loss_outf(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                                      const std::optional<Tensor>& weight, int64_t reduction, Tensor& out) {
  return multi_margin_loss_out(out, self, target, p, margin, weight, reduction);
}
inline Tensor& multilabel_margin_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                                    int64_t reduction, const Tensor& is_target, Tensor& out) {
  return multilabel_margin_loss_backward_out(out, grad_output, self, target, reduction, is_target);
}
inline Tensor& multilabel_margin_loss_outf(const Tensor& x, const Tensor& target, int64_t reduction, Tensor& out) {
  return multilabel_margin_loss_out(out, x, target, reduction);
}
inline Tensor& multinomial_outf(const Tensor& probs, int64_t num_samples, bool replacement, OptionalGenerator generator,
                                Tensor& out) {
  return multinomial_out(out, probs, num_samples, replacement, generator);
}
inline Tensor& mv_outf(const Tensor& a, const Tensor& v, Tensor& out) { return mv_out(out, a, v); }
inline Tensor& mvlgamma_outf(const Tensor& x, int64_t p, Tensor& out) { return mvlgamma_out(out, x, p); }
inline Tensor& nan_to_num_outf(const Tensor& x, std::optional<double> nan, std::optional<double> posinf,
                               std::optional<double> neginf, Tensor& out) {
  return nan_to_num_out(out, x, nan, posinf, neginf);
}
inline Tensor& nanmean_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype,
                            Tensor& out) {
  return nanmean_out(out, x, dims, keepdim, dtype);
}
inline Tensor& nanmedian_outf(const Tensor& x, Tensor& out) { return nanmedian_out(out, x); }
inline Tensor& nanquantile_outf(const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                                std::string_view interpolation, Tensor& out) {
  return nanquantile_out(out, x, q, dim, keepdim, interpolation);
}
inline Tensor& nanquantile_outf(const Tensor& x, double q, std::optional<int64_t> dim, bool keepdim,
                                std::string_view interpolation, Tensor& out) {
  return nanquantile_out(out, x, q, dim, keepdim, interpolation);
}
inline Tensor& nansum_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype,
                           Tensor& out) {
  return nansum_out(out, x, dims, keepdim, dtype);
}
inline Tensor& narrow_copy_outf(const Tensor& x, int64_t dim, int64_t start, int64_t length, Tensor& out) {
  return narrow_copy_out(out, x, dim, start, length);
}
inline Tensor& native_dropout_backward_outf(const Tensor& grad_output, const Tensor& mask, double scale, Tensor& out) {
  return native_dropout_backward_out(out, grad_output, mask, scale);
}
inline Tensor& native_norm_outf(const Tensor& self, const Scalar& p, Tensor& out) {
  return native_norm_out(out, self, p);
}
inline Tensor& native_norm_outf(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                                std::optional<DType> dtype, Tensor& out) {
  return native_norm_out(out, self, p, dim, keepdim, dtype);
}
inline Tensor& ne_outf(const Tensor& a, const Scalar& b, Tensor& out) { return ne_out(out, a, b); }
inline Tensor& ne_outf(const Tensor& a, const Tensor& b, Tensor& out) { return ne_out(out, a, b); }
inline Tensor& neg_outf(const Tensor& x, Tensor& out) { return neg_out(out, x); }
inline Tensor& negative_outf(const Tensor& x, Tensor& out) { return negative_out(out, x); }
inline Tensor& new_empty_outf(const Tensor& self, IntArrayRef size, Tensor& out) {
  return new_empty_out(out, self, size);
}
inline Tensor& new_empty_strided_outf(const Tensor& self, IntArrayRef size, IntArrayRef stride, Tensor& out) {
  return new_empty_strided_out(out, self, size, stride);
}
inline Tensor& new_full_outf(const Tensor& self, IntArrayRef size, const Scalar& fill_value, Tensor& out) {
  return new_full_out(out, self, size, fill_value);
}
inline Tensor& new_ones_outf(const Tensor& self, IntArrayRef size, Tensor& out) {
  return new_ones_out(out, self, size);
}
inline Tensor& new_zeros_outf(const Tensor& self, IntArrayRef size, Tensor& out) {
  return new_zeros_out(out, self, size);
}
inline Tensor& nextafter_outf(const Tensor& a, const Tensor& b, Tensor& out) { return nextafter_out(out, a, b); }
inline Tensor& nll_loss2d_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                        OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                                        const Tensor& total_weight, Tensor& out) {
  return nll_loss2d_backward_out(out, grad_output, self, target, weight, reduction, ignore_index, total_weight);
}
inline Tensor& nll_loss2d_outf(const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                               int64_t ignore_index, Tensor& out) {
  return nll_loss2d_out(out, x, target, weight, reduction, ignore_index);
}
inline Tensor& nll_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                      OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                                      const Tensor& total_weight, Tensor& out) {
  return nll_loss_backward_out(out, grad_output, self, target, weight, reduction, ignore_index, total_weight);
}
inline Tensor& nll_loss_outf(const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                             int64_t ignore_index, Tensor& out) {
  return nll_loss_out(out, x, target, weight, reduction, ignore_index);
}
inline Tensor& nonzero_outf(const Tensor& x, Tensor& out) { return nonzero_out(out, x); }
inline Tensor& nonzero_static_outf(const Tensor& x, int64_t size, int64_t fill_value, Tensor& out) {
  return nonzero_static_out(out, x, size, fill_value);
}
inline Tensor& norm_outf(const Tensor& x, const Scalar& p, Tensor& out) { return norm_out(out, x, p); }
inline Tensor& norm_outf(const Tensor& x, const std::optional<Scalar>& p, DType dtype, Tensor& out) {
  return norm_out(out, x, p, dtype);
}
inline Tensor& norm_outf(const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim, DType dtype,
                         Tensor& out) {
  return norm_out(out, x, p, dims, keepdim, dtype);
}
inline Tensor& norm_outf(const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim, Tensor& out) {
  return norm_out(out, x, p, dims, keepdim);
}
inline Tensor& normal_outf(const Tensor& mean, const Tensor& std, OptionalGenerator generator, Tensor& out) {
  return normal_out(out, mean, std, generator);
}
inline Tensor& normal_outf(const Tensor& mean, double std, OptionalGenerator generator, Tensor& out) {
  return normal_out(out, mean, std, generator);
}
inline Tensor& normal_outf(double mean, const Tensor& std, OptionalGenerator generator, Tensor& out) {
  return normal_out(out, mean, std, generator);
}
inline Tensor& normal_outf(double mean, double std, IntArrayRef sizes, OptionalGenerator generator, Tensor& out) {
  return normal_out(out, mean, std, sizes, generator);
}
inline Tensor& normal_outf(double mean, double std, IntArrayRef sizes, Tensor& out) {
  return normal_out(out, mean, std, sizes);
}
inline Tensor& nuclear_norm_outf(const Tensor& A, IntArrayRef dim, bool keepdim, Tensor& out) {
  return nuclear_norm_out(out, A, dim, keepdim);
}
inline Tensor& nuclear_norm_outf(const Tensor& A, bool keepdim, Tensor& out) {
  return nuclear_norm_out(out, A, keepdim);
}
inline Tensor& ones_like_outf(const Tensor& x, std::optional<MemoryFormat> memory_format, Tensor& out) {
  return ones_like_out(out, x, memory_format);
}
inline Tensor& ones_outf(IntArrayRef sizes, Tensor& out) { return ones_out(out, sizes); }
inline Tensor& orgqr_outf(const Tensor& A, const Tensor& tau, Tensor& out) { return orgqr_out(out, A, tau); }
inline Tensor& ormqr_outf(const Tensor& A, const Tensor& tau, const Tensor& other, bool left, bool transpose,
                          Tensor& out) {
  return ormqr_out(out, A, tau, other, left, transpose);
}
inline Tensor& outer_outf(const Tensor& a, const Tensor& b, Tensor& out) { return outer_out(out, a, b); }
inline Tensor& permute_copy_outf(const Tensor& x, IntArrayRef dims, Tensor& out) {
  return permute_copy_out(out, x, dims);
}
inline Tensor& pixel_shuffle_outf(const Tensor& self, int64_t upscale_factor, Tensor& out) {
  return pixel_shuffle_out(out, self, upscale_factor);
}
inline Tensor& pixel_unshuffle_outf(const Tensor& self, int64_t downscale_factor, Tensor& out) {
  return pixel_unshuffle_out(out, self, downscale_factor);
}
inline Tensor& poisson_outf(const Tensor& rate, OptionalGenerator generator, Tensor& out) {
  return poisson_out(out, rate, generator);
}
inline Tensor& polar_outf(const Tensor& abs, const Tensor& angle, Tensor& out) { return polar_out(out, abs, angle); }
inline Tensor& polygamma_outf(int64_t n, const Tensor& x, Tensor& out) { return polygamma_out(out, n, x); }
inline Tensor& pow_outf(const Scalar& a, const Tensor& b, Tensor& out) { return pow_out(out, a, b); }
inline Tensor& pow_outf(const Tensor& a, const Scalar& b, Tensor& out) { return pow_out(out, a, b); }
inline Tensor& pow_outf(const Tensor& a, const Tensor& b, Tensor& out) { return pow_out(out, a, b); }
inline Tensor& prod_outf(const Tensor& x, int64_t dim, bool keepdim, std::optional<DType> dtype, Tensor& out) {
  return prod_out(out, x, dim, keepdim, dtype);
}
inline Tensor& prod_outf(const Tensor& x, std::optional<DType> dtype, Tensor& out) { return prod_out(out, x, dtype); }
inline Tensor& put_outf(const Tensor& x, const Tensor& index, const Tensor& source, bool accumulate, Tensor& out) {
  return put_out(out, x, index, source, accumulate);
}
inline Tensor& quantile_outf(const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                             std::string_view interpolation, Tensor& out) {
  return quantile_out(out, x, q, dim, keepdim, interpolation);
}
inline Tensor& quantile_outf(const Tensor& x, double q, std::optional<int64_t> dim, bool keepdim,
                             std::string_view interpolation, Tensor& out) {
  return quantile_out(out, x, q, dim, keepdim, interpolation);
}
inline Tensor& rad2deg_outf(const Tensor& x, Tensor& out) { return rad2deg_out(out, x); }
inline Tensor& rand_like_outf(const Tensor& x, std::optional<MemoryFormat> memory_format, Tensor& out) {
  return rand_like_out(out, x, memory_format);
}
inline Tensor& rand_outf(IntArrayRef sizes, OptionalGenerator generator, Tensor& out) {
  return rand_out(out, sizes, generator);
}
inline Tensor& rand_outf(IntArrayRef sizes, Tensor& out) { return rand_out(out, sizes); }
inline Tensor& randint_like_outf(const Tensor& self, const Tensor& high, OptionalGenerator generator, Tensor& out) {
  return randint_like_out(out, self, high, generator);
}
inline Tensor& randint_like_outf(const Tensor& self, const Tensor& high, Tensor& out) {
  return randint_like_out(out, self, high);
}
inline Tensor& randint_like_outf(const Tensor& x, int64_t high, std::optional<MemoryFormat> memory_format,
                                 Tensor& out) {
  return randint_like_out(out, x, high, memory_format);
}
inline Tensor& randint_like_outf(const Tensor& x, int64_t low, int64_t high, std::optional<MemoryFormat> memory_format,
                                 Tensor& out) {
  return randint_like_out(out, x, low, high, memory_format);
}
inline Tensor& randint_outf(int64_t high, IntArrayRef sizes, OptionalGenerator generator, Tensor& out) {
  return randint_out(out, high, sizes, generator);
}
inline Tensor& randint_outf(int64_t high, IntArrayRef sizes, Tensor& out) { return randint_out(out, high, sizes); }
inline Tensor& randint_outf(int64_t low, int64_t high, IntArrayRef sizes, OptionalGenerator generator, Tensor& out) {
  return randint_out(out, low, high, sizes, generator);
}
inline Tensor& randint_outf(int64_t low, int64_t high, IntArrayRef sizes, Tensor& out) {
  return randint_out(out, low, high, sizes);
}
inline Tensor& randn_like_outf(const Tensor& x, std::optional<MemoryFormat> memory_format, Tensor& out) {
  return randn_like_out(out, x, memory_format);
}
inline Tensor& randn_outf(IntArrayRef sizes, OptionalGenerator generator, Tensor& out) {
  return randn_out(out, sizes, generator);
}
inline Tensor& randn_outf(IntArrayRef sizes, Tensor& out) { return randn_out(out, sizes); }
inline Tensor& randperm_outf(int64_t n, OptionalGenerator generator, Tensor& out) {
  return randperm_out(out, n, generator);
}
inline Tensor& randperm_outf(int64_t n, Tensor& out) { return randperm_out(out, n); }
inline Tensor& range_outf(const Scalar& start, const Scalar& end, Tensor& out) { return range_out(out, start, end); }
inline Tensor& range_outf(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  return range_out(out, start, end, step);
}
inline Tensor& reciprocal_outf(const Tensor& x, Tensor& out) { return reciprocal_out(out, x); }
inline Tensor& reflection_pad1d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                              Tensor& out) {
  return reflection_pad1d_backward_out(out, grad_output, self, padding);
}
inline Tensor& reflection_pad1d_outf(const Tensor& self, IntArrayRef padding, Tensor& out) {
  return reflection_pad1d_out(out, self, padding);
}
inline Tensor& reflection_pad2d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                              Tensor& out) {
  return reflection_pad2d_backward_out(out, grad_output, self, padding);
}
inline Tensor& reflection_pad2d_outf(const Tensor& self, IntArrayRef padding, Tensor& out) {
  return reflection_pad2d_out(out, self, padding);
}
inline Tensor& reflection_pad3d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                              Tensor& out) {
  return reflection_pad3d_backward_out(out, grad_output, self, padding);
}
inline Tensor& reflection_pad3d_outf(const Tensor& self, IntArrayRef padding, Tensor& out) {
  return reflection_pad3d_out(out, self, padding);
}
inline Tensor& relu_outf(const Tensor& x, Tensor& out) { return relu_out(out, x); }
inline Tensor& remainder_outf(const Scalar& a, const Tensor& b, Tensor& out) { return remainder_out(out, a, b); }
inline Tensor& remainder_outf(const Tensor& a, const Scalar& b, Tensor& out) { return remainder_out(out, a, b); }
inline Tensor& remainder_outf(const Tensor& a, const Tensor& b, Tensor& out) { return remainder_out(out, a, b); }
inline Tensor& renorm_outf(const Tensor& x, const Scalar& p, int64_t dim, const Scalar& maxnorm, Tensor& out) {
  return renorm_out(out, x, p, dim, maxnorm);
}
inline Tensor& repeat_interleave_outf(const Tensor& repeats, std::optional<int64_t> output_size, Tensor& out) {
  return repeat_interleave_out(out, repeats, output_size);
}
inline Tensor& repeat_interleave_outf(const Tensor& x, const Tensor& repeats, std::optional<int64_t> dim,
                                      std::optional<int64_t> output_size, Tensor& out) {
  return repeat_interleave_out(out, x, repeats, dim, output_size);
}
inline Tensor& repeat_interleave_outf(const Tensor& x, int64_t repeats, std::optional<int64_t> dim,
                                      std::optional<int64_t> output_size, Tensor& out) {
  return repeat_interleave_out(out, x, repeats, dim, output_size);
}
inline Tensor& repeat_outf(const Tensor& x, IntArrayRef repeats, Tensor& out) { return repeat_out(out, x, repeats); }
inline Tensor& replication_pad1d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                               Tensor& out) {
  return replication_pad1d_backward_out(out, grad_output, self, padding);
}
inline Tensor& replication_pad1d_outf(const Tensor& self, IntArrayRef padding, Tensor& out) {
  return replication_pad1d_out(out, self, padding);
}
inline Tensor& replication_pad2d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                               Tensor& out) {
  return replication_pad2d_backward_out(out, grad_output, self, padding);
}
inline Tensor& replication_pad2d_outf(const Tensor& self, IntArrayRef padding, Tensor& out) {
  return replication_pad2d_out(out, self, padding);
}
inline Tensor& replication_pad3d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                               Tensor& out) {
  return replication_pad3d_backward_out(out, grad_output, self, padding);
}
inline Tensor& replication_pad3d_outf(const Tensor& self, IntArrayRef padding, Tensor& out) {
  return replication_pad3d_out(out, self, padding);
}
inline Tensor& resize_as_outf(const Tensor& self, const Tensor& other, std::optional<MemoryFormat> format,
                              Tensor& out) {
  return resize_as_out(out, self, other, format);
}
inline Tensor& resize_outf(const Tensor& self, IntArrayRef size, std::optional<MemoryFormat> format, Tensor& out) {
  return resize_out(out, self, size, format);
}
inline Tensor& roll_outf(const Tensor& x, IntArrayRef shifts, IntArrayRef dims, Tensor& out) {
  return roll_out(out, x, shifts, dims);
}
inline Tensor& rot90_outf(const Tensor& x, int64_t k, IntArrayRef dims, Tensor& out) {
  return rot90_out(out, x, k, dims);
}
inline Tensor& round_outf(const Tensor& x, Tensor& out) { return round_out(out, x); }
inline Tensor& round_outf(const Tensor& x, int64_t decimals, Tensor& out) { return round_out(out, x, decimals); }
inline Tensor& row_stack_outf(TensorList tensors, Tensor& out) { return row_stack_out(out, tensors); }
inline Tensor& rrelu_with_noise_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& noise,
                                              const Scalar& lower, const Scalar& upper, bool training,
                                              bool self_is_result, Tensor& out) {
  return rrelu_with_noise_backward_out(out, grad_output, self, noise, lower, upper, training, self_is_result);
}
inline Tensor& rrelu_with_noise_outf(const Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper,
                                     bool training, OptionalGenerator generator, Tensor& out) {
  return rrelu_with_noise_out(out, self, noise, lower, upper, training, generator);
}
inline Tensor& rsqrt_outf(const Tensor& x, Tensor& out) { return rsqrt_out(out, x); }
inline Tensor& rsub_outf(const Tensor& a, const Scalar& b, const Scalar& alpha, Tensor& out) {
  return rsub_out(out, a, b, alpha);
}
inline Tensor& rsub_outf(const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  return rsub_out(out, a, b, alpha);
}
inline Tensor& scalar_tensor_outf(const Scalar& value, Tensor& out) { return scalar_tensor_out(out, value); }
inline Tensor& scatter_add_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Tensor& out) {
  return scatter_add_out(out, x, dim, index, source);
}
inline Tensor& scatter_outf(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value, Tensor& out) {
  return scatter_out(out, x, dim, index, value);
}
inline Tensor& scatter_outf(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value,
                            std::string_view reduce, Tensor& out) {
  return scatter_out(out, x, dim, index, value, reduce);
}
inline Tensor& scatter_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Tensor& out) {
  return scatter_out(out, x, dim, index, source);
}
inline Tensor& scatter_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                            std::string_view reduce, Tensor& out) {
  return scatter_out(out, x, dim, index, source, reduce);
}
inline Tensor& scatter_reduce_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                                   std::string_view reduce, bool include_self, Tensor& out) {
  return scatter_reduce_out(out, x, dim, index, source, reduce, include_self);
}
inline Tensor& searchsorted_outf(const Tensor& sorted, const Scalar& value, bool out_int32, bool right,
                                 std::optional<std::string_view> side, OptionalTensorRef sorter, Tensor& out) {
  return searchsorted_out(out, sorted, value, out_int32, right, side, sorter);
}
inline Tensor& searchsorted_outf(const Tensor& sorted, const Tensor& values, bool out_int32, bool right,
                                 std::optional<std::string_view> side, OptionalTensorRef sorter, Tensor& out) {
  return searchsorted_out(out, sorted, values, out_int32, right, side, sorter);
}
inline Tensor& segment_reduce_outf(const Tensor& data, std::string_view reduce, const std::optional<Tensor>& lengths,
                                   const std::optional<Tensor>& indices, const std::optional<Tensor>& offsets,
                                   int64_t axis, bool unsafe, const std::optional<Scalar>& initial, Tensor& out) {
  return segment_reduce_out(out, data, reduce, lengths, indices, offsets, axis, unsafe, initial);
}
inline Tensor& select_backward_outf(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t index,
                                    Tensor& out) {
  return select_backward_out(out, grad, input_sizes, dim, index);
}
inline Tensor& select_copy_outf(const Tensor& x, int64_t dim, int64_t index, Tensor& out) {
  return select_copy_out(out, x, dim, index);
}
inline Tensor& select_scatter_outf(const Tensor& base, const Tensor& source, int64_t dim, int64_t index, Tensor& out) {
  return select_scatter_out(out, base, source, dim, index);
}
inline Tensor& set_outf(const Tensor& self, Tensor& out) { return set_out(out, self); }
inline Tensor& set_outf(const Tensor& self, const Storage& source, Tensor& out) { return set_out(out, self, source); }
inline Tensor& set_outf(const Tensor& self, const Storage& source, int64_t storage_offset, IntArrayRef size,
                        IntArrayRef stride, Tensor& out) {
  return set_out(out, self, source, storage_offset, size, stride);
}
inline Tensor& set_outf(const Tensor& self, const Tensor& source, Tensor& out) { return set_out(out, self, source); }
inline Tensor& sgn_outf(const Tensor& x, Tensor& out) { return sgn_out(out, x); }
inline Tensor& sigmoid_backward_outf(const Tensor& grad_output, const Tensor& output, Tensor& out) {
  return sigmoid_backward_out(out, grad_output, output);
}
inline Tensor& sigmoid_outf(const Tensor& x, Tensor& out) { return sigmoid_out(out, x); }
inline Tensor& sign_outf(const Tensor& x, Tensor& out) { return sign_out(out, x); }
inline Tensor& signbit_outf(const Tensor& x, Tensor& out) { return signbit_out(out, x); }
inline Tensor& silu_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& out) {
  return silu_backward_out(out, grad_output, self);
}
inline Tensor& silu_outf(const Tensor& x, Tensor& out) { return silu_out(out, x); }
inline Tensor& sin_outf(const Tensor& x, Tensor& out) { return sin_out(out, x); }
inline Tensor& sinc_outf(const Tensor& x, Tensor& out) { return sinc_out(out, x); }
inline Tensor& sinh_outf(const Tensor& x, Tensor& out) { return sinh_out(out, x); }
inline Tensor& slice_backward_outf(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t start, int64_t end,
                                   int64_t step, Tensor& out) {
  return slice_backward_out(out, grad, input_sizes, dim, start, end, step);
}
inline Tensor& slice_copy_outf(const Tensor& x, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                               int64_t step, Tensor& out) {
  return slice_copy_out(out, x, dim, start, end, step);
}
inline Tensor& slice_scatter_outf(const Tensor& base, const Tensor& source, int64_t dim, std::optional<int64_t> start,
                                  std::optional<int64_t> end, int64_t step, Tensor& out) {
  return slice_scatter_out(out, base, source, dim, start, end, step);
}
inline Tensor& slow_conv3d_forward_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                        OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, Tensor& out) {
  return slow_conv3d_forward_out(out, self, weight, kernel_size, bias, stride, padding);
}
inline Tensor& slow_conv3d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, Tensor& out) {
  return slow_conv3d_out(out, self, weight, kernel_size, bias, stride, padding);
}
inline Tensor& slow_conv_dilated2d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                        OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding,
                                        IntArrayRef dilation, Tensor& out) {
  return slow_conv_dilated2d_out(out, self, weight, kernel_size, bias, stride, padding, dilation);
}
inline Tensor& slow_conv_dilated3d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                        OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding,
                                        IntArrayRef dilation, Tensor& out) {
  return slow_conv_dilated3d_out(out, self, weight, kernel_size, bias, stride, padding, dilation);
}
inline Tensor& slow_conv_transpose2d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                          OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding,
                                          IntArrayRef output_padding, IntArrayRef dilation, Tensor& out) {
  return slow_conv_transpose2d_out(out, self, weight, kernel_size, bias, stride, padding, output_padding, dilation);
}
inline Tensor& slow_conv_transpose3d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                          OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding,
                                          IntArrayRef output_padding, IntArrayRef dilation, Tensor& out) {
  return slow_conv_transpose3d_out(out, self, weight, kernel_size, bias, stride, padding, output_padding, dilation);
}
inline Tensor& smooth_l1_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                            int64_t reduction, double beta, Tensor& out) {
  return smooth_l1_loss_backward_out(out, grad_output, self, target, reduction, beta);
}
inline Tensor& smooth_l1_loss_outf(const Tensor& x, const Tensor& target, int64_t reduction, double beta, Tensor& out) {
  return smooth_l1_loss_out(out, x, target, reduction, beta);
}
inline Tensor& soft_margin_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                              int64_t reduction, Tensor& out) {
  return soft_margin_loss_backward_out(out, grad_output, self, target, reduction);
}
inline Tensor& soft_margin_loss_outf(const Tensor& x, const Tensor& target, int64_t reduction, Tensor& out) {
  return soft_margin_loss_out(out, x, target, reduction);
}
inline Tensor& softmax_outf(const Tensor& x, int64_t dim, std::optional<DType> dtype, Tensor& out) {
  return softmax_out(out, x, dim, dtype);
}
inline Tensor& softplus_backward_outf(const Tensor& grad_output, const Tensor& self, const Scalar& beta,
                                      const Scalar& threshold, Tensor& out) {
  return softplus_backward_out(out, grad_output, self, beta, threshold);
}
inline Tensor& softplus_outf(const Tensor& x, const Scalar& beta, const Scalar& threshold, Tensor& out) {
  return softplus_out(out, x, beta, threshold);
}
inline Tensor& softshrink_backward_outf(const Tensor& grad_output, const Tensor& self, const Scalar& lambd,
                                        Tensor& out) {
  return softshrink_backward_out(out, grad_output, self, lambd);
}
inline Tensor& softshrink_outf(const Tensor& x, const Scalar& lambda, Tensor& out) {
  return softshrink_out(out, x, lambda);
}
inline Tensor& special_airy_ai_outf(const Tensor& x, Tensor& out) { return special_airy_ai_out(out, x); }
inline Tensor& special_bessel_j0_outf(const Tensor& x, Tensor& out) { return special_bessel_j0_out(out, x); }
inline Tensor& special_bessel_j1_outf(const Tensor& x, Tensor& out) { return special_bessel_j1_out(out, x); }
inline Tensor& special_bessel_y0_outf(const Tensor& x, Tensor& out) { return special_bessel_y0_out(out, x); }
inline Tensor& special_bessel_y1_outf(const Tensor& x, Tensor& out) { return special_bessel_y1_out(out, x); }
inline Tensor& special_chebyshev_polynomial_t_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_t_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_t_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_chebyshev_polynomial_t_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_t_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_t_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_u_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_u_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_u_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_chebyshev_polynomial_u_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_u_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_u_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_v_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_v_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_v_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_chebyshev_polynomial_v_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_v_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_v_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_w_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_w_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_w_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_chebyshev_polynomial_w_out(out, x, n);
}
inline Tensor& special_chebyshev_polynomial_w_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_w_out(out, x, n);
}
inline Tensor& special_digamma_outf(const Tensor& x, Tensor& out) { return special_digamma_out(out, x); }
inline Tensor& special_entr_outf(const Tensor& x, Tensor& out) { return special_entr_out(out, x); }
inline Tensor& special_erf_outf(const Tensor& x, Tensor& out) { return special_erf_out(out, x); }
inline Tensor& special_erfc_outf(const Tensor& x, Tensor& out) { return special_erfc_out(out, x); }
inline Tensor& special_erfcx_outf(const Tensor& x, Tensor& out) { return special_erfcx_out(out, x); }
inline Tensor& special_erfinv_outf(const Tensor& x, Tensor& out) { return special_erfinv_out(out, x); }
inline Tensor& special_exp2_outf(const Tensor& x, Tensor& out) { return special_exp2_out(out, x); }
inline Tensor& special_expit_outf(const Tensor& x, Tensor& out) { return special_expit_out(out, x); }
inline Tensor& special_expm1_outf(const Tensor& x, Tensor& out) { return special_expm1_out(out, x); }
inline Tensor& special_gammainc_outf(const Tensor& a, const Tensor& x, Tensor& out) {
  return special_gammainc_out(out, a, x);
}
inline Tensor& special_gammaincc_outf(const Tensor& a, const Tensor& x, Tensor& out) {
  return special_gammaincc_out(out, a, x);
}
inline Tensor& special_gammaln_outf(const Tensor& x, Tensor& out) { return special_gammaln_out(out, x); }
inline Tensor& special_hermite_polynomial_h_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_hermite_polynomial_h_out(out, x, n);
}
inline Tensor& special_hermite_polynomial_h_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_hermite_polynomial_h_out(out, x, n);
}
inline Tensor& special_hermite_polynomial_h_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_hermite_polynomial_h_out(out, x, n);
}
inline Tensor& special_hermite_polynomial_he_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_hermite_polynomial_he_out(out, x, n);
}
inline Tensor& special_hermite_polynomial_he_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_hermite_polynomial_he_out(out, x, n);
}
inline Tensor& special_hermite_polynomial_he_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_hermite_polynomial_he_out(out, x, n);
}
inline Tensor& special_i0_outf(const Tensor& x, Tensor& out) { return special_i0_out(out, x); }
inline Tensor& special_i0e_outf(const Tensor& x, Tensor& out) { return special_i0e_out(out, x); }
inline Tensor& special_i1_outf(const Tensor& x, Tensor& out) { return special_i1_out(out, x); }
inline Tensor& special_i1e_outf(const Tensor& x, Tensor& out) { return special_i1e_out(out, x); }
inline Tensor& special_laguerre_polynomial_l_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_laguerre_polynomial_l_out(out, x, n);
}
inline Tensor& special_laguerre_polynomial_l_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_laguerre_polynomial_l_out(out, x, n);
}
inline Tensor& special_laguerre_polynomial_l_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_laguerre_polynomial_l_out(out, x, n);
}
inline Tensor& special_legendre_polynomial_p_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_legendre_polynomial_p_out(out, x, n);
}
inline Tensor& special_legendre_polynomial_p_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_legendre_polynomial_p_out(out, x, n);
}
inline Tensor& special_legendre_polynomial_p_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_legendre_polynomial_p_out(out, x, n);
}
inline Tensor& special_log1p_outf(const Tensor& x, Tensor& out) { return special_log1p_out(out, x); }
inline Tensor& special_log_ndtr_outf(const Tensor& x, Tensor& out) { return special_log_ndtr_out(out, x); }
inline Tensor& special_logit_outf(const Tensor& x, std::optional<double> eps, Tensor& out) {
  return special_logit_out(out, x, eps);
}
inline Tensor& special_logsumexp_outf(const Tensor& x, IntArrayRef dims, bool keepdim, Tensor& out) {
  return special_logsumexp_out(out, x, dims, keepdim);
}
inline Tensor& special_modified_bessel_i0_outf(const Tensor& x, Tensor& out) {
  return special_modified_bessel_i0_out(out, x);
}
inline Tensor& special_modified_bessel_i1_outf(const Tensor& x, Tensor& out) {
  return special_modified_bessel_i1_out(out, x);
}
inline Tensor& special_modified_bessel_k0_outf(const Tensor& x, Tensor& out) {
  return special_modified_bessel_k0_out(out, x);
}
inline Tensor& special_modified_bessel_k1_outf(const Tensor& x, Tensor& out) {
  return special_modified_bessel_k1_out(out, x);
}
inline Tensor& special_multigammaln_outf(const Tensor& x, int64_t p, Tensor& out) {
  return special_multigammaln_out(out, x, p);
}
inline Tensor& special_ndtr_outf(const Tensor& x, Tensor& out) { return special_ndtr_out(out, x); }
inline Tensor& special_ndtri_outf(const Tensor& x, Tensor& out) { return special_ndtri_out(out, x); }
inline Tensor& special_polygamma_outf(int64_t n, const Tensor& x, Tensor& out) {
  return special_polygamma_out(out, n, x);
}
inline Tensor& special_psi_outf(const Tensor& x, Tensor& out) { return special_psi_out(out, x); }
inline Tensor& special_round_outf(const Tensor& x, Tensor& out) { return special_round_out(out, x); }
inline Tensor& special_round_outf(const Tensor& x, int64_t decimals, Tensor& out) {
  return special_round_out(out, x, decimals);
}
inline Tensor& special_scaled_modified_bessel_k0_outf(const Tensor& x, Tensor& out) {
  return special_scaled_modified_bessel_k0_out(out, x);
}
inline Tensor& special_scaled_modified_bessel_k1_outf(const Tensor& x, Tensor& out) {
  return special_scaled_modified_bessel_k1_out(out, x);
}
inline Tensor& special_shifted_chebyshev_polynomial_t_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_t_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_t_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_t_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_t_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_t_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_u_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_u_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_u_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_u_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_u_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_u_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_v_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_v_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_v_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_v_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_v_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_v_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_w_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_w_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_w_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_w_out(out, x, n);
}
inline Tensor& special_shifted_chebyshev_polynomial_w_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_w_out(out, x, n);
}
inline Tensor& special_sinc_outf(const Tensor& x, Tensor& out) { return special_sinc_out(out, x); }
inline Tensor& special_spherical_bessel_j0_outf(const Tensor& x, Tensor& out) {
  return special_spherical_bessel_j0_out(out, x);
}
inline Tensor& special_xlog1py_outf(const Scalar& a, const Tensor& b, Tensor& out) {
  return special_xlog1py_out(out, a, b);
}
inline Tensor& special_xlog1py_outf(const Tensor& a, const Scalar& b, Tensor& out) {
  return special_xlog1py_out(out, a, b);
}
inline Tensor& special_xlog1py_outf(const Tensor& a, const Tensor& b, Tensor& out) {
  return special_xlog1py_out(out, a, b);
}
inline Tensor& special_xlogy_outf(const Scalar& a, const Tensor& b, Tensor& out) {
  return special_xlogy_out(out, a, b);
}
inline Tensor& special_xlogy_outf(const Tensor& a, const Scalar& b, Tensor& out) {
  return special_xlogy_out(out, a, b);
}
inline Tensor& special_xlogy_outf(const Tensor& a, const Tensor& b, Tensor& out) {
  return special_xlogy_out(out, a, b);
}
inline Tensor& special_zeta_outf(const Scalar& x, const Tensor& q, Tensor& out) { return special_zeta_out(out, x, q); }
inline Tensor& special_zeta_outf(const Tensor& x, const Scalar& q, Tensor& out) { return special_zeta_out(out, x, q); }
inline Tensor& special_zeta_outf(const Tensor& x, const Tensor& q, Tensor& out) { return special_zeta_out(out, x, q); }
inline Tensor& sqrt_outf(const Tensor& x, Tensor& out) { return sqrt_out(out, x); }
inline Tensor& square_outf(const Tensor& x, Tensor& out) { return square_out(out, x); }
inline Tensor& squeeze_copy_outf(const Tensor& x, IntArrayRef dims, Tensor& out) {
  return squeeze_copy_out(out, x, dims);
}
inline Tensor& squeeze_copy_outf(const Tensor& x, Tensor& out) { return squeeze_copy_out(out, x); }
inline Tensor& squeeze_copy_outf(const Tensor& x, int64_t dim, Tensor& out) { return squeeze_copy_out(out, x, dim); }
inline Tensor& stack_outf(TensorList tensors, int64_t dim, Tensor& out) { return stack_out(out, tensors, dim); }
inline Tensor& std_outf(const Tensor& x, OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                        bool keepdim, Tensor& out) {
  return std_out(out, x, dims, correction, keepdim);
}
inline Tensor& sub_outf(const Scalar& a, const Tensor& b, Tensor& out) { return sub_out(out, a, b); }
inline Tensor& sub_outf(const Tensor& a, const Scalar& b, const Scalar& alpha, Tensor& out) {
  return sub_out(out, a, b, alpha);
}
inline Tensor& sub_outf(const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  return sub_out(out, a, b, alpha);
}
inline Tensor& sum_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype,
                        Tensor& out) {
  return sum_out(out, x, dims, keepdim, dtype);
}
inline Tensor& sum_outf(const Tensor& x, std::optional<DType> dtype, Tensor& out) { return sum_out(out, x, dtype); }
inline Tensor& t_copy_outf(const Tensor& x, Tensor& out) { return t_copy_out(out, x); }
inline Tensor& take_along_dim_outf(const Tensor& x, const Tensor& index, std::optional<int64_t> dim, Tensor& out) {
  return take_along_dim_out(out, x, index, dim);
}
inline Tensor& take_outf(const Tensor& x, const Tensor& index, Tensor& out) { return take_out(out, x, index); }
inline Tensor& tan_outf(const Tensor& x, Tensor& out) { return tan_out(out, x); }
inline Tensor& tanh_backward_outf(const Tensor& grad_output, const Tensor& output, Tensor& out) {
  return tanh_backward_out(out, grad_output, output);
}
inline Tensor& tanh_outf(const Tensor& x, Tensor& out) { return tanh_out(out, x); }
inline Tensor& tensordot_outf(const Tensor& a, const Tensor& b, IntArrayRef dims_a, IntArrayRef dims_b, Tensor& out) {
  return tensordot_out(out, a, b, dims_a, dims_b);
}
inline Tensor& tensordot_outf(const Tensor& a, const Tensor& b, int64_t dims, Tensor& out) {
  return tensordot_out(out, a, b, dims);
}
inline Tensor& thnn_conv2d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, Tensor& out) {
  return thnn_conv2d_out(out, self, weight, kernel_size, bias, stride, padding);
}
inline Tensor& threshold_backward_outf(const Tensor& grad_output, const Tensor& self, const Scalar& threshold,
                                       Tensor& out) {
  return threshold_backward_out(out, grad_output, self, threshold);
}
inline Tensor& threshold_outf(const Tensor& x, const Scalar& threshold, const Scalar& value, Tensor& out) {
  return threshold_out(out, x, threshold, value);
}
inline Tensor& trace_outf(const Tensor& x, Tensor& out) { return trace_out(out, x); }
inline Tensor& transpose_copy_outf(const Tensor& x, int64_t a, int64_t b, Tensor& out) {
  return transpose_copy_out(out, x, a, b);
}
inline Tensor& tril_indices_outf(int64_t rows, int64_t cols, int64_t offset, Tensor& out) {
  return tril_indices_out(out, rows, cols, offset);
}
inline Tensor& tril_outf(const Tensor& x, int64_t diagonal, Tensor& out) { return tril_out(out, x, diagonal); }
inline Tensor& triu_indices_outf(int64_t rows, int64_t cols, int64_t offset, Tensor& out) {
  return triu_indices_out(out, rows, cols, offset);
}
inline Tensor& triu_outf(const Tensor& x, int64_t diagonal, Tensor& out) { return triu_out(out, x, diagonal); }
inline Tensor& trunc_outf(const Tensor& x, Tensor& out) { return trunc_out(out, x); }
inline Tensor& unfold_backward_outf(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t size,
                                    int64_t step, Tensor& out) {
  return unfold_backward_out(out, grad, input_sizes, dim, size, step);
}
inline Tensor& unfold_copy_outf(const Tensor& x, int64_t dim, int64_t size, int64_t step, Tensor& out) {
  return unfold_copy_out(out, x, dim, size, step);
}
inline Tensor& uniform_outf(const Tensor& self, double from, double to, OptionalGenerator generator, Tensor& out) {
  return uniform_out(out, self, from, to, generator);
}
inline Tensor& unsqueeze_copy_outf(const Tensor& x, int64_t dim, Tensor& out) {
  return unsqueeze_copy_out(out, x, dim);
}
inline Tensor& upsample_bicubic2d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                IntArrayRef input_size, bool align_corners,
                                                std::optional<double> scales_h, std::optional<double> scales_w,
                                                Tensor& out) {
  return upsample_bicubic2d_backward_out(out, grad_output, output_size, input_size, align_corners, scales_h, scales_w);
}
inline Tensor& upsample_bicubic2d_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                       std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out) {
  return upsample_bicubic2d_out(out, self, size, align_corners, scales_h, scales_w);
}
inline Tensor& upsample_bicubic2d_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                       std::optional<ArrayRef<double>> scales, Tensor& out) {
  return upsample_bicubic2d_out(out, self, size, align_corners, scales);
}
inline Tensor& upsample_bilinear2d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                 IntArrayRef input_size, bool align_corners,
                                                 std::optional<double> scales_h, std::optional<double> scales_w,
                                                 Tensor& out) {
  return upsample_bilinear2d_backward_out(out, grad_output, output_size, input_size, align_corners, scales_h, scales_w);
}
inline Tensor& upsample_bilinear2d_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                        std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out) {
  return upsample_bilinear2d_out(out, self, size, align_corners, scales_h, scales_w);
}
inline Tensor& upsample_bilinear2d_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                        std::optional<ArrayRef<double>> scales, Tensor& out) {
  return upsample_bilinear2d_out(out, self, size, align_corners, scales);
}
inline Tensor& upsample_linear1d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                               IntArrayRef input_size, bool align_corners, std::optional<double> scales,
                                               Tensor& out) {
  return upsample_linear1d_backward_out(out, grad_output, output_size, input_size, align_corners, scales);
}
inline Tensor& upsample_linear1d_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                      std::optional<double> scales, Tensor& out) {
  return upsample_linear1d_out(out, self, size, align_corners, scales);
}
inline Tensor& upsample_linear1d_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                      std::optional<ArrayRef<double>> scales, Tensor& out) {
  return upsample_linear1d_out(out, self, size, align_corners, scales);
}
inline Tensor& upsample_nearest1d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                IntArrayRef input_size, std::optional<double> scales, Tensor& out) {
  return upsample_nearest1d_backward_out(out, grad_output, output_size, input_size, scales);
}
inline Tensor& upsample_nearest1d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales,
                                       Tensor& out) {
  return upsample_nearest1d_out(out, self, size, scales);
}
inline Tensor& upsample_nearest1d_outf(const Tensor& self, OptionalIntArrayRef size,
                                       std::optional<ArrayRef<double>> scales, Tensor& out) {
  return upsample_nearest1d_out(out, self, size, scales);
}
inline Tensor& upsample_nearest2d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                IntArrayRef input_size, std::optional<double> scales_h,
                                                std::optional<double> scales_w, Tensor& out) {
  return upsample_nearest2d_backward_out(out, grad_output, output_size, input_size, scales_h, scales_w);
}
inline Tensor& upsample_nearest2d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales_h,
                                       std::optional<double> scales_w, Tensor& out) {
  return upsample_nearest2d_out(out, self, size, scales_h, scales_w);
}
inline Tensor& upsample_nearest2d_outf(const Tensor& self, OptionalIntArrayRef size,
                                       std::optional<ArrayRef<double>> scales, Tensor& out) {
  return upsample_nearest2d_out(out, self, size, scales);
}
inline Tensor& upsample_nearest3d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                IntArrayRef input_size, std::optional<double> scales_d,
                                                std::optional<double> scales_h, std::optional<double> scales_w,
                                                Tensor& out) {
  return upsample_nearest3d_backward_out(out, grad_output, output_size, input_size, scales_d, scales_h, scales_w);
}
inline Tensor& upsample_nearest3d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales_d,
                                       std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out) {
  return upsample_nearest3d_out(out, self, size, scales_d, scales_h, scales_w);
}
inline Tensor& upsample_nearest3d_outf(const Tensor& self, OptionalIntArrayRef size,
                                       std::optional<ArrayRef<double>> scales, Tensor& out) {
  return upsample_nearest3d_out(out, self, size, scales);
}
inline Tensor& upsample_trilinear3d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                  IntArrayRef input_size, bool align_corners,
                                                  std::optional<double> scales_d, std::optional<double> scales_h,
                                                  std::optional<double> scales_w, Tensor& out) {
  return upsample_trilinear3d_backward_out(out, grad_output, output_size, input_size, align_corners, scales_d, scales_h,
                                           scales_w);
}
inline Tensor& upsample_trilinear3d_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                         std::optional<double> scales_d, std::optional<double> scales_h,
                                         std::optional<double> scales_w, Tensor& out) {
  return upsample_trilinear3d_out(out, self, size, align_corners, scales_d, scales_h, scales_w);
}
inline Tensor& upsample_trilinear3d_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                         std::optional<ArrayRef<double>> scales, Tensor& out) {
  return upsample_trilinear3d_out(out, self, size, align_corners, scales);
}
inline Tensor& var_outf(const Tensor& x, OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                        bool keepdim, Tensor& out) {
  return var_out(out, x, dims, correction, keepdim);
}
inline Tensor& vdot_outf(const Tensor& a, const Tensor& b, Tensor& out) { return vdot_out(out, a, b); }
inline Tensor& view_as_complex_copy_outf(const Tensor& x, Tensor& out) { return view_as_complex_copy_out(out, x); }
inline Tensor& view_as_real_copy_outf(const Tensor& x, Tensor& out) { return view_as_real_copy_out(out, x); }
inline Tensor& view_copy_outf(const Tensor& self, DType dtype, Tensor& out) { return view_copy_out(out, self, dtype); }
inline Tensor& view_copy_outf(const Tensor& x, IntArrayRef sizes, Tensor& out) { return view_copy_out(out, x, sizes); }
inline Tensor& vstack_outf(TensorList tensors, Tensor& out) { return vstack_out(out, tensors); }
inline Tensor& where_outf(const Tensor& condition, const Scalar& a, const Scalar& b, Tensor& out) {
  return where_out(out, condition, a, b);
}
inline Tensor& where_outf(const Tensor& condition, const Scalar& a, const Tensor& b, Tensor& out) {
  return where_out(out, condition, a, b);
}
inline Tensor& where_outf(const Tensor& condition, const Tensor& a, const Scalar& b, Tensor& out) {
  return where_out(out, condition, a, b);
}
inline Tensor& where_outf(const Tensor& condition, const Tensor& a, const Tensor& b, Tensor& out) {
  return where_out(out, condition, a, b);
}
inline Tensor& xlogy_outf(const Scalar& a, const Tensor& b, Tensor& out) { return xlogy_out(out, a, b); }
inline Tensor& xlogy_outf(const Tensor& a, const Scalar& b, Tensor& out) { return xlogy_out(out, a, b); }
inline Tensor& xlogy_outf(const Tensor& a, const Tensor& b, Tensor& out) { return xlogy_out(out, a, b); }
inline Tensor& zero_outf(const Tensor& self, Tensor& out) { return zero_out(out, self); }
inline Tensor& zeros_like_outf(const Tensor& x, std::optional<MemoryFormat> memory_format, Tensor& out) {
  return zeros_like_out(out, x, memory_format);
}
inline Tensor& zeros_outf(IntArrayRef sizes, Tensor& out) { return zeros_out(out, sizes); }
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _batch_norm_no_update_outf(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, OptionalTensorRef running_mean,
    OptionalTensorRef running_var, double momentum, double eps, Tensor& out0, Tensor& out1, Tensor& out2,
    Tensor& out3) {
  return _batch_norm_no_update_out(out0, out1, out2, out3, input, weight, bias, running_mean, running_var, momentum,
                                   eps);
}
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _batch_norm_with_update_outf(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, Tensor& running_mean, Tensor& running_var,
    double momentum, double eps, Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3) {
  return _batch_norm_with_update_out(out0, out1, out2, out3, input, weight, bias, running_mean, running_var, momentum,
                                     eps);
}
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _embedding_bag_forward_only_outf(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq, int64_t mode,
    bool sparse, OptionalTensorRef per_sample_weights, bool include_last_offset, int64_t padding_idx, Tensor& out0,
    Tensor& out1, Tensor& out2, Tensor& out3) {
  return _embedding_bag_forward_only_out(out0, out1, out2, out3, weight, indices, offsets, scale_grad_by_freq, mode,
                                         sparse, per_sample_weights, include_last_offset, padding_idx);
}
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _embedding_bag_outf(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq, int64_t mode,
    bool sparse, OptionalTensorRef per_sample_weights, bool include_last_offset, int64_t padding_idx, Tensor& out0,
    Tensor& out1, Tensor& out2, Tensor& out3) {
  return _embedding_bag_out(out0, out1, out2, out3, weight, indices, offsets, scale_grad_by_freq, mode, sparse,
                            per_sample_weights, include_last_offset, padding_idx);
}
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _linalg_slogdet_outf(const Tensor& A, Tensor& out0, Tensor& out1,
                                                                           Tensor& out2, Tensor& out3) {
  return _linalg_slogdet_out(out0, out1, out2, out3, A);
}
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _linalg_solve_ex_outf(const Tensor& A, const Tensor& B, bool left,
                                                                            bool check_errors, Tensor& out0,
                                                                            Tensor& out1, Tensor& out2, Tensor& out3) {
  return _linalg_solve_ex_out(out0, out1, out2, out3, A, B, left, check_errors);
}
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> batch_norm_backward_reduce_outf(
    const Tensor& grad_out, const Tensor& input, const Tensor& mean, const Tensor& invstd, OptionalTensorRef weight,
    bool input_g, bool weight_g, bool bias_g, Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3) {
  return batch_norm_backward_reduce_out(out0, out1, out2, out3, grad_out, input, mean, invstd, weight, input_g,
                                        weight_g, bias_g);
}
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_outf(const Tensor& A, const Tensor& B,
                                                                        std::optional<double> rcond,
                                                                        std::optional<std::string_view> driver,
                                                                        Tensor& out0, Tensor& out1, Tensor& out2,
                                                                        Tensor& out3) {
  return linalg_lstsq_out(out0, out1, out2, out3, A, B, rcond, driver);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> _linalg_det_outf(const Tensor& A, Tensor& out0, Tensor& out1,
                                                              Tensor& out2) {
  return _linalg_det_out(out0, out1, out2, A);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> _linalg_svd_outf(const Tensor& A, bool full_matrices, bool compute_uv,
                                                              std::optional<std::string_view> driver, Tensor& out0,
                                                              Tensor& out1, Tensor& out2) {
  return _linalg_svd_out(out0, out1, out2, A, full_matrices, compute_uv, driver);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_no_training_outf(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, const Tensor& running_mean,
    const Tensor& running_var, double momentum, double eps, Tensor& out0, Tensor& out1, Tensor& out2) {
  return _native_batch_norm_legit_no_training_out(out0, out1, out2, input, weight, bias, running_mean, running_var,
                                                  momentum, eps);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_outf(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, Tensor& running_mean, Tensor& running_var,
    bool training, double momentum, double eps, Tensor& out0, Tensor& out1, Tensor& out2) {
  return _native_batch_norm_legit_out(out0, out1, out2, input, weight, bias, running_mean, running_var, training,
                                      momentum, eps);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_outf(const Tensor& input,
                                                                           OptionalTensorRef weight,
                                                                           OptionalTensorRef bias, bool training,
                                                                           double momentum, double eps, Tensor& out0,
                                                                           Tensor& out1, Tensor& out2) {
  return _native_batch_norm_legit_out(out0, out1, out2, input, weight, bias, training, momentum, eps);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> _unique2_outf(const Tensor& x, bool sorted, bool return_inverse,
                                                           bool return_counts, Tensor& out0, Tensor& out1,
                                                           Tensor& out2) {
  return _unique2_out(out0, out1, out2, x, sorted, return_inverse, return_counts);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> convolution_backward_outf(
    const Tensor& grad_output, const Tensor& input, const Tensor& weight, OptionalIntArrayRef bias_sizes,
    IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
    int64_t groups, std::array<bool, 3> output_mask, Tensor& out0, Tensor& out1, Tensor& out2) {
  return convolution_backward_out(out0, out1, out2, grad_output, input, weight, bias_sizes, stride, padding, dilation,
                                  transposed, output_padding, groups, output_mask);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_ldl_factor_ex_outf(const Tensor& A, bool hermitian,
                                                                       bool check_errors, Tensor& out0, Tensor& out1,
                                                                       Tensor& out2) {
  return linalg_ldl_factor_ex_out(out0, out1, out2, A, hermitian, check_errors);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_factor_ex_outf(const Tensor& A, bool pivot, bool check_errors,
                                                                      Tensor& out0, Tensor& out1, Tensor& out2) {
  return linalg_lu_factor_ex_out(out0, out1, out2, A, pivot, check_errors);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_outf(const Tensor& A, bool pivot, Tensor& out0, Tensor& out1,
                                                            Tensor& out2) {
  return linalg_lu_out(out0, out1, out2, A, pivot);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_outf(const Tensor& A, bool full_matrices,
                                                             std::optional<std::string_view> driver, Tensor& out0,
                                                             Tensor& out1, Tensor& out2) {
  return linalg_svd_out(out0, out1, out2, A, full_matrices, driver);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> linear_backward_outf(const Tensor& self, const Tensor& grad_output,
                                                                  const Tensor& weight, std::array<bool, 3> output_mask,
                                                                  Tensor& out0, Tensor& out1, Tensor& out2) {
  return linear_backward_out(out0, out1, out2, self, grad_output, weight, output_mask);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> lu_unpack_outf(const Tensor& LU, const Tensor& pivots, bool unpack_data,
                                                            bool unpack_pivots, Tensor& out0, Tensor& out1,
                                                            Tensor& out2) {
  return lu_unpack_out(out0, out1, out2, LU, pivots, unpack_data, unpack_pivots);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_backward_outf(
    const Tensor& grad_out, const Tensor& input, OptionalTensorRef weight, OptionalTensorRef running_mean,
    OptionalTensorRef running_var, OptionalTensorRef save_mean, OptionalTensorRef save_invstd, bool train, double eps,
    std::array<bool, 3> output_mask, Tensor& out0, Tensor& out1, Tensor& out2) {
  return native_batch_norm_backward_out(out0, out1, out2, grad_out, input, weight, running_mean, running_var, save_mean,
                                        save_invstd, train, eps, output_mask);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_outf(const Tensor& input, OptionalTensorRef weight,
                                                                    OptionalTensorRef bias,
                                                                    OptionalTensorRef running_mean,
                                                                    OptionalTensorRef running_var, bool training,
                                                                    double momentum, double eps, Tensor& out0,
                                                                    Tensor& out1, Tensor& out2) {
  return native_batch_norm_out(out0, out1, out2, input, weight, bias, running_mean, running_var, training, momentum,
                               eps);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> native_group_norm_backward_outf(
    const Tensor& grad_out, const Tensor& input, const Tensor& mean, const Tensor& rstd, OptionalTensorRef weight,
    int64_t N, int64_t C, int64_t HxW, int64_t group, std::array<bool, 3> output_mask, Tensor& out0, Tensor& out1,
    Tensor& out2) {
  return native_group_norm_backward_out(out0, out1, out2, grad_out, input, mean, rstd, weight, N, C, HxW, group,
                                        output_mask);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> native_group_norm_outf(const Tensor& input, OptionalTensorRef weight,
                                                                    OptionalTensorRef bias, int64_t N, int64_t C,
                                                                    int64_t HxW, int64_t group, double eps,
                                                                    Tensor& out0, Tensor& out1, Tensor& out2) {
  return native_group_norm_out(out0, out1, out2, input, weight, bias, N, C, HxW, group, eps);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> native_layer_norm_backward_outf(
    const Tensor& grad_out, const Tensor& input, IntArrayRef normalized_shape, const Tensor& mean, const Tensor& rstd,
    OptionalTensorRef weight, OptionalTensorRef bias, std::array<bool, 3> output_mask, Tensor& out0, Tensor& out1,
    Tensor& out2) {
  return native_layer_norm_backward_out(out0, out1, out2, grad_out, input, normalized_shape, mean, rstd, weight, bias,
                                        output_mask);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> native_layer_norm_outf(const Tensor& input, IntArrayRef normalized_shape,
                                                                    OptionalTensorRef weight, OptionalTensorRef bias,
                                                                    double eps, Tensor& out0, Tensor& out1,
                                                                    Tensor& out2) {
  return native_layer_norm_out(out0, out1, out2, input, normalized_shape, weight, bias, eps);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> svd_outf(const Tensor& A, bool some, bool compute_uv, Tensor& out0,
                                                      Tensor& out1, Tensor& out2) {
  return svd_out(out0, out1, out2, A, some, compute_uv);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> unique_consecutive_outf(const Tensor& x, bool return_inverse,
                                                                     bool return_counts, std::optional<int64_t> dim,
                                                                     Tensor& out0, Tensor& out1, Tensor& out2) {
  return unique_consecutive_out(out0, out1, out2, x, return_inverse, return_counts, dim);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> unique_dim_consecutive_outf(const Tensor& x, int64_t dim,
                                                                         bool return_inverse, bool return_counts,
                                                                         Tensor& out0, Tensor& out1, Tensor& out2) {
  return unique_dim_consecutive_out(out0, out1, out2, x, dim, return_inverse, return_counts);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> unique_dim_outf(const Tensor& x, int64_t dim, bool sorted,
                                                             bool return_inverse, bool return_counts, Tensor& out0,
                                                             Tensor& out1, Tensor& out2) {
  return unique_dim_out(out0, out1, out2, x, dim, sorted, return_inverse, return_counts);
}
inline std::tuple<Tensor&, Tensor&> _aminmax_outf(const Tensor& self, Tensor& out0, Tensor& out1) {
  return _aminmax_out(out0, out1, self);
}
inline std::tuple<Tensor&, Tensor&> _aminmax_outf(const Tensor& self, int64_t dim, bool keepdim, Tensor& out0,
                                                  Tensor& out1) {
  return _aminmax_out(out0, out1, self, dim, keepdim);
}
inline std::tuple<Tensor&, Tensor&> _amp_update_scale_outf(const Tensor& self, const Tensor& growth_tracker,
                                                           const Tensor& found_inf, double scale_growth_factor,
                                                           double scale_backoff_factor, int64_t growth_interval,
                                                           Tensor& out0, Tensor& out1) {
  return _amp_update_scale_out(out0, out1, self, growth_tracker, found_inf, scale_growth_factor, scale_backoff_factor,
                               growth_interval);
}
inline std::tuple<Tensor&, Tensor&> _fused_dropout_outf(const Tensor& self, double p, OptionalGenerator generator,
                                                        Tensor& out0, Tensor& out1) {
  return _fused_dropout_out(out0, out1, self, p, generator);
}
inline std::tuple<Tensor&, Tensor&> _linalg_eigh_outf(const Tensor& A, std::string_view UPLO, bool compute_v,
                                                      Tensor& out0, Tensor& out1) {
  return _linalg_eigh_out(out0, out1, A, UPLO, compute_v);
}
inline std::tuple<Tensor&, Tensor&> _pack_padded_sequence_outf(const Tensor& input, const Tensor& lengths,
                                                               bool batch_first, Tensor& out0, Tensor& out1) {
  return _pack_padded_sequence_out(out0, out1, input, lengths, batch_first);
}
inline std::tuple<Tensor&, Tensor&> _unique_outf(const Tensor& x, bool sorted, bool return_inverse, Tensor& out0,
                                                 Tensor& out1) {
  return _unique_out(out0, out1, x, sorted, return_inverse);
}
inline std::tuple<Tensor&, Tensor&> _weight_norm_interface_backward_outf(const Tensor& grad_w, const Tensor& saved_v,
                                                                         const Tensor& saved_g,
                                                                         const Tensor& saved_norms, int64_t dim,
                                                                         Tensor& out0, Tensor& out1) {
  return _weight_norm_interface_backward_out(out0, out1, grad_w, saved_v, saved_g, saved_norms, dim);
}
inline std::tuple<Tensor&, Tensor&> _weight_norm_interface_outf(const Tensor& v, const Tensor& g, int64_t dim,
                                                                Tensor& out0, Tensor& out1) {
  return _weight_norm_interface_out(out0, out1, v, g, dim);
}
inline std::tuple<Tensor&, Tensor&> adaptive_max_pool2d_outf(const Tensor& input, IntArrayRef output_size, Tensor& out0,
                                                             Tensor& out1) {
  return adaptive_max_pool2d_out(out0, out1, input, output_size);
}
inline std::tuple<Tensor&, Tensor&> adaptive_max_pool3d_outf(const Tensor& input, IntArrayRef output_size, Tensor& out0,
                                                             Tensor& out1) {
  return adaptive_max_pool3d_out(out0, out1, input, output_size);
}
inline std::tuple<Tensor&, Tensor&> aminmax_outf(const Tensor& x, std::optional<int64_t> dim, bool keepdim,
                                                 Tensor& out0, Tensor& out1) {
  return aminmax_out(out0, out1, x, dim, keepdim);
}
inline std::tuple<Tensor&, Tensor&> batch_norm_gather_stats_outf(const Tensor& input, const Tensor& mean,
                                                                 const Tensor& invstd, OptionalTensorRef running_mean,
                                                                 OptionalTensorRef running_var, double momentum,
                                                                 double eps, int64_t count, Tensor& out0,
                                                                 Tensor& out1) {
  return batch_norm_gather_stats_out(out0, out1, input, mean, invstd, running_mean, running_var, momentum, eps, count);
}
inline std::tuple<Tensor&, Tensor&> batch_norm_gather_stats_with_counts_outf(
    const Tensor& input, const Tensor& mean, const Tensor& invstd, OptionalTensorRef running_mean,
    OptionalTensorRef running_var, double momentum, double eps, const Tensor& counts, Tensor& out0, Tensor& out1) {
  return batch_norm_gather_stats_with_counts_out(out0, out1, input, mean, invstd, running_mean, running_var, momentum,
                                                 eps, counts);
}
inline std::tuple<Tensor&, Tensor&> batch_norm_stats_outf(const Tensor& input, double eps, Tensor& out0, Tensor& out1) {
  return batch_norm_stats_out(out0, out1, input, eps);
}
inline std::tuple<Tensor&, Tensor&> batch_norm_update_stats_outf(const Tensor& input, OptionalTensorRef running_mean,
                                                                 OptionalTensorRef running_var, double momentum,
                                                                 Tensor& out0, Tensor& out1) {
  return batch_norm_update_stats_out(out0, out1, input, running_mean, running_var, momentum);
}
inline std::tuple<Tensor&, Tensor&> cummax_outf(const Tensor& x, int64_t dim, Tensor& out0, Tensor& out1) {
  return cummax_out(out0, out1, x, dim);
}
inline std::tuple<Tensor&, Tensor&> cummin_outf(const Tensor& x, int64_t dim, Tensor& out0, Tensor& out1) {
  return cummin_out(out0, out1, x, dim);
}
inline std::tuple<Tensor&, Tensor&> fractional_max_pool2d_outf(const Tensor& input, IntArrayRef kernel_size,
                                                               IntArrayRef output_size, const Tensor& random_samples,
                                                               Tensor& out0, Tensor& out1) {
  return fractional_max_pool2d_out(out0, out1, input, kernel_size, output_size, random_samples);
}
inline std::tuple<Tensor&, Tensor&> fractional_max_pool3d_outf(const Tensor& input, IntArrayRef kernel_size,
                                                               IntArrayRef output_size, const Tensor& random_samples,
                                                               Tensor& out0, Tensor& out1) {
  return fractional_max_pool3d_out(out0, out1, input, kernel_size, output_size, random_samples);
}
inline std::tuple<Tensor&, Tensor&> frexp_outf(const Tensor& x, Tensor& out0, Tensor& out1) {
  return frexp_out(out0, out1, x);
}
inline std::tuple<Tensor&, Tensor&> geqrf_outf(const Tensor& A, Tensor& out0, Tensor& out1) {
  return geqrf_out(out0, out1, A);
}
inline std::tuple<Tensor&, Tensor&> grid_sampler_2d_backward_outf(const Tensor& grad_output, const Tensor& input,
                                                                  const Tensor& grid, int64_t interpolation_mode,
                                                                  int64_t padding_mode, bool align_corners,
                                                                  std::array<bool, 2> output_mask, Tensor& out0,
                                                                  Tensor& out1) {
  return grid_sampler_2d_backward_out(out0, out1, grad_output, input, grid, interpolation_mode, padding_mode,
                                      align_corners, output_mask);
}
inline std::tuple<Tensor&, Tensor&> grid_sampler_3d_backward_outf(const Tensor& grad_output, const Tensor& input,
                                                                  const Tensor& grid, int64_t interpolation_mode,
                                                                  int64_t padding_mode, bool align_corners,
                                                                  std::array<bool, 2> output_mask, Tensor& out0,
                                                                  Tensor& out1) {
  return grid_sampler_3d_backward_out(out0, out1, grad_output, input, grid, interpolation_mode, padding_mode,
                                      align_corners, output_mask);
}
inline std::tuple<Tensor&, Tensor&> histogram_outf(const Tensor& x, const Tensor& edges, OptionalTensorRef weight,
                                                   bool density, Tensor& out0, Tensor& out1) {
  return histogram_out(out0, out1, x, edges, weight, density);
}
inline std::tuple<Tensor&, Tensor&> histogram_outf(const Tensor& x, int64_t bins, std::optional<ArrayRef<double>> range,
                                                   OptionalTensorRef weight, bool density, Tensor& out0, Tensor& out1) {
  return histogram_out(out0, out1, x, bins, range, weight, density);
}
inline std::tuple<Tensor&, Tensor&> kthvalue_outf(const Tensor& x, int64_t k, int64_t dim, bool keepdim, Tensor& out0,
                                                  Tensor& out1) {
  return kthvalue_out(out0, out1, x, k, dim, keepdim);
}
inline std::tuple<Tensor&, Tensor&> linalg_cholesky_ex_outf(const Tensor& A, bool upper, bool check_errors,
                                                            Tensor& out0, Tensor& out1) {
  return linalg_cholesky_ex_out(out0, out1, A, upper, check_errors);
}
inline std::tuple<Tensor&, Tensor&> linalg_eig_outf(const Tensor& A, Tensor& out0, Tensor& out1) {
  return linalg_eig_out(out0, out1, A);
}
inline std::tuple<Tensor&, Tensor&> linalg_eigh_outf(const Tensor& A, std::string_view UPLO, Tensor& out0,
                                                     Tensor& out1) {
  return linalg_eigh_out(out0, out1, A, UPLO);
}
inline std::tuple<Tensor&, Tensor&> linalg_inv_ex_outf(const Tensor& A, bool check_errors, Tensor& out0, Tensor& out1) {
  return linalg_inv_ex_out(out0, out1, A, check_errors);
}
inline std::tuple<Tensor&, Tensor&> linalg_ldl_factor_outf(const Tensor& A, bool hermitian, Tensor& out0,
                                                           Tensor& out1) {
  return linalg_ldl_factor_out(out0, out1, A, hermitian);
}
inline std::tuple<Tensor&, Tensor&> linalg_lu_factor_outf(const Tensor& A, bool pivot, Tensor& out0, Tensor& out1) {
  return linalg_lu_factor_out(out0, out1, A, pivot);
}
inline std::tuple<Tensor&, Tensor&> linalg_polar_outf(const Tensor& A, Tensor& out0, Tensor& out1) {
  return linalg_polar_out(out0, out1, A);
}
inline std::tuple<Tensor&, Tensor&> linalg_qr_outf(const Tensor& A, std::string_view mode, Tensor& out0, Tensor& out1) {
  return linalg_qr_out(out0, out1, A, mode);
}
inline std::tuple<Tensor&, Tensor&> linalg_slogdet_outf(const Tensor& A, Tensor& out0, Tensor& out1) {
  return linalg_slogdet_out(out0, out1, A);
}
inline std::tuple<Tensor&, Tensor&> linalg_solve_ex_outf(const Tensor& A, const Tensor& B, bool left, bool check_errors,
                                                         Tensor& out0, Tensor& out1) {
  return linalg_solve_ex_out(out0, out1, A, B, left, check_errors);
}
inline std::tuple<Tensor&, Tensor&> log_sigmoid_forward_outf(const Tensor& self, Tensor& out0, Tensor& out1) {
  return log_sigmoid_forward_out(out0, out1, self);
}
inline std::tuple<Tensor&, Tensor&> matmul_backward_outf(const Tensor& grad, const Tensor& self, const Tensor& other,
                                                         std::array<bool, 2> mask, Tensor& out0, Tensor& out1) {
  return matmul_backward_out(out0, out1, grad, self, other, mask);
}
inline std::tuple<Tensor&, Tensor&> max_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out0, Tensor& out1) {
  return max_out(out0, out1, x, dim, keepdim);
}
inline std::tuple<Tensor&, Tensor&> max_pool2d_with_indices_outf(const Tensor& input, IntArrayRef kernel_size,
                                                                 IntArrayRef stride, IntArrayRef padding,
                                                                 IntArrayRef dilation, bool ceil_mode, Tensor& out0,
                                                                 Tensor& out1) {
  return max_pool2d_with_indices_out(out0, out1, input, kernel_size, stride, padding, dilation, ceil_mode);
}
inline std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_outf(const Tensor& input, IntArrayRef kernel_size,
                                                                 IntArrayRef stride, IntArrayRef padding,
                                                                 IntArrayRef dilation, bool ceil_mode, Tensor& out0,
                                                                 Tensor& out1) {
  return max_pool3d_with_indices_out(out0, out1, input, kernel_size, stride, padding, dilation, ceil_mode);
}
inline std::tuple<Tensor&, Tensor&> median_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out0,
                                                Tensor& out1) {
  return median_out(out0, out1, x, dim, keepdim);
}
inline std::tuple<Tensor&, Tensor&> min_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out0, Tensor& out1) {
  return min_out(out0, out1, x, dim, keepdim);
}
inline std::tuple<Tensor&, Tensor&> mode_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out0, Tensor& out1) {
  return mode_out(out0, out1, x, dim, keepdim);
}
inline std::tuple<Tensor&, Tensor&> multilabel_margin_loss_forward_outf(const Tensor& self, const Tensor& target,
                                                                        int64_t reduction, Tensor& out0, Tensor& out1) {
  return multilabel_margin_loss_forward_out(out0, out1, self, target, reduction);
}
inline std::tuple<Tensor&, Tensor&> nanmedian_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out0,
                                                   Tensor& out1) {
  return nanmedian_out(out0, out1, x, dim, keepdim);
}
inline std::tuple<Tensor&, Tensor&> native_dropout_outf(const Tensor& input, double p, std::optional<bool> train,
                                                        Tensor& out0, Tensor& out1) {
  return native_dropout_out(out0, out1, input, p, train);
}
inline std::tuple<Tensor&, Tensor&> nll_loss2d_forward_outf(const Tensor& self, const Tensor& target,
                                                            OptionalTensorRef weight, int64_t reduction,
                                                            int64_t ignore_index, Tensor& out0, Tensor& out1) {
  return nll_loss2d_forward_out(out0, out1, self, target, weight, reduction, ignore_index);
}
inline std::tuple<Tensor&, Tensor&> nll_loss_forward_outf(const Tensor& self, const Tensor& target,
                                                          OptionalTensorRef weight, int64_t reduction,
                                                          int64_t ignore_index, Tensor& out0, Tensor& out1) {
  return nll_loss_forward_out(out0, out1, self, target, weight, reduction, ignore_index);
}
inline std::tuple<Tensor&, Tensor&> slogdet_outf(const Tensor& A, Tensor& out0, Tensor& out1) {
  return slogdet_out(out0, out1, A);
}
inline std::tuple<Tensor&, Tensor&> sort_outf(const Tensor& x, int64_t dim, bool descending, Tensor& out0,
                                              Tensor& out1) {
  return sort_out(out0, out1, x, dim, descending);
}
inline std::tuple<Tensor&, Tensor&> sort_outf(const Tensor& x, std::optional<bool> stable, int64_t dim, bool descending,
                                              Tensor& out0, Tensor& out1) {
  return sort_out(out0, out1, x, stable, dim, descending);
}
inline std::tuple<Tensor&, Tensor&> std_mean_outf(const Tensor& x, OptionalIntArrayRef dims,
                                                  const std::optional<Scalar>& correction, bool keepdim, Tensor& out0,
                                                  Tensor& out1) {
  return std_mean_out(out0, out1, x, dims, correction, keepdim);
}
inline std::tuple<Tensor&, Tensor&> topk_outf(const Tensor& x, int64_t k, int64_t dim, bool largest, bool sorted,
                                              Tensor& out0, Tensor& out1) {
  return topk_out(out0, out1, x, k, dim, largest, sorted);
}
inline std::tuple<Tensor&, Tensor&> triangular_solve_outf(const Tensor& B, const Tensor& A, bool upper, bool transpose,
                                                          bool unitriangular, Tensor& out0, Tensor& out1) {
  return triangular_solve_out(out0, out1, B, A, upper, transpose, unitriangular);
}
inline std::tuple<Tensor&, Tensor&> var_mean_outf(const Tensor& x, OptionalIntArrayRef dims,
                                                  const std::optional<Scalar>& correction, bool keepdim, Tensor& out0,
                                                  Tensor& out1) {
  return var_mean_out(out0, out1, x, dims, correction, keepdim);
}
inline void split_copy_outf(const Tensor& self, int64_t split_size, int64_t dim, TensorList out) {
  return split_copy_out(out, self, split_size, dim);
}
inline void split_with_sizes_copy_outf(const Tensor& self, IntArrayRef split_sizes, int64_t dim, TensorList out) {
  return split_with_sizes_copy_out(out, self, split_sizes, dim);
}
inline void unbind_copy_outf(const Tensor& self, int64_t dim, TensorList out) {
  return unbind_copy_out(out, self, dim);
}
inline void unsafe_split_outf(const Tensor& self, int64_t split_size, int64_t dim, TensorList out) {
  return unsafe_split_out(out, self, split_size, dim);
}
inline void unsafe_split_with_sizes_outf(const Tensor& self, IntArrayRef split_sizes, int64_t dim, TensorList out) {
  return unsafe_split_with_sizes_out(out, self, split_sizes, dim);
}
}  // namespace strata
