// Look-up tables whose rows are reduced over bags of indices.
#include "nn/embedding_bag.h"

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

int64_t mode_code(EmbeddingBagMode mode) {
  STRATA_CHECK(mode == kSum || mode == kMean || mode == kMax, "embedding_bag: the mode is kSum, kMean or kMax, got {}",
               name(mode));
  return mode == kSum ? 0 : mode == kMean ? 1 : 2;
}

void check_padding(std::optional<int64_t> padding_idx, int64_t rows) {
  STRATA_CHECK(!padding_idx || (*padding_idx >= -rows && *padding_idx < rows),
               "EmbeddingBag: padding_idx {} is out of range for {} rows", padding_idx.value_or(0), rows);
}

}  // namespace

Tensor functional::embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagFuncOptions& o) {
  const Called called;
  if (o.max_norm()) {
    Tensor rows = weight;
    embedding_renorm_(rows, input, *o.max_norm(), o.norm_type());
  }
  return std::get<0>(strata::embedding_bag(weight, input, o.offsets(), o.scale_grad_by_freq(), mode_code(o.mode()),
                                           o.sparse(), o.per_sample_weights(), o.include_last_offset(),
                                           o.padding_idx()));
}

EmbeddingBagImpl::EmbeddingBagImpl(EmbeddingBagOptions options_) : options(std::move(options_)) {
  EmbeddingBagImpl::reset();
  options._weight(Tensor());  // a clone makes its own
}

void EmbeddingBagImpl::reset() {
  const int64_t rows = options.num_embeddings(), columns = options.embedding_dim();
  check_padding(options.padding_idx(), rows);
  if (!options._weight().defined()) {
    weight = register_parameter("weight", empty({rows, columns}));
    reset_parameters();
    return;
  }
  STRATA_CHECK(options._weight().sizes() == IntArrayRef({rows, columns}),
               "EmbeddingBag: the weight has shape {}, expected ({}, {})", options._weight().sizes(), rows, columns);
  weight = register_parameter("weight", options._weight());
}

void EmbeddingBagImpl::reset_parameters() {
  init::normal_(weight);
  const NoGradGuard no_grad;
  if (options.padding_idx()) weight.select(0, *options.padding_idx()).zero_();
}

void EmbeddingBagImpl::pretty_print(std::ostream& stream) const {
  std::vector<PrintedOption> list = {{"num_embeddings", options.num_embeddings()},
                                     {"embedding_dim", options.embedding_dim()}};
  if (options.max_norm()) list.emplace_back("max_norm", options.max_norm());
  if (options.norm_type() != 2) list.emplace_back("norm_type", options.norm_type());
  if (options.scale_grad_by_freq()) list.emplace_back("scale_grad_by_freq", true);
  if (options.sparse()) list.emplace_back("sparse", true);
  if (options.mode() != kMean) list.emplace_back("mode", std::string(options.mode() == kSum ? "kSum" : "kMax"));
  if (options.include_last_offset()) list.emplace_back("include_last_offset", true);
  if (options.padding_idx()) list.emplace_back("padding_idx", options.padding_idx());
  print_module(stream, "EmbeddingBag", list);
}

Tensor EmbeddingBagImpl::forward(const Tensor& input, const Tensor& offsets, const Tensor& per_sample_weights) {
  const auto& o = options;
  return in_module(*this, [&] {
    return functional::embedding_bag(input, weight,
                                     functional::EmbeddingBagFuncOptions()
                                         .offsets(offsets)
                                         .max_norm(o.max_norm())
                                         .norm_type(o.norm_type())
                                         .scale_grad_by_freq(o.scale_grad_by_freq())
                                         .mode(o.mode())
                                         .sparse(o.sparse())
                                         .per_sample_weights(per_sample_weights)
                                         .include_last_offset(o.include_last_offset())
                                         .padding_idx(o.padding_idx()));
  });
}

EmbeddingBag EmbeddingBag::from_pretrained(const Tensor& embeddings, const EmbeddingBagFromPretrainedOptions& o) {
  STRATA_CHECK(embeddings.dim() == 2, "EmbeddingBag: expected rows (V, D), got {}", embeddings.sizes());
  EmbeddingBag module(EmbeddingBagOptions(embeddings.size(0), embeddings.size(1))
                          ._weight(embeddings)
                          .max_norm(o.max_norm())
                          .norm_type(o.norm_type())
                          .scale_grad_by_freq(o.scale_grad_by_freq())
                          .mode(o.mode())
                          .sparse(o.sparse())
                          .include_last_offset(o.include_last_offset())
                          .padding_idx(o.padding_idx()));
  module->weight.requires_grad_(!o.freeze());
  return module;
}

}  // namespace strata::nn
