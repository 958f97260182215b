// Normalisation over batches, layers, groups and instances.
#pragma once
#include <optional>

#include "../core/tensor.h"

namespace strata {

/// Normalises each channel of `(N, C, ...)` or `(N, C)`; weight, bias, running_mean and running_var are `(C,)` or
/// undefined. In training the batch's statistics are used and the running ones, if given, move by `momentum` towards
/// them (the variance unbiased); else the running ones are used. (Ioffe and Szegedy 2015.) Throws in training on one
/// value per channel.
Tensor batch_norm(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, OptionalTensorRef running_mean,
                  OptionalTensorRef running_var, bool training, double momentum, double eps,
                  bool cudnn_enabled = false);

/// Normalises over the last dims, whose sizes are `normalized_shape`; weight and bias have that shape or are undefined.
Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensorRef weight = {},
                  OptionalTensorRef bias = {}, double eps = 1e-5, bool cudnn_enable = false);

/// Normalises each of `num_groups` groups of channels of each sample of `(N, C, ...)`; weight and bias are `(C,)` or
/// undefined.
Tensor group_norm(const Tensor& input, int64_t num_groups, OptionalTensorRef weight = {}, OptionalTensorRef bias = {},
                  double eps = 1e-5, bool cudnn_enabled = false);

/// Normalises each channel of each sample of `(N, C, ...)` by its own statistics, or by the running ones unless
/// `use_input_stats`; the running ones move towards the mean of the samples' statistics.
Tensor instance_norm(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias,
                     OptionalTensorRef running_mean, OptionalTensorRef running_var, bool use_input_stats,
                     double momentum, double eps, bool cudnn_enabled = false);

/// `x / sqrt(mean(x^2) + eps) * weight` over the last dims; eps defaults to the dtype's epsilon. (Zhang and Sennrich
/// 2019.)
Tensor rms_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensorRef weight = {},
                std::optional<double> eps = std::nullopt);

/// Divides each value of `(N, C, ...)` by `(k + alpha * mean of the squares of `size` neighbouring channels)^beta`,
/// absent channels counting as zeros. (Krizhevsky et al. 2012.)
Tensor local_response_norm(const Tensor& input, int64_t size, double alpha = 1e-4, double beta = 0.75, double k = 1);

}  // namespace strata
