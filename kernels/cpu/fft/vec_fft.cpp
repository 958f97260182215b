// Passes of Fourier transforms over lines side by side, for each instruction set.
#include "kernels/cpu/fft/vec_fft.h"

#include <algorithm>
#include <type_traits>

#include "kernels/cpu/common/vec_move.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/fft/vec_fft.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

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

// Where values come from and go to. All count values i and, within them, lines v.

/// Real parts of kLanes lines, then imaginary ones.
template <class T>
struct Apart {
  T* data;
  int64_t step = kApart<T>;

  HWY_INLINE Value<T> load(int64_t i, int64_t v) const {
    const T* p = data + i * step + v;
    return {hn::LoadU(Tag<T>(), p), hn::LoadU(Tag<T>(), p + kLanes<T>)};
  }
  HWY_INLINE void store(int64_t i, int64_t v, const Value<T>& x) const {
    T* p = data + i * step + v;
    hn::StoreU(x.re, Tag<T>(), p);
    hn::StoreU(x.im, Tag<T>(), p + kLanes<T>);
  }
};

/// Real and imaginary parts in turn, as tensors have them.
template <class T>
struct Pairs {
  const T* data;
  int64_t step;
  T conjugate;

  HWY_INLINE Value<T> load(int64_t i, int64_t v) const {
    Value<T> x;
    hn::LoadInterleaved2(Tag<T>(), data + i * step + 2 * v, x.re, x.im);
    x.im = hn::Mul(x.im, hn::Set(Tag<T>(), conjugate));
    return x;
  }
};
template <class T>
struct ScaledPairs {
  T* data;
  int64_t step;
  FftFactors<T> factors;

  HWY_INLINE void store(int64_t i, int64_t v, const Value<T>& x) const {
    const Tag<T> d;
    hn::StoreInterleaved2(hn::Mul(x.re, hn::Set(d, factors.scale)),
                          hn::Mul(x.im, hn::Set(d, factors.scale * factors.conjugate)), d, data + i * step + 2 * v);
  }
};

/// Apart, turned by FftTables::twist: `one_for_all` where the lines are of different tensor lines, so that they have
/// the factor in common.
template <class T>
struct Twisted {
  Apart<T> to;
  const T* twist;
  int64_t columns;
  bool one_for_all;

  HWY_INLINE void store(int64_t i, int64_t v, const Value<T>& x) const {
    const Tag<T> d;
    const T* p = twist + 2 * columns * i;
    if (one_for_all)
      to.store(i, v, x.times(hn::Set(d, p[0]), hn::Set(d, p[columns])));
    else
      to.store(i, v, x.times(hn::LoadU(d, p + v), hn::LoadU(d, p + columns + v)));
  }
};

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

// Stockham's algorithm sorts as it goes (C. Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992,
// section 1.7): a pass takes `stride` transforms of length `length` to radix times as many of a shorter length.

/// Calls f(p, q, v) for the first value q + stride * p of each small transform and the vectors of its lines.
template <class T, class F>
HWY_INLINE void for_small(int64_t count, int64_t stride, F f) {
  for (int64_t p = 0; p < count; ++p)
    for (int64_t q = 0; q < stride; ++q)
      for (size_t v = 0; v < static_cast<size_t>(kLanes<T>); v += hn::Lanes(Tag<T>())) f(p, q, static_cast<int64_t>(v));
}

template <class T>
HWY_INLINE Value<T> turned(const Value<T>& x, const T* turn) {
  return x.times(hn::Set(Tag<T>(), turn[0]), hn::Set(Tag<T>(), turn[1]));
}

template <int kRadix, bool kIsLast, class T, class In, class Out>
HWY_NOINLINE void pass(const FftPass<T>& f, In in, Out out, int64_t length, int64_t stride) {
  const int64_t count = length / kRadix;
  const T* const turns = f.turns.data();
  for_small<T>(count, stride, [&](int64_t p, int64_t q, int64_t v) HWY_ATTR {
    Value<T> a[kRadix];
#pragma GCC unroll 8
    for (int i = 0; i < kRadix; ++i) a[i] = in.load(q + stride * (p + count * i), v);
    transform(a);
    const T* const turn = turns + 2 * (kRadix - 1) * p;
    out.store(q + stride * kRadix * p, v, a[0]);
#pragma GCC unroll 8
    for (int i = 1; i < kRadix; ++i)
      out.store(q + stride * (kRadix * p + i), v, kIsLast ? a[i] : turned(a[i], turn + 2 * (i - 1)));
  });
}

/// A pass of any odd radix up to kLargestRadix, by the definition of the transform over pairs of values.
template <bool kIsLast, class T, class In, class Out>
HWY_NOINLINE void pass_any(const FftPass<T>& f, In in, Out out, int64_t length, int64_t stride) {
  const int64_t radix = f.radix, half = radix / 2, count = length / radix;
  const Tag<T> d;
  for_small<T>(count, stride, [&](int64_t p, int64_t q, int64_t v) HWY_ATTR {
    Value<T> sum[kLargestRadix / 2], diff[kLargestRadix / 2];
    const Value<T> first = in.load(q + stride * p, v);
    Value<T> total = first;
    for (int64_t j = 1; j <= half; ++j) {
      const Value<T> a = in.load(q + stride * (p + count * j), v),
                     b = in.load(q + stride * (p + count * (radix - j)), v);
      sum[j - 1] = a.plus(b), diff[j - 1] = a.minus(b);
      total = total.plus(sum[j - 1]);
    }
    const T* const turn = f.turns.data() + 2 * (radix - 1) * p;
    const auto store = [&](int64_t k, const Value<T>& x) HWY_ATTR {
      out.store(q + stride * (radix * p + k), v, kIsLast ? x : turned(x, turn + 2 * (k - 1)));
    };
    out.store(q + stride * radix * p, v, total);
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
  });
}

template <bool kIsLast, class T, class In, class Out>
HWY_INLINE void pass(const FftPass<T>& f, const In& in, const Out& out, int64_t length, int64_t stride) {
  switch (f.radix) {
    case 1:
      return pass<1, kIsLast>(f, in, out, length, stride);
    case 2:
      return pass<2, kIsLast>(f, in, out, length, stride);
    case 3:
      return pass<3, kIsLast>(f, in, out, length, stride);
    case 4:
      return pass<4, kIsLast>(f, in, out, length, stride);
    case 5:
      return pass<5, kIsLast>(f, in, out, length, stride);
    case 8:
      return pass<8, kIsLast>(f, in, out, length, stride);
    default:
      return pass_any<kIsLast>(f, in, out, length, stride);
  }
}

/// All passes, through two spaces of work of f.length values each.
template <class T, class In, class Out>
HWY_INLINE void passes(const FftPasses<T>& f, const In& in, const Out& out, T* work) {
  Apart<T> from{work}, to{work + kApart<T> * f.length};
  int64_t length = f.length, stride = 1;
  size_t i = 0;
  const auto next = [&](const auto& values, const Apart<T>& results) HWY_ATTR {
    pass<false>(f.passes[i], values, results, length, stride);
    length /= f.passes[i].radix;
    stride *= f.passes[i].radix;
    ++i;
  };
  if constexpr (std::is_same_v<In, Apart<T>>)
    from = in;
  else if (f.passes.size() == 1)
    pass<1, false>(f.passes[0], in, from, length, stride);
  else
    next(in, from);
  while (i + 1 < f.passes.size()) {
    next(from, to);
    from = to;
    to.data = from.data == work ? work + kApart<T> * f.length : work;
  }
  pass<true>(f.passes[i], from, out, length, stride);
}

template <class T>
T* behind_passes(const FftTables<T>& f, T* work) {
  return work + 2 * kApart<T> * std::max(f.rows.length, f.columns.length);
}

template <class T>
void columns(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, FftFactors<T> factors, T* work) {
  if (!f.is_split()) {
    passes(f.rows, Pairs<T>{x, x_step, factors.conjugate}, ScaledPairs<T>{y, y_step, factors}, work);
    return;
  }
  const int64_t rows = f.rows.length, columns = f.columns.length;
  T* const turned = behind_passes(f, work);
  for (int64_t j = 0; j < columns; ++j)
    passes(f.rows, Pairs<T>{x + j * x_step, columns * x_step, factors.conjugate},
           Twisted<T>{{turned + j * kApart<T>, columns * kApart<T>}, f.twist.data() + j, columns, true}, work);
  for (int64_t i = 0; i < rows; ++i)
    passes(f.columns, Apart<T>{turned + i * columns * kApart<T>},
           ScaledPairs<T>{y + i * y_step, rows * y_step, factors}, work);
}

// Within one line the lines side by side are its columns, of which the last kLanes may be some that were done already,
// and then its rows.
template <class T>
void line(const FftTables<T>& f, const T* x, T* y, FftFactors<T> factors, T* work) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr int64_t n = kLanes<T>;
  const auto transpose = vec_move<Bits>().transpose;
  const int64_t rows = f.rows.length, columns = f.columns.length;
  T *const turned = behind_passes(f, work), *const transposed = turned + kApart<T> * rows;
  for (int64_t j = 0; j < columns; j += n) {
    const int64_t first = std::min(j, columns - n);
    passes(f.rows, Pairs<T>{x + 2 * first, 2 * columns, factors.conjugate},
           Twisted<T>{{turned}, f.twist.data() + first, columns, false}, work);
    for (int64_t i = 0; i < rows; i += n)
      for (int64_t part : {int64_t{0}, n})
        transpose(reinterpret_cast<Bits*>(transposed + i * 2 * columns + first * kApart<T> + part), kApart<T>,
                  reinterpret_cast<const Bits*>(turned + std::min(i, rows - n) * kApart<T> + part), kApart<T>, n, n);
  }
  for (int64_t i = 0; i < rows; i += n)
    passes(f.columns, Apart<T>{transposed + i * 2 * columns},
           ScaledPairs<T>{y + 2 * std::min(i, rows - n), 2 * rows, factors}, work);
}

template <class T>
void fold(const T* x, const T* u, T* y, int64_t h, T x_sign, T u_sign, T y_sign) {
  const Tag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto signs = hn::Set(d, x_sign), u_signs = hn::Set(d, u_sign), y_signs = hn::Set(d, y_sign);
  int64_t k = 1;
  for (; k + lanes <= h; k += lanes) {
    Value<T> a, b, w;
    hn::LoadInterleaved2(d, x + 2 * k, a.re, a.im);
    hn::LoadInterleaved2(d, x + 2 * (h - k - lanes + 1), b.re, b.im);
    hn::LoadInterleaved2(d, u + 2 * k, w.re, w.im);
    a.im = hn::Mul(a.im, signs);
    b = {hn::Reverse(d, b.re), hn::Mul(hn::Reverse(d, b.im), signs)};
    const Value<T> sum = {hn::Add(a.re, b.re), hn::Sub(a.im, b.im)}, diff = {hn::Sub(a.re, b.re), hn::Add(a.im, b.im)};
    const Value<T> r = sum.plus(diff.times(w.re, hn::Mul(w.im, u_signs)));
    hn::StoreInterleaved2(r.re, hn::Mul(r.im, y_signs), d, y + 2 * k);
  }
  for (; k < h; ++k) {
    const T *const a = x + 2 * k, *const b = x + 2 * (h - k), *const w = u + 2 * k;
    const T re = a[0] - b[0], im = x_sign * (a[1] + b[1]), s = w[1] * u_sign;
    y[2 * k] = a[0] + b[0] + (re * w[0] - im * s);
    y[2 * k + 1] = y_sign * (x_sign * (a[1] - b[1]) + (re * s + im * w[0]));
  }
}

template <class T>
const VecFft<T>* table() {
  static constexpr VecFft<T> functions{.columns = columns<T>, .line = line<T>, .fold = fold<T>};
  return &functions;
}
const VecFft<float>* fft_f32() { return table<float>(); }
const VecFft<double>* fft_f64() { return table<double>(); }

}  // namespace strata::cpu::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::fft {
HWY_EXPORT(fft_f32);
HWY_EXPORT(fft_f64);

template <>
const VecFft<float>& vec_fft<float>() {
  static const VecFft<float>* functions = HWY_DYNAMIC_DISPATCH(fft_f32)();
  return *functions;
}
template <>
const VecFft<double>& vec_fft<double>() {
  static const VecFft<double>* functions = HWY_DYNAMIC_DISPATCH(fft_f64)();
  return *functions;
}
}  // namespace strata::cpu::fft
#endif
