// A softmax over very many classes, of which few are frequent (Grave et al., 2017).
#pragma once
#include "container.h"
#include "linear.h"

namespace strata::nn {

struct AdaptiveLogSoftmaxWithLossOptions {
  AdaptiveLogSoftmaxWithLossOptions(int64_t in_features, int64_t n_classes, std::vector<int64_t> cutoffs)
      : in_features_(in_features), n_classes_(n_classes), cutoffs_(std::move(cutoffs)) {}
  STRATA_ARG(int64_t, in_features);
  STRATA_ARG(int64_t, n_classes);
  /// Rising class numbers at which the clusters of rarer classes begin.
  STRATA_ARG(std::vector<int64_t>, cutoffs);
  /// A cluster's features are fewer than those of the one before by this factor.
  STRATA_ARG(double, div_value) = 4.;
  STRATA_ARG(bool, head_bias) = false;
};

/// What the module's forward gives. The loss is a 0-dim tensor that one can differentiate, and reads as the number that
/// libtorch has here.
struct ASMoutput {
  struct Loss : Tensor {
    Loss(Tensor t) : Tensor(std::move(t)) {}
    operator double() const { return item<double>(); }
  };
  Tensor output;  ///< the log-probability of each sample's target, (N) or ()
  Loss loss;      ///< minus their mean
};

/// Classes sorted by falling frequency: the first have a place in the head, each cluster of others one place there and
/// a projection of its own.
class AdaptiveLogSoftmaxWithLossImpl : public Cloneable<AdaptiveLogSoftmaxWithLossImpl> {
 public:
  AdaptiveLogSoftmaxWithLossImpl(int64_t in_features, int64_t n_classes, std::vector<int64_t> bounds)
      : AdaptiveLogSoftmaxWithLossImpl(AdaptiveLogSoftmaxWithLossOptions(in_features, n_classes, std::move(bounds))) {}
  explicit AdaptiveLogSoftmaxWithLossImpl(AdaptiveLogSoftmaxWithLossOptions options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  /// For input `(N, in_features)` or `(in_features)` and int64 targets `(N)` or `()`, in [0, n_classes).
  ASMoutput forward(const Tensor& input, const Tensor& target);
  /// The log-probabilities of all classes, given the head's output.
  Tensor _get_full_log_prob(const Tensor& input, const Tensor& head_output);
  /// `(N, in_features)` to the log-probabilities of all classes `(N, n_classes)`.
  Tensor log_prob(const Tensor& input);
  /// `(N, in_features)` to the likeliest class of each, `(N)`; clusters are looked into only where the head chooses
  /// one.
  Tensor predict(const Tensor& input);

  AdaptiveLogSoftmaxWithLossOptions options;
  std::vector<int64_t> cutoffs;  ///< the options', and n_classes
  int64_t shortlist_size = 0;    ///< classes with a place in the head
  int64_t n_clusters = 0;
  int64_t head_size = 0;
  Linear head = nullptr;
  ModuleList tail = nullptr;

 private:
  /// Log-probabilities of the cluster's classes within it.
  Tensor cluster_log_prob(int64_t cluster, const Tensor& input);
};
STRATA_MODULE(AdaptiveLogSoftmaxWithLoss);

}  // namespace strata::nn
