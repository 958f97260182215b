// Reading and writing elements by index tensors and masks; a wrong index throws before anything is written. An index
// is int32 or int64, for index_copy, index_fill, take and take_along_dim int64 alone, as in PyTorch.
#pragma once
#include <vector>

#include "../core/tensor.h"
#include "embedding.h"
#include "tensor_index.h"

namespace strata {

/// `out[i][j] = x[index[i][j]][j]` for dim 0, and so on: index has x's number of dims, the result has index's shape.
Tensor gather(const Tensor& x, int64_t dim, const Tensor& index);
/// x with `source[i][j]` written at `[index[i][j]][j]`; of several writes to one place the last in row-major order
/// stays.
Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source);
Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value);
/// Like scatter, but adds each value to what its place holds.
Tensor scatter_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source);
/// x[index] along `dim`; index is 1-dim (or 0-dim).
Tensor index_select(const Tensor& x, int64_t dim, const Tensor& index);
/// x with `alpha * source`'s slices added at `index` along `dim`.
Tensor index_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1);
Tensor index_copy(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source);
Tensor index_fill(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value);
/// The same with `value` in a 0-dim tensor.
Tensor index_fill(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& value);
/// x with `value` where the bool `mask` (broadcast against x) is true.
Tensor masked_fill(const Tensor& x, const Tensor& mask, const Scalar& value);
Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value);
/// `(n,)` elements of x where mask is true, both broadcast, in row-major order.
Tensor masked_select(const Tensor& x, const Tensor& mask);
/// x with the first elements of `source` written, in order, where mask is true.
Tensor masked_scatter(const Tensor& x, const Tensor& mask, const Tensor& source);
/// `(n, dim)` int64 coordinates of the non-zero elements in row-major order.
Tensor nonzero(const Tensor& x);
Tensor argwhere(const Tensor& x);
/// Elements of the flattened x.
Tensor take(const Tensor& x, const Tensor& index);
/// gather with broadcasting in the other dims; indexes the flattened x without a dim.
Tensor take_along_dim(const Tensor& x, const Tensor& index, std::optional<int64_t> dim = std::nullopt);

}  // namespace strata
