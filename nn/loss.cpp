// Loss functions and their modules.
#include "nn/loss.h"

#include <ostream>

#include "core/called.h"
#include "core/warning.h"
#include "nn/detail.h"
#include "ops/activation.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/index_dtypes.h"
#include "ops/loss.h"
#include "ops/print.h"
#include "ops/promote.h"
#include "ops/reduce.h"
#include "ops/ternary.h"
#include "ops/view.h"

namespace strata::nn {

int64_t reduction_code(Choice reduction) {
  if (reduction == kNone) return Reduction::None;
  return reduction == kMean ? Reduction::Mean : Reduction::Sum;
}

namespace {

Tensor reduced(const Tensor& values, Choice reduction) {
  const int64_t how = reduction_code(reduction);
  return how == Reduction::None ? values : how == Reduction::Mean ? values.mean() : values.sum();
}

void warn_if_broadcast(const char* op, const Tensor& input, const Tensor& target) {
  if (input.sizes() == target.sizes()) return;
  warn(
      "{}: a target of shape {} and an input of shape {} are broadcast, which is probably not what is meant; give them "
      "the same shape",
      op, target.sizes(), input.sizes());
}

}  // namespace

namespace functional {

Tensor l1_loss(const Tensor& input, const Tensor& target, const L1LossFuncOptions& options) {
  warn_if_broadcast("l1_loss", input, target);
  return strata::l1_loss(input, target, reduction_code(options.reduction()));
}
Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options) {
  warn_if_broadcast("mse_loss", input, target);
  return strata::mse_loss(input, target, reduction_code(options.reduction()));
}
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options) {
  warn_if_broadcast("smooth_l1_loss", input, target);
  return strata::smooth_l1_loss(input, target, reduction_code(options.reduction()), options.beta().value_or(1.0));
}
Tensor huber_loss(const Tensor& input, const Tensor& target, const HuberLossFuncOptions& options) {
  warn_if_broadcast("huber_loss", input, target);
  return strata::huber_loss(input, target, reduction_code(options.reduction()), options.delta());
}
Tensor soft_margin_loss(const Tensor& input, const Tensor& target, const SoftMarginLossFuncOptions& options) {
  return strata::soft_margin_loss(input, target, reduction_code(options.reduction()));
}

Tensor kl_div(const Tensor& input, const Tensor& target, const KLDivFuncOptions& options) {
  const Called called;
  if (options.reduction() == kMean)
    warn(
        "kl_div: kMean divides by the number of elements; kBatchMean divides by the batch size, as the definition has "
        "it");
  if (options.reduction() != kBatchMean)
    return strata::kl_div(input, target, reduction_code(options.reduction()), options.log_target());
  const Tensor sum = strata::kl_div(input, target, Reduction::Sum, options.log_target());
  return input.dim() == 0 ? sum : sum.div(input.size(0));
}

Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target, const HingeEmbeddingLossFuncOptions& options) {
  return strata::hinge_embedding_loss(input, target, options.margin(), reduction_code(options.reduction()));
}
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, const PoissonNLLLossFuncOptions& options) {
  return strata::poisson_nll_loss(input, target, options.log_input(), options.full(), options.eps(),
                                  reduction_code(options.reduction()));
}
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                           const MarginRankingLossFuncOptions& options) {
  STRATA_CHECK(input1.dim() == input2.dim() && input1.dim() == target.dim(),
               "margin_ranking_loss: expected tensors with as many dims, got shapes {}, {} and {}", input1.sizes(),
               input2.sizes(), target.sizes());
  return strata::margin_ranking_loss(input1, input2, target, options.margin(), reduction_code(options.reduction()));
}
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                             const CosineEmbeddingLossFuncOptions& options) {
  return strata::cosine_embedding_loss(input1, input2, target, options.margin(), reduction_code(options.reduction()));
}
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                           const TripletMarginLossFuncOptions& options) {
  return strata::triplet_margin_loss(anchor, positive, negative, options.margin(), options.p(), options.eps(),
                                     options.swap(), reduction_code(options.reduction()));
}
Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const BinaryCrossEntropyFuncOptions& options) {
  STRATA_CHECK(input.sizes() == target.sizes(),
               "binary_cross_entropy: Using a target size {} that is different to the input size {}, expected the same",
               target.sizes(), input.sizes());
  return strata::binary_cross_entropy(input, target, options.weight(), reduction_code(options.reduction()));
}
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const BinaryCrossEntropyWithLogitsFuncOptions& options) {
  STRATA_CHECK(input.sizes() == target.sizes(),
               "binary_cross_entropy_with_logits: Target size {} must be the same as input size {}, expected the same",
               target.sizes(), input.sizes());
  return strata::binary_cross_entropy_with_logits(input, target, options.weight(), options.pos_weight(),
                                                  reduction_code(options.reduction()));
}
Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossFuncOptions& options) {
  const Called called;
  return strata::nll_loss_nd(input, target, options.weight(), reduction_code(options.reduction()),
                             options.ignore_index());
}
Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyFuncOptions& options) {
  return strata::cross_entropy_loss(input, target, options.weight(), reduction_code(options.reduction()),
                                    options.ignore_index(), options.label_smoothing());
}

Tensor multi_margin_loss(const Tensor& input, const Tensor& target, const MultiMarginLossFuncOptions& options) {
  const Called called;
  if (input.dim() < 2 && target.numel() == 1) {  // one sample: its class, or a batch of one
    const Tensor loss = multi_margin_loss(input.reshape({1, -1}), target.reshape({1}), options);
    return options.reduction() == kNone && target.dim() == 0 ? as_result(loss.squeeze(0)) : loss;
  }
  STRATA_CHECK(input.dim() == 2 && input.size(1) > 0 && target.dim() == 1 && target.size(0) == input.size(0),
               "multi_margin_loss: expected input (N, C) and target (N), or (C) and one target, got {} and {}",
               input.sizes(), target.sizes());
  STRATA_CHECK(options.p() == 1 || options.p() == 2, "multi_margin_loss: p is 1 or 2, got {}", options.p());
  const Tensor classes = as_index_if_read(target, "multi_margin_loss", kLongIndex, "targets");
  const Tensor index = classes.unsqueeze(1);
  Tensor values = input.sub(input.gather(1, index)).add(options.margin()).clamp_min(0);
  if (options.p() == 2) values = values.square();
  if (options.weight().defined()) {  // nothing, by an infinite weight too, costs nothing
    const Tensor weights = options.weight().index_select(0, classes).unsqueeze(1);
    values = values.mul(where(values.eq(0), 0, weights));
  }
  values = values.scatter(1, index, 0);  // the target itself does not count
  return reduced(values.sum(1).div(input.size(1)), options.reduction());
}

Tensor multilabel_soft_margin_loss(const Tensor& input, const Tensor& target,
                                   const MultilabelSoftMarginLossFuncOptions& options) {
  const Called called;
  const Tensor y = target.to(result_type(input, target));
  Tensor values = -(y * log_sigmoid(input) + (1 - y) * log_sigmoid(-input));  // infinite, not NaN, at infinities
  if (options.weight().defined()) values = values.mul(options.weight());
  const int64_t classes = input.dim() - 1;
  return reduced(values.sum(classes).div(input.size(classes)), options.reduction());
}

Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options, double beta) {
  STRATA_CHECK(!options.beta(), "smooth_l1_loss: beta is given twice");
  SmoothL1LossFuncOptions complete = options;
  return smooth_l1_loss(input, target, complete.beta(beta));
}

}  // namespace functional

void L1LossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "L1Loss"); }
void MSELossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "MSELoss"); }
void SmoothL1LossImpl::pretty_print(std::ostream& stream) const { stream << module_prefix() << "SmoothL1Loss"; }
void HuberLossImpl::pretty_print(std::ostream& stream) const { stream << module_prefix() << "HuberLoss"; }
void SoftMarginLossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "SoftMarginLoss"); }
void KLDivLossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "KLDivLoss"); }
void HingeEmbeddingLossImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "HingeEmbeddingLoss", {{"margin", options.margin()}});
}
void PoissonNLLLossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "PoissonNLLLoss"); }
void MarginRankingLossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "MarginRankingLoss"); }
void CosineEmbeddingLossImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "CosineEmbeddingLoss", {{"margin", options.margin()}});
}
void TripletMarginLossImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "TripletMarginLoss",
               {{"margin", options.margin()}, {"p", options.p()}, {"eps", options.eps()}, {"swap", options.swap()}});
}
void BCELossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "BCELoss"); }

void BCEWithLogitsLossImpl::reset() {
  weight = register_buffer("weight", options.weight());
  pos_weight = register_buffer("pos_weight", options.pos_weight());
}
void BCEWithLogitsLossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "BCEWithLogitsLoss"); }
Tensor BCEWithLogitsLossImpl::forward(const Tensor& input, const Tensor& target) {
  BCEWithLogitsLossOptions current = options;
  return functional::binary_cross_entropy_with_logits(input, target, current.weight(weight).pos_weight(pos_weight));
}

void NLLLossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "NLLLoss"); }
void CrossEntropyLossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "CrossEntropyLoss"); }
void MultiMarginLossImpl::pretty_print(std::ostream& stream) const {
  std::vector<PrintedOption> list = {{"p", options.p()}, {"margin", options.margin()}};
  if (libtorch_names()) {
    list.emplace_back("weight", str(options.weight()));
    list.emplace_back("reduction", options.reduction());
  }
  print_module(stream, "MultiMarginLoss", list);
}
void MultiLabelSoftMarginLossImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "MultiLabelSoftMarginLoss");
}

}  // namespace strata::nn
