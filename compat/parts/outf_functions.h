// libtorch's functions that end in _outf, made by script/compat-out: those in _out with what is written to behind.
#pragma once
#include "aten.h"
#include "backward.h"
#include "native.h"
#include "out_functions.h"
#include "overloads.h"
#include "underscore.h"

namespace strata {
Tensor& __lshift___outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& __lshift___outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& __rshift___outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& __rshift___outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& _adaptive_avg_pool2d_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& out);
Tensor& _adaptive_avg_pool2d_outf(const Tensor& self, IntArrayRef output_size, Tensor& out);
Tensor& _adaptive_avg_pool3d_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& out);
Tensor& _adaptive_avg_pool3d_outf(const Tensor& self, IntArrayRef output_size, Tensor& out);
Tensor& _add_relu_outf(const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out);
Tensor& _add_relu_outf(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out);
Tensor& _addmm_activation_outf(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                               const Scalar& alpha, bool use_gelu, Tensor& out);
Tensor& _amp_update_scale_outf(const Tensor& self, Tensor& growth_tracker, const Tensor& found_inf,
                               double scale_growth_factor, double scale_backoff_factor, int64_t growth_interval,
                               Tensor& out);
Tensor& _cdist_backward_outf(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p, const Tensor& cdist,
                             Tensor& out);
Tensor& _cholesky_solve_helper_outf(const Tensor& self, const Tensor& A, bool upper, Tensor& out);
Tensor& _chunk_cat_outf(TensorList tensors, int64_t dim, int64_t num_chunks, Tensor& out);
Tensor& _compute_linear_combination_outf(const Tensor& input, const Tensor& coefficients, Tensor& out);
Tensor& _conj_copy_outf(const Tensor& self, Tensor& out);
Tensor& _conj_physical_outf(const Tensor& self, Tensor& out);
Tensor& _conv_depthwise2d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                               OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                               Tensor& out);
Tensor& _convolution_outf(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                          IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                          int64_t groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32,
                          Tensor& out);
Tensor& _copy_from_and_resize_outf(const Tensor& self, const Tensor& dst, Tensor& out);
Tensor& _copy_from_outf(const Tensor& self, const Tensor& dst, bool non_blocking, Tensor& out);
Tensor& _efficientzerotensor_outf(IntArrayRef size, Tensor& out);
Tensor& _embedding_bag_dense_backward_outf(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag,
                                           const Tensor& bag_size, const Tensor& maximum_indices, int64_t num_weights,
                                           bool scale_grad_by_freq, int64_t mode, OptionalTensorRef per_sample_weights,
                                           int64_t padding_idx, Tensor& out);
Tensor& _embedding_bag_per_sample_weights_backward_outf(const Tensor& grad, const Tensor& weight, const Tensor& indices,
                                                        const Tensor& offsets, const Tensor& offset2bag, int64_t mode,
                                                        int64_t padding_idx, Tensor& out);
Tensor& _euclidean_dist_outf(const Tensor& x1, const Tensor& x2, Tensor& out);
Tensor& _fft_c2c_outf(const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward, Tensor& out);
Tensor& _fft_c2r_outf(const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size, Tensor& out);
Tensor& _fft_r2c_outf(const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided, Tensor& out);
Tensor& _grid_sampler_2d_cpu_fallback_outf(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                                           int64_t padding_mode, bool align_corners, Tensor& out);
Tensor& _index_put_impl_outf(const Tensor& self, const List<std::optional<Tensor>>& indices, const Tensor& values,
                             bool accumulate, bool unsafe, Tensor& out);
Tensor& _int_mm_outf(const Tensor& self, const Tensor& mat2, Tensor& out);
Tensor& _log_softmax_backward_data_outf(const Tensor& grad_output, const Tensor& output, int64_t dim, DType input_dtype,
                                        Tensor& out);
Tensor& _log_softmax_outf(const Tensor& self, int64_t dim, bool half_to_float, Tensor& out);
Tensor& _logcumsumexp_outf(const Tensor& self, int64_t dim, Tensor& out);
Tensor& _masked_scale_outf(const Tensor& self, const Tensor& mask, double scale, Tensor& out);
Tensor& _masked_softmax_backward_outf(const Tensor& grad_output, const Tensor& output, const Tensor& mask,
                                      std::optional<int64_t> dim, Tensor& out);
Tensor& _masked_softmax_outf(const Tensor& self, const Tensor& mask, std::optional<int64_t> dim,
                             std::optional<int64_t> mask_type, Tensor& out);
Tensor& _neg_view_copy_outf(const Tensor& self, Tensor& out);
Tensor& _pdist_backward_outf(const Tensor& grad, const Tensor& self, double p, const Tensor& pdist, Tensor& out);
Tensor& _pin_memory_outf(const Tensor& self, std::optional<Device> device, Tensor& out);
Tensor& _reshape_alias_copy_outf(const Tensor& self, IntArrayRef size, IntArrayRef stride, Tensor& out);
Tensor& _resize_output_outf(const Tensor& self, IntArrayRef size, Device device, Tensor& out);
Tensor& _sample_dirichlet_outf(const Tensor& self, OptionalGenerator generator, Tensor& out);
Tensor& _segment_reduce_backward_outf(const Tensor& grad, const Tensor& output, const Tensor& data,
                                      std::string_view reduce, const std::optional<Tensor>& lengths,
                                      const std::optional<Tensor>& offsets, int64_t axis,
                                      const std::optional<Scalar>& initial, Tensor& out);
Tensor& _softmax_backward_data_outf(const Tensor& grad_output, const Tensor& output, int64_t dim, DType input_dtype,
                                    Tensor& out);
Tensor& _softmax_outf(const Tensor& self, int64_t dim, bool half_to_float, Tensor& out);
Tensor& _stack_outf(TensorList tensors, int64_t dim, Tensor& out);
Tensor& _standard_gamma_outf(const Tensor& self, OptionalGenerator generator, Tensor& out);
Tensor& _to_copy_outf(const Tensor& self, bool non_blocking, std::optional<MemoryFormat> memory_format, Tensor& out);
Tensor& _trilinear_outf(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArrayRef expand1, IntArrayRef expand2,
                        IntArrayRef expand3, IntArrayRef sumdim, int64_t unroll_dim, Tensor& out);
Tensor& _unsafe_view_outf(const Tensor& self, IntArrayRef size, Tensor& out);
Tensor& _upsample_bicubic2d_aa_backward_outf(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                             bool align_corners, std::optional<double> scales_h,
                                             std::optional<double> scales_w, Tensor& out);
Tensor& _upsample_bicubic2d_aa_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                    std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out);
Tensor& _upsample_bicubic2d_aa_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners, std::nullopt_t a3,
                                    Tensor& out);
Tensor& _upsample_bicubic2d_aa_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                    std::optional<ArrayRef<double>> scales, Tensor& out);
Tensor& _upsample_bilinear2d_aa_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                              IntArrayRef input_size, bool align_corners,
                                              std::optional<double> scales_h, std::optional<double> scales_w,
                                              Tensor& out);
Tensor& _upsample_bilinear2d_aa_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                     std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out);
Tensor& _upsample_bilinear2d_aa_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                     std::nullopt_t a3, Tensor& out);
Tensor& _upsample_bilinear2d_aa_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                     std::optional<ArrayRef<double>> scales, Tensor& out);
Tensor& _upsample_nearest_exact1d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                IntArrayRef input_size, std::optional<double> scales, Tensor& out);
Tensor& _upsample_nearest_exact1d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales, Tensor& out);
Tensor& _upsample_nearest_exact1d_outf(const Tensor& self, OptionalIntArrayRef size,
                                       std::optional<ArrayRef<double>> scales, Tensor& out);
Tensor& _upsample_nearest_exact2d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                IntArrayRef input_size, std::optional<double> scales_h,
                                                std::optional<double> scales_w, Tensor& out);
Tensor& _upsample_nearest_exact2d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales_h,
                                       std::optional<double> scales_w, Tensor& out);
Tensor& _upsample_nearest_exact2d_outf(const Tensor& self, OptionalIntArrayRef size, std::nullopt_t a2, Tensor& out);
Tensor& _upsample_nearest_exact2d_outf(const Tensor& self, OptionalIntArrayRef size,
                                       std::optional<ArrayRef<double>> scales, Tensor& out);
Tensor& _upsample_nearest_exact3d_backward_outf(const Tensor& grad_output, IntArrayRef output_size,
                                                IntArrayRef input_size, std::optional<double> scales_d,
                                                std::optional<double> scales_h, std::optional<double> scales_w,
                                                Tensor& out);
Tensor& _upsample_nearest_exact3d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales_d,
                                       std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out);
Tensor& _upsample_nearest_exact3d_outf(const Tensor& self, OptionalIntArrayRef size,
                                       std::optional<ArrayRef<double>> scales, Tensor& out);
Tensor& abs_outf(const Tensor& x, Tensor& out);
Tensor& absolute_outf(const Tensor& x, Tensor& out);
Tensor& acos_outf(const Tensor& x, Tensor& out);
Tensor& acosh_outf(const Tensor& x, Tensor& out);
Tensor& adaptive_avg_pool1d_outf(const Tensor& input, IntArrayRef output_size, Tensor& out);
Tensor& adaptive_avg_pool2d_outf(const Tensor& input, IntArrayRef output_size, Tensor& out);
Tensor& adaptive_avg_pool3d_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& grad_input);
Tensor& adaptive_avg_pool3d_outf(const Tensor& input, IntArrayRef output_size, Tensor& out);
Tensor& adaptive_max_pool2d_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& indices,
                                          Tensor& out);
Tensor& adaptive_max_pool3d_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& indices,
                                          Tensor& out);
Tensor& add_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& add_outf(const Tensor& a, const Scalar& b, const Scalar& alpha, Tensor& out);
Tensor& add_outf(const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out);
Tensor& addbmm_outf(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha,
                    Tensor& out);
Tensor& addcdiv_outf(const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value, Tensor& out);
Tensor& addcmul_outf(const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value, Tensor& out);
Tensor& addmm_outf(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha,
                   Tensor& out);
Tensor& addmm_outf(const Tensor& self, const Tensor& mat1, const Tensor& mat2, DType out_dtype, const Scalar& beta,
                   const Scalar& alpha, Tensor& out);
Tensor& addmv_outf(const Tensor& self, const Tensor& a, const Tensor& v, const Scalar& beta, const Scalar& alpha,
                   Tensor& out);
Tensor& addr_outf(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha,
                  Tensor& out);
Tensor& affine_grid_generator_outf(const Tensor& theta, IntArrayRef size, bool align_corners, Tensor& out);
Tensor& alias_copy_outf(const Tensor& x, Tensor& out);
Tensor& all_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, Tensor& out);
Tensor& all_outf(const Tensor& x, Tensor& out);
Tensor& all_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out);
Tensor& amax_outf(const Tensor& x, IntArrayRef dims, bool keepdim, Tensor& out);
Tensor& amin_outf(const Tensor& x, IntArrayRef dims, bool keepdim, Tensor& out);
Tensor& angle_outf(const Tensor& x, Tensor& out);
Tensor& any_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, Tensor& out);
Tensor& any_outf(const Tensor& x, Tensor& out);
Tensor& any_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out);
Tensor& arange_outf(const Scalar& end, Tensor& out);
Tensor& arange_outf(const Scalar& start, const Scalar& end, Tensor& out);
Tensor& arange_outf(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out);
Tensor& arccos_outf(const Tensor& x, Tensor& out);
Tensor& arccosh_outf(const Tensor& x, Tensor& out);
Tensor& arcsin_outf(const Tensor& x, Tensor& out);
Tensor& arcsinh_outf(const Tensor& x, Tensor& out);
Tensor& arctan2_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& arctan_outf(const Tensor& x, Tensor& out);
Tensor& arctanh_outf(const Tensor& x, Tensor& out);
Tensor& argmax_outf(const Tensor& x, std::optional<int64_t> dim, bool keepdim, Tensor& out);
Tensor& argmin_outf(const Tensor& x, std::optional<int64_t> dim, bool keepdim, Tensor& out);
Tensor& argsort_outf(const Tensor& self, bool stable, int64_t dim, bool descending, Tensor& out);
Tensor& argsort_outf(const Tensor& x, int64_t dim, bool descending, Tensor& out);
Tensor& as_strided_copy_outf(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset,
                             Tensor& out);
Tensor& as_strided_copy_outf(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                             std::optional<int64_t> storage_offset, Tensor& out);
Tensor& as_strided_scatter_outf(const Tensor& base, const Tensor& source, IntArrayRef sizes, IntArrayRef strides,
                                std::optional<int64_t> storage_offset, Tensor& out);
Tensor& asin_outf(const Tensor& x, Tensor& out);
Tensor& asinh_outf(const Tensor& x, Tensor& out);
Tensor& atan2_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& atan_outf(const Tensor& x, Tensor& out);
Tensor& atanh_outf(const Tensor& x, Tensor& out);
Tensor& avg_pool1d_outf(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                        bool ceil_mode, bool count_include_pad, Tensor& out);
Tensor& avg_pool2d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                 IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                                 std::optional<int64_t> divisor_override, Tensor& out);
Tensor& avg_pool2d_outf(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                        bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override, Tensor& out);
Tensor& avg_pool3d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                 IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                                 std::optional<int64_t> divisor_override, Tensor& out);
Tensor& avg_pool3d_outf(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                        bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override, Tensor& out);
Tensor& baddbmm_outf(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha,
                     Tensor& out);
Tensor& baddbmm_outf(const Tensor& self, const Tensor& batch1, const Tensor& batch2, DType out_dtype,
                     const Scalar& beta, const Scalar& alpha, Tensor& out);
Tensor& bartlett_window_outf(int64_t n, Tensor& out);
Tensor& bartlett_window_outf(int64_t n, bool periodic, Tensor& out);
Tensor& batch_norm_backward_elemt_outf(const Tensor& grad_out, const Tensor& input, const Tensor& mean,
                                       const Tensor& invstd, OptionalTensorRef weight, const Tensor& sum_dy,
                                       const Tensor& sum_dy_xmu, const Tensor& count, Tensor& out);
Tensor& batch_norm_elemt_outf(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, const Tensor& mean,
                              const Tensor& invstd, double eps, Tensor& out);
Tensor& bernoulli_outf(const Tensor& self, const Tensor& p, OptionalGenerator generator, Tensor& out);
Tensor& bernoulli_outf(const Tensor& x, OptionalGenerator generator, Tensor& out);
Tensor& bernoulli_outf(const Tensor& x, double p, OptionalGenerator generator, Tensor& out);
Tensor& binary_cross_entropy_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                           OptionalTensorRef weight, int64_t reduction, Tensor& out);
Tensor& binary_cross_entropy_outf(const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                                  Tensor& out);
Tensor& binary_cross_entropy_with_logits_outf(const Tensor& x, const Tensor& target, OptionalTensorRef weight,
                                              OptionalTensorRef pos_weight, int64_t reduction, Tensor& out);
Tensor& bincount_outf(const Tensor& x, OptionalTensorRef weights, int64_t minlength, Tensor& out);
Tensor& binomial_outf(const Tensor& count, const Tensor& prob, OptionalGenerator generator, Tensor& out);
Tensor& bitwise_and_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& bitwise_and_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& bitwise_and_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& bitwise_left_shift_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& bitwise_left_shift_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& bitwise_left_shift_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& bitwise_not_outf(const Tensor& x, Tensor& out);
Tensor& bitwise_or_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& bitwise_or_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& bitwise_or_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& bitwise_right_shift_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& bitwise_right_shift_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& bitwise_right_shift_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& bitwise_xor_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& bitwise_xor_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& bitwise_xor_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& blackman_window_outf(int64_t n, Tensor& out);
Tensor& blackman_window_outf(int64_t n, bool periodic, Tensor& out);
Tensor& block_diag_outf(TensorList tensors, Tensor& out);
Tensor& bmm_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& bmm_outf(const Tensor& self, const Tensor& mat2, DType out_dtype, Tensor& out);
Tensor& bucketize_outf(const Scalar& value, const Tensor& boundaries, bool out_int32, bool right, Tensor& out);
Tensor& bucketize_outf(const Tensor& values, const Tensor& boundaries, bool out_int32, bool right, Tensor& out);
Tensor& cat_outf(TensorList tensors, int64_t dim, Tensor& out);
Tensor& cauchy_outf(const Tensor& self, double median, double sigma, OptionalGenerator generator, Tensor& out);
Tensor& ceil_outf(const Tensor& x, Tensor& out);
Tensor& celu_outf(const Tensor& x, const Scalar& alpha, Tensor& out);
Tensor& chain_matmul_outf(TensorList matrices, Tensor& out);
Tensor& channel_shuffle_outf(const Tensor& x, int64_t groups, Tensor& out);
Tensor& cholesky_inverse_outf(const Tensor& L, bool upper, Tensor& out);
Tensor& cholesky_solve_outf(const Tensor& B, const Tensor& L, bool upper, Tensor& out);
Tensor& clamp_max_outf(const Tensor& x, const Scalar& max, Tensor& out);
Tensor& clamp_max_outf(const Tensor& x, const Tensor& max, Tensor& out);
Tensor& clamp_min_outf(const Tensor& x, const Scalar& min, Tensor& out);
Tensor& clamp_min_outf(const Tensor& x, const Tensor& min, Tensor& out);
Tensor& clamp_outf(const Tensor& x, OptionalTensorRef min, OptionalTensorRef max, Tensor& out);
Tensor& clamp_outf(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max, Tensor& out);
Tensor& clip_outf(const Tensor& x, OptionalTensorRef min, OptionalTensorRef max, Tensor& out);
Tensor& clip_outf(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max, Tensor& out);
Tensor& clone_outf(const Tensor& x, Tensor& out);
Tensor& clone_outf(const Tensor& x, std::optional<MemoryFormat> format, Tensor& out);
Tensor& col2im_outf(const Tensor& input, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
                    IntArrayRef padding, IntArrayRef stride, Tensor& out);
Tensor& column_stack_outf(TensorList tensors, Tensor& out);
Tensor& complex_outf(const Tensor& real, const Tensor& imag, Tensor& out);
Tensor& concat_outf(TensorList tensors, int64_t dim, Tensor& out);
Tensor& concatenate_outf(TensorList tensors, int64_t dim, Tensor& out);
Tensor& conj_physical_outf(const Tensor& x, Tensor& out);
Tensor& constant_pad_nd_outf(const Tensor& x, IntArrayRef padding, const Scalar& value, Tensor& out);
Tensor& conv_depthwise3d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                              IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, Tensor& out);
Tensor& conv_tbc_outf(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad, Tensor& out);
Tensor& convolution_outf(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                         IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                         int64_t groups, Tensor& out);
Tensor& copy_outf(const Tensor& self, const Tensor& src, bool non_blocking, Tensor& out);
Tensor& copysign_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& copysign_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& cos_outf(const Tensor& x, Tensor& out);
Tensor& cosh_outf(const Tensor& x, Tensor& out);
Tensor& count_nonzero_outf(const Tensor& self, std::optional<int64_t> dim, Tensor& out);
Tensor& count_nonzero_outf(const Tensor& x, OptionalIntArrayRef dims, Tensor& out);
Tensor& cross_outf(const Tensor& a, const Tensor& b, std::optional<int64_t> dim, Tensor& out);
Tensor& cumprod_outf(const Tensor& x, int64_t dim, std::optional<DType> dtype, Tensor& out);
Tensor& cumsum_outf(const Tensor& x, int64_t dim, std::optional<DType> dtype, Tensor& out);
Tensor& deg2rad_outf(const Tensor& x, Tensor& out);
Tensor& detach_copy_outf(const Tensor& x, Tensor& out);
Tensor& diag_embed_outf(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2, Tensor& out);
Tensor& diag_outf(const Tensor& x, int64_t diagonal, Tensor& out);
Tensor& diagonal_backward_outf(const Tensor& grad, IntArrayRef input_sizes, int64_t offset, int64_t dim1, int64_t dim2,
                               Tensor& out);
Tensor& diagonal_copy_outf(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2, Tensor& out);
Tensor& diagonal_scatter_outf(const Tensor& base, const Tensor& source, int64_t offset, int64_t dim1, int64_t dim2,
                              Tensor& out);
Tensor& diff_outf(const Tensor& x, int64_t n, int64_t dim, OptionalTensorRef prepend, OptionalTensorRef append,
                  Tensor& out);
Tensor& digamma_outf(const Tensor& x, Tensor& out);
Tensor& dist_outf(const Tensor& a, const Tensor& b, const Scalar& p, Tensor& out);
Tensor& div_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& div_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& div_outf(const Tensor& a, const Scalar& b, std::optional<std::string_view> rounding_mode, Tensor& out);
Tensor& div_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& div_outf(const Tensor& a, const Tensor& b, std::optional<std::string_view> rounding_mode, Tensor& out);
Tensor& dot_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& dstack_outf(TensorList tensors, Tensor& out);
Tensor& elu_backward_outf(const Tensor& grad_output, const Scalar& alpha, const Scalar& scale,
                          const Scalar& input_scale, bool is_result, const Tensor& self_or_result, Tensor& out);
Tensor& elu_outf(const Tensor& x, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale, Tensor& out);
Tensor& embedding_dense_backward_outf(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                      int64_t padding_idx, bool scale_grad_by_freq, Tensor& out);
Tensor& embedding_outf(const Tensor& weight, const Tensor& indices, int64_t padding_idx, bool scale_grad_by_freq,
                       bool sparse, Tensor& out);
Tensor& embedding_renorm_outf(const Tensor& self, const Tensor& indices, double max_norm, double norm_type,
                              Tensor& out);
Tensor& empty_like_outf(const Tensor& x, std::optional<MemoryFormat> memory_format, Tensor& out);
Tensor& empty_outf(IntArrayRef sizes, std::optional<MemoryFormat> memory_format, Tensor& out);
Tensor& empty_permuted_outf(IntArrayRef sizes, IntArrayRef physical_layout, Tensor& out);
Tensor& empty_strided_outf(IntArrayRef sizes, IntArrayRef strides, Tensor& out);
Tensor& eq_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& eq_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& erf_outf(const Tensor& x, Tensor& out);
Tensor& erfc_outf(const Tensor& x, Tensor& out);
Tensor& erfinv_outf(const Tensor& x, Tensor& out);
Tensor& exp2_outf(const Tensor& x, Tensor& out);
Tensor& exp_outf(const Tensor& x, Tensor& out);
Tensor& expand_copy_outf(const Tensor& x, IntArrayRef sizes, bool implicit, Tensor& out);
Tensor& expm1_outf(const Tensor& x, Tensor& out);
Tensor& exponential_outf(const Tensor& self, double lambd, OptionalGenerator generator, Tensor& out);
Tensor& eye_outf(int64_t n, Tensor& out);
Tensor& eye_outf(int64_t n, int64_t m, Tensor& out);
Tensor& fft_fft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_fft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out);
Tensor& fft_fftfreq_outf(int64_t n, Tensor& out);
Tensor& fft_fftfreq_outf(int64_t n, double d, Tensor& out);
Tensor& fft_fftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_hfft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_hfft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out);
Tensor& fft_hfftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_ifft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_ifft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out);
Tensor& fft_ifftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_ihfft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_ihfft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out);
Tensor& fft_ihfftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_irfft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_irfft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out);
Tensor& fft_irfftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_rfft2_outf(const Tensor& x, OptionalIntArrayRef s, IntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fft_rfft_outf(const Tensor& x, std::optional<int64_t> n, int64_t dim, fft::Norm norm, Tensor& out);
Tensor& fft_rfftfreq_outf(int64_t n, Tensor& out);
Tensor& fft_rfftfreq_outf(int64_t n, double d, Tensor& out);
Tensor& fft_rfftn_outf(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, fft::Norm norm, Tensor& out);
Tensor& fill_outf(const Tensor& self, const Scalar& value, Tensor& out);
Tensor& fill_outf(const Tensor& self, const Tensor& value, Tensor& out);
Tensor& fix_outf(const Tensor& x, Tensor& out);
Tensor& flip_outf(const Tensor& x, IntArrayRef dims, Tensor& out);
Tensor& float_power_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& float_power_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& float_power_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& floor_divide_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& floor_divide_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& floor_outf(const Tensor& x, Tensor& out);
Tensor& fmax_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& fmin_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& fmod_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& fmod_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& frac_outf(const Tensor& x, Tensor& out);
Tensor& fractional_max_pool2d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                            IntArrayRef output_size, const Tensor& indices, Tensor& out);
Tensor& fractional_max_pool3d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                            IntArrayRef output_size, const Tensor& indices, Tensor& out);
Tensor& frobenius_norm_outf(const Tensor& A, IntArrayRef dim, bool keepdim, Tensor& out);
Tensor& from_file_outf(std::string_view filename, std::optional<bool> shared, std::optional<int64_t> size, Tensor& out);
Tensor& full_like_outf(const Tensor& x, const Scalar& value, std::optional<MemoryFormat> memory_format, Tensor& out);
Tensor& full_outf(IntArrayRef sizes, const Scalar& value, Tensor& out);
Tensor& gather_outf(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad, Tensor& out);
Tensor& gather_outf(const Tensor& x, int64_t dim, const Tensor& index, Tensor& out);
Tensor& gcd_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& ge_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& ge_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& gelu_backward_outf(const Tensor& grad_output, const Tensor& self, std::string_view approximate, Tensor& out);
Tensor& gelu_outf(const Tensor& x, std::string_view approximate, Tensor& out);
Tensor& geometric_outf(const Tensor& self, double p, OptionalGenerator generator, Tensor& out);
Tensor& ger_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& glu_backward_jvp_outf(const Tensor& grad_x, const Tensor& grad_glu, const Tensor& x, const Tensor& dgrad_glu,
                              const Tensor& dx, int64_t dim, Tensor& out);
Tensor& glu_backward_outf(const Tensor& grad_output, const Tensor& self, int64_t dim, Tensor& out);
Tensor& glu_jvp_outf(const Tensor& glu, const Tensor& x, const Tensor& dx, int64_t dim, Tensor& out);
Tensor& glu_outf(const Tensor& x, int64_t dim, Tensor& out);
Tensor& grid_sampler_2d_outf(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                             bool align_corners, Tensor& out);
Tensor& grid_sampler_3d_outf(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                             bool align_corners, Tensor& out);
Tensor& gt_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& gt_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& hamming_window_outf(int64_t n, Tensor& out);
Tensor& hamming_window_outf(int64_t n, bool periodic, Tensor& out);
Tensor& hamming_window_outf(int64_t n, bool periodic, double alpha, Tensor& out);
Tensor& hamming_window_outf(int64_t n, bool periodic, double alpha, double beta, Tensor& out);
Tensor& hann_window_outf(int64_t n, Tensor& out);
Tensor& hann_window_outf(int64_t n, bool periodic, Tensor& out);
Tensor& hardshrink_backward_outf(const Tensor& grad_out, const Tensor& self, const Scalar& lambd, Tensor& out);
Tensor& hardshrink_outf(const Tensor& x, const Scalar& lambda, Tensor& out);
Tensor& hardsigmoid_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& out);
Tensor& hardsigmoid_outf(const Tensor& x, Tensor& out);
Tensor& hardswish_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& out);
Tensor& hardswish_outf(const Tensor& x, Tensor& out);
Tensor& hardtanh_backward_outf(const Tensor& grad_output, const Tensor& self, const Scalar& min_val,
                               const Scalar& max_val, Tensor& out);
Tensor& hardtanh_outf(const Tensor& x, const Scalar& min_val, const Scalar& max_val, Tensor& out);
Tensor& hash_tensor_outf(const Tensor& x, IntArrayRef dims, bool keepdim, int64_t mode, Tensor& out);
Tensor& heaviside_outf(const Tensor& x, const Tensor& values, Tensor& out);
Tensor& histc_outf(const Tensor& x, int64_t bins, const Scalar& min, const Scalar& max, Tensor& out);
Tensor& hstack_outf(TensorList tensors, Tensor& out);
Tensor& huber_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
                                 double delta, Tensor& out);
Tensor& huber_loss_outf(const Tensor& x, const Tensor& target, int64_t reduction, double delta, Tensor& out);
Tensor& hypot_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& i0_outf(const Tensor& x, Tensor& out);
Tensor& igamma_outf(const Tensor& a, const Tensor& x, Tensor& out);
Tensor& igammac_outf(const Tensor& a, const Tensor& x, Tensor& out);
Tensor& im2col_outf(const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                    IntArrayRef stride, Tensor& out);
Tensor& index_add_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha,
                       Tensor& out);
Tensor& index_copy_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Tensor& out);
Tensor& index_fill_outf(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value, Tensor& out);
Tensor& index_fill_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& value, Tensor& out);
Tensor& index_outf(const Tensor& x, ArrayRef<indexing::TensorIndex> indices, Tensor& out);
Tensor& index_put_outf(const Tensor& x, ArrayRef<indexing::TensorIndex> indices, const Tensor& values, bool accumulate,
                       Tensor& out);
Tensor& index_reduce_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                          std::string_view reduce, bool include_self, Tensor& out);
Tensor& index_select_outf(const Tensor& x, int64_t dim, const Tensor& index, Tensor& out);
Tensor& inner_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& inverse_outf(const Tensor& A, Tensor& out);
Tensor& isin_outf(const Scalar& element, const Tensor& test_elements, bool assume_unique, bool invert, Tensor& out);
Tensor& isin_outf(const Tensor& elements, const Scalar& test_element, bool assume_unique, bool invert, Tensor& out);
Tensor& isin_outf(const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert, Tensor& out);
Tensor& isinf_outf(const Tensor& x, Tensor& out);
Tensor& isnan_outf(const Tensor& x, Tensor& out);
Tensor& isneginf_outf(const Tensor& x, Tensor& out);
Tensor& isposinf_outf(const Tensor& x, Tensor& out);
Tensor& kaiser_window_outf(int64_t n, Tensor& out);
Tensor& kaiser_window_outf(int64_t n, bool periodic, Tensor& out);
Tensor& kaiser_window_outf(int64_t n, bool periodic, double beta, Tensor& out);
Tensor& kron_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& lcm_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& ldexp_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& le_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& le_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& leaky_relu_backward_outf(const Tensor& grad_output, const Tensor& self, const Scalar& negative_slope,
                                 bool self_is_result, Tensor& out);
Tensor& leaky_relu_outf(const Tensor& x, const Scalar& negative_slope, Tensor& out);
Tensor& lerp_outf(const Tensor& start, const Tensor& end, const Scalar& weight, Tensor& out);
Tensor& lerp_outf(const Tensor& start, const Tensor& end, const Tensor& weight, Tensor& out);
Tensor& lgamma_outf(const Tensor& x, Tensor& out);
Tensor& lift_fresh_copy_outf(const Tensor& self, Tensor& out);
Tensor& lift_outf(const Tensor& self, Tensor& out);
Tensor& linalg_cholesky_outf(const Tensor& A, bool upper, Tensor& out);
Tensor& linalg_cond_outf(const Tensor& A, const std::optional<Scalar>& p, Tensor& out);
Tensor& linalg_cond_outf(const Tensor& A, std::string_view p, Tensor& out);
Tensor& linalg_cross_outf(const Tensor& a, const Tensor& b, int64_t dim, Tensor& out);
Tensor& linalg_det_outf(const Tensor& A, Tensor& out);
Tensor& linalg_eigvals_outf(const Tensor& A, Tensor& out);
Tensor& linalg_eigvalsh_outf(const Tensor& A, std::string_view UPLO, Tensor& out);
Tensor& linalg_householder_product_outf(const Tensor& A, const Tensor& tau, Tensor& out);
Tensor& linalg_inv_outf(const Tensor& A, Tensor& out);
Tensor& linalg_ldl_solve_outf(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian, Tensor& out);
Tensor& linalg_lu_solve_outf(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint,
                             Tensor& out);
Tensor& linalg_matmul_outf(const Tensor& self, const Tensor& other, Tensor& out);
Tensor& linalg_matrix_exp_outf(const Tensor& A, Tensor& out);
Tensor& linalg_matrix_norm_outf(const Tensor& A, const Scalar& ord, IntArrayRef dim, bool keepdim,
                                std::optional<DType> dtype, Tensor& out);
Tensor& linalg_matrix_norm_outf(const Tensor& A, std::string_view ord, IntArrayRef dim, bool keepdim,
                                std::optional<DType> dtype, Tensor& out);
Tensor& linalg_matrix_power_outf(const Tensor& A, int64_t n, Tensor& out);
Tensor& linalg_matrix_rank_outf(const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol, bool hermitian,
                                Tensor& out);
Tensor& linalg_matrix_rank_outf(const Tensor& A, Tensor& out);
Tensor& linalg_matrix_rank_outf(const Tensor& A, const Tensor& tol, bool hermitian, Tensor& out);
Tensor& linalg_matrix_rank_outf(const Tensor& A, double tol, bool hermitian, Tensor& out);
Tensor& linalg_matrix_rank_outf(const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian, Tensor& out);
Tensor& linalg_matrix_rank_outf(const Tensor& A, std::optional<double> atol, std::optional<double> rtol, bool hermitian,
                                Tensor& out);
Tensor& linalg_matrix_sqrth_outf(const Tensor& A, Tensor& out);
Tensor& linalg_multi_dot_outf(TensorList tensors, Tensor& out);
Tensor& linalg_norm_outf(const Tensor& A, const std::optional<Scalar>& ord, OptionalIntArrayRef dim, bool keepdim,
                         std::optional<DType> dtype, Tensor& out);
Tensor& linalg_norm_outf(const Tensor& A, std::string_view ord, OptionalIntArrayRef dim, bool keepdim,
                         std::optional<DType> dtype, Tensor& out);
Tensor& linalg_pinv_outf(const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol, bool hermitian, Tensor& out);
Tensor& linalg_pinv_outf(const Tensor& A, Tensor& out);
Tensor& linalg_pinv_outf(const Tensor& A, const Tensor& rcond, bool hermitian, Tensor& out);
Tensor& linalg_pinv_outf(const Tensor& A, double rcond, bool hermitian, Tensor& out);
Tensor& linalg_pinv_outf(const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian, Tensor& out);
Tensor& linalg_pinv_outf(const Tensor& A, std::optional<double> atol, std::optional<double> rtol, bool hermitian,
                         Tensor& out);
Tensor& linalg_solve_outf(const Tensor& A, const Tensor& B, bool left, Tensor& out);
Tensor& linalg_solve_triangular_outf(const Tensor& A, const Tensor& B, bool upper, bool left, bool unitriangular,
                                     Tensor& out);
Tensor& linalg_svdvals_outf(const Tensor& A, std::optional<std::string_view> driver, Tensor& out);
Tensor& linalg_tensorinv_outf(const Tensor& A, int64_t ind, Tensor& out);
Tensor& linalg_tensorsolve_outf(const Tensor& A, const Tensor& B, OptionalIntArrayRef dims, Tensor& out);
Tensor& linalg_vecdot_outf(const Tensor& x, const Tensor& y, int64_t dim, Tensor& out);
Tensor& linalg_vector_norm_outf(const Tensor& x, const Scalar& ord, OptionalIntArrayRef dims, bool keepdim,
                                std::optional<DType> dtype, Tensor& out);
Tensor& linear_outf(const Tensor& x, const Tensor& weight, OptionalTensorRef bias, Tensor& out);
Tensor& linspace_outf(const Scalar& start, const Scalar& end, int64_t steps, Tensor& out);
Tensor& linspace_outf(const Scalar& start, const Tensor& end, int64_t steps, Tensor& out);
Tensor& linspace_outf(const Tensor& start, const Scalar& end, int64_t steps, Tensor& out);
Tensor& linspace_outf(const Tensor& start, const Tensor& end, int64_t steps, Tensor& out);
Tensor& log10_outf(const Tensor& x, Tensor& out);
Tensor& log1p_outf(const Tensor& x, Tensor& out);
Tensor& log2_outf(const Tensor& x, Tensor& out);
Tensor& log_normal_outf(const Tensor& self, double mean, double std, OptionalGenerator generator, Tensor& out);
Tensor& log_outf(const Tensor& x, Tensor& out);
Tensor& log_sigmoid_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& buffer, Tensor& out);
Tensor& log_sigmoid_outf(const Tensor& x, Tensor& out);
Tensor& log_softmax_outf(const Tensor& x, int64_t dim, std::optional<DType> dtype, Tensor& out);
Tensor& logaddexp2_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& logaddexp_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& logcumsumexp_outf(const Tensor& x, int64_t dim, Tensor& out);
Tensor& logical_and_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& logical_not_outf(const Tensor& x, Tensor& out);
Tensor& logical_or_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& logical_xor_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& logit_backward_outf(const Tensor& grad_output, const Tensor& self, std::optional<double> eps, Tensor& out);
Tensor& logit_outf(const Tensor& x, std::optional<double> eps, Tensor& out);
Tensor& logspace_outf(const Scalar& start, const Scalar& end, int64_t steps, double base, Tensor& out);
Tensor& logspace_outf(const Scalar& start, const Tensor& end, int64_t steps, double base, Tensor& out);
Tensor& logspace_outf(const Tensor& start, const Scalar& end, int64_t steps, double base, Tensor& out);
Tensor& logspace_outf(const Tensor& start, const Tensor& end, int64_t steps, double base, Tensor& out);
Tensor& logsumexp_outf(const Tensor& x, IntArrayRef dims, bool keepdim, Tensor& out);
Tensor& lt_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& lt_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& lu_solve_outf(const Tensor& B, const Tensor& LU, const Tensor& pivots, Tensor& out);
Tensor& masked_fill_outf(const Tensor& x, const Tensor& mask, const Scalar& value, Tensor& out);
Tensor& masked_fill_outf(const Tensor& x, const Tensor& mask, const Tensor& value, Tensor& out);
Tensor& masked_scatter_outf(const Tensor& x, const Tensor& mask, const Tensor& source, Tensor& out);
Tensor& masked_select_outf(const Tensor& x, const Tensor& mask, Tensor& out);
Tensor& matmul_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& matrix_power_outf(const Tensor& A, int64_t n, Tensor& out);
Tensor& max_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& max_outf(const Tensor& x, Tensor& out);
Tensor& max_pool2d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                 IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode,
                                 Tensor& out);
Tensor& max_pool2d_with_indices_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                              IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                              bool ceil_mode, const Tensor& indices, Tensor& out);
Tensor& max_pool3d_with_indices_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                              IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                              bool ceil_mode, const Tensor& indices, Tensor& out);
Tensor& max_unpool2d_outf(const Tensor& input, const Tensor& indices, IntArrayRef output_size, Tensor& out);
Tensor& max_unpool3d_outf(const Tensor& input, const Tensor& indices, IntArrayRef output_size, IntArrayRef stride,
                          IntArrayRef padding, Tensor& out);
Tensor& maximum_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& mean_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype, Tensor& out);
Tensor& mean_outf(const Tensor& x, std::optional<DType> dtype, Tensor& out);
Tensor& median_outf(const Tensor& x, Tensor& out);
Tensor& min_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& min_outf(const Tensor& x, Tensor& out);
Tensor& minimum_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& mish_outf(const Tensor& x, Tensor& out);
Tensor& mm_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& mm_outf(const Tensor& self, const Tensor& mat2, DType out_dtype, Tensor& out);
Tensor& mse_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
                               Tensor& out);
Tensor& mse_loss_outf(const Tensor& x, const Tensor& target, int64_t reduction, Tensor& out);
Tensor& msort_outf(const Tensor& x, Tensor& out);
Tensor& mul_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& mul_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& mul_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& multi_margin_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                        const Scalar& p, const Scalar& margin, const std::optional<Tensor>& weight,
                                        int64_t reduction, Tensor& out);
Tensor& multi_margin_loss_outf(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                               const std::optional<Tensor>& weight, int64_t reduction, Tensor& out);
Tensor& multilabel_margin_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                             int64_t reduction, const Tensor& is_target, Tensor& out);
Tensor& multilabel_margin_loss_outf(const Tensor& x, const Tensor& target, int64_t reduction, Tensor& out);
Tensor& multinomial_outf(const Tensor& probs, int64_t num_samples, bool replacement, OptionalGenerator generator,
                         Tensor& out);
Tensor& mv_outf(const Tensor& a, const Tensor& v, Tensor& out);
Tensor& mvlgamma_outf(const Tensor& x, int64_t p, Tensor& out);
Tensor& nan_to_num_outf(const Tensor& x, std::optional<double> nan, std::optional<double> posinf,
                        std::optional<double> neginf, Tensor& out);
Tensor& nanmean_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype, Tensor& out);
Tensor& nanmedian_outf(const Tensor& x, Tensor& out);
Tensor& nanquantile_outf(const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                         std::string_view interpolation, Tensor& out);
Tensor& nanquantile_outf(const Tensor& x, double q, std::optional<int64_t> dim, bool keepdim,
                         std::string_view interpolation, Tensor& out);
Tensor& nansum_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype, Tensor& out);
Tensor& narrow_copy_outf(const Tensor& x, int64_t dim, int64_t start, int64_t length, Tensor& out);
Tensor& native_dropout_backward_outf(const Tensor& grad_output, const Tensor& mask, double scale, Tensor& out);
Tensor& native_norm_outf(const Tensor& self, const Scalar& p, Tensor& out);
Tensor& native_norm_outf(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                         std::optional<DType> dtype, Tensor& out);
Tensor& ne_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& ne_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& neg_outf(const Tensor& x, Tensor& out);
Tensor& negative_outf(const Tensor& x, Tensor& out);
Tensor& new_empty_outf(const Tensor& self, IntArrayRef size, Tensor& out);
Tensor& new_empty_strided_outf(const Tensor& self, IntArrayRef size, IntArrayRef stride, Tensor& out);
Tensor& new_full_outf(const Tensor& self, IntArrayRef size, const Scalar& fill_value, Tensor& out);
Tensor& new_ones_outf(const Tensor& self, IntArrayRef size, Tensor& out);
Tensor& new_zeros_outf(const Tensor& self, IntArrayRef size, Tensor& out);
Tensor& nextafter_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& nll_loss2d_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                 OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                                 const Tensor& total_weight, Tensor& out);
Tensor& nll_loss2d_outf(const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                        int64_t ignore_index, Tensor& out);
Tensor& nll_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                               OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                               const Tensor& total_weight, Tensor& out);
Tensor& nll_loss_outf(const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                      int64_t ignore_index, Tensor& out);
Tensor& nonzero_outf(const Tensor& x, Tensor& out);
Tensor& nonzero_static_outf(const Tensor& x, int64_t size, int64_t fill_value, Tensor& out);
Tensor& norm_outf(const Tensor& x, const Scalar& p, Tensor& out);
Tensor& norm_outf(const Tensor& x, const std::optional<Scalar>& p, DType dtype, Tensor& out);
Tensor& norm_outf(const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim, DType dtype,
                  Tensor& out);
Tensor& norm_outf(const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim, Tensor& out);
Tensor& normal_outf(const Tensor& mean, const Tensor& std, OptionalGenerator generator, Tensor& out);
Tensor& normal_outf(const Tensor& mean, double std, OptionalGenerator generator, Tensor& out);
Tensor& normal_outf(double mean, const Tensor& std, OptionalGenerator generator, Tensor& out);
Tensor& normal_outf(double mean, double std, IntArrayRef sizes, OptionalGenerator generator, Tensor& out);
Tensor& normal_outf(double mean, double std, IntArrayRef sizes, Tensor& out);
Tensor& nuclear_norm_outf(const Tensor& A, IntArrayRef dim, bool keepdim, Tensor& out);
Tensor& nuclear_norm_outf(const Tensor& A, bool keepdim, Tensor& out);
Tensor& ones_like_outf(const Tensor& x, std::optional<MemoryFormat> memory_format, Tensor& out);
Tensor& ones_outf(IntArrayRef sizes, Tensor& out);
Tensor& orgqr_outf(const Tensor& A, const Tensor& tau, Tensor& out);
Tensor& ormqr_outf(const Tensor& A, const Tensor& tau, const Tensor& other, bool left, bool transpose, Tensor& out);
Tensor& outer_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& permute_copy_outf(const Tensor& x, IntArrayRef dims, Tensor& out);
Tensor& pixel_shuffle_outf(const Tensor& self, int64_t upscale_factor, Tensor& out);
Tensor& pixel_unshuffle_outf(const Tensor& self, int64_t downscale_factor, Tensor& out);
Tensor& poisson_outf(const Tensor& rate, OptionalGenerator generator, Tensor& out);
Tensor& polar_outf(const Tensor& abs, const Tensor& angle, Tensor& out);
Tensor& polygamma_outf(int64_t n, const Tensor& x, Tensor& out);
Tensor& pow_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& pow_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& pow_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& prod_outf(const Tensor& x, int64_t dim, bool keepdim, std::optional<DType> dtype, Tensor& out);
Tensor& prod_outf(const Tensor& x, std::optional<DType> dtype, Tensor& out);
Tensor& put_outf(const Tensor& x, const Tensor& index, const Tensor& source, bool accumulate, Tensor& out);
Tensor& quantile_outf(const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                      std::string_view interpolation, Tensor& out);
Tensor& quantile_outf(const Tensor& x, double q, std::optional<int64_t> dim, bool keepdim,
                      std::string_view interpolation, Tensor& out);
Tensor& rad2deg_outf(const Tensor& x, Tensor& out);
Tensor& rand_like_outf(const Tensor& x, std::optional<MemoryFormat> memory_format, Tensor& out);
Tensor& rand_outf(IntArrayRef sizes, OptionalGenerator generator, Tensor& out);
Tensor& rand_outf(IntArrayRef sizes, Tensor& out);
Tensor& randint_like_outf(const Tensor& self, const Tensor& high, OptionalGenerator generator, Tensor& out);
Tensor& randint_like_outf(const Tensor& self, const Tensor& high, Tensor& out);
Tensor& randint_like_outf(const Tensor& x, int64_t high, std::optional<MemoryFormat> memory_format, Tensor& out);
Tensor& randint_like_outf(const Tensor& x, int64_t low, int64_t high, std::optional<MemoryFormat> memory_format,
                          Tensor& out);
Tensor& randint_outf(int64_t high, IntArrayRef sizes, OptionalGenerator generator, Tensor& out);
Tensor& randint_outf(int64_t high, IntArrayRef sizes, Tensor& out);
Tensor& randint_outf(int64_t low, int64_t high, IntArrayRef sizes, OptionalGenerator generator, Tensor& out);
Tensor& randint_outf(int64_t low, int64_t high, IntArrayRef sizes, Tensor& out);
Tensor& randn_like_outf(const Tensor& x, std::optional<MemoryFormat> memory_format, Tensor& out);
Tensor& randn_outf(IntArrayRef sizes, OptionalGenerator generator, Tensor& out);
Tensor& randn_outf(IntArrayRef sizes, Tensor& out);
Tensor& randperm_outf(int64_t n, OptionalGenerator generator, Tensor& out);
Tensor& randperm_outf(int64_t n, Tensor& out);
Tensor& range_outf(const Scalar& start, const Scalar& end, Tensor& out);
Tensor& range_outf(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out);
Tensor& reciprocal_outf(const Tensor& x, Tensor& out);
Tensor& reflection_pad1d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding, Tensor& out);
Tensor& reflection_pad1d_outf(const Tensor& self, IntArrayRef padding, Tensor& out);
Tensor& reflection_pad2d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding, Tensor& out);
Tensor& reflection_pad2d_outf(const Tensor& self, IntArrayRef padding, Tensor& out);
Tensor& reflection_pad3d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding, Tensor& out);
Tensor& reflection_pad3d_outf(const Tensor& self, IntArrayRef padding, Tensor& out);
Tensor& relu_outf(const Tensor& x, Tensor& out);
Tensor& remainder_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& remainder_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& remainder_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& renorm_outf(const Tensor& x, const Scalar& p, int64_t dim, const Scalar& maxnorm, Tensor& out);
Tensor& repeat_interleave_outf(const Tensor& repeats, std::optional<int64_t> output_size, Tensor& out);
Tensor& repeat_interleave_outf(const Tensor& x, const Tensor& repeats, std::optional<int64_t> dim,
                               std::optional<int64_t> output_size, Tensor& out);
Tensor& repeat_interleave_outf(const Tensor& x, int64_t repeats, std::optional<int64_t> dim,
                               std::optional<int64_t> output_size, Tensor& out);
Tensor& repeat_outf(const Tensor& x, IntArrayRef repeats, Tensor& out);
Tensor& replication_pad1d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                        Tensor& out);
Tensor& replication_pad1d_outf(const Tensor& self, IntArrayRef padding, Tensor& out);
Tensor& replication_pad2d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                        Tensor& out);
Tensor& replication_pad2d_outf(const Tensor& self, IntArrayRef padding, Tensor& out);
Tensor& replication_pad3d_backward_outf(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                                        Tensor& out);
Tensor& replication_pad3d_outf(const Tensor& self, IntArrayRef padding, Tensor& out);
Tensor& resize_as_outf(const Tensor& self, const Tensor& other, std::optional<MemoryFormat> format, Tensor& out);
Tensor& resize_outf(const Tensor& self, IntArrayRef size, std::optional<MemoryFormat> format, Tensor& out);
Tensor& roll_outf(const Tensor& x, IntArrayRef shifts, IntArrayRef dims, Tensor& out);
Tensor& rot90_outf(const Tensor& x, int64_t k, IntArrayRef dims, Tensor& out);
Tensor& round_outf(const Tensor& x, Tensor& out);
Tensor& round_outf(const Tensor& x, int64_t decimals, Tensor& out);
Tensor& row_stack_outf(TensorList tensors, Tensor& out);
Tensor& rrelu_with_noise_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& noise,
                                       const Scalar& lower, const Scalar& upper, bool training, bool self_is_result,
                                       Tensor& out);
Tensor& rrelu_with_noise_outf(const Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper,
                              bool training, OptionalGenerator generator, Tensor& out);
Tensor& rsqrt_outf(const Tensor& x, Tensor& out);
Tensor& rsub_outf(const Tensor& a, const Scalar& b, const Scalar& alpha, Tensor& out);
Tensor& rsub_outf(const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out);
Tensor& scalar_tensor_outf(const Scalar& value, Tensor& out);
Tensor& scatter_add_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Tensor& out);
Tensor& scatter_outf(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value, Tensor& out);
Tensor& scatter_outf(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce,
                     Tensor& out);
Tensor& scatter_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Tensor& out);
Tensor& scatter_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                     Tensor& out);
Tensor& scatter_reduce_outf(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                            std::string_view reduce, bool include_self, Tensor& out);
Tensor& searchsorted_outf(const Tensor& sorted, const Scalar& value, bool out_int32, bool right,
                          std::optional<std::string_view> side, OptionalTensorRef sorter, Tensor& out);
Tensor& searchsorted_outf(const Tensor& sorted, const Tensor& values, bool out_int32, bool right,
                          std::optional<std::string_view> side, OptionalTensorRef sorter, Tensor& out);
Tensor& segment_reduce_outf(const Tensor& data, std::string_view reduce, const std::optional<Tensor>& lengths,
                            const std::optional<Tensor>& indices, const std::optional<Tensor>& offsets, int64_t axis,
                            bool unsafe, const std::optional<Scalar>& initial, Tensor& out);
Tensor& select_backward_outf(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t index, Tensor& out);
Tensor& select_copy_outf(const Tensor& x, int64_t dim, int64_t index, Tensor& out);
Tensor& select_scatter_outf(const Tensor& base, const Tensor& source, int64_t dim, int64_t index, Tensor& out);
Tensor& set_outf(const Tensor& self, Tensor& out);
Tensor& set_outf(const Tensor& self, const Storage& source, Tensor& out);
Tensor& set_outf(const Tensor& self, const Storage& source, int64_t storage_offset, IntArrayRef size,
                 IntArrayRef stride, Tensor& out);
Tensor& set_outf(const Tensor& self, const Tensor& source, Tensor& out);
Tensor& sgn_outf(const Tensor& x, Tensor& out);
Tensor& sigmoid_backward_outf(const Tensor& grad_output, const Tensor& output, Tensor& out);
Tensor& sigmoid_outf(const Tensor& x, Tensor& out);
Tensor& sign_outf(const Tensor& x, Tensor& out);
Tensor& signbit_outf(const Tensor& x, Tensor& out);
Tensor& silu_backward_outf(const Tensor& grad_output, const Tensor& self, Tensor& out);
Tensor& silu_outf(const Tensor& x, Tensor& out);
Tensor& sin_outf(const Tensor& x, Tensor& out);
Tensor& sinc_outf(const Tensor& x, Tensor& out);
Tensor& sinh_outf(const Tensor& x, Tensor& out);
Tensor& slice_backward_outf(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t start, int64_t end,
                            int64_t step, Tensor& out);
Tensor& slice_copy_outf(const Tensor& x, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                        int64_t step, Tensor& out);
Tensor& slice_scatter_outf(const Tensor& base, const Tensor& source, int64_t dim, std::optional<int64_t> start,
                           std::optional<int64_t> end, int64_t step, Tensor& out);
Tensor& slow_conv3d_forward_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                 OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, Tensor& out);
Tensor& slow_conv3d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                         IntArrayRef stride, IntArrayRef padding, Tensor& out);
Tensor& slow_conv_dilated2d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                 OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                 Tensor& out);
Tensor& slow_conv_dilated3d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                 OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                 Tensor& out);
Tensor& slow_conv_transpose2d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                   OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding,
                                   IntArrayRef output_padding, IntArrayRef dilation, Tensor& out);
Tensor& slow_conv_transpose3d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                   OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding,
                                   IntArrayRef output_padding, IntArrayRef dilation, Tensor& out);
Tensor& smooth_l1_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                     int64_t reduction, double beta, Tensor& out);
Tensor& smooth_l1_loss_outf(const Tensor& x, const Tensor& target, int64_t reduction, double beta, Tensor& out);
Tensor& soft_margin_loss_backward_outf(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                       int64_t reduction, Tensor& out);
Tensor& soft_margin_loss_outf(const Tensor& x, const Tensor& target, int64_t reduction, Tensor& out);
Tensor& softmax_outf(const Tensor& x, int64_t dim, std::optional<DType> dtype, Tensor& out);
Tensor& softplus_backward_outf(const Tensor& grad_output, const Tensor& self, const Scalar& beta,
                               const Scalar& threshold, Tensor& out);
Tensor& softplus_outf(const Tensor& x, const Scalar& beta, const Scalar& threshold, Tensor& out);
Tensor& softshrink_backward_outf(const Tensor& grad_output, const Tensor& self, const Scalar& lambd, Tensor& out);
Tensor& softshrink_outf(const Tensor& x, const Scalar& lambda, Tensor& out);
Tensor& special_airy_ai_outf(const Tensor& x, Tensor& out);
Tensor& special_bessel_j0_outf(const Tensor& x, Tensor& out);
Tensor& special_bessel_j1_outf(const Tensor& x, Tensor& out);
Tensor& special_bessel_y0_outf(const Tensor& x, Tensor& out);
Tensor& special_bessel_y1_outf(const Tensor& x, Tensor& out);
Tensor& special_chebyshev_polynomial_t_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_chebyshev_polynomial_t_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_chebyshev_polynomial_t_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_chebyshev_polynomial_u_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_chebyshev_polynomial_u_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_chebyshev_polynomial_u_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_chebyshev_polynomial_v_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_chebyshev_polynomial_v_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_chebyshev_polynomial_v_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_chebyshev_polynomial_w_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_chebyshev_polynomial_w_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_chebyshev_polynomial_w_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_digamma_outf(const Tensor& x, Tensor& out);
Tensor& special_entr_outf(const Tensor& x, Tensor& out);
Tensor& special_erf_outf(const Tensor& x, Tensor& out);
Tensor& special_erfc_outf(const Tensor& x, Tensor& out);
Tensor& special_erfcx_outf(const Tensor& x, Tensor& out);
Tensor& special_erfinv_outf(const Tensor& x, Tensor& out);
Tensor& special_exp2_outf(const Tensor& x, Tensor& out);
Tensor& special_expit_outf(const Tensor& x, Tensor& out);
Tensor& special_expm1_outf(const Tensor& x, Tensor& out);
Tensor& special_gammainc_outf(const Tensor& a, const Tensor& x, Tensor& out);
Tensor& special_gammaincc_outf(const Tensor& a, const Tensor& x, Tensor& out);
Tensor& special_gammaln_outf(const Tensor& x, Tensor& out);
Tensor& special_hermite_polynomial_h_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_hermite_polynomial_h_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_hermite_polynomial_h_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_hermite_polynomial_he_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_hermite_polynomial_he_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_hermite_polynomial_he_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_i0_outf(const Tensor& x, Tensor& out);
Tensor& special_i0e_outf(const Tensor& x, Tensor& out);
Tensor& special_i1_outf(const Tensor& x, Tensor& out);
Tensor& special_i1e_outf(const Tensor& x, Tensor& out);
Tensor& special_laguerre_polynomial_l_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_laguerre_polynomial_l_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_laguerre_polynomial_l_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_legendre_polynomial_p_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_legendre_polynomial_p_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_legendre_polynomial_p_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_log1p_outf(const Tensor& x, Tensor& out);
Tensor& special_log_ndtr_outf(const Tensor& x, Tensor& out);
Tensor& special_logit_outf(const Tensor& x, std::optional<double> eps, Tensor& out);
Tensor& special_logsumexp_outf(const Tensor& x, IntArrayRef dims, bool keepdim, Tensor& out);
Tensor& special_modified_bessel_i0_outf(const Tensor& x, Tensor& out);
Tensor& special_modified_bessel_i1_outf(const Tensor& x, Tensor& out);
Tensor& special_modified_bessel_k0_outf(const Tensor& x, Tensor& out);
Tensor& special_modified_bessel_k1_outf(const Tensor& x, Tensor& out);
Tensor& special_multigammaln_outf(const Tensor& x, int64_t p, Tensor& out);
Tensor& special_ndtr_outf(const Tensor& x, Tensor& out);
Tensor& special_ndtri_outf(const Tensor& x, Tensor& out);
Tensor& special_polygamma_outf(int64_t n, const Tensor& x, Tensor& out);
Tensor& special_psi_outf(const Tensor& x, Tensor& out);
Tensor& special_round_outf(const Tensor& x, Tensor& out);
Tensor& special_round_outf(const Tensor& x, int64_t decimals, Tensor& out);
Tensor& special_scaled_modified_bessel_k0_outf(const Tensor& x, Tensor& out);
Tensor& special_scaled_modified_bessel_k1_outf(const Tensor& x, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_t_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_t_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_t_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_u_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_u_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_u_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_v_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_v_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_v_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_w_outf(const Scalar& x, const Tensor& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_w_outf(const Tensor& x, const Scalar& n, Tensor& out);
Tensor& special_shifted_chebyshev_polynomial_w_outf(const Tensor& x, const Tensor& n, Tensor& out);
Tensor& special_sinc_outf(const Tensor& x, Tensor& out);
Tensor& special_spherical_bessel_j0_outf(const Tensor& x, Tensor& out);
Tensor& special_xlog1py_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& special_xlog1py_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& special_xlog1py_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& special_xlogy_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& special_xlogy_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& special_xlogy_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& special_zeta_outf(const Scalar& x, const Tensor& q, Tensor& out);
Tensor& special_zeta_outf(const Tensor& x, const Scalar& q, Tensor& out);
Tensor& special_zeta_outf(const Tensor& x, const Tensor& q, Tensor& out);
Tensor& sqrt_outf(const Tensor& x, Tensor& out);
Tensor& square_outf(const Tensor& x, Tensor& out);
Tensor& squeeze_copy_outf(const Tensor& x, IntArrayRef dims, Tensor& out);
Tensor& squeeze_copy_outf(const Tensor& x, Tensor& out);
Tensor& squeeze_copy_outf(const Tensor& x, int64_t dim, Tensor& out);
Tensor& stack_outf(TensorList tensors, int64_t dim, Tensor& out);
Tensor& std_outf(const Tensor& x, OptionalIntArrayRef dims, const std::optional<Scalar>& correction, bool keepdim,
                 Tensor& out);
Tensor& sub_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& sub_outf(const Tensor& a, const Scalar& b, const Scalar& alpha, Tensor& out);
Tensor& sub_outf(const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out);
Tensor& sum_outf(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype, Tensor& out);
Tensor& sum_outf(const Tensor& x, std::optional<DType> dtype, Tensor& out);
Tensor& t_copy_outf(const Tensor& x, Tensor& out);
Tensor& take_along_dim_outf(const Tensor& x, const Tensor& index, std::optional<int64_t> dim, Tensor& out);
Tensor& take_outf(const Tensor& x, const Tensor& index, Tensor& out);
Tensor& tan_outf(const Tensor& x, Tensor& out);
Tensor& tanh_backward_outf(const Tensor& grad_output, const Tensor& output, Tensor& out);
Tensor& tanh_outf(const Tensor& x, Tensor& out);
Tensor& tensordot_outf(const Tensor& a, const Tensor& b, IntArrayRef dims_a, IntArrayRef dims_b, Tensor& out);
Tensor& tensordot_outf(const Tensor& a, const Tensor& b, int64_t dims, Tensor& out);
Tensor& thnn_conv2d_outf(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                         IntArrayRef stride, IntArrayRef padding, Tensor& out);
Tensor& threshold_backward_outf(const Tensor& grad_output, const Tensor& self, const Scalar& threshold, Tensor& out);
Tensor& threshold_outf(const Tensor& x, const Scalar& threshold, const Scalar& value, Tensor& out);
Tensor& trace_outf(const Tensor& x, Tensor& out);
Tensor& transpose_copy_outf(const Tensor& x, int64_t a, int64_t b, Tensor& out);
Tensor& tril_indices_outf(int64_t rows, int64_t cols, int64_t offset, Tensor& out);
Tensor& tril_outf(const Tensor& x, int64_t diagonal, Tensor& out);
Tensor& triu_indices_outf(int64_t rows, int64_t cols, int64_t offset, Tensor& out);
Tensor& triu_outf(const Tensor& x, int64_t diagonal, Tensor& out);
Tensor& trunc_outf(const Tensor& x, Tensor& out);
Tensor& unfold_backward_outf(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t size, int64_t step,
                             Tensor& out);
Tensor& unfold_copy_outf(const Tensor& x, int64_t dim, int64_t size, int64_t step, Tensor& out);
Tensor& uniform_outf(const Tensor& self, double from, double to, OptionalGenerator generator, Tensor& out);
Tensor& unsqueeze_copy_outf(const Tensor& x, int64_t dim, Tensor& out);
Tensor& upsample_bicubic2d_backward_outf(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                         bool align_corners, std::optional<double> scales_h,
                                         std::optional<double> scales_w, Tensor& out);
Tensor& upsample_bicubic2d_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out);
Tensor& upsample_bicubic2d_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                std::optional<ArrayRef<double>> scales, Tensor& out);
Tensor& upsample_bilinear2d_backward_outf(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                          bool align_corners, std::optional<double> scales_h,
                                          std::optional<double> scales_w, Tensor& out);
Tensor& upsample_bilinear2d_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                 std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out);
Tensor& upsample_bilinear2d_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                 std::optional<ArrayRef<double>> scales, Tensor& out);
Tensor& upsample_linear1d_backward_outf(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                        bool align_corners, std::optional<double> scales, Tensor& out);
Tensor& upsample_linear1d_outf(const Tensor& self, IntArrayRef size, bool align_corners, std::optional<double> scales,
                               Tensor& out);
Tensor& upsample_linear1d_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                               std::optional<ArrayRef<double>> scales, Tensor& out);
Tensor& upsample_nearest1d_backward_outf(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                         std::optional<double> scales, Tensor& out);
Tensor& upsample_nearest1d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales, Tensor& out);
Tensor& upsample_nearest1d_outf(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales,
                                Tensor& out);
Tensor& upsample_nearest2d_backward_outf(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                         std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out);
Tensor& upsample_nearest2d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales_h,
                                std::optional<double> scales_w, Tensor& out);
Tensor& upsample_nearest2d_outf(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales,
                                Tensor& out);
Tensor& upsample_nearest3d_backward_outf(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                         std::optional<double> scales_d, std::optional<double> scales_h,
                                         std::optional<double> scales_w, Tensor& out);
Tensor& upsample_nearest3d_outf(const Tensor& self, IntArrayRef size, std::optional<double> scales_d,
                                std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out);
Tensor& upsample_nearest3d_outf(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales,
                                Tensor& out);
Tensor& upsample_trilinear3d_backward_outf(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                           bool align_corners, std::optional<double> scales_d,
                                           std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out);
Tensor& upsample_trilinear3d_outf(const Tensor& self, IntArrayRef size, bool align_corners,
                                  std::optional<double> scales_d, std::optional<double> scales_h,
                                  std::optional<double> scales_w, Tensor& out);
Tensor& upsample_trilinear3d_outf(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                  std::optional<ArrayRef<double>> scales, Tensor& out);
Tensor& var_outf(const Tensor& x, OptionalIntArrayRef dims, const std::optional<Scalar>& correction, bool keepdim,
                 Tensor& out);
Tensor& vdot_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& view_as_complex_copy_outf(const Tensor& x, Tensor& out);
Tensor& view_as_real_copy_outf(const Tensor& x, Tensor& out);
Tensor& view_copy_outf(const Tensor& self, DType dtype, Tensor& out);
Tensor& view_copy_outf(const Tensor& x, IntArrayRef sizes, Tensor& out);
Tensor& vstack_outf(TensorList tensors, Tensor& out);
Tensor& where_outf(const Tensor& condition, const Scalar& a, const Scalar& b, Tensor& out);
Tensor& where_outf(const Tensor& condition, const Scalar& a, const Tensor& b, Tensor& out);
Tensor& where_outf(const Tensor& condition, const Tensor& a, const Scalar& b, Tensor& out);
Tensor& where_outf(const Tensor& condition, const Tensor& a, const Tensor& b, Tensor& out);
Tensor& xlogy_outf(const Scalar& a, const Tensor& b, Tensor& out);
Tensor& xlogy_outf(const Tensor& a, const Scalar& b, Tensor& out);
Tensor& xlogy_outf(const Tensor& a, const Tensor& b, Tensor& out);
Tensor& zero_outf(const Tensor& self, Tensor& out);
Tensor& zeros_like_outf(const Tensor& x, std::optional<MemoryFormat> memory_format, Tensor& out);
Tensor& zeros_outf(IntArrayRef sizes, Tensor& out);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _batch_norm_no_update_outf(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, OptionalTensorRef running_mean,
    OptionalTensorRef running_var, double momentum, double eps, Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _batch_norm_with_update_outf(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, Tensor& running_mean, Tensor& running_var,
    double momentum, double eps, Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _embedding_bag_forward_only_outf(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq, int64_t mode,
    bool sparse, OptionalTensorRef per_sample_weights, bool include_last_offset, int64_t padding_idx, Tensor& out0,
    Tensor& out1, Tensor& out2, Tensor& out3);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _embedding_bag_outf(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq, int64_t mode,
    bool sparse, OptionalTensorRef per_sample_weights, bool include_last_offset, int64_t padding_idx, Tensor& out0,
    Tensor& out1, Tensor& out2, Tensor& out3);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _linalg_slogdet_outf(const Tensor& A, Tensor& out0, Tensor& out1,
                                                                    Tensor& out2, Tensor& out3);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _linalg_solve_ex_outf(const Tensor& A, const Tensor& B, bool left,
                                                                     bool check_errors, Tensor& out0, Tensor& out1,
                                                                     Tensor& out2, Tensor& out3);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> batch_norm_backward_reduce_outf(
    const Tensor& grad_out, const Tensor& input, const Tensor& mean, const Tensor& invstd, OptionalTensorRef weight,
    bool input_g, bool weight_g, bool bias_g, Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_outf(const Tensor& A, const Tensor& B,
                                                                 std::optional<double> rcond,
                                                                 std::optional<std::string_view> driver, Tensor& out0,
                                                                 Tensor& out1, Tensor& out2, Tensor& out3);
std::tuple<Tensor&, Tensor&, Tensor&> _linalg_det_outf(const Tensor& A, Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> _linalg_svd_outf(const Tensor& A, bool full_matrices, bool compute_uv,
                                                       std::optional<std::string_view> driver, Tensor& out0,
                                                       Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_no_training_outf(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, const Tensor& running_mean,
    const Tensor& running_var, double momentum, double eps, Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_outf(const Tensor& input, OptionalTensorRef weight,
                                                                    OptionalTensorRef bias, Tensor& running_mean,
                                                                    Tensor& running_var, bool training, double momentum,
                                                                    double eps, Tensor& out0, Tensor& out1,
                                                                    Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_outf(const Tensor& input, OptionalTensorRef weight,
                                                                    OptionalTensorRef bias, bool training,
                                                                    double momentum, double eps, Tensor& out0,
                                                                    Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> _unique2_outf(const Tensor& x, bool sorted, bool return_inverse,
                                                    bool return_counts, Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> convolution_backward_outf(
    const Tensor& grad_output, const Tensor& input, const Tensor& weight, OptionalIntArrayRef bias_sizes,
    IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
    int64_t groups, std::array<bool, 3> output_mask, Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> linalg_ldl_factor_ex_outf(const Tensor& A, bool hermitian, bool check_errors,
                                                                Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_factor_ex_outf(const Tensor& A, bool pivot, bool check_errors,
                                                               Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_outf(const Tensor& A, bool pivot, Tensor& out0, Tensor& out1,
                                                     Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_outf(const Tensor& A, bool full_matrices,
                                                      std::optional<std::string_view> driver, Tensor& out0,
                                                      Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> linear_backward_outf(const Tensor& self, const Tensor& grad_output,
                                                           const Tensor& weight, std::array<bool, 3> output_mask,
                                                           Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> lu_unpack_outf(const Tensor& LU, const Tensor& pivots, bool unpack_data,
                                                     bool unpack_pivots, Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_backward_outf(
    const Tensor& grad_out, const Tensor& input, OptionalTensorRef weight, OptionalTensorRef running_mean,
    OptionalTensorRef running_var, OptionalTensorRef save_mean, OptionalTensorRef save_invstd, bool train, double eps,
    std::array<bool, 3> output_mask, Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_outf(const Tensor& input, OptionalTensorRef weight,
                                                             OptionalTensorRef bias, OptionalTensorRef running_mean,
                                                             OptionalTensorRef running_var, bool training,
                                                             double momentum, double eps, Tensor& out0, Tensor& out1,
                                                             Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> native_group_norm_backward_outf(const Tensor& grad_out, const Tensor& input,
                                                                      const Tensor& mean, const Tensor& rstd,
                                                                      OptionalTensorRef weight, int64_t N, int64_t C,
                                                                      int64_t HxW, int64_t group,
                                                                      std::array<bool, 3> output_mask, Tensor& out0,
                                                                      Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> native_group_norm_outf(const Tensor& input, OptionalTensorRef weight,
                                                             OptionalTensorRef bias, int64_t N, int64_t C, int64_t HxW,
                                                             int64_t group, double eps, Tensor& out0, Tensor& out1,
                                                             Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> native_layer_norm_backward_outf(const Tensor& grad_out, const Tensor& input,
                                                                      IntArrayRef normalized_shape, const Tensor& mean,
                                                                      const Tensor& rstd, OptionalTensorRef weight,
                                                                      OptionalTensorRef bias,
                                                                      std::array<bool, 3> output_mask, Tensor& out0,
                                                                      Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> native_layer_norm_outf(const Tensor& input, IntArrayRef normalized_shape,
                                                             OptionalTensorRef weight, OptionalTensorRef bias,
                                                             double eps, Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> svd_outf(const Tensor& A, bool some, bool compute_uv, Tensor& out0, Tensor& out1,
                                               Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> unique_consecutive_outf(const Tensor& x, bool return_inverse, bool return_counts,
                                                              std::optional<int64_t> dim, Tensor& out0, Tensor& out1,
                                                              Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> unique_dim_consecutive_outf(const Tensor& x, int64_t dim, bool return_inverse,
                                                                  bool return_counts, Tensor& out0, Tensor& out1,
                                                                  Tensor& out2);
std::tuple<Tensor&, Tensor&, Tensor&> unique_dim_outf(const Tensor& x, int64_t dim, bool sorted, bool return_inverse,
                                                      bool return_counts, Tensor& out0, Tensor& out1, Tensor& out2);
std::tuple<Tensor&, Tensor&> _aminmax_outf(const Tensor& self, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> _aminmax_outf(const Tensor& self, int64_t dim, bool keepdim, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> _amp_update_scale_outf(const Tensor& self, const Tensor& growth_tracker,
                                                    const Tensor& found_inf, double scale_growth_factor,
                                                    double scale_backoff_factor, int64_t growth_interval, Tensor& out0,
                                                    Tensor& out1);
std::tuple<Tensor&, Tensor&> _fused_dropout_outf(const Tensor& self, double p, OptionalGenerator generator,
                                                 Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> _linalg_eigh_outf(const Tensor& A, std::string_view UPLO, bool compute_v, Tensor& out0,
                                               Tensor& out1);
std::tuple<Tensor&, Tensor&> _pack_padded_sequence_outf(const Tensor& input, const Tensor& lengths, bool batch_first,
                                                        Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> _unique_outf(const Tensor& x, bool sorted, bool return_inverse, Tensor& out0,
                                          Tensor& out1);
std::tuple<Tensor&, Tensor&> _weight_norm_interface_backward_outf(const Tensor& grad_w, const Tensor& saved_v,
                                                                  const Tensor& saved_g, const Tensor& saved_norms,
                                                                  int64_t dim, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> _weight_norm_interface_outf(const Tensor& v, const Tensor& g, int64_t dim, Tensor& out0,
                                                         Tensor& out1);
std::tuple<Tensor&, Tensor&> adaptive_max_pool2d_outf(const Tensor& input, IntArrayRef output_size, Tensor& out0,
                                                      Tensor& out1);
std::tuple<Tensor&, Tensor&> adaptive_max_pool3d_outf(const Tensor& input, IntArrayRef output_size, Tensor& out0,
                                                      Tensor& out1);
std::tuple<Tensor&, Tensor&> aminmax_outf(const Tensor& x, std::optional<int64_t> dim, bool keepdim, Tensor& out0,
                                          Tensor& out1);
std::tuple<Tensor&, Tensor&> batch_norm_gather_stats_outf(const Tensor& input, const Tensor& mean, const Tensor& invstd,
                                                          OptionalTensorRef running_mean, OptionalTensorRef running_var,
                                                          double momentum, double eps, int64_t count, Tensor& out0,
                                                          Tensor& out1);
std::tuple<Tensor&, Tensor&> batch_norm_gather_stats_with_counts_outf(
    const Tensor& input, const Tensor& mean, const Tensor& invstd, OptionalTensorRef running_mean,
    OptionalTensorRef running_var, double momentum, double eps, const Tensor& counts, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> batch_norm_stats_outf(const Tensor& input, double eps, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> batch_norm_update_stats_outf(const Tensor& input, OptionalTensorRef running_mean,
                                                          OptionalTensorRef running_var, double momentum, Tensor& out0,
                                                          Tensor& out1);
std::tuple<Tensor&, Tensor&> cummax_outf(const Tensor& x, int64_t dim, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> cummin_outf(const Tensor& x, int64_t dim, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> fractional_max_pool2d_outf(const Tensor& input, IntArrayRef kernel_size,
                                                        IntArrayRef output_size, const Tensor& random_samples,
                                                        Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> fractional_max_pool3d_outf(const Tensor& input, IntArrayRef kernel_size,
                                                        IntArrayRef output_size, const Tensor& random_samples,
                                                        Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> frexp_outf(const Tensor& x, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> geqrf_outf(const Tensor& A, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> grid_sampler_2d_backward_outf(const Tensor& grad_output, const Tensor& input,
                                                           const Tensor& grid, int64_t interpolation_mode,
                                                           int64_t padding_mode, bool align_corners,
                                                           std::array<bool, 2> output_mask, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> grid_sampler_3d_backward_outf(const Tensor& grad_output, const Tensor& input,
                                                           const Tensor& grid, int64_t interpolation_mode,
                                                           int64_t padding_mode, bool align_corners,
                                                           std::array<bool, 2> output_mask, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> histogram_outf(const Tensor& x, const Tensor& edges, OptionalTensorRef weight,
                                            bool density, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> histogram_outf(const Tensor& x, int64_t bins, std::optional<ArrayRef<double>> range,
                                            OptionalTensorRef weight, bool density, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> kthvalue_outf(const Tensor& x, int64_t k, int64_t dim, bool keepdim, Tensor& out0,
                                           Tensor& out1);
std::tuple<Tensor&, Tensor&> linalg_cholesky_ex_outf(const Tensor& A, bool upper, bool check_errors, Tensor& out0,
                                                     Tensor& out1);
std::tuple<Tensor&, Tensor&> linalg_eig_outf(const Tensor& A, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> linalg_eigh_outf(const Tensor& A, std::string_view UPLO, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> linalg_inv_ex_outf(const Tensor& A, bool check_errors, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> linalg_ldl_factor_outf(const Tensor& A, bool hermitian, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> linalg_lu_factor_outf(const Tensor& A, bool pivot, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> linalg_polar_outf(const Tensor& A, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> linalg_qr_outf(const Tensor& A, std::string_view mode, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> linalg_slogdet_outf(const Tensor& A, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> linalg_solve_ex_outf(const Tensor& A, const Tensor& B, bool left, bool check_errors,
                                                  Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> log_sigmoid_forward_outf(const Tensor& self, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> matmul_backward_outf(const Tensor& grad, const Tensor& self, const Tensor& other,
                                                  std::array<bool, 2> mask, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> max_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> max_pool2d_with_indices_outf(const Tensor& input, IntArrayRef kernel_size,
                                                          IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                                          bool ceil_mode, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_outf(const Tensor& input, IntArrayRef kernel_size,
                                                          IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                                          bool ceil_mode, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> median_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> min_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> mode_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> multilabel_margin_loss_forward_outf(const Tensor& self, const Tensor& target,
                                                                 int64_t reduction, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> nanmedian_outf(const Tensor& x, int64_t dim, bool keepdim, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> native_dropout_outf(const Tensor& input, double p, std::optional<bool> train, Tensor& out0,
                                                 Tensor& out1);
std::tuple<Tensor&, Tensor&> nll_loss2d_forward_outf(const Tensor& self, const Tensor& target, OptionalTensorRef weight,
                                                     int64_t reduction, int64_t ignore_index, Tensor& out0,
                                                     Tensor& out1);
std::tuple<Tensor&, Tensor&> nll_loss_forward_outf(const Tensor& self, const Tensor& target, OptionalTensorRef weight,
                                                   int64_t reduction, int64_t ignore_index, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> slogdet_outf(const Tensor& A, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> sort_outf(const Tensor& x, int64_t dim, bool descending, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> sort_outf(const Tensor& x, std::optional<bool> stable, int64_t dim, bool descending,
                                       Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> std_mean_outf(const Tensor& x, OptionalIntArrayRef dims,
                                           const std::optional<Scalar>& correction, bool keepdim, Tensor& out0,
                                           Tensor& out1);
std::tuple<Tensor&, Tensor&> topk_outf(const Tensor& x, int64_t k, int64_t dim, bool largest, bool sorted, Tensor& out0,
                                       Tensor& out1);
std::tuple<Tensor&, Tensor&> triangular_solve_outf(const Tensor& B, const Tensor& A, bool upper, bool transpose,
                                                   bool unitriangular, Tensor& out0, Tensor& out1);
std::tuple<Tensor&, Tensor&> var_mean_outf(const Tensor& x, OptionalIntArrayRef dims,
                                           const std::optional<Scalar>& correction, bool keepdim, Tensor& out0,
                                           Tensor& out1);
void split_copy_outf(const Tensor& self, int64_t split_size, int64_t dim, TensorList out);
void split_with_sizes_copy_outf(const Tensor& self, IntArrayRef split_sizes, int64_t dim, TensorList out);
void unbind_copy_outf(const Tensor& self, int64_t dim, TensorList out);
void unsafe_split_outf(const Tensor& self, int64_t split_size, int64_t dim, TensorList out);
void unsafe_split_with_sizes_outf(const Tensor& self, IntArrayRef split_sizes, int64_t dim, TensorList out);
}  // namespace strata
