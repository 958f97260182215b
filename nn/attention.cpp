// Multi-head attention.
#include "nn/attention.h"

#include <cmath>
#include <limits>
#include <ostream>

#include "core/called.h"
#include "core/naming.h"
#include "nn/in_module.h"
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
  stream << module_prefix() << "MultiheadAttention";
}

namespace {

using ForwardOptions = functional::MultiheadAttentionForwardFuncOptions;

Tensor combined_mask(const ForwardOptions& o, int64_t length, int64_t batch, int64_t keys, DType dtype) {
  const int64_t heads = o.num_heads();
  Tensor mask;
  if (o.attn_mask().defined()) {
    const IntArrayRef sizes = o.attn_mask().sizes();
    STRATA_CHECK(sizes == IntArrayRef({length, keys}) || sizes == IntArrayRef({batch * heads, length, keys}),
                 "MultiheadAttention: attn_mask has shape {}, expected ({}, {}) or ({}, {}, {})", sizes, length, keys,
                 batch * heads, length, keys);
    mask = additive(o.attn_mask(), dtype);
    mask = mask.dim() == 2 ? mask.unsqueeze(0).unsqueeze(0) : mask.unflatten(0, {batch, heads});
  }
  if (!o.key_padding_mask().defined()) return mask;
  STRATA_CHECK(o.key_padding_mask().sizes() == IntArrayRef({batch, keys}),
               "MultiheadAttention: key_padding_mask has shape {}, expected ({}, {})", o.key_padding_mask().sizes(),
               batch, keys);
  const Tensor padding = additive(o.key_padding_mask(), dtype).unsqueeze(1).unsqueeze(1);
  return mask.defined() ? mask.add(padding) : padding;
}

/// Query, keys and values of each head, and what is added to the scores.
struct Projected {
  Tensor q, k, v, mask;
};

/// Keys or values that were projected before, `(N * heads, S, E / heads)`, as `(N, heads, S, E / heads)`.
Tensor of_heads(const Tensor& x, int64_t batch, const ForwardOptions& o) {
  const int64_t head_dim = o.embed_dim_to_check() / o.num_heads();
  STRATA_CHECK(x.dim() == 3 && x.size(0) == batch * o.num_heads() && x.size(2) == head_dim,
               "multi_head_attention_forward: static_k or static_v has shape {}, expected ({}, S, {})", x.sizes(),
               batch * o.num_heads(), head_dim);
  return x.unflatten(0, {batch, o.num_heads()});
}

Projected project(const Tensor& query, const Tensor& key, const Tensor& value, const ForwardOptions& o) {
  const int64_t heads = o.num_heads(), batch = query.size(1);
  std::vector<Tensor> w = {o.q_proj_weight(), o.k_proj_weight(), o.v_proj_weight()}, b(3);
  if (!o.use_separate_proj_weight()) w = o.in_proj_weight().chunk(3);
  if (o.in_proj_bias().defined()) b = o.in_proj_bias().chunk(3);
  const bool has_static = o.static_k().defined() || o.static_v().defined();
  STRATA_CHECK(
      !has_static || !o.bias_k().defined(),
      "multi_head_attention_forward: bias cannot be added to static key: bias_k and bias_v go with no static_k or "
      "static_v");
  const int64_t keys = o.static_k().defined() ? o.static_k().size(1) : key.size(0);
  Tensor mask = combined_mask(o, query.size(0), batch, keys, query.dtype());
  Tensor k = linear(key, w[1], b[1]), v = linear(value, w[2], b[2]);
  const auto widen_mask = [&] {
    if (mask.defined()) mask = constant_pad_nd(mask, {0, 1});
  };
  if (o.bias_k().defined()) {
    k = with_key(k, o.bias_k());
    v = with_key(v, o.bias_v());
    widen_mask();
  }
  k = o.static_k().defined() ? of_heads(o.static_k(), batch, o) : split_heads(k, heads);
  v = o.static_v().defined() ? of_heads(o.static_v(), batch, o) : split_heads(v, heads);
  if (o.add_zero_attn()) {
    k = constant_pad_nd(k, {0, 0, 0, 1});
    v = constant_pad_nd(v, {0, 0, 0, 1});
    widen_mask();
  }
  return {split_heads(linear(query, w[0], b[0]), heads), k, v, mask};
}

}  // namespace

std::tuple<Tensor, Tensor> functional::multi_head_attention_forward(const Tensor& query, const Tensor& key,
                                                                    const Tensor& value, const ForwardOptions& o) {
  const Called called;
  const int64_t embed_dim = o.embed_dim_to_check(), heads = o.num_heads();
  STRATA_CHECK(heads > 0 && embed_dim % heads == 0, "MultiheadAttention: {} heads do not divide {} features", heads,
               embed_dim);
  const bool fits = query.dim() == 3 && key.dim() == 3 && value.dim() == 3 && query.size(2) == embed_dim &&
                    key.size(0) == value.size(0) && key.size(1) == query.size(1) && value.size(1) == query.size(1);
  STRATA_CHECK(fits,
               "MultiheadAttention: query {}, key {} and value {} do not fit (L, N, {}), (S, N, ...), (S, N, ...)",
               query.sizes(), key.sizes(), value.sizes(), embed_dim);
  const Projected p = project(query, key, value, o);
  const double dropout_p = o.training() ? o.dropout_p() : 0;
  Tensor seen, weights;
  if (o.need_weights()) {
    const double scale = 1 / std::sqrt(static_cast<double>(embed_dim / heads));
    Tensor scores = p.q.mul(scale).matmul(p.k.transpose(-2, -1));
    if (p.mask.defined()) scores = scores.add(p.mask);
    weights = strata::dropout(scores.softmax(-1), dropout_p, true);
    seen = weights.matmul(p.v);
    if (o.average_attn_weights()) weights = weights.mean(IntArrayRef{1});
  } else {
    const std::optional<Tensor> mask = p.mask.defined() ? std::optional(p.mask) : std::nullopt;
    seen = scaled_dot_product_attention(p.q, p.k, p.v, mask, dropout_p);
    // A query that may look at nothing has no weights: NaN here, as softmax gives where they are asked for.
    if (mask) seen = seen.masked_fill(mask->eq(-std::numeric_limits<double>::infinity()).all(-1, true), NAN);
  }
  const Tensor joined = seen.permute({2, 0, 1, 3}).flatten(2);
  return {strata::linear(joined, o.out_proj_weight(), o.out_proj_bias()), weights};
}

std::tuple<Tensor, Tensor> MultiheadAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                           const Tensor& key_padding_mask, bool need_weights,
                                                           const Tensor& attn_mask, bool average_attn_weights) {
  return in_module(*this, [&] {
    return functional::multi_head_attention_forward(
        query, key, value,
        ForwardOptions(options.embed_dim(), options.num_heads(), in_proj_weight, in_proj_bias, bias_k, bias_v,
                       options.add_zero_attn(), options.dropout(), out_proj->weight, out_proj->bias)
            .training(is_training())
            .key_padding_mask(key_padding_mask)
            .need_weights(need_weights)
            .attn_mask(attn_mask)
            .use_separate_proj_weight(!_qkv_same_embed_dim)
            .q_proj_weight(q_proj_weight)
            .k_proj_weight(k_proj_weight)
            .v_proj_weight(v_proj_weight)
            .average_attn_weights(average_attn_weights));
  });
}

}  // namespace strata::nn
