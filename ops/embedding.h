// Table look-up and its inverse encoding.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// Rows of `weight` (V, D) at `indices`: the result has shape (indices..., D). The row `padding_idx` gets no gradient;
/// `scale_grad_by_freq` divides each row's gradient by how often it is looked up. Gradients are dense: `sparse`
/// makes no other ones, and one warning says so.
Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx = -1, bool scale_grad_by_freq = false,
                 bool sparse = false);
/// `(x..., num_classes)` int64 with a one at each value of x; without num_classes, one more than the largest value.
Tensor one_hot(const Tensor& x, int64_t num_classes = -1);

}  // namespace strata
