// The sort of the kernels, which CUB does on a device.
#include "kernels/cuda/common/radix_sort.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace strata::cuda {
namespace {

template <class K>
void sort_pairs(const RadixPairs<K>& p, uint32_t n, int bits) {
  const K mask = static_cast<K>(~K{0}) >> (8 * static_cast<int>(sizeof(K)) - bits);
  std::vector<uint32_t> from(n);
  std::iota(from.begin(), from.end(), 0);
  std::stable_sort(from.begin(), from.end(),
                   [&](uint32_t a, uint32_t b) { return (p.keys[a] & mask) < (p.keys[b] & mask); });
  for (uint32_t i = 0; i < n; ++i) {
    p.sorted[i] = p.keys[from[i]];
    p.order[i] = p.places[from[i]];
  }
}

}  // namespace

void radix_sort(const RadixPairs<uint32_t>& pairs, uint32_t n, int bits, const Tensor&) { sort_pairs(pairs, n, bits); }
void radix_sort(const RadixPairs<uint64_t>& pairs, uint32_t n, int bits, const Tensor&) { sort_pairs(pairs, n, bits); }

}  // namespace strata::cuda
