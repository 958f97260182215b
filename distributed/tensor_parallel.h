// Linear layers whose weights the ranks of a group divide. After M. Shoeybi et al., Megatron-LM: Training
// Multi-Billion Parameter Language Models Using Model Parallelism, 2019.
#pragma once
#include "../nn/linear.h"
#include "../ops/collective.h"

namespace strata::nn::parallel {

/// Note [Column and row]
/// The pair of a ColumnParallelLinear, whose results stay divided, and a RowParallelLinear, which takes such, computes
/// what two Linears do with anything in between that treats features (heads, experts) alone, by one all_reduce forward
/// and one backward. Outside of the pair activations, their gradients, and parameters that are not divided are the same
/// on all ranks: Note [Invariant and varying tensors]. Weights are drawn whole on each rank, so ranks with equal seeds
/// have together the weights that nn::Linear has by that seed, for any number of ranks.

struct ColumnParallelLinearOptions {
  ColumnParallelLinearOptions(int64_t in_features, int64_t out_features)
      : in_features_(in_features), out_features_(out_features) {}
  STRATA_ARG(int64_t, in_features);
  STRATA_ARG(int64_t, out_features);
  STRATA_ARG(bool, bias) = true;
  STRATA_ARG(bool, gather_output) = true;     ///< else each rank returns its own features
  STRATA_ARG(ProcessGroup, group) = nullptr;  ///< the default one if it is null
};

struct RowParallelLinearOptions {
  RowParallelLinearOptions(int64_t in_features, int64_t out_features)
      : in_features_(in_features), out_features_(out_features) {}
  STRATA_ARG(int64_t, in_features);
  STRATA_ARG(int64_t, out_features);
  STRATA_ARG(bool, bias) = true;
  STRATA_ARG(bool, input_is_parallel) = false;  ///< each rank passes its own features, else all features
  STRATA_ARG(ProcessGroup, group) = nullptr;    ///< the default one if it is null
};

/// nn::Linear whose out_features W ranks divide: `(..., in)` to `(..., out)`, or to `(..., out / W)` on each.
class ColumnParallelLinearImpl : public Cloneable<ColumnParallelLinearImpl> {
 public:
  ColumnParallelLinearImpl(int64_t in_features, int64_t out_features)
      : ColumnParallelLinearImpl(ColumnParallelLinearOptions(in_features, out_features)) {}
  /// Throws where the ranks do not divide out_features.
  explicit ColumnParallelLinearImpl(const ColumnParallelLinearOptions& options_);
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  ColumnParallelLinearOptions options;
  Tensor weight;  ///< the own `(out_features / W, in_features)`
  Tensor bias;    ///< the own `(out_features / W,)` or undefined
};
STRATA_MODULE(ColumnParallelLinear);

/// nn::Linear whose in_features W ranks divide: `(..., in)`, or `(..., in / W)` of each, to `(..., out)`.
class RowParallelLinearImpl : public Cloneable<RowParallelLinearImpl> {
 public:
  RowParallelLinearImpl(int64_t in_features, int64_t out_features)
      : RowParallelLinearImpl(RowParallelLinearOptions(in_features, out_features)) {}
  /// Throws where the ranks do not divide in_features.
  explicit RowParallelLinearImpl(const RowParallelLinearOptions& options_);
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  RowParallelLinearOptions options;
  Tensor weight;  ///< the own `(out_features, in_features / W)`
  Tensor bias;    ///< `(out_features,)`, the same on all ranks, or undefined
};
STRATA_MODULE(RowParallelLinear);

}  // namespace strata::nn::parallel
