// Look-up tables for indices: Embedding.
#pragma once
#include "module.h"

namespace strata::nn {

struct EmbeddingOptions {
  EmbeddingOptions(int64_t num_embeddings, int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  STRATA_ARG(int64_t, num_embeddings);
  STRATA_ARG(int64_t, embedding_dim);
  STRATA_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
  STRATA_ARG(std::optional<double>, max_norm) = std::nullopt;
  STRATA_ARG(double, norm_type) = 2.;
  STRATA_ARG(bool, scale_grad_by_freq) = false;
  STRATA_ARG(bool, sparse) = false;
  STRATA_ARG(Tensor, _weight);
};

struct EmbeddingFromPretrainedOptions {
  STRATA_ARG(bool, freeze) = true;
  STRATA_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
  STRATA_ARG(std::optional<double>, max_norm) = std::nullopt;
  STRATA_ARG(double, norm_type) = 2.;
  STRATA_ARG(bool, scale_grad_by_freq) = false;
  STRATA_ARG(bool, sparse) = false;
};

namespace functional {

struct EmbeddingFuncOptions {
  STRATA_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
  STRATA_ARG(std::optional<double>, max_norm) = std::nullopt;
  STRATA_ARG(double, norm_type) = 2.;
  STRATA_ARG(bool, scale_grad_by_freq) = false;
  STRATA_ARG(bool, sparse) = false;
};

/// Rows of weight `(V, D)` at the indices: `(..., D)`. With max_norm, the rows used are first scaled down in place to
/// that norm.
Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options = {});
Tensor one_hot(const Tensor& input, int64_t num_classes = -1);

}  // namespace functional

/// A row of learned numbers for each index below num_embeddings; rows start normal, the padding row zero.
class EmbeddingImpl : public Cloneable<EmbeddingImpl> {
 public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim)
      : EmbeddingImpl(EmbeddingOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingImpl(EmbeddingOptions options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& indices);

  EmbeddingOptions options;
  Tensor weight;  ///< `(num_embeddings, embedding_dim)`
};

/// A shared handle to an EmbeddingImpl, with a constructor from pretrained weights.
class Embedding : public ModuleHolder<EmbeddingImpl> {
 public:
  using ModuleHolder<EmbeddingImpl>::ModuleHolder;
  using Impl = EmbeddingImpl;
  /// A module around given rows `(V, D)`, which do not learn unless `freeze(false)`.
  static Embedding from_pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& options = {});
};

}  // namespace strata::nn
