// Folding the batch normalisation behind a layer into its weights, for inference.
#pragma once
#include <tuple>

#include "conv.h"
#include "linear.h"
#include "norm.h"

namespace strata::nn::utils {

/// Weight `(O, ...)` (`(I, O, ...)` with `transpose`) and bias of the convolution that gives what the normalisation by
/// the running statistics made of conv's output. Undefined biases and weights stand for 0 and 1.
std::tuple<Tensor, Tensor> fuse_conv_bn_weights(const Tensor& conv_weight, const Tensor& conv_bias,
                                                const Tensor& bn_running_mean, const Tensor& bn_running_var,
                                                double bn_eps, const Tensor& bn_weight, const Tensor& bn_bias,
                                                bool transpose = false);
/// The same for a linear layer's weight `(O, I)`.
std::tuple<Tensor, Tensor> fuse_linear_bn_weights(const Tensor& linear_weight, const Tensor& linear_bias,
                                                  const Tensor& bn_running_mean, const Tensor& bn_running_var,
                                                  double bn_eps, const Tensor& bn_weight, const Tensor& bn_bias);

namespace detail {
/// A copy of `layer` with other weights.
template <class Layer>
Layer with_weights(const Layer& layer, std::tuple<Tensor, Tensor> weights) {
  using Impl = typename Layer::ContainedType;
  Layer fused(std::static_pointer_cast<Impl>(layer->clone()));
  fused->options.bias(true);
  const auto parameter = [](Tensor t, const Tensor& like) { return t.detach().requires_grad_(like.requires_grad()); };
  fused->bias = fused->replace_parameter("bias", parameter(std::get<1>(weights), layer->weight));
  fused->weight = fused->replace_parameter("weight", parameter(std::get<0>(weights), layer->weight));
  return fused;
}
void check_fusable(const Module& layer, const Module& norm, const Tensor& running_mean);
}  // namespace detail

/// A copy of the convolution that also does what the batch norm behind it does. Both must be in evaluation mode.
template <class Conv, class Norm>
Conv fuse_conv_bn_eval(const Conv& conv, const Norm& bn, bool transpose = false) {
  detail::check_fusable(*conv, *bn, bn->running_mean);
  return detail::with_weights(conv, fuse_conv_bn_weights(conv->weight, conv->bias, bn->running_mean, bn->running_var,
                                                         bn->options.eps(), bn->weight, bn->bias, transpose));
}
/// The same of a linear layer.
template <class Norm>
Linear fuse_linear_bn_eval(const Linear& linear, const Norm& bn) {
  detail::check_fusable(*linear, *bn, bn->running_mean);
  return detail::with_weights(linear, fuse_linear_bn_weights(linear->weight, linear->bias, bn->running_mean,
                                                             bn->running_var, bn->options.eps(), bn->weight, bn->bias));
}

}  // namespace strata::nn::utils
