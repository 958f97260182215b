// What both renderings of tensors share.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// x's values as row-major `dtype` on the CPU, read below all layers.
Tensor printable(const Tensor& x, DType dtype);
/// The parts of complex x as row-major float64 of shape `(..., 2)`, in the same way.
Tensor printable_parts(const Tensor& x);

}  // namespace strata
