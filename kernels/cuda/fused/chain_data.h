// What a generated kernel is given: where the operands of its chain lie, and the numbers of its steps.
#pragma once
#include "kernels/cuda/common/walk.h"

namespace strata::cuda::fused {

/// Operands are the chain's outputs and then its inputs.
inline constexpr int kMostOperands = 16, kMostNumbers = 96;

struct ChainData {
  int64_t numel;  ///< where all operands lie in a row
  void* data[kMostOperands];
  double numbers[kMostNumbers];
  Strided<kMostOperands> walk;  ///< where they do not; it counts packs
};

}  // namespace strata::cuda::fused
