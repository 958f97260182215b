// Passes of Fourier transforms over lines side by side, for each instruction set.
#include "kernels/cpu/fft/vec_fft.h"

#include <algorithm>
#include <utility>

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
HWY_NOINLINE void pass(const FftPass<T>& f, In in, Out out, int64_t length, int64_t stride, int64_t lines) {
  const int64_t count = length / kRadix;
  const T *turn = f.turns.data(), *const roots = f.roots.data();
  for (int64_t p = 0; p < count; ++p) {
    for (int64_t q = 0; q < stride; ++q) {
      for (int64_t v = 0; v < lines; v += hn::MaxLanes(Tag<T>())) {
        In from = in.part(q + stride * p, v, stride * count);
        Out to = out.part(q + stride * kRadix * p, v, stride);
        Value<T> a[kRadix];
#pragma GCC unroll 25
        for (int i = 0; i < kRadix; ++i) a[i] = from.load();
        transform(a, roots);
        to.store(a[0]);
#pragma GCC unroll 25
        for (int i = 1; i < kRadix; ++i) to.store(kIsLast ? a[i] : turned(a[i], turn + 2 * (i - 1)));
      }
    }
    if (!kIsLast) turn += 2 * (kRadix - 1);
  }
}

/// A transform of any odd length up to kLargestRadix by the definition of the transform over pairs of values.
template <bool kIsLast, class T, class In, class Out>
HWY_INLINE void small_any(const FftPass<T>& f, const In& in, const Out& out, const T* turn) {
  const int64_t radix = f.radix, half = radix / 2;
  const Tag<T> d;
  Value<T> sum[kLargestRadix / 2], diff[kLargestRadix / 2];
  const Value<T> first = in.part(0, 0, 1).load();
  Value<T> total = first;
  for (int64_t j = 1; j <= half; ++j) {
    const Value<T> a = in.part(j, 0, 1).load(), b = in.part(radix - j, 0, 1).load();
    sum[j - 1] = a.plus(b), diff[j - 1] = a.minus(b);
    total = total.plus(sum[j - 1]);
  }
  const auto store = [&](int64_t k, const Value<T>& x)
                         HWY_ATTR { out.part(k, 0, 1).store(kIsLast ? x : turned(x, turn + 2 * (k - 1))); };
  out.part(0, 0, 1).store(total);
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
HWY_NOINLINE void pass_any(const FftPass<T>& f, In in, Out out, int64_t length, int64_t stride, int64_t lines) {
  const int64_t count = length / f.radix;
  for (int64_t p = 0; p < count; ++p)
    for (int64_t q = 0; q < stride; ++q)
      for (int64_t v = 0; v < lines; v += hn::MaxLanes(Tag<T>()))
        small_any<kIsLast>(f, in.part(q + stride * p, v, stride * count), out.part(q + stride * f.radix * p, v, stride),
                           kIsLast ? nullptr : f.turns.data() + 2 * (f.radix - 1) * p);
}

template <bool kIsLast, class T, class In, class Out>
HWY_INLINE void pass(const FftPass<T>& f, const In& in, const Out& out, int64_t length, int64_t stride, int64_t lines) {
  switch (f.radix) {
    case 1:
      return pass<1, kIsLast>(f, in, out, length, stride, lines);
    case 2:
      return pass<2, kIsLast>(f, in, out, length, stride, lines);
    case 3:
      return pass<3, kIsLast>(f, in, out, length, stride, lines);
    case 4:
      return pass<4, kIsLast>(f, in, out, length, stride, lines);
    case 5:
      return pass<5, kIsLast>(f, in, out, length, stride, lines);
    case 8:
      return pass<8, kIsLast>(f, in, out, length, stride, lines);
    case 10:
      return pass<10, kIsLast>(f, in, out, length, stride, lines);
    case 16:
      return pass<16, kIsLast>(f, in, out, length, stride, lines);
    case 25:
      return pass<25, kIsLast>(f, in, out, length, stride, lines);
    default:
      return pass_any<kIsLast>(f, in, out, length, stride, lines);
  }
}

/// All passes over `blocks` times kLanes lines, through two spaces of work of f.length values each for every block.
template <class T, class In, class Out>
HWY_INLINE void passes(const FftPasses<T>& f, const In& in, const Out& out, T* work, int64_t blocks = 1) {
  const int64_t lines = blocks * kLanes<T>, block = kApart<T> * f.length;
  if (f.passes.size() == 1) return pass<true>(f.passes[0], in, out, f.length, 1, lines);
  Apart<T> from{work, kApart<T>, block}, to{work + blocks * block, kApart<T>, block};
  int64_t length = f.length, stride = 1;
  size_t i = 0;
  const auto next = [&](const auto& values, const Apart<T>& results) HWY_ATTR {
    pass<false>(f.passes[i], values, results, length, stride, lines);
    length /= f.passes[i].radix;
    stride *= f.passes[i].radix;
    ++i;
  };
  next(in, from);
  while (i + 1 < f.passes.size()) {
    next(from, to);
    std::swap(from.data, to.data);
  }
  pass<true>(f.passes[i], from, out, length, stride, lines);
}

/// Where the work space of `passes` ends.
template <class T>
T* behind_passes(const FftTables<T>& f, T* work) {
  return work + 2 * kApart<T> * longest_passes(f);
}

template <class T>
void columns(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, FftFactors<T> factors, T* work) {
  const Pairs<T> from{x, x_step, factors.conjugate};
  const ScaledPairs<T> to{y, y_step, factors};
  if (!f.is_split()) return passes(f.rows, from, to, work);
  if (f.whole.length > 1) return passes(f.whole, from, to, work);
  const int64_t rows = f.rows.length, columns = f.columns.length;
  T* const turned = behind_passes(f, work);
  for (int64_t j = 0; j < columns; ++j)
    passes(f.rows, from.part(j, 0, columns),
           Twisted<true, T>{{turned + j * kApart<T>, columns * kApart<T>}, f.twist.data() + j, columns}, work);
  for (int64_t i = 0; i < rows; ++i)
    passes(f.columns, Apart<T>{turned + i * columns * kApart<T>}, to.part(i, 0, rows), work);
}

/// The transpose of a square whose side is a vector.
#if HWY_TARGET == HWY_SCALAR
template <class T>
HWY_INLINE void transpose_square(T* to, int64_t, const T* from, int64_t) {
  *to = *from;
}
#else
template <class T>
HWY_INLINE void transpose_square(T* to, int64_t to_step, const T* from, int64_t from_step) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr int64_t kSide = hn::MaxLanes(Tag<T>()), kEach = 16 / sizeof(T), kBlocks = kSide / kEach;
  // Blocks of 16 bytes change places first, as if each were a number, and then what is in them.
  V rows[kBlocks][kEach];
#pragma GCC unroll 4
  for (int64_t e = 0; e < kEach; ++e) {
    const auto row = [&](int64_t block) HWY_ATTR { return from + (block * kEach + e) * from_step; };
    if constexpr (kBlocks == 4) {
      const hn::Half<Tag<T>> half;
#pragma GCC unroll 2
      for (int64_t b = 0; b < 4; b += 2) {
        const auto part = [&](int64_t block) HWY_ATTR { return hn::LoadU(half, row(block) + b * kEach); };
        const V even = hn::Combine(d, part(2), part(0)), odd = hn::Combine(d, part(3), part(1));
        rows[b][e] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd), even);
        rows[b + 1][e] = hn::OddEvenBlocks(odd, hn::SwapAdjacentBlocks(even));
      }
    } else if constexpr (kBlocks == 2) {
      const hn::Half<Tag<T>> half;
#pragma GCC unroll 2
      for (int64_t b = 0; b < 2; ++b)
        rows[b][e] = hn::Combine(d, hn::LoadU(half, row(1) + b * kEach), hn::LoadU(half, row(0) + b * kEach));
    } else {
      rows[0][e] = hn::LoadU(d, row(0));
    }
  }
#pragma GCC unroll 4
  for (int64_t b = 0; b < kBlocks; ++b) {
    // A perfect shuffle of a block moves each bit of a row number by one place towards the column number.
#pragma GCC unroll 2
    for (int64_t round = 1; round < kEach; round *= 2) {
      V mixed[kEach];
#pragma GCC unroll 2
      for (int64_t i = 0; i < kEach / 2; ++i) {
        mixed[2 * i] = hn::InterleaveLower(d, rows[b][i], rows[b][i + kEach / 2]);
        mixed[2 * i + 1] = hn::InterleaveUpper(d, rows[b][i], rows[b][i + kEach / 2]);
      }
#pragma GCC unroll 4
      for (int64_t i = 0; i < kEach; ++i) rows[b][i] = mixed[i];
    }
#pragma GCC unroll 4
    for (int64_t e = 0; e < kEach; ++e) hn::StoreU(rows[b][e], d, to + (b * kEach + e) * to_step);
  }
}
#endif

/// to[i * to_step + j] = from[i + j * from_step] for i, j < kLanes.
template <class T>
HWY_NOINLINE void transpose_lanes(T* to, int64_t to_step, const T* from, int64_t from_step) {
  constexpr int64_t kSide = hn::MaxLanes(Tag<T>());
  for (int64_t i = 0; i < kLanes<T>; i += kSide)
    for (int64_t j = 0; j < kLanes<T>; j += kSide)
      transpose_square(to + i * to_step + j, to_step, from + i + j * from_step, from_step);
}

// Within one line the lines side by side are its columns, of which the last kLanes may be some that were done already,
// and then its rows, as many blocks of kLanes at once as the first-level cache has room for.
template <class T>
void line(const FftTables<T>& f, const T* x, T* y, FftFactors<T> factors, T* work) {
  constexpr int64_t n = kLanes<T>;
  const int64_t rows = f.rows.length, columns = f.columns.length;
  T *const turned = behind_passes(f, work), *const transposed = turned + kApart<T> * rows * blocks_together(rows);
  const auto for_blocks = [](int64_t lines, int64_t together, auto run) HWY_ATTR {
    for (int64_t i = 0; i < lines; i += together * n) {
      const int64_t blocks = std::min(together, (lines - i) / n);
      if (blocks > 0) run(i, i, blocks);
      if (blocks < together && lines % n != 0) run(i + blocks * n, lines - n, int64_t{1});
    }
  };
  for_blocks(columns, blocks_together(rows), [&](int64_t, int64_t first, int64_t blocks) HWY_ATTR {
    passes(f.rows, Pairs<T>{x + 2 * first, 2 * columns, factors.conjugate},
           Twisted<false, T>{{turned, kApart<T>, kApart<T> * rows}, f.twist.data() + first, columns}, work, blocks);
    for (int64_t b = 0; b < blocks; ++b)
      for (int64_t i = 0; i < rows; i += n)
        for (int64_t part : {int64_t{0}, n})
          transpose_lanes(transposed + i * 2 * columns + (first + b * n) * kApart<T> + part, kApart<T>,
                          turned + (b * rows + std::min(i, rows - n)) * kApart<T> + part, kApart<T>);
  });
  for_blocks(rows, blocks_together(columns), [&](int64_t i, int64_t first, int64_t blocks) HWY_ATTR {
    passes(f.columns, Apart<T>{transposed + i * 2 * columns, kApart<T>, kApart<T> * columns},
           ScaledPairs<T>{y + 2 * first, 2 * rows, factors}, work, blocks);
  });
}

/// to[i * to_step + l] = from[i + l * from_step] for i < n and l < kLanes, or the same with the roles of i and l
/// exchanged: the last square may cover some numbers a second time.
template <class T>
void gather_lanes(T* to, const T* from, int64_t from_step, int64_t n) {
  for (int64_t i = 0; i < n && n >= kLanes<T>; i += kLanes<T>) {
    const int64_t first = std::min(i, n - kLanes<T>);
    transpose_lanes(to + first * kLanes<T>, kLanes<T>, from + first, from_step);
  }
  for (int64_t i = 0; i < n && n < kLanes<T>; ++i)
    for (int64_t l = 0; l < kLanes<T>; ++l) to[i * kLanes<T> + l] = from[i + l * from_step];
}
template <class T>
void scatter_lanes(T* to, int64_t to_step, const T* from, int64_t n) {
  for (int64_t i = 0; i < n && n >= kLanes<T>; i += kLanes<T>) {
    const int64_t first = std::min(i, n - kLanes<T>);
    transpose_lanes(to + first, to_step, from + first * kLanes<T>, kLanes<T>);
  }
  for (int64_t i = 0; i < n && n < kLanes<T>; ++i)
    for (int64_t l = 0; l < kLanes<T>; ++l) to[i + l * to_step] = from[i * kLanes<T> + l];
}

/// Multiplies n values by the scale and, in the end, conjugates them.
template <class T>
void scale_apart(T* values, int64_t n, FftFactors<T> factors) {
  if (factors.scale == 1 && factors.conjugate == 1) return;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t v = 0; v < kLanes<T>; ++v) values[i * kApart<T> + v] *= factors.scale;
    for (int64_t v = kLanes<T>; v < kApart<T>; ++v) values[i * kApart<T> + v] *= factors.scale * factors.conjugate;
  }
}

/// Lines of n values from x to values that lie apart and are transformed there.
template <class T>
void transform_lanes(const FftPasses<T>& f, const T* x, int64_t x_step, T* values, FftFactors<T> factors, T* work) {
  gather_lanes(values, x, x_step, 2 * f.length);
  scale_apart(values, f.length, {factors.conjugate, 1});
  passes(f, Apart<T>{values}, Apart<T>{values}, work);
  scale_apart(values, f.length, factors);
}

template <class T>
void rows(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, FftFactors<T> factors, T* work) {
  T* const values = behind_passes(f, work);
  transform_lanes(f.rows, x, x_step, values, factors, work);
  scatter_lanes(y, y_step, values, 2 * f.length());
}

/// Two values of the spectrum of a real line, or of what gives one, from two of the other: `value` from z[k] and
/// `mirrored` from z[h - k].
template <class T>
HWY_INLINE void fold_values(Value<T>& value, Value<T>& mirrored, typename Value<T>::V c, typename Value<T>::V s) {
  const Value<T> sum = {hn::Add(value.re, mirrored.re), hn::Sub(value.im, mirrored.im)};
  const Value<T> diff = {hn::Sub(value.re, mirrored.re), hn::Add(value.im, mirrored.im)};
  const Value<T> turned = diff.times(c, s);
  value = sum.plus(turned);
  mirrored = {hn::Sub(sum.re, turned.re), hn::Sub(turned.im, sum.im)};
}

template <class T>
void real_rows(const FftTables<T>& f, const T* x, int64_t x_step, const T* u, T* y, int64_t y_step, T scale, T y_sign,
               T* work) {
  const Tag<T> d;
  const int64_t h = f.length();
  T* const values = behind_passes(f, work);
  transform_lanes(f.rows, x, x_step, values, {1, scale}, work);
  const auto two = hn::Set(d, T(2)), signs = hn::Set(d, y_sign);
  for (int64_t v = 0; v < kLanes<T>; v += hn::MaxLanes(Tag<T>())) {
    const auto at = [&](int64_t k) HWY_ATTR { return Apart<T>{values}.part(k, v, 1); };
    const Value<T> first = at(0).load();
    at(0).store({hn::Mul(two, hn::Add(first.re, first.im)), hn::Zero(d)});
    at(h).store({hn::Mul(two, hn::Sub(first.re, first.im)), hn::Zero(d)});
    for (int64_t k = 1; 2 * k <= h; ++k) {
      Value<T> a = at(k).load(), b = at(h - k).load();
      fold_values(a, b, hn::Set(d, u[2 * k]), hn::Set(d, u[2 * k + 1]));
      at(h - k).store({b.re, hn::Mul(b.im, signs)});
      at(k).store({a.re, hn::Mul(a.im, signs)});
    }
  }
  scatter_lanes(y, y_step, values, 2 * (h + 1));
}

template <class T>
void fold(const T* x, const T* u, T* y, int64_t h, T x_sign, T u_sign, T y_sign) {
  const Tag<T> d;
  const int64_t lanes = hn::MaxLanes(d);
  const auto signs = hn::Set(d, x_sign), u_signs = hn::Set(d, u_sign), y_signs = hn::Set(d, y_sign);
  int64_t k = 1;
  // Vectors from both ends up to the middle, and over it: what is written twice is the same number.
  for (; 2 * k <= h && k + lanes <= h; k += lanes) {
    const int64_t mirror = h - k - lanes + 1;
    Value<T> a, b, w;
    hn::LoadInterleaved2(d, x + 2 * k, a.re, a.im);
    hn::LoadInterleaved2(d, x + 2 * mirror, b.re, b.im);
    hn::LoadInterleaved2(d, u + 2 * k, w.re, w.im);
    a.im = hn::Mul(a.im, signs);
    b = {hn::Reverse(d, b.re), hn::Mul(hn::Reverse(d, b.im), signs)};
    fold_values(a, b, w.re, hn::Mul(w.im, u_signs));
    hn::StoreInterleaved2(hn::Reverse(d, b.re), hn::Reverse(d, hn::Mul(b.im, y_signs)), d, y + 2 * mirror);
    hn::StoreInterleaved2(a.re, hn::Mul(a.im, y_signs), d, y + 2 * k);
  }
  for (; 2 * k <= h; ++k) {
    const T *const a = x + 2 * k, *const b = x + 2 * (h - k), *const w = u + 2 * k;
    const T re = a[0] - b[0], im = x_sign * (a[1] + b[1]), s = w[1] * u_sign;
    const T sum_re = a[0] + b[0], sum_im = x_sign * (a[1] - b[1]);
    const T turned_re = re * w[0] - im * s, turned_im = re * s + im * w[0];
    y[2 * (h - k)] = sum_re - turned_re;
    y[2 * (h - k) + 1] = y_sign * (turned_im - sum_im);
    y[2 * k] = sum_re + turned_re;
    y[2 * k + 1] = y_sign * (sum_im + turned_im);
  }
}

template <class T>
const VecFft<T>* table() {
  static constexpr VecFft<T> functions{
      .columns = columns<T>, .line = line<T>, .rows = rows<T>, .real_rows = real_rows<T>, .fold = fold<T>};
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
