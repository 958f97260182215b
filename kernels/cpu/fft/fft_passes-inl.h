// The passes of a transform over lines side by side.
#if defined(STRATA_FFT_PASSES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_FFT_PASSES_INL_H
#undef STRATA_FFT_PASSES_INL_H
#else
#define STRATA_FFT_PASSES_INL_H
#endif
#include <utility>

#include "kernels/cpu/fft/fft_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::fft::HWY_NAMESPACE {
// Transforms of a few values, in place.

template <class T>
HWY_INLINE void transform(Value<T> (&)[1]) {}
template <class T>
HWY_INLINE void transform(Value<T> (&a)[2]) {
  const Value<T> x = a[0];
  a[0] = x.plus(a[1]);
  a[1] = x.minus(a[1]);
}
template <class T>
HWY_INLINE void transform(Value<T> (&a)[3]) {
  const Tag<T> d;
  const Value<T> sum = a[1].plus(a[2]), diff = a[1].minus(a[2]), middle = a[0].minus(hn::Set(d, T(0.5)), sum);
  const auto s = hn::Set(d, static_cast<T>(0.86602540378443864676));
  a[0] = a[0].plus(sum);
  a[1] = middle.plus_right(s, diff);
  a[2] = middle.plus_left(s, diff);
}
template <class T>
HWY_INLINE void transform(Value<T> (&a)[4]) {
  const Value<T> even = a[0].plus(a[2]), odd = a[0].minus(a[2]), sum = a[1].plus(a[3]), diff = a[1].minus(a[3]);
  a[0] = even.plus(sum);
  a[1] = odd.plus_right(diff);
  a[2] = even.minus(sum);
  a[3] = odd.plus_left(diff);
}
template <class T>
HWY_INLINE void transform(Value<T> (&a)[5]) {
  const Tag<T> d;
  const auto c1 = hn::Set(d, static_cast<T>(0.30901699437494742410)),
             c2 = hn::Set(d, static_cast<T>(-0.80901699437494742410)),
             s1 = hn::Set(d, static_cast<T>(0.95105651629515357212)),
             s2 = hn::Set(d, static_cast<T>(0.58778525229247312917));
  const Value<T> p = a[1].plus(a[4]), q = a[2].plus(a[3]), m = a[1].minus(a[4]), n = a[2].minus(a[3]);
  const Value<T> one = a[0].plus(c1, p).plus(c2, q), two = a[0].plus(c2, p).plus(c1, q);
  const Value<T> one_turned = m.times(s1).plus(s2, n), two_turned = m.times(s2).minus(s1, n);
  a[0] = a[0].plus(p).plus(q);
  a[1] = one.plus_right(one_turned);
  a[2] = two.plus_right(two_turned);
  a[3] = two.plus_left(two_turned);
  a[4] = one.plus_left(one_turned);
}
template <class T>
HWY_INLINE void transform(Value<T> (&a)[8]) {
  const auto half = hn::Set(Tag<T>(), static_cast<T>(0.70710678118654752440));
  Value<T> even[] = {a[0], a[2], a[4], a[6]}, odd[] = {a[1], a[3], a[5], a[7]};
  transform(even);
  transform(odd);
  // Times 1 - i and -1 - i, without their common factor.
  const Value<T> one = odd[1].plus_right(odd[1]);
  const Value<T> three = {hn::Sub(odd[3].im, odd[3].re), hn::Add(odd[3].re, odd[3].im)};
  a[0] = even[0].plus(odd[0]);
  a[4] = even[0].minus(odd[0]);
  a[1] = even[1].plus(half, one);
  a[5] = even[1].minus(half, one);
  a[2] = even[2].plus_right(odd[2]);
  a[6] = even[2].plus_left(odd[2]);
  a[3] = {hn::MulAdd(half, three.re, even[3].re), hn::NegMulAdd(half, three.im, even[3].im)};
  a[7] = {hn::NegMulAdd(half, three.re, even[3].re), hn::MulAdd(half, three.im, even[3].im)};
}

template <class T>
HWY_INLINE Value<T> turned(const Value<T>& x, const T* turn) {
  return x.times(hn::Set(Tag<T>(), turn[0]), hn::Set(Tag<T>(), turn[1]));
}

/// A transform of kMany * kEach values: kEach of kMany values that lie kEach apart, turned, and then kMany of kEach.
template <int kMany, int kEach, class T>
HWY_INLINE void composite(Value<T> (&a)[kMany * kEach], const T* roots) {
  Value<T> b[kEach][kMany];
#pragma GCC unroll 8
  for (int j = 0; j < kEach; ++j) {
#pragma GCC unroll 8
    for (int i = 0; i < kMany; ++i) b[j][i] = a[kEach * i + j];
    transform(b[j]);
#pragma GCC unroll 8
    for (int i = 1; i < kMany; ++i) {
      if (4 * i * j == kMany * kEach)
        b[j][i] = {b[j][i].im, hn::Neg(b[j][i].re)};
      else if (j > 0)
        b[j][i] = turned(b[j][i], roots + 2 * i * j);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kMany; ++i) {
    Value<T> c[kEach];
#pragma GCC unroll 8
    for (int j = 0; j < kEach; ++j) c[j] = b[j][i];
    transform(c);
#pragma GCC unroll 8
    for (int j = 0; j < kEach; ++j) a[i + kMany * j] = c[j];
  }
}

template <int kRadix, class T>
HWY_INLINE void transform(Value<T> (&a)[kRadix], const T* roots) {
  if constexpr (kRadix == 16)
    composite<4, 4>(a, roots);
  else if constexpr (kRadix == 32)
    composite<4, 8>(a, roots);
  else if constexpr (kRadix == 10)
    composite<2, 5>(a, roots);
  else if constexpr (kRadix == 25)
    composite<5, 5>(a, roots);
  else
    transform(a);
}

// Stockham's algorithm sorts as it goes (C. Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992,
// section 1.7): a pass takes `stride` transforms of length `length` to radix times as many of a shorter length.

template <int kRadix, bool kIsLast, class T, class In, class Out>
HWY_NOINLINE void pass(const FftPass<T>& f, In in, Out out, int64_t length, int64_t stride, int64_t blocks,
                       Ahead* ahead) {
  const int64_t count = length / kRadix;
  const T *turn = f.turns.data(), *const roots = f.roots.data();
  const auto transform_at = [&](int64_t p, int64_t q, int64_t b, int64_t v) HWY_ATTR {
    In from = in.part(q + stride * p, b, v, stride * count);
    Out to = out.part(q + stride * kRadix * p, b, v, stride);
    Value<T> a[kRadix];
    if (ahead) ahead->ask(kRadix);
#pragma GCC unroll 32
    for (int i = 0; i < kRadix; ++i) a[i] = from.load();
    transform(a, roots);
    to.store(a[0]);
#pragma GCC unroll 32
    for (int i = 1; i < kRadix; ++i) to.store(kIsLast ? a[i] : turned(a[i], turn + 2 * (i - 1)));
  };
  for (int64_t p = 0; p < count; ++p) {
    for (int64_t q = 0; q < stride; ++q)
      for (int64_t b = 0; b < blocks; ++b)
        for (int64_t v = 0; v < kLanes<T>; v += hn::MaxLanes(Tag<T>())) transform_at(p, q, b, v);
    if (!kIsLast) turn += 2 * (kRadix - 1);
  }
}

/// A transform of any odd length up to kLargestRadix by the definition of the transform over pairs of values.
template <bool kIsLast, class T, class In, class Out>
HWY_INLINE void small_any(const FftPass<T>& f, const In& in, const Out& out, const T* turn) {
  const int64_t radix = f.radix, half = radix / 2;
  const Tag<T> d;
  Value<T> sum[kLargestRadix / 2], diff[kLargestRadix / 2];
  const Value<T> first = in.part(0, 0, 0, 1).load();
  Value<T> total = first;
  for (int64_t j = 1; j <= half; ++j) {
    const Value<T> a = in.part(j, 0, 0, 1).load(), b = in.part(radix - j, 0, 0, 1).load();
    sum[j - 1] = a.plus(b), diff[j - 1] = a.minus(b);
    total = total.plus(sum[j - 1]);
  }
  const auto store = [&](int64_t k, const Value<T>& x)
                         HWY_ATTR { out.part(k, 0, 0, 1).store(kIsLast ? x : turned(x, turn + 2 * (k - 1))); };
  out.part(0, 0, 0, 1).store(total);
  for (int64_t k = 1; k <= half; ++k) {
    Value<T> even = first, odd = {hn::Zero(d), hn::Zero(d)};
    for (int64_t j = 1; j <= half; ++j) {
      const T* const root = f.roots.data() + 2 * (j * k % radix);
      even = even.plus(hn::Set(d, root[0]), sum[j - 1]);
      odd = odd.minus(hn::Set(d, root[1]), diff[j - 1]);
    }
    store(k, even.plus_right(odd));
    store(radix - k, even.plus_left(odd));
  }
}
template <bool kIsLast, class T, class In, class Out>
HWY_NOINLINE void pass_any(const FftPass<T>& f, In in, Out out, int64_t length, int64_t stride, int64_t blocks) {
  const int64_t count = length / f.radix;
  for (int64_t p = 0; p < count; ++p)
    for (int64_t q = 0; q < stride; ++q)
      for (int64_t b = 0; b < blocks; ++b)
        for (int64_t v = 0; v < kLanes<T>; v += hn::MaxLanes(Tag<T>()))
          small_any<kIsLast>(f, in.part(q + stride * p, b, v, stride * count),
                             out.part(q + stride * f.radix * p, b, v, stride),
                             kIsLast ? nullptr : f.turns.data() + 2 * (f.radix - 1) * p);
}

/// Can a pass be one of FftTables::whole? Those alone have a radix of 32, which needs twice as many registers as there
/// are: that is worth it where the values between two passes do not fit in the first-level cache.
template <class In, class Out>
inline constexpr bool kIsOfWhole = false;
template <class T>
inline constexpr bool kIsOfWhole<Pairs<T>, Apart<T>> = true;
template <class T>
inline constexpr bool kIsOfWhole<Apart<T>, ScaledPairs<T>> = true;

template <bool kIsLast, class T, class In, class Out>
HWY_INLINE void pass(const FftPass<T>& f, const In& in, const Out& out, int64_t length, int64_t stride, int64_t blocks,
                     Ahead* ahead = nullptr) {
  switch (f.radix) {
    case 1:
      return pass<1, kIsLast>(f, in, out, length, stride, blocks, ahead);
    case 2:
      return pass<2, kIsLast>(f, in, out, length, stride, blocks, ahead);
    case 3:
      return pass<3, kIsLast>(f, in, out, length, stride, blocks, ahead);
    case 4:
      return pass<4, kIsLast>(f, in, out, length, stride, blocks, ahead);
    case 5:
      return pass<5, kIsLast>(f, in, out, length, stride, blocks, ahead);
    case 8:
      return pass<8, kIsLast>(f, in, out, length, stride, blocks, ahead);
    case 10:
      return pass<10, kIsLast>(f, in, out, length, stride, blocks, ahead);
    case 16:
      return pass<16, kIsLast>(f, in, out, length, stride, blocks, ahead);
    case 25:
      return pass<25, kIsLast>(f, in, out, length, stride, blocks, ahead);
    case 32:
      if constexpr (kIsOfWhole<In, Out>) return pass<32, kIsLast>(f, in, out, length, stride, blocks, ahead);
      [[fallthrough]];
    default:
      return pass_any<kIsLast>(f, in, out, length, stride, blocks);
  }
}

/// All passes over `blocks` times kLanes lines, through two spaces of work of f.length values each for every block.
template <class T, class In, class Out>
HWY_INLINE void passes(const FftPasses<T>& f, const In& in, const Out& out, T* work, int64_t blocks = 1,
                       Ahead* ahead = nullptr) {
  const int64_t block = kApart<T> * f.length;
  if (f.passes.size() == 1) return pass<true>(f.passes[0], in, out, f.length, 1, blocks, ahead);
  Apart<T> from{work, kApart<T>, block}, to{work + blocks * block, kApart<T>, block};
  int64_t length = f.length, stride = 1;
  size_t i = 0;
  const auto next = [&](const auto& values, const Apart<T>& results) HWY_ATTR {
    pass<false>(f.passes[i], values, results, length, stride, blocks, ahead);
    length /= f.passes[i].radix;
    stride *= f.passes[i].radix;
    ++i;
  };
  next(in, from);
  while (i + 1 < f.passes.size()) {
    next(from, to);
    std::swap(from.data, to.data);
  }
  pass<true>(f.passes[i], from, out, length, stride, blocks, ahead);
}

}  // namespace strata::cpu::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
