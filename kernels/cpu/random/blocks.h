// The blocks that random elements are made in.
#pragma once
#include <algorithm>
#include <cstdint>

#include "core/parallel.h"

namespace strata::cpu::random {

/// Most elements of a block.
inline constexpr int64_t kRandomBlock = 1024;
/// Blocks are made in multiples of this many elements, which every vector length divides, so there are no tails.
inline constexpr int64_t kRandomStep = 64;

/// `count` rounded up to what is made at a time.
inline int64_t made(int64_t count) { return (count + kRandomStep - 1) / kRandomStep * kRandomStep; }

/// Calls f(first element, count) for the blocks of n elements; which thread runs one does not matter.
template <class F>
void for_blocks(int64_t n, F&& f) {
  parallel_for(0, (n + kRandomBlock - 1) / kRandomBlock, 4, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) f(i * kRandomBlock, std::min(kRandomBlock, n - i * kRandomBlock));
  });
}

}  // namespace strata::cpu::random
