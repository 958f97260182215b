// What the `_out` forms of composite functions end with: the result written into the caller's tensor.
#pragma once
#include <string_view>

#include "../core/tensor.h"

namespace strata::detail {

/// Writes `result` into `out`, whose dtype must hold it; an `out` without elements takes the result's shape, any other
/// must have it. Errors begin with `name`.
Tensor& write_out(Tensor& out, const Tensor& result, std::string_view name);

}  // namespace strata::detail
