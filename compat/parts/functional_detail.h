// torch::nn::functional::detail: functionals with their options one by one, as libtorch's own modules call them.
#pragma once
#include <strata/strata.h>

#include <optional>

namespace strata::nn::functional::detail {

inline Tensor embedding(const Tensor& input, const Tensor& weight, std::optional<int64_t> padding_idx,
                        std::optional<double> max_norm, double norm_type, bool scale_grad_by_freq, bool sparse) {
  return functional::embedding(input, weight,
                               EmbeddingFuncOptions()
                                   .padding_idx(padding_idx)
                                   .max_norm(max_norm)
                                   .norm_type(norm_type)
                                   .scale_grad_by_freq(scale_grad_by_freq)
                                   .sparse(sparse));
}
inline Tensor dropout(const Tensor& input, double p, bool training, bool inplace) {
  return functional::dropout(input, DropoutFuncOptions().p(p).training(training).inplace(inplace));
}
inline Tensor dropout2d(const Tensor& input, double p, bool training, bool inplace) {
  return functional::dropout2d(input, Dropout2dFuncOptions().p(p).training(training).inplace(inplace));
}
inline Tensor dropout3d(const Tensor& input, double p, bool training, bool inplace) {
  return functional::dropout3d(input, Dropout3dFuncOptions().p(p).training(training).inplace(inplace));
}
inline Tensor alpha_dropout(const Tensor& input, double p, bool training, bool inplace) {
  return functional::alpha_dropout(input, AlphaDropoutFuncOptions().p(p).training(training).inplace(inplace));
}
inline Tensor feature_alpha_dropout(const Tensor& input, double p, bool training, bool inplace) {
  return functional::feature_alpha_dropout(input,
                                           FeatureAlphaDropoutFuncOptions().p(p).training(training).inplace(inplace));
}
inline Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var, Tensor weight,
                         Tensor bias, bool training, std::optional<double> momentum, double eps) {
  return functional::batch_norm(input, running_mean, running_var, weight, bias, training, momentum.value_or(0), eps);
}
inline Tensor layer_norm(const Tensor& input, const std::vector<int64_t>& normalized_shape, const Tensor& weight,
                         const Tensor& bias, double eps) {
  return functional::layer_norm(input, normalized_shape, weight, bias, eps);
}
inline Tensor group_norm(const Tensor& input, int64_t num_groups, const Tensor& weight, const Tensor& bias,
                         double eps) {
  return functional::group_norm(input, num_groups, weight, bias, eps);
}
inline Tensor normalize(const Tensor& input, double p, int64_t dim, double eps, const std::optional<Tensor>& out) {
  return functional::normalize(input, NormalizeFuncOptions().p(p).dim(dim).eps(eps).out(out));
}
inline Tensor pad(const Tensor& input, IntArrayRef pad, Choice mode, double value) {
  return functional::pad(input, PadFuncOptions(pad.vec()).mode(mode).value(value));
}
inline Tensor mse_loss(const Tensor& input, const Tensor& target, Choice reduction) {
  return functional::mse_loss(input, target, MSELossFuncOptions(reduction));
}
inline Tensor cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight, int64_t ignore_index,
                            Choice reduction, double label_smoothing) {
  return functional::cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing);
}

}  // namespace strata::nn::functional::detail
