// Sorting lines of keys with CUB: a radix sort for few long lines, a segmented sort for many.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "kernels/cuda/launch.h"
#include "kernels/cuda/sort_keys.h"

namespace strata::cuda {
namespace {

constexpr int64_t kMostItems = int64_t{1} << 30;  ///< of one segmented sort, which counts in 32 bits
/// A segmented sort gives a line to one block: from here on that takes longer than a sort for each line.
constexpr int64_t kLongLine = 1 << 16;
constexpr int64_t kFewLines = 16;

template <class T>
__global__ void count_kernel(T* to, int64_t n, int64_t step, int64_t modulus) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) to[i] = static_cast<T>(i % modulus * step);
}

/// (0, step, 2 * step, ...), starting again after `modulus` numbers.
template <class T>
Tensor counted(IntArrayRef sizes, DType dtype, const Tensor& like, int64_t step, int64_t modulus) {
  const Tensor t = empty_cuda(sizes, dtype, like.device());
  start("sort", count_kernel<T>, {blocks_for(t.numel())}, stream_of(t), reinterpret_cast<T*>(t.data()), t.numel(), step,
        modulus);
  return t;
}

/// Calls a function of CUB with no memory to learn how much it needs, then with that.
template <class F>
void with_scratch(const Tensor& like, F&& f) {
  size_t bytes = 0;
  check(f(nullptr, bytes), "sort");
  const Tensor scratch = empty_cuda({static_cast<int64_t>(bytes) + 1}, kByte, like.device());
  check(f(scratch.data(), bytes), "sort");
}

template <class K>
struct Buffers {
  const K* keys;
  K* sorted;
  const uint32_t* places;
  uint32_t* order;
  Buffers from(int64_t i) const { return {keys + i, sorted + i, places + i, order + i}; }
};

template <class K>
void sort_long_lines(const Buffers<K>& b, const Tensor& keys, int bits) {
  const int64_t lines = keys.sizes()[0], length = keys.sizes()[1];
  for (int64_t line = 0; line < lines; ++line) {
    const Buffers<K> at = b.from(line * length);
    with_scratch(keys, [&](void* scratch, size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(scratch, bytes, at.keys, at.sorted, at.places, at.order,
                                             static_cast<uint32_t>(length), 0, bits, stream_of(keys));
    });
  }
}

template <class K>
void sort_many_lines(const Buffers<K>& b, const Tensor& keys) {
  const int64_t lines = keys.sizes()[0], length = keys.sizes()[1];
  const int64_t most = std::max<int64_t>(1, kMostItems / length), width = std::min(most, lines);
  const Tensor starts = counted<int64_t>({width + 1}, kLong, keys, length, width + 1);
  const int64_t* const begin = starts.data_ptr<int64_t>();
  for (int64_t first = 0; first < lines; first += most) {
    const int64_t count = std::min(most, lines - first);
    const Buffers<K> at = b.from(first * length);
    with_scratch(keys, [&](void* scratch, size_t& bytes) {
      return cub::DeviceSegmentedSort::StableSortPairs(scratch, bytes, at.keys, at.sorted, at.places, at.order,
                                                       static_cast<int>(count * length), static_cast<int>(count), begin,
                                                       begin + 1, stream_of(keys));
    });
  }
}

template <class K>
void sort_all(const Tensor& keys, const Tensor& sorted, const Tensor& order, int bits) {
  const int64_t lines = keys.sizes()[0], length = keys.sizes()[1];
  const Tensor places = counted<uint32_t>(keys.sizes(), kUInt32, keys, 1, length);
  const auto as_keys = [](const Tensor& t) { return reinterpret_cast<K*>(t.data()); };
  const Buffers<K> buffers{as_keys(keys), as_keys(sorted), places.data_ptr<uint32_t>(), order.data_ptr<uint32_t>()};
  if (lines == 1 || length >= kMostItems || (lines <= kFewLines && length >= kLongLine))
    sort_long_lines(buffers, keys, bits);
  else
    sort_many_lines(buffers, keys);
  check_launch("sort");
}

}  // namespace

SortedKeys sort_keys(const Tensor& keys, int bits) {
  const SortedKeys result{empty_cuda(keys.sizes(), keys.dtype(), keys.device()),
                          empty_cuda(keys.sizes(), kUInt32, keys.device())};
  if (keys.numel() == 0) return result;
  if (keys.dtype() == kLong)
    sort_all<uint64_t>(keys, result.keys, result.order, bits);
  else
    sort_all<uint32_t>(keys, result.keys, result.order, bits);
  return result;
}

}  // namespace strata::cuda
