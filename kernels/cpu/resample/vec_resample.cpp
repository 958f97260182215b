// Weighted sums of rows and of picked elements; the tail of a row runs the same code on partial vectors.
#include "kernels/cpu/resample/vec_resample.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/resample/vec_resample.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/common/vec_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::resample::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// kVectors whole vectors of the sum of weighted rows. Rows that are some steps ahead are fetched meanwhile.
template <int kVectors, class T>
HWY_INLINE void sum_columns(const T* x, int64_t step, const int64_t* index, const T* weight, int64_t taps,
                            int64_t known, T* y) {
  constexpr int64_t kAhead = 12, kLine = 64 / sizeof(T);
  const hn::ScalableTag<T> d;
  constexpr auto lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
  hn::Vec<decltype(d)> sum[kVectors];
  const auto first = hn::Set(d, weight[0]);
  unrolled<kVectors>([&](auto v) __attribute__((always_inline)) {
    sum[v] = hn::Mul(first, hn::LoadU(d, x + index[0] * step + v * lanes));
  });
  for (int64_t t = 1; t < taps; ++t) {
    const T* const row = x + index[t] * step;
    const auto w = hn::Set(d, weight[t]);
    if (t + kAhead < known)
      for (int64_t i = 0; i < kVectors * lanes; i += kLine) hwy::Prefetch(x + index[t + kAhead] * step + i);
    unrolled<kVectors>([&](auto v) __attribute__((always_inline)) {
      sum[v] = hn::MulAdd(w, hn::LoadU(d, row + v * lanes), sum[v]);
    });
  }
  unrolled<kVectors>([&](auto v) __attribute__((always_inline)) { hn::StoreU(sum[v], d, y + v * lanes); });
}

template <class T>
void sum_rows(const T* x, int64_t step, const int64_t* index, const T* weight, int64_t taps, int64_t known, T* y,
              int64_t n) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; taps > 0 && i + 8 * lanes <= n; i += 8 * lanes) sum_columns<8>(x + i, step, index, weight, taps, known, y + i);
  for (; taps > 0 && i + lanes <= n; i += lanes) sum_columns<1>(x + i, step, index, weight, taps, known, y + i);
  for (; i < n; i += lanes) {
    const auto count = static_cast<size_t>(std::min(lanes, n - i));
    const auto row = [&](int64_t t) HWY_ATTR { return load_n(d, x + index[t] * step + i, count); };
    auto sum = taps > 0 ? hn::Mul(hn::Set(d, weight[0]), row(0)) : hn::Zero(d);
    for (int64_t t = 1; t < taps; ++t) sum = hn::MulAdd(hn::Set(d, weight[t]), row(t), sum);
    store_n(d, sum, y + i, count);
  }
}

template <class T>
void sum_places(const T* x, const Position<T>* index, const T* weight, int64_t taps, T* y, int64_t n) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < n; i += lanes) {
    const auto count = static_cast<size_t>(std::min(lanes, n - i));
    auto sum = hn::Zero(d);
    for (int64_t t = 0; t < taps; ++t) {
      const auto at = load_n(di, index + t * n + i, count);
      const auto picked = hn::GatherIndex(d, x, hn::Max(at, hn::Zero(di)));
      const auto has_tap = hn::RebindMask(d, hn::Gt(at, hn::Set(di, -1)));
      sum = hn::MulAdd(load_n(d, weight + t * n + i, count), hn::IfThenElseZero(has_tap, picked), sum);
    }
    HWY_LIKELY(count == hn::Lanes(d)) ? hn::StoreU(sum, d, y + i) : store_n(d, sum, y + i, count);
  }
}

template <class T>
void sum_near(const T* x, const int64_t* base, const Position<T>* index, const T* weight, int64_t taps, T* y,
              int64_t n) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d)), whole = (n + lanes - 1) / lanes * lanes;
  for (int64_t i = 0; i < n; i += lanes) {
    const auto near = hn::LoadU(d, x + *base++);
    auto sum = hn::Zero(d);
    for (int64_t t = 0; t < taps; ++t) {
      const auto at = hn::LoadU(di, index + t * whole + i);
      const auto picked = hn::TableLookupLanes(near, hn::IndicesFromVec(d, hn::Max(at, hn::Zero(di))));
      const auto has_tap = hn::RebindMask(d, hn::Gt(at, hn::Set(di, -1)));
      sum = hn::MulAdd(hn::LoadU(d, weight + t * whole + i), hn::IfThenElseZero(has_tap, picked), sum);
    }
    HWY_LIKELY(i + lanes <= n) ? hn::StoreU(sum, d, y + i) : store_n(d, sum, y + i, static_cast<size_t>(n - i));
  }
}

template <class T>
const VecResample<T>* table() {
  static constexpr VecResample<T> functions{.sum_rows = sum_rows<T>,
                                            .sum_places = sum_places<T>,
                                            .sum_near = sum_near<T>,
                                            .lanes = hn::MaxLanes(hn::ScalableTag<T>())};
  return &functions;
}
const VecResample<float>* resample_f32() { return table<float>(); }
const VecResample<double>* resample_f64() { return table<double>(); }

}  // namespace strata::cpu::resample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::resample {
HWY_EXPORT(resample_f32);
HWY_EXPORT(resample_f64);

template <>
const VecResample<float>& vec_resample<float>() {
  static const VecResample<float>* functions = HWY_DYNAMIC_DISPATCH(resample_f32)();
  return *functions;
}
template <>
const VecResample<double>& vec_resample<double>() {
  static const VecResample<double>* functions = HWY_DYNAMIC_DISPATCH(resample_f64)();
  return *functions;
}
}  // namespace strata::cpu::resample
#endif
