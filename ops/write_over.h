// What in-place forms of composite functions end with: the result written over the tensor.
#pragma once
#include <string_view>

#include "../core/tensor.h"

namespace strata::detail {

/// Writes `result` over `x`, with its history; the dtype of x must hold it, and an x without elements takes the
/// result's shape, any other must have it. Errors begin with `name`.
Tensor& write_over(Tensor& x, const Tensor& result, std::string_view name);

}  // namespace strata::detail
