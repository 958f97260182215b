// Elements in other places: turned, shuffled, laid on diagonals, and copies of what the views of the same names show.
#pragma once
#include <optional>
#include <vector>

#include "../core/tensor.h"

namespace strata {

/// x turned by `k` quarters from the first of two dims towards the second.
Tensor rot90(const Tensor& x, int64_t k = 1, IntArrayRef dims = {0, 1});
/// `movedim` and `transpose` under their other names.
Tensor moveaxis(const Tensor& x, IntArrayRef source, IntArrayRef destination);
Tensor moveaxis(const Tensor& x, int64_t source, int64_t destination);
Tensor swapdims(const Tensor& x, int64_t a, int64_t b);
Tensor swapaxes(const Tensor& x, int64_t a, int64_t b);
/// The square matrix with all elements of x on its diagonal.
Tensor diagflat(const Tensor& x, int64_t offset = 0);
/// `(N, C, ...)` with channel j of group i at place j * groups + i.
Tensor channel_shuffle(const Tensor& x, int64_t groups);
Tensor native_channel_shuffle(const Tensor& x, int64_t groups);
/// The values of `sort` along dim 0.
Tensor msort(const Tensor& x);
/// Slices along `dim` whose p-norm is above `maxnorm` scaled down to it.
Tensor renorm(const Tensor& x, const Scalar& p, int64_t dim, const Scalar& maxnorm);
/// The p-norm of a - b, broadcast.
Tensor dist(const Tensor& a, const Tensor& b, const Scalar& p = 2);
/// The norms of v's slices along `dim` (of all elements for -1), with the other dims kept as 1.
Tensor norm_except_dim(const Tensor& v, int64_t pow = 2, int64_t dim = 0);
/// start, start + step, … up to `end`, which is included; float unless the options say otherwise.
Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options = {});
Tensor range(const Scalar& start, const Scalar& end, const TensorOptions& options = {});
/// Memory for `sizes` in which dim physical_layout[0] has the largest stride, and so on.
Tensor empty_permuted(IntArrayRef sizes, IntArrayRef physical_layout, const TensorOptions& options = {});

// Copies, never views.
Tensor alias_copy(const Tensor& x);
Tensor detach_copy(const Tensor& x);
Tensor diagonal_copy(const Tensor& x, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
Tensor expand_copy(const Tensor& x, IntArrayRef sizes, bool implicit = false);
Tensor narrow_copy(const Tensor& x, int64_t dim, int64_t start, int64_t length);
Tensor permute_copy(const Tensor& x, IntArrayRef dims);
Tensor select_copy(const Tensor& x, int64_t dim, int64_t index);
Tensor slice_copy(const Tensor& x, int64_t dim = 0, std::optional<int64_t> start = std::nullopt,
                  std::optional<int64_t> end = std::nullopt, int64_t step = 1);
Tensor squeeze_copy(const Tensor& x);
Tensor squeeze_copy(const Tensor& x, int64_t dim);
Tensor squeeze_copy(const Tensor& x, IntArrayRef dims);
Tensor t_copy(const Tensor& x);
Tensor transpose_copy(const Tensor& x, int64_t a, int64_t b);
Tensor unfold_copy(const Tensor& x, int64_t dim, int64_t size, int64_t step);
Tensor unsqueeze_copy(const Tensor& x, int64_t dim);
Tensor view_copy(const Tensor& x, IntArrayRef sizes);
Tensor view_as_complex_copy(const Tensor& x);
Tensor view_as_real_copy(const Tensor& x);

}  // namespace strata
