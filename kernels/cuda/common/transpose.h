// Copies between tensors whose elements lie in a row along different dims.
#pragma once
#include <cuda_runtime.h>

#include "kernels/cuda/common/strided.h"

namespace strata::cuda {

/// Copies elements of `item` bytes (1, 2, 4, 8 or 16) from the geometry's second tensor to its first through tiles in
/// shared memory, so that both are accessed along their rows. False where that does not suit them: nothing is done.
bool copy_tiles(const Geometry<2>& g, size_t item, void* to, const void* from, cudaStream_t stream);

}  // namespace strata::cuda
