// A checksum of a tensor's elements.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// The exclusive or of the elements along `dims` (of all without any), as uint64: of integers as int64, of floating
/// point numbers the bits as float64. `mode` 0 is the one there is. Throws for complex numbers and the larger unsigned
/// integers, and where there is no element.
Tensor hash_tensor(const Tensor& x, IntArrayRef dims = {}, bool keepdim = false, int64_t mode = 0);

}  // namespace strata
