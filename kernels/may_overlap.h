// Whether a geometry shows the same memory twice.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/array_ref.h"

namespace strata {

/// Could two elements of this geometry stand at the same place? True errs on the safe side.
inline bool may_overlap(IntArrayRef sizes, IntArrayRef strides) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return strides[a] < strides[b]; });
  int64_t span = 0;
  for (size_t d : order) {
    if (sizes[d] <= 1) continue;
    if (strides[d] <= span) return true;
    span += (sizes[d] - 1) * strides[d];
  }
  return false;
}

}  // namespace strata
