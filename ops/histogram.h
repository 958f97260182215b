// Counting elements by bins.
#pragma once
#include <optional>
#include <tuple>
#include <vector>

#include "../core/tensor.h"

namespace strata {

/// How many elements of a floating point x fall into each of `bins` equal intervals from `min` to `max`, of which the
/// last includes its end; from the smallest element to the largest where both are 0. Elements outside, and NaN where a
/// range is given, are not counted. The result has x's dtype.
Tensor histc(const Tensor& x, int64_t bins = 100, const Scalar& min = 0, const Scalar& max = 0);

/// (counts `(bins,)`, edges `(bins + 1,)`) in x's dtype: elements, or their `weight`s of x's shape, between increasing
/// edges. With `density` divided by their sum and the widths, so that the integral is 1.
std::tuple<Tensor, Tensor> histogram(const Tensor& x, const Tensor& edges, OptionalTensorRef weight = {},
                                     bool density = false);
/// The same between `bins` + 1 equally spaced edges over `range` (smallest and largest element without one).
std::tuple<Tensor, Tensor> histogram(const Tensor& x, int64_t bins = 100,
                                     std::optional<ArrayRef<double>> range = std::nullopt,
                                     OptionalTensorRef weight = {}, bool density = false);
/// (counts `(bins of dim 0, bins of dim 1, …)`, the edges of each dim) of the points in the rows of `(n, dims)`, or
/// `(..., dims)`; `range` lists smallest and largest edge of each dim.
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& x, IntArrayRef bins,
                                                    std::optional<ArrayRef<double>> range = std::nullopt,
                                                    OptionalTensorRef weight = {}, bool density = false);
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& x, int64_t bins,
                                                    std::optional<ArrayRef<double>> range = std::nullopt,
                                                    OptionalTensorRef weight = {}, bool density = false);
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& x, TensorList edges,
                                                    std::optional<ArrayRef<double>> range = std::nullopt,
                                                    OptionalTensorRef weight = {}, bool density = false);

}  // namespace strata
