// Softmax and its logarithm along a dim.
#pragma once
#include <optional>

#include "../core/tensor.h"

namespace strata {

/// exp(x) / sum(exp(x)) along `dim`, without overflow; floating point tensors only, or give a dtype.
Tensor softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);
/// log(softmax(x)), computed without losing small probabilities.
Tensor log_softmax(const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);
/// softmax(-x).
Tensor softmin(const Tensor& x, int64_t dim, std::optional<DType> dtype = std::nullopt);

}  // namespace strata
