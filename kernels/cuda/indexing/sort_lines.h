// Between tensors and lines of keys: what sort and topk share.
#pragma once
#include "kernels/cuda/indexing/sort_keys.h"

namespace strata::cuda::indexing {

/// Elements along `dim`; a 0-dim tensor is a line of one.
inline int64_t size_along(const Tensor& x, int64_t dim) { return x.dim() ? x.sizes()[dim] : 1; }

/// The keys of x's lines along `dim`, (lines, length), for sort_keys; inverted for a falling order.
Tensor make_keys(const Tensor& x, int64_t dim, bool descending);
/// The bits of a key.
inline int key_bits(const Tensor& keys) { return 8 * static_cast<int>(keys.element_size()); }

/// values and indices: the first elements of x's lines by `order` (lines, length), as many as the outputs have.
void pick_sorted(const Tensor& values, const Tensor& indices, const Tensor& x, int64_t dim, const Tensor& order);

/// The `k` smallest keys of each line and their positions, (lines, k) both, in order of the positions except that those
/// equal to the largest come last.
SortedKeys smallest_keys(const Tensor& keys, int64_t k);

}  // namespace strata::cuda::indexing
