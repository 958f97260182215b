// What the kernels ask of their device, answered for the emulated one.
#include "core/cuda_backend.h"
#include "kernels/cuda/runtime/index_error.h"

namespace strata::cuda {

cudaStream_t stream_of(DeviceIndex device) { return static_cast<cudaStream_t>(backend().current_stream(device)); }

/// Few, so that the tests' sizes already give each block several pieces of work.
int multiprocessors(DeviceIndex) { return 2; }

void check_launch(std::string_view) { throw_index_errors(); }

}  // namespace strata::cuda
