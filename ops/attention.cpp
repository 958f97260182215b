// Scaled dot product attention: fused forward and backward ops with their rules, and a composite for what they leave
// out.
#include "ops/attention.h"

#include <cmath>
#include <limits>

#include "ops/as_result.h"
#include "ops/attention_def.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/random.h"
#include "ops/rules.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// `scores` with -infinity where a query must not look.
Tensor hide_later_keys(const Tensor& scores) {
  const TensorOptions options = TensorOptions(kLong).device(scores.device());
  const Tensor later = arange(scores.size(-1), options).gt(unsqueeze(arange(scores.size(-2), options), 1));
  return scores.masked_fill(later, -std::numeric_limits<double>::infinity());
}

// --- the ops ---------------------------------------------------------------------------------------------------------
// Note [Derivatives of attention]: with s = scale q k^T, l = logsumexp(s), p = exp(s - l) and out = p v, the cotangents
// (g, dl) give dp = g v^T and ds = p (dp - delta) with delta = sum(g out) - dl per row (Dao et al. 2022). That is the
// backward op, whose own derivatives and attention's jvp are written out with (L, S) matrices.

/// exp(scale q k^T - logsumexp), 0 where a query does not look.
Tensor weights_of(const Tensor& q, const Tensor& k, const Tensor& logsumexp, const AttentionParams& p) {
  Tensor scores = matmul(q, k.mT()).mul(p.scale);
  if (p.is_causal) scores = hide_later_keys(scores);
  return exp(scores.sub(unsqueeze(logsumexp, -1)));
}

/// scale (a b^T + c d^T), where a pair with an undefined member is zero.
Tensor scaled_products(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d, double scale) {
  const Tensor first = a.defined() && b.defined() ? matmul(a, b.mT()).mul(scale) : Tensor();
  const Tensor second = c.defined() && d.defined() ? matmul(c, d.mT()).mul(scale) : Tensor();
  return rules::add_defined(first, second);
}

/// a b, undefined if a factor is.
Tensor product(const Tensor& a, const Tensor& b) { return a.defined() && b.defined() ? matmul(a, b) : Tensor(); }
Tensor times(const Tensor& a, const Tensor& b) { return a.defined() && b.defined() ? a.mul(b) : Tensor(); }
Tensor negated(const Tensor& a) { return a.defined() ? a.neg() : a; }
Tensor transposed(const Tensor& a) { return a.defined() ? a.mT() : a; }
Tensor as_column(const Tensor& a) { return a.defined() ? unsqueeze(a, -1) : a; }
Tensor to_type(const Tensor& a, DType t) { return a.defined() ? a.to(t) : a; }
Tensor scaled(const Tensor& a, double factor) { return a.defined() ? a.mul(factor) : a; }
Tensor row_sums(const Tensor& a) { return a.defined() ? a.sum({-1}) : a; }

Tensors attention_vjp(const Vjp& c, const AttentionParams& p) {
  const Tensor& logsumexp = c.out(1);
  const DType sums = logsumexp.dtype();
  const Tensor grad = c.grad(0).defined() ? c.grad(0) : rules::zero_like(c.out(0));
  Tensor delta = grad.to(sums).mul(c.out(0).to(sums)).sum({-1});
  if (!c.grad(1).defined())
    return call(attention_backward_op, {&grad, &c.in(0), &c.in(1), &c.in(2), &logsumexp, &delta, &c.out(0)}, p);
  delta = delta.sub(c.grad(1));
  return call(attention_backward_op, {&grad, &c.in(0), &c.in(1), &c.in(2), &logsumexp, &delta}, p);
}

Tensors attention_jvp(const Jvp& c, const AttentionParams& p) {
  const DType sums = c.out(1).dtype(), type = c.in(0).dtype();
  const Tensor q = c.in(0).to(sums), k = c.in(1).to(sums), w = weights_of(q, k, c.out(1), p);
  const Tensor scores =
      times(w, scaled_products(to_type(c.tangent(0), sums), k, q, to_type(c.tangent(1), sums), p.scale));
  Tensor out = product(w, to_type(c.tangent(2), sums));
  if (!scores.defined()) return {out.to(type), rules::zero_like(c.out(1))};
  const Tensor total = scores.sum({-1});
  const Tensor weights = scores.sub(w.mul(unsqueeze(total, -1)));
  out = rules::add_defined(out, matmul(weights, c.in(2).to(sums)));
  return {out.to(type), total};
}

/// The inputs of the backward op and its matrices, in the type of sums.
struct Backward {
  DType type;
  Tensor grad, q, k, v;
  Tensor weights;  ///< softmax(scale q k^T), called p below
  Tensor excess;   ///< gradient of p without its mean under p: dp - delta
  Tensor scores;   ///< gradient ds of the scores: p (dp - delta)
  Backward(const Primals& c, const AttentionParams& p) : type(c.in(1).dtype()) {
    const Tensor &logsumexp = c.in(4), &delta = c.in(5);
    const DType sums = logsumexp.dtype();
    grad = c.in(0).to(sums), q = c.in(1).to(sums), k = c.in(2).to(sums), v = c.in(3).to(sums);
    weights = weights_of(q, k, logsumexp, p);
    excess = matmul(grad, v.mT()).sub(unsqueeze(delta, -1));
    scores = weights.mul(excess);
  }
};

Tensors attention_backward_vjp(const Vjp& c, const AttentionParams& p) {
  const Backward b(c, p);
  const DType sums = b.q.dtype();
  const Tensor gq = to_type(c.grad(0), sums), gk = to_type(c.grad(1), sums), gv = to_type(c.grad(2), sums);
  const Tensor of_scores = scaled_products(gq, b.k, b.q, gk, p.scale);  // the gradient of ds
  const Tensor of_excess = times(of_scores, b.weights);
  const Tensor of_weights = rules::add_defined(times(of_scores, b.excess), scaled_products(b.grad, gv, {}, {}, 1));
  const Tensor of_inner = times(of_weights, b.weights);  // the gradient of scale q k^T
  const auto sum = [&](const Tensor& x, const Tensor& y) { return to_type(rules::add_defined(x, y), b.type); };
  Tensors grads = Tensors::undefined(c.arity());  // what `out` does, delta does
  if (c.needs(0)) grads[0] = sum(product(of_excess, b.v), product(b.weights, gv));
  if (c.needs(1)) grads[1] = sum(scaled(product(of_inner, b.k), p.scale), scaled(product(b.scores, gk), p.scale));
  if (c.needs(2)) {
    grads[2] = sum(scaled(product(transposed(of_inner), b.q), p.scale), scaled(product(b.scores.mT(), gq), p.scale));
  }
  if (c.needs(3)) grads[3] = to_type(product(transposed(of_excess), b.grad), b.type);
  if (c.needs(4)) grads[4] = negated(row_sums(of_inner));
  if (c.needs(5)) grads[5] = negated(row_sums(of_excess));
  return grads;
}

Tensors attention_backward_jvp(const Jvp& c, const AttentionParams& p) {
  const Backward b(c, p);
  const DType sums = b.q.dtype();
  const Tensor tg = to_type(c.tangent(0), sums), tq = to_type(c.tangent(1), sums), tk = to_type(c.tangent(2), sums),
               tv = to_type(c.tangent(3), sums);
  const Tensor inner = scaled_products(tq, b.k, b.q, tk, p.scale);
  const auto minus_column = [&](const Tensor& x, const Tensor& column) {
    if (!column.defined()) return x;
    const Tensor wide = expand(as_column(column), b.scores.sizes());
    return rules::add_defined(x, wide.neg());
  };
  const Tensor weights = times(b.weights, minus_column(inner, c.tangent(4)));
  const Tensor excess = minus_column(scaled_products(tg, b.v, b.grad, tv, 1), c.tangent(5));
  const Tensor scores = rules::add_defined(times(weights, b.excess), times(b.weights, excess));
  const auto sum = [&](const Tensor& x, const Tensor& y, double scale, const Tensor& like) {
    const Tensor total = rules::add_defined(x, y);
    return total.defined() ? total.mul(scale).to(b.type) : rules::zero_like(like);
  };
  return {sum(product(scores, b.k), product(b.scores, tk), p.scale, c.out(0)),
          sum(product(transposed(scores), b.q), product(b.scores.mT(), tq), p.scale, c.out(1)),
          sum(product(transposed(weights), b.grad), product(b.weights.mT(), tg), 1, c.out(2))};
}

/// The batch becomes a part of dim 0.
Tensors batch_in_front(const Batch& c, const AttentionParams& p) {
  Tensors folded = Tensors::undefined(c.arity());
  for (size_t i = 0; i < c.arity(); ++i) folded[i] = flatten(rules::batched(c, i), 0, 1);
  Tensors out = call(c.op, ArgList(folded), p);
  const int64_t inner = c.in(0).size(c.batched(0) ? 1 : 0);
  for (Tensor& t : out) t = unflatten(t, 0, {c.size, inner});
  return out;
}

}  // namespace

STRATA_OP(attention_op) =
    op<AttentionParams>("attention(Tensor q, Tensor k, Tensor v, float scale, bool is_causal) -> (Tensor, Tensor)")
        .infer([](Args in, const AttentionParams&) -> Metas {
          const IntArrayRef q = in[0].sizes();
          return {meta({q[0], q[1], q[2], in[2].size(3)}, in[0].dtype(), in[0].device()),
                  meta({q[0], q[1], q[2]}, attention_sum_dtype(in[0].dtype()), in[0].device())};
        })
        .vjp([](const Vjp& c, const AttentionParams& p) { return attention_vjp(c, p); })
        .saves(saves_in(0, 1, 2) | saves_out(0, 1))
        .jvp([](const Jvp& c, const AttentionParams& p) { return attention_jvp(c, p); })
        .batch([](const Batch& c, const AttentionParams& p) { return batch_in_front(c, p); })
        .autocast(AutocastPolicy::kLower)
        .dtypes(kFloatingTypes);

STRATA_OP(attention_backward_op) =
    op<AttentionParams>(
        "attention_backward(Tensor grad, Tensor q, Tensor k, Tensor v, Tensor logsumexp, Tensor delta, Tensor? out, "
        "float scale, bool is_causal) -> (Tensor, Tensor, Tensor)")
        .infer([](Args in, const AttentionParams&) -> Metas {
          return {meta_like(in[1]), meta_like(in[2]), meta_like(in[3])};
        })
        .vjp([](const Vjp& c, const AttentionParams& p) { return attention_backward_vjp(c, p); })
        .saves(saves_in(0, 1, 2, 3, 4, 5))
        .jvp([](const Jvp& c, const AttentionParams& p) { return attention_backward_jvp(c, p); })
        .batch([](const Batch& c, const AttentionParams& p) { return batch_in_front(c, p); })
        .dtypes(kFloatingTypes);

// --- the public function ---------------------------------------------------------------------------------------------

namespace {

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v) {
  STRATA_CHECK(q.dim() >= 2 && k.dim() >= 2 && v.dim() >= 2,
               "scaled_dot_product_attention: expected tensors of 2 dims or more, got {}, {} and {}", q.sizes(),
               k.sizes(), v.sizes());
  STRATA_CHECK(q.size(-1) == k.size(-1) && k.size(-2) == v.size(-2),
               "scaled_dot_product_attention: query {}, key {} and value {} do not fit", q.sizes(), k.sizes(),
               v.sizes());
}

/// Softmax where `blocked` entries get nothing and a row that is blocked all over gives zeros. The finite stand-in for
/// -infinity keeps such rows, and their gradients, free of NaN.
Tensor masked_softmax(const Tensor& scores, const Tensor& blocked) {
  const DType type = scores.dtype();
  const double lowest = type == kHalf       ? -65504.0
                        : type == kBFloat16 ? -0x1.FEp127
                                            : std::numeric_limits<float>::lowest();
  return scores.masked_fill(blocked, lowest).softmax(-1).masked_fill(blocked, 0);
}

Tensor attention_weights(const Tensor& scores, const std::optional<Tensor>& mask, bool is_causal) {
  if (is_causal) return hide_later_keys(scores).softmax(-1);
  if (!mask || !mask->defined()) return scores.softmax(-1);
  if (mask->dtype() == kBool) return masked_softmax(scores, mask->logical_not());
  STRATA_CHECK(mask->dtype() == scores.dtype(), "scaled_dot_product_attention: the mask is {}, expected bool or {}",
               name(mask->dtype()), name(scores.dtype()));
  const Tensor blocked = mask->eq(-std::numeric_limits<double>::infinity());
  return masked_softmax(scores.add(mask->masked_fill(blocked, 0)), blocked);
}

/// `x` as `(B, H, rows, cols)` with its leading dims broadcast to `lead`.
Tensor as_heads(const Tensor& x, IntArrayRef lead) {
  const size_t n = lead.size();
  DimVector sizes = lead;
  sizes.push_back(x.size(-2));
  sizes.push_back(x.size(-1));
  const Tensor y = x.sizes() == IntArrayRef(sizes) ? x : expand(x, sizes);
  if (n == 2) return y;
  const int64_t heads = n > 0 ? lead[n - 1] : 1;
  return reshape(y, {numel_of(n > 0 ? lead.slice(0, n - 1) : lead), heads, x.size(-2), x.size(-1)});
}

/// The fused op takes equal floating point types and at least one key. On the CPU its gradients compute the scores a
/// second time, which costs more than keeping them where they are few.
bool is_fused(const Tensor& q, const Tensor& k, const Tensor& v) {
  constexpr int64_t kFewScores = 128 * 128;
  if (!q.is_floating_point() || q.dtype() != k.dtype() || q.dtype() != v.dtype() || k.size(-2) == 0) return false;
  return !q.device().is_cpu() || q.size(-2) * k.size(-2) > kFewScores;
}

Tensor fused_attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionParams& p) {
  const auto lead_of = [](const Tensor& x) { return x.sizes().slice(0, x.sizes().size() - 2); };
  const char* const name = "scaled_dot_product_attention";
  DimVector lead = lead_of(q);
  if (lead_of(k) != lead_of(q)) lead = broadcast_shapes(lead, lead_of(k), name);
  if (lead_of(v) != IntArrayRef(lead)) lead = broadcast_shapes(lead, lead_of(v), name);
  const Tensor queries = as_heads(q, lead), keys = as_heads(k, lead), values = as_heads(v, lead);
  const Tensor out = call1(attention_op, {&queries, &keys, &values}, p);
  if (lead.size() == 2) return out;
  lead.push_back(q.size(-2));
  lead.push_back(v.size(-1));
  return as_result(reshape(out, lead));
}

/// Groups of `size` neighbouring heads (dim -3) of what the query heads index; one head for all stays one.
Tensor group_heads(const Tensor& x, int64_t size) {
  if (x.dim() < 3) return x;
  return x.size(-3) == 1 ? unsqueeze(x, -3) : unflatten(x, -3, {x.size(-3) / size, size});
}

Tensor grouped_attention(const Tensor& q, const Tensor& k, const Tensor& v, std::optional<Tensor> mask,
                         double dropout_p, bool is_causal, std::optional<double> scale) {
  STRATA_CHECK(q.dim() >= 3 && k.dim() >= 3 && v.dim() >= 3 && k.size(-3) > 0 && k.size(-3) == v.size(-3) &&
                   q.size(-3) % k.size(-3) == 0,
               "scaled_dot_product_attention: {} and {} heads do not form groups", q.sizes(), k.sizes());
  const int64_t size = q.size(-3) / k.size(-3);
  if (mask && mask->defined()) mask = group_heads(*mask, size);
  const Tensor grouped = unflatten(q, -3, {k.size(-3), size});
  return as_result(flatten(
      scaled_dot_product_attention(grouped, unsqueeze(k, -3), unsqueeze(v, -3), mask, dropout_p, is_causal, scale), -4,
      -3));
}

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const std::optional<Tensor>& attn_mask, double dropout_p, bool is_causal,
                                    std::optional<double> scale, bool enable_gqa) {
  check_shapes(query, key, value);
  STRATA_CHECK(dropout_p >= 0 && dropout_p <= 1,
               "scaled_dot_product_attention: expected dropout_p between 0 and 1, got {}", dropout_p);
  const bool has_mask = attn_mask && attn_mask->defined();
  STRATA_CHECK(!(is_causal && has_mask), "scaled_dot_product_attention: is_causal excludes a mask");
  if (enable_gqa) return grouped_attention(query, key, value, attn_mask, dropout_p, is_causal, scale);
  const double factor = scale ? *scale : 1 / std::sqrt(static_cast<double>(query.size(-1)));
  if (dropout_p == 0 && !has_mask && is_fused(query, key, value))
    return fused_attention(query, key, value, {factor, is_causal});
  const Tensor scores = matmul(query.mul(factor), key.mT());
  return matmul(dropout(attention_weights(scores, attn_mask, is_causal), dropout_p), value);
}

}  // namespace strata
