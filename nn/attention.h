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

namespace functional {

struct MultiheadAttentionForwardFuncOptions {
  MultiheadAttentionForwardFuncOptions(int64_t embed_dim_to_check, int64_t num_heads, Tensor in_proj_weight,
                                       Tensor in_proj_bias, Tensor bias_k, Tensor bias_v, bool add_zero_attn,
                                       double dropout_p, Tensor out_proj_weight, Tensor out_proj_bias)
      : embed_dim_to_check_(embed_dim_to_check),
        num_heads_(num_heads),
        in_proj_weight_(std::move(in_proj_weight)),
        in_proj_bias_(std::move(in_proj_bias)),
        bias_k_(std::move(bias_k)),
        bias_v_(std::move(bias_v)),
        add_zero_attn_(add_zero_attn),
        dropout_p_(dropout_p),
        out_proj_weight_(std::move(out_proj_weight)),
        out_proj_bias_(std::move(out_proj_bias)) {}
  STRATA_ARG(int64_t, embed_dim_to_check);
  STRATA_ARG(int64_t, num_heads);
  STRATA_ARG(Tensor, in_proj_weight);
  STRATA_ARG(Tensor, in_proj_bias);
  STRATA_ARG(Tensor, bias_k);
  STRATA_ARG(Tensor, bias_v);
  STRATA_ARG(bool, add_zero_attn);
  STRATA_ARG(double, dropout_p);
  STRATA_ARG(Tensor, out_proj_weight);
  STRATA_ARG(Tensor, out_proj_bias);
  STRATA_ARG(bool, training) = true;
  STRATA_ARG(Tensor, key_padding_mask);
  STRATA_ARG(bool, need_weights) = true;
  STRATA_ARG(Tensor, attn_mask);
  STRATA_ARG(bool, use_separate_proj_weight) = false;
  STRATA_ARG(Tensor, q_proj_weight);
  STRATA_ARG(Tensor, k_proj_weight);
  STRATA_ARG(Tensor, v_proj_weight);
  /// Keys and values `(N * heads, S, E / heads)` that are projected already, in place of those of key and value.
  STRATA_ARG(Tensor, static_k);
  STRATA_ARG(Tensor, static_v);
  STRATA_ARG(bool, average_attn_weights) = true;
};

/// What MultiheadAttention computes, with all weights given; see its forward.
std::tuple<Tensor, Tensor> multi_head_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                        const MultiheadAttentionForwardFuncOptions& options);

}  // namespace functional

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
};
STRATA_MODULE(MultiheadAttention);

}  // namespace strata::nn
