// What in-place forms of composite functions end with: the result written over the tensor.
#pragma once
#include <string_view>

#include "../core/tensor.h"

namespace strata::detail {

/// Writes `result` over `out`, with its history, whose dtype must hold it; an `out` without elements takes the result's
/// shape, any other must have it. Errors begin with `name`.

}  // namespace strata::detail
