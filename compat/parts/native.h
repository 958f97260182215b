// ATen's functions behind layers, which give what their gradients need beside the result (native_layer_norm), and the
// convolutions that libtorch's own choose from (slow_conv3d). Shapes and errors are those of the layers.
#pragma once
#include <optional>
#include <string_view>
#include <tuple>

#include <strata/core/generator.h>
#include <strata/core/tensor.h>

namespace strata {

/// The result, and the mean and one over the deviation of what was normalized together: of input's sizes with the
/// normalized ones 1, of (N, group), of (C). Where running statistics are used in place of the batch's, batch norm
/// gives no elements for the two.
std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input, IntArrayRef normalized_shape,
                                                     OptionalTensorRef weight, OptionalTensorRef bias, double eps);
std::tuple<Tensor, Tensor, Tensor> native_group_norm(const Tensor& input, OptionalTensorRef weight,
                                                     OptionalTensorRef bias, int64_t N, int64_t C, int64_t HxW,
                                                     int64_t group, double eps);
std::tuple<Tensor, Tensor, Tensor> native_batch_norm(const Tensor& input, OptionalTensorRef weight,
                                                     OptionalTensorRef bias, OptionalTensorRef running_mean,
                                                     OptionalTensorRef running_var, bool training, double momentum,
                                                     double eps);
std::tuple<Tensor, Tensor, Tensor> _native_batch_norm_legit(const Tensor& input, OptionalTensorRef weight,
                                                            OptionalTensorRef bias, Tensor& running_mean,
                                                            Tensor& running_var, bool training, double momentum,
                                                            double eps);
std::tuple<Tensor, Tensor, Tensor> _native_batch_norm_legit(const Tensor& input, OptionalTensorRef weight,
                                                            OptionalTensorRef bias, bool training, double momentum,
                                                            double eps);
std::tuple<Tensor, Tensor, Tensor> _native_batch_norm_legit_no_training(const Tensor& input, OptionalTensorRef weight,
                                                                        OptionalTensorRef bias,
                                                                        const Tensor& running_mean,
                                                                        const Tensor& running_var, double momentum,
                                                                        double eps);
/// Gives the new running statistics too, and leaves those given as they are.
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> _native_batch_norm_legit_functional(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, const Tensor& running_mean,
    const Tensor& running_var, bool training, double momentum, double eps);

/// The same with a fourth result of no elements, which libtorch's GPUs keep for the way back: with the batch's
/// statistics, which the running ones are updated with, and with the running ones.
std::tuple<Tensor, Tensor, Tensor, Tensor> _batch_norm_with_update(const Tensor& input, OptionalTensorRef weight,
                                                                   OptionalTensorRef bias, Tensor& running_mean,
                                                                   Tensor& running_var, double momentum, double eps);
std::tuple<Tensor, Tensor, Tensor, Tensor> _batch_norm_no_update(const Tensor& input, OptionalTensorRef weight,
                                                                 OptionalTensorRef bias, OptionalTensorRef running_mean,
                                                                 OptionalTensorRef running_var, double momentum,
                                                                 double eps);
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor> _batch_norm_with_update_functional(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, const Tensor& running_mean,
    const Tensor& running_var, double momentum, double eps);

/// The steps of batch norm over the batches of several processes (C channels in dim 1): mean and one over the deviation
/// of a batch; those of all batches from the processes' (W, C) and the elements per channel, `count` in each or
/// `counts` (W); and the normalization by them. The running statistics, if given, are updated with `momentum`.
std::tuple<Tensor, Tensor> batch_norm_stats(const Tensor& input, double eps);
std::tuple<Tensor, Tensor> batch_norm_gather_stats(const Tensor& input, const Tensor& mean, const Tensor& invstd,
                                                   OptionalTensorRef running_mean, OptionalTensorRef running_var,
                                                   double momentum, double eps, int64_t count);
std::tuple<Tensor, Tensor> batch_norm_gather_stats_with_counts(const Tensor& input, const Tensor& mean,
                                                               const Tensor& invstd, OptionalTensorRef running_mean,
                                                               OptionalTensorRef running_var, double momentum,
                                                               double eps, const Tensor& counts);
Tensor batch_norm_elemt(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, const Tensor& mean,
                        const Tensor& invstd, double eps);
/// The mean and the variance of a batch, which the running ones are updated with.
std::tuple<Tensor, Tensor> batch_norm_update_stats(const Tensor& input, OptionalTensorRef running_mean,
                                                   OptionalTensorRef running_var, double momentum);

/// Root mean square norm over the last dims, and one over the root.
std::tuple<Tensor, Tensor> _fused_rms_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensorRef weight,
                                           std::optional<double> eps);

/// The result and the mask of what is kept; all is where `train` is false. `p` is the share that is dropped.
std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train);
/// The same with the share that is kept, and a mask of bytes.
std::tuple<Tensor, Tensor> _fused_dropout(const Tensor& self, double p, OptionalGenerator generator = {});
/// Attention, and its weights (N, heads, L, S). `dropout_mask` has those that are kept.
std::tuple<Tensor, Tensor> _scaled_dot_product_attention_math(const Tensor& query, const Tensor& key,
                                                              const Tensor& value, OptionalTensorRef attn_mask = {},
                                                              double dropout_p = 0, bool is_causal = false,
                                                              OptionalTensorRef dropout_mask = {},
                                                              std::optional<double> scale = std::nullopt,
                                                              bool enable_gqa = false);
Tensor native_norm(const Tensor& self, const Scalar& p = 2);
Tensor native_norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                   std::optional<DType> dtype);

/// The weight `v * g / norm(v)`, with the norm over all dims but `dim`, and that norm.
Tensor _weight_norm(const Tensor& v, const Tensor& g, int64_t dim = 0);
std::tuple<Tensor, Tensor> _weight_norm_interface(const Tensor& v, const Tensor& g, int64_t dim = 0);

/// Leaky ReLU whose slopes are drawn from [lower, upper) and written into `noise`, 1 where `self` is above zero, if
/// `training`; else they are the mean.
Tensor rrelu_with_noise(const Tensor& self, Tensor& noise, const Scalar& lower = 0.125, const Scalar& upper = 1.0 / 3,
                        bool training = false, OptionalGenerator generator = {});
Tensor& rrelu_with_noise_(Tensor& self, Tensor& noise, const Scalar& lower = 0.125, const Scalar& upper = 1.0 / 3,
                          bool training = false, OptionalGenerator generator = {});
std::tuple<Tensor, Tensor> rrelu_with_noise_functional(const Tensor& self, const Tensor& noise,
                                                       const Scalar& lower = 0.125, const Scalar& upper = 1.0 / 3,
                                                       bool training = false, OptionalGenerator generator = {});

/// Losses with what their gradients need: the weight of all targets that count, which a mean was divided by (0 where
/// nothing is summed), or which classes are targets, as ones of `target`'s sizes. `weight` has one for each class.
std::tuple<Tensor, Tensor> nll_loss_forward(const Tensor& self, const Tensor& target, OptionalTensorRef weight,
                                            int64_t reduction, int64_t ignore_index);
std::tuple<Tensor, Tensor> nll_loss2d_forward(const Tensor& self, const Tensor& target, OptionalTensorRef weight,
                                              int64_t reduction, int64_t ignore_index);
std::tuple<Tensor, Tensor> multilabel_margin_loss_forward(const Tensor& self, const Tensor& target, int64_t reduction);
/// The logarithm of the sigmoid, and exp(-|self|).
std::tuple<Tensor, Tensor> log_sigmoid_forward(const Tensor& self);

/// Convolutions by the names of libtorch's kernels. `kernel_size` must be the weight's.
Tensor _convolution(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                    IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                    int64_t groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32 = true);
Tensor _convolution_mode(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                         std::string_view padding, IntArrayRef dilation, int64_t groups);
Tensor thnn_conv2d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias = {},
                   IntArrayRef stride = 1, IntArrayRef padding = 0);
Tensor slow_conv3d_forward(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                           IntArrayRef stride, IntArrayRef padding);
Tensor slow_conv3d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias = {},
                   IntArrayRef stride = 1, IntArrayRef padding = 0);
Tensor slow_conv_dilated2d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                           OptionalTensorRef bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0,
                           IntArrayRef dilation = 1);
Tensor slow_conv_dilated3d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                           OptionalTensorRef bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0,
                           IntArrayRef dilation = 1);
Tensor slow_conv_transpose2d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                             OptionalTensorRef bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0,
                             IntArrayRef output_padding = 0, IntArrayRef dilation = 1);
Tensor slow_conv_transpose3d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size,
                             OptionalTensorRef bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0,
                             IntArrayRef output_padding = 0, IntArrayRef dilation = 1);
/// One filter, or several, for each channel of the input.
Tensor _conv_depthwise2d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                         IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation);
Tensor conv_depthwise3d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation);

}  // namespace strata
