// The radix sort of CUB.
#include <cub/device/device_radix_sort.cuh>

#include "kernels/cuda/common/radix_sort.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda {
namespace {

/// Called with no memory, CUB says how much it needs.
template <class K>
void sort_pairs(const RadixPairs<K>& p, uint32_t n, int bits, const Tensor& like) {
  const auto run = [&](void* scratch, size_t& bytes) {
    check(cub::DeviceRadixSort::SortPairs(scratch, bytes, p.keys, p.sorted, p.places, p.order, n, 0, bits,
                                          stream_of(like)),
          "sort");
  };
  size_t bytes = 0;
  run(nullptr, bytes);
  const Tensor scratch = empty_on_device({static_cast<int64_t>(bytes) + 1}, kByte, like.device());
  run(scratch.bytes(), bytes);
  check_launch("sort");
}

}  // namespace

void radix_sort(const RadixPairs<uint32_t>& pairs, uint32_t n, int bits, const Tensor& like) {
  sort_pairs(pairs, n, bits, like);
}
void radix_sort(const RadixPairs<uint64_t>& pairs, uint32_t n, int bits, const Tensor& like) {
  sort_pairs(pairs, n, bits, like);
}

}  // namespace strata::cuda
