// Finding the smallest keys of lines without sorting them: digit by digit, which k-th key there is; then all below it.
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/indexing/sort_lines.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda::indexing {
namespace {

constexpr int kSelectThreads = 512;
constexpr int kSelectWarps = kSelectThreads / kWarp;
constexpr int kDigits = 256;  ///< values of one byte

/// The k-th smallest key, and how many of those equal to it are among the k smallest.
template <class K>
struct Threshold {
  K key = 0;
  int equal = 0;
};

/// All threads of the block get the same answer.
template <class K>
__device__ Threshold<K> find_threshold(const K* line, int length, int k) {
  __shared__ int counts[kDigits];
  __shared__ int digit, rest;
  Threshold<K> t{0, k};
  K mask = 0;  // the digits known so far
  for (int shift = 8 * sizeof(K) - 8; shift >= 0; shift -= 8) {
    if (threadIdx.x < kDigits) counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < length; i += kSelectThreads) {
      const K key = line[i];
      if ((key & mask) == t.key) atomicAdd(&counts[key >> shift & K{kDigits - 1}], 1);
    }
    __syncthreads();
    if (threadIdx.x < kDigits) {
      int before = 0;
      for (unsigned d = 0; d < threadIdx.x; ++d) before += counts[d];
      if (before < t.equal && before + counts[threadIdx.x] >= t.equal) {
        digit = static_cast<int>(threadIdx.x);
        rest = t.equal - before;
      }
    }
    __syncthreads();
    t.key |= static_cast<K>(digit) << shift;
    t.equal = rest;
    mask |= K{kDigits - 1} << shift;
  }
  return t;
}

/// Numbers the threads that are picked, in their order, on from `count`, which becomes the number so far. All threads
/// of the block call it.
__device__ inline int number_picked(bool picked, int* parts, int& count) {
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const unsigned lanes = __ballot_sync(kAllLanes, picked);
  if (lane == 0) parts[warp] = __popc(lanes);
  __syncthreads();
  int number = count + __popc(lanes & ((1u << lane) - 1));
  for (int w = 0; w < kSelectWarps; ++w) {
    if (w < warp) number += parts[w];
    count += parts[w];
  }
  __syncthreads();
  return number;
}

template <class K>
__global__ void __launch_bounds__(kSelectThreads)
    select_kernel(const K* keys, K* best, uint32_t* places, int length, int k) {
  __shared__ int parts[kSelectWarps];
  const K* const line = keys + int64_t{blockIdx.x} * length;
  const int64_t to = int64_t{blockIdx.x} * k;
  const Threshold<K> t = find_threshold(line, length, k);
  int smaller = 0, equal = 0;
  for (int first = 0; first < length && smaller + equal < k; first += kSelectThreads) {
    const int i = first + static_cast<int>(threadIdx.x);
    const K key = i < length ? line[i] : static_cast<K>(~K{0});
    const bool is_smaller = i < length && key < t.key, is_equal = i < length && key == t.key;
    const int number = number_picked(is_smaller, parts, smaller);
    const int tie = number_picked(is_equal, parts, equal);
    equal = equal < t.equal ? equal : t.equal;
    const int slot = is_smaller ? number : k - t.equal + tie;
    if (!is_smaller && (!is_equal || tie >= t.equal)) continue;
    best[to + slot] = key;
    places[to + slot] = static_cast<uint32_t>(i);
  }
}

template <class K>
void select(const Tensor& keys, const SortedKeys& to, int64_t k) {
  start("topk", select_kernel<K>, {static_cast<unsigned>(keys.sizes()[0]), kSelectThreads}, stream_of(keys),
        reinterpret_cast<const K*>(keys.bytes()), reinterpret_cast<K*>(to.keys.bytes()), to.order.data_ptr<uint32_t>(),
        static_cast<int>(keys.sizes()[1]), static_cast<int>(k));
}

}  // namespace

SortedKeys smallest_keys(const Tensor& keys, int64_t k) {
  const DimVector sizes{keys.sizes()[0], k};
  const SortedKeys best{empty_on_device(sizes, keys.dtype(), keys.device()),
                        empty_on_device(sizes, kUInt32, keys.device())};
  if (keys.dtype() == kLong)
    select<uint64_t>(keys, best, k);
  else
    select<uint32_t>(keys, best, k);
  return best;
}

}  // namespace strata::cuda::indexing
