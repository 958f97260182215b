// Where random kernels take their numbers from: a position that is known, or one that a captured graph's replay sets.
#pragma once
#include <cuda_runtime_api.h>

#include "core/cuda_backend.h"
#include "kernels/arithmetic.h"

namespace strata::cuda::random {

/// The words of one draw.
struct Draw {
  uint64_t seed, offset;
  const uint64_t* base;  ///< in a graph: seed and offset to start from, in device memory; else null

  /// For an op's params: what they say, or what they stand for in the graph that is being captured.
  static Draw of(uint64_t seed, uint64_t offset) { return {seed, offset, captured_position(seed)}; }

  /// Each thread calls this before it takes words.
  STRATA_HD void find() {
    if (!base) return;
    seed = base[0];
    offset += base[1];
  }
  STRATA_HD uint32_t word(uint64_t w) const { return Philox4x32::at(seed, w / 4, offset).word[w % 4]; }
  /// Draw 2i (low) and 2i + 1.
  STRATA_HD uint64_t pair(uint64_t i) const {
    const Philox4x32 block = Philox4x32::at(seed, i / 2, offset);
    return block.word[i % 2 * 2] | uint64_t{block.word[i % 2 * 2 + 1]} << 32;
  }
  /// The upper 53 bits of 64 as a number in [0, 1).
  STRATA_HD double unit(uint64_t i) const { return static_cast<double>(pair(i) >> 11) * 0x1p-53; }
};

/// Starts a kernel that writes a generator's seed and offset to two words of device memory.
void write_position(uint64_t* words, Generator::Position at, cudaStream_t stream);

}  // namespace strata::cuda::random
