// Sorting lines of keys: all of them by key, then by line, which is as good as line by line and takes as many launches
// for a million lines as for two.
#include "kernels/cuda/indexing/sort_keys.h"

#include <bit>

#include "kernels/cuda/common/radix_sort.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda::indexing {
namespace {

/// Keys of one batch of lines: their positions fit into 32 bits.
constexpr int64_t kMostKeys = int64_t{1} << 31;

__global__ void __launch_bounds__(kThreads) number_kernel(uint32_t* to, int64_t n) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) to[i] = static_cast<uint32_t>(i);
}

/// lines[i]: the line that place i belongs to.
__global__ void __launch_bounds__(kThreads)
    lines_kernel(uint32_t* lines, const uint32_t* places, uint32_t length, int64_t n) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) lines[i] = places[i] / length;
}

/// Fetches the keys and counts places from the start of their line.
template <class K>
__global__ void __launch_bounds__(kThreads)
    fetch_kernel(K* sorted, uint32_t* places, const K* keys, uint32_t length, int64_t n) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  sorted[i] = keys[places[i]];
  places[i] %= length;
}

/// A batch of lines of one length.
template <class K>
struct Batch {
  const K* keys;
  K* sorted;
  uint32_t* order;
  int64_t lines, length;
  const Tensor& like;

  int64_t count() const { return lines * length; }
  Tensor scratch(DType dtype) const { return empty_on_device({count()}, dtype, like.device()); }
  template <class... P>
  void run(void (*kernel)(P...), std::type_identity_t<P>... args) const {
    start("sort", kernel, {blocks_for(count())}, stream_of(like), args...);
  }
};

template <class K>
void sort_batch(const Batch<K>& b, int bits) {
  const int64_t n = b.count();
  const auto count = static_cast<uint32_t>(n), length = static_cast<uint32_t>(b.length);
  const Tensor numbers = b.scratch(kUInt32);
  uint32_t* const places = numbers.data_ptr<uint32_t>();
  b.run(number_kernel, places, n);
  if (b.lines == 1) return radix_sort(RadixPairs<K>{b.keys, places, b.sorted, b.order}, count, bits, b.like);
  const Tensor by_key = b.scratch(kUInt32), lines = b.scratch(kUInt32);
  uint32_t* const moved = by_key.data_ptr<uint32_t>();
  radix_sort(RadixPairs<K>{b.keys, places, b.sorted, moved}, count, bits, b.like);
  b.run(lines_kernel, places, moved, length, n);
  radix_sort(RadixPairs<uint32_t>{places, moved, lines.data_ptr<uint32_t>(), b.order}, count,
             std::bit_width(static_cast<uint64_t>(b.lines - 1)), b.like);
  b.run(fetch_kernel<K>, b.sorted, b.order, b.keys, length, n);
}

template <class K>
void sort_all(const Tensor& keys, const SortedKeys& to, int bits) {
  const int64_t lines = keys.sizes()[0], length = keys.sizes()[1], most = std::max<int64_t>(1, kMostKeys / length);
  for (int64_t first = 0; first < lines; first += most) {
    const int64_t at = first * length;
    sort_batch<K>({reinterpret_cast<const K*>(keys.bytes()) + at, reinterpret_cast<K*>(to.keys.bytes()) + at,
                   to.order.data_ptr<uint32_t>() + at, std::min(most, lines - first), length, keys},
                  bits);
  }
}

}  // namespace

SortedKeys sort_keys(const Tensor& keys, int bits) {
  const SortedKeys result{empty_on_device(keys.sizes(), keys.dtype(), keys.device()),
                          empty_on_device(keys.sizes(), kUInt32, keys.device())};
  if (keys.numel() == 0) return result;
  if (keys.dtype() == kLong)
    sort_all<uint64_t>(keys, result, bits);
  else
    sort_all<uint32_t>(keys, result, bits);
  return result;
}

}  // namespace strata::cuda::indexing
