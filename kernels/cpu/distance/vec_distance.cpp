// Sums over differences of vectors, for each instruction set.
#include "kernels/cpu/distance/vec_distance.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/distance/vec_distance.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::distance::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// kWide vectors of columns, or the first `tail` lanes of one. 64 terms are summed before they join the total, so that
/// its rounding errors stay small.
template <int kWide, bool kTail, class T>
HWY_INLINE void pull_columns(const T* g, const T* a, const T* b, int64_t n, int64_t k, size_t tail, T* out) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>()), kTogether = 64;
  const auto load = [&](const T* x, int w)
                        HWY_ATTR { return kTail ? load_some(d, x, tail, T(0)) : hn::LoadU(d, x + w * kLanes); };
  V<T> at[kWide], total[kWide];
#pragma GCC unroll 4
  for (int w = 0; w < kWide; ++w) at[w] = load(a, w), total[w] = hn::Zero(d);
  for (int64_t first = 0; first < n; first += kTogether) {
    V<T> sum[kWide];
#pragma GCC unroll 4
    for (int w = 0; w < kWide; ++w) sum[w] = hn::Zero(d);
    for (int64_t j = first; j < std::min(first + kTogether, n); ++j) {
      const V<T> factor = hn::Set(d, g[j]);
#pragma GCC unroll 4
      for (int w = 0; w < kWide; ++w) {
        const V<T> other = load(b + j * k, w);
        sum[w] = hn::Add(sum[w], hn::IfThenElseZero(hn::Gt(at[w], other), factor));
        sum[w] = hn::Sub(sum[w], hn::IfThenElseZero(hn::Lt(at[w], other), factor));
      }
    }
#pragma GCC unroll 4
    for (int w = 0; w < kWide; ++w) total[w] = hn::Add(total[w], sum[w]);
  }
#pragma GCC unroll 4
  for (int w = 0; w < kWide; ++w) {
    if (kTail)
      store_some(d, total[w], out, tail);
    else
      hn::StoreU(total[w], d, out + w * kLanes);
  }
}

template <class T>
void pull_row(const T* g, const T* a, const T* b, int64_t n, int64_t k, T* out) {
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  int64_t c = 0;
  for (; c + 4 * kLanes <= k; c += 4 * kLanes) pull_columns<4, false>(g, a + c, b + c, n, k, 0, out + c);
  for (; c + kLanes <= k; c += kLanes) pull_columns<1, false>(g, a + c, b + c, n, k, 0, out + c);
  if (c < k) pull_columns<1, true>(g, a + c, b + c, n, k, static_cast<size_t>(k - c), out + c);
}
void pull_row_f32(const float* g, const float* a, const float* b, int64_t n, int64_t k, float* out) {
  pull_row(g, a, b, n, k, out);
}
void pull_row_f64(const double* g, const double* a, const double* b, int64_t n, int64_t k, double* out) {
  pull_row(g, a, b, n, k, out);
}

}  // namespace strata::cpu::distance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::distance {
HWY_EXPORT(pull_row_f32);
HWY_EXPORT(pull_row_f64);

template <>
void pull_signs<float>(const float* g, const float* a, const float* b, int64_t n, int64_t k, float* out) {
  HWY_DYNAMIC_DISPATCH(pull_row_f32)(g, a, b, n, k, out);
}
template <>
void pull_signs<double>(const double* g, const double* a, const double* b, int64_t n, int64_t k, double* out) {
  HWY_DYNAMIC_DISPATCH(pull_row_f64)(g, a, b, n, k, out);
}

}  // namespace strata::cpu::distance
#endif
