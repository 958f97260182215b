// Sorting on the device, for the kernels that need an order.
#pragma once
#include "core/tensor.h"

namespace strata::cuda::indexing {

/// Lines of keys in order, and the positions in their line (uint32) where they stood.
struct SortedKeys {
  Tensor keys, order;
};

/// Sorts the lines of `keys` (lines, length): row-major, dtype uint32 or int64, all of it taken as unsigned numbers
/// below 2^bits. Equal keys keep their order. Lines have less than 2^32 keys.
SortedKeys sort_keys(const Tensor& keys, int bits);

}  // namespace strata::cuda::indexing
