// Scaled dot product attention over matmul, softmax and masks.
#include "ops/attention.h"

#include <cmath>
#include <limits>

#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/random.h"
#include "ops/view.h"

namespace strata {
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
  const double lowest = scores.dtype() == kHalf ? -65504.0 : std::numeric_limits<float>::lowest();
  return scores.masked_fill(blocked, lowest).softmax(-1).masked_fill(blocked, 0);
}

Tensor attention_weights(const Tensor& scores, const std::optional<Tensor>& mask, bool is_causal) {
  if (is_causal) {
    const int64_t rows = scores.size(-2), cols = scores.size(-1);
    const TensorOptions options = TensorOptions(kLong).device(scores.device());
    const Tensor later = arange(cols, options).gt(unsqueeze(arange(rows, options), 1));
    return scores.masked_fill(later, -std::numeric_limits<double>::infinity()).softmax(-1);
  }
  if (!mask || !mask->defined()) return scores.softmax(-1);
  if (mask->dtype() == kBool) return masked_softmax(scores, mask->logical_not());
  STRATA_CHECK(mask->dtype() == scores.dtype(), "scaled_dot_product_attention: the mask is {}, expected bool or {}",
               name(mask->dtype()), name(scores.dtype()));
  const Tensor blocked = mask->eq(-std::numeric_limits<double>::infinity());
  return masked_softmax(scores.add(mask->masked_fill(blocked, 0)), blocked);
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
  return flatten(
      scaled_dot_product_attention(grouped, unsqueeze(k, -3), unsqueeze(v, -3), mask, dropout_p, is_causal, scale), -4,
      -3);
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
  const Tensor scores = matmul(query.mul(factor), key.mT());
  return matmul(dropout(attention_weights(scores, attn_mask, is_causal), dropout_p), value);
}

}  // namespace strata
