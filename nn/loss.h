// Loss functions and their modules.
#pragma once
#include <concepts>

#include "enums.h"
#include "module.h"

namespace strata::nn {

using ReductionChoice = OneOf<Choice::None, Choice::Mean, Choice::Sum>;

/// Options of a loss that has nothing to choose but how its values are reduced: kMean, kSum or kNone.
struct ReductionOptions {
  using reduction_t = ReductionChoice;
  ReductionOptions() = default;
  ReductionOptions(std::convertible_to<reduction_t> auto reduction) : reduction_(reduction) {}
  STRATA_ARG(reduction_t, reduction) = kMean;
};
using L1LossOptions = ReductionOptions;
using MSELossOptions = ReductionOptions;
using SoftMarginLossOptions = ReductionOptions;

struct SmoothL1LossOptions {
  using reduction_t = ReductionChoice;
  SmoothL1LossOptions() = default;
  SmoothL1LossOptions(std::convertible_to<reduction_t> auto reduction) : reduction_(reduction) {}
  STRATA_ARG(std::optional<double>, beta) = std::nullopt;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct HuberLossOptions {
  using reduction_t = ReductionChoice;
  HuberLossOptions() = default;
  HuberLossOptions(std::convertible_to<reduction_t> auto reduction) : reduction_(reduction) {}
  STRATA_ARG(double, delta) = 1.0;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct KLDivLossOptions {
  using reduction_t = OneOf<Choice::None, Choice::BatchMean, Choice::Sum, Choice::Mean>;
  KLDivLossOptions() = default;
  KLDivLossOptions(std::convertible_to<reduction_t> auto reduction) : reduction_(reduction) {}
  STRATA_ARG(bool, log_target) = false;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct HingeEmbeddingLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(double, margin) = 1.0;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct PoissonNLLLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(bool, log_input) = true;
  STRATA_ARG(bool, full) = false;
  STRATA_ARG(double, eps) = 1e-8;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct MarginRankingLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(double, margin) = 0;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct CosineEmbeddingLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(double, margin) = 0.0;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct TripletMarginLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(double, margin) = 1.0;
  STRATA_ARG(double, p) = 2.0;
  STRATA_ARG(double, eps) = 1e-6;
  STRATA_ARG(bool, swap) = false;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct BCELossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct BCEWithLogitsLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(Tensor, pos_weight);
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct NLLLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(int64_t, ignore_index) = -100;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct CrossEntropyLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(int64_t, ignore_index) = -100;
  STRATA_ARG(double, label_smoothing) = 0.0;
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct MultiMarginLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(int64_t, p) = 1;
  STRATA_ARG(double, margin) = 1.0;
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(reduction_t, reduction) = kMean;
};

struct MultiLabelSoftMarginLossOptions {
  using reduction_t = ReductionChoice;
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(reduction_t, reduction) = kMean;
};

namespace functional {

using L1LossFuncOptions = L1LossOptions;
using MSELossFuncOptions = MSELossOptions;
using SmoothL1LossFuncOptions = SmoothL1LossOptions;
using HuberLossFuncOptions = HuberLossOptions;
using SoftMarginLossFuncOptions = SoftMarginLossOptions;
using KLDivFuncOptions = KLDivLossOptions;
using HingeEmbeddingLossFuncOptions = HingeEmbeddingLossOptions;
using PoissonNLLLossFuncOptions = PoissonNLLLossOptions;
using MarginRankingLossFuncOptions = MarginRankingLossOptions;
using CosineEmbeddingLossFuncOptions = CosineEmbeddingLossOptions;
using TripletMarginLossFuncOptions = TripletMarginLossOptions;
using BinaryCrossEntropyFuncOptions = BCELossOptions;
using BinaryCrossEntropyWithLogitsFuncOptions = BCEWithLogitsLossOptions;
using NLLLossFuncOptions = NLLLossOptions;
using CrossEntropyFuncOptions = CrossEntropyLossOptions;
using MultiMarginLossFuncOptions = MultiMarginLossOptions;
using MultilabelSoftMarginLossFuncOptions = MultiLabelSoftMarginLossOptions;

Tensor l1_loss(const Tensor& input, const Tensor& target, const L1LossFuncOptions& options = {});
Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options = {});
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options = {});
Tensor huber_loss(const Tensor& input, const Tensor& target, const HuberLossFuncOptions& options = {});
Tensor soft_margin_loss(const Tensor& input, const Tensor& target, const SoftMarginLossFuncOptions& options = {});
Tensor kl_div(const Tensor& input, const Tensor& target, const KLDivFuncOptions& options = {});
Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target,
                            const HingeEmbeddingLossFuncOptions& options = {});
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, const PoissonNLLLossFuncOptions& options = {});
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                           const MarginRankingLossFuncOptions& options = {});
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                             const CosineEmbeddingLossFuncOptions& options = {});
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                           const TripletMarginLossFuncOptions& options = {});
Tensor binary_cross_entropy(const Tensor& input, const Tensor& target,
                            const BinaryCrossEntropyFuncOptions& options = {});
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const BinaryCrossEntropyWithLogitsFuncOptions& options = {});
Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossFuncOptions& options = {});
Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyFuncOptions& options = {});
Tensor multi_margin_loss(const Tensor& input, const Tensor& target, const MultiMarginLossFuncOptions& options = {});
Tensor multilabel_soft_margin_loss(const Tensor& input, const Tensor& target,
                                   const MultilabelSoftMarginLossFuncOptions& options = {});
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options, double beta);

}  // namespace functional

/// A loss of an input and a target, without buffers.
template <class Derived, class Options, Tensor (*kLoss)(const Tensor&, const Tensor&, const Options&)>
class LossOfPair : public ModuleWithOptions<Derived, Options> {
 public:
  using ModuleWithOptions<Derived, Options>::ModuleWithOptions;
  Tensor forward(const Tensor& input, const Tensor& target) { return kLoss(input, target, this->options); }
};

/// A loss of three tensors, in its function's order.
template <class Derived, class Options, Tensor (*kLoss)(const Tensor&, const Tensor&, const Tensor&, const Options&)>
class LossOfTriple : public ModuleWithOptions<Derived, Options> {
 public:
  using ModuleWithOptions<Derived, Options>::ModuleWithOptions;
  Tensor forward(const Tensor& a, const Tensor& b, const Tensor& c) { return kLoss(a, b, c, this->options); }
};

/// A loss of an input and a target, whose weight is a buffer.
template <class Derived, class Options, Tensor (*kLoss)(const Tensor&, const Tensor&, const Options&)>
class WeightedLoss : public ModuleWithOptions<Derived, Options> {
 public:
  explicit WeightedLoss(const Options& options_ = {}) : ModuleWithOptions<Derived, Options>(options_) {
    WeightedLoss::reset();
  }
  void reset() override { weight = this->register_buffer("weight", this->options.weight()); }
  Tensor forward(const Tensor& input, const Tensor& target) {
    Options current = this->options;
    return kLoss(input, target, current.weight(weight));
  }

  Tensor weight;  ///< undefined, or a buffer
};

/// |input - target|.
class L1LossImpl : public LossOfPair<L1LossImpl, L1LossOptions, functional::l1_loss> {
 public:
  using LossOfPair::LossOfPair;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(L1Loss);

/// (input - target)^2.
class MSELossImpl : public LossOfPair<MSELossImpl, MSELossOptions, functional::mse_loss> {
 public:
  using LossOfPair::LossOfPair;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(MSELoss);

/// Square / (2 beta) below beta, |input - target| - beta / 2 above; beta is 1 unless given.
class SmoothL1LossImpl : public LossOfPair<SmoothL1LossImpl, SmoothL1LossOptions, functional::smooth_l1_loss> {
 public:
  using LossOfPair::LossOfPair;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(SmoothL1Loss);

/// Square / 2 up to delta, delta (|input - target| - delta / 2) above.
class HuberLossImpl : public LossOfPair<HuberLossImpl, HuberLossOptions, functional::huber_loss> {
 public:
  using LossOfPair::LossOfPair;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(HuberLoss);

/// log(1 + exp(-target input)) for targets of 1 and -1.
class SoftMarginLossImpl : public LossOfPair<SoftMarginLossImpl, SoftMarginLossOptions, functional::soft_margin_loss> {
 public:
  using LossOfPair::LossOfPair;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(SoftMarginLoss);

/// The divergence of target from the log-probabilities input; kBatchMean divides the sum by the batch size.
class KLDivLossImpl : public LossOfPair<KLDivLossImpl, KLDivLossOptions, functional::kl_div> {
 public:
  using LossOfPair::LossOfPair;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(KLDivLoss);

/// input where target is 1, max(0, margin - input) where it is -1.
class HingeEmbeddingLossImpl
    : public LossOfPair<HingeEmbeddingLossImpl, HingeEmbeddingLossOptions, functional::hinge_embedding_loss> {
 public:
  using LossOfPair::LossOfPair;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(HingeEmbeddingLoss);

/// Negative log-likelihood of counts; see the op.
class PoissonNLLLossImpl : public LossOfPair<PoissonNLLLossImpl, PoissonNLLLossOptions, functional::poisson_nll_loss> {
 public:
  using LossOfPair::LossOfPair;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(PoissonNLLLoss);

/// max(0, margin - target (input1 - input2)).
class MarginRankingLossImpl
    : public LossOfTriple<MarginRankingLossImpl, MarginRankingLossOptions, functional::margin_ranking_loss> {
 public:
  using LossOfTriple::LossOfTriple;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(MarginRankingLoss);

/// 1 - cos where target is 1, max(0, cos - margin) where it is -1.
class CosineEmbeddingLossImpl
    : public LossOfTriple<CosineEmbeddingLossImpl, CosineEmbeddingLossOptions, functional::cosine_embedding_loss> {
 public:
  using LossOfTriple::LossOfTriple;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(CosineEmbeddingLoss);

/// max(0, margin + |anchor - positive| - |anchor - negative|).
class TripletMarginLossImpl
    : public LossOfTriple<TripletMarginLossImpl, TripletMarginLossOptions, functional::triplet_margin_loss> {
 public:
  using LossOfTriple::LossOfTriple;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(TripletMarginLoss);

/// Cross entropy of probabilities in [0, 1].
class BCELossImpl : public WeightedLoss<BCELossImpl, BCELossOptions, functional::binary_cross_entropy> {
 public:
  using WeightedLoss::WeightedLoss;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(BCELoss);

/// BCELoss of sigmoid(input), without overflow.
class BCEWithLogitsLossImpl : public ModuleWithOptions<BCEWithLogitsLossImpl, BCEWithLogitsLossOptions> {
 public:
  explicit BCEWithLogitsLossImpl(const BCEWithLogitsLossOptions& options_ = {}) : ModuleWithOptions(options_) {
    BCEWithLogitsLossImpl::reset();
  }
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input, const Tensor& target);

  Tensor weight;      ///< undefined, or a buffer
  Tensor pos_weight;  ///< undefined, or a buffer
};
STRATA_MODULE(BCEWithLogitsLoss);

/// Minus the log-probability of the target class, for input `(N, C, ...)` and target `(N, ...)`.
class NLLLossImpl : public WeightedLoss<NLLLossImpl, NLLLossOptions, functional::nll_loss> {
 public:
  using WeightedLoss::WeightedLoss;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(NLLLoss);

/// NLLLoss of log_softmax(input); the target may also hold probabilities.
class CrossEntropyLossImpl
    : public WeightedLoss<CrossEntropyLossImpl, CrossEntropyLossOptions, functional::cross_entropy> {
 public:
  using WeightedLoss::WeightedLoss;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(CrossEntropyLoss);

/// sum_j max(0, margin - input[target] + input[j])^p / C over j != target.
class MultiMarginLossImpl
    : public WeightedLoss<MultiMarginLossImpl, MultiMarginLossOptions, functional::multi_margin_loss> {
 public:
  using WeightedLoss::WeightedLoss;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(MultiMarginLoss);

/// The mean over classes of BCEWithLogitsLoss, for input and target `(N, C)`.
class MultiLabelSoftMarginLossImpl : public WeightedLoss<MultiLabelSoftMarginLossImpl, MultiLabelSoftMarginLossOptions,
                                                         functional::multilabel_soft_margin_loss> {
 public:
  using WeightedLoss::WeightedLoss;
  void pretty_print(std::ostream& stream) const override;
};
STRATA_MODULE(MultiLabelSoftMarginLoss);

}  // namespace strata::nn
