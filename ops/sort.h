// Sorting and what follows from it: order statistics, distinct values, searching in sorted values.
#pragma once
#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>

#include "../core/tensor.h"

namespace strata {

/// (values, int64 indices) along `dim`; always stable; NaN counts as the largest value.
std::tuple<Tensor, Tensor> sort(const Tensor& x, int64_t dim = -1, bool descending = false);
std::tuple<Tensor, Tensor> sort(const Tensor& x, std::optional<bool> stable, int64_t dim = -1, bool descending = false);
/// The indices of `sort`.
Tensor argsort(const Tensor& x, int64_t dim = -1, bool descending = false);
/// A flag in front is `stable`, never a dim.
template <std::same_as<bool> B>
std::tuple<Tensor, Tensor> sort(const Tensor& x, B stable, int64_t dim = -1, bool descending = false) {
  return sort(x, std::optional<bool>(stable), dim, descending);
}
template <std::same_as<bool> B>
Tensor argsort(const Tensor& x, B stable, int64_t dim = -1, bool descending = false) {
  return std::get<1>(sort(x, stable, dim, descending));
}
template <std::same_as<bool> B, std::same_as<bool> C>
std::tuple<Tensor, Tensor> sort(const Tensor& x, B stable, C dim, bool descending = false) = delete;
template <std::same_as<bool> B, std::same_as<bool> C>
Tensor argsort(const Tensor& x, B stable, C dim, bool descending = false) = delete;
/// (values, indices) of the k largest (smallest) elements along `dim`, in order; of equal elements the first ones.
std::tuple<Tensor, Tensor> topk(const Tensor& x, int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true);
/// (value, index) of the k-th smallest element along `dim`, counted from 1.
std::tuple<Tensor, Tensor> kthvalue(const Tensor& x, int64_t k, int64_t dim = -1, bool keepdim = false);
/// The middle element, the lower of two; NaN if there is one. Without a dim its equals share its gradient evenly.
Tensor median(const Tensor& x);
std::tuple<Tensor, Tensor> median(const Tensor& x, int64_t dim, bool keepdim = false);

/// (distinct values in order, index of each element among them, how often each occurs) of the flattened tensor.
std::tuple<Tensor, Tensor, Tensor> unique(const Tensor& x, bool sorted = true, bool return_inverse = false,
                                          bool return_counts = false);
/// ATen's forms: what is not asked for has no elements.
std::tuple<Tensor, Tensor> _unique(const Tensor& x, bool sorted = true, bool return_inverse = false);
std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor& x, bool sorted = true, bool return_inverse = false,
                                            bool return_counts = false);

/// Where to insert each value into `sorted` (1-dim, or of the values' leading shape): before equal elements, after them
/// if `right` or `side` is "right" (else "left"). `sorter`, int64 of the shape of `sorted`, says in which order its
/// elements are sorted.
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool out_int32 = false, bool right = false,
                    std::optional<std::string_view> side = std::nullopt, OptionalTensorRef sorter = {});
Tensor searchsorted(const Tensor& sorted, const Scalar& value, bool out_int32 = false, bool right = false,
                    std::optional<std::string_view> side = std::nullopt, OptionalTensorRef sorter = {});
/// searchsorted with 1-dim boundaries.
Tensor bucketize(const Tensor& values, const Tensor& boundaries, bool out_int32 = false, bool right = false);
Tensor bucketize(const Scalar& value, const Tensor& boundaries, bool out_int32 = false, bool right = false);
/// How often each of 0, 1, … occurs in a 1-dim integer tensor, or the sum of its weights; at least `minlength` entries.
Tensor bincount(const Tensor& x, OptionalTensorRef weights = {}, int64_t minlength = 0);

}  // namespace strata
