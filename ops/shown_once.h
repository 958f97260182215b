// Numbers written to expanded tensors, whose elements share memory.
#pragma once
#include "view.h"

namespace strata::detail {

/// Do the elements along a dim share memory?
inline bool is_repeated(const Tensor& x, int64_t dim) { return x.strides()[dim] == 0 && x.sizes()[dim] > 1; }

inline bool has_repeated(const Tensor& x) {
  for (int64_t d = 0; d < x.dim() && !x.is_contiguous(); ++d)
    if (is_repeated(x, d)) return true;
  return false;
}

/// Of elements that share memory one: a number that is written to it is written to all.
inline Tensor shown_once(const Tensor& x) {
  Tensor once = x;
  for (int64_t d = 0; d < x.dim(); ++d)
    if (is_repeated(x, d)) once = narrow(once, d, 0, 1);
  return once;
}

}  // namespace strata::detail
