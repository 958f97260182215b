// The gradients of activations, dropout and softmax.
#include <utility>

#include "compat/parts/aten.h"
#include "compat/parts/backward.h"
#include "compat/parts/pulled.h"

namespace strata {
namespace {

using detail::pulled;
using detail::pulled_each;

/// `grad` where not `gone`, else 0.
Tensor kept(const Tensor& grad, const Tensor& gone) { return where(gone, 0, grad).to(grad.dtype()); }

}  // namespace

Tensor sigmoid_backward(const Tensor& grad_output, const Tensor& output) {
  return grad_output * ((1 - output) * output).conj();
}
Tensor tanh_backward(const Tensor& grad_output, const Tensor& output) {
  return grad_output * (1 - output * output).conj();
}
Tensor threshold_backward(const Tensor& grad_output, const Tensor& self, const Scalar& threshold) {
  return kept(grad_output, self.le(threshold));
}
Tensor gelu_backward(const Tensor& grad_output, const Tensor& self, std::string_view approximate) {
  return pulled_each(grad_output, self, [&](const Tensor& x) { return gelu(x, approximate); });
}
Tensor infinitely_differentiable_gelu_backward(const Tensor& grad, const Tensor& self) {
  return gelu_backward(grad, self);
}
Tensor silu_backward(const Tensor& grad_output, const Tensor& self) {
  return pulled_each(grad_output, self, [](const Tensor& x) { return silu(x); });
}
Tensor mish_backward(const Tensor& grad_output, const Tensor& self) {
  return pulled_each(grad_output, self, [](const Tensor& x) { return mish(x); });
}
Tensor elu_backward(const Tensor& grad_output, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                    bool is_result, const Tensor& self_or_result) {
  if (!is_result)
    return pulled_each(grad_output, self_or_result, [&](const Tensor& x) { return elu(x, alpha, scale, input_scale); });
  TORCH_CHECK(alpha.toDouble() >= 0,
              "In-place elu backward calculation is triggered with a negative slope which is not supported. This is "
              "caused by calling in-place forward function with a negative slope, please call out-of-place version "
              "instead.");
  const double below = alpha.toDouble() * scale.toDouble();
  const Tensor slope = (self_or_result + below) * input_scale;
  return grad_output * where(self_or_result.le(0), slope, scale.toDouble()).to(grad_output.dtype());
}
Tensor leaky_relu_backward(const Tensor& grad_output, const Tensor& self, const Scalar& negative_slope,
                           bool self_is_result) {
  TORCH_CHECK(!self_is_result || negative_slope.toDouble() >= 0,
              "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This "
              "is caused by calling in-place forward function with a negative slope, please call out-of-place version "
              "instead. File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place "
              "leakRelu backward calculation with negative slope");
  return where(self.gt(0), grad_output, grad_output * negative_slope);
}
Tensor softplus_backward(const Tensor& grad_output, const Tensor& self, const Scalar& beta, const Scalar& threshold) {
  return pulled_each(grad_output, self, [&](const Tensor& x) { return softplus(x, beta, threshold); });
}
Tensor hardtanh_backward(const Tensor& grad_output, const Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  return kept(grad_output, self.le(min_val).logical_or(self.ge(max_val)));
}
Tensor hardswish_backward(const Tensor& grad_output, const Tensor& self) {
  return pulled_each(grad_output, self, [](const Tensor& x) { return hardswish(x); });
}
Tensor hardsigmoid_backward(const Tensor& grad_output, const Tensor& self) {
  return pulled_each(grad_output, self, [](const Tensor& x) { return hardsigmoid(x); });
}
Tensor log_sigmoid_backward(const Tensor& grad_output, const Tensor& self, const Tensor&) {
  return pulled_each(grad_output, self, [](const Tensor& x) { return log_sigmoid(x); });
}
Tensor logit_backward(const Tensor& grad_output, const Tensor& self, std::optional<double> eps) {
  return pulled_each(grad_output, self, [&](const Tensor& x) { return logit(x, eps); });
}
Tensor softshrink_backward(const Tensor& grad_output, const Tensor& self, const Scalar& lambd) {
  return kept(grad_output, self.ge(-lambd.toDouble()).logical_and(self.le(lambd)));
}
Tensor hardshrink_backward(const Tensor& grad_out, const Tensor& self, const Scalar& lambd) {
  return softshrink_backward(grad_out, self, lambd);
}
Tensor glu_backward(const Tensor& grad_output, const Tensor& self, int64_t dim) {
  return pulled(grad_output, self, [&](const Tensor& x) { return glu(x, dim); });
}
Tensor glu_jvp(const Tensor&, const Tensor& x, const Tensor& dx, int64_t dim) {
  return func::jvp([&](const Tensor& at) { return glu(at, dim); }, x, dx).second;
}
Tensor glu_backward_jvp(const Tensor&, const Tensor& grad_glu, const Tensor& x, const Tensor& dgrad_glu,
                        const Tensor& dx, int64_t dim) {
  const auto backward = [&](const Tensor& grad, const Tensor& at) { return glu_backward(grad, at, dim); };
  return func::jvp(backward, std::tuple(grad_glu, x), std::tuple(dgrad_glu, dx)).second;
}
Tensor rrelu_with_noise_backward(const Tensor& grad_output, const Tensor& self, const Tensor& noise,
                                 const Scalar& lower, const Scalar& upper, bool training, bool self_is_result) {
  const double low = lower.toDouble(), high = upper.toDouble();
  if (training && high - low > 1e-6) return grad_output * noise;
  return leaky_relu_backward(grad_output, self, (low + high) / 2, self_is_result);
}
std::tuple<Tensor, Tensor> _prelu_kernel_backward(const Tensor& grad_output, const Tensor& self, const Tensor& weight) {
  const Tensor above = self.gt(0);
  return {where(above, grad_output, weight * grad_output), where(above, 0, self * grad_output).to(self.dtype())};
}
Tensor _softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim, DType input_dtype) {
  const Tensor scaled = grad_output * output;
  return (scaled - output * scaled.sum(dim, true)).to(input_dtype);
}
Tensor _log_softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim, DType input_dtype) {
  return (grad_output - output.exp() * grad_output.sum(dim, true)).to(input_dtype);
}
Tensor _masked_softmax_backward(const Tensor& grad_output, const Tensor& output, const Tensor& mask,
                                std::optional<int64_t> dim) {
  const Tensor open = grad_output.masked_fill(mask, 0);
  return _softmax_backward_data(open, output, dim.value_or(-1), grad_output.dtype());
}
Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale) {
  return grad_output * mask * scale;
}

}  // namespace strata
