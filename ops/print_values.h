// What both renderings of tensors share.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// x's values as row-major `dtype` on the CPU, read below all layers.
Tensor printable(const Tensor& x, DType dtype);

}  // namespace strata
