// SIMD reductions and softmax rows with Google Highway; see Note [Reduction tree] in the header.
#include "kernels/cpu/vec_reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/vec_reduce.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using V = hn::Vec<Tag<T>>;

// What a reduction does: `map` a pair of values, `combine` two results; `fill` maps to the identity.
struct AddOp {
  template <class T>
  static constexpr T identity = T(0);
  template <class D, class W>
  HWY_INLINE W combine(D, W a, W b) const {
    return hn::Add(a, b);
  }
};

template <class T>
struct SumOp : AddOp {
  T fill() const { return 0; }
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T>) const { return x; }
};

template <class T>
struct ProdOp {
  template <class U>
  static constexpr U identity = U(1);
  T fill() const { return 1; }
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T>) const { return x; }
  template <class D, class W>
  HWY_INLINE W combine(D, W a, W b) const {
    return hn::Mul(a, b);
  }
};

template <class T, bool kMax>
struct ExtremeOp {
  template <class U>
  static constexpr U identity = (kMax ? -1 : 1) * std::numeric_limits<U>::infinity();
  T fill() const { return identity<T>; }
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T>) const { return x; }
  // Not hn::Max, which may drop a NaN in either operand: `a` when it is beyond `b` or NaN, else `b`.
  template <class D, class W>
  HWY_INLINE W combine(D, W a, W b) const {
    return hn::IfThenElse(hn::Or(kMax ? hn::Gt(a, b) : hn::Lt(a, b), hn::IsNaN(a)), a, b);
  }
};

template <class T>
struct SumAbsOp : SumOp<T> {
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T>) const { return hn::Abs(x); }
};

template <class T>
struct SumSquareOp : AddOp {
  T shift;
  explicit SumSquareOp(T s) : shift(s) {}
  T fill() const { return shift; }
  HWY_INLINE V<T> map(Tag<T> d, V<T> x, V<T>) const {
    const auto c = hn::Sub(x, hn::Set(d, shift));
    return hn::Mul(c, c);
  }
};

template <class T>
struct SumExpOp : AddOp {
  T shift;
  explicit SumExpOp(T s) : shift(s) {}
  T fill() const { return -std::numeric_limits<T>::infinity(); }
  HWY_INLINE V<T> map(Tag<T> d, V<T> x, V<T>) const { return hn::Exp(d, hn::Sub(x, hn::Set(d, shift))); }
};

template <class T>
struct DotOp : SumOp<T> {
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T> y) const { return hn::Mul(x, y); }
};

/// Folds the lanes of `v` in halves.
#if HWY_TARGET == HWY_SCALAR
template <class D, class W, class Op>
HWY_INLINE hn::TFromD<D> fold_lanes(D, W v, const Op&) {
  return hn::GetLane(v);
}
#else
template <class T, class Op>
HWY_INLINE T fold_lanes(hn::Simd<T, 16 / sizeof(T), 0> d, hn::Vec<hn::Simd<T, 16 / sizeof(T), 0>> v, const Op& op) {
  if constexpr (sizeof(T) == 4) {
    v = op.combine(d, v, hn::Shuffle1032(v));
    return hn::GetLane(op.combine(d, v, hn::Shuffle2301(v)));
  } else {
    return hn::GetLane(op.combine(d, v, hn::Shuffle01(v)));
  }
}
template <class D, class W, class Op>
HWY_INLINE hn::TFromD<D> fold_lanes(D d, W v, const Op& op) {
  const hn::Half<D> half;
  return fold_lanes(half, op.combine(half, hn::LowerHalf(half, v), hn::UpperHalf(half, v)), op);
}
#endif

/// Loads `n` < Lanes(d) values, the rest of the vector being `fill`.
template <class T>
HWY_INLINE V<T> load_some(Tag<T> d, const T* x, size_t n, T fill) {
#if HWY_TARGET <= HWY_AVX2
  const auto mask = hn::FirstN(d, n);
  return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, x), hn::Set(d, fill));
#else
  HWY_ALIGN T buffer[64 / sizeof(T)];
  hn::Store(hn::Set(d, fill), d, buffer);
  std::copy_n(x, n, buffer);
  return hn::Load(d, buffer);
#endif
}

template <class T>
HWY_INLINE void store_some(Tag<T> d, V<T> v, T* y, size_t n) {
#if HWY_TARGET <= HWY_AVX2
  hn::BlendedStore(v, hn::FirstN(d, n), d, y);
#else
  HWY_ALIGN T buffer[64 / sizeof(T)];
  hn::Store(v, d, buffer);
  std::copy_n(buffer, n, y);
#endif
}

/// The reduction of op.map(x[i], y[i]) over i < n.
template <class T, class Op>
HWY_NOINLINE T reduce_span(const T* HWY_RESTRICT x, const T* HWY_RESTRICT y, size_t n, Op op) {
  const Tag<T> d;
  constexpr size_t kLanes = hn::MaxLanes(Tag<T>());
  constexpr size_t kVecs = 256 / sizeof(T) / kLanes;
  constexpr size_t kRound = kLanes * kVecs;
  V<T> total[kVecs];
#pragma GCC unroll 16
  for (size_t j = 0; j < kVecs; ++j) total[j] = hn::Set(d, Op::template identity<T>);

  size_t i = 0;
  while (n - i >= kRound) {
    const size_t end = i + std::min<size_t>((n - i) / kRound, 16) * kRound;
    V<T> acc[kVecs];
#pragma GCC unroll 16
    for (size_t j = 0; j < kVecs; ++j)
      acc[j] = op.map(d, hn::LoadU(d, x + i + j * kLanes), hn::LoadU(d, y + i + j * kLanes));
    for (i += kRound; i < end; i += kRound) {
#pragma GCC unroll 16
      for (size_t j = 0; j < kVecs; ++j) {
        const size_t at = i + j * kLanes;
        acc[j] = op.combine(d, acc[j], op.map(d, hn::LoadU(d, x + at), hn::LoadU(d, y + at)));
      }
    }
#pragma GCC unroll 16
    for (size_t j = 0; j < kVecs; ++j) total[j] = op.combine(d, total[j], acc[j]);
  }

  for (size_t j = 0; i < n; ++j, i += kLanes) {
    const bool whole = n - i >= kLanes;
    const auto xv = whole ? hn::LoadU(d, x + i) : load_some(d, x + i, n - i, op.fill());
    const auto yv = whole ? hn::LoadU(d, y + i) : load_some(d, y + i, n - i, op.fill());
    total[j] = op.combine(d, total[j], op.map(d, xv, yv));
  }
#pragma GCC unroll 4
  for (size_t h = kVecs / 2; h > 0; h /= 2)
    for (size_t j = 0; j < h; ++j) total[j] = op.combine(d, total[j], total[j + h]);
  return fold_lanes(d, total[0], op);
}

template <class T, class Op>
T reduce_one(const T* x, int64_t n) {
  return reduce_span(x, x, static_cast<size_t>(n), Op());
}
template <class T, class Op>
T reduce_shifted(const T* x, int64_t n, T shift) {
  return reduce_span(x, x, static_cast<size_t>(n), Op(shift));
}

template <class T>
int64_t find(const T* x, int64_t n, T v) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  const bool nan = v != v;
  const auto value = hn::Set(d, v);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const auto xv = hn::LoadU(d, x + i);
    const intptr_t at = hn::FindFirstTrue(d, nan ? hn::IsNaN(xv) : hn::Eq(xv, value));
    if (at >= 0) return i + at;
  }
  while (i < n && !(nan ? x[i] != x[i] : x[i] == v)) ++i;
  return i;
}

/// kWide vectors of column results from at most 4^kLevel rows: four at a time, four of those, and so on.
template <int kLevel, size_t kWide, class T, class Op>
HWY_INLINE void rows_tree(const T* x, int64_t rows, int64_t stride, const Op& op, V<T>* out) {
  const Tag<T> d;
  constexpr size_t kLanes = hn::MaxLanes(Tag<T>());
  if constexpr (kLevel == 0) {
#pragma GCC unroll 4
    for (size_t j = 0; j < kWide; ++j) out[j] = hn::LoadU(d, x + j * kLanes);
  } else {
    constexpr int64_t kStep = int64_t{1} << 2 * (kLevel - 1);
    rows_tree<kLevel - 1, kWide>(x, std::min(rows, kStep), stride, op, out);
    for (int64_t i = kStep; i < rows; i += kStep) {
      V<T> part[kWide];
      rows_tree<kLevel - 1, kWide>(x + i * stride, std::min(rows - i, kStep), stride, op, part);
#pragma GCC unroll 4
      for (size_t j = 0; j < kWide; ++j) out[j] = op.combine(d, out[j], part[j]);
    }
  }
}

/// The same for the last columns, through a padded copy.
template <class T, class Op>
void rows_tail(const T* x, int64_t rows, int64_t stride, int64_t cols, const Op& op, T* out) {
  const Tag<T> d;
  constexpr size_t kLanes = hn::MaxLanes(Tag<T>());
  HWY_ALIGN T padded[kReduceRows * kLanes];
  std::fill_n(padded, rows * kLanes, T(0));
  for (int64_t i = 0; i < rows; ++i) std::copy_n(x + i * stride, cols, padded + i * kLanes);
  V<T> result[1];
  rows_tree<4, 1>(padded, rows, static_cast<int64_t>(kLanes), op, result);
  HWY_ALIGN T lanes[kLanes];
  hn::Store(result[0], d, lanes);
  std::copy_n(lanes, cols, out);
}

template <class T, class Op>
void reduce_rows(const T* x, int64_t rows, int64_t stride, int64_t cols, T* out) {
  static_assert(kReduceRows == 256, "four levels of four");
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  const Op op;
  int64_t c = 0;
  for (; c + 4 * kLanes <= cols; c += 4 * kLanes) {
    V<T> result[4];
    rows_tree<4, 4>(x + c, rows, stride, op, result);
    for (int64_t j = 0; j < 4; ++j) hn::StoreU(result[j], d, out + c + j * kLanes);
  }
  for (; c + kLanes <= cols; c += kLanes) {
    V<T> result[1];
    rows_tree<4, 1>(x + c, rows, stride, op, result);
    hn::StoreU(result[0], d, out + c);
  }
  if (c < cols) rows_tail(x + c, rows, stride, cols - c, op, out + c);
}

/// out[i] = f(x[i], y[i]); the tail runs the same vector code.
template <class T, class F>
HWY_INLINE void map_span(const T* x, const T* y, T* out, int64_t n, F f) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) hn::StoreU(f(d, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, out + i);
  if (i == n) return;
  store_some(d, f(d, load_some(d, x + i, n - i, T(0)), load_some(d, y + i, n - i, T(0))), out + i, n - i);
}

/// A row of at most 64 bytes in registers, padded with -inf; its reductions have the bits of reduce_span's.
template <class T>
struct ShortRow {
  static constexpr size_t kLanes = hn::MaxLanes(Tag<T>());
  static constexpr size_t kVecs = 64 / sizeof(T) / kLanes;
  static constexpr int64_t kMax = 64 / sizeof(T);
  V<T> v[kVecs];

  HWY_INLINE ShortRow(const T* x, int64_t n) {
    const Tag<T> d;
    for (size_t j = 0; j < kVecs; ++j) {
      const int64_t left = std::clamp<int64_t>(n - static_cast<int64_t>(j * kLanes), 0, kLanes);
      v[j] = load_some(d, x + j * kLanes, left, -std::numeric_limits<T>::infinity());
    }
  }
  HWY_INLINE void store(T* y, int64_t n) const {
    const Tag<T> d;
    for (size_t j = 0; j < kVecs; ++j) {
      const int64_t left = std::clamp<int64_t>(n - static_cast<int64_t>(j * kLanes), 0, kLanes);
      store_some(d, v[j], y + j * kLanes, left);
    }
  }
  template <class Op>
  HWY_INLINE T reduce(const Op& op) const {
    const Tag<T> d;
    V<T> r[kVecs];
    for (size_t j = 0; j < kVecs; ++j) r[j] = v[j];
    for (size_t h = kVecs / 2; h > 0; h /= 2)
      for (size_t j = 0; j < h; ++j) r[j] = op.combine(d, r[j], r[j + h]);
    return fold_lanes(d, r[0], op);
  }
  template <class F>
  HWY_INLINE ShortRow map(F f) const {
    ShortRow r = *this;
    for (size_t j = 0; j < kVecs; ++j) r.v[j] = f(Tag<T>(), v[j]);
    return r;
  }
  /// exp(x - shift); 0 in the padding.
  HWY_INLINE ShortRow exp_minus(T shift) const {
    return map([shift](auto d, auto x) HWY_ATTR { return hn::Exp(d, hn::Sub(x, hn::Set(d, shift))); });
  }
};

template <class T>
void softmax(const T* x, T* y, int64_t n) {
  if (n <= ShortRow<T>::kMax) {
    const ShortRow<T> row(x, n);
    const T max = row.reduce(ExtremeOp<T, true>());
    const ShortRow<T> e = row.exp_minus(max);
    const T scale = T(1) / e.reduce(SumOp<T>()) + (max - max);
    return e.map([scale](auto d, auto v) HWY_ATTR { return hn::Mul(v, hn::Set(d, scale)); }).store(y, n);
  }
  const T max = reduce_one<T, ExtremeOp<T, true>>(x, n);
  map_span(x, x, y, n, [max](auto d, auto v, auto) HWY_ATTR { return hn::Exp(d, hn::Sub(v, hn::Set(d, max))); });
  // Exp gives 0 for NaN: a NaN or an infinite maximum must still reach the result.
  const T bad = max - max;
  const T scale = T(1) / reduce_one<T, SumOp<T>>(y, n) + bad;
  map_span(y, y, y, n, [scale](auto d, auto v, auto) HWY_ATTR { return hn::Mul(v, hn::Set(d, scale)); });
}

/// x - max - log_sum
template <class T>
struct MinusLogSum {
  T max, log_sum;
  template <class D, class W>
  HWY_INLINE W operator()(D d, W v, W) const {
    return hn::Sub(hn::Sub(v, hn::Set(d, max)), hn::Set(d, log_sum));
  }
};

template <class T>
void log_softmax(const T* x, T* y, int64_t n) {
  if (n <= ShortRow<T>::kMax) {
    const ShortRow<T> row(x, n);
    const T max = row.reduce(ExtremeOp<T, true>());
    const T log_sum = std::log(row.exp_minus(max).reduce(SumOp<T>())) + (max - max);
    const MinusLogSum<T> f{max, log_sum};
    return row.map([f](auto d, auto v) HWY_ATTR { return f(d, v, v); }).store(y, n);
  }
  const T max = reduce_one<T, ExtremeOp<T, true>>(x, n);
  const T log_sum = std::log(reduce_shifted<T, SumExpOp<T>>(x, n, max)) + (max - max);
  map_span(x, x, y, n, MinusLogSum<T>{max, log_sum});
}

template <class T>
void softmax_backward(const T* g, const T* y, T* dx, int64_t n) {
  const T dot = reduce_span(g, y, static_cast<size_t>(n), DotOp<T>());
  map_span(g, y, dx, n, [dot](auto d, auto gv, auto yv) HWY_ATTR { return hn::Mul(hn::Sub(gv, hn::Set(d, dot)), yv); });
}

template <class T>
void log_softmax_backward(const T* g, const T* y, T* dx, int64_t n) {
  const T sum = reduce_one<T, SumOp<T>>(g, n);
  map_span(g, y, dx, n,
           [sum](auto d, auto gv, auto yv) HWY_ATTR { return hn::NegMulAdd(hn::Exp(d, yv), hn::Set(d, sum), gv); });
}

template <class T>
const VecReduce<T>* table() {
  static constexpr VecReduce<T> functions{
      .sum = reduce_one<T, SumOp<T>>,
      .prod = reduce_one<T, ProdOp<T>>,
      .max = reduce_one<T, ExtremeOp<T, true>>,
      .min = reduce_one<T, ExtremeOp<T, false>>,
      .sum_abs = reduce_one<T, SumAbsOp<T>>,
      .sum_square = reduce_shifted<T, SumSquareOp<T>>,
      .sum_exp = reduce_shifted<T, SumExpOp<T>>,
      .find = find<T>,
      .sum_rows = reduce_rows<T, SumOp<T>>,
      .max_rows = reduce_rows<T, ExtremeOp<T, true>>,
      .min_rows = reduce_rows<T, ExtremeOp<T, false>>,
      .softmax = softmax<T>,
      .log_softmax = log_softmax<T>,
      .softmax_backward = softmax_backward<T>,
      .log_softmax_backward = log_softmax_backward<T>,
  };
  return &functions;
}
const VecReduce<float>* table_f32() { return table<float>(); }
const VecReduce<double>* table_f64() { return table<double>(); }

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu {
HWY_EXPORT(table_f32);
HWY_EXPORT(table_f64);

template <>
const VecReduce<float>& vec_reduce<float>() {
  static const VecReduce<float>* functions = HWY_DYNAMIC_DISPATCH(table_f32)();
  return *functions;
}
template <>
const VecReduce<double>& vec_reduce<double>() {
  static const VecReduce<double>* functions = HWY_DYNAMIC_DISPATCH(table_f64)();
  return *functions;
}
}  // namespace strata::cpu
#endif
