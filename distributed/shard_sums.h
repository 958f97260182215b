// Sums of gradients over shards that come one after another, in the order of a binary tree.
#pragma once
#include <vector>

#include "../core/tensor.h"

namespace strata::distributed {

/// Adds up tensors in pairs of neighbours, then pairs of those, and keeps only what a later one will be added to: of n
/// tensors at most log2(n) + 1. An undefined one counts as zeros.
class ShardSum {
 public:
  void add(Tensor x);
  /// The sum of a power of two of tensors, undefined where all were; starts again.
  Tensor take();

 private:
  std::vector<Tensor> partial_;  ///< sums of falling numbers of tensors, powers of two: the bits of `count_`
  uint64_t count_ = 0;
};

}  // namespace strata::distributed
