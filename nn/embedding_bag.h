// Look-up tables whose rows are reduced over bags of indices: EmbeddingBag.
#pragma once
#include "enums.h"
#include "module.h"

namespace strata::nn {

using EmbeddingBagMode = OneOf<Choice::Sum, Choice::Mean, Choice::Max>;

struct EmbeddingBagOptions {
  EmbeddingBagOptions(int64_t num_embeddings, int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  STRATA_ARG(int64_t, num_embeddings);
  STRATA_ARG(int64_t, embedding_dim);
  STRATA_ARG(std::optional<double>, max_norm) = std::nullopt;
  STRATA_ARG(double, norm_type) = 2.;
  STRATA_ARG(bool, scale_grad_by_freq) = false;
  STRATA_ARG(EmbeddingBagMode, mode) = kMean;
  STRATA_ARG(bool, sparse) = false;
  STRATA_ARG(Tensor, _weight);
  STRATA_ARG(bool, include_last_offset) = false;
  STRATA_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
};

struct EmbeddingBagFromPretrainedOptions {
  STRATA_ARG(bool, freeze) = true;
  STRATA_ARG(std::optional<double>, max_norm) = std::nullopt;
  STRATA_ARG(double, norm_type) = 2.;
  STRATA_ARG(bool, scale_grad_by_freq) = false;
  STRATA_ARG(EmbeddingBagMode, mode) = kMean;
  STRATA_ARG(bool, sparse) = false;
  STRATA_ARG(bool, include_last_offset) = false;
  STRATA_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
};

namespace functional {

struct EmbeddingBagFuncOptions {
  STRATA_ARG(Tensor, offsets);
  STRATA_ARG(std::optional<double>, max_norm) = std::nullopt;
  STRATA_ARG(double, norm_type) = 2.;
  STRATA_ARG(bool, scale_grad_by_freq) = false;
  STRATA_ARG(EmbeddingBagMode, mode) = kMean;
  STRATA_ARG(bool, sparse) = false;
  STRATA_ARG(Tensor, per_sample_weights);
  STRATA_ARG(bool, include_last_offset) = false;
  STRATA_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
};

/// Rows of weight `(V, D)` reduced over bags of indices: the rows of input `(N, L)`, or what begins at the offsets
/// `(N)` of a 1-dim input. Gives `(N, D)`. With max_norm, the rows used are first scaled down in place to that norm.
Tensor embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagFuncOptions& options = {});

}  // namespace functional

/// A row of learned numbers for each index, added up, averaged or their largest taken over bags of indices; rows start
/// normal, the padding row zero.
class EmbeddingBagImpl : public Cloneable<EmbeddingBagImpl> {
 public:
  EmbeddingBagImpl(int64_t num_embeddings, int64_t embedding_dim)
      : EmbeddingBagImpl(EmbeddingBagOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingBagImpl(EmbeddingBagOptions options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input, const Tensor& offsets = {}, const Tensor& per_sample_weights = {});

  EmbeddingBagOptions options;
  Tensor weight;  ///< `(num_embeddings, embedding_dim)`
};

/// A shared handle to an EmbeddingBagImpl, with a constructor from pretrained weights.
class EmbeddingBag : public ModuleHolder<EmbeddingBagImpl> {
 public:
  using ModuleHolder<EmbeddingBagImpl>::ModuleHolder;
  using Impl = EmbeddingBagImpl;
  /// A module around given rows `(V, D)`, which do not learn unless `freeze(false)`.
  static EmbeddingBag from_pretrained(const Tensor& embeddings, const EmbeddingBagFromPretrainedOptions& options = {});
};

}  // namespace strata::nn
