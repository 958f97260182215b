// Functions made by script/compat-out: libtorch's that write their result into tensors given, and ATen's names for
// those of torch::special and torch::fft.
#pragma once
#include <strata/strata.h>

#include "containers.h"

namespace strata {
Tensor fft_fft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
               fft::Norm norm = std::nullopt);
Tensor fft_fft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1}, fft::Norm norm = std::nullopt);
Tensor fft_fftfreq(int64_t n, const TensorOptions& options = {});
Tensor fft_fftfreq(int64_t n, double d, const TensorOptions& options = {});
Tensor fft_fftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                fft::Norm norm = std::nullopt);
Tensor fft_fftshift(const Tensor& x, OptionalIntArrayRef dim = {});
Tensor fft_hfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                fft::Norm norm = std::nullopt);
Tensor fft_hfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                 fft::Norm norm = std::nullopt);
Tensor fft_hfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                 fft::Norm norm = std::nullopt);
Tensor fft_ifft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                fft::Norm norm = std::nullopt);
Tensor fft_ifft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                 fft::Norm norm = std::nullopt);
Tensor fft_ifftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                 fft::Norm norm = std::nullopt);
Tensor fft_ifftshift(const Tensor& x, OptionalIntArrayRef dim = {});
Tensor fft_ihfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                 fft::Norm norm = std::nullopt);
Tensor fft_ihfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                  fft::Norm norm = std::nullopt);
Tensor fft_ihfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                  fft::Norm norm = std::nullopt);
Tensor fft_irfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                 fft::Norm norm = std::nullopt);
Tensor fft_irfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                  fft::Norm norm = std::nullopt);
Tensor fft_irfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                  fft::Norm norm = std::nullopt);
Tensor fft_rfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                fft::Norm norm = std::nullopt);
Tensor fft_rfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                 fft::Norm norm = std::nullopt);
Tensor fft_rfftfreq(int64_t n, const TensorOptions& options = {});
Tensor fft_rfftfreq(int64_t n, double d, const TensorOptions& options = {});
Tensor fft_rfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                 fft::Norm norm = std::nullopt);
Tensor special_airy_ai(const Tensor& x);
Tensor special_bessel_j0(const Tensor& x);
Tensor special_bessel_j1(const Tensor& x);
Tensor special_bessel_y0(const Tensor& x);
Tensor special_bessel_y1(const Tensor& x);
Tensor special_chebyshev_polynomial_t(const Scalar& x, const Tensor& n);
Tensor special_chebyshev_polynomial_t(const Tensor& x, const Scalar& n);
Tensor special_chebyshev_polynomial_t(const Tensor& x, const Tensor& n);
Tensor special_chebyshev_polynomial_u(const Scalar& x, const Tensor& n);
Tensor special_chebyshev_polynomial_u(const Tensor& x, const Scalar& n);
Tensor special_chebyshev_polynomial_u(const Tensor& x, const Tensor& n);
Tensor special_chebyshev_polynomial_v(const Scalar& x, const Tensor& n);
Tensor special_chebyshev_polynomial_v(const Tensor& x, const Scalar& n);
Tensor special_chebyshev_polynomial_v(const Tensor& x, const Tensor& n);
Tensor special_chebyshev_polynomial_w(const Scalar& x, const Tensor& n);
Tensor special_chebyshev_polynomial_w(const Tensor& x, const Scalar& n);
Tensor special_chebyshev_polynomial_w(const Tensor& x, const Tensor& n);
Tensor special_digamma(const Tensor& x);
Tensor special_entr(const Tensor& x);
Tensor special_erf(const Tensor& x);
Tensor special_erfc(const Tensor& x);
Tensor special_erfcx(const Tensor& x);
Tensor special_erfinv(const Tensor& x);
Tensor special_exp2(const Tensor& x);
Tensor special_expit(const Tensor& x);
Tensor special_expm1(const Tensor& x);
Tensor special_gammainc(const Tensor& a, const Tensor& x);
Tensor special_gammaincc(const Tensor& a, const Tensor& x);
Tensor special_gammaln(const Tensor& x);
Tensor special_hermite_polynomial_h(const Scalar& x, const Tensor& n);
Tensor special_hermite_polynomial_h(const Tensor& x, const Scalar& n);
Tensor special_hermite_polynomial_h(const Tensor& x, const Tensor& n);
Tensor special_hermite_polynomial_he(const Scalar& x, const Tensor& n);
Tensor special_hermite_polynomial_he(const Tensor& x, const Scalar& n);
Tensor special_hermite_polynomial_he(const Tensor& x, const Tensor& n);
Tensor special_i0(const Tensor& x);
Tensor special_i0e(const Tensor& x);
Tensor special_i1(const Tensor& x);
Tensor special_i1e(const Tensor& x);
Tensor special_laguerre_polynomial_l(const Scalar& x, const Tensor& n);
Tensor special_laguerre_polynomial_l(const Tensor& x, const Scalar& n);
Tensor special_laguerre_polynomial_l(const Tensor& x, const Tensor& n);
Tensor special_legendre_polynomial_p(const Scalar& x, const Tensor& n);
Tensor special_legendre_polynomial_p(const Tensor& x, const Scalar& n);
Tensor special_legendre_polynomial_p(const Tensor& x, const Tensor& n);
Tensor special_log1p(const Tensor& x);
Tensor special_log_ndtr(const Tensor& x);
Tensor special_log_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);
Tensor special_logit(const Tensor& x, std::optional<double> eps = std::nullopt);
Tensor special_logsumexp(const Tensor& x, IntArrayRef dims, bool keepdim = false);
Tensor special_modified_bessel_i0(const Tensor& x);
Tensor special_modified_bessel_i1(const Tensor& x);
Tensor special_modified_bessel_k0(const Tensor& x);
Tensor special_modified_bessel_k1(const Tensor& x);
Tensor special_multigammaln(const Tensor& x, int64_t p);
Tensor special_ndtr(const Tensor& x);
Tensor special_ndtri(const Tensor& x);
Tensor special_polygamma(int64_t n, const Tensor& x);
Tensor special_psi(const Tensor& x);
Tensor special_round(const Tensor& x);
Tensor special_round(const Tensor& x, int64_t decimals);
Tensor special_scaled_modified_bessel_k0(const Tensor& x);
Tensor special_scaled_modified_bessel_k1(const Tensor& x);
Tensor special_shifted_chebyshev_polynomial_t(const Scalar& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_t(const Tensor& x, const Scalar& n);
Tensor special_shifted_chebyshev_polynomial_t(const Tensor& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_u(const Scalar& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_u(const Tensor& x, const Scalar& n);
Tensor special_shifted_chebyshev_polynomial_u(const Tensor& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_v(const Scalar& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_v(const Tensor& x, const Scalar& n);
Tensor special_shifted_chebyshev_polynomial_v(const Tensor& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_w(const Scalar& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_w(const Tensor& x, const Scalar& n);
Tensor special_shifted_chebyshev_polynomial_w(const Tensor& x, const Tensor& n);
Tensor special_sinc(const Tensor& x);
Tensor special_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);
Tensor special_spherical_bessel_j0(const Tensor& x);
Tensor special_xlog1py(const Scalar& a, const Tensor& b);
Tensor special_xlog1py(const Tensor& a, const Scalar& b);
Tensor special_xlog1py(const Tensor& a, const Tensor& b);
Tensor special_xlogy(const Scalar& a, const Tensor& b);
Tensor special_xlogy(const Tensor& a, const Scalar& b);
Tensor special_xlogy(const Tensor& a, const Tensor& b);
Tensor special_zeta(const Scalar& x, const Tensor& q);
Tensor special_zeta(const Tensor& x, const Scalar& q);
Tensor special_zeta(const Tensor& x, const Tensor& q);
Tensor& __lshift___out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& __lshift___out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& __rshift___out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& __rshift___out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& _adaptive_avg_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self);
Tensor& _adaptive_avg_pool2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size);
Tensor& _adaptive_avg_pool3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self);
Tensor& _adaptive_avg_pool3d_out(Tensor& out, const Tensor& self, IntArrayRef output_size);
Tensor& _add_relu_out(Tensor& out, const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor& _add_relu_out(Tensor& out, const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor& _addmm_activation_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1,
                              const Scalar& alpha = 1, bool use_gelu = false);
Tensor& _cdist_backward_out(Tensor& out, const Tensor& grad, const Tensor& x1, const Tensor& x2, double p,
                            const Tensor& cdist);
Tensor& _cholesky_solve_helper_out(Tensor& out, const Tensor& self, const Tensor& A, bool upper);
Tensor& _chunk_cat_out(Tensor& out, TensorList tensors, int64_t dim, int64_t num_chunks);
Tensor& _compute_linear_combination_out(Tensor& out, const Tensor& input, const Tensor& coefficients);
Tensor& _conj_copy_out(Tensor& out, const Tensor& self);
Tensor& _conj_physical_out(Tensor& out, const Tensor& self);
Tensor& _conv_depthwise2d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                              OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation);
Tensor& _convolution_out(Tensor& out, const Tensor& input, const Tensor& weight, OptionalTensorRef bias,
                         IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                         IntArrayRef output_padding, int64_t groups, bool benchmark, bool deterministic,
                         bool cudnn_enabled, bool allow_tf32 = true);
Tensor& _copy_from_and_resize_out(Tensor& out, const Tensor& self, const Tensor& dst);
Tensor& _copy_from_out(Tensor& out, const Tensor& self, const Tensor& dst, bool non_blocking = false);
Tensor& _efficientzerotensor_out(Tensor& out, IntArrayRef size);
Tensor& _embedding_bag_dense_backward_out(Tensor& out, const Tensor& grad, const Tensor& indices,
                                          const Tensor& offset2bag, const Tensor& bag_size,
                                          const Tensor& maximum_indices, int64_t num_weights, bool scale_grad_by_freq,
                                          int64_t mode, OptionalTensorRef per_sample_weights, int64_t padding_idx = -1);
Tensor& _embedding_bag_per_sample_weights_backward_out(Tensor& out, const Tensor& grad, const Tensor& weight,
                                                       const Tensor& indices, const Tensor& offsets,
                                                       const Tensor& offset2bag, int64_t mode,
                                                       int64_t padding_idx = -1);
Tensor& _euclidean_dist_out(Tensor& out, const Tensor& x1, const Tensor& x2);
Tensor& _fft_c2c_out(Tensor& out, const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward);
Tensor& _fft_c2r_out(Tensor& out, const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size);
Tensor& _fft_r2c_out(Tensor& out, const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided);
Tensor& _grid_sampler_2d_cpu_fallback_out(Tensor& out, const Tensor& input, const Tensor& grid,
                                          int64_t interpolation_mode, int64_t padding_mode, bool align_corners);
Tensor& _index_put_impl_out(Tensor& out, const Tensor& self, const List<std::optional<Tensor>>& indices,
                            const Tensor& values, bool accumulate = false, bool unsafe = false);
Tensor& _int_mm_out(Tensor& out, const Tensor& self, const Tensor& mat2);
Tensor& _log_softmax_backward_data_out(Tensor& out, const Tensor& grad_output, const Tensor& output, int64_t dim,
                                       DType input_dtype);
Tensor& _log_softmax_out(Tensor& out, const Tensor& self, int64_t dim, bool half_to_float);
Tensor& _logcumsumexp_out(Tensor& out, const Tensor& self, int64_t dim);
Tensor& _masked_scale_out(Tensor& out, const Tensor& self, const Tensor& mask, double scale);
Tensor& _masked_softmax_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& output, const Tensor& mask,
                                     std::optional<int64_t> dim = std::nullopt);
Tensor& _masked_softmax_out(Tensor& out, const Tensor& self, const Tensor& mask,
                            std::optional<int64_t> dim = std::nullopt, std::optional<int64_t> mask_type = std::nullopt);
Tensor& _neg_view_copy_out(Tensor& out, const Tensor& self);
Tensor& _pdist_backward_out(Tensor& out, const Tensor& grad, const Tensor& self, double p, const Tensor& pdist);
Tensor& _pin_memory_out(Tensor& out, const Tensor& self, std::optional<Device> device = std::nullopt);
Tensor& _reshape_alias_copy_out(Tensor& out, const Tensor& self, IntArrayRef size, IntArrayRef stride);
Tensor& _resize_output_out(Tensor& out, const Tensor& self, IntArrayRef size, Device device);
Tensor& _sample_dirichlet_out(Tensor& out, const Tensor& self, OptionalGenerator generator = {});
Tensor& _segment_reduce_backward_out(Tensor& out, const Tensor& grad, const Tensor& output, const Tensor& data,
                                     std::string_view reduce, const std::optional<Tensor>& lengths = {},
                                     const std::optional<Tensor>& offsets = {}, int64_t axis = 0,
                                     const std::optional<Scalar>& initial = std::nullopt);
Tensor& _softmax_backward_data_out(Tensor& out, const Tensor& grad_output, const Tensor& output, int64_t dim,
                                   DType input_dtype);
Tensor& _softmax_out(Tensor& out, const Tensor& self, int64_t dim, bool half_to_float);
Tensor& _stack_out(Tensor& out, TensorList tensors, int64_t dim = 0);
Tensor& _standard_gamma_out(Tensor& out, const Tensor& self, OptionalGenerator generator = {});
Tensor& _to_copy_out(Tensor& out, const Tensor& self, bool non_blocking = false,
                     std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor& _trilinear_out(Tensor& out, const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArrayRef expand1,
                       IntArrayRef expand2, IntArrayRef expand3, IntArrayRef sumdim, int64_t unroll_dim = 1);
Tensor& _unsafe_view_out(Tensor& out, const Tensor& self, IntArrayRef size);
Tensor& _upsample_bicubic2d_aa_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                            IntArrayRef input_size, bool align_corners,
                                            std::optional<double> scales_h = std::nullopt,
                                            std::optional<double> scales_w = std::nullopt);
Tensor& _upsample_bicubic2d_aa_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                   std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
Tensor& _upsample_bicubic2d_aa_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                   std::nullopt_t a3);
Tensor& _upsample_bicubic2d_aa_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                   std::optional<ArrayRef<double>> scales);
Tensor& _upsample_bilinear2d_aa_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                             IntArrayRef input_size, bool align_corners,
                                             std::optional<double> scales_h = std::nullopt,
                                             std::optional<double> scales_w = std::nullopt);
Tensor& _upsample_bilinear2d_aa_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                    std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
Tensor& _upsample_bilinear2d_aa_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                    std::nullopt_t a3);
Tensor& _upsample_bilinear2d_aa_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                    std::optional<ArrayRef<double>> scales);
Tensor& _upsample_nearest_exact1d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                               IntArrayRef input_size, std::optional<double> scales = std::nullopt);
Tensor& _upsample_nearest_exact1d_out(Tensor& out, const Tensor& self, IntArrayRef size,
                                      std::optional<double> scales = {});
Tensor& _upsample_nearest_exact1d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                                      std::optional<ArrayRef<double>> scales);
Tensor& _upsample_nearest_exact2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                               IntArrayRef input_size, std::optional<double> scales_h = std::nullopt,
                                               std::optional<double> scales_w = std::nullopt);
Tensor& _upsample_nearest_exact2d_out(Tensor& out, const Tensor& self, IntArrayRef size,
                                      std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
Tensor& _upsample_nearest_exact2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, std::nullopt_t a2);
Tensor& _upsample_nearest_exact2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                                      std::optional<ArrayRef<double>> scales);
Tensor& _upsample_nearest_exact3d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                               IntArrayRef input_size, std::optional<double> scales_d = std::nullopt,
                                               std::optional<double> scales_h = std::nullopt,
                                               std::optional<double> scales_w = std::nullopt);
Tensor& _upsample_nearest_exact3d_out(Tensor& out, const Tensor& self, IntArrayRef size,
                                      std::optional<double> scales_d = {}, std::optional<double> scales_h = {},
                                      std::optional<double> scales_w = {});
Tensor& _upsample_nearest_exact3d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                                      std::optional<ArrayRef<double>> scales);
Tensor& absolute_out(Tensor& out, const Tensor& x);
Tensor& adaptive_avg_pool1d_out(Tensor& out, const Tensor& input, IntArrayRef output_size);
Tensor& adaptive_avg_pool2d_out(Tensor& out, const Tensor& input, IntArrayRef output_size);
Tensor& adaptive_avg_pool3d_out(Tensor& out, const Tensor& input, IntArrayRef output_size);
Tensor& adaptive_max_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                         const Tensor& indices);
Tensor& adaptive_max_pool3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                         const Tensor& indices);
Tensor& add_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& add_out(Tensor& out, const Tensor& a, const Scalar& b, const Scalar& alpha = 1);
Tensor& addbmm_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1,
                   const Scalar& alpha = 1);
Tensor& addcdiv_out(Tensor& out, const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value = 1);
Tensor& addcmul_out(Tensor& out, const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value = 1);
Tensor& addmm_out(Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2, DType out_dtype,
                  const Scalar& beta = 1, const Scalar& alpha = 1);
Tensor& addmv_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& v, const Scalar& beta = 1,
                  const Scalar& alpha = 1);
Tensor& addr_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1,
                 const Scalar& alpha = 1);
Tensor& affine_grid_generator_out(Tensor& out, const Tensor& theta, IntArrayRef size, bool align_corners);
Tensor& alias_copy_out(Tensor& out, const Tensor& x);
Tensor& all_out(Tensor& out, const Tensor& x);
Tensor& all_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false);
Tensor& all_out(Tensor& out, const Tensor& x, int64_t dim, bool keepdim = false);
Tensor& amax_out(Tensor& out, const Tensor& x, IntArrayRef dims = {}, bool keepdim = false);
Tensor& amin_out(Tensor& out, const Tensor& x, IntArrayRef dims = {}, bool keepdim = false);
Tensor& angle_out(Tensor& out, const Tensor& x);
Tensor& any_out(Tensor& out, const Tensor& x);
Tensor& any_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false);
Tensor& any_out(Tensor& out, const Tensor& x, int64_t dim, bool keepdim = false);
Tensor& arange_out(Tensor& out, const Scalar& end);
Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end);
Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step);
Tensor& arccos_out(Tensor& out, const Tensor& x);
Tensor& arccosh_out(Tensor& out, const Tensor& x);
Tensor& arcsin_out(Tensor& out, const Tensor& x);
Tensor& arcsinh_out(Tensor& out, const Tensor& x);
Tensor& arctan2_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& arctan_out(Tensor& out, const Tensor& x);
Tensor& arctanh_out(Tensor& out, const Tensor& x);
Tensor& argmax_out(Tensor& out, const Tensor& x, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
Tensor& argmin_out(Tensor& out, const Tensor& x, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
Tensor& argsort_out(Tensor& out, const Tensor& self, bool stable, int64_t dim, bool descending);
Tensor& argsort_out(Tensor& out, const Tensor& x, int64_t dim = -1, bool descending = false);
Tensor& as_strided_copy_out(Tensor& out, const Tensor& base, IntArrayRef sizes, IntArrayRef strides,
                            int64_t storage_offset = 0);
Tensor& as_strided_copy_out(Tensor& out, const Tensor& self, IntArrayRef size, IntArrayRef stride,
                            std::optional<int64_t> storage_offset);
Tensor& as_strided_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, IntArrayRef sizes,
                               IntArrayRef strides, std::optional<int64_t> storage_offset = std::nullopt);
Tensor& atan2_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& avg_pool1d_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {},
                       IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true);
Tensor& avg_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                                std::optional<int64_t> divisor_override);
Tensor& avg_pool2d_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {},
                       IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true,
                       std::optional<int64_t> divisor_override = std::nullopt);
Tensor& avg_pool3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                IntArrayRef stride, IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                                std::optional<int64_t> divisor_override);
Tensor& avg_pool3d_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {},
                       IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true,
                       std::optional<int64_t> divisor_override = std::nullopt);
Tensor& baddbmm_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1,
                    const Scalar& alpha = 1);
Tensor& baddbmm_out(Tensor& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, DType out_dtype,
                    const Scalar& beta = 1, const Scalar& alpha = 1);
Tensor& bartlett_window_out(Tensor& out, int64_t n);
Tensor& bartlett_window_out(Tensor& out, int64_t n, bool periodic);
Tensor& batch_norm_backward_elemt_out(Tensor& out, const Tensor& grad_out, const Tensor& input, const Tensor& mean,
                                      const Tensor& invstd, OptionalTensorRef weight, const Tensor& sum_dy,
                                      const Tensor& sum_dy_xmu, const Tensor& count);
Tensor& batch_norm_elemt_out(Tensor& out, const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias,
                             const Tensor& mean, const Tensor& invstd, double eps);
Tensor& bernoulli_out(Tensor& out, const Tensor& self, const Tensor& p, OptionalGenerator generator = {});
Tensor& bernoulli_out(Tensor& out, const Tensor& x, OptionalGenerator generator = {});
Tensor& bernoulli_out(Tensor& out, const Tensor& x, double p, OptionalGenerator generator = {});
Tensor& binary_cross_entropy_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                          const Tensor& target, OptionalTensorRef weight = {},
                                          int64_t reduction = Reduction::Mean);
Tensor& binary_cross_entropy_out(Tensor& out, const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                                 int64_t reduction = Reduction::Mean);
Tensor& binary_cross_entropy_with_logits_out(Tensor& out, const Tensor& x, const Tensor& target,
                                             OptionalTensorRef weight = {}, OptionalTensorRef pos_weight = {},
                                             int64_t reduction = Reduction::Mean);
Tensor& bincount_out(Tensor& out, const Tensor& x, OptionalTensorRef weights = {}, int64_t minlength = 0);
Tensor& binomial_out(Tensor& out, const Tensor& count, const Tensor& prob, OptionalGenerator generator = {});
Tensor& bitwise_and_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& bitwise_and_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& bitwise_and_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& bitwise_left_shift_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& bitwise_or_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& bitwise_or_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& bitwise_or_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& bitwise_right_shift_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& bitwise_xor_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& bitwise_xor_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& bitwise_xor_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& blackman_window_out(Tensor& out, int64_t n);
Tensor& blackman_window_out(Tensor& out, int64_t n, bool periodic);
Tensor& block_diag_out(Tensor& out, TensorList tensors);
Tensor& bmm_out(Tensor& out, const Tensor& self, const Tensor& mat2, DType out_dtype);
Tensor& bucketize_out(Tensor& out, const Scalar& value, const Tensor& boundaries, bool out_int32 = false,
                      bool right = false);
Tensor& bucketize_out(Tensor& out, const Tensor& values, const Tensor& boundaries, bool out_int32 = false,
                      bool right = false);
Tensor& cat_out(Tensor& out, TensorList tensors, int64_t dim = 0);
Tensor& cauchy_out(Tensor& out, const Tensor& self, double median = 0, double sigma = 1,
                   OptionalGenerator generator = {});
Tensor& celu_out(Tensor& out, const Tensor& x, const Scalar& alpha = 1);
Tensor& chain_matmul_out(Tensor& out, TensorList matrices);
Tensor& channel_shuffle_out(Tensor& out, const Tensor& x, int64_t groups);
Tensor& cholesky_inverse_out(Tensor& out, const Tensor& L, bool upper = false);
Tensor& cholesky_solve_out(Tensor& out, const Tensor& B, const Tensor& L, bool upper = false);
Tensor& clamp_max_out(Tensor& out, const Tensor& x, const Scalar& max);
Tensor& clamp_max_out(Tensor& out, const Tensor& x, const Tensor& max);
Tensor& clamp_min_out(Tensor& out, const Tensor& x, const Scalar& min);
Tensor& clamp_min_out(Tensor& out, const Tensor& x, const Tensor& min);
Tensor& clamp_out(Tensor& out, const Tensor& x, OptionalTensorRef min = {}, OptionalTensorRef max = {});
Tensor& clamp_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& min,
                  const std::optional<Scalar>& max = std::nullopt);
Tensor& clip_out(Tensor& out, const Tensor& x, OptionalTensorRef min = {}, OptionalTensorRef max = {});
Tensor& clip_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& min,
                 const std::optional<Scalar>& max = std::nullopt);
Tensor& clone_out(Tensor& out, const Tensor& x);
Tensor& clone_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> format);
Tensor& col2im_out(Tensor& out, const Tensor& input, IntArrayRef output_size, IntArrayRef kernel_size,
                   IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride);
Tensor& column_stack_out(Tensor& out, TensorList tensors);
Tensor& complex_out(Tensor& out, const Tensor& real, const Tensor& imag);
Tensor& concat_out(Tensor& out, TensorList tensors, int64_t dim = 0);
Tensor& concatenate_out(Tensor& out, TensorList tensors, int64_t dim = 0);
Tensor& conj_physical_out(Tensor& out, const Tensor& x);
Tensor& constant_pad_nd_out(Tensor& out, const Tensor& x, IntArrayRef padding, const Scalar& value = 0);
Tensor& conv_depthwise3d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                             OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation);
Tensor& conv_tbc_out(Tensor& out, const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad = 0);
Tensor& convolution_out(Tensor& out, const Tensor& input, const Tensor& weight, OptionalTensorRef bias,
                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                        IntArrayRef output_padding, int64_t groups);
Tensor& copy_out(Tensor& out, const Tensor& self, const Tensor& src, bool non_blocking = false);
Tensor& copysign_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& copysign_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& count_nonzero_out(Tensor& out, const Tensor& self, std::optional<int64_t> dim);
Tensor& count_nonzero_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims = {});
Tensor& cross_out(Tensor& out, const Tensor& a, const Tensor& b, std::optional<int64_t> dim = std::nullopt);
Tensor& cumprod_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);
Tensor& cumsum_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);
Tensor& deg2rad_out(Tensor& out, const Tensor& x);
Tensor& detach_copy_out(Tensor& out, const Tensor& x);
Tensor& diag_embed_out(Tensor& out, const Tensor& x, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1);
Tensor& diag_out(Tensor& out, const Tensor& x, int64_t diagonal = 0);
Tensor& diagonal_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t offset, int64_t dim1,
                              int64_t dim2);
Tensor& diagonal_copy_out(Tensor& out, const Tensor& x, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
Tensor& diagonal_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, int64_t offset = 0,
                             int64_t dim1 = 0, int64_t dim2 = 1);
Tensor& diff_out(Tensor& out, const Tensor& x, int64_t n = 1, int64_t dim = -1, OptionalTensorRef prepend = {},
                 OptionalTensorRef append = {});
Tensor& dist_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& p = 2);
Tensor& div_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& div_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& div_out(Tensor& out, const Tensor& a, const Scalar& b, std::optional<std::string_view> rounding_mode);
Tensor& div_out(Tensor& out, const Tensor& a, const Tensor& b, std::optional<std::string_view> rounding_mode);
Tensor& dot_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& dstack_out(Tensor& out, TensorList tensors);
Tensor& elu_backward_out(Tensor& out, const Tensor& grad_output, const Scalar& alpha, const Scalar& scale,
                         const Scalar& input_scale, bool is_result, const Tensor& self_or_result);
Tensor& elu_out(Tensor& out, const Tensor& x, const Scalar& alpha = 1, const Scalar& scale = 1,
                const Scalar& input_scale = 1);
Tensor& embedding_dense_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                     int64_t padding_idx, bool scale_grad_by_freq);
Tensor& embedding_out(Tensor& out, const Tensor& weight, const Tensor& indices, int64_t padding_idx = -1,
                      bool scale_grad_by_freq = false, bool sparse = false);
Tensor& embedding_renorm_out(Tensor& out, const Tensor& self, const Tensor& indices, double max_norm, double norm_type);
Tensor& empty_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor& empty_out(Tensor& out, IntArrayRef sizes, std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor& empty_permuted_out(Tensor& out, IntArrayRef sizes, IntArrayRef physical_layout);
Tensor& empty_strided_out(Tensor& out, IntArrayRef sizes, IntArrayRef strides);
Tensor& eq_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& eq_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& expand_copy_out(Tensor& out, const Tensor& x, IntArrayRef sizes, bool implicit = false);
Tensor& exponential_out(Tensor& out, const Tensor& self, double lambd = 1, OptionalGenerator generator = {});
Tensor& eye_out(Tensor& out, int64_t n);
Tensor& eye_out(Tensor& out, int64_t n, int64_t m);
Tensor& fft_fft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                     fft::Norm norm = std::nullopt);
Tensor& fft_fft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                    fft::Norm norm = std::nullopt);
Tensor& fft_fftfreq_out(Tensor& out, int64_t n);
Tensor& fft_fftfreq_out(Tensor& out, int64_t n, double d);
Tensor& fft_fftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                     fft::Norm norm = std::nullopt);
Tensor& fft_hfft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                      fft::Norm norm = std::nullopt);
Tensor& fft_hfft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                     fft::Norm norm = std::nullopt);
Tensor& fft_hfftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                      fft::Norm norm = std::nullopt);
Tensor& fft_ifft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                      fft::Norm norm = std::nullopt);
Tensor& fft_ifft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                     fft::Norm norm = std::nullopt);
Tensor& fft_ifftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                      fft::Norm norm = std::nullopt);
Tensor& fft_ihfft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                       fft::Norm norm = std::nullopt);
Tensor& fft_ihfft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                      fft::Norm norm = std::nullopt);
Tensor& fft_ihfftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                       fft::Norm norm = std::nullopt);
Tensor& fft_irfft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                       fft::Norm norm = std::nullopt);
Tensor& fft_irfft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                      fft::Norm norm = std::nullopt);
Tensor& fft_irfftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                       fft::Norm norm = std::nullopt);
Tensor& fft_rfft2_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                      fft::Norm norm = std::nullopt);
Tensor& fft_rfft_out(Tensor& out, const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                     fft::Norm norm = std::nullopt);
Tensor& fft_rfftfreq_out(Tensor& out, int64_t n);
Tensor& fft_rfftfreq_out(Tensor& out, int64_t n, double d);
Tensor& fft_rfftn_out(Tensor& out, const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                      fft::Norm norm = std::nullopt);
Tensor& fill_out(Tensor& out, const Tensor& self, const Scalar& value);
Tensor& fill_out(Tensor& out, const Tensor& self, const Tensor& value);
Tensor& fix_out(Tensor& out, const Tensor& x);
Tensor& flip_out(Tensor& out, const Tensor& x, IntArrayRef dims);
Tensor& float_power_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& float_power_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& float_power_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& floor_divide_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& floor_divide_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& fmax_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& fmin_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& fmod_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& fmod_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& fractional_max_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                           IntArrayRef kernel_size, IntArrayRef output_size, const Tensor& indices);
Tensor& fractional_max_pool3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                           IntArrayRef kernel_size, IntArrayRef output_size, const Tensor& indices);
Tensor& frobenius_norm_out(Tensor& out, const Tensor& A, IntArrayRef dim, bool keepdim = false);
Tensor& from_file_out(Tensor& out, std::string_view filename, std::optional<bool> shared = {},
                      std::optional<int64_t> size = 0);
Tensor& full_like_out(Tensor& out, const Tensor& x, const Scalar& value,
                      std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor& full_out(Tensor& out, IntArrayRef sizes, const Scalar& value);
Tensor& gather_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad);
Tensor& gather_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index);
Tensor& gcd_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& ge_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& ge_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& gelu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                          std::string_view approximate = "none");
Tensor& gelu_out(Tensor& out, const Tensor& x, std::string_view approximate = "none");
Tensor& geometric_out(Tensor& out, const Tensor& self, double p, OptionalGenerator generator = {});
Tensor& ger_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& glu_backward_jvp_out(Tensor& out, const Tensor& grad_x, const Tensor& grad_glu, const Tensor& x,
                             const Tensor& dgrad_glu, const Tensor& dx, int64_t dim);
Tensor& glu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, int64_t dim);
Tensor& glu_jvp_out(Tensor& out, const Tensor& glu, const Tensor& x, const Tensor& dx, int64_t dim);
Tensor& glu_out(Tensor& out, const Tensor& x, int64_t dim = -1);
Tensor& grid_sampler_2d_out(Tensor& out, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                            int64_t padding_mode, bool align_corners);
Tensor& grid_sampler_3d_out(Tensor& out, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                            int64_t padding_mode, bool align_corners);
Tensor& gt_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& gt_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& hamming_window_out(Tensor& out, int64_t n);
Tensor& hamming_window_out(Tensor& out, int64_t n, bool periodic);
Tensor& hamming_window_out(Tensor& out, int64_t n, bool periodic, double alpha);
Tensor& hamming_window_out(Tensor& out, int64_t n, bool periodic, double alpha, double beta);
Tensor& hann_window_out(Tensor& out, int64_t n);
Tensor& hann_window_out(Tensor& out, int64_t n, bool periodic);
Tensor& hardshrink_backward_out(Tensor& out, const Tensor& grad_out, const Tensor& self, const Scalar& lambd);
Tensor& hardshrink_out(Tensor& out, const Tensor& x, const Scalar& lambda = 0.5);
Tensor& hardsigmoid_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self);
Tensor& hardsigmoid_out(Tensor& out, const Tensor& x);
Tensor& hardswish_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self);
Tensor& hardswish_out(Tensor& out, const Tensor& x);
Tensor& hardtanh_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar& min_val,
                              const Scalar& max_val);
Tensor& hardtanh_out(Tensor& out, const Tensor& x, const Scalar& min_val = -1, const Scalar& max_val = 1);
Tensor& hash_tensor_out(Tensor& out, const Tensor& x, IntArrayRef dims = {}, bool keepdim = false, int64_t mode = 0);
Tensor& heaviside_out(Tensor& out, const Tensor& x, const Tensor& values);
Tensor& histc_out(Tensor& out, const Tensor& x, int64_t bins = 100, const Scalar& min = 0, const Scalar& max = 0);
Tensor& hstack_out(Tensor& out, TensorList tensors);
Tensor& huber_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                int64_t reduction, double delta);
Tensor& huber_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean,
                       double delta = 1);
Tensor& hypot_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& i0_out(Tensor& out, const Tensor& x);
Tensor& igamma_out(Tensor& out, const Tensor& a, const Tensor& x);
Tensor& igammac_out(Tensor& out, const Tensor& a, const Tensor& x);
Tensor& im2col_out(Tensor& out, const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                   IntArrayRef stride);
Tensor& index_add_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                      const Scalar& alpha = 1);
Tensor& index_copy_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source);
Tensor& index_fill_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value);
Tensor& index_fill_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& value);
Tensor& index_out(Tensor& out, const Tensor& x, ArrayRef<indexing::TensorIndex> indices);
Tensor& index_put_out(Tensor& out, const Tensor& x, ArrayRef<indexing::TensorIndex> indices, const Tensor& values,
                      bool accumulate = false);
Tensor& index_reduce_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                         std::string_view reduce, bool include_self = true);
Tensor& index_select_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index);
Tensor& inner_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& inverse_out(Tensor& out, const Tensor& A);
Tensor& isin_out(Tensor& out, const Scalar& element, const Tensor& test_elements, bool assume_unique = false,
                 bool invert = false);
Tensor& isin_out(Tensor& out, const Tensor& elements, const Scalar& test_element, bool assume_unique = false,
                 bool invert = false);
Tensor& isin_out(Tensor& out, const Tensor& elements, const Tensor& test_elements, bool assume_unique = false,
                 bool invert = false);
Tensor& isinf_out(Tensor& out, const Tensor& x);
Tensor& isnan_out(Tensor& out, const Tensor& x);
Tensor& isneginf_out(Tensor& out, const Tensor& x);
Tensor& isposinf_out(Tensor& out, const Tensor& x);
Tensor& kaiser_window_out(Tensor& out, int64_t n);
Tensor& kaiser_window_out(Tensor& out, int64_t n, bool periodic);
Tensor& kaiser_window_out(Tensor& out, int64_t n, bool periodic, double beta);
Tensor& kron_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& lcm_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& ldexp_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& le_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& le_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& leaky_relu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                const Scalar& negative_slope, bool self_is_result);
Tensor& leaky_relu_out(Tensor& out, const Tensor& x, const Scalar& negative_slope = 0.01);
Tensor& lerp_out(Tensor& out, const Tensor& start, const Tensor& end, const Scalar& weight);
Tensor& lerp_out(Tensor& out, const Tensor& start, const Tensor& end, const Tensor& weight);
Tensor& lift_fresh_copy_out(Tensor& out, const Tensor& self);
Tensor& lift_out(Tensor& out, const Tensor& self);
Tensor& linalg_cholesky_out(Tensor& out, const Tensor& A, bool upper = false);
Tensor& linalg_cond_out(Tensor& out, const Tensor& A, const std::optional<Scalar>& p = std::nullopt);
Tensor& linalg_cond_out(Tensor& out, const Tensor& A, std::string_view p);
Tensor& linalg_cross_out(Tensor& out, const Tensor& a, const Tensor& b, int64_t dim = -1);
Tensor& linalg_det_out(Tensor& out, const Tensor& A);
Tensor& linalg_eigvals_out(Tensor& out, const Tensor& A);
Tensor& linalg_eigvalsh_out(Tensor& out, const Tensor& A, std::string_view UPLO = "L");
Tensor& linalg_householder_product_out(Tensor& out, const Tensor& A, const Tensor& tau);
Tensor& linalg_inv_out(Tensor& out, const Tensor& A);
Tensor& linalg_ldl_solve_out(Tensor& out, const Tensor& LD, const Tensor& pivots, const Tensor& B,
                             bool hermitian = false);
Tensor& linalg_lu_solve_out(Tensor& out, const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true,
                            bool adjoint = false);
Tensor& linalg_matmul_out(Tensor& out, const Tensor& self, const Tensor& other);
Tensor& linalg_matrix_exp_out(Tensor& out, const Tensor& A);
Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& A, const Scalar& ord, IntArrayRef dim = {-2, -1},
                               bool keepdim = false, std::optional<DType> dtype = std::nullopt);
Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& A, std::string_view ord = "fro", IntArrayRef dim = {-2, -1},
                               bool keepdim = false, std::optional<DType> dtype = std::nullopt);
Tensor& linalg_matrix_power_out(Tensor& out, const Tensor& A, int64_t n);
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A);
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol,
                               bool hermitian = false);
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, const Tensor& tol, bool hermitian = false);
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, double tol, bool hermitian = false);
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol,
                               bool hermitian = false);
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                               bool hermitian = false);
Tensor& linalg_matrix_sqrth_out(Tensor& out, const Tensor& A);
Tensor& linalg_multi_dot_out(Tensor& out, TensorList tensors);
Tensor& linalg_norm_out(Tensor& out, const Tensor& A, const std::optional<Scalar>& ord = std::nullopt,
                        OptionalIntArrayRef dim = {}, bool keepdim = false, std::optional<DType> dtype = std::nullopt);
Tensor& linalg_norm_out(Tensor& out, const Tensor& A, std::string_view ord, OptionalIntArrayRef dim = {},
                        bool keepdim = false, std::optional<DType> dtype = std::nullopt);
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A);
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, OptionalTensorRef atol, OptionalTensorRef rtol,
                        bool hermitian = false);
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, const Tensor& rcond, bool hermitian = false);
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, double rcond, bool hermitian = false);
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, std::nullopt_t atol, std::nullopt_t rtol, bool hermitian = false);
Tensor& linalg_pinv_out(Tensor& out, const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                        bool hermitian = false);
Tensor& linalg_solve_out(Tensor& out, const Tensor& A, const Tensor& B, bool left = true);
Tensor& linalg_solve_triangular_out(Tensor& out, const Tensor& A, const Tensor& B, bool upper, bool left = true,
                                    bool unitriangular = false);
Tensor& linalg_svdvals_out(Tensor& out, const Tensor& A, std::optional<std::string_view> driver = std::nullopt);
Tensor& linalg_tensorinv_out(Tensor& out, const Tensor& A, int64_t ind = 2);
Tensor& linalg_tensorsolve_out(Tensor& out, const Tensor& A, const Tensor& B, OptionalIntArrayRef dims = {});
Tensor& linalg_vecdot_out(Tensor& out, const Tensor& x, const Tensor& y, int64_t dim = -1);
Tensor& linalg_vector_norm_out(Tensor& out, const Tensor& x, const Scalar& ord = 2, OptionalIntArrayRef dims = {},
                               bool keepdim = false, std::optional<DType> dtype = std::nullopt);
Tensor& linear_out(Tensor& out, const Tensor& x, const Tensor& weight, OptionalTensorRef bias = {});
Tensor& linspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps);
Tensor& linspace_out(Tensor& out, const Scalar& start, const Tensor& end, int64_t steps);
Tensor& linspace_out(Tensor& out, const Tensor& start, const Scalar& end, int64_t steps);
Tensor& linspace_out(Tensor& out, const Tensor& start, const Tensor& end, int64_t steps);
Tensor& log_normal_out(Tensor& out, const Tensor& self, double mean = 1, double std = 2,
                       OptionalGenerator generator = {});
Tensor& log_sigmoid_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& buffer);
Tensor& log_sigmoid_out(Tensor& out, const Tensor& x);
Tensor& log_softmax_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);
Tensor& logaddexp2_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& logaddexp_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& logcumsumexp_out(Tensor& out, const Tensor& x, int64_t dim);
Tensor& logical_and_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& logical_or_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& logical_xor_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& logit_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                           std::optional<double> eps = std::nullopt);
Tensor& logit_out(Tensor& out, const Tensor& x, std::optional<double> eps = std::nullopt);
Tensor& logspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps, double base = 10);
Tensor& logspace_out(Tensor& out, const Scalar& start, const Tensor& end, int64_t steps, double base = 10);
Tensor& logspace_out(Tensor& out, const Tensor& start, const Scalar& end, int64_t steps, double base = 10);
Tensor& logspace_out(Tensor& out, const Tensor& start, const Tensor& end, int64_t steps, double base = 10);
Tensor& logsumexp_out(Tensor& out, const Tensor& x, IntArrayRef dims, bool keepdim = false);
Tensor& lt_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& lt_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& lu_solve_out(Tensor& out, const Tensor& B, const Tensor& LU, const Tensor& pivots);
Tensor& masked_fill_out(Tensor& out, const Tensor& x, const Tensor& mask, const Scalar& value);
Tensor& masked_fill_out(Tensor& out, const Tensor& x, const Tensor& mask, const Tensor& value);
Tensor& masked_scatter_out(Tensor& out, const Tensor& x, const Tensor& mask, const Tensor& source);
Tensor& masked_select_out(Tensor& out, const Tensor& x, const Tensor& mask);
Tensor& matrix_power_out(Tensor& out, const Tensor& A, int64_t n);
Tensor& max_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& max_out(Tensor& out, const Tensor& x);
Tensor& max_pool2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1,
                                bool ceil_mode = false);
Tensor& max_pool2d_with_indices_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                             IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                                             IntArrayRef dilation, bool ceil_mode, const Tensor& indices);
Tensor& max_pool3d_with_indices_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                             IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                                             IntArrayRef dilation, bool ceil_mode, const Tensor& indices);
Tensor& max_unpool2d_out(Tensor& out, const Tensor& input, const Tensor& indices, IntArrayRef output_size);
Tensor& max_unpool3d_out(Tensor& out, const Tensor& input, const Tensor& indices, IntArrayRef output_size,
                         IntArrayRef stride, IntArrayRef padding);
Tensor& mean_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false,
                 std::optional<DType> dtype = std::nullopt);
Tensor& mean_out(Tensor& out, const Tensor& x, std::optional<DType> dtype = std::nullopt);
Tensor& median_out(Tensor& out, const Tensor& x);
Tensor& min_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& min_out(Tensor& out, const Tensor& x);
Tensor& mish_out(Tensor& out, const Tensor& x);
Tensor& mm_out(Tensor& out, const Tensor& self, const Tensor& mat2, DType out_dtype);
Tensor& mse_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                              int64_t reduction);
Tensor& mse_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean);
Tensor& msort_out(Tensor& out, const Tensor& x);
Tensor& mul_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& mul_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& multi_margin_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                       const Scalar& p, const Scalar& margin, const std::optional<Tensor>& weight = {},
                                       int64_t reduction = Reduction::Mean);
Tensor& multi_margin_loss_out(Tensor& out, const Tensor& self, const Tensor& target, const Scalar& p = 1,
                              const Scalar& margin = 1, const std::optional<Tensor>& weight = {},
                              int64_t reduction = Reduction::Mean);
Tensor& multilabel_margin_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self,
                                            const Tensor& target, int64_t reduction, const Tensor& is_target);
Tensor& multilabel_margin_loss_out(Tensor& out, const Tensor& x, const Tensor& target,
                                   int64_t reduction = Reduction::Mean);
Tensor& multinomial_out(Tensor& out, const Tensor& probs, int64_t num_samples, bool replacement = false,
                        OptionalGenerator generator = {});
Tensor& mv_out(Tensor& out, const Tensor& a, const Tensor& v);
Tensor& mvlgamma_out(Tensor& out, const Tensor& x, int64_t p);
Tensor& nan_to_num_out(Tensor& out, const Tensor& x, std::optional<double> nan = std::nullopt,
                       std::optional<double> posinf = std::nullopt, std::optional<double> neginf = std::nullopt);
Tensor& nanmean_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims = {}, bool keepdim = false,
                    std::optional<DType> dtype = std::nullopt);
Tensor& nanmedian_out(Tensor& out, const Tensor& x);
Tensor& nanquantile_out(Tensor& out, const Tensor& x, const Tensor& q, std::optional<int64_t> dim = std::nullopt,
                        bool keepdim = false, std::string_view interpolation = "linear");
Tensor& nanquantile_out(Tensor& out, const Tensor& x, double q, std::optional<int64_t> dim = std::nullopt,
                        bool keepdim = false, std::string_view interpolation = "linear");
Tensor& nansum_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims = {}, bool keepdim = false,
                   std::optional<DType> dtype = std::nullopt);
Tensor& narrow_copy_out(Tensor& out, const Tensor& x, int64_t dim, int64_t start, int64_t length);
Tensor& native_dropout_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& mask, double scale);
Tensor& native_norm_out(Tensor& out, const Tensor& self, const Scalar& p = 2);
Tensor& native_norm_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                        std::optional<DType> dtype);
Tensor& ne_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& ne_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& negative_out(Tensor& out, const Tensor& x);
Tensor& nextafter_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& nll_loss2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                                const Tensor& total_weight);
Tensor& nll_loss2d_out(Tensor& out, const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                       int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
Tensor& nll_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                              OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                              const Tensor& total_weight);
Tensor& nll_loss_out(Tensor& out, const Tensor& x, const Tensor& target, OptionalTensorRef weight = {},
                     int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
Tensor& nonzero_out(Tensor& out, const Tensor& x);
Tensor& nonzero_static_out(Tensor& out, const Tensor& x, int64_t size, int64_t fill_value = -1);
Tensor& norm_out(Tensor& out, const Tensor& x, const Scalar& p = 2);
Tensor& norm_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& p, DType dtype);
Tensor& norm_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim = false);
Tensor& norm_out(Tensor& out, const Tensor& x, const std::optional<Scalar>& p, IntArrayRef dims, bool keepdim,
                 DType dtype);
Tensor& normal_out(Tensor& out, const Tensor& mean, const Tensor& std, OptionalGenerator generator = {});
Tensor& normal_out(Tensor& out, const Tensor& mean, double std = 1, OptionalGenerator generator = {});
Tensor& normal_out(Tensor& out, double mean, const Tensor& std, OptionalGenerator generator = {});
Tensor& normal_out(Tensor& out, double mean, double std, IntArrayRef sizes);
Tensor& normal_out(Tensor& out, double mean, double std, IntArrayRef sizes, OptionalGenerator generator);
Tensor& nuclear_norm_out(Tensor& out, const Tensor& A, IntArrayRef dim, bool keepdim = false);
Tensor& nuclear_norm_out(Tensor& out, const Tensor& A, bool keepdim = false);
Tensor& ones_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor& ones_out(Tensor& out, IntArrayRef sizes);
Tensor& orgqr_out(Tensor& out, const Tensor& A, const Tensor& tau);
Tensor& ormqr_out(Tensor& out, const Tensor& A, const Tensor& tau, const Tensor& other, bool left = true,
                  bool transpose = false);
Tensor& outer_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& permute_copy_out(Tensor& out, const Tensor& x, IntArrayRef dims);
Tensor& pixel_shuffle_out(Tensor& out, const Tensor& self, int64_t upscale_factor);
Tensor& pixel_unshuffle_out(Tensor& out, const Tensor& self, int64_t downscale_factor);
Tensor& poisson_out(Tensor& out, const Tensor& rate, OptionalGenerator generator = {});
Tensor& polar_out(Tensor& out, const Tensor& abs, const Tensor& angle);
Tensor& polygamma_out(Tensor& out, int64_t n, const Tensor& x);
Tensor& pow_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& pow_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& prod_out(Tensor& out, const Tensor& x, int64_t dim, bool keepdim = false,
                 std::optional<DType> dtype = std::nullopt);
Tensor& prod_out(Tensor& out, const Tensor& x, std::optional<DType> dtype = std::nullopt);
Tensor& put_out(Tensor& out, const Tensor& x, const Tensor& index, const Tensor& source, bool accumulate = false);
Tensor& quantile_out(Tensor& out, const Tensor& x, const Tensor& q, std::optional<int64_t> dim = std::nullopt,
                     bool keepdim = false, std::string_view interpolation = "linear");
Tensor& quantile_out(Tensor& out, const Tensor& x, double q, std::optional<int64_t> dim = std::nullopt,
                     bool keepdim = false, std::string_view interpolation = "linear");
Tensor& rad2deg_out(Tensor& out, const Tensor& x);
Tensor& rand_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor& rand_out(Tensor& out, IntArrayRef sizes);
Tensor& rand_out(Tensor& out, IntArrayRef sizes, OptionalGenerator generator);
Tensor& randint_like_out(Tensor& out, const Tensor& self, const Tensor& high);
Tensor& randint_like_out(Tensor& out, const Tensor& self, const Tensor& high, OptionalGenerator generator);
Tensor& randint_like_out(Tensor& out, const Tensor& x, int64_t high,
                         std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor& randint_like_out(Tensor& out, const Tensor& x, int64_t low, int64_t high,
                         std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor& randint_out(Tensor& out, int64_t high, IntArrayRef sizes);
Tensor& randint_out(Tensor& out, int64_t high, IntArrayRef sizes, OptionalGenerator generator);
Tensor& randint_out(Tensor& out, int64_t low, int64_t high, IntArrayRef sizes);
Tensor& randint_out(Tensor& out, int64_t low, int64_t high, IntArrayRef sizes, OptionalGenerator generator);
Tensor& randn_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor& randn_out(Tensor& out, IntArrayRef sizes);
Tensor& randn_out(Tensor& out, IntArrayRef sizes, OptionalGenerator generator);
Tensor& randperm_out(Tensor& out, int64_t n);
Tensor& randperm_out(Tensor& out, int64_t n, OptionalGenerator generator);
Tensor& range_out(Tensor& out, const Scalar& start, const Scalar& end);
Tensor& range_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step);
Tensor& reflection_pad1d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor& reflection_pad1d_out(Tensor& out, const Tensor& self, IntArrayRef padding);
Tensor& reflection_pad2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor& reflection_pad2d_out(Tensor& out, const Tensor& self, IntArrayRef padding);
Tensor& reflection_pad3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor& reflection_pad3d_out(Tensor& out, const Tensor& self, IntArrayRef padding);
Tensor& remainder_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& remainder_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& remainder_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& renorm_out(Tensor& out, const Tensor& x, const Scalar& p, int64_t dim, const Scalar& maxnorm);
Tensor& repeat_interleave_out(Tensor& out, const Tensor& repeats, std::optional<int64_t> output_size = std::nullopt);
Tensor& repeat_interleave_out(Tensor& out, const Tensor& x, const Tensor& repeats,
                              std::optional<int64_t> dim = std::nullopt,
                              std::optional<int64_t> output_size = std::nullopt);
Tensor& repeat_interleave_out(Tensor& out, const Tensor& x, int64_t repeats, std::optional<int64_t> dim = std::nullopt,
                              std::optional<int64_t> output_size = std::nullopt);
Tensor& repeat_out(Tensor& out, const Tensor& x, IntArrayRef repeats);
Tensor& replication_pad1d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor& replication_pad1d_out(Tensor& out, const Tensor& self, IntArrayRef padding);
Tensor& replication_pad2d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor& replication_pad2d_out(Tensor& out, const Tensor& self, IntArrayRef padding);
Tensor& replication_pad3d_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor& replication_pad3d_out(Tensor& out, const Tensor& self, IntArrayRef padding);
Tensor& resize_as_out(Tensor& out, const Tensor& self, const Tensor& other, std::optional<MemoryFormat> format = {});
Tensor& resize_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<MemoryFormat> format = {});
Tensor& roll_out(Tensor& out, const Tensor& x, IntArrayRef shifts, IntArrayRef dims = {});
Tensor& rot90_out(Tensor& out, const Tensor& x, int64_t k = 1, IntArrayRef dims = {0, 1});
Tensor& round_out(Tensor& out, const Tensor& x, int64_t decimals);
Tensor& row_stack_out(Tensor& out, TensorList tensors);
Tensor& rrelu_with_noise_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& noise,
                                      const Scalar& lower, const Scalar& upper, bool training, bool self_is_result);
Tensor& rrelu_with_noise_out(Tensor& out, const Tensor& self, Tensor& noise, const Scalar& lower = 0.125,
                             const Scalar& upper = 1.0 / 3, bool training = false, OptionalGenerator generator = {});
Tensor& rsub_out(Tensor& out, const Tensor& a, const Scalar& b, const Scalar& alpha = 1);
Tensor& rsub_out(Tensor& out, const Tensor& a, const Tensor& b, const Scalar& alpha = 1);
Tensor& scalar_tensor_out(Tensor& out, const Scalar& value);
Tensor& scatter_add_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source);
Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value);
Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value,
                    std::string_view reduce);
Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source);
Tensor& scatter_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                    std::string_view reduce);
Tensor& scatter_reduce_out(Tensor& out, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                           std::string_view reduce, bool include_self = true);
Tensor& searchsorted_out(Tensor& out, const Tensor& sorted, const Scalar& value, bool out_int32 = false,
                         bool right = false, std::optional<std::string_view> side = std::nullopt,
                         OptionalTensorRef sorter = {});
Tensor& searchsorted_out(Tensor& out, const Tensor& sorted, const Tensor& values, bool out_int32 = false,
                         bool right = false, std::optional<std::string_view> side = std::nullopt,
                         OptionalTensorRef sorter = {});
Tensor& segment_reduce_out(Tensor& out, const Tensor& data, std::string_view reduce,
                           const std::optional<Tensor>& lengths = {}, const std::optional<Tensor>& indices = {},
                           const std::optional<Tensor>& offsets = {}, int64_t axis = 0, bool unsafe = false,
                           const std::optional<Scalar>& initial = {});
Tensor& select_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t index);
Tensor& select_copy_out(Tensor& out, const Tensor& x, int64_t dim, int64_t index);
Tensor& select_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, int64_t dim, int64_t index);
Tensor& set_out(Tensor& out, const Tensor& self);
Tensor& set_out(Tensor& out, const Tensor& self, const Storage& source);
Tensor& set_out(Tensor& out, const Tensor& self, const Storage& source, int64_t storage_offset, IntArrayRef size,
                IntArrayRef stride = {});
Tensor& set_out(Tensor& out, const Tensor& self, const Tensor& source);
Tensor& sgn_out(Tensor& out, const Tensor& x);
Tensor& sigmoid_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& output);
Tensor& signbit_out(Tensor& out, const Tensor& x);
Tensor& silu_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self);
Tensor& silu_out(Tensor& out, const Tensor& x);
Tensor& sinc_out(Tensor& out, const Tensor& x);
Tensor& slice_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t start,
                           int64_t end, int64_t step);
Tensor& slice_copy_out(Tensor& out, const Tensor& x, int64_t dim = 0, std::optional<int64_t> start = std::nullopt,
                       std::optional<int64_t> end = std::nullopt, int64_t step = 1);
Tensor& slice_scatter_out(Tensor& out, const Tensor& base, const Tensor& source, int64_t dim = 0,
                          std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt,
                          int64_t step = 1);
Tensor& slow_conv3d_forward_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                OptionalTensorRef bias, IntArrayRef stride, IntArrayRef padding);
Tensor& slow_conv3d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                        OptionalTensorRef bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0);
Tensor& slow_conv_dilated2d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                OptionalTensorRef bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0,
                                IntArrayRef dilation = 1);
Tensor& slow_conv_dilated3d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                OptionalTensorRef bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0,
                                IntArrayRef dilation = 1);
Tensor& slow_conv_transpose2d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                  OptionalTensorRef bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0,
                                  IntArrayRef output_padding = 0, IntArrayRef dilation = 1);
Tensor& slow_conv_transpose3d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                                  OptionalTensorRef bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0,
                                  IntArrayRef output_padding = 0, IntArrayRef dilation = 1);
Tensor& smooth_l1_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                    int64_t reduction, double beta);
Tensor& smooth_l1_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean,
                           double beta = 1);
Tensor& soft_margin_loss_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                      int64_t reduction);
Tensor& soft_margin_loss_out(Tensor& out, const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean);
Tensor& softmax_out(Tensor& out, const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);
Tensor& softplus_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar& beta,
                              const Scalar& threshold);
Tensor& softplus_out(Tensor& out, const Tensor& x, const Scalar& beta = 1, const Scalar& threshold = 20);
Tensor& softshrink_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar& lambd);
Tensor& softshrink_out(Tensor& out, const Tensor& x, const Scalar& lambda = 0.5);
Tensor& special_airy_ai_out(Tensor& out, const Tensor& x);
Tensor& special_bessel_j0_out(Tensor& out, const Tensor& x);
Tensor& special_bessel_j1_out(Tensor& out, const Tensor& x);
Tensor& special_bessel_y0_out(Tensor& out, const Tensor& x);
Tensor& special_bessel_y1_out(Tensor& out, const Tensor& x);
Tensor& special_chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_digamma_out(Tensor& out, const Tensor& x);
Tensor& special_entr_out(Tensor& out, const Tensor& x);
Tensor& special_erf_out(Tensor& out, const Tensor& x);
Tensor& special_erfc_out(Tensor& out, const Tensor& x);
Tensor& special_erfcx_out(Tensor& out, const Tensor& x);
Tensor& special_erfinv_out(Tensor& out, const Tensor& x);
Tensor& special_exp2_out(Tensor& out, const Tensor& x);
Tensor& special_expit_out(Tensor& out, const Tensor& x);
Tensor& special_expm1_out(Tensor& out, const Tensor& x);
Tensor& special_gammainc_out(Tensor& out, const Tensor& a, const Tensor& x);
Tensor& special_gammaincc_out(Tensor& out, const Tensor& a, const Tensor& x);
Tensor& special_gammaln_out(Tensor& out, const Tensor& x);
Tensor& special_hermite_polynomial_h_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_hermite_polynomial_he_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_i0_out(Tensor& out, const Tensor& x);
Tensor& special_i0e_out(Tensor& out, const Tensor& x);
Tensor& special_i1_out(Tensor& out, const Tensor& x);
Tensor& special_i1e_out(Tensor& out, const Tensor& x);
Tensor& special_laguerre_polynomial_l_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_legendre_polynomial_p_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_log1p_out(Tensor& out, const Tensor& x);
Tensor& special_log_ndtr_out(Tensor& out, const Tensor& x);
Tensor& special_logit_out(Tensor& out, const Tensor& x, std::optional<double> eps = std::nullopt);
Tensor& special_logsumexp_out(Tensor& out, const Tensor& x, IntArrayRef dims, bool keepdim = false);
Tensor& special_modified_bessel_i0_out(Tensor& out, const Tensor& x);
Tensor& special_modified_bessel_i1_out(Tensor& out, const Tensor& x);
Tensor& special_modified_bessel_k0_out(Tensor& out, const Tensor& x);
Tensor& special_modified_bessel_k1_out(Tensor& out, const Tensor& x);
Tensor& special_multigammaln_out(Tensor& out, const Tensor& x, int64_t p);
Tensor& special_ndtr_out(Tensor& out, const Tensor& x);
Tensor& special_ndtri_out(Tensor& out, const Tensor& x);
Tensor& special_polygamma_out(Tensor& out, int64_t n, const Tensor& x);
Tensor& special_psi_out(Tensor& out, const Tensor& x);
Tensor& special_round_out(Tensor& out, const Tensor& x);
Tensor& special_round_out(Tensor& out, const Tensor& x, int64_t decimals);
Tensor& special_scaled_modified_bessel_k0_out(Tensor& out, const Tensor& x);
Tensor& special_scaled_modified_bessel_k1_out(Tensor& out, const Tensor& x);
Tensor& special_shifted_chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_shifted_chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_shifted_chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_shifted_chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& special_shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& special_shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& special_sinc_out(Tensor& out, const Tensor& x);
Tensor& special_spherical_bessel_j0_out(Tensor& out, const Tensor& x);
Tensor& special_xlog1py_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& special_xlog1py_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& special_xlog1py_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& special_xlogy_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& special_xlogy_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& special_xlogy_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& special_zeta_out(Tensor& out, const Scalar& x, const Tensor& q);
Tensor& special_zeta_out(Tensor& out, const Tensor& x, const Scalar& q);
Tensor& special_zeta_out(Tensor& out, const Tensor& x, const Tensor& q);
Tensor& squeeze_copy_out(Tensor& out, const Tensor& x);
Tensor& squeeze_copy_out(Tensor& out, const Tensor& x, IntArrayRef dims);
Tensor& squeeze_copy_out(Tensor& out, const Tensor& x, int64_t dim);
Tensor& stack_out(Tensor& out, TensorList tensors, int64_t dim = 0);
Tensor& std_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims = std::nullopt,
                const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
Tensor& sub_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& sub_out(Tensor& out, const Tensor& a, const Scalar& b, const Scalar& alpha = 1);
Tensor& sum_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims, bool keepdim = false,
                std::optional<DType> dtype = std::nullopt);
Tensor& sum_out(Tensor& out, const Tensor& x, std::optional<DType> dtype = std::nullopt);
Tensor& t_copy_out(Tensor& out, const Tensor& x);
Tensor& take_along_dim_out(Tensor& out, const Tensor& x, const Tensor& index,
                           std::optional<int64_t> dim = std::nullopt);
Tensor& take_out(Tensor& out, const Tensor& x, const Tensor& index);
Tensor& tanh_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& output);
Tensor& tensordot_out(Tensor& out, const Tensor& a, const Tensor& b, IntArrayRef dims_a, IntArrayRef dims_b);
Tensor& tensordot_out(Tensor& out, const Tensor& a, const Tensor& b, int64_t dims = 2);
Tensor& thnn_conv2d_out(Tensor& out, const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                        OptionalTensorRef bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0);
Tensor& threshold_backward_out(Tensor& out, const Tensor& grad_output, const Tensor& self, const Scalar& threshold);
Tensor& threshold_out(Tensor& out, const Tensor& x, const Scalar& threshold, const Scalar& value);
Tensor& trace_out(Tensor& out, const Tensor& x);
Tensor& transpose_copy_out(Tensor& out, const Tensor& x, int64_t a, int64_t b);
Tensor& tril_indices_out(Tensor& out, int64_t rows, int64_t cols, int64_t offset = 0);
Tensor& tril_out(Tensor& out, const Tensor& x, int64_t diagonal = 0);
Tensor& triu_indices_out(Tensor& out, int64_t rows, int64_t cols, int64_t offset = 0);
Tensor& triu_out(Tensor& out, const Tensor& x, int64_t diagonal = 0);
Tensor& unfold_backward_out(Tensor& out, const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t size,
                            int64_t step);
Tensor& unfold_copy_out(Tensor& out, const Tensor& x, int64_t dim, int64_t size, int64_t step);
Tensor& uniform_out(Tensor& out, const Tensor& self, double from = 0, double to = 1, OptionalGenerator generator = {});
Tensor& unsqueeze_copy_out(Tensor& out, const Tensor& x, int64_t dim);
Tensor& upsample_bicubic2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                        IntArrayRef input_size, bool align_corners,
                                        std::optional<double> scales_h = std::nullopt,
                                        std::optional<double> scales_w = std::nullopt);
Tensor& upsample_bicubic2d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                               std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
Tensor& upsample_bicubic2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                               std::optional<ArrayRef<double>> scales);
Tensor& upsample_bilinear2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                         IntArrayRef input_size, bool align_corners,
                                         std::optional<double> scales_h = std::nullopt,
                                         std::optional<double> scales_w = std::nullopt);
Tensor& upsample_bilinear2d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
Tensor& upsample_bilinear2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                std::optional<ArrayRef<double>> scales);
Tensor& upsample_linear1d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                       IntArrayRef input_size, bool align_corners,
                                       std::optional<double> scales = std::nullopt);
Tensor& upsample_linear1d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                              std::optional<double> scales = {});
Tensor& upsample_linear1d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                              std::optional<ArrayRef<double>> scales);
Tensor& upsample_nearest1d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                        IntArrayRef input_size, std::optional<double> scales = std::nullopt);
Tensor& upsample_nearest1d_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<double> scales = {});
Tensor& upsample_nearest1d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                               std::optional<ArrayRef<double>> scales);
Tensor& upsample_nearest2d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                        IntArrayRef input_size, std::optional<double> scales_h = std::nullopt,
                                        std::optional<double> scales_w = std::nullopt);
Tensor& upsample_nearest2d_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<double> scales_h = {},
                               std::optional<double> scales_w = {});
Tensor& upsample_nearest2d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                               std::optional<ArrayRef<double>> scales);
Tensor& upsample_nearest3d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                        IntArrayRef input_size, std::optional<double> scales_d = std::nullopt,
                                        std::optional<double> scales_h = std::nullopt,
                                        std::optional<double> scales_w = std::nullopt);
Tensor& upsample_nearest3d_out(Tensor& out, const Tensor& self, IntArrayRef size, std::optional<double> scales_d = {},
                               std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
Tensor& upsample_nearest3d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size,
                               std::optional<ArrayRef<double>> scales);
Tensor& upsample_trilinear3d_backward_out(Tensor& out, const Tensor& grad_output, IntArrayRef output_size,
                                          IntArrayRef input_size, bool align_corners,
                                          std::optional<double> scales_d = std::nullopt,
                                          std::optional<double> scales_h = std::nullopt,
                                          std::optional<double> scales_w = std::nullopt);
Tensor& upsample_trilinear3d_out(Tensor& out, const Tensor& self, IntArrayRef size, bool align_corners,
                                 std::optional<double> scales_d = {}, std::optional<double> scales_h = {},
                                 std::optional<double> scales_w = {});
Tensor& upsample_trilinear3d_out(Tensor& out, const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                 std::optional<ArrayRef<double>> scales);
Tensor& var_out(Tensor& out, const Tensor& x, OptionalIntArrayRef dims = std::nullopt,
                const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
Tensor& vdot_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& view_as_complex_copy_out(Tensor& out, const Tensor& x);
Tensor& view_as_real_copy_out(Tensor& out, const Tensor& x);
Tensor& view_copy_out(Tensor& out, const Tensor& self, DType dtype);
Tensor& view_copy_out(Tensor& out, const Tensor& x, IntArrayRef sizes);
Tensor& vstack_out(Tensor& out, TensorList tensors);
Tensor& where_out(Tensor& out, const Tensor& condition, const Scalar& a, const Scalar& b);
Tensor& where_out(Tensor& out, const Tensor& condition, const Scalar& a, const Tensor& b);
Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& a, const Scalar& b);
Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor& xlogy_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& xlogy_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& xlogy_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& zero_out(Tensor& out, const Tensor& self);
Tensor& zeros_like_out(Tensor& out, const Tensor& x, std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor& zeros_out(Tensor& out, IntArrayRef sizes);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _batch_norm_no_update_out(
    Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3, const Tensor& input, OptionalTensorRef weight,
    OptionalTensorRef bias, OptionalTensorRef running_mean, OptionalTensorRef running_var, double momentum, double eps);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _batch_norm_with_update_out(
    Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3, const Tensor& input, OptionalTensorRef weight,
    OptionalTensorRef bias, Tensor& running_mean, Tensor& running_var, double momentum, double eps);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _embedding_bag_forward_only_out(
    Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3, const Tensor& weight, const Tensor& indices,
    const Tensor& offsets, bool scale_grad_by_freq = false, int64_t mode = 0, bool sparse = false,
    OptionalTensorRef per_sample_weights = {}, bool include_last_offset = false, int64_t padding_idx = -1);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _embedding_bag_out(
    Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3, const Tensor& weight, const Tensor& indices,
    const Tensor& offsets, bool scale_grad_by_freq = false, int64_t mode = 0, bool sparse = false,
    OptionalTensorRef per_sample_weights = {}, bool include_last_offset = false, int64_t padding_idx = -1);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _linalg_slogdet_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                   Tensor& out3, const Tensor& A);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> _linalg_solve_ex_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                    Tensor& out3, const Tensor& A, const Tensor& B,
                                                                    bool left = true, bool check_errors = false);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> batch_norm_backward_reduce_out(
    Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3, const Tensor& grad_out, const Tensor& input,
    const Tensor& mean, const Tensor& invstd, OptionalTensorRef weight, bool input_g, bool weight_g, bool bias_g);
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_out(Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3,
                                                                const Tensor& A, const Tensor& B,
                                                                std::optional<double> rcond = std::nullopt,
                                                                std::optional<std::string_view> driver = std::nullopt);
std::tuple<Tensor&, Tensor&, Tensor&> _linalg_det_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A);
std::tuple<Tensor&, Tensor&, Tensor&> _linalg_svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                      bool full_matrices = false, bool compute_uv = true,
                                                      std::optional<std::string_view> driver = std::nullopt);
std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_no_training_out(
    Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias,
    const Tensor& running_mean, const Tensor& running_var, double momentum, double eps);
std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                   const Tensor& input, OptionalTensorRef weight,
                                                                   OptionalTensorRef bias, Tensor& running_mean,
                                                                   Tensor& running_var, bool training, double momentum,
                                                                   double eps);
std::tuple<Tensor&, Tensor&, Tensor&> _native_batch_norm_legit_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                   const Tensor& input, OptionalTensorRef weight,
                                                                   OptionalTensorRef bias, bool training,
                                                                   double momentum, double eps);
std::tuple<Tensor&, Tensor&, Tensor&> _unique2_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& x,
                                                   bool sorted = true, bool return_inverse = false,
                                                   bool return_counts = false);
std::tuple<Tensor&, Tensor&, Tensor&> convolution_backward_out(
    Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& grad_output, const Tensor& input, const Tensor& weight,
    OptionalIntArrayRef bias_sizes, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
    IntArrayRef output_padding, int64_t groups, std::array<bool, 3> output_mask);
std::tuple<Tensor&, Tensor&, Tensor&> linalg_ldl_factor_ex_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                               const Tensor& A, bool hermitian = false,
                                                               bool check_errors = false);
std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_factor_ex_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                              bool pivot = true, bool check_errors = false);
std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                    bool pivot = true);
std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                     bool full_matrices = true,
                                                     std::optional<std::string_view> driver = std::nullopt);
std::tuple<Tensor&, Tensor&, Tensor&> linear_backward_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& self,
                                                          const Tensor& grad_output, const Tensor& weight,
                                                          std::array<bool, 3> output_mask);
std::tuple<Tensor&, Tensor&, Tensor&> lu_unpack_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& LU,
                                                    const Tensor& pivots, bool unpack_data = true,
                                                    bool unpack_pivots = true);
std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_backward_out(
    Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& grad_out, const Tensor& input, OptionalTensorRef weight,
    OptionalTensorRef running_mean, OptionalTensorRef running_var, OptionalTensorRef save_mean,
    OptionalTensorRef save_invstd, bool train, double eps, std::array<bool, 3> output_mask);
std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                            const Tensor& input, OptionalTensorRef weight,
                                                            OptionalTensorRef bias, OptionalTensorRef running_mean,
                                                            OptionalTensorRef running_var, bool training,
                                                            double momentum, double eps);
std::tuple<Tensor&, Tensor&, Tensor&> native_group_norm_backward_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                     const Tensor& grad_out, const Tensor& input,
                                                                     const Tensor& mean, const Tensor& rstd,
                                                                     OptionalTensorRef weight, int64_t N, int64_t C,
                                                                     int64_t HxW, int64_t group,
                                                                     std::array<bool, 3> output_mask);
std::tuple<Tensor&, Tensor&, Tensor&> native_group_norm_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                            const Tensor& input, OptionalTensorRef weight,
                                                            OptionalTensorRef bias, int64_t N, int64_t C, int64_t HxW,
                                                            int64_t group, double eps);
std::tuple<Tensor&, Tensor&, Tensor&> native_layer_norm_backward_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                     const Tensor& grad_out, const Tensor& input,
                                                                     IntArrayRef normalized_shape, const Tensor& mean,
                                                                     const Tensor& rstd, OptionalTensorRef weight,
                                                                     OptionalTensorRef bias,
                                                                     std::array<bool, 3> output_mask);
std::tuple<Tensor&, Tensor&, Tensor&> native_layer_norm_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                            const Tensor& input, IntArrayRef normalized_shape,
                                                            OptionalTensorRef weight, OptionalTensorRef bias,
                                                            double eps);
std::tuple<Tensor&, Tensor&, Tensor&> svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                              bool some = true, bool compute_uv = true);
std::tuple<Tensor&, Tensor&, Tensor&> unique_consecutive_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& x,
                                                             bool return_inverse = false, bool return_counts = false,
                                                             std::optional<int64_t> dim = std::nullopt);
std::tuple<Tensor&, Tensor&, Tensor&> unique_dim_consecutive_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                                 const Tensor& x, int64_t dim,
                                                                 bool return_inverse = false,
                                                                 bool return_counts = false);
std::tuple<Tensor&, Tensor&, Tensor&> unique_dim_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& x,
                                                     int64_t dim, bool sorted = true, bool return_inverse = false,
                                                     bool return_counts = false);
std::tuple<Tensor&, Tensor&> _aminmax_out(Tensor& out0, Tensor& out1, const Tensor& self);
std::tuple<Tensor&, Tensor&> _aminmax_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t dim,
                                          bool keepdim = false);
std::tuple<Tensor&, Tensor&> _amp_update_scale_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                   const Tensor& growth_tracker, const Tensor& found_inf,
                                                   double scale_growth_factor, double scale_backoff_factor,
                                                   int64_t growth_interval);
std::tuple<Tensor&, Tensor&> _fused_dropout_out(Tensor& out0, Tensor& out1, const Tensor& self, double p,
                                                OptionalGenerator generator = {});
std::tuple<Tensor&, Tensor&> _linalg_eigh_out(Tensor& out0, Tensor& out1, const Tensor& A, std::string_view UPLO = "L",
                                              bool compute_v = true);
std::tuple<Tensor&, Tensor&> _pack_padded_sequence_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                       const Tensor& lengths, bool batch_first);
std::tuple<Tensor&, Tensor&> _unique_out(Tensor& out0, Tensor& out1, const Tensor& x, bool sorted = true,
                                         bool return_inverse = false);
std::tuple<Tensor&, Tensor&> _weight_norm_interface_backward_out(Tensor& out0, Tensor& out1, const Tensor& grad_w,
                                                                 const Tensor& saved_v, const Tensor& saved_g,
                                                                 const Tensor& saved_norms, int64_t dim);
std::tuple<Tensor&, Tensor&> _weight_norm_interface_out(Tensor& out0, Tensor& out1, const Tensor& v, const Tensor& g,
                                                        int64_t dim = 0);
std::tuple<Tensor&, Tensor&> adaptive_max_pool2d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                     IntArrayRef output_size);
std::tuple<Tensor&, Tensor&> adaptive_max_pool3d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                     IntArrayRef output_size);
std::tuple<Tensor&, Tensor&> aminmax_out(Tensor& out0, Tensor& out1, const Tensor& x,
                                         std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
std::tuple<Tensor&, Tensor&> batch_norm_gather_stats_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                         const Tensor& mean, const Tensor& invstd,
                                                         OptionalTensorRef running_mean, OptionalTensorRef running_var,
                                                         double momentum, double eps, int64_t count);
std::tuple<Tensor&, Tensor&> batch_norm_gather_stats_with_counts_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                                     const Tensor& mean, const Tensor& invstd,
                                                                     OptionalTensorRef running_mean,
                                                                     OptionalTensorRef running_var, double momentum,
                                                                     double eps, const Tensor& counts);
std::tuple<Tensor&, Tensor&> batch_norm_stats_out(Tensor& out0, Tensor& out1, const Tensor& input, double eps);
std::tuple<Tensor&, Tensor&> batch_norm_update_stats_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                         OptionalTensorRef running_mean, OptionalTensorRef running_var,
                                                         double momentum);
std::tuple<Tensor&, Tensor&> cummax_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim);
std::tuple<Tensor&, Tensor&> cummin_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim);
std::tuple<Tensor&, Tensor&> fractional_max_pool2d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                       IntArrayRef kernel_size, IntArrayRef output_size,
                                                       const Tensor& random_samples);
std::tuple<Tensor&, Tensor&> fractional_max_pool3d_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                       IntArrayRef kernel_size, IntArrayRef output_size,
                                                       const Tensor& random_samples);
std::tuple<Tensor&, Tensor&> frexp_out(Tensor& out0, Tensor& out1, const Tensor& x);
std::tuple<Tensor&, Tensor&> geqrf_out(Tensor& out0, Tensor& out1, const Tensor& A);
std::tuple<Tensor&, Tensor&> grid_sampler_2d_backward_out(Tensor& out0, Tensor& out1, const Tensor& grad_output,
                                                          const Tensor& input, const Tensor& grid,
                                                          int64_t interpolation_mode, int64_t padding_mode,
                                                          bool align_corners, std::array<bool, 2> output_mask);
std::tuple<Tensor&, Tensor&> grid_sampler_3d_backward_out(Tensor& out0, Tensor& out1, const Tensor& grad_output,
                                                          const Tensor& input, const Tensor& grid,
                                                          int64_t interpolation_mode, int64_t padding_mode,
                                                          bool align_corners, std::array<bool, 2> output_mask);
std::tuple<Tensor&, Tensor&> histogram_out(Tensor& out0, Tensor& out1, const Tensor& x, const Tensor& edges,
                                           OptionalTensorRef weight = {}, bool density = false);
std::tuple<Tensor&, Tensor&> histogram_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t bins = 100,
                                           std::optional<ArrayRef<double>> range = std::nullopt,
                                           OptionalTensorRef weight = {}, bool density = false);
std::tuple<Tensor&, Tensor&> kthvalue_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t k, int64_t dim = -1,
                                          bool keepdim = false);
std::tuple<Tensor&, Tensor&> linalg_cholesky_ex_out(Tensor& out0, Tensor& out1, const Tensor& A, bool upper = false,
                                                    bool check_errors = false);
std::tuple<Tensor&, Tensor&> linalg_eig_out(Tensor& out0, Tensor& out1, const Tensor& A);
std::tuple<Tensor&, Tensor&> linalg_eigh_out(Tensor& out0, Tensor& out1, const Tensor& A, std::string_view UPLO = "L");
std::tuple<Tensor&, Tensor&> linalg_inv_ex_out(Tensor& out0, Tensor& out1, const Tensor& A, bool check_errors = false);
std::tuple<Tensor&, Tensor&> linalg_ldl_factor_out(Tensor& out0, Tensor& out1, const Tensor& A, bool hermitian = false);
std::tuple<Tensor&, Tensor&> linalg_lu_factor_out(Tensor& out0, Tensor& out1, const Tensor& A, bool pivot = true);
std::tuple<Tensor&, Tensor&> linalg_polar_out(Tensor& out0, Tensor& out1, const Tensor& A);
std::tuple<Tensor&, Tensor&> linalg_qr_out(Tensor& out0, Tensor& out1, const Tensor& A,
                                           std::string_view mode = "reduced");
std::tuple<Tensor&, Tensor&> linalg_slogdet_out(Tensor& out0, Tensor& out1, const Tensor& A);
std::tuple<Tensor&, Tensor&> linalg_solve_ex_out(Tensor& out0, Tensor& out1, const Tensor& A, const Tensor& B,
                                                 bool left = true, bool check_errors = false);
std::tuple<Tensor&, Tensor&> log_sigmoid_forward_out(Tensor& out0, Tensor& out1, const Tensor& self);
std::tuple<Tensor&, Tensor&> matmul_backward_out(Tensor& out0, Tensor& out1, const Tensor& grad, const Tensor& self,
                                                 const Tensor& other, std::array<bool, 2> mask);
std::tuple<Tensor&, Tensor&> max_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim, bool keepdim = false);
std::tuple<Tensor&, Tensor&> max_pool2d_with_indices_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                         IntArrayRef kernel_size, IntArrayRef stride = {},
                                                         IntArrayRef padding = 0, IntArrayRef dilation = 1,
                                                         bool ceil_mode = false);
std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_out(Tensor& out0, Tensor& out1, const Tensor& input,
                                                         IntArrayRef kernel_size, IntArrayRef stride = {},
                                                         IntArrayRef padding = 0, IntArrayRef dilation = 1,
                                                         bool ceil_mode = false);
std::tuple<Tensor&, Tensor&> median_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim, bool keepdim = false);
std::tuple<Tensor&, Tensor&> min_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim, bool keepdim = false);
std::tuple<Tensor&, Tensor&> mode_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim = -1,
                                      bool keepdim = false);
std::tuple<Tensor&, Tensor&> multilabel_margin_loss_forward_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                                const Tensor& target, int64_t reduction);
std::tuple<Tensor&, Tensor&> nanmedian_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim,
                                           bool keepdim = false);
std::tuple<Tensor&, Tensor&> native_dropout_out(Tensor& out0, Tensor& out1, const Tensor& input, double p,
                                                std::optional<bool> train);
std::tuple<Tensor&, Tensor&> nll_loss2d_forward_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                    const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                                                    int64_t ignore_index);
std::tuple<Tensor&, Tensor&> nll_loss_forward_out(Tensor& out0, Tensor& out1, const Tensor& self, const Tensor& target,
                                                  OptionalTensorRef weight, int64_t reduction, int64_t ignore_index);
std::tuple<Tensor&, Tensor&> slogdet_out(Tensor& out0, Tensor& out1, const Tensor& A);
std::tuple<Tensor&, Tensor&> sort_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t dim = -1,
                                      bool descending = false);
std::tuple<Tensor&, Tensor&> sort_out(Tensor& out0, Tensor& out1, const Tensor& x, std::optional<bool> stable,
                                      int64_t dim = -1, bool descending = false);
std::tuple<Tensor&, Tensor&> std_mean_out(Tensor& out0, Tensor& out1, const Tensor& x,
                                          OptionalIntArrayRef dims = std::nullopt,
                                          const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
std::tuple<Tensor&, Tensor&> topk_out(Tensor& out0, Tensor& out1, const Tensor& x, int64_t k, int64_t dim = -1,
                                      bool largest = true, bool sorted = true);
std::tuple<Tensor&, Tensor&> triangular_solve_out(Tensor& out0, Tensor& out1, const Tensor& B, const Tensor& A,
                                                  bool upper = true, bool transpose = false,
                                                  bool unitriangular = false);
std::tuple<Tensor&, Tensor&> var_mean_out(Tensor& out0, Tensor& out1, const Tensor& x,
                                          OptionalIntArrayRef dims = std::nullopt,
                                          const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
namespace special {
Tensor& airy_ai_out(Tensor& out, const Tensor& x);
Tensor& bessel_j0_out(Tensor& out, const Tensor& x);
Tensor& bessel_j1_out(Tensor& out, const Tensor& x);
Tensor& bessel_y0_out(Tensor& out, const Tensor& x);
Tensor& bessel_y1_out(Tensor& out, const Tensor& x);
Tensor& chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& entr_out(Tensor& out, const Tensor& x);
Tensor& erfcx_out(Tensor& out, const Tensor& x);
Tensor& expit_out(Tensor& out, const Tensor& x);
Tensor& gammainc_out(Tensor& out, const Tensor& a, const Tensor& x);
Tensor& gammaincc_out(Tensor& out, const Tensor& a, const Tensor& x);
Tensor& gammaln_out(Tensor& out, const Tensor& x);
Tensor& hermite_polynomial_h_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& hermite_polynomial_he_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& i0e_out(Tensor& out, const Tensor& x);
Tensor& i1_out(Tensor& out, const Tensor& x);
Tensor& i1e_out(Tensor& out, const Tensor& x);
Tensor& laguerre_polynomial_l_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& legendre_polynomial_p_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& log_ndtr_out(Tensor& out, const Tensor& x);
Tensor& modified_bessel_i0_out(Tensor& out, const Tensor& x);
Tensor& modified_bessel_i1_out(Tensor& out, const Tensor& x);
Tensor& modified_bessel_k0_out(Tensor& out, const Tensor& x);
Tensor& modified_bessel_k1_out(Tensor& out, const Tensor& x);
Tensor& multigammaln_out(Tensor& out, const Tensor& x, int64_t p);
Tensor& ndtr_out(Tensor& out, const Tensor& x);
Tensor& ndtri_out(Tensor& out, const Tensor& x);
Tensor& psi_out(Tensor& out, const Tensor& x);
Tensor& scaled_modified_bessel_k0_out(Tensor& out, const Tensor& x);
Tensor& scaled_modified_bessel_k1_out(Tensor& out, const Tensor& x);
Tensor& shifted_chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& shifted_chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& shifted_chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& shifted_chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n);
Tensor& shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n);
Tensor& shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n);
Tensor& spherical_bessel_j0_out(Tensor& out, const Tensor& x);
Tensor& xlog1py_out(Tensor& out, const Scalar& a, const Tensor& b);
Tensor& xlog1py_out(Tensor& out, const Tensor& a, const Scalar& b);
Tensor& xlog1py_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& zeta_out(Tensor& out, const Scalar& x, const Tensor& q);
Tensor& zeta_out(Tensor& out, const Tensor& x, const Scalar& q);
Tensor& zeta_out(Tensor& out, const Tensor& x, const Tensor& q);
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
}  // namespace strata
