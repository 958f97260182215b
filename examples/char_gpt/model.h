// A GPT over characters in plain modules.
#pragma once
#include <strata/strata.h>

namespace gpt {

using strata::Tensor;
namespace nn = strata::nn;

struct ModelOptions {
  int64_t block = 64, layers = 4, heads = 4, width = 128;
};

/// Attention of each character to those before it, and a perceptron.
struct BlockImpl : nn::Module {
  explicit BlockImpl(const ModelOptions& o) : heads(o.heads) {
    norm1 = register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({o.width})));
    qkv = register_module("qkv", nn::Linear(o.width, 3 * o.width));
    out = register_module("out", nn::Linear(o.width, o.width));
    norm2 = register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({o.width})));
    up = register_module("up", nn::Linear(o.width, 4 * o.width));
    down = register_module("down", nn::Linear(4 * o.width, o.width));
  }
  Tensor attend(const Tensor& x) {
    const Tensor parts = qkv(x).reshape({x.size(0), x.size(1), 3, heads, -1}).permute({2, 0, 3, 1, 4});
    const Tensor mixed =
        strata::scaled_dot_product_attention(parts[0], parts[1], parts[2], {}, 0.0, /*is_causal=*/true);
    return out(mixed.transpose(1, 2).reshape(x.sizes()));
  }
  Tensor forward(const Tensor& x) {
    const Tensor attended = x + attend(norm1(x));
    return attended + down(strata::gelu(up(norm2(attended)), "tanh"));
  }
  int64_t heads;
  nn::LayerNorm norm1 = nullptr, norm2 = nullptr;
  nn::Linear qkv = nullptr, out = nullptr, up = nullptr, down = nullptr;
};
STRATA_MODULE(Block);

/// Numbers of characters `(B, T)` to scores of the next ones `(B, T, vocabulary)`.
struct ModelImpl : nn::Module {
  ModelImpl(const ModelOptions& o, int64_t vocabulary) {
    token = register_module("token", nn::Embedding(vocabulary, o.width));
    place = register_module("place", nn::Embedding(o.block, o.width));
    for (int64_t i = 0; i < o.layers; ++i) blocks->push_back(Block(o));
    register_module("blocks", blocks);
    norm = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({o.width})));
    head = register_module("head", nn::Linear(o.width, vocabulary));
    for (const auto& p : named_parameters())
      if (p.value().dim() == 2) nn::init::normal_(p.value(), 0.0, 0.02);
  }
  Tensor forward(const Tensor& characters) {
    return head(norm(blocks->forward(token(characters) + place(strata::arange(characters.size(1), strata::kLong)))));
  }
  nn::Embedding token = nullptr, place = nullptr;
  nn::Sequential blocks;
  nn::LayerNorm norm = nullptr;
  nn::Linear head = nullptr;
};
STRATA_MODULE(Model);

}  // namespace gpt
