// Reducing elements at indexed places: scatter_reduce, index_reduce, scatter with a reduction, and put.
#pragma once
#include <string_view>

#include "../core/tensor.h"

namespace strata {

/// x with source's elements joined to the places that `scatter` would write to; `reduce` is "sum", "prod", "mean",
/// "amax" or "amin". What x holds counts as one more element, unless not `include_self`: then it stays only where
/// nothing is joined. The mean of integers is rounded down. Elements that tie share the gradient evenly.
Tensor scatter_reduce(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                      bool include_self = true);
/// The same of whole slices along `dim`, to the places that a 1-dim index names: "prod", "mean", "amax" or "amin".
Tensor index_reduce(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                    bool include_self = true);
/// scatter that adds to ("add") or multiplies ("multiply") what is there.
Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce);
Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce);
/// x with source's elements written, or added if `accumulate`, at int64 indices of the flattened x; negative ones count
/// from the end.
Tensor put(const Tensor& x, const Tensor& index, const Tensor& source, bool accumulate = false);

}  // namespace strata
