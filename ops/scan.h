// Running sums, products and extremes along a dim.
#pragma once
#include <optional>
#include <tuple>

#include "../core/tensor.h"

namespace strata {

/// y[i] = x[0] + … + x[i] along `dim`; integers and bools add up in int64 unless a dtype is given.
Tensor cumsum(const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);
/// y[i] = x[0] * … * x[i] along `dim`.
Tensor cumprod(const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);
/// log(exp(x[0]) + … + exp(x[i])) along `dim` without overflow; floating point tensors.
Tensor logcumsumexp(const Tensor& x, int64_t dim);
/// (values, int64 indices) of the largest (smallest) element so far, the last of equal ones; NaN stays from where it is
/// met.
std::tuple<Tensor, Tensor> cummax(const Tensor& x, int64_t dim);
std::tuple<Tensor, Tensor> cummin(const Tensor& x, int64_t dim);

}  // namespace strata
