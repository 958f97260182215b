// Counting and numbering the elements that a condition picks, in their order.
#pragma once
#include "core/cuda_backend.h"
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/runtime/index_error.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda {

// Note [Ranks]
// A block counts the picked elements of a tile; one block then sums the counts of the tiles before each; the last
// kernel visits every element again and knows how many stand before it.

inline constexpr int kTileSteps = 4;
inline constexpr int kTile = kThreads * kTileSteps;
inline constexpr int kWarps = kThreads / kWarp;
static_assert(kTileSteps * kWarps == kWarp, "one warp sums the parts of a tile");

/// counts[b]: picked elements of tile b.
template <class Pick>
__global__ void __launch_bounds__(kThreads) count_kernel(Pick pick, int64_t n, int64_t* counts) {
  __shared__ int parts[kWarps];
  const int64_t first = int64_t{blockIdx.x} * kTile + threadIdx.x;
  int mine = 0;
  for (int k = 0; k < kTileSteps; ++k) {
    const int64_t i = first + k * kThreads;
    mine += __popc(__ballot_sync(kAllLanes, i < n && pick(i)));
  }
  if (threadIdx.x % kWarp == 0) parts[threadIdx.x / kWarp] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int all = 0;
  for (int w = 0; w < kWarps; ++w) all += parts[w];
  counts[blockIdx.x] = all;
}

/// Replaces each of n counts by the sum of those before it; counts[n] is the sum of all. One block.
inline __global__ void __launch_bounds__(kThreads) sum_before_kernel(int64_t* counts, int64_t n) {
  __shared__ int64_t sums[kThreads];
  const int64_t share = (n + kThreads - 1) / kThreads, begin = threadIdx.x * share;
  const int64_t end = begin + share < n ? begin + share : n;
  int64_t sum = 0;
  for (int64_t i = begin; i < end; ++i) sum += counts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  int64_t before = 0;
  for (unsigned t = 0; t < threadIdx.x; ++t) before += sums[t];
  if (threadIdx.x == kThreads - 1) counts[n] = before + sum;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t count = counts[i];
    counts[i] = before;
    before += count;
  }
}

/// use(i, picked, picked elements before i) for all elements.
template <class Pick, class Use>
__global__ void __launch_bounds__(kThreads) rank_kernel(Pick pick, Use use, int64_t n, const int64_t* before) {
  __shared__ int parts[kWarp];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int64_t first = int64_t{blockIdx.x} * kTile + threadIdx.x;
  unsigned picked[kTileSteps];
  for (int k = 0; k < kTileSteps; ++k) {
    const int64_t i = first + k * kThreads;
    picked[k] = __ballot_sync(kAllLanes, i < n && pick(i));
    if (lane == 0) parts[k * kWarps + warp] = __popc(picked[k]);
  }
  __syncthreads();
  if (warp == 0) {
    const int mine = parts[lane];
    int sum = mine;
    for (int step = 1; step < kWarp; step *= 2) {
      const int other = __shfl_up_sync(kAllLanes, sum, step);
      if (lane >= step) sum += other;
    }
    parts[lane] = sum - mine;
  }
  __syncthreads();
  for (int k = 0; k < kTileSteps; ++k) {
    const int64_t i = first + k * kThreads;
    const unsigned before_lane = picked[k] & ((1u << lane) - 1);
    if (i < n) use(i, picked[k] >> lane & 1, before[blockIdx.x] + parts[k * kWarps + warp] + __popc(before_lane));
  }
}

/// The picked elements among n, found on the device of `like`. Waits for their number.
template <class Pick>
class Ranks {
 public:
  Ranks(std::string_view op, const Pick& pick, int64_t n, const Tensor& like)
      : op_(op), pick_(pick), n_(n), tiles_((n + kTile - 1) / kTile), stream_(stream_of(like)) {
    before_ = empty_on_device({tiles_ + 1}, kLong, like.device());
    int64_t* const counts = before_.data_ptr<int64_t>();
    if (n > 0) start(op, count_kernel<Pick>, {static_cast<unsigned>(tiles_)}, stream_, pick, n, counts);
    start(op, sum_before_kernel, {1}, stream_, counts, tiles_);
    refuse_capture(op);
    check(cudaMemcpyAsync(&count_, counts + tiles_, sizeof(count_), cudaMemcpyDeviceToHost, stream_), "count");
    check(cudaStreamSynchronize(stream_), "count");
    throw_index_errors();
  }
  int64_t count() const { return count_; }
  /// use(i, picked, picked elements before i) for all elements, on the device.
  template <class Use>
  void visit(const Use& use) const {
    if (n_ > 0)
      start(op_, rank_kernel<Pick, Use>, {static_cast<unsigned>(tiles_)}, stream_, pick_, use, n_,
            before_.data_ptr<int64_t>());
  }

 private:
  std::string_view op_;
  Pick pick_;
  int64_t n_, tiles_, count_ = 0;
  cudaStream_t stream_;
  Tensor before_;
};

}  // namespace strata::cuda
