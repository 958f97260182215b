// nn::functional with plain arguments as in PyTorch, beside the forms with option structs; in the order of libtorch.
#pragma once
#include <concepts>

#include "../ops/attention.h"
#include "activation.h"
#include "distance.h"
#include "dropout.h"
#include "embedding.h"
#include "embedding_bag.h"
#include "norm.h"
#include "structured_loss.h"

namespace strata::nn::functional {

using strata::scaled_dot_product_attention;

/// A number, and nothing that braces could become: `elu(x, {})` stays a call with options.
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <class T>
concept IsTensor = std::is_same_v<T, Tensor>;

template <Number T>
Tensor elu(Tensor input, T alpha, bool inplace = false) {
  return elu(std::move(input), ELUFuncOptions().alpha(static_cast<double>(alpha)).inplace(inplace));
}
template <Number T>
Tensor celu(Tensor input, T alpha, bool inplace = false) {
  return celu(std::move(input), CELUFuncOptions().alpha(static_cast<double>(alpha)).inplace(inplace));
}
template <Number T>
Tensor leaky_relu(Tensor input, T negative_slope, bool inplace = false) {
  return leaky_relu(std::move(input),
                    LeakyReLUFuncOptions().negative_slope(static_cast<double>(negative_slope)).inplace(inplace));
}
template <Number T>
Tensor hardtanh(Tensor input, T min_val, double max_val = 1.0, bool inplace = false) {
  return hardtanh(std::move(input),
                  HardtanhFuncOptions().min_val(static_cast<double>(min_val)).max_val(max_val).inplace(inplace));
}
template <Number T>
Tensor softplus(Tensor input, T beta, double threshold = 20.0) {
  return softplus(std::move(input), SoftplusFuncOptions().beta(static_cast<double>(beta)).threshold(threshold));
}
template <Number T>
Tensor threshold(Tensor input, T threshold_value, double value, bool inplace = false) {
  return threshold(std::move(input),
                   ThresholdFuncOptions(static_cast<double>(threshold_value), value).inplace(inplace));
}
template <Number T>
Tensor rrelu(Tensor input, T lower, double upper = 1.0 / 3.0, bool training = false, bool inplace = false) {
  return rrelu(std::move(input),
               RReLUFuncOptions().lower(static_cast<double>(lower)).upper(upper).training(training).inplace(inplace));
}
inline Tensor gelu(Tensor input, const char* approximate) {
  return gelu(std::move(input), GELUFuncOptions().approximate(approximate));
}
template <Number T>
Tensor gumbel_softmax(const Tensor& logits, T tau, bool hard = false, int dim = -1) {
  return gumbel_softmax(logits, GumbelSoftmaxFuncOptions().tau(static_cast<double>(tau)).hard(hard).dim(dim));
}

template <Number T>
Tensor dropout(Tensor input, T p, bool training = true, bool inplace = false) {
  return dropout(std::move(input), DropoutFuncOptions().p(static_cast<double>(p)).training(training).inplace(inplace));
}
template <Number T>
Tensor dropout2d(Tensor input, T p, bool training = true, bool inplace = false) {
  return dropout2d(std::move(input),
                   Dropout2dFuncOptions().p(static_cast<double>(p)).training(training).inplace(inplace));
}
template <Number T>
Tensor dropout3d(Tensor input, T p, bool training = true, bool inplace = false) {
  return dropout3d(std::move(input),
                   Dropout3dFuncOptions().p(static_cast<double>(p)).training(training).inplace(inplace));
}
template <Number T>
Tensor alpha_dropout(Tensor input, T p, bool training = false, bool inplace = false) {
  return alpha_dropout(std::move(input),
                       AlphaDropoutFuncOptions().p(static_cast<double>(p)).training(training).inplace(inplace));
}
template <Number T>
Tensor feature_alpha_dropout(Tensor input, T p, bool training = false, bool inplace = false) {
  return feature_alpha_dropout(
      std::move(input), FeatureAlphaDropoutFuncOptions().p(static_cast<double>(p)).training(training).inplace(inplace));
}

template <Number T>
Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, T dim, double eps = 1e-8) {
  return cosine_similarity(x1, x2, CosineSimilarityFuncOptions().dim(static_cast<int64_t>(dim)).eps(eps));
}
template <Number T>
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, T p, double eps = 1e-6, bool keepdim = false) {
  return pairwise_distance(x1, x2, PairwiseDistanceFuncOptions().p(static_cast<double>(p)).eps(eps).keepdim(keepdim));
}

template <Number T>
Tensor embedding(const Tensor& input, const Tensor& weight, T padding_idx,
                 std::optional<double> max_norm = std::nullopt, double norm_type = 2.0, bool scale_grad_by_freq = false,
                 bool sparse = false) {
  return embedding(input, weight,
                   EmbeddingFuncOptions()
                       .padding_idx(static_cast<int64_t>(padding_idx))
                       .max_norm(max_norm)
                       .norm_type(norm_type)
                       .scale_grad_by_freq(scale_grad_by_freq)
                       .sparse(sparse));
}
template <IsTensor T>
Tensor embedding_bag(const Tensor& input, const Tensor& weight, const T& offsets,
                     std::optional<double> max_norm = std::nullopt, double norm_type = 2.0,
                     bool scale_grad_by_freq = false, Choice mode = kMean, bool sparse = false,
                     const Tensor& per_sample_weights = {}, bool include_last_offset = false,
                     std::optional<int64_t> padding_idx = std::nullopt) {
  return embedding_bag(input, weight,
                       EmbeddingBagFuncOptions()
                           .offsets(offsets)
                           .max_norm(max_norm)
                           .norm_type(norm_type)
                           .scale_grad_by_freq(scale_grad_by_freq)
                           .mode(mode)
                           .sparse(sparse)
                           .per_sample_weights(per_sample_weights)
                           .include_last_offset(include_last_offset)
                           .padding_idx(padding_idx));
}

template <IsTensor T>
Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var, const T& weight,
                  const Tensor& bias = {}, bool training = false, double momentum = 0.1, double eps = 1e-5) {
  return batch_norm(input, running_mean, running_var,
                    BatchNormFuncOptions().weight(weight).bias(bias).training(training).momentum(momentum).eps(eps));
}
template <IsTensor T>
Tensor instance_norm(const Tensor& input, const T& running_mean, const Tensor& running_var = {},
                     const Tensor& weight = {}, const Tensor& bias = {}, bool use_input_stats = true,
                     double momentum = 0.1, double eps = 1e-5) {
  return instance_norm(input, InstanceNormFuncOptions()
                                  .running_mean(running_mean)
                                  .running_var(running_var)
                                  .weight(weight)
                                  .bias(bias)
                                  .use_input_stats(use_input_stats)
                                  .momentum(momentum)
                                  .eps(eps));
}
template <IsTensor T>
Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, const T& weight, const Tensor& bias = {},
                  double eps = 1e-5) {
  return layer_norm(input, LayerNormFuncOptions(normalized_shape.vec()).weight(weight).bias(bias).eps(eps));
}
template <IsTensor T>
Tensor group_norm(const Tensor& input, int64_t num_groups, const T& weight, const Tensor& bias = {},
                  double eps = 1e-5) {
  return group_norm(input, GroupNormFuncOptions(num_groups).weight(weight).bias(bias).eps(eps));
}
template <Number T>
Tensor normalize(const Tensor& input, T p, int64_t dim = 1, double eps = 1e-12) {
  return normalize(input, NormalizeFuncOptions().p(static_cast<double>(p)).dim(dim).eps(eps));
}

inline Tensor kl_div(const Tensor& input, const Tensor& target, Choice reduction, bool log_target) {
  return kl_div(input, target, KLDivFuncOptions(reduction).log_target(log_target));
}
inline Tensor huber_loss(const Tensor& input, const Tensor& target, Choice reduction, double delta) {
  return huber_loss(input, target, HuberLossFuncOptions(reduction).delta(delta));
}
template <Number T>
Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target, T margin, Choice reduction = kMean) {
  return hinge_embedding_loss(input, target,
                              HingeEmbeddingLossFuncOptions().margin(static_cast<double>(margin)).reduction(reduction));
}
template <std::same_as<bool> B>
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, B log_input, bool full = false, double eps = 1e-8,
                        Choice reduction = kMean) {
  return poisson_nll_loss(input, target,
                          PoissonNLLLossFuncOptions().log_input(log_input).full(full).eps(eps).reduction(reduction));
}
template <Number T>
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, T margin,
                           Choice reduction = kMean) {
  return margin_ranking_loss(input1, input2, target,
                             MarginRankingLossFuncOptions().margin(static_cast<double>(margin)).reduction(reduction));
}
template <Number T>
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, T margin,
                             Choice reduction = kMean) {
  return cosine_embedding_loss(
      input1, input2, target,
      CosineEmbeddingLossFuncOptions().margin(static_cast<double>(margin)).reduction(reduction));
}
template <Number T>
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, T margin,
                           double p = 2.0, double eps = 1e-6, bool swap = false, Choice reduction = kMean) {
  return triplet_margin_loss(
      anchor, positive, negative,
      TripletMarginLossFuncOptions().margin(static_cast<double>(margin)).p(p).eps(eps).swap(swap).reduction(reduction));
}
template <IsTensor T>
Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const T& weight, Choice reduction = kMean) {
  return binary_cross_entropy(input, target, BinaryCrossEntropyFuncOptions().weight(weight).reduction(reduction));
}
template <IsTensor T>
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target, const T& weight,
                                        Choice reduction = kMean, const Tensor& pos_weight = {}) {
  return binary_cross_entropy_with_logits(
      input, target,
      BinaryCrossEntropyWithLogitsFuncOptions().weight(weight).reduction(reduction).pos_weight(pos_weight));
}
template <IsTensor T>
Tensor nll_loss(const Tensor& input, const Tensor& target, const T& weight, int64_t ignore_index = -100,
                Choice reduction = kMean) {
  return nll_loss(input, target, NLLLossFuncOptions().weight(weight).ignore_index(ignore_index).reduction(reduction));
}
template <IsTensor T>
Tensor cross_entropy(const Tensor& input, const Tensor& target, const T& weight, int64_t ignore_index = -100,
                     Choice reduction = kMean, double label_smoothing = 0.0) {
  return cross_entropy(input, target,
                       CrossEntropyFuncOptions()
                           .weight(weight)
                           .ignore_index(ignore_index)
                           .reduction(reduction)
                           .label_smoothing(label_smoothing));
}
template <Number P>
Tensor multi_margin_loss(const Tensor& input, const Tensor& target, P p, double margin = 1.0, const Tensor& weight = {},
                         Choice reduction = kMean) {
  return multi_margin_loss(
      input, target,
      MultiMarginLossFuncOptions().p(static_cast<int64_t>(p)).margin(margin).weight(weight).reduction(reduction));
}
template <IsTensor T>
Tensor multilabel_soft_margin_loss(const Tensor& input, const Tensor& target, const T& weight,
                                   Choice reduction = kMean) {
  return multilabel_soft_margin_loss(input, target,
                                     MultilabelSoftMarginLossFuncOptions().weight(weight).reduction(reduction));
}
template <Number T>
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, T blank, Choice reduction = kMean, bool zero_infinity = false) {
  return ctc_loss(
      log_probs, targets, input_lengths, target_lengths,
      CTCLossFuncOptions().blank(static_cast<int64_t>(blank)).reduction(reduction).zero_infinity(zero_infinity));
}
template <std::same_as<bool> B>
Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, const Tensor& var, B full, double eps = 1e-6,
                         Choice reduction = kMean) {
  return gaussian_nll_loss(input, target, var, GaussianNLLLossFuncOptions().full(full).eps(eps).reduction(reduction));
}

}  // namespace strata::nn::functional
