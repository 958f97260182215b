// ATen's functions behind layers: composed of Strata's, with what their gradients need beside the result.
#include "compat/parts/native.h"

#include <cmath>
#include <limits>
#include <utility>

#include "compat/parts/aten.h"
#include "compat/parts/pulled.h"
#include "compat/parts/underscore.h"

namespace strata {
namespace {

using detail::by_channel;
using detail::dims_but;
using Three = std::tuple<Tensor, Tensor, Tensor>;

/// In which sums of halves are taken.
DType precise(const Tensor& x) { return x.element_size() < 4 ? kFloat : x.dtype(); }

/// The mean and one over the deviation of `dims`, in `dtype`.
std::tuple<Tensor, Tensor> moments(const Tensor& x, IntArrayRef dims, double eps, bool keepdim, DType dtype) {
  const auto [var, mean] = var_mean(x.to(precise(x)), dims, Scalar(0), keepdim);
  return {mean.to(dtype), (var + eps).rsqrt().to(dtype)};
}

/// Running statistics moved towards those of `n` elements by `momentum`.
void update(OptionalTensorRef running_mean, OptionalTensorRef running_var, const Tensor& mean, const Tensor& var,
            const Tensor& n, double momentum) {
  const NoGradGuard no_grad;
  if (running_mean) running_mean->copy_(*running_mean * (1 - momentum) + mean * momentum);
  if (running_var) running_var->copy_(*running_var * (1 - momentum) + var * (n / (n - 1)) * momentum);
}

/// What the targets that are not `ignore_index` weigh together; 0 where nobody asks.
Tensor weight_of_targets(const Tensor& scores, const Tensor& target, OptionalTensorRef weight, bool is_not_asked,
                         int64_t ignore_index) {
  if (is_not_asked) return zeros({}, scores.options());
  const Tensor counts = target.ne(ignore_index);
  if (!weight) return counts.sum().to(scores.dtype());
  return (weight->detach().take(target.where(counts, 0)) * counts).sum();
}

void check_kernel(const char* name, const Tensor& weight, IntArrayRef kernel_size) {
  TORCH_CHECK(weight.sizes().slice(2) == kernel_size, name, ": expected a weight whose kernel is ", kernel_size,
              ", got one of ", weight.sizes());
}

}  // namespace

Three native_layer_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensorRef weight,
                        OptionalTensorRef bias, double eps) {
  Tensor out = layer_norm(input, normalized_shape, weight, bias, eps);
  std::vector<int64_t> dims;
  for (int64_t d = input.dim() - static_cast<int64_t>(normalized_shape.size()); d < input.dim(); ++d) dims.push_back(d);
  const auto [mean, rstd] = moments(input, dims, eps, true, weight ? weight->dtype() : input.dtype());
  return {std::move(out), mean, rstd};
}

Three native_group_norm(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, int64_t N, int64_t C,
                        int64_t HxW, int64_t group, double eps) {
  TORCH_CHECK(input.numel() == N * C * HxW, "native_group_norm: expected an input of ", N * C * HxW, " elements, got ",
              input.numel());
  Tensor out = group_norm(input, group, weight, bias, eps);
  const auto [mean, rstd] =
      moments(input.reshape({N, group, -1}), 2, eps, false, weight ? weight->dtype() : input.dtype());
  return {std::move(out), mean, rstd};
}

Three native_batch_norm(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias,
                        OptionalTensorRef running_mean, OptionalTensorRef running_var, bool training, double momentum,
                        double eps) {
  Tensor out = batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps);
  if (!training) return {std::move(out), empty({0}, input.options()), empty({0}, input.options())};
  const auto [mean, invstd] = moments(input, dims_but(input, 1), eps, false, precise(input));
  return {std::move(out), mean, invstd};
}
Three _native_batch_norm_legit(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias,
                               Tensor& running_mean, Tensor& running_var, bool training, double momentum, double eps) {
  return native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps);
}
Three _native_batch_norm_legit(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, bool training,
                               double momentum, double eps) {
  return native_batch_norm(input, weight, bias, {}, {}, training, momentum, eps);
}
Three _native_batch_norm_legit_no_training(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias,
                                           const Tensor& running_mean, const Tensor& running_var, double momentum,
                                           double eps) {
  return native_batch_norm(input, weight, bias, running_mean, running_var, false, momentum, eps);
}
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> _native_batch_norm_legit_functional(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, const Tensor& running_mean,
    const Tensor& running_var, bool training, double momentum, double eps) {
  const Tensor new_mean = running_mean.clone(), new_var = running_var.clone();
  const auto [out, mean, invstd] = native_batch_norm(input, weight, bias, new_mean, new_var, training, momentum, eps);
  return {out, mean, invstd, new_mean, new_var};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _batch_norm_with_update(const Tensor& input, OptionalTensorRef weight,
                                                                   OptionalTensorRef bias, Tensor& running_mean,
                                                                   Tensor& running_var, double momentum, double eps) {
  const auto [out, mean, invstd] =
      native_batch_norm(input, weight, bias, running_mean, running_var, true, momentum, eps);
  return {out, mean, invstd, empty({0}, input.options().dtype(kByte))};
}
std::tuple<Tensor, Tensor, Tensor, Tensor> _batch_norm_no_update(const Tensor& input, OptionalTensorRef weight,
                                                                 OptionalTensorRef bias, OptionalTensorRef running_mean,
                                                                 OptionalTensorRef running_var, double momentum,
                                                                 double eps) {
  const auto [out, mean, invstd] =
      native_batch_norm(input, weight, bias, running_mean, running_var, false, momentum, eps);
  return {out, mean, invstd, empty({0}, input.options().dtype(kByte))};
}
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor> _batch_norm_with_update_functional(
    const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, const Tensor& running_mean,
    const Tensor& running_var, double momentum, double eps) {
  Tensor new_mean = running_mean.clone(), new_var = running_var.clone();
  const auto [out, mean, invstd, reserve] =
      _batch_norm_with_update(input, weight, bias, new_mean, new_var, momentum, eps);
  return {out, mean, invstd, reserve, new_mean, new_var};
}

std::tuple<Tensor, Tensor> batch_norm_stats(const Tensor& input, double eps) {
  return moments(input, dims_but(input, 1), eps, false, precise(input));
}
std::tuple<Tensor, Tensor> batch_norm_gather_stats(const Tensor& input, const Tensor& mean, const Tensor& invstd,
                                                   OptionalTensorRef running_mean, OptionalTensorRef running_var,
                                                   double momentum, double eps, int64_t count) {
  const Tensor counts = full({mean.size(0)}, count, mean.options());
  return batch_norm_gather_stats_with_counts(input, mean, invstd, running_mean, running_var, momentum, eps, counts);
}
std::tuple<Tensor, Tensor> batch_norm_gather_stats_with_counts(const Tensor&, const Tensor& mean, const Tensor& invstd,
                                                               OptionalTensorRef running_mean,
                                                               OptionalTensorRef running_var, double momentum,
                                                               double eps, const Tensor& counts) {
  const Tensor all = counts.sum().to(mean.dtype()), share = counts.to(mean.dtype()).unsqueeze(1) / all;
  const Tensor center = (mean * share).sum(0);
  const Tensor var = ((invstd.pow(-2) - eps + (mean - center).square()) * share).sum(0);
  update(running_mean, running_var, center, var, all, momentum);
  return {center, (var + eps).rsqrt()};
}
Tensor batch_norm_elemt(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, const Tensor& mean,
                        const Tensor& invstd, double) {
  const int64_t dims = input.dim();
  Tensor out = (input - by_channel(mean, dims)) * by_channel(invstd, dims);
  if (weight) out = out * by_channel(*weight, dims);
  if (bias) out = out + by_channel(*bias, dims);
  return out.to(input.dtype());
}
std::tuple<Tensor, Tensor> batch_norm_update_stats(const Tensor& input, OptionalTensorRef running_mean,
                                                   OptionalTensorRef running_var, double momentum) {
  const auto found = var_mean(input.to(precise(input)), dims_but(input, 1), Scalar(0));
  const Tensor& var = std::get<0>(found);
  const Tensor& mean = std::get<1>(found);
  const Tensor n = full({}, input.numel() / input.size(1), mean.options());
  update(running_mean, running_var, mean, var, n, momentum);
  return {mean, var};
}

std::tuple<Tensor, Tensor> _fused_rms_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensorRef weight,
                                           std::optional<double> eps) {
  std::vector<int64_t> dims;
  for (size_t i = 1; i <= normalized_shape.size(); ++i) dims.push_back(-static_cast<int64_t>(i));
  const double least =
      input.dtype() == kDouble ? std::numeric_limits<double>::epsilon() : double{std::numeric_limits<float>::epsilon()};
  const Tensor rstd = (input.to(precise(input)).square().mean(dims, true) + eps.value_or(least)).rsqrt();
  return {rms_norm(input, normalized_shape, weight, eps), rstd};
}

std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  if (!train.value_or(true)) return {input.clone(), ones_like(input, kBool)};
  const Tensor mask = empty_like(input, kBool).bernoulli_(1 - p);
  return {input * mask * (p == 1 ? 0 : 1 / (1 - p)), mask};
}
std::tuple<Tensor, Tensor> _fused_dropout(const Tensor& self, double p, OptionalGenerator generator) {
  TORCH_CHECK(p > 0 && p <= 1, "_fused_dropout: expected a share from (0, 1], got ", p);
  const Tensor mask = empty_like(self, kByte).bernoulli_(p, generator);
  return {self * mask * (1 / p), mask};
}
std::tuple<Tensor, Tensor> _scaled_dot_product_attention_math(const Tensor& query, const Tensor& key,
                                                              const Tensor& value, OptionalTensorRef attn_mask,
                                                              double dropout_p, bool is_causal,
                                                              OptionalTensorRef dropout_mask,
                                                              std::optional<double> scale, bool enable_gqa) {
  TORCH_CHECK(!is_causal || !attn_mask,
              "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
  const auto of_group = [&](const Tensor& x) {
    return enable_gqa ? x.repeat_interleave(query.size(-3) / x.size(-3), -3) : x;
  };
  Tensor scores = matmul(query * factor, of_group(key).transpose(-2, -1));
  const Tensor taken = is_causal
                           ? ones(scores.sizes().slice(scores.sizes().size() - 2), kBool).tril().to(query.device())
                       : attn_mask ? *attn_mask
                                   : Tensor();
  if (taken.defined() && taken.dtype() == kBool)
    scores = scores.masked_fill(taken.logical_not(), -std::numeric_limits<double>::infinity());
  else if (taken.defined())
    scores = scores + taken;
  const Tensor weights = _safe_softmax(scores, -1);
  if (dropout_p == 0) return {matmul(weights, of_group(value)), weights};
  const Tensor kept =
      dropout_mask ? weights * dropout_mask->to(weights.dtype()) / (1 - dropout_p) : dropout(weights, dropout_p);
  return {matmul(kept, of_group(value)), kept};
}
Tensor native_norm(const Tensor& self, const Scalar& p) { return norm(self, p); }
Tensor native_norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                   std::optional<DType> dtype) {
  return dtype ? norm(self, p, dim, keepdim, *dtype) : norm(self, p, dim, keepdim);
}

Tensor _weight_norm(const Tensor& v, const Tensor& g, int64_t dim) { return v * (g / norm_except_dim(v, 2, dim)); }
std::tuple<Tensor, Tensor> _weight_norm_interface(const Tensor& v, const Tensor& g, int64_t dim) {
  const Tensor norms = norm_except_dim(v, 2, dim);
  return {v * (g / norms), norms};
}

Tensor rrelu_with_noise(const Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper, bool training,
                        OptionalGenerator generator) {
  const double low = lower.toDouble(), high = upper.toDouble();
  TORCH_CHECK(self.sizes() == noise.sizes(),
              "noise tensor shape must match self tensor shape. Got self.shape = ", self.sizes(),
              " noise.shape = ", noise.sizes());
  TORCH_CHECK(low <= high, "Lower bound should be less than or equal to the upper bound");
  if (!training) return leaky_relu(self, (low + high) / 2);
  const Tensor slopes = empty_like(self.detach()).uniform_(low, high, generator);
  noise.copy_(where(self.detach().le(0), slopes, 1).to(noise.dtype()));
  return self * noise.clone();
}
Tensor& rrelu_with_noise_(Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper, bool training,
                          OptionalGenerator generator) {
  return self.copy_(rrelu_with_noise(self, noise, lower, upper, training, generator)), self;
}
std::tuple<Tensor, Tensor> rrelu_with_noise_functional(const Tensor& self, const Tensor& noise, const Scalar& lower,
                                                       const Scalar& upper, bool training,
                                                       OptionalGenerator generator) {
  Tensor drawn = noise.clone();
  Tensor out = rrelu_with_noise(self, drawn, lower, upper, training, generator);
  return {std::move(out), std::move(drawn)};
}

std::tuple<Tensor, Tensor> nll_loss_forward(const Tensor& self, const Tensor& target, OptionalTensorRef weight,
                                            int64_t reduction, int64_t ignore_index) {
  return {nll_loss(self, target, weight, reduction, ignore_index),
          weight_of_targets(self, target, weight, reduction == Reduction::None && self.dim() == 2, ignore_index)};
}
std::tuple<Tensor, Tensor> nll_loss2d_forward(const Tensor& self, const Tensor& target, OptionalTensorRef weight,
                                              int64_t reduction, int64_t ignore_index) {
  return {nll_loss2d(self, target, weight, reduction, ignore_index),
          weight_of_targets(self, target, weight, reduction == Reduction::None, ignore_index)};
}
std::tuple<Tensor, Tensor> multilabel_margin_loss_forward(const Tensor& self, const Tensor& target, int64_t reduction) {
  const Tensor before_the_end = target.lt(0).cumsum(-1).eq(0).to(self.dtype());
  const Tensor named = zeros(target.sizes(), self.options()).scatter_add(-1, target.clamp_min(0), before_the_end);
  return {multilabel_margin_loss(self, target, reduction), named.gt(0).to(self.dtype())};
}
std::tuple<Tensor, Tensor> log_sigmoid_forward(const Tensor& self) {
  return {log_sigmoid(self), self.detach().abs().neg().exp()};
}

Tensor _convolution(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                    IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                    int64_t groups, bool, bool, bool, bool) {
  return convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}
Tensor _convolution_mode(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                         std::string_view padding, IntArrayRef dilation, int64_t groups) {
  return detail::conv_named(weight.dim() - 2, input, weight, bias, stride, padding, dilation, groups);
}
Tensor thnn_conv2d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                   IntArrayRef stride, IntArrayRef padding) {
  check_kernel("thnn_conv2d", weight, kernel_size);
  return conv2d(self, weight, bias, stride, padding);
}
Tensor slow_conv3d_forward(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                           IntArrayRef stride, IntArrayRef padding) {
  return slow_conv3d(self, weight, kernel_size, bias, stride, padding);
}
Tensor slow_conv3d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                   IntArrayRef stride, IntArrayRef padding) {
  check_kernel("slow_conv3d", weight, kernel_size);
  return conv3d(self, weight, bias, stride, padding);
}
Tensor slow_conv_dilated2d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                           IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {
  check_kernel("slow_conv_dilated2d", weight, kernel_size);
  return conv2d(self, weight, bias, stride, padding, dilation);
}
Tensor slow_conv_dilated3d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                           IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {
  check_kernel("slow_conv_dilated3d", weight, kernel_size);
  return conv3d(self, weight, bias, stride, padding, dilation);
}
Tensor slow_conv_transpose2d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                             IntArrayRef stride, IntArrayRef padding, IntArrayRef output_padding,
                             IntArrayRef dilation) {
  check_kernel("slow_conv_transpose2d", weight, kernel_size);
  return conv_transpose2d(self, weight, bias, stride, padding, output_padding, 1, dilation);
}
Tensor slow_conv_transpose3d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                             IntArrayRef stride, IntArrayRef padding, IntArrayRef output_padding,
                             IntArrayRef dilation) {
  check_kernel("slow_conv_transpose3d", weight, kernel_size);
  return conv_transpose3d(self, weight, bias, stride, padding, output_padding, 1, dilation);
}
Tensor _conv_depthwise2d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                         IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {
  check_kernel("_conv_depthwise2d", weight, kernel_size);
  return conv2d(self, weight, bias, stride, padding, dilation, self.size(-3));
}
Tensor conv_depthwise3d(const Tensor& self, const Tensor& weight, IntArrayRef kernel_size, OptionalTensorRef bias,
                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {
  check_kernel("conv_depthwise3d", weight, kernel_size);
  return conv3d(self, weight, bias, stride, padding, dilation, self.size(-4));
}

}  // namespace strata
