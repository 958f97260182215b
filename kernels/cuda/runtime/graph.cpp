// Captures of streams by the CUDA runtime.
#include "kernels/cuda/runtime/graph.h"

#include "kernels/cuda/runtime/check.h"

namespace strata::cuda {
namespace {

struct CaptureInfo {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  explicit CaptureInfo(cudaStream_t stream) {
    check(cudaStreamGetCaptureInfo(stream, &status, &id), "cudaStreamGetCaptureInfo");
  }
};

void check_end(cudaError_t status) {
  STRATA_CHECK(status != cudaErrorStreamCaptureUnjoined,
               "Graph: another stream took part in the capture, and the captured stream did not wait for its end");
  STRATA_CHECK(status != cudaErrorStreamCaptureInvalidated,
               "Graph: something inside of the capture cannot be captured: the first error said what");
  check(status, "Graph: the end of the capture");
}

}  // namespace

/// Only this thread's calls can spoil the capture: what others do, such as loading data, goes on.
void Captures::begin(cudaStream_t stream, uint64_t pool) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "Graph: the begin of the capture");
  const std::lock_guard lock(mutex_);
  pools_[CaptureInfo(stream).id] = pool;
  count_.fetch_add(1, std::memory_order_relaxed);
}

cudaGraphExec_t Captures::end(cudaStream_t stream) {
  {
    const std::lock_guard lock(mutex_);
    pools_.erase(CaptureInfo(stream).id);
    count_.fetch_sub(1, std::memory_order_relaxed);
  }
  cudaGraph_t graph = nullptr;
  check_end(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t ready = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&ready, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  cudaGraphDestroy(graph);
  check(status, "Graph: making what was captured ready");
  return ready;
}

uint64_t Captures::pool_of(cudaStream_t stream) const {
  if (count_.load(std::memory_order_relaxed) == 0) [[likely]]
    return 0;
  const CaptureInfo info(stream);
  if (info.status != cudaStreamCaptureStatusActive) return 0;
  const std::lock_guard lock(mutex_);
  const auto it = pools_.find(info.id);
  return it == pools_.end() ? 0 : it->second;
}

}  // namespace strata::cuda
