// Which streams of a device are being captured into graphs, and for which pools of memory.
#pragma once
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace strata::cuda {

/// While it lives, this thread may call what a capture of its own forbids by default, because nothing captured depends
/// on it: the allocator's calls of the driver.
class RelaxedCapture {
 public:
  RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// The captures that go on.
class Captures {
 public:
  void begin(cudaStream_t stream, uint64_t pool);
  /// What was recorded, ready to be launched. Throws where it cannot be; the capture has ended then as well.
  cudaGraphExec_t end(cudaStream_t stream);
  /// The pool for memory that the stream uses now; 0 where it is not captured.
  uint64_t pool_of(cudaStream_t stream) const;

 private:
  std::atomic<int> count_{0};  ///< most programs capture nothing: they ask this alone
  mutable std::mutex mutex_;
  std::map<unsigned long long, uint64_t> pools_;  ///< by the runtime's number of the capture
};

}  // namespace strata::cuda
