// Sorting and what follows from it: order statistics, distinct values, searching in sorted values.
#pragma once
#include <optional>
#include <tuple>

#include "../core/tensor.h"

namespace strata {

/// (values, int64 indices) along `dim`; always stable; NaN counts as the largest value.
std::tuple<Tensor, Tensor> sort(const Tensor& x, int64_t dim = -1, bool descending = false);
std::tuple<Tensor, Tensor> sort(const Tensor& x, std::optional<bool> stable, int64_t dim = -1, bool descending = false);
/// The indices of `sort`.
Tensor argsort(const Tensor& x, int64_t dim = -1, bool descending = false);
Tensor argsort(const Tensor& x, bool stable, int64_t dim, bool descending = false);
/// (values, indices) of the k largest (smallest) elements along `dim`, in order; of equal elements the first ones.
std::tuple<Tensor, Tensor> topk(const Tensor& x, int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true);
/// (value, index) of the k-th smallest element along `dim`, counted from 1.
std::tuple<Tensor, Tensor> kthvalue(const Tensor& x, int64_t k, int64_t dim = -1, bool keepdim = false);
/// The middle element, the lower of two; NaN if there is one.
Tensor median(const Tensor& x);
std::tuple<Tensor, Tensor> median(const Tensor& x, int64_t dim, bool keepdim = false);

/// (distinct values in order, index of each element among them, how often each occurs) of the flattened tensor.
std::tuple<Tensor, Tensor, Tensor> unique(const Tensor& x, bool sorted = true, bool return_inverse = false,
                                          bool return_counts = false);
std::tuple<Tensor, Tensor> _unique(const Tensor& x, bool sorted = true, bool return_inverse = false);
std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor& x, bool sorted = true, bool return_inverse = false,
                                            bool return_counts = false);

/// Where to insert each value into `sorted` (1-dim, or of the values' leading shape): before equal elements, after them
/// if `right`.
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool out_int32 = false, bool right = false);
/// searchsorted with 1-dim boundaries.
Tensor bucketize(const Tensor& values, const Tensor& boundaries, bool out_int32 = false, bool right = false);
/// How often each of 0, 1, … occurs in a 1-dim integer tensor, or the sum of its weights; at least `minlength` entries.
Tensor bincount(const Tensor& x, const Tensor& weights = {}, int64_t minlength = 0);

}  // namespace strata
