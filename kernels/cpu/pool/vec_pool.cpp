// Vector loops of pools: neighbouring windows meet the same tap together, lane by lane.
#include "kernels/cpu/pool/vec_pool.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pool/vec_pool.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pool::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// Maxima so far and the offsets of their positions from the window's first element.
template <class D>
struct Best {
  using DI = hn::RebindToSigned<D>;
  hn::Vec<D> value;
  hn::Vec<DI> offset;
  HWY_INLINE void meet(hn::Vec<D> v, int32_t at) {
    const auto wins = hn::Or(hn::Gt(v, value), hn::IsNaN(v));
    value = hn::IfThenElse(wins, v, value);
    offset = hn::IfThenElse(hn::RebindMask(DI(), wins), hn::Set(DI(), at), offset);
  }
};

/// One row of outputs: rows `top` and `bottom` start at element `first` and `first + width` of their plane.
struct Row {
  const float *top, *bottom;
  int32_t first, width;
  float* out;
  int64_t* index;
};

/// As many outputs as D has lanes, from output `i` on.
template <class D>
HWY_INLINE void pool_block(D d, const Row& r, int64_t i) {
  const hn::RebindToSigned<D> di;
  hn::Vec<D> a, b, c, e;
  hn::LoadInterleaved2(d, r.top + 2 * i, a, b);
  hn::LoadInterleaved2(d, r.bottom + 2 * i, c, e);
  Best<D> best{a, hn::Zero(di)};
  best.meet(b, 1);
  best.meet(c, r.width);
  best.meet(e, r.width + 1);
  hn::StoreU(best.value, d, r.out + i);
  const auto twice = hn::ShiftLeft<1>(hn::Iota(di, static_cast<int32_t>(i)));
  HWY_ALIGN int32_t positions[hn::MaxLanes(D())];
  hn::Store(hn::Add(hn::Add(best.offset, twice), hn::Set(di, r.first)), di, positions);
  for (size_t j = 0; j < hn::Lanes(d); ++j) r.index[i + static_cast<int64_t>(j)] = positions[j];
}

/// A row of at least as many outputs as D has lanes; the last block overlaps the one before it.
template <class D>
HWY_INLINE void pool_row(D d, const Row& r, int64_t n) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) pool_block(d, r, i);
  if (i < n) pool_block(d, r, n - lanes);
}

void max_pool_plane(const float* x, int64_t width, int64_t oh, int64_t ow, float* out, int64_t* index) {
  const hn::ScalableTag<float> most;
  const hn::CappedTag<float, 8> eight;
  const hn::CappedTag<float, 4> four;
  const hn::CappedTag<float, 1> one;
  for (int64_t h = 0; h < oh; ++h) {
    const int64_t first = 2 * h * width;
    const Row r{x + first,    x + first + width, static_cast<int32_t>(first), static_cast<int32_t>(width),
                out + h * ow, index + h * ow};
    if (ow >= static_cast<int64_t>(hn::Lanes(most)))
      pool_row(most, r, ow);
    else if (ow >= static_cast<int64_t>(hn::Lanes(eight)))
      pool_row(eight, r, ow);
    else if (ow >= static_cast<int64_t>(hn::Lanes(four)))
      pool_row(four, r, ow);
    else
      pool_row(one, r, ow);
  }
}

/// Elements x[0], x[step], ... of as many windows as D has lanes; step is 1 or 2. With 2 one element more is read.
template <class D>
HWY_INLINE hn::Vec<D> load_tap(D d, const hn::TFromD<D>* x, int64_t step) {
  if (step == 1) return hn::LoadU(d, x);
  hn::Vec<D> even, odd;
  hn::LoadInterleaved2(d, x, even, odd);
  return even;
}

/// Calls f(i) for blocks of as many windows as there are lanes, the last of which overlaps the one before it, and
/// returns the first window that no block has.
template <class F>
HWY_INLINE int64_t for_blocks(const WindowRow& row, int64_t lanes, F f) {
  if (row.step > 2) return 0;
  const int64_t n = row.n - (row.step - 1);  // a block reads up to `step - 1` elements behind its last window
  if (n < lanes) return 0;
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) f(i);
  if (i < n) f(n - lanes);
  return n;
}

template <class DI>
HWY_INLINE void store_places(DI di, hn::Vec<DI> places, int64_t* to) {
  HWY_ALIGN hn::TFromD<DI> lanes[hn::MaxLanes(DI())];
  hn::Store(places, di, lanes);
  for (size_t i = 0; i < hn::Lanes(di); ++i) to[i] = lanes[i];
}

template <class T>
void max_row(const T* x, const WindowRow& row, int64_t first, T* out, int64_t* index) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> di;
  const T lowest = -std::numeric_limits<T>::infinity();
  const auto step = static_cast<Place<T>>(row.step);
  const auto block = [&](int64_t i) HWY_ATTR {
    const T* const start = x + i * row.step;
    auto best = hn::Set(d, lowest);
    if (!index) {
      for (int64_t t = 0; t < row.taps; ++t) {
        const auto v = load_tap(d, start + row.tap[t], row.step);
        best = hn::IfThenElse(hn::Or(hn::Gt(v, best), hn::IsNaN(v)), v, best);
      }
      return hn::StoreU(best, d, out + i);
    }
    auto at = hn::Set(di, static_cast<Place<T>>(row.tap[0]));
    for (int64_t t = 0; t < row.taps; ++t) {
      const auto v = load_tap(d, start + row.tap[t], row.step);
      const auto wins = hn::Or(hn::Gt(v, best), hn::IsNaN(v));
      best = hn::IfThenElse(wins, v, best);
      at = hn::IfThenElse(hn::RebindMask(di, wins), hn::Set(di, static_cast<Place<T>>(row.tap[t])), at);
    }
    hn::StoreU(best, d, out + i);
    const auto windows = hn::Iota(di, static_cast<Place<T>>(0));
    const auto offset = hn::Add(hn::Set(di, static_cast<Place<T>>(first + i * row.step)),
                                step == 1 ? windows : hn::Add(windows, windows));
    store_places(di, hn::Add(at, offset), index + i);
  };
  for (int64_t o = for_blocks(row, static_cast<int64_t>(hn::Lanes(d)), block); o < row.n; ++o) {
    T best = lowest;
    int64_t at = row.tap[0];
    for (int64_t t = 0; t < row.taps; ++t) {
      const T v = x[row.tap[t] + o * row.step];
      if (v > best || v != v) best = v, at = row.tap[t];
    }
    out[o] = best;
    if (index) index[o] = first + at + o * row.step;
  }
}

template <class T>
void mean_row(const T* x, const WindowRow& row, T divisor, T* out) {
  const hn::ScalableTag<T> d;
  const auto block = [&](int64_t i) HWY_ATTR {
    auto sum = hn::Zero(d);
    for (int64_t t = 0; t < row.taps; ++t) sum = hn::Add(sum, load_tap(d, x + i * row.step + row.tap[t], row.step));
    hn::StoreU(hn::Div(sum, hn::Set(d, divisor)), d, out + i);
  };
  for (int64_t o = for_blocks(row, static_cast<int64_t>(hn::Lanes(d)), block); o < row.n; ++o) {
    T sum = 0;
    for (int64_t t = 0; t < row.taps; ++t) sum += x[row.tap[t] + o * row.step];
    out[o] = sum / divisor;
  }
}

template <class T>
void meet(const T* x, int64_t n, Place<T> number, T* best, Place<T>* at) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < n; i += lanes) {
    const auto count = static_cast<size_t>(std::min(lanes, n - i));
    const auto v = load_n(d, x + i, count), b = load_n(d, best + i, count);
    const auto wins = hn::Or(hn::Gt(v, b), hn::IsNaN(v));
    store_n(d, hn::IfThenElse(wins, v, b), best + i, count);
    const auto places = hn::IfThenElse(hn::RebindMask(di, wins), hn::Set(di, number), load_n(di, at + i, count));
    store_n(di, places, at + i, count);
  }
}

template <class T>
const VecPool<T>* table() {
  static constexpr VecPool<T> functions{.max_row = max_row<T>, .mean_row = mean_row<T>, .meet = meet<T>};
  return &functions;
}
const VecPool<float>* pool_f32() { return table<float>(); }
const VecPool<double>* pool_f64() { return table<double>(); }

}  // namespace strata::cpu::pool::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pool {
HWY_EXPORT(max_pool_plane);
HWY_EXPORT(pool_f32);
HWY_EXPORT(pool_f64);

void max_pool_2x2(const float* x, int64_t width, int64_t oh, int64_t ow, float* out, int64_t* index) {
  HWY_DYNAMIC_DISPATCH(max_pool_plane)(x, width, oh, ow, out, index);
}

template <>
const VecPool<float>& vec_pool<float>() {
  static const VecPool<float>* functions = HWY_DYNAMIC_DISPATCH(pool_f32)();
  return *functions;
}
template <>
const VecPool<double>& vec_pool<double>() {
  static const VecPool<double>* functions = HWY_DYNAMIC_DISPATCH(pool_f64)();
  return *functions;
}

}  // namespace strata::cpu::pool
#endif
