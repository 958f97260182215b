// Complex values of lines side by side as SIMD vectors, and where they come from and go to.
#if defined(STRATA_FFT_VALUES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_FFT_VALUES_INL_H
#undef STRATA_FFT_VALUES_INL_H
#else
#define STRATA_FFT_VALUES_INL_H
#endif
#include <hwy/highway.h>

#include <algorithm>

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

// Loads and stores of real and imaginary parts in turn. "Reversed" are vectors whose last value lies first in memory.
// `upper` is where the upper half of kLanes values goes, as against the lower one.

#if HWY_TARGET <= HWY_AVX3
// One permutation of two vectors makes each of the two that are wanted.

/// a's and b's lanes, numbered in a row, in the order of `order`.
HWY_INLINE Value<float>::V permuted(Value<float>::V a, __m512i order, Value<float>::V b) {
  return {_mm512_permutex2var_ps(a.raw, order, b.raw)};
}
HWY_INLINE Value<double>::V permuted(Value<double>::V a, __m512i order, Value<double>::V b) {
  return {_mm512_permutex2var_pd(a.raw, order, b.raw)};
}
/// The order that begins with `first` and `second` and goes on by `step` after each two.
template <class T>
HWY_INLINE __m512i order_of(int first, int second, int step) {
  if constexpr (sizeof(T) == 4) {
    const __m512i twos = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    return _mm512_add_epi32(_mm512_mullo_epi32(twos, _mm512_set1_epi32(step)),
                            _mm512_mask_set1_epi32(_mm512_set1_epi32(first), 0xAAAA, second));
  } else {
    return _mm512_setr_epi64(first, second, first + step, second + step, first + 2 * step, second + 2 * step,
                             first + 3 * step, second + 3 * step);
  }
}
template <class T>
HWY_INLINE Value<T> load_pairs(const T* from) {
  const auto a = hn::LoadU(Tag<T>(), from), b = hn::LoadU(Tag<T>(), from + kLanes<T>);
  return {permuted(a, order_of<T>(0, 2, 4), b), permuted(a, order_of<T>(1, 3, 4), b)};
}
template <class T>
HWY_INLINE Value<T> load_reversed_pairs(const T* from) {
  constexpr int last = 2 * kLanes<T> - 2;
  const auto a = hn::LoadU(Tag<T>(), from), b = hn::LoadU(Tag<T>(), from + kLanes<T>);
  return {permuted(a, order_of<T>(last, last - 2, -4), b), permuted(a, order_of<T>(last + 1, last - 1, -4), b)};
}
template <class T>
HWY_INLINE void store_pairs(const Value<T>& x, T* to, int64_t upper = kLanes<T>) {
  constexpr int n = kLanes<T>;
  hn::StoreU(permuted(x.re, order_of<T>(0, n, 1), x.im), Tag<T>(), to);
  hn::StoreU(permuted(x.re, order_of<T>(n / 2, n + n / 2, 1), x.im), Tag<T>(), to + upper);
}
template <class T>
HWY_INLINE void store_reversed_pairs(const Value<T>& x, T* to) {
  constexpr int n = kLanes<T>;
  hn::StoreU(permuted(x.re, order_of<T>(n - 1, 2 * n - 1, -1), x.im), Tag<T>(), to);
  hn::StoreU(permuted(x.re, order_of<T>(n / 2 - 1, n + n / 2 - 1, -1), x.im), Tag<T>(), to + n);
}
#else
template <class T>
HWY_INLINE Value<T> load_pairs(const T* from) {
  Value<T> x;
  hn::LoadInterleaved2(Tag<T>(), from, x.re, x.im);
  return x;
}
template <class T>
HWY_INLINE Value<T> load_reversed_pairs(const T* from) {
  const Value<T> x = load_pairs(from);
  return {hn::Reverse(Tag<T>(), x.re), hn::Reverse(Tag<T>(), x.im)};
}
template <class T>
HWY_INLINE void store_pairs(const Value<T>& x, T* to, int64_t = kLanes<T>) {
  static_assert(hn::MaxLanes(Tag<T>()) < kLanes<T>);
  hn::StoreInterleaved2(x.re, x.im, Tag<T>(), to);
}
template <class T>
HWY_INLINE void store_reversed_pairs(const Value<T>& x, T* to) {
  store_pairs(Value<T>{hn::Reverse(Tag<T>(), x.re), hn::Reverse(Tag<T>(), x.im)}, to);
}
#endif

/// Cache lines that are asked for before they are used, `each` of them for every value of a pass.
struct Ahead {
  HWY_INLINE void ask(int64_t values) {
    constexpr int kReads = 0, kToSecondLevel = 2;
    for (int64_t i = std::min(left, values * each); i > 0; --i, --left, at += 64)
      __builtin_prefetch(at, kReads, kToSecondLevel);
  }
  const char* at;
  int64_t left, each;
};

// Where values come from and go to. Each has `part(i, b, v, n)`: the values i, i + n, ... of the lines from v on of
// block b of kLanes lines, of which `load` takes and `store` gives one after the other.

/// Moves an address on. The compiler is not to see through it: it would work out the addresses of all values of a pass
/// before its loops, far more than there are registers for.
template <class P>
HWY_INLINE void move_on(P*& at, int64_t step) {
  at += step;
  asm("" : "+r"(at));
}

/// Real parts of kLanes lines, then imaginary ones. The next block is `block` further on.
template <class T>
struct Apart {
  T* data;
  int64_t step = kApart<T>, block = 0;

  HWY_INLINE Apart part(int64_t i, int64_t b, int64_t v, int64_t n) const {
    return {data + i * step + b * block + v, step * n, block};
  }
  HWY_INLINE Value<T> load() {
    const Value<T> x = {hn::LoadU(Tag<T>(), data), hn::LoadU(Tag<T>(), data + kLanes<T>)};
    move_on(data, step);
    return x;
  }
  HWY_INLINE void store(const Value<T>& x) {
    hn::StoreU(x.re, Tag<T>(), data);
    hn::StoreU(x.im, Tag<T>(), data + kLanes<T>);
    move_on(data, step);
  }
};

/// Real and imaginary parts in turn, as tensors have them. The next block is `block` further on.
template <class T>
struct Pairs {
  const T* data;
  int64_t step;
  T conjugate;
  int64_t block = 2 * kLanes<T>;

  HWY_INLINE Pairs part(int64_t i, int64_t b, int64_t v, int64_t n) const {
    return {data + i * step + b * block + 2 * v, step * n, conjugate, block};
  }
  HWY_INLINE Value<T> load() {
    Value<T> x = load_pairs(data);
    x.im = hn::Mul(x.im, hn::Set(Tag<T>(), conjugate));
    move_on(data, step);
    return x;
  }
};
/// The same, scaled. With kHasHalves the upper half of the lines of a block is `upper` behind the lower one.
template <class T, bool kHasHalves = false>
struct ScaledPairs {
  T* data;
  int64_t step;
  FftFactors<T> factors;
  int64_t upper = kLanes<T>, block = 2 * kLanes<T>;

  HWY_INLINE ScaledPairs part(int64_t i, int64_t b, int64_t v, int64_t n) const {
    constexpr int64_t kHalf = kLanes<T> / 2;
    const int64_t line = kHasHalves && v >= kHalf ? upper + 2 * (v - kHalf) : 2 * v;
    return {data + i * step + b * block + line, step * n, factors, upper, block};
  }
  HWY_INLINE void store(const Value<T>& x) {
    const Tag<T> d;
    const auto re_factor = hn::Set(d, factors.scale), im_factor = hn::Set(d, factors.scale * factors.conjugate);
    store_pairs(Value<T>{hn::Mul(x.re, re_factor), hn::Mul(x.im, im_factor)}, data, kHasHalves ? upper : kLanes<T>);
    move_on(data, step);
  }
};

/// Apart, turned by FftTables::twist: `kOneForAll` where the lines are of different tensor lines, so that they have the
/// factor in common. The factors of the next block are `block` further on.
template <bool kOneForAll, class T>
struct Twisted {
  Apart<T> to;
  const T* twist;
  int64_t columns, block = kLanes<T>, step = 2 * columns;

  HWY_INLINE Twisted part(int64_t i, int64_t b, int64_t v, int64_t n) const {
    const int64_t line = b * block + (kOneForAll ? 0 : v);
    return {to.part(i, b, v, n), twist + i * step + line, columns, block, step * n};
  }
  HWY_INLINE void store(const Value<T>& x) {
    const Tag<T> d;
    if constexpr (kOneForAll)
      to.store(x.times(hn::Set(d, twist[0]), hn::Set(d, twist[columns])));
    else
      to.store(x.times(hn::LoadU(d, twist), hn::LoadU(d, twist + columns)));
    move_on(twist, step);
  }
};

}  // namespace strata::cpu::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
