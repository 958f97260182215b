// One stable sort of all keys on the device: all that sorting takes from CUB.
#pragma once
#include "core/tensor.h"

namespace strata::cuda {

/// Row-major device memory for n keys of 4 or 8 bytes and what goes with each.
template <class K>
struct RadixPairs {
  const K* keys;
  const uint32_t* places;
  K* sorted;
  uint32_t* order;  ///< `places` in the order of the keys
};

/// Sorts n keys by their lowest `bits`; equal ones keep their order. On the current stream of the device of `like`.
void radix_sort(const RadixPairs<uint32_t>& pairs, uint32_t n, int bits, const Tensor& like);
void radix_sort(const RadixPairs<uint64_t>& pairs, uint32_t n, int bits, const Tensor& like);

}  // namespace strata::cuda
