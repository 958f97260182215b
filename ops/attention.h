// Scaled dot product attention.
#pragma once
#include <optional>

#include "../core/tensor.h"

namespace strata {

/// `softmax(q k^T * scale + mask) v` (Vaswani et al. 2017) with q `(..., L, E)`, k `(..., S, E)`, v `(..., S, V)` to
/// `(..., L, V)`. A bool mask broadcast to `(..., L, S)` is true where a query may look, a floating point one is added;
/// `is_causal` lets query i see keys 0 to i. A query that may look nowhere gives zeros. `scale` defaults to 1 /
/// sqrt(E). With `enable_gqa` each head of k and v serves a group of heads (dim -3) of q.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const std::optional<Tensor>& attn_mask = std::nullopt, double dropout_p = 0,
                                    bool is_causal = false, std::optional<double> scale = std::nullopt,
                                    bool enable_gqa = false);

}  // namespace strata
