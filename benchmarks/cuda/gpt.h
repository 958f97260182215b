// A GPT with GPT-2's architecture (Radford et al. 2019), without dropout.
#pragma once
#include <strata/strata.h>

namespace strata::bench {

struct GptOptions {
  int64_t vocabulary, context, layers, heads, width;
};

class BlockImpl : public nn::Module {
 public:
  BlockImpl(int64_t width, int64_t heads);
  /// `(B, T, C)` to the same.
  Tensor forward(const Tensor& x);

 private:
  Tensor attention(const Tensor& x);
  int64_t heads_;
  nn::LayerNorm norm1_, norm2_;
  nn::Linear qkv_, projection_, up_, down_;
};
STRATA_MODULE(Block);

class Gpt : public nn::Module {
 public:
  explicit Gpt(const GptOptions& options);
  /// Logits `(B, T, V)` of tokens `(B, T)`. The embedding is the last layer's weight as well.
  Tensor forward(const Tensor& tokens);
  /// Mean cross-entropy; matrix products in bfloat16.
  Tensor loss_in_bf16(const Tensor& tokens, const Tensor& targets);

 private:
  nn::Embedding tokens_, positions_;
  nn::ModuleList blocks_;
  nn::LayerNorm norm_;
};

}  // namespace strata::bench
