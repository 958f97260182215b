// The sort of the kernels, which CUB does on a device.
#include "kernels/cuda/sort_keys.h"

#include <algorithm>
#include <numeric>

namespace strata::cuda {
namespace {

template <class K>
void sort_lines(const Tensor& keys, const SortedKeys& result) {
  const int64_t lines = keys.sizes()[0], length = keys.sizes()[1];
  for (int64_t line = 0; line < lines; ++line) {
    const K* const from = reinterpret_cast<const K*>(keys.data()) + line * length;
    K* const to = reinterpret_cast<K*>(result.keys.data()) + line * length;
    uint32_t* const order = result.order.data_ptr<uint32_t>() + line * length;
    std::iota(order, order + length, 0);
    std::stable_sort(order, order + length, [&](uint32_t a, uint32_t b) { return from[a] < from[b]; });
    for (int64_t i = 0; i < length; ++i) to[i] = from[order[i]];
  }
}

}  // namespace

SortedKeys sort_keys(const Tensor& keys, int) {
  const SortedKeys result{empty_cuda(keys.sizes(), keys.dtype(), keys.device()),
                          empty_cuda(keys.sizes(), kUInt32, keys.device())};
  if (keys.dtype() == kLong)
    sort_lines<uint64_t>(keys, result);
  else
    sort_lines<uint32_t>(keys, result);
  return result;
}

}  // namespace strata::cuda
