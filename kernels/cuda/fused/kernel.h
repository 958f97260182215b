// Kernels that are compiled while the program runs, on the device where they are loaded.
#pragma once
#include "kernels/cuda/fused/chain_data.h"
#include "kernels/cuda/fused/source.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda::fused {

/// Why no kernel can be compiled here; empty where one can. Loads the compiler.
const std::string& missing_compiler();

/// Compiles a source for the device, or finds what an earlier program has compiled, and loads it: a handle that stays
/// for ever.
void* load_kernel(const Source& source, DeviceIndex device);
void start_kernel(void* kernel, std::string_view op, unsigned blocks, cudaStream_t stream, const ChainData& data);

}  // namespace strata::cuda::fused
