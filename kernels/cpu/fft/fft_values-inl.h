// Complex values of lines side by side as SIMD vectors, and where they come from and go to.
#if defined(STRATA_FFT_VALUES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_FFT_VALUES_INL_H
#undef STRATA_FFT_VALUES_INL_H
#else
#define STRATA_FFT_VALUES_INL_H
#endif
#include <hwy/highway.h>

#include "kernels/cpu/fft/vec_fft.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::fft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, static_cast<size_t>(kLanes<T>)>;
/// How far values lie apart that are stored as kLanes real parts and then the imaginary ones.
template <class T>
constexpr int64_t kApart = 2 * kLanes<T>;

/// A complex number of some of the lines.
template <class T>
struct Value {
  using V = hn::Vec<Tag<T>>;
  V re, im;

  HWY_INLINE Value plus(const Value& b) const { return {hn::Add(re, b.re), hn::Add(im, b.im)}; }
  HWY_INLINE Value minus(const Value& b) const { return {hn::Sub(re, b.re), hn::Sub(im, b.im)}; }
  /// this - ib and this + ib
  HWY_INLINE Value plus_right(const Value& b) const { return {hn::Add(re, b.im), hn::Sub(im, b.re)}; }
  HWY_INLINE Value plus_left(const Value& b) const { return {hn::Sub(re, b.im), hn::Add(im, b.re)}; }
  /// this + wb for a real w, and the same with -iw and iw.
  HWY_INLINE Value plus(V w, const Value& b) const { return {hn::MulAdd(w, b.re, re), hn::MulAdd(w, b.im, im)}; }
  HWY_INLINE Value minus(V w, const Value& b) const { return {hn::NegMulAdd(w, b.re, re), hn::NegMulAdd(w, b.im, im)}; }
  HWY_INLINE Value plus_right(V w, const Value& b) const {
    return {hn::MulAdd(w, b.im, re), hn::NegMulAdd(w, b.re, im)};
  }
  HWY_INLINE Value plus_left(V w, const Value& b) const {
    return {hn::NegMulAdd(w, b.im, re), hn::MulAdd(w, b.re, im)};
  }
  HWY_INLINE Value times(V c, V s) const {
    return {hn::MulSub(re, c, hn::Mul(im, s)), hn::MulAdd(re, s, hn::Mul(im, c))};
  }
  HWY_INLINE Value times(V c) const { return {hn::Mul(re, c), hn::Mul(im, c)}; }
};

// Where values come from and go to. Each has `part(i, v, n)`: the values i, i + n, ... of the lines from v on, of which
// `load` takes and `store` gives one after the other.

/// Real parts of kLanes lines, then imaginary ones. The next kLanes lines are `block` further on.
template <class T>
struct Apart {
  T* data;
  int64_t step = kApart<T>, block = 0;

  HWY_INLINE Apart part(int64_t i, int64_t v, int64_t n) const {
    return {data + i * step + v / kLanes<T> * block + v % kLanes<T>, step * n, block};
  }
  HWY_INLINE Value<T> load() {
    const Value<T> x = {hn::LoadU(Tag<T>(), data), hn::LoadU(Tag<T>(), data + kLanes<T>)};
    data += step;
    return x;
  }
  HWY_INLINE void store(const Value<T>& x) {
    hn::StoreU(x.re, Tag<T>(), data);
    hn::StoreU(x.im, Tag<T>(), data + kLanes<T>);
    data += step;
  }
};

/// Real and imaginary parts in turn, as tensors have them.
template <class T>
struct Pairs {
  const T* data;
  int64_t step;
  T conjugate;

  HWY_INLINE Pairs part(int64_t i, int64_t v, int64_t n) const {
    return {data + i * step + 2 * v, step * n, conjugate};
  }
  HWY_INLINE Value<T> load() {
    Value<T> x;
    hn::LoadInterleaved2(Tag<T>(), data, x.re, x.im);
    x.im = hn::Mul(x.im, hn::Set(Tag<T>(), conjugate));
    data += step;
    return x;
  }
};
template <class T>
struct ScaledPairs {
  T* data;
  int64_t step;
  FftFactors<T> factors;

  HWY_INLINE ScaledPairs part(int64_t i, int64_t v, int64_t n) const {
    return {data + i * step + 2 * v, step * n, factors};
  }
  HWY_INLINE void store(const Value<T>& x) {
    const Tag<T> d;
    hn::StoreInterleaved2(hn::Mul(x.re, hn::Set(d, factors.scale)),
                          hn::Mul(x.im, hn::Set(d, factors.scale * factors.conjugate)), d, data);
    data += step;
  }
};

/// Apart, turned by FftTables::twist: `kOneForAll` where the lines are of different tensor lines, so that they have the
/// factor in common.
template <bool kOneForAll, class T>
struct Twisted {
  Apart<T> to;
  const T* twist;
  int64_t columns, step = 2 * columns;

  HWY_INLINE Twisted part(int64_t i, int64_t v, int64_t n) const {
    return {to.part(i, v, n), twist + i * step + (kOneForAll ? 0 : v), columns, step * n};
  }
  HWY_INLINE void store(const Value<T>& x) {
    const Tag<T> d;
    if constexpr (kOneForAll)
      to.store(x.times(hn::Set(d, twist[0]), hn::Set(d, twist[columns])));
    else
      to.store(x.times(hn::LoadU(d, twist), hn::LoadU(d, twist + columns)));
    twist += step;
  }
};

}  // namespace strata::cpu::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
