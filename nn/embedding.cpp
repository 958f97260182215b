// Look-up tables for indices.
#include "nn/embedding.h"

#include <ostream>

#include "core/called.h"
#include "core/grad_mode.h"
#include "nn/detail.h"
#include "nn/in_module.h"
#include "nn/init.h"
#include "ops/creation.h"
#include "ops/embedding_bag.h"

namespace strata::nn {

namespace {

/// The row counted from the front; -1, the op's word for none, where there is no padding row.
int64_t padding_row(std::optional<int64_t> padding_idx, int64_t rows) {
  if (!padding_idx) return -1;
  const int64_t row = *padding_idx < 0 ? *padding_idx + rows : *padding_idx;
  STRATA_CHECK(row >= 0 && row < rows, "embedding: padding_idx {} is out of range for {} rows", *padding_idx, rows);
  return row;
}

}  // namespace

Tensor functional::embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options) {
  const Called called;
  Tensor table = weight;
  if (options.max_norm()) embedding_renorm_(table, input, *options.max_norm(), options.norm_type());
  return strata::embedding(weight, input, padding_row(options.padding_idx(), weight.size(0)),
                           options.scale_grad_by_freq(), options.sparse());
}

Tensor functional::one_hot(const Tensor& input, int64_t num_classes) { return strata::one_hot(input, num_classes); }

EmbeddingImpl::EmbeddingImpl(EmbeddingOptions options_) : options(std::move(options_)) {
  EmbeddingImpl::reset();
  options._weight(Tensor());  // a clone makes its own
}

void EmbeddingImpl::reset() {
  const int64_t rows = options.num_embeddings(), columns = options.embedding_dim();
  padding_row(options.padding_idx(), rows);
  if (!options._weight().defined()) {
    weight = register_parameter("weight", empty({rows, columns}));
    reset_parameters();
    return;
  }
  STRATA_CHECK(options._weight().sizes() == IntArrayRef({rows, columns}),
               "Embedding: the weight has shape {}, expected ({}, {})", options._weight().sizes(), rows, columns);
  weight = register_parameter("weight", options._weight());
}

void EmbeddingImpl::reset_parameters() {
  init::normal_(weight);
  const NoGradGuard no_grad;
  if (options.padding_idx()) weight.select(0, padding_row(options.padding_idx(), options.num_embeddings())).zero_();
}

void EmbeddingImpl::pretty_print(std::ostream& stream) const {
  std::vector<PrintedOption> list = {{"num_embeddings", options.num_embeddings()},
                                     {"embedding_dim", options.embedding_dim()}};
  if (options.padding_idx()) list.emplace_back("padding_idx", options.padding_idx());
  if (options.max_norm()) list.emplace_back("max_norm", options.max_norm());
  if (options.norm_type() != 2) list.emplace_back("norm_type", options.norm_type());
  if (options.scale_grad_by_freq()) list.emplace_back("scale_grad_by_freq", true);
  if (options.sparse()) list.emplace_back("sparse", true);
  print_module(stream, "Embedding", list);
}

Tensor EmbeddingImpl::forward(const Tensor& indices) {
  return in_module(*this, [&] {
    if (options.max_norm()) embedding_renorm_(weight, indices, *options.max_norm(), options.norm_type());
    return strata::embedding(weight, indices, padding_row(options.padding_idx(), options.num_embeddings()),
                             options.scale_grad_by_freq(), options.sparse());
  });
}

Embedding Embedding::from_pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& o) {
  STRATA_CHECK(embeddings.dim() == 2, "Embedding: expected rows (V, D), got {}", embeddings.sizes());
  Embedding module(EmbeddingOptions(embeddings.size(0), embeddings.size(1))
                       ._weight(embeddings)
                       .padding_idx(o.padding_idx())
                       .max_norm(o.max_norm())
                       .norm_type(o.norm_type())
                       .scale_grad_by_freq(o.scale_grad_by_freq())
                       .sparse(o.sparse()));
  module->weight.requires_grad_(!o.freeze());
  return module;
}

}  // namespace strata::nn
