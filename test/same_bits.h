// Whether tensors are the same bit for bit, as results of any number of threads and of compiled programs are to be.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "ops/creation.h"
#include "ops/view.h"

namespace strata {

/// Are dtypes, sizes and the elements' bits the same, whatever the strides? Undefined tensors equal each other.
inline bool same_bits(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes()) return false;
  const Tensor x = a.contiguous(), y = b.contiguous();
  return x.numel() == 0 || std::memcmp(x.bytes(), y.bytes(), x.nbytes()) == 0;
}
inline bool same_bits(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Tensor& x, const Tensor& y) { return same_bits(x, y); });
}

}  // namespace strata
