// Joining and dividing tensors beyond cat, stack and split: columns, blocks, products, and pieces by place.
#pragma once
#include <vector>

#include "../core/tensor.h"
#include "view.h"

namespace strata {

/// Pieces along `dim`: `sections` of sizes that differ by one at most, the larger ones first; or those between the
/// `indices`, each of which counts and is cut off as in Python's x[a:b].
std::vector<Tensor> tensor_split(const Tensor& x, int64_t sections, int64_t dim = 0);
std::vector<Tensor> tensor_split(const Tensor& x, IntArrayRef indices, int64_t dim = 0);
/// The same with a number of sections (0-dim) or indices (1-dim) in an int64 tensor on the CPU.
std::vector<Tensor> tensor_split(const Tensor& x, const Tensor& indices_or_sections, int64_t dim = 0);
/// tensor_split along dim 1 (dim 0 of 1-dim tensors), into `sections` of one size, or between `indices`.
std::vector<Tensor> hsplit(const Tensor& x, int64_t sections);
std::vector<Tensor> hsplit(const Tensor& x, IntArrayRef indices);
/// The same along dim 0 of at least 2 dims.
std::vector<Tensor> vsplit(const Tensor& x, int64_t sections);
std::vector<Tensor> vsplit(const Tensor& x, IntArrayRef indices);
/// The same along dim 2 of at least 3 dims.
std::vector<Tensor> dsplit(const Tensor& x, int64_t sections);
std::vector<Tensor> dsplit(const Tensor& x, IntArrayRef indices);

/// Views with leading and trailing dims of size 1 as NumPy adds them: `(n,)` becomes `(1, n)` and `(1, n, 1)`, `(m, n)`
/// becomes `(m, n, 1)`.
Tensor atleast_1d(const Tensor& x);
Tensor atleast_2d(const Tensor& x);
Tensor atleast_3d(const Tensor& x);
std::vector<Tensor> atleast_1d(TensorList tensors);
std::vector<Tensor> atleast_2d(TensorList tensors);
std::vector<Tensor> atleast_3d(TensorList tensors);

/// Joins along dim 1, with tensors of fewer than 2 dims as columns.
Tensor column_stack(TensorList tensors);
/// `vstack` under its other name.
Tensor row_stack(TensorList tensors);
/// Joins along dim 2 after making everything at least 3-dim.
Tensor dstack(TensorList tensors);
/// The matrix with these matrices (rows, where they have fewer than 2 dims) along its diagonal and zeros elsewhere;
/// dtypes are promoted.
Tensor block_diag(TensorList tensors);
/// All combinations of one element of each 1-dim tensor, `(n1 n2 …, tensors)`; of one tensor that tensor itself.
Tensor cartesian_prod(TensorList tensors);
/// All combinations of `r` elements of the 1-dim x, in the order of their places, `(count, r)`.
Tensor combinations(const Tensor& x, int64_t r = 2, bool with_replacement = false);

/// `chunk` and `split`; in PyTorch these may be written to in place without a look at the others.
inline std::vector<Tensor> unsafe_chunk(const Tensor& x, int64_t chunks, int64_t dim = 0) {
  return chunk(x, chunks, dim);
}
inline std::vector<Tensor> unsafe_split(const Tensor& x, int64_t size, int64_t dim = 0) { return split(x, size, dim); }
inline std::vector<Tensor> unsafe_split_with_sizes(const Tensor& x, IntArrayRef sizes, int64_t dim = 0) {
  return split_with_sizes(x, sizes, dim);
}
/// All elements of the tensors, one tensor behind the other, and back: pieces of `flat` in the tensors' shapes.
Tensor flatten_dense_tensors(TensorList tensors);
std::vector<Tensor> unflatten_dense_tensors(const Tensor& flat, TensorList tensors);

}  // namespace strata
