// Ranges and orders of indices, a vector at a time.
#include "kernels/cpu/indexing/vec_index.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/indexing/vec_index.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::indexing::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Index = hn::ScalableTag<int64_t>;

/// Is f(i), a mask of the elements from i on, false everywhere? What is left behind the last whole vector is a vector
/// that begins earlier, or left to one(i) where there is no whole one.
template <class F, class One>
HWY_INLINE bool none_of(int64_t n, F f, One one) {
  const Index d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (n < lanes) {
    for (int64_t i = 0; i < n; ++i)
      if (one(i)) return false;
    return true;
  }
  auto found = f(n - lanes);
  for (int64_t i = 0; i + lanes <= n; i += lanes) found = hn::Or(found, f(i));
  return hn::AllFalse(d, found);
}

bool in_range(const int64_t* index, int64_t n, int64_t low, int64_t high) {
  const Index d;
  const auto least = hn::Set(d, low), most = hn::Set(d, high);
  return none_of(
      n,
      [&](int64_t i) __attribute__((always_inline)) {
        const auto at = hn::LoadU(d, index + i);
        return hn::Or(hn::Lt(at, least), hn::Gt(at, most));
      },
      [&](int64_t i) { return index[i] < low || index[i] > high; });
}

bool is_rising(const int64_t* x, int64_t n) {
  const Index d;
  return none_of(
      std::max<int64_t>(0, n - 1),
      [&](int64_t i) __attribute__((always_inline)) { return hn::Lt(hn::LoadU(d, x + i + 1), hn::LoadU(d, x + i)); },
      [&](int64_t i) { return x[i + 1] < x[i]; });
}

const VecIndex* vec_indices() {
  static constexpr VecIndex functions{.in_range = in_range, .is_rising = is_rising};
  return &functions;
}

}  // namespace strata::cpu::indexing::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::indexing {
HWY_EXPORT(vec_indices);

const VecIndex& vec_index() {
  static const VecIndex* functions = HWY_DYNAMIC_DISPATCH(vec_indices)();
  return *functions;
}
}  // namespace strata::cpu::indexing
#endif
