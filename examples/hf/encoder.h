// A block of BERT and of ViT, whose layers have the same names.
#pragma once
#include <string>

#include "hf/layers.h"
#include "hf/pretrained.h"

namespace hf {

/// Attention of all to all that a mask lets them see, and the two layers of a perceptron. Where the norms stand, the
/// two models differ. `attention` is what the file calls the module of queries, keys and values.
struct EncoderBlockImpl : nn::Module {
  EncoderBlockImpl(const Config& c, const std::string& attention, bool bias)
      : width(head_width(c.count("hidden_size"), c.count("num_attention_heads"))),
        act(activation(c.text("hidden_act", "gelu"))) {
    const int64_t features = c.count("hidden_size"), inner = c.count("intermediate_size");
    query = register_at(*this, attention + ".query", linear(features, features, bias));
    key = register_at(*this, attention + ".key", linear(features, features, bias));
    value = register_at(*this, attention + ".value", linear(features, features, bias));
    out = register_at(*this, "attention.output.dense", linear(features, features));
    up = register_at(*this, "intermediate.dense", linear(features, inner));
    down = register_at(*this, "output.dense", linear(inner, features));
  }
  /// `x` is `(B, T, features)`; `mask` is true where a token may be looked at, `(B, 1, 1, T)`.
  Tensor attend(const Tensor& x, const std::optional<Tensor>& mask = std::nullopt) {
    return out(merge_heads(strata::scaled_dot_product_attention(
        split_heads(query(x), width), split_heads(key(x), width), split_heads(value(x), width), mask)));
  }
  Tensor transform(const Tensor& x) { return down(act(up(x))); }

  int64_t width;
  Activation act;
  nn::Linear query = nullptr, key = nullptr, value = nullptr, out = nullptr, up = nullptr, down = nullptr;
};

}  // namespace hf
