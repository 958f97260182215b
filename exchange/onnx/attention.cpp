// ONNX's attention and rotations.
#include <cmath>
#include <limits>

#include "exchange/onnx/ops.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/shaping.h"
#include "ops/softmax.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// (batch, tokens, heads * width) as (batch, heads, tokens, width).
Tensor by_heads(const Tensor& x, int64_t heads) {
  if (x.dim() == 4) return x;
  return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}

Tensor without_heads(const Tensor& x) {
  const Tensor tokens = transpose(x, 1, 2);
  return reshape(tokens, {tokens.size(0), tokens.size(1), tokens.size(2) * tokens.size(3)});
}

/// Zero where a place may be looked at, else -infinity.
Tensor as_bias(const Tensor& allowed, DType dtype) {
  return cast(where(allowed, zeros({}, kFloat), full({}, -kInfinity, kFloat)), dtype);
}

/// Query i, behind `past` earlier tokens, sees the tokens up to its own.
Tensor causal_mask(int64_t queries, int64_t keys, int64_t past) {
  return le(arange(keys, kLong), add(arange(queries, kLong).reshape({queries, 1}), past));
}

/// A mask that says less than there are keys hides the others.
Tensor as_wide(const Tensor& mask, int64_t keys) {
  const int64_t missing = keys - mask.size(-1);
  if (missing <= 0) return mask;
  return mask.dtype() == kBool ? cast(constant_pad_nd(cast(mask, kByte), {0, missing}, 0), kBool)
                               : constant_pad_nd(mask, {0, missing}, -kInfinity);
}

/// All that is added to the scores, or an undefined tensor.
Tensor bias_of(A a, const Tensor& q, int64_t keys, int64_t past) {
  Tensor bias;
  const auto add_bias = [&bias](const Tensor& t) { bias = bias.defined() ? add(bias, t) : t; };
  if (a.has(3)) {
    const Tensor mask = as_wide(a[3], keys);
    add_bias(mask.dtype() == kBool ? as_bias(mask, q.dtype()) : mask);
  }
  if (a.flag("is_causal")) add_bias(as_bias(causal_mask(q.size(2), keys, past), q.dtype()));
  if (a.has(6)) {
    const Tensor lengths = cast(a[6], kLong).reshape({-1, 1, 1, 1});
    add_bias(as_bias(lt(arange(keys, kLong), lengths), q.dtype()));
  }
  return bias;
}

/// Heads of keys and values that several heads of queries share, as often as these need them.
Tensor repeated(const Tensor& x, int64_t heads) {
  return x.size(1) == heads ? x : repeat_interleave(x, heads / x.size(1), 1);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> attention(A a) {
  const bool is_flat = a[0].dim() == 3;
  const int64_t q_heads = a.integer("q_num_heads", 1), kv_heads = a.integer("kv_num_heads", 1);
  const Tensor q = by_heads(a[0], q_heads);
  Tensor k = by_heads(a[1], kv_heads), v = by_heads(a[2], kv_heads);
  const int64_t past = a.has(4) ? a[4].size(2) : 0;
  if (a.has(4)) k = cat({a[4], k}, 2);
  if (a.has(5)) v = cat({a[5], v}, 2);

  const double scale = std::sqrt(a.number("scale", 1 / std::sqrt(static_cast<double>(q.size(3)))));
  const int64_t shown = a.integer("qk_matmul_output_mode", 0);
  Tensor scores = matmul(mul(q, scale), transpose(mul(repeated(k, q.size(1)), scale), 2, 3));
  Tensor seen = scores;
  const Tensor bias = bias_of(a, q, k.size(2), past);
  if (bias.defined()) scores = add(scores, bias);
  if (shown == 1) seen = scores;
  const double cap = a.number("softcap", 0);
  if (cap > 0) scores = mul(tanh(div(scores, cap)), cap);
  if (shown == 2) seen = scores;
  const DType precise = a.dtype("softmax_precision").value_or(scores.dtype());
  scores = softmax(cast(scores, precise), -1);
  if (shown == 3) seen = scores;
  const Tensor out = cast(matmul(scores, cast(repeated(v, q.size(1)), precise)), q.dtype());
  return {is_flat ? without_heads(out) : out, k, v, a.wants(3) ? cast(seen, q.dtype()) : Tensor()};
}

/// Pairs of the first `width` cells of each head are turned by the angles whose cosines and sines are given.
Tensor rotated(A a) {
  const bool is_flat = a[0].dim() == 3;
  const int64_t given_heads = a.integer("num_heads", 0), given_width = a.integer("rotary_embedding_dim", 0);
  const Tensor x = is_flat ? by_heads(a[0], given_heads) : a[0];
  const int64_t width = given_width == 0 ? x.size(3) : given_width, half = width / 2;
  // (batch, 1, tokens, half)
  const auto angles = [&](const Tensor& cache) {
    if (!a.has(3)) return unsqueeze(cache, 1);
    const Tensor places = cast(a[3], kLong);
    return reshape(index_select(cache, 0, places.reshape({-1})), {places.size(0), 1, places.size(1), cache.size(1)});
  };
  const Tensor cosine = angles(a[1]), sine = angles(a[2]);
  const bool interleaved = a.flag("interleaved");
  const Tensor turned = narrow(x, 3, 0, width);
  const Tensor first = interleaved ? slice(turned, 3, 0, width, 2) : narrow(turned, 3, 0, half);
  const Tensor second = interleaved ? slice(turned, 3, 1, width, 2) : narrow(turned, 3, half, half);
  const Tensor real = sub(mul(cosine, first), mul(sine, second)),
               imaginary = add(mul(sine, first), mul(cosine, second));
  const Tensor joined = interleaved ? flatten(stack({real, imaginary}, -1), 3) : cat({real, imaginary}, 3);
  const Tensor out = width == x.size(3) ? joined : cat({joined, narrow(x, 3, width, x.size(3) - width)}, 3);
  return is_flat ? without_heads(out) : out;
}

constexpr OpEntry kAttentionOps[] = {
    {"Attention", [](A a) { return attention(a); }},
    {"RotaryEmbedding", [](A a) { return rotated(a); }},
};

}  // namespace

std::span<const OpEntry> attention_ops() { return kAttentionOps; }

}  // namespace strata::onnx
