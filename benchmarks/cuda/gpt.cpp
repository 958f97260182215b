// The model of the GPT rows.
#include "gpt.h"

namespace strata::bench {

BlockImpl::BlockImpl(int64_t width, int64_t heads)
    : heads_(heads),
      norm1_(register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({width})))),
      norm2_(register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({width})))),
      qkv_(register_module("qkv", nn::Linear(width, 3 * width))),
      projection_(register_module("projection", nn::Linear(width, width))),
      up_(register_module("up", nn::Linear(width, 4 * width))),
      down_(register_module("down", nn::Linear(4 * width, width))) {}

Tensor BlockImpl::attention(const Tensor& x) {
  const int64_t b = x.size(0), t = x.size(1), c = x.size(2);
  const auto qkv = qkv_(x).split(c, 2);
  const auto heads = [&](const Tensor& y) { return y.view({b, t, heads_, c / heads_}).transpose(1, 2); };
  const Tensor y =
      scaled_dot_product_attention(heads(qkv[0]), heads(qkv[1]), heads(qkv[2]), std::nullopt, 0, /*is_causal=*/true);
  return projection_(y.transpose(1, 2).contiguous().view({b, t, c}));
}

Tensor BlockImpl::forward(const Tensor& x) {
  const Tensor y = x + attention(norm1_(x));
  return y + down_(gelu(up_(norm2_(y)), "tanh"));
}

Gpt::Gpt(const GptOptions& o)
    : tokens_(register_module("tokens", nn::Embedding(o.vocabulary, o.width))),
      positions_(register_module("positions", nn::Embedding(o.context, o.width))),
      blocks_(register_module("blocks", nn::ModuleList())),
      norm_(register_module("norm", nn::LayerNorm(nn::LayerNormOptions({o.width})))) {
  for (int64_t i = 0; i < o.layers; ++i) blocks_->push_back(Block(o.width, o.heads));
  const NoGradGuard no_grad;
  tokens_->weight.normal_(0, 0.02);
  positions_->weight.normal_(0, 0.02);
}

Tensor Gpt::forward(const Tensor& tokens) {
  const Tensor places = arange(tokens.size(1), TensorOptions(kLong).device(tokens.device()));
  Tensor x = tokens_(tokens) + positions_(places);
  for (const auto& block : *blocks_) x = block->as<BlockImpl>()->forward(x);
  return linear(norm_(x), tokens_->weight);
}

Tensor Gpt::loss_in_bf16(const Tensor& tokens, const Tensor& targets) {
  const AutocastGuard autocast(tokens.device().type(), kBFloat16);
  const Tensor logits = forward(tokens);
  return nn::functional::cross_entropy(logits.view({-1, logits.size(-1)}), targets.view({-1}));
}

}  // namespace strata::bench
