// ATen's functions of gradients, which programs call in autograd functions of their own: each gives what the gradient
// `grad_output` of a function's result becomes at its input `self`. Shapes, dtypes and errors are the function's own;
// what the derivative needs of the forward pass (`output`, `indices`, `mean`) is given where libtorch asks for it.
// Argument orders are those of ATen's native_functions.yaml, formulas those of its derivatives.yaml.
#pragma once
#include <array>
#include <optional>
#include <string_view>
#include <tuple>

#include <strata/core/optional_array_ref.h>
#include <strata/core/tensor.h>
#include <strata/ops/loss.h>

namespace strata {

/// Of activations. `output`, and `self` where `is_result`, is what the activation gave; `buffer` is not read.
Tensor sigmoid_backward(const Tensor& grad_output, const Tensor& output);
Tensor tanh_backward(const Tensor& grad_output, const Tensor& output);
Tensor threshold_backward(const Tensor& grad_output, const Tensor& self, const Scalar& threshold);
Tensor gelu_backward(const Tensor& grad_output, const Tensor& self, std::string_view approximate = "none");
Tensor infinitely_differentiable_gelu_backward(const Tensor& grad, const Tensor& self);
Tensor silu_backward(const Tensor& grad_output, const Tensor& self);
Tensor mish_backward(const Tensor& grad_output, const Tensor& self);
Tensor elu_backward(const Tensor& grad_output, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                    bool is_result, const Tensor& self_or_result);
Tensor leaky_relu_backward(const Tensor& grad_output, const Tensor& self, const Scalar& negative_slope,
                           bool self_is_result);
Tensor softplus_backward(const Tensor& grad_output, const Tensor& self, const Scalar& beta, const Scalar& threshold);
Tensor hardtanh_backward(const Tensor& grad_output, const Tensor& self, const Scalar& min_val, const Scalar& max_val);
Tensor hardswish_backward(const Tensor& grad_output, const Tensor& self);
Tensor hardsigmoid_backward(const Tensor& grad_output, const Tensor& self);
Tensor log_sigmoid_backward(const Tensor& grad_output, const Tensor& self, const Tensor& buffer);
Tensor logit_backward(const Tensor& grad_output, const Tensor& self, std::optional<double> eps = std::nullopt);
Tensor softshrink_backward(const Tensor& grad_output, const Tensor& self, const Scalar& lambd);
Tensor hardshrink_backward(const Tensor& grad_out, const Tensor& self, const Scalar& lambd);
Tensor glu_backward(const Tensor& grad_output, const Tensor& self, int64_t dim);
Tensor rrelu_with_noise_backward(const Tensor& grad_output, const Tensor& self, const Tensor& noise,
                                 const Scalar& lower, const Scalar& upper, bool training, bool self_is_result);
std::tuple<Tensor, Tensor> _prelu_kernel_backward(const Tensor& grad_output, const Tensor& self, const Tensor& weight);
Tensor _softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim, DType input_dtype);
Tensor _log_softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim, DType input_dtype);
Tensor _masked_softmax_backward(const Tensor& grad_output, const Tensor& output, const Tensor& mask,
                                std::optional<int64_t> dim = std::nullopt);
Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale);

/// The change of glu's result, and of glu_backward's, where x and the gradient change by `dx` and `dgrad_glu`.
Tensor glu_jvp(const Tensor& glu, const Tensor& x, const Tensor& dx, int64_t dim);
Tensor glu_backward_jvp(const Tensor& grad_x, const Tensor& grad_glu, const Tensor& x, const Tensor& dgrad_glu,
                        const Tensor& dx, int64_t dim);

/// Of losses, with respect to `self`. `total_weight` is what the mean was divided by.
Tensor mse_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction);
Tensor huber_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
                           double delta);
Tensor smooth_l1_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
                               double beta);
Tensor soft_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                 int64_t reduction);
Tensor binary_cross_entropy_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                     OptionalTensorRef weight = {}, int64_t reduction = Reduction::Mean);
Tensor nll_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, OptionalTensorRef weight,
                         int64_t reduction, int64_t ignore_index, const Tensor& total_weight);
Tensor nll_loss2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                           OptionalTensorRef weight, int64_t reduction, int64_t ignore_index,
                           const Tensor& total_weight);
Tensor multi_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, const Scalar& p,
                                  const Scalar& margin, const std::optional<Tensor>& weight = {},
                                  int64_t reduction = Reduction::Mean);
Tensor multilabel_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                       int64_t reduction, const Tensor& is_target);

/// Of distances: `cdist` and `pdist` are what the functions gave.
Tensor _cdist_backward(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p, const Tensor& cdist);
Tensor _pdist_backward(const Tensor& grad, const Tensor& self, double p, const Tensor& pdist);

Tensor& adaptive_avg_pool3d_backward_out(Tensor& grad_input, const Tensor& grad_output, const Tensor& self);

/// Of normalizations and convolutions: gradients of the input, the weight and the bias, those that `output_mask` asks
/// for; the others are undefined. `mean` and `rstd` are what native_layer_norm and its kin gave.
std::tuple<Tensor, Tensor, Tensor> native_layer_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                              IntArrayRef normalized_shape, const Tensor& mean,
                                                              const Tensor& rstd, OptionalTensorRef weight,
                                                              OptionalTensorRef bias, std::array<bool, 3> output_mask);
std::tuple<Tensor, Tensor, Tensor> native_group_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                              const Tensor& mean, const Tensor& rstd,
                                                              OptionalTensorRef weight, int64_t N, int64_t C,
                                                              int64_t HxW, int64_t group,
                                                              std::array<bool, 3> output_mask);
std::tuple<Tensor, Tensor, Tensor> native_batch_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                              OptionalTensorRef weight, OptionalTensorRef running_mean,
                                                              OptionalTensorRef running_var,
                                                              OptionalTensorRef save_mean,
                                                              OptionalTensorRef save_invstd, bool train, double eps,
                                                              std::array<bool, 3> output_mask);
/// `save_var` is one over the deviation, `reserve` is not read, and `update` says whether it was the batch's
/// statistics.
std::tuple<Tensor, Tensor, Tensor> batch_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                       const Tensor& weight, OptionalTensorRef running_mean,
                                                       OptionalTensorRef running_var, OptionalTensorRef save_mean,
                                                       OptionalTensorRef save_var, bool update, double eps,
                                                       std::array<bool, 3> output_mask, const Tensor& reserve);
std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& grad_output, const Tensor& input,
                                                        const Tensor& weight, OptionalIntArrayRef bias_sizes,
                                                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                                        bool transposed, IntArrayRef output_padding, int64_t groups,
                                                        std::array<bool, 3> output_mask);
std::tuple<Tensor, Tensor, Tensor> conv_tbc_backward(const Tensor& self, const Tensor& input, const Tensor& weight,
                                                     const Tensor& bias, int64_t pad);
std::tuple<Tensor, Tensor> _weight_norm_interface_backward(const Tensor& grad_w, const Tensor& saved_v,
                                                           const Tensor& saved_g, const Tensor& saved_norms,
                                                           int64_t dim);
std::tuple<Tensor, Tensor> _weight_norm_differentiable_backward(const Tensor& grad_w, const Tensor& saved_v,
                                                                const Tensor& saved_g, const Tensor& saved_norms,
                                                                int64_t dim);

/// Of products: libtorch has these for nested tensors alone. The gradients of the input, the weight and the bias, and
/// of the two factors.
std::tuple<Tensor, Tensor, Tensor> linear_backward(const Tensor& self, const Tensor& grad_output, const Tensor& weight,
                                                   std::array<bool, 3> output_mask);
std::tuple<Tensor, Tensor> matmul_backward(const Tensor& grad, const Tensor& self, const Tensor& other,
                                           std::array<bool, 2> mask);

/// What processes of a group add up to normalize backwards over the batches of all: the sums over all dims but the
/// channels of the gradient, and of its product with `input - mean`; gradients of the weight and the bias.
std::tuple<Tensor, Tensor, Tensor, Tensor> batch_norm_backward_reduce(const Tensor& grad_out, const Tensor& input,
                                                                      const Tensor& mean, const Tensor& invstd,
                                                                      OptionalTensorRef weight, bool input_g,
                                                                      bool weight_g, bool bias_g);
/// The gradient of the input from these sums; `count` has the sizes of all processes' batches.
Tensor batch_norm_backward_elemt(const Tensor& grad_out, const Tensor& input, const Tensor& mean, const Tensor& invstd,
                                 OptionalTensorRef weight, const Tensor& sum_dy, const Tensor& sum_dy_xmu,
                                 const Tensor& count);

/// Of pools. An empty `stride` is the kernel's size, as in the pools.
Tensor avg_pool2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                           IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                           std::optional<int64_t> divisor_override);
Tensor avg_pool3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                           IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                           std::optional<int64_t> divisor_override);
Tensor _adaptive_avg_pool2d_backward(const Tensor& grad_output, const Tensor& self);
Tensor _adaptive_avg_pool3d_backward(const Tensor& grad_output, const Tensor& self);
Tensor adaptive_max_pool2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices);
Tensor adaptive_max_pool3d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices);
Tensor fractional_max_pool2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                      IntArrayRef output_size, const Tensor& indices);
Tensor fractional_max_pool3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                      IntArrayRef output_size, const Tensor& indices);
Tensor max_pool2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                           IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1,
                           bool ceil_mode = false);
Tensor max_pool2d_with_indices_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode,
                                        const Tensor& indices);
Tensor max_pool3d_with_indices_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode,
                                        const Tensor& indices);

/// Of paddings, `(left, right, top, bottom, front, back)`.
Tensor reflection_pad1d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor reflection_pad2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor reflection_pad3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor replication_pad1d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor replication_pad2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor replication_pad3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);

/// Of interpolations of an input of `input_size`.
Tensor upsample_nearest1d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                   std::optional<double> scales = std::nullopt);
Tensor upsample_nearest2d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                   std::optional<double> scales_h = std::nullopt,
                                   std::optional<double> scales_w = std::nullopt);
Tensor upsample_nearest3d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                   std::optional<double> scales_d = std::nullopt,
                                   std::optional<double> scales_h = std::nullopt,
                                   std::optional<double> scales_w = std::nullopt);
Tensor _upsample_nearest_exact1d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                          std::optional<double> scales = std::nullopt);
Tensor _upsample_nearest_exact2d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                          std::optional<double> scales_h = std::nullopt,
                                          std::optional<double> scales_w = std::nullopt);
Tensor _upsample_nearest_exact3d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                          std::optional<double> scales_d = std::nullopt,
                                          std::optional<double> scales_h = std::nullopt,
                                          std::optional<double> scales_w = std::nullopt);
Tensor upsample_linear1d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                  bool align_corners, std::optional<double> scales = std::nullopt);
Tensor upsample_bilinear2d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                    bool align_corners, std::optional<double> scales_h = std::nullopt,
                                    std::optional<double> scales_w = std::nullopt);
Tensor upsample_bicubic2d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                   bool align_corners, std::optional<double> scales_h = std::nullopt,
                                   std::optional<double> scales_w = std::nullopt);
Tensor _upsample_bilinear2d_aa_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                        bool align_corners, std::optional<double> scales_h = std::nullopt,
                                        std::optional<double> scales_w = std::nullopt);
Tensor _upsample_bicubic2d_aa_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                       bool align_corners, std::optional<double> scales_h = std::nullopt,
                                       std::optional<double> scales_w = std::nullopt);
Tensor upsample_trilinear3d_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                                     bool align_corners, std::optional<double> scales_d = std::nullopt,
                                     std::optional<double> scales_h = std::nullopt,
                                     std::optional<double> scales_w = std::nullopt);

/// Of reading images at places: gradients of the input and the grid, those that `output_mask` asks for.
std::tuple<Tensor, Tensor> grid_sampler_2d_backward(const Tensor& grad_output, const Tensor& input, const Tensor& grid,
                                                    int64_t interpolation_mode, int64_t padding_mode,
                                                    bool align_corners, std::array<bool, 2> output_mask);
std::tuple<Tensor, Tensor> grid_sampler_3d_backward(const Tensor& grad_output, const Tensor& input, const Tensor& grid,
                                                    int64_t interpolation_mode, int64_t padding_mode,
                                                    bool align_corners, std::array<bool, 2> output_mask);
std::tuple<Tensor, Tensor> _grid_sampler_2d_cpu_fallback_backward(const Tensor& grad_output, const Tensor& input,
                                                                  const Tensor& grid, int64_t interpolation_mode,
                                                                  int64_t padding_mode, bool align_corners);
Tensor affine_grid_generator_backward(const Tensor& grad, IntArrayRef size, bool align_corners);

/// Of look-ups. Sparse gradients throw: Strata has dense tensors alone.
Tensor embedding_backward(const Tensor& grad, const Tensor& indices, int64_t num_weights, int64_t padding_idx,
                          bool scale_grad_by_freq, bool sparse);
Tensor embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                int64_t padding_idx, bool scale_grad_by_freq);
/// `offset2bag`, the bag of each index, is found from `offsets` where it has no elements. `mode` is 0 for sums, 1 for
/// means and 2 for maxima, of which `maximum_indices` has the rows.
Tensor _embedding_bag_backward(const Tensor& grad, const Tensor& indices, const Tensor& offsets,
                               const Tensor& offset2bag, const Tensor& bag_size, const Tensor& maximum_indices,
                               int64_t num_weights, bool scale_grad_by_freq, int64_t mode, bool sparse,
                               OptionalTensorRef per_sample_weights, int64_t padding_idx = -1);
Tensor _embedding_bag_dense_backward(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag,
                                     const Tensor& bag_size, const Tensor& maximum_indices, int64_t num_weights,
                                     bool scale_grad_by_freq, int64_t mode, OptionalTensorRef per_sample_weights,
                                     int64_t padding_idx = -1);
/// With respect to the weights of the samples, which sums alone have.
Tensor _embedding_bag_per_sample_weights_backward(const Tensor& grad, const Tensor& weight, const Tensor& indices,
                                                  const Tensor& offsets, const Tensor& offset2bag, int64_t mode,
                                                  int64_t padding_idx = -1);
Tensor gather_backward(const Tensor& grad, const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad);
Tensor index_select_backward(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, const Tensor& index);
Tensor masked_select_backward(const Tensor& grad, const Tensor& input, const Tensor& mask);
Tensor masked_scatter_backward(const Tensor& grad_output, const Tensor& mask, IntArrayRef sizes);
Tensor value_selecting_reduction_backward(const Tensor& grad, int64_t dim, const Tensor& indices, IntArrayRef sizes,
                                          bool keepdim);
Tensor cummaxmin_backward(const Tensor& grad, const Tensor& input, const Tensor& indices, int64_t dim);
Tensor cumprod_backward(const Tensor& grad, const Tensor& input, int64_t dim, const Tensor& output);
Tensor trace_backward(const Tensor& grad, IntArrayRef sizes);
Tensor matrix_exp_backward(const Tensor& self, const Tensor& grad);
Tensor _pack_padded_sequence_backward(const Tensor& grad, IntArrayRef input_size, const Tensor& batch_sizes,
                                      bool batch_first);
Tensor _segment_reduce_backward(const Tensor& grad, const Tensor& output, const Tensor& data, std::string_view reduce,
                                const std::optional<Tensor>& lengths = {}, const std::optional<Tensor>& offsets = {},
                                int64_t axis = 0, const std::optional<Scalar>& initial = std::nullopt);

}  // namespace strata
