// Copying between layouts on the GPU: what kernels use whose libraries want row-major operands.
#pragma once
#include "core/tensor.h"

namespace strata::cuda {

/// Copies `from` to `to`, which has its shape and dtype and is on its device; any strides, 0 included in `from`.
void copy_strided(const Tensor& to, const Tensor& from);

/// `t` itself where it is row-major, else a copy that is.
Tensor row_major(const Tensor& t);

}  // namespace strata::cuda
