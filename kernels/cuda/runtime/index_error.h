// Indices out of range that kernels find: how they report them, and where the host throws.
#pragma once
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda {

// Note [Index errors of kernels]
// Nobody waits for a kernel to check its indices. One that meets an index out of range leaves the memory alone and
// writes a report into host memory that the device sees; the first report stays. Each later launch, synchronisation and
// copy to the host looks there, which costs one load, throws IndexError and clears the report: the program can go on.
// Elements that a bad index stands for keep any value.

/// What a kernel reports. `format` is the host's, with places for the three numbers.
struct IndexReport {
  uint32_t state;
  const char* format;
  int64_t index, where, size;
};

enum IndexReportState : uint32_t { kNoReport = 0, kReportBegun = 1, kReportReady = 2 };

/// How a kernel reports an index; made by index_errors.
struct IndexErrors {
  IndexReport* report;
  const char* format;

#if defined(__CUDACC__) || defined(STRATA_CUDA_EMULATOR)
  /// Reports `index`, found in dim or at position `where`, which should have been below `size`.
  __device__ void add(int64_t index, int64_t where, int64_t size) const {
    if (*static_cast<volatile uint32_t*>(&report->state) != kNoReport) return;
    if (atomicCAS(&report->state, uint32_t{kNoReport}, uint32_t{kReportBegun}) != kNoReport) return;
    report->format = format;
    report->index = index;
    report->where = where;
    report->size = size;
    __threadfence_system();
    *static_cast<volatile uint32_t*>(&report->state) = kReportReady;
  }
  /// `index` if it lies in [0, size); where `wrap` allows it, one from the end is counted from the front. Else -1, and
  /// the index is reported.
  __device__ int64_t checked(int64_t index, int64_t where, int64_t size, bool wrap = false) const {
    const int64_t at = wrap && index < 0 ? index + size : index;
    if (at >= 0 && at < size) return at;
    add(index, where, size);
    return -1;
  }
#endif
};

/// Reports of kernels on the device of `t`. `format` must live for ever; its three `{}` stand for the index, its dim or
/// position, and the size, for example "gather: index {} is out of bounds for dimension {} with size {}".
IndexErrors index_errors(const Tensor& t, const char* format);

/// Throws IndexError if a kernel of any device has reported an index.
void throw_index_errors();

}  // namespace strata::cuda
