// GPT-2 (Radford et al. 2019) with the names of Hugging Face's GPT2LMHeadModel.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "hf/layers.h"
#include "hf/pretrained.h"

namespace hf {

/// Attention of each token to those before it, and a perceptron.
struct Gpt2BlockImpl : nn::Module {
  Gpt2BlockImpl(const Config& c, int64_t layer)
      : width(head_width(c.count("n_embd"), c.count("n_head"))),
        act(activation(c.text("activation_function", "gelu_new"))) {
    const int64_t features = c.count("n_embd"), inner = c.count("n_inner", 4 * features);
    const double eps = c.number("layer_norm_epsilon", 1e-5);
    norm1 = register_at(*this, "ln_1", layer_norm(features, eps));
    qkv = register_at(*this, "attn.c_attn", linear(features, 3 * features));
    out = register_at(*this, "attn.c_proj", linear(features, features));
    norm2 = register_at(*this, "ln_2", layer_norm(features, eps));
    up = register_at(*this, "mlp.c_fc", linear(features, inner));
    down = register_at(*this, "mlp.c_proj", linear(inner, features));
    if (c.flag("scale_attn_weights", true)) scale /= std::sqrt(static_cast<double>(width));
    if (c.flag("scale_attn_by_inverse_layer_idx", false)) scale /= static_cast<double>(layer + 1);
  }
  Tensor forward(const Tensor& x) {
    const auto parts = qkv(norm1(x)).chunk(3, -1);
    const Tensor mixed = strata::scaled_dot_product_attention(
        split_heads(parts[0], width), split_heads(parts[1], width), split_heads(parts[2], width), {}, 0.0,
        /*is_causal=*/true, scale);
    const Tensor attended = x + out(merge_heads(mixed));
    return attended + down(act(up(norm2(attended))));
  }
  int64_t width;
  double scale = 1;
  Activation act;
  nn::LayerNorm norm1 = nullptr, norm2 = nullptr;
  nn::Linear qkv = nullptr, out = nullptr, up = nullptr, down = nullptr;
};
STRATA_MODULE(Gpt2Block);

/// Tokens `(B, T)` to scores of the next ones `(B, T, vocabulary)`.
struct Gpt2Impl : nn::Module {
  static constexpr const char* kType = "gpt2";
  explicit Gpt2Impl(const Config& c) : positions(c.count("n_positions")), tied(c.flag("tie_word_embeddings", true)) {
    STRATA_CHECK(!c.flag("add_cross_attention", false), "{}: GPT-2 with cross attention is not known here", c.path());
    const int64_t features = c.count("n_embd"), vocabulary = c.count("vocab_size");
    token = register_at(*this, "wte", nn::Embedding(vocabulary, features));
    place = register_at(*this, "wpe", nn::Embedding(positions, features));
    for (int64_t i = 0; i < c.count("n_layer"); ++i)
      blocks.push_back(register_at(*this, "h." + std::to_string(i), Gpt2Block(c, i)));
    norm = register_at(*this, "ln_f", layer_norm(features, c.number("layer_norm_epsilon", 1e-5)));
    head = register_at(*this, "lm_head", linear(features, vocabulary, false));
    if (tied) head->weight = head->replace_parameter("weight", token->weight);
  }
  Tensor forward(const Tensor& tokens) {
    Tensor x = token(tokens) + place(places_of(tokens, positions));
    for (Gpt2Block& block : blocks) x = block(x);
    return head(norm(x));
  }
  /// Hugging Face's layers keep their weights `(in, out)`, and older files hold the masks that make attention causal.
  TensorMap adapted(const TensorMap& file) const {
    TensorMap out;
    for (const auto& item : file) {
      const std::string name = without("transformer.", item.key());
      if (name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias")) continue;
      const bool is_layer = name.starts_with("h.") && item.value().dim() == 2;
      out.insert(name, is_layer ? item.value().t() : item.value());
    }
    if (tied) add_tied(out, "lm_head.weight", "wte.weight");
    return out;
  }
  int64_t positions;
  bool tied;
  nn::Embedding token = nullptr, place = nullptr;
  std::vector<Gpt2Block> blocks;
  nn::LayerNorm norm = nullptr;
  nn::Linear head = nullptr;
};
STRATA_MODULE(Gpt2);

}  // namespace hf
