// Llama (Touvron et al. 2023) with the names of Hugging Face's LlamaForCausalLM: norms by root mean squares, places as
// rotations, and heads of queries that share keys and values in groups.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "hf/layers.h"
#include "hf/pretrained.h"

namespace hf {

/// Cosines and sines `(T, E)` of the angles by which place t turns the pairs of features (i, i + E / 2) of a head (Su
/// et al. 2021).
struct Rotation {
  Rotation(int64_t length, int64_t width, double base) {
    const Tensor powers = strata::arange(0, width, 2, strata::kFloat) / static_cast<double>(width);
    const Tensor steps = strata::pow(base, powers).reciprocal();
    const Tensor angles = strata::arange(length, strata::kFloat).unsqueeze(1) * steps;
    cosines = strata::cat({angles, angles}, 1).cos();
    sines = strata::cat({angles, angles}, 1).sin();
  }
  Tensor operator()(const Tensor& x) const {
    const auto halves = x.chunk(2, -1);
    return x * cosines + strata::cat({-halves[1], halves[0]}, -1) * sines;
  }
  Tensor cosines, sines;
};

/// The base of the rotations' angles. Throws for all that stretches them, which is not known here.
inline double rotation_base(const Config& c) {
  double base = c.number("rope_theta", 10000.0);
  for (const char* name : {"rope_parameters", "rope_scaling"}) {
    const std::optional<Config> rope = c.part(name);
    if (!rope) continue;
    const std::string type = rope->text("rope_type", rope->text("type", "default"));
    STRATA_CHECK(type == "default", "{}: rotations scaled by '{}' are not known here, only the default ones", c.path(),
                 type);
    STRATA_CHECK(rope->number("partial_rotary_factor", 1.0) == 1.0,
                 "{}: rotations of a part of a head are not known here", c.path());
    base = rope->number("rope_theta", base);
  }
  return base;
}

struct LlamaBlockImpl : nn::Module {
  explicit LlamaBlockImpl(const Config& c) : act(activation(c.text("hidden_act", "silu"))) {
    const int64_t features = c.count("hidden_size"), inner = c.count("intermediate_size"),
                  heads = c.count("num_attention_heads"), groups = c.count("num_key_value_heads", heads);
    const bool attention_bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
    STRATA_CHECK(heads % groups == 0, "{}: {} heads do not share {} keys and values evenly", c.path(), heads, groups);
    width = c.has("head_dim") ? c.count("head_dim") : head_width(features, heads);
    const auto norm = [&] { return nn::RMSNorm(nn::RMSNormOptions({features}).eps(c.number("rms_norm_eps", 1e-6))); };
    norm1 = register_at(*this, "input_layernorm", norm());
    query = register_at(*this, "self_attn.q_proj", linear(features, heads * width, attention_bias));
    key = register_at(*this, "self_attn.k_proj", linear(features, groups * width, attention_bias));
    value = register_at(*this, "self_attn.v_proj", linear(features, groups * width, attention_bias));
    out = register_at(*this, "self_attn.o_proj", linear(heads * width, features, attention_bias));
    norm2 = register_at(*this, "post_attention_layernorm", norm());
    gate = register_at(*this, "mlp.gate_proj", linear(features, inner, mlp_bias));
    up = register_at(*this, "mlp.up_proj", linear(features, inner, mlp_bias));
    down = register_at(*this, "mlp.down_proj", linear(inner, features, mlp_bias));
  }
  Tensor forward(const Tensor& x, const Rotation& turned) {
    const Tensor n = norm1(x);
    const Tensor q = turned(split_heads(query(n), width)), k = turned(split_heads(key(n), width)),
                 v = split_heads(value(n), width);
    const Tensor mixed = strata::scaled_dot_product_attention(q, k, v, {}, 0.0, /*is_causal=*/true, {},
                                                              /*enable_gqa=*/true);
    const Tensor attended = x + out(merge_heads(mixed)), m = norm2(attended);
    return attended + down(act(gate(m)) * up(m));
  }
  int64_t width = 0;
  Activation act;
  nn::RMSNorm norm1 = nullptr, norm2 = nullptr;
  nn::Linear query = nullptr, key = nullptr, value = nullptr, out = nullptr, gate = nullptr, up = nullptr,
             down = nullptr;
};
STRATA_MODULE(LlamaBlock);

/// Tokens `(B, T)` to scores of the next ones `(B, T, vocabulary)`.
struct LlamaImpl : nn::Module {
  static constexpr const char* kType = "llama";
  explicit LlamaImpl(const Config& c)
      : positions(c.count("max_position_embeddings", 2048)),
        base(rotation_base(c)),
        tied(c.flag("tie_word_embeddings", false)) {
    const int64_t features = c.count("hidden_size"), vocabulary = c.count("vocab_size");
    token = register_at(*this, "embed_tokens", nn::Embedding(vocabulary, features));
    for (int64_t i = 0; i < c.count("num_hidden_layers"); ++i)
      blocks.push_back(register_at(*this, "layers." + std::to_string(i), LlamaBlock(c)));
    norm = register_at(*this, "norm", nn::RMSNorm(nn::RMSNormOptions({features}).eps(c.number("rms_norm_eps", 1e-6))));
    head = register_at(*this, "lm_head", linear(features, vocabulary, false));
    if (tied) head->weight = head->replace_parameter("weight", token->weight);
  }
  Tensor forward(const Tensor& tokens) {
    const Rotation turned(places_of(tokens, positions).size(0), blocks.at(0)->width, base);
    Tensor x = token(tokens);
    for (LlamaBlock& block : blocks) x = block(x, turned);
    return head(norm(x));
  }
  TensorMap adapted(const TensorMap& file) const {
    TensorMap out;
    for (const auto& item : file)
      if (!item.key().ends_with("rotary_emb.inv_freq"))  // which older files hold
        out.insert(without("model.", item.key()), item.value());
    if (tied) add_tied(out, "lm_head.weight", "embed_tokens.weight");
    return out;
  }
  int64_t positions;
  double base;
  bool tied;
  nn::Embedding token = nullptr;
  std::vector<LlamaBlock> blocks;
  nn::RMSNorm norm = nullptr;
  nn::Linear head = nullptr;
};
STRATA_MODULE(Llama);

}  // namespace hf
