// Sums over differences of vectors, for each instruction set.
#include "kernels/cpu/distance/vec_distance.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/distance/vec_distance.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::distance::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// How differences are joined, and what the norm is in the end; a difference of 0 changes nothing.
template <class T, Norm kNorm>
struct Joining {
  HWY_INLINE V<T> join(Tag<T> d, V<T> sum, V<T> x) const {
    if constexpr (kNorm == Norm::kCount) {
      const V<T> one = hn::IfThenElse(hn::IsNaN(x), x, hn::Set(d, T(1)));
      return hn::Add(sum, hn::IfThenZeroElse(hn::Eq(x, hn::Zero(d)), one));
    } else if constexpr (kNorm == Norm::kSquare) {
      return hn::Add(sum, hn::Mul(x, x));
    } else if constexpr (kNorm == Norm::kAbsolute) {
      return hn::Add(sum, hn::Abs(x));
    } else {
      return combine(d, hn::Abs(x), sum);
    }
  }
  /// Of two sums.
  template <class D, class W>
  HWY_INLINE W combine(D d, W a, W b) const {
    return kNorm == Norm::kLargest ? ExtremeOp<T, true>().combine(d, a, b) : hn::Add(a, b);
  }
};

/// Sums over 64 bytes of virtual lanes, joined in halves: one order whatever the vectors' width.
template <class T, Norm kNorm>
HWY_INLINE T distance(const T* a, const T* b, int64_t k) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  constexpr int64_t kVecs = 64 / static_cast<int64_t>(sizeof(T)) / kLanes;
  const Joining<T, kNorm> joining;
  V<T> sums[kVecs];
#pragma GCC unroll 16
  for (int64_t j = 0; j < kVecs; ++j) sums[j] = hn::Zero(d);
  int64_t i = 0;
  for (; i + kVecs * kLanes <= k; i += kVecs * kLanes) {
#pragma GCC unroll 16
    for (int64_t j = 0; j < kVecs; ++j) {
      const int64_t at = i + j * kLanes;
      sums[j] = joining.join(d, sums[j], hn::Sub(hn::LoadU(d, a + at), hn::LoadU(d, b + at)));
    }
  }
  for (int64_t j = 0; i < k; ++j, i += kLanes) {
    const size_t rest = static_cast<size_t>(k - i);
    const bool whole = k - i >= kLanes;
    const V<T> x = whole ? hn::LoadU(d, a + i) : load_some(d, a + i, rest, T(0));
    const V<T> y = whole ? hn::LoadU(d, b + i) : load_some(d, b + i, rest, T(0));
    sums[j] = joining.join(d, sums[j], hn::Sub(x, y));
  }
#pragma GCC unroll 4
  for (int64_t h = kVecs / 2; h > 0; h /= 2)
    for (int64_t j = 0; j < h; ++j) sums[j] = joining.combine(d, sums[j], sums[j + h]);
  return fold_lanes(d, sums[0], joining);
}

template <class T, Norm kNorm>
void distances(const T* a, const T* b, int64_t n, int64_t k, T* out) {
  for (int64_t j = 0; j < n; ++j) {
    const T sum = distance<T, kNorm>(a, b + j * k, k);
    out[j] = kNorm == Norm::kSquare ? std::sqrt(sum) : sum;
  }
}

template <class T>
using Distances = void (*)(const T*, const T*, int64_t, int64_t, T*);
template <class T>
Distances<T> distances_of(Norm norm) {
  static constexpr Distances<T> kAll[] = {distances<T, Norm::kCount>, distances<T, Norm::kAbsolute>,
                                          distances<T, Norm::kSquare>, distances<T, Norm::kLargest>};
  return kAll[static_cast<int>(norm)];
}
Distances<float> distances_f32(Norm norm) { return distances_of<float>(norm); }
Distances<double> distances_f64(Norm norm) { return distances_of<double>(norm); }

/// One term: what is neither above nor below 0 is 0, or NaN, which has no sign and shows.
template <Pull kWhat, class T>
HWY_INLINE V<T> pulled(Tag<T> d, T factor, V<T> difference) {
  const V<T> g = hn::Set(d, factor);
  if constexpr (kWhat == Pull::kDifferences) {
    return hn::Mul(g, difference);
  } else {
    const V<T> above = hn::IfThenElse(hn::Gt(difference, hn::Zero(d)), g, difference);
    return hn::IfThenElse(hn::Lt(difference, hn::Zero(d)), hn::Neg(g), above);
  }
}

/// kWide vectors of columns, or the first `tail` lanes of one. 64 terms are summed before they join the total, so that
/// its rounding errors stay small.
template <Pull kWhat, int kWide, bool kTail, class T>
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
#pragma GCC unroll 4
      for (int w = 0; w < kWide; ++w)
        sum[w] = hn::Add(sum[w], pulled<kWhat>(d, g[j], hn::Sub(at[w], load(b + j * k, w))));
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

template <Pull kWhat, class T>
void pull_row(const T* g, const T* a, const T* b, int64_t n, int64_t k, T* out) {
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  int64_t c = 0;
  for (; c + 4 * kLanes <= k; c += 4 * kLanes) pull_columns<kWhat, 4, false>(g, a + c, b + c, n, k, 0, out + c);
  for (; c + kLanes <= k; c += kLanes) pull_columns<kWhat, 1, false>(g, a + c, b + c, n, k, 0, out + c);
  if (c < k) pull_columns<kWhat, 1, true>(g, a + c, b + c, n, k, static_cast<size_t>(k - c), out + c);
}
template <class T>
using PullRow = void (*)(const T*, const T*, const T*, int64_t, int64_t, T*);
PullRow<float> pull_row_f32(Pull what) {
  return what == Pull::kSigns ? pull_row<Pull::kSigns, float> : pull_row<Pull::kDifferences, float>;
}
PullRow<double> pull_row_f64(Pull what) {
  return what == Pull::kSigns ? pull_row<Pull::kSigns, double> : pull_row<Pull::kDifferences, double>;
}

}  // namespace strata::cpu::distance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::distance {
HWY_EXPORT(distances_f32);
HWY_EXPORT(distances_f64);
HWY_EXPORT(pull_row_f32);
HWY_EXPORT(pull_row_f64);

namespace {
auto distances_for(Norm norm, const float*) { return HWY_DYNAMIC_DISPATCH(distances_f32)(norm); }
auto distances_for(Norm norm, const double*) { return HWY_DYNAMIC_DISPATCH(distances_f64)(norm); }
auto pull_row_for(Pull what, const float*) { return HWY_DYNAMIC_DISPATCH(pull_row_f32)(what); }
auto pull_row_for(Pull what, const double*) { return HWY_DYNAMIC_DISPATCH(pull_row_f64)(what); }
}  // namespace

template <class T>
void distances(Norm norm, const T* a, const T* b, int64_t n, int64_t k, T* out) {
  distances_for(norm, a)(a, b, n, k, out);
}
template void distances<float>(Norm, const float*, const float*, int64_t, int64_t, float*);
template void distances<double>(Norm, const double*, const double*, int64_t, int64_t, double*);

template <class T>
void pull(Pull what, const T* g, const T* a, const T* b, int64_t n, int64_t k, T* out) {
  pull_row_for(what, g)(g, a, b, n, k, out);
}
template void pull<float>(Pull, const float*, const float*, const float*, int64_t, int64_t, float*);
template void pull<double>(Pull, const double*, const double*, const double*, int64_t, int64_t, double*);

}  // namespace strata::cpu::distance
#endif
