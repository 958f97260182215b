// Joining, padding, repeating, flipping and scattering whole blocks: results are new tensors, never views.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "../core/tensor.h"

namespace strata {

/// Joins tensors along `dim`; all other sizes must agree. Empty 1-dim tensors are skipped; dtypes are promoted.
Tensor cat(TensorList tensors, int64_t dim = 0);
Tensor concat(TensorList tensors, int64_t dim = 0);
Tensor concatenate(TensorList tensors, int64_t dim = 0);
/// Joins tensors of equal shape along a new dim.
Tensor stack(TensorList tensors, int64_t dim = 0);
/// Pieces of the given sizes along `dim`, which must add up to it: `split`, but copies. They have one gradient
/// together, while each view of a split has one as large as x.
std::vector<Tensor> split_copy(const Tensor& x, IntArrayRef sizes, int64_t dim = 0);
std::vector<Tensor> split_with_sizes_copy(const Tensor& x, IntArrayRef sizes, int64_t dim = 0);
/// The slices along `dim`: `unbind`, but copies.
std::vector<Tensor> unbind_copy(const Tensor& x, int64_t dim = 0);
/// Joins along dim 1, or dim 0 for 1-dim tensors.
Tensor hstack(TensorList tensors);
/// Joins along dim 0 after making everything at least 2-dim.
Tensor vstack(TensorList tensors);

/// Pads with `value`: `padding` lists (before, after) from the last dim backwards, as torch.nn.functional.pad does.
/// Negative entries cut.
Tensor constant_pad_nd(const Tensor& x, IntArrayRef padding, const Scalar& value = 0);
/// Pads in mode "constant", "reflect", "replicate" or "circular"; `value` is for "constant".
Tensor pad(const Tensor& x, IntArrayRef padding, std::string_view mode = "constant", const Scalar& value = 0);

/// Reverses the order of elements along `dims`.
Tensor flip(const Tensor& x, IntArrayRef dims);
Tensor fliplr(const Tensor& x);
Tensor flipud(const Tensor& x);
/// Moves elements along `dims` with wrap-around; without dims, over the flattened tensor.
Tensor roll(const Tensor& x, IntArrayRef shifts, IntArrayRef dims = {});
/// Copies the tensor `repeats[i]` times along dim i; more repeats than dims add leading dims.
Tensor repeat(const Tensor& x, IntArrayRef repeats);
/// Like repeat, with missing leading repeats taken as 1.
Tensor tile(const Tensor& x, IntArrayRef repeats);
/// Repeats each element along `dim` (of the flattened tensor without one). `output_size`, if given, must be the size of
/// that dim in the result.
Tensor repeat_interleave(const Tensor& x, int64_t repeats, std::optional<int64_t> dim = std::nullopt,
                         std::optional<int64_t> output_size = std::nullopt);
/// The same with a count per element, a `(n,)` integer tensor.
Tensor repeat_interleave(const Tensor& x, const Tensor& repeats, std::optional<int64_t> dim = std::nullopt,
                         std::optional<int64_t> output_size = std::nullopt);
/// The index i, `repeats[i]` times for each i.
Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> output_size = std::nullopt);

/// Keeps the part of each matrix on and below `diagonal`, zero elsewhere.
Tensor tril(const Tensor& x, int64_t diagonal = 0);
/// Keeps the part of each matrix on and above `diagonal`, zero elsewhere.
Tensor triu(const Tensor& x, int64_t diagonal = 0);
/// `(2, n)` int64 coordinates of the lower triangle of a `(rows, cols)` matrix, in row order.
Tensor tril_indices(int64_t rows, int64_t cols, int64_t offset = 0, const TensorOptions& options = kLong);
Tensor triu_indices(int64_t rows, int64_t cols, int64_t offset = 0, const TensorOptions& options = kLong);
/// The square matrix with x on its diagonal for 1-dim x; a copy of the diagonal for 2-dim x.
Tensor diag(const Tensor& x, int64_t diagonal = 0);
/// Matrices in (dim1, dim2) of the result with x's last dim on their diagonal.
Tensor diag_embed(const Tensor& x, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1);
/// Coordinate grids of 1-dim tensors, expanded views; `indexing` is "ij" or "xy".
std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing);
/// The same by "ij"; warns, as libtorch does, that it will have to be said which.
std::vector<Tensor> meshgrid(TensorList tensors);

/// A copy of `base` with `source` written over the place that the view of the same name shows.
Tensor select_scatter(const Tensor& base, const Tensor& source, int64_t dim, int64_t index);
Tensor slice_scatter(const Tensor& base, const Tensor& source, int64_t dim = 0,
                     std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt,
                     int64_t step = 1);
Tensor diagonal_scatter(const Tensor& base, const Tensor& source, int64_t offset = 0, int64_t dim1 = 0,
                        int64_t dim2 = 1);
/// The geometry is relative to a row-major copy of `base`: Note [Geometry over a contiguous base].
Tensor as_strided_scatter(const Tensor& base, const Tensor& source, IntArrayRef sizes, IntArrayRef strides,
                          std::optional<int64_t> storage_offset = std::nullopt);

/// Elements of a row-major copy of `base` at the given geometry, as a new tensor.
Tensor as_strided_copy(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset = 0);
/// Adjoint of as_strided_copy: adds `grad` into row-major zeros of `base_sizes` at the given geometry.
Tensor as_strided_backward(const Tensor& grad, IntArrayRef base_sizes, IntArrayRef strides, int64_t storage_offset);
/// Adjoints of the views: `grad` put back (added where windows overlap) into zeros of `input_sizes`. Dims and bounds
/// are normalised.
Tensor slice_backward(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t start, int64_t end,
                      int64_t step);
Tensor select_backward(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t index);
Tensor unfold_backward(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t size, int64_t step);
Tensor diagonal_backward(const Tensor& grad, IntArrayRef input_sizes, int64_t offset, int64_t dim1, int64_t dim2);

}  // namespace strata
