// Copies and conversions.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// A copy in fresh row-major memory.
Tensor clone(const Tensor& x);
inline Tensor clone(const Tensor& x, std::optional<MemoryFormat> format) { return x.clone(format); }
/// `x` converted to `dtype`; x itself where it has it.
Tensor cast(const Tensor& x, DType dtype);
/// Row-major with the same values; x itself where it is.
Tensor contiguous(const Tensor& x);
/// Writes `value` (a number, or a 0-dim tensor) to every element of x.
Tensor& fill_(Tensor& x, const Scalar& value);
Tensor& zero_(Tensor& x);

}  // namespace strata
