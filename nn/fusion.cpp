// Folding batch normalisation into the layer before it.
#include "nn/fusion.h"

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/unary.h"

namespace strata::nn::utils {

std::tuple<Tensor, Tensor> fuse_conv_bn_weights(const Tensor& conv_weight, const Tensor& conv_bias,
                                                const Tensor& bn_running_mean, const Tensor& bn_running_var,
                                                double bn_eps, const Tensor& bn_weight, const Tensor& bn_bias,
                                                bool transpose) {
  const Tensor scale = (bn_weight.defined() ? bn_weight : ones_like(bn_running_mean)) * rsqrt(bn_running_var + bn_eps);
  DimVector shape(static_cast<size_t>(conv_weight.dim()), 1);
  shape[transpose ? 1 : 0] = scale.numel();
  const Tensor shift = conv_bias.defined() ? conv_bias - bn_running_mean : -bn_running_mean;
  const Tensor bias = bn_bias.defined() ? shift * scale + bn_bias : shift * scale;
  return {(conv_weight * scale.reshape(shape)).to(conv_weight.dtype()), bias.to(conv_weight.dtype())};
}

std::tuple<Tensor, Tensor> fuse_linear_bn_weights(const Tensor& linear_weight, const Tensor& linear_bias,
                                                  const Tensor& bn_running_mean, const Tensor& bn_running_var,
                                                  double bn_eps, const Tensor& bn_weight, const Tensor& bn_bias) {
  return fuse_conv_bn_weights(linear_weight, linear_bias, bn_running_mean, bn_running_var, bn_eps, bn_weight, bn_bias);
}

void detail::check_fusable(const Module& layer, const Module& norm, const Tensor& running_mean) {
  STRATA_CHECK(!layer.is_training() && !norm.is_training(), "fuse: both modules must be in evaluation mode");
  STRATA_CHECK(running_mean.defined(), "fuse: {} has no running statistics", norm.name());
}

}  // namespace strata::nn::utils
