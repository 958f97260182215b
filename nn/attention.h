// Multi-head attention (Vaswani et al., 2017).
#pragma once
#include <tuple>

#include "linear.h"

namespace strata::nn {

struct MultiheadAttentionOptions {
  MultiheadAttentionOptions(int64_t embed_dim, int64_t num_heads)
      : embed_dim_(embed_dim), num_heads_(num_heads), kdim_(embed_dim), vdim_(embed_dim) {}
  STRATA_ARG(int64_t, embed_dim);
  STRATA_ARG(int64_t, num_heads);
  STRATA_ARG(double, dropout) = 0.0;
  STRATA_ARG(bool, bias) = true;
  STRATA_ARG(bool, add_bias_kv) = false;
  STRATA_ARG(bool, add_zero_attn) = false;
  STRATA_ARG(int64_t, kdim);
  STRATA_ARG(int64_t, vdim);
};

/// Attends from query `(L, N, E)` to key `(S, N, K)` and value `(S, N, V)`.
class MultiheadAttentionImpl : public Cloneable<MultiheadAttentionImpl> {
 public:
  MultiheadAttentionImpl(int64_t embed_dim, int64_t num_heads)
      : MultiheadAttentionImpl(MultiheadAttentionOptions(embed_dim, num_heads)) {}
  explicit MultiheadAttentionImpl(const MultiheadAttentionOptions& options_);
  void reset() override;
  void _reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  /// Gives outputs `(L, N, E)` and, if asked for, weights `(N, L, S)`, or `(N, heads, L, S)` when they are not
  /// averaged. True in key_padding_mask `(N, S)` hides a key from all queries; attn_mask `(L, S)` or `(N * heads, L,
  /// S)` hides where it is true, or is added when it is floating point.
  std::tuple<Tensor, Tensor> forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const Tensor& key_padding_mask = {}, bool need_weights = true,
                                     const Tensor& attn_mask = {}, bool average_attn_weights = true);

  MultiheadAttentionOptions options;
  bool _qkv_same_embed_dim = true;
  int64_t head_dim = 0;
  Tensor in_proj_weight;  ///< `(3 * E, E)`, or undefined when key or value have other sizes
  Tensor q_proj_weight, k_proj_weight, v_proj_weight;  ///< the three parts apart, in that case
  Tensor in_proj_bias;                                 ///< `(3 * E,)` or undefined
  Tensor bias_k, bias_v;                               ///< `(1, 1, E)` or undefined
  Linear out_proj = nullptr;

 private:
  struct Projected {
    Tensor q, k, v, mask;
  };
  Projected project(const Tensor& query, const Tensor& key, const Tensor& value, Tensor mask) const;
  Tensor combined_mask(const Tensor& attn_mask, const Tensor& key_padding_mask, const Tensor& query,
                       int64_t keys) const;
};
STRATA_MODULE(MultiheadAttention);

}  // namespace strata::nn
