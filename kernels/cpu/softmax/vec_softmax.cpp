// Softmax and log-softmax of rows and of columns, for each instruction set.
#include "kernels/cpu/softmax/vec_softmax.h"

#include <cmath>

#include "kernels/cpu/common/vec_reduce.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/softmax/vec_softmax.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::softmax::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

// exp_of_negative gives 0 for NaN, and inf - inf is NaN: adding `max - max` lets a NaN or infinite maximum reach every
// result.

/// exp(x - shift)
template <class T>
struct ExpMinus {
  T shift;
  template <class D, class W>
  HWY_INLINE W operator()(D d, W x, W) const {
    return exp_of_negative(d, hn::Sub(x, hn::Set(d, shift)));
  }
};
template <class T>
struct Scale {
  T factor;
  template <class D, class W>
  HWY_INLINE W operator()(D d, W x, W) const {
    return hn::Mul(x, hn::Set(d, factor));
  }
};
/// x - max - log_sum
template <class T>
struct MinusLogSum {
  T max, log_sum;
  template <class D, class W>
  HWY_INLINE W operator()(D d, W x, W) const {
    return hn::Sub(hn::Sub(x, hn::Set(d, max)), hn::Set(d, log_sum));
  }
};
/// y (g - dot)
template <class T>
struct SoftmaxGrad {
  T dot;
  template <class D, class W>
  HWY_INLINE W operator()(D d, W g, W y) const {
    return hn::Mul(hn::Sub(g, hn::Set(d, dot)), y);
  }
};
/// g - exp(y) sum, and NaN for NaN.
template <class D, class W>
HWY_INLINE W log_grad(D d, W g, W y, W sum) {
  return hn::IfThenElse(hn::IsNaN(y), y, hn::NegMulAdd(exp_of_negative(d, y), sum, g));
}
template <class T>
struct LogSoftmaxGrad {
  T sum;
  template <class D, class W>
  HWY_INLINE W operator()(D d, W g, W y) const {
    return log_grad(d, g, y, hn::Set(d, sum));
  }
};

/// Sums exp(x - shift) and keeps the terms, vector after vector.
template <class T>
struct SumExpKeepOp : SumExpOp<T> {
  T* out;
  SumExpKeepOp(T shift, T* out) : SumExpOp<T>(shift), out(out) {}
  HWY_INLINE V<T> map(Tag<T> d, V<T> x, V<T> y) {
    const V<T> e = SumExpOp<T>::map(d, x, y);
    hn::StoreU(e, d, out);
    out += hn::MaxLanes(Tag<T>());
    return e;
  }
};

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
    for (size_t j = 0; j < kVecs; ++j) r.v[j] = f(Tag<T>(), v[j], v[j]);
    return r;
  }
};

template <class T>
void softmax(const T* x, T* y, int64_t n) {
  if (n <= ShortRow<T>::kMax) {
    const ShortRow<T> row(x, n);
    const T max = row.reduce(ExtremeOp<T, true>());
    const ShortRow<T> e = row.map(ExpMinus<T>{max});
    return e.map(Scale<T>{T(1) / e.reduce(SumOp<T>()) + (max - max)}).store(y, n);
  }
  const T max = reduce_one<T, ExtremeOp<T, true>>(x, n);
  if (n <= kReduceChunk) {
    HWY_ALIGN T e[kReduceChunk + 64 / sizeof(T)];
    const T sum = reduce_span(x, x, static_cast<size_t>(n), SumExpKeepOp<T>(max, e));
    return map_span(e, e, y, n, Scale<T>{T(1) / sum + (max - max)});
  }
  map_span(x, x, y, n, ExpMinus<T>{max});
  map_span(y, y, y, n, Scale<T>{T(1) / reduce_one<T, SumOp<T>>(y, n) + (max - max)});
}

template <class T>
void log_softmax(const T* x, T* y, int64_t n) {
  if (n <= ShortRow<T>::kMax) {
    const ShortRow<T> row(x, n);
    const T max = row.reduce(ExtremeOp<T, true>());
    const T log_sum = std::log(row.map(ExpMinus<T>{max}).reduce(SumOp<T>())) + (max - max);
    return row.map(MinusLogSum<T>{max, log_sum}).store(y, n);
  }
  const T max = reduce_one<T, ExtremeOp<T, true>>(x, n);
  const T log_sum = std::log(reduce_shifted<T, SumExpOp<T>>(x, n, max)) + (max - max);
  map_span(x, x, y, n, MinusLogSum<T>{max, log_sum});
}

template <class T>
void softmax_backward(const T* g, const T* y, T* dx, int64_t n) {
  map_span(g, y, dx, n, SoftmaxGrad<T>{reduce_span(g, y, static_cast<size_t>(n), DotOp<T>())});
}
template <class T>
void log_softmax_backward(const T* g, const T* y, T* dx, int64_t n) {
  map_span(g, y, dx, n, LogSoftmaxGrad<T>{reduce_one<T, SumOp<T>>(g, n)});
}

/// Up to kWide vectors side by side; the last columns are a part of one vector.
template <class T, size_t kWide>
struct Strip {
  static constexpr size_t kLanes = hn::MaxLanes(Tag<T>());
  size_t cols;
  bool whole;
  explicit Strip(int64_t n) : cols(static_cast<size_t>(n)), whole(n == static_cast<int64_t>(kWide * kLanes)) {}
  HWY_INLINE void load(const T* p, V<T>* v) const {
    const Tag<T> d;
    if (HWY_UNLIKELY(!whole)) {
      v[0] = load_some(d, p, cols, T(0));
      return;
    }
    for (size_t j = 0; j < kWide; ++j) v[j] = hn::LoadU(d, p + j * kLanes);
  }
  HWY_INLINE void store(const V<T>* v, T* p) const {
    const Tag<T> d;
    if (HWY_UNLIKELY(!whole)) return store_some(d, v[0], p, cols);
    for (size_t j = 0; j < kWide; ++j) hn::StoreU(v[j], d, p + j * kLanes);
  }
};

/// The combination of value(row, v) over the rows, in groups of 16 rows so that rounding errors stay small.
template <size_t kWide, class T, class Op, class F>
HWY_INLINE void reduce_strip(int64_t rows, const Op& op, V<T>* total, F value) {
  const Tag<T> d;
  for (size_t j = 0; j < kWide; ++j) total[j] = hn::Set(d, Op::template identity<T>);
  for (int64_t i = 0; i < rows;) {
    V<T> group[kWide], v[kWide];
    value(i, group);
    const int64_t end = std::min(rows, i + 16);
    while (++i < end) {
      value(i, v);
      for (size_t j = 0; j < kWide; ++j) group[j] = op.combine(d, group[j], v[j]);
    }
    for (size_t j = 0; j < kWide; ++j) total[j] = op.combine(d, total[j], group[j]);
  }
}

/// log(v) lane by lane: once per column.
template <class T>
HWY_INLINE V<T> log_lanes(V<T> v) {
  const Tag<T> d;
  HWY_ALIGN T lanes[hn::MaxLanes(Tag<T>())];
  hn::Store(v, d, lanes);
  for (T& lane : lanes) lane = std::log(lane);
  return hn::Load(d, lanes);
}

/// What the results of columns take of their maximum and the sum of exp(x - max): its logarithm, or what it divides by.
template <class T, bool kLog>
HWY_INLINE V<T> for_results(V<T> sum, V<T> max) {
  const V<T> once = kLog ? log_lanes<T>(sum) : hn::Div(hn::Set(Tag<T>(), T(1)), sum);
  return hn::Add(once, hn::Sub(max, max));
}
/// The gradient from g, the result y and a column's sum.
template <class T, bool kLog>
HWY_INLINE V<T> backward_of(Tag<T> d, V<T> g, V<T> y, V<T> sum) {
  return kLog ? log_grad(d, g, y, sum) : hn::Mul(hn::Sub(g, sum), y);
}

/// One strip of columns of each function: F<T, kWide>::run(c, strip), with c pointing at the strip.
template <class T, size_t kWide, bool kLog>
struct ForwardStrip {
  static HWY_INLINE void run(const Columns<T>& c, const Strip<T, kWide>& strip) {
    const Tag<T> d;
    V<T> max[kWide], sum[kWide], v[kWide];
    reduce_strip<kWide, T>(c.rows, ExtremeOp<T, true>(), max,
                           [&](int64_t i, V<T>* to) HWY_ATTR { strip.load(c.x + i * c.x_step, to); });
    reduce_strip<kWide, T>(c.rows, AddOp(), sum, [&](int64_t i, V<T>* to) HWY_ATTR {
      strip.load(c.x + i * c.x_step, to);
      for (size_t j = 0; j < kWide; ++j) to[j] = exp_of_negative(d, hn::Sub(to[j], max[j]));
      if constexpr (!kLog) strip.store(to, c.out + i * c.out_step);
    });
    for (size_t j = 0; j < kWide; ++j) {
      sum[j] = for_results<T, kLog>(sum[j], max[j]);
    }
    for (int64_t i = 0; i < c.rows; ++i) {
      strip.load(kLog ? c.x + i * c.x_step : c.out + i * c.out_step, v);
      for (size_t j = 0; j < kWide; ++j) v[j] = kLog ? hn::Sub(hn::Sub(v[j], max[j]), sum[j]) : hn::Mul(v[j], sum[j]);
      strip.store(v, c.out + i * c.out_step);
    }
  }
};

template <class T, size_t kWide, bool kLog>
struct BackwardStrip {
  static HWY_INLINE void run(const Columns<T>& c, const Strip<T, kWide>& strip) {
    const Tag<T> d;
    V<T> sum[kWide], y[kWide], g[kWide];
    reduce_strip<kWide, T>(c.rows, AddOp(), sum, [&](int64_t i, V<T>* to) HWY_ATTR {
      strip.load(c.x + i * c.x_step, to);
      if constexpr (kLog) return;
      strip.load(c.y + i * c.y_step, y);
      for (size_t j = 0; j < kWide; ++j) to[j] = hn::Mul(to[j], y[j]);
    });
    for (int64_t i = 0; i < c.rows; ++i) {
      strip.load(c.x + i * c.x_step, g);
      strip.load(c.y + i * c.y_step, y);
      for (size_t j = 0; j < kWide; ++j) {
        g[j] = backward_of<T, kLog>(d, g[j], y[j], sum[j]);
      }
      strip.store(g, c.out + i * c.out_step);
    }
  }
};

// Columns that are too long for the caches are read row by row, whatever that costs in arithmetic: a strip would touch
// a page of memory per row.

/// One value for each of up to kMostColumns columns, read and written by vectors.
template <class T>
struct ColumnValues {
  static constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  HWY_ALIGN T values[kMostColumns];
  HWY_INLINE V<T> load(int64_t j) const { return hn::Load(Tag<T>(), values + j); }
  HWY_INLINE void store(V<T> v, int64_t j) { hn::Store(v, Tag<T>(), values + j); }
  HWY_INLINE void fill(T v) { std::fill_n(values, kMostColumns, v); }
};

template <class T>
HWY_INLINE V<T> load_columns(const T* row, int64_t j, int64_t cols) {
  const Tag<T> d;
  const bool is_whole = j + ColumnValues<T>::kLanes <= cols;
  return HWY_LIKELY(is_whole) ? hn::LoadU(d, row + j) : load_some(d, row + j, cols - j, T(0));
}
template <class T>
HWY_INLINE void store_columns(V<T> v, T* row, int64_t j, int64_t cols) {
  const Tag<T> d;
  const bool is_whole = j + ColumnValues<T>::kLanes <= cols;
  HWY_LIKELY(is_whole) ? hn::StoreU(v, d, row + j) : store_some(d, v, row + j, cols - j);
}

/// f(row, j) for rows [begin, end) and the first of each vector of columns.
template <class T, class F>
HWY_INLINE void for_rows(int64_t begin, int64_t end, int64_t cols, F f) {
  for (int64_t i = begin; i < end; ++i)
    for (int64_t j = 0; j < cols; j += ColumnValues<T>::kLanes) f(i, j);
}

template <class T, bool kLog>
struct ForwardRows {
  /// Groups of 16 rows while those are in the cache: their maxima first, to which the sums so far are then scaled.
  static void run(const Columns<T>& c) {
    const Tag<T> d;
    const ExtremeOp<T, true> larger;
    ColumnValues<T> max, sum, group;
    max.fill(ExtremeOp<T, true>::template identity<T>);
    sum.fill(T(0));
    for (int64_t i = 0; i < c.rows; i += 16) {
      const int64_t end = std::min(c.rows, i + 16);
      group = max;
      for_rows<T>(i, end, c.cols, [&](int64_t r, int64_t j) HWY_ATTR {
        max.store(larger.combine(d, max.load(j), load_columns(c.x + r * c.x_step, j, c.cols)), j);
      });
      for_rows<T>(0, 1, c.cols, [&](int64_t, int64_t j) HWY_ATTR {
        sum.store(hn::Mul(sum.load(j), exp_of_negative(d, hn::Sub(group.load(j), max.load(j)))), j);
      });
      group.fill(T(0));
      for_rows<T>(i, end, c.cols, [&](int64_t r, int64_t j) HWY_ATTR {
        const V<T> x = load_columns(c.x + r * c.x_step, j, c.cols);
        group.store(hn::Add(group.load(j), exp_of_negative(d, hn::Sub(x, max.load(j)))), j);
      });
      for_rows<T>(0, 1, c.cols,
                  [&](int64_t, int64_t j) HWY_ATTR { sum.store(hn::Add(sum.load(j), group.load(j)), j); });
    }
    for_rows<T>(0, 1, c.cols,
                [&](int64_t, int64_t j) HWY_ATTR { sum.store(for_results<T, kLog>(sum.load(j), max.load(j)), j); });
    for_rows<T>(0, c.rows, c.cols, [&](int64_t r, int64_t j) HWY_ATTR {
      const V<T> x = hn::Sub(load_columns(c.x + r * c.x_step, j, c.cols), max.load(j));
      const V<T> y = kLog ? hn::Sub(x, sum.load(j)) : hn::Mul(exp_of_negative(d, x), sum.load(j));
      store_columns(y, c.out + r * c.out_step, j, c.cols);
    });
  }
};

template <class T, bool kLog>
struct BackwardRows {
  static void run(const Columns<T>& c) {
    const Tag<T> d;
    ColumnValues<T> sum, group;
    sum.fill(T(0));
    for (int64_t i = 0; i < c.rows; i += 16) {
      group.fill(T(0));
      for_rows<T>(i, std::min(c.rows, i + 16), c.cols, [&](int64_t r, int64_t j) HWY_ATTR {
        V<T> g = load_columns(c.x + r * c.x_step, j, c.cols);
        if constexpr (!kLog) g = hn::Mul(g, load_columns(c.y + r * c.y_step, j, c.cols));
        group.store(hn::Add(group.load(j), g), j);
      });
      for_rows<T>(0, 1, c.cols,
                  [&](int64_t, int64_t j) HWY_ATTR { sum.store(hn::Add(sum.load(j), group.load(j)), j); });
    }
    for_rows<T>(0, c.rows, c.cols, [&](int64_t r, int64_t j) HWY_ATTR {
      const V<T> g = load_columns(c.x + r * c.x_step, j, c.cols), y = load_columns(c.y + r * c.y_step, j, c.cols);
      store_columns(backward_of<T, kLog>(d, g, y, sum.load(j)), c.out + r * c.out_step, j, c.cols);
    });
  }
};

template <template <class, size_t, bool> class F, template <class, bool> class Tall, bool kLog, class T>
void columns(const Columns<T>& c) {
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  if (c.rows >= kTallColumns) return Tall<T, kLog>::run(c);
  const auto at = [&](int64_t col) {
    Columns<T> moved = c;
    moved.x += col, moved.out += col;
    if (c.y) moved.y += col;
    return moved;
  };
  int64_t col = 0;
  for (; col + 4 * kLanes <= c.cols; col += 4 * kLanes) F<T, 4, kLog>::run(at(col), Strip<T, 4>(4 * kLanes));
  for (; col < c.cols; col += kLanes) F<T, 1, kLog>::run(at(col), Strip<T, 1>(std::min(kLanes, c.cols - col)));
}

template <class T>
const VecSoftmax<T>* table() {
  static constexpr VecSoftmax<T> functions{
      .softmax = softmax<T>,
      .log_softmax = log_softmax<T>,
      .softmax_backward = softmax_backward<T>,
      .log_softmax_backward = log_softmax_backward<T>,
      .softmax_columns = columns<ForwardStrip, ForwardRows, false, T>,
      .log_softmax_columns = columns<ForwardStrip, ForwardRows, true, T>,
      .softmax_backward_columns = columns<BackwardStrip, BackwardRows, false, T>,
      .log_softmax_backward_columns = columns<BackwardStrip, BackwardRows, true, T>,
  };
  return &functions;
}
const VecSoftmax<float>* softmax_f32() { return table<float>(); }
const VecSoftmax<double>* softmax_f64() { return table<double>(); }

}  // namespace strata::cpu::softmax::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::softmax {
HWY_EXPORT(softmax_f32);
HWY_EXPORT(softmax_f64);

template <>
const VecSoftmax<float>& vec_softmax<float>() {
  static const VecSoftmax<float>* functions = HWY_DYNAMIC_DISPATCH(softmax_f32)();
  return *functions;
}
template <>
const VecSoftmax<double>& vec_softmax<double>() {
  static const VecSoftmax<double>* functions = HWY_DYNAMIC_DISPATCH(softmax_f64)();
  return *functions;
}
}  // namespace strata::cpu::softmax
#endif
