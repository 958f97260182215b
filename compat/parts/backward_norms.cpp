// The gradients of normalizations, convolutions and products.
#include "compat/parts/aten.h"
#include "compat/parts/backward.h"
#include "compat/parts/native.h"
#include "compat/parts/pulled.h"

namespace strata {
namespace {

using detail::by_channel;
using detail::dims_but;
using detail::pulled;
using detail::where_asked;

/// The gradient of `(x - mean) * rstd` with the mean and the deviation of `dims` of x, where `grad` is the result's and
/// `normal` the result.
Tensor of_normal(const Tensor& grad, const Tensor& normal, const Tensor& rstd, IntArrayRef dims) {
  return rstd * (grad - grad.mean(dims, true) - normal * (grad * normal).mean(dims, true));
}

/// The factor `weight`, of `shape`, or 1.
Tensor scaled(const Tensor& grad, OptionalTensorRef weight, IntArrayRef shape) {
  return weight ? grad * weight->reshape(shape) : grad;
}

/// Dims from `first` on, or those before it.
std::vector<int64_t> dims_from(int64_t first, int64_t end) {
  std::vector<int64_t> dims;
  for (int64_t d = first; d < end; ++d) dims.push_back(d);
  return dims;
}

/// The sum over `dims`; x itself where there are none.
Tensor summed(const Tensor& x, IntArrayRef dims) { return dims.empty() ? x : x.sum(dims); }

}  // namespace

std::tuple<Tensor, Tensor, Tensor> native_layer_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                              IntArrayRef normalized_shape, const Tensor& mean,
                                                              const Tensor& rstd, OptionalTensorRef weight,
                                                              OptionalTensorRef, std::array<bool, 3> output_mask) {
  const int64_t first = input.dim() - static_cast<int64_t>(normalized_shape.size());
  const std::vector<int64_t> inner = dims_from(first, input.dim()), outer = dims_from(0, first);
  const Tensor normal = (input - mean) * rstd;
  return {where_asked(output_mask[0],
                      [&] {
                        const Tensor grad = scaled(grad_out, weight, normalized_shape);
                        return of_normal(grad, normal, rstd, inner).to(input.dtype());
                      }),
          where_asked(output_mask[1] && weight, [&] { return summed(grad_out * normal, outer).to(weight->dtype()); }),
          where_asked(output_mask[2], [&] { return summed(grad_out, outer); })};
}

std::tuple<Tensor, Tensor, Tensor> native_group_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                              const Tensor& mean, const Tensor& rstd,
                                                              OptionalTensorRef weight, int64_t N, int64_t C,
                                                              int64_t HxW, int64_t group,
                                                              std::array<bool, 3> output_mask) {
  const std::vector<int64_t> grouped{N, group, C / group, HxW};
  const Tensor spread = rstd.view({N, group, 1, 1}), grad = grad_out.reshape(grouped);
  const Tensor normal = (input.reshape(grouped) - mean.view({N, group, 1, 1})) * spread;
  return {where_asked(output_mask[0],
                      [&] {
                        const Tensor inner = scaled(grad, weight, {1, group, C / group, 1});
                        return of_normal(inner, normal, spread, {2, 3}).reshape(input.sizes()).to(input.dtype());
                      }),
          where_asked(output_mask[1],
                      [&] {
                        return (grad * normal).sum({0, 3}).reshape({C}).to(grad_out.dtype());
                      }),
          where_asked(output_mask[2], [&] {
            return grad.sum({0, 3}).reshape({C});
          })};
}

std::tuple<Tensor, Tensor, Tensor> native_batch_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                              OptionalTensorRef weight, OptionalTensorRef running_mean,
                                                              OptionalTensorRef running_var,
                                                              OptionalTensorRef save_mean,
                                                              OptionalTensorRef save_invstd, bool train, double eps,
                                                              std::array<bool, 3> output_mask) {
  const int64_t dims = input.dim();
  const std::vector<int64_t> all = dims_but(input, 1);
  const Tensor mean = by_channel(train ? *save_mean : *running_mean, dims);
  const Tensor invstd = by_channel(train ? *save_invstd : (*running_var + eps).rsqrt(), dims);
  const Tensor normal = (input - mean) * invstd;
  return {where_asked(output_mask[0],
                      [&] {
                        const Tensor grad = weight ? grad_out * by_channel(*weight, dims) : grad_out;
                        return (train ? of_normal(grad, normal, invstd, all) : grad * invstd).to(input.dtype());
                      }),
          where_asked(output_mask[1], [&] { return (grad_out * normal).sum(all); }),
          where_asked(output_mask[2], [&] { return grad_out.sum(all); })};
}

std::tuple<Tensor, Tensor, Tensor> batch_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                       const Tensor& weight, OptionalTensorRef running_mean,
                                                       OptionalTensorRef running_var, OptionalTensorRef save_mean,
                                                       OptionalTensorRef save_var, bool update, double eps,
                                                       std::array<bool, 3> output_mask, const Tensor&) {
  return native_batch_norm_backward(grad_out, input, weight, running_mean, running_var, save_mean, save_var, update,
                                    eps, output_mask);
}

std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& grad_output, const Tensor& input,
                                                        const Tensor& weight, OptionalIntArrayRef bias_sizes,
                                                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                                        bool transposed, IntArrayRef output_padding, int64_t groups,
                                                        std::array<bool, 3> output_mask) {
  const auto convolved = [&](const Tensor& x, const Tensor& w) {
    return convolution(x, w, {}, stride, padding, dilation, transposed, output_padding, groups);
  };
  return {
      where_asked(output_mask[0],
                  [&] { return pulled(grad_output, input, [&](const Tensor& x) { return convolved(x, weight); }); }),
      where_asked(output_mask[1],
                  [&] { return pulled(grad_output, weight, [&](const Tensor& w) { return convolved(input, w); }); }),
      where_asked(output_mask[2], [&] {
        const Tensor sum = grad_output.sum(dims_but(grad_output, grad_output.dim() - input.dim() + 1));
        return bias_sizes ? sum.view(*bias_sizes) : sum;
      })};
}
std::tuple<Tensor, Tensor, Tensor> conv_tbc_backward(const Tensor& self, const Tensor& input, const Tensor& weight,
                                                     const Tensor& bias, int64_t pad) {
  return func::vjp([&](const Tensor& x, const Tensor& w, const Tensor& b) { return conv_tbc(x, w, b, pad); }, input,
                   weight, bias)
      .second(self);
}

std::tuple<Tensor, Tensor, Tensor> linear_backward(const Tensor& self, const Tensor& grad_output, const Tensor& weight,
                                                   std::array<bool, 3> output_mask) {
  const Tensor grad = grad_output.reshape({-1, grad_output.size(-1)});
  return {where_asked(output_mask[0], [&] { return matmul(grad_output, weight); }),
          where_asked(output_mask[1],
                      [&] {
                        return mm(grad.t(), self.reshape({-1, self.size(-1)}));
                      }),
          where_asked(output_mask[2], [&] { return grad.sum(0); })};
}
std::tuple<Tensor, Tensor> matmul_backward(const Tensor& grad, const Tensor& self, const Tensor& other,
                                           std::array<bool, 2> mask) {
  return {where_asked(mask[0], [&] { return pulled(grad, self, [&](const Tensor& x) { return matmul(x, other); }); }),
          where_asked(mask[1], [&] { return pulled(grad, other, [&](const Tensor& x) { return matmul(self, x); }); })};
}

std::tuple<Tensor, Tensor> _weight_norm_interface_backward(const Tensor& grad_w, const Tensor& saved_v,
                                                           const Tensor& saved_g, const Tensor&, int64_t dim) {
  return func::vjp([&](const Tensor& v, const Tensor& g) { return _weight_norm(v, g, dim); }, saved_v, saved_g)
      .second(grad_w);
}
std::tuple<Tensor, Tensor> _weight_norm_differentiable_backward(const Tensor& grad_w, const Tensor& saved_v,
                                                                const Tensor& saved_g, const Tensor& saved_norms,
                                                                int64_t dim) {
  return _weight_norm_interface_backward(grad_w, saved_v, saved_g, saved_norms, dim);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> batch_norm_backward_reduce(const Tensor& grad_out, const Tensor& input,
                                                                      const Tensor& mean, const Tensor& invstd,
                                                                      OptionalTensorRef weight, bool input_g,
                                                                      bool weight_g, bool bias_g) {
  const std::vector<int64_t> all = dims_but(input, 1);
  Tensor sum = grad_out.sum(all);
  Tensor with_input = (grad_out * (input - by_channel(mean, input.dim()))).sum(all);
  return {where_asked(input_g, [&] { return sum; }), where_asked(input_g, [&] { return with_input; }),
          where_asked(weight_g && weight, [&] { return (with_input * invstd).to(weight->dtype()); }),
          where_asked(bias_g, [&] { return sum.to(weight ? weight->dtype() : sum.dtype()); })};
}
Tensor batch_norm_backward_elemt(const Tensor& grad_out, const Tensor& input, const Tensor& mean, const Tensor& invstd,
                                 OptionalTensorRef weight, const Tensor& sum_dy, const Tensor& sum_dy_xmu,
                                 const Tensor& count) {
  const int64_t dims = input.dim();
  const Tensor n = count.sum().to(sum_dy.dtype());
  const Tensor factor = weight ? invstd * *weight : invstd;
  const Tensor slope = by_channel(invstd * invstd * (sum_dy_xmu / n), dims);
  const Tensor centered = grad_out - by_channel(sum_dy / n, dims) - (input - by_channel(mean, dims)) * slope;
  return (centered * by_channel(factor, dims)).to(input.dtype());
}

}  // namespace strata
