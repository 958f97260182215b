// Multi-head attention.
#include "nn/attention.h"

#include <cmath>
#include <limits>
#include <ostream>

#include "nn/detail.h"
#include "nn/init.h"
#include "ops/attention.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/random.h"
#include "ops/shaping.h"

namespace strata::nn {

namespace {

/// A bool mask, true where nothing may be seen, as what is added to the scores.
Tensor additive(const Tensor& mask, DType dtype) {
  if (mask.dtype() != kBool) return mask.to(dtype);
  return zeros(mask.sizes(), TensorOptions(dtype).device(mask.device()))
      .masked_fill(mask, -std::numeric_limits<double>::infinity());
}

/// `(L, N, E)` to `(N, heads, L, E / heads)`.
Tensor split_heads(const Tensor& x, int64_t heads) {
  return x.unflatten(-1, {heads, x.size(-1) / heads}).permute({1, 2, 0, 3});
}

/// One more key at the end.
Tensor with_key(const Tensor& x, const Tensor& row) {
  return cat({x, row.to(x.dtype()).expand({1, x.size(1), x.size(2)})}, 0);
}

}  // namespace

MultiheadAttentionImpl::MultiheadAttentionImpl(const MultiheadAttentionOptions& options_) : options(options_) {
  MultiheadAttentionImpl::reset();
}

void MultiheadAttentionImpl::reset() {
  const int64_t e = options.embed_dim(), heads = options.num_heads();
  STRATA_CHECK(heads > 0 && e % heads == 0, "MultiheadAttention: {} heads do not divide {} features", heads, e);
  head_dim = e / heads;
  _qkv_same_embed_dim = options.kdim() == e && options.vdim() == e;
  const auto weight_if = [&](bool wanted, int64_t rows, int64_t columns) {
    return wanted ? empty({rows, columns}) : Tensor();
  };
  in_proj_weight = register_parameter("in_proj_weight", weight_if(_qkv_same_embed_dim, 3 * e, e), _qkv_same_embed_dim);
  q_proj_weight = register_parameter("q_proj_weight", weight_if(!_qkv_same_embed_dim, e, e), !_qkv_same_embed_dim);
  k_proj_weight =
      register_parameter("k_proj_weight", weight_if(!_qkv_same_embed_dim, e, options.kdim()), !_qkv_same_embed_dim);
  v_proj_weight =
      register_parameter("v_proj_weight", weight_if(!_qkv_same_embed_dim, e, options.vdim()), !_qkv_same_embed_dim);
  in_proj_bias = register_parameter("in_proj_bias", options.bias() ? empty({3 * e}) : Tensor(), options.bias());
  out_proj = register_module("out_proj", Linear(LinearOptions(e, e).bias(options.bias())));
  const auto extra_key = [&] { return options.add_bias_kv() ? empty({1, 1, e}) : Tensor(); };
  bias_k = register_parameter("bias_k", extra_key(), options.add_bias_kv());
  bias_v = register_parameter("bias_v", extra_key(), options.add_bias_kv());
  _reset_parameters();
}

void MultiheadAttentionImpl::_reset_parameters() {
  for (const Tensor& w : {in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight})
    if (w.defined()) init::xavier_uniform_(w);
  if (in_proj_bias.defined()) init::zeros_(in_proj_bias);
  if (in_proj_bias.defined()) init::zeros_(out_proj->bias);
  for (const Tensor& b : {bias_k, bias_v})
    if (b.defined()) init::xavier_normal_(b);
}

void MultiheadAttentionImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "MultiheadAttention",
               {{"embed_dim", options.embed_dim()},
                {"num_heads", options.num_heads()},
                {"dropout", options.dropout()},
                {"bias", options.bias()}});
}

Tensor MultiheadAttentionImpl::combined_mask(const Tensor& attn_mask, const Tensor& key_padding_mask,
                                             const Tensor& query, int64_t keys) const {
  const int64_t length = query.size(0), batch = query.size(1), heads = options.num_heads();
  Tensor mask;
  if (attn_mask.defined()) {
    const bool fits = attn_mask.sizes() == IntArrayRef({length, keys}) ||
                      attn_mask.sizes() == IntArrayRef({batch * heads, length, keys});
    STRATA_CHECK(fits, "MultiheadAttention: attn_mask has shape {}, expected ({}, {}) or ({}, {}, {})",
                 attn_mask.sizes(), length, keys, batch * heads, length, keys);
    mask = additive(attn_mask, query.dtype());
    mask = mask.dim() == 2 ? mask.unsqueeze(0).unsqueeze(0) : mask.unflatten(0, {batch, heads});
  }
  if (!key_padding_mask.defined()) return mask;
  STRATA_CHECK(key_padding_mask.sizes() == IntArrayRef({batch, keys}),
               "MultiheadAttention: key_padding_mask has shape {}, expected ({}, {})", key_padding_mask.sizes(), batch,
               keys);
  const Tensor padding = additive(key_padding_mask, query.dtype()).unsqueeze(1).unsqueeze(1);
  return mask.defined() ? mask.add(padding) : padding;
}

MultiheadAttentionImpl::Projected MultiheadAttentionImpl::project(const Tensor& query, const Tensor& key,
                                                                  const Tensor& value, Tensor mask) const {
  const int64_t heads = options.num_heads();
  std::vector<Tensor> w = {q_proj_weight, k_proj_weight, v_proj_weight}, b(3);
  if (_qkv_same_embed_dim) w = in_proj_weight.chunk(3);
  if (in_proj_bias.defined()) b = in_proj_bias.chunk(3);
  const Tensor q = linear(query, w[0], b[0]);
  Tensor k = linear(key, w[1], b[1]), v = linear(value, w[2], b[2]);
  const auto add_key = [&](const Tensor& extra_k, const Tensor& extra_v) {
    k = with_key(k, extra_k);
    v = with_key(v, extra_v);
    if (mask.defined()) mask = constant_pad_nd(mask, {0, 1});
  };
  if (bias_k.defined()) add_key(bias_k, bias_v);
  if (options.add_zero_attn()) add_key(zeros({1, 1, 1}, k.options()), zeros({1, 1, 1}, v.options()));
  return {split_heads(q, heads), split_heads(k, heads), split_heads(v, heads), mask};
}

std::tuple<Tensor, Tensor> MultiheadAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                           const Tensor& key_padding_mask, bool need_weights,
                                                           const Tensor& attn_mask, bool average_attn_weights) {
  const bool fits = query.dim() == 3 && key.dim() == 3 && value.dim() == 3 && query.size(2) == options.embed_dim() &&
                    key.size(0) == value.size(0) && key.size(1) == query.size(1) && value.size(1) == query.size(1);
  STRATA_CHECK(fits,
               "MultiheadAttention: query {}, key {} and value {} do not fit (L, N, {}), (S, N, ...), (S, N, ...)",
               query.sizes(), key.sizes(), value.sizes(), options.embed_dim());
  const Projected p = project(query, key, value, combined_mask(attn_mask, key_padding_mask, query, key.size(0)));
  const double dropout_p = is_training() ? options.dropout() : 0;
  Tensor heads, weights;
  if (need_weights) {
    Tensor scores = p.q.mul(1 / std::sqrt(static_cast<double>(head_dim))).matmul(p.k.transpose(-2, -1));
    if (p.mask.defined()) scores = scores.add(p.mask);
    weights = dropout(scores.softmax(-1), dropout_p, true);
    heads = weights.matmul(p.v);
    if (average_attn_weights) weights = weights.mean(IntArrayRef{1});
  } else {
    const std::optional<Tensor> mask = p.mask.defined() ? std::optional(p.mask) : std::nullopt;
    heads = scaled_dot_product_attention(p.q, p.k, p.v, mask, dropout_p);
    // A query that may look at nothing has no weights: NaN here, as softmax gives where they are asked for.
    if (mask) heads = heads.masked_fill(mask->eq(-std::numeric_limits<double>::infinity()).all(-1, true), NAN);
  }
  return {out_proj(heads.permute({2, 0, 1, 3}).flatten(2)), weights};
}

}  // namespace strata::nn
