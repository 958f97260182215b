// Losses of sequences, sets of labels, triplets by any distance, and normal distributions.
#pragma once
#include "../core/function.h"
#include "loss.h"

namespace strata::nn {

struct CTCLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(int64_t, blank) = 0;
  STRATA_ARG(reduction_t, reduction) = kMean;
  STRATA_ARG(bool, zero_infinity) = false;
};

using MultiLabelMarginLossOptions = ReductionOptions;

struct TripletMarginWithDistanceLossOptions {
  using distance_function_t = strata::detail::Function<Tensor(const Tensor&, const Tensor&)>;
  using reduction_t = ReductionChoice;
  /// From two tensors to the distances of their samples; pairwise_distance where none is given.
  STRATA_ARG(std::optional<distance_function_t>, distance_function) = std::nullopt;
  STRATA_ARG(double, margin) = 1.0;
  STRATA_ARG(bool, swap) = false;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct GaussianNLLLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(bool, full) = false;
  STRATA_ARG(double, eps) = 1e-6;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

namespace functional {

using CTCLossFuncOptions = CTCLossOptions;
using MultilabelMarginLossFuncOptions = MultiLabelMarginLossOptions;
using TripletMarginWithDistanceLossFuncOptions = TripletMarginWithDistanceLossOptions;
using GaussianNLLLossFuncOptions = GaussianNLLLossOptions;

/// See strata::ctc_loss: log_probs `(T, N, C)` or `(T, C)`, targets `(N, S)` or one after the other, lengths `(N)`.
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, const CTCLossFuncOptions& options = {});
Tensor multilabel_margin_loss(const Tensor& input, const Tensor& target,
                              const MultilabelMarginLossFuncOptions& options = {});
Tensor triplet_margin_with_distance_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                                         const TripletMarginWithDistanceLossFuncOptions& options = {});
Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, const Tensor& var,
                         const GaussianNLLLossFuncOptions& options = {});

}  // namespace functional

/// Minus the log-probability of all alignments of a target with a longer sequence (Graves et al., 2006).
class CTCLossImpl : public ModuleWithOptions<CTCLossImpl, CTCLossOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                 const Tensor& target_lengths);
};
STRATA_MODULE(CTCLoss);

/// sum_ij max(0, 1 - (input[j] - input[i])) / C over the sample's classes j and all others i.
class MultiLabelMarginLossImpl
    : public LossOfPair<MultiLabelMarginLossImpl, MultiLabelMarginLossOptions, functional::multilabel_margin_loss> {
 public:
  using LossOfPair::LossOfPair;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(MultiLabelMarginLoss);

/// max(0, margin + d(anchor, positive) - d(anchor, negative)) for any distance d.
class TripletMarginWithDistanceLossImpl
    : public LossOfTriple<TripletMarginWithDistanceLossImpl, TripletMarginWithDistanceLossOptions,
                          functional::triplet_margin_with_distance_loss> {
 public:
  using LossOfTriple::LossOfTriple;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(TripletMarginWithDistanceLoss);

/// Negative log-likelihood of a normal distribution with mean `input` and variance `var`; see the op.
class GaussianNLLLossImpl
    : public LossOfTriple<GaussianNLLLossImpl, GaussianNLLLossOptions, functional::gaussian_nll_loss> {
 public:
  using LossOfTriple::LossOfTriple;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(GaussianNLLLoss);

}  // namespace strata::nn
