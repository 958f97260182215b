// Views: tensors that look at another one's data with a different shape. Nothing is copied unless a docstring says so.
#pragma once
#include <optional>
#include <vector>

#include "../core/tensor.h"

namespace strata {

/// The same elements in another shape; one size may be -1. Throws when the strides do not allow it (then use reshape).
Tensor view(const Tensor& x, IntArrayRef sizes);
/// A view where the strides allow it, else a copy.
Tensor reshape(const Tensor& x, IntArrayRef sizes);
/// Repeats size-1 dims and adds leading ones, without copying (stride 0); -1 keeps a size.
Tensor expand(const Tensor& x, IntArrayRef sizes);
Tensor broadcast_to(const Tensor& x, IntArrayRef sizes);
/// All tensors expanded to their common shape.
std::vector<Tensor> broadcast_tensors(TensorList tensors);
/// Output dim i is input dim dims[i].
Tensor permute(const Tensor& x, IntArrayRef dims);
Tensor transpose(const Tensor& x, int64_t a, int64_t b);
/// Swaps the dims of a matrix; 0-dim and 1-dim tensors come back unchanged.
Tensor t(const Tensor& x);
Tensor movedim(const Tensor& x, IntArrayRef source, IntArrayRef destination);
Tensor movedim(const Tensor& x, int64_t source, int64_t destination);
/// Drops all dims of size 1, or just those named (others stay).
Tensor squeeze(const Tensor& x);
Tensor squeeze(const Tensor& x, int64_t dim);
Tensor squeeze(const Tensor& x, IntArrayRef dims);
/// A new dim of size 1 at `dim` of the result.
Tensor unsqueeze(const Tensor& x, int64_t dim);
/// Joins dims `start_dim` to `end_dim` into one; copies where strides demand it.
Tensor flatten(const Tensor& x, int64_t start_dim = 0, int64_t end_dim = -1);
Tensor unflatten(const Tensor& x, int64_t dim, IntArrayRef sizes);
Tensor ravel(const Tensor& x);
/// Index `index` of dim `dim`, which disappears.
Tensor select(const Tensor& x, int64_t dim, int64_t index);
/// `x[start:end:step]` along `dim` with Python's clamping; step >= 1.
Tensor slice(const Tensor& x, int64_t dim = 0, std::optional<int64_t> start = std::nullopt,
             std::optional<int64_t> end = std::nullopt, int64_t step = 1);
Tensor narrow(const Tensor& x, int64_t dim, int64_t start, int64_t length);
/// The same with `start` in a 0-dim integer tensor.
Tensor narrow(const Tensor& x, int64_t dim, const Tensor& start, int64_t length);
/// The diagonal of dims (dim1, dim2), as the last dim.
Tensor diagonal(const Tensor& x, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
/// Windows of `size` every `step` along `dim`; the window is the last dim.
Tensor unfold(const Tensor& x, int64_t dim, int64_t size, int64_t step);
/// Any geometry over x's storage; `storage_offset` counts from the start of the storage and defaults to x's own.
Tensor as_strided(const Tensor& x, IntArrayRef sizes, IntArrayRef strides,
                  std::optional<int64_t> storage_offset = std::nullopt);
/// `chunks` pieces of equal size (the last may be smaller, and there may be fewer).
std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t dim = 0);
std::vector<Tensor> split(const Tensor& x, int64_t size, int64_t dim = 0);
std::vector<Tensor> split(const Tensor& x, IntArrayRef sizes, int64_t dim = 0);
std::vector<Tensor> split_with_sizes(const Tensor& x, IntArrayRef sizes, int64_t dim = 0);
/// All selections of `dim`.
std::vector<Tensor> unbind(const Tensor& x, int64_t dim = 0);
/// x itself as a new tensor over the same data, with its gradient passing through.
Tensor alias(const Tensor& x);
/// x over the same data, as a constant: for eager autograd, or inside transforms for the innermost that x belongs to.
Tensor detach(const Tensor& x);
/// The same for all transforms around, as JAX's stop_gradient.
Tensor stop_gradient(const Tensor& x);

}  // namespace strata
