// What the tests of compiled functions share: tensors to call with, and comparing the results.
#pragma once
#include <strata/strata.h>

namespace strata {

/// Elements that go through several threads, tiles and chunks. More of them take builds with sanitizers minutes.
constexpr int64_t kEnough = 100'000;

inline bool same(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  return a.dtype() == b.dtype() && a.equal(b);
}

inline Tensor ramp(IntArrayRef sizes) { return (arange(numel_of(sizes), kFloat) / 7 - 3).view(sizes); }
inline Tensor wave(IntArrayRef sizes) { return ramp(sizes).sin(); }

}  // namespace strata
