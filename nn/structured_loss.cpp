// Losses of sequences, sets of labels, triplets by any distance, and normal distributions.
#include "nn/structured_loss.h"

#include <ostream>

#include "core/called.h"
#include "nn/detail.h"
#include "ops/binary.h"
#include "ops/ctc_loss.h"
#include "ops/margin_loss.h"
#include "ops/reduce.h"
#include "ops/ternary.h"

namespace strata::nn {
namespace functional {

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, const CTCLossFuncOptions& o) {
  return strata::ctc_loss(log_probs, targets, input_lengths, target_lengths, o.blank(), reduction_code(o.reduction()),
                          o.zero_infinity());
}

Tensor multilabel_margin_loss(const Tensor& input, const Tensor& target, const MultilabelMarginLossFuncOptions& o) {
  return strata::multilabel_margin_loss(input, target, reduction_code(o.reduction()));
}

Tensor triplet_margin_with_distance_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                                         const TripletMarginWithDistanceLossFuncOptions& o) {
  const auto distance = [&](const Tensor& a, const Tensor& b) {
    if (o.distance_function()) return (*o.distance_function())(a, b);
    const Called called("triplet_margin_with_distance_loss");
    return strata::pairwise_distance(a, b);
  };
  const Tensor near = distance(anchor, positive);
  Tensor far = distance(anchor, negative);
  const Tensor across = o.swap() ? distance(positive, negative) : Tensor();
  const Called called;
  if (o.swap()) far = minimum(far, across);
  const Tensor loss = clamp_min(near - far + o.margin(), 0);
  const int64_t how = reduction_code(o.reduction());
  return how == Reduction::None ? loss : how == Reduction::Mean ? loss.mean() : loss.sum();
}

Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, const Tensor& var,
                         const GaussianNLLLossFuncOptions& o) {
  return strata::gaussian_nll_loss(input, target, var, o.full(), o.eps(), reduction_code(o.reduction()));
}

}  // namespace functional

void CTCLossImpl::pretty_print(std::ostream& stream) const { print_module(stream, "CTCLoss"); }
Tensor CTCLossImpl::forward(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                            const Tensor& target_lengths) {
  return functional::ctc_loss(log_probs, targets, input_lengths, target_lengths, options);
}

void MultiLabelMarginLossImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "MultiLabelMarginLoss");
}
void TripletMarginWithDistanceLossImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "TripletMarginWithDistanceLoss", {{"margin", options.margin()}, {"swap", options.swap()}});
}
void GaussianNLLLossImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "GaussianNLLLoss", {{"full", options.full()}, {"eps", options.eps()}});
}

}  // namespace strata::nn
