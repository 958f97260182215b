// Whether a tensor can be shown in another shape without a copy.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// Strides that show `x`, which is not row-major, with `sizes` (same number of elements) without a copy; false if there
/// are none.
bool view_strides(const Tensor& x, IntArrayRef sizes, DimVector& strides);

}  // namespace strata
