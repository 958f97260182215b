// Runs CUDA kernels on the host: what a kernel sees of its block, its warp and its grid.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

// Note [Emulated kernels]
// The sources of the CUDA kernels, compiled by the host's compiler with the headers of test/cuda_emulator/include in
// place of the toolkit's, and run here one block after the other. Threads of a block run one at a time; one that waits
// for others (__syncthreads, a shuffle) is put aside on a stack of its own until they have come. What that finds: wrong
// results, barriers that not all threads reach (an error that says so), accesses out of bounds (with AddressSanitizer),
// and, since the tests run threads in rising and in falling order, most missing barriers. What it does not show: speed,
// and races that both orders hide.

namespace strata::emulator {

using Body = void (*)(const void* kernel);
/// Runs body(kernel) for every thread of every block. Throws when threads wait for each other for ever.
void run_blocks(std::string_view op, dim3 blocks, dim3 threads, size_t shared_bytes, Body body, const void* kernel);

/// The same on a stream: at once, or when the graph runs that captures it, which keeps the kernel's `bytes`.
void run_on_stream(std::string_view op, dim3 blocks, dim3 threads, size_t shared_bytes, cudaStream_t stream, Body body,
                   const void* kernel, size_t bytes);

/// There is one of these for each kernel and each type, so it only erases the types.
template <class F>
void run(std::string_view op, dim3 blocks, dim3 threads, size_t shared_bytes, cudaStream_t stream, const F& kernel) {
  static_assert(std::is_trivially_copyable_v<F> && alignof(F) <= 16, "as CUDA copies a kernel's arguments");
  run_on_stream(
      op, blocks, threads, shared_bytes, stream, [](const void* f) { (*static_cast<const F*>(f))(); }, &kernel,
      sizeof(F));
}

/// Kernels run so far.
int64_t launches();
/// Calls of functions of cuBLAS and cuSOLVER that compute something.
int64_t library_calls();
/// Do threads run from the last to the first?
void set_falling_order(bool falling);

/// The block's memory of the launch's size.
void* shared_memory();
/// Waits for all threads of the block that have not ended.
void sync_block();
/// Waits for the lanes of `mask`; all of them call it with the same mask. `value` (8 bytes at most) is what the other
/// lanes may read afterwards, until each has called this twice more.
void sync_warp(unsigned mask, const void* value = nullptr, size_t bytes = 0);
/// What lane `lane` brought to the last sync_warp.
const void* value_of_lane(int lane);
/// This thread's place in its warp.
int lane();

template <class T>
T shuffle(unsigned mask, T value, int from) {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8), "as CUDA's");
  sync_warp(mask, &value, sizeof(T));
  T result;
  std::memcpy(&result, value_of_lane(from), sizeof(T));
  return result;
}

}  // namespace strata::emulator
