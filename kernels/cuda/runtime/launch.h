// Starting kernels: on which stream, with how many blocks, and what is said when one fails.
#pragma once
#include <cuda_runtime.h>

#include <string_view>
#include <type_traits>

#include "core/tensor.h"
#include "kernels/cuda/runtime/check.h"

namespace strata::cuda {

/// Arrays of what each device has one of are as long.
inline constexpr int kMostDevices = 64;

/// Threads of a block where a kernel has no reason for another number.
inline constexpr int kThreads = 256;

/// Blocks of kThreads threads for one thread per item.
inline unsigned blocks_for(int64_t items) { return static_cast<unsigned>((items + kThreads - 1) / kThreads); }

/// The same up to what the grid's numbers hold, for kernels whose threads step through the items.
inline unsigned grid(int64_t items) { return blocks_for(std::min<int64_t>(items, int64_t{1} << 30)); }

/// This thread's current stream of a device.
cudaStream_t stream_of(DeviceIndex device);
inline cudaStream_t stream_of(const Tensor& t) { return stream_of(t.device().index()); }

/// Multiprocessors of a device, for kernels whose blocks stay and take more than one piece of work.
int multiprocessors(DeviceIndex device);

/// Called after each launch. Throws when `op` could not be started; with STRATA_CUDA_BLOCKING=1 in the environment it
/// also waits and reports what went wrong inside the kernel, which otherwise shows in some later call.
void check_launch(std::string_view op);

/// The blocks of a launch, their threads and their shared memory.
struct Shape {
  dim3 blocks;
  dim3 threads = kThreads;
  size_t shared_bytes = 0;
};

#if defined(__CUDACC__) || defined(STRATA_CUDA_EMULATOR)

/// Starts a kernel on a stream for `op`. The tests' emulator runs it on the host: so no kernel is started otherwise.
template <class... P>
void start(std::string_view op, void (*kernel)(P...), const Shape& shape, cudaStream_t stream,
           std::type_identity_t<P>... args) {
#ifdef STRATA_CUDA_EMULATOR
  emulator::run(op, shape.blocks, shape.threads, shape.shared_bytes, stream, [=] { kernel(args...); });
#else
  cudaLaunchConfig_t config{};
  config.gridDim = shape.blocks;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  cudaLaunchKernelEx(&config, kernel, args...);  // check_launch asks how it went
#endif
  check_launch(op);
}

/// The block's shared memory of `Shape::shared_bytes`.
template <class T>
__device__ T* dynamic_shared() {
#ifdef STRATA_CUDA_EMULATOR
  return static_cast<T*>(emulator::shared_memory());
#else
  extern __shared__ __align__(16) unsigned char bytes[];
  return reinterpret_cast<T*>(bytes);
#endif
}

#endif

}  // namespace strata::cuda
