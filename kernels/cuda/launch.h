// Starting kernels: on which stream, with how many blocks, and what is said when one fails.
#pragma once
#include <cuda_runtime.h>

#include <string_view>

#include "core/tensor.h"
#include "kernels/cuda/check.h"

namespace strata::cuda {

/// Threads of a block where a kernel has no reason for another number.
inline constexpr int kThreads = 256;

/// Blocks of kThreads threads for one thread per item.
inline unsigned blocks_for(int64_t items) { return static_cast<unsigned>((items + kThreads - 1) / kThreads); }

/// This thread's current stream of a device.
cudaStream_t stream_of(DeviceIndex device);
inline cudaStream_t stream_of(const Tensor& t) { return stream_of(t.device().index()); }

/// Multiprocessors of a device, for kernels whose blocks stay and take more than one piece of work.
int multiprocessors(DeviceIndex device);

/// Called after each launch. Throws when `op` could not be started; with STRATA_CUDA_BLOCKING=1 in the environment it
/// also waits and reports what went wrong inside the kernel, which otherwise shows in some later call.
void check_launch(std::string_view op);

}  // namespace strata::cuda
