// Order statistics and moments of data: quantiles, the mode, means without NaN, covariances and correlations.
#pragma once
#include <optional>
#include <string_view>
#include <tuple>

#include "../core/tensor.h"

namespace strata {

/// The q-quantiles, q in [0, 1], of the elements along `dim` (of all without one); float32 or float64. Between two
/// elements `interpolation` is "linear", "lower", "higher", "midpoint" or "nearest" (of two as near the even place).
/// NaN where there is one along `dim`. A 1-dim q, of x's dtype, puts a dim of its length in front of the result.
Tensor quantile(const Tensor& x, const Tensor& q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                std::string_view interpolation = "linear");
Tensor quantile(const Tensor& x, double q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                std::string_view interpolation = "linear");
/// The quantiles of the elements that are not NaN; NaN where all are.
Tensor nanquantile(const Tensor& x, const Tensor& q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                   std::string_view interpolation = "linear");
Tensor nanquantile(const Tensor& x, double q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                   std::string_view interpolation = "linear");

/// The median of the elements that are not NaN, the lower of two; NaN where all are. The gradient is that of median.
Tensor nanmedian(const Tensor& x);
std::tuple<Tensor, Tensor> nanmedian(const Tensor& x, int64_t dim, bool keepdim = false);
/// (value, int64 index) of the most frequent element along `dim`, the smallest of several, where it stands last. No NaN
/// equals another.
std::tuple<Tensor, Tensor> mode(const Tensor& x, int64_t dim = -1, bool keepdim = false);
/// The mean of the elements that are not NaN; NaN where all are.
Tensor nanmean(const Tensor& x, OptionalIntArrayRef dims = {}, bool keepdim = false,
               std::optional<DType> dtype = std::nullopt);

/// Covariances `(n, n)` of n variables in the rows of `(n, observations)`, 0-dim for a 0-dim or 1-dim x. `fweights`
/// `(observations,)` are integers that say how often each was seen, `aweights` how important it is.
Tensor cov(const Tensor& x, int64_t correction = 1, OptionalTensorRef fweights = {}, OptionalTensorRef aweights = {});
/// Pearson's correlation coefficients of the same, in [-1, 1].
Tensor corrcoef(const Tensor& x);

}  // namespace strata
