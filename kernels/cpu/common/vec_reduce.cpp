// The reductions of spans and of columns, for each instruction set.
#include "kernels/cpu/common/vec_reduce.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/common/vec_reduce.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {

/// Lanes that are equal to `value`, or NaN as it is.
template <class T>
HWY_INLINE hn::Mask<Tag<T>> is_same(V<T> x, V<T> value) {
  if constexpr (std::is_floating_point_v<T>)
    return hn::Or(hn::Eq(x, value), hn::And(hn::IsNaN(x), hn::IsNaN(value)));
  else
    return hn::Eq(x, value);
}

template <class T>
HWY_INLINE int64_t find_in(const T* x, int64_t n, T v) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  const auto value = hn::Set(d, v);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const intptr_t at = hn::FindFirstTrue(d, is_same<T>(hn::LoadU(d, x + i), value));
    if (at >= 0) return i + at;
  }
  while (i < n && !(x[i] == v || (v != v && x[i] != x[i]))) ++i;
  return i;
}
template <class T>
int64_t find(const T* x, int64_t n, T v) {
  return find_in(x, n, v);
}

// --- short lines ---

/// Lines of more vectors than this are not short.
constexpr size_t kShortVecs = 8;

/// reduce_span() of more than kVecs / 2 and at most kVecs vectors, without the parts of its tree in which nothing is.
template <size_t kVecs, class T, class Op>
HWY_INLINE T reduce_short(const T* x, size_t n, const Op& op) {
  const Tag<T> d;
  constexpr size_t kLanes = hn::MaxLanes(Tag<T>());
  const auto begun = [&](V<T> v)
                         HWY_ATTR { return op.combine(d, hn::Set(d, Op::template identity<T>), op.map(d, v, v)); };
  if constexpr (kVecs == 1) {
    return fold_lanes(d, begun(n == kLanes ? hn::LoadU(d, x) : load_some(d, x, n, op.fill())), op);
  } else {
    constexpr size_t kHalf = kVecs / 2;
    V<T> v[kHalf];
#pragma GCC unroll 4
    for (size_t j = 0; j < kHalf; ++j) v[j] = begun(hn::LoadU(d, x + j * kLanes));
#pragma GCC unroll 4
    for (size_t j = 0; j < kHalf; ++j) {
      const size_t at = (kHalf + j) * kLanes;
      if (at >= n) break;
      const V<T> more = n - at >= kLanes ? hn::LoadU(d, x + at) : load_some(d, x + at, n - at, op.fill());
      v[j] = op.combine(d, v[j], begun(more));
    }
#pragma GCC unroll 4
    for (size_t h = kHalf / 2; h > 0; h /= 2)
      for (size_t j = 0; j < h; ++j) v[j] = op.combine(d, v[j], v[j + h]);
    return fold_lanes(d, v[0], op);
  }
}

/// Calls f.operator()<kVecs>() for lines that reduce_short() is for. Are they?
template <class T, class F>
HWY_INLINE bool visit_short(int64_t n, F f) {
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>()), kRound = 256 / sizeof(T);
  if (n == 0 || n > std::min<int64_t>(kShortVecs * kLanes, kRound)) return false;
  if (n <= kLanes)
    f.template operator()<1>();
  else if (n <= 2 * kLanes)
    f.template operator()<2>();
  else if (n <= 4 * kLanes)
    f.template operator()<4>();
  else
    f.template operator()<8>();
  return true;
}

/// Vectors of the first, second, ... values of as many lines of n <= 4 values as they have lanes.
template <size_t n, class T>
struct TinyLines {
  V<T> v[4];

  HWY_INLINE explicit TinyLines(const T* x) {
    const Tag<T> d;
    if constexpr (n == 2) hn::LoadInterleaved2(d, x, v[0], v[1]);
    if constexpr (n == 3) hn::LoadInterleaved3(d, x, v[0], v[1], v[2]);
    if constexpr (n == 4) hn::LoadInterleaved4(d, x, v[0], v[1], v[2], v[3]);
  }
  /// Their results, by the tree of reduce_span().
  template <class Op>
  HWY_INLINE V<T> reduced(const Op& op) const {
    const Tag<T> d;
    const auto begun = [&](V<T> x)
                           HWY_ATTR { return op.combine(d, hn::Set(d, Op::template identity<T>), op.map(d, x, x)); };
    V<T> first = begun(v[0]), second = begun(v[1]);
    if constexpr (n > 2) first = op.combine(d, first, begun(v[2]));
    if constexpr (n > 3) second = op.combine(d, second, begun(v[3]));
    return op.combine(d, first, second);
  }
  /// Where they first have them.
  HWY_INLINE V<T> found(V<T> value) const {
    const Tag<T> d;
    const auto unless = [&](size_t k, V<T> later)
                            HWY_ATTR { return hn::IfThenElse(is_same<T>(v[k], value), hn::Set(d, T(k)), later); };
    V<T> at = hn::Set(d, T(n - 1));
    if constexpr (n > 3) at = unless(2, at);
    if constexpr (n > 2) at = unless(1, at);
    return unless(0, at);
  }
};
/// Calls f.operator()<n>() for lines that are tiny and lie side by side.
template <class F>
HWY_INLINE void visit_tiny(int64_t n, int64_t stride, F f) {
  if (n != stride) return;
  if (n == 2) f.template operator()<2>();
  if (n == 3) f.template operator()<3>();
  if (n == 4) f.template operator()<4>();
}

template <class T, class Op>
void reduce_lines(const T* x, int64_t n, int64_t stride, int64_t count, T* out) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  const Op op{};
  int64_t i = 0;
  visit_tiny(n, stride, [&]<size_t kLength>() HWY_ATTR {
    for (; i + kLanes <= count; i += kLanes) hn::StoreU(TinyLines<kLength, T>(x + i * stride).reduced(op), d, out + i);
  });
  const bool is_short = visit_short<T>(n, [&]<size_t kVecs>() HWY_ATTR {
    for (; i < count; ++i) out[i] = reduce_short<kVecs>(x + i * stride, static_cast<size_t>(n), op);
  });
  if (is_short) return;
  for (; i < count; ++i) out[i] = reduce_span(x + i * stride, x + i * stride, static_cast<size_t>(n), op);
}

template <class T, class Op>
void find_lines(const T* x, int64_t n, int64_t stride, int64_t count, T* out, int64_t* at) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  const Op op{};
  int64_t i = 0;
  visit_tiny(n, stride, [&]<size_t kLength>() HWY_ATTR {
    HWY_ALIGN T places[kLanes];
    for (; i + kLanes <= count; i += kLanes) {
      const TinyLines<kLength, T> lines(x + i * stride);
      const V<T> values = lines.reduced(op);
      hn::StoreU(values, d, out + i);
      hn::Store(lines.found(values), d, places);
      for (int64_t l = 0; l < kLanes; ++l) at[i + l] = static_cast<int64_t>(places[l]);
    }
  });
  const bool is_short = visit_short<T>(n, [&]<size_t kVecs>() HWY_ATTR {
    for (; i < count; ++i) {
      out[i] = reduce_short<kVecs>(x + i * stride, static_cast<size_t>(n), op);
      at[i] = find_in(x + i * stride, n, out[i]);
    }
  });
  if (is_short) return;
  for (; i < count; ++i) {
    out[i] = reduce_span(x + i * stride, x + i * stride, static_cast<size_t>(n), op);
    at[i] = find_in(x + i * stride, n, out[i]);
  }
}

/// Note [Columns]
/// A column's result comes from four rows at a time, four of those, and so on. A few columns are gone down one after
/// the other, with all of that in registers. Many are gone through row by row, as they lie, which is what processors
/// foresee: what four rows, sixteen and 64 give waits in buffers. The order of the operations is one.
static_assert(kReduceRows == 256, "four levels of four");

/// A vector of column results from at most 4^kLevel rows. `tail` columns if kTail. `op` maps values with those of
/// `second`, or with themselves where that is null.
template <int kLevel, bool kTail, class T, class Op>
HWY_INLINE V<T> rows_tree(const T* x, int64_t rows, int64_t stride, size_t tail, const Op& op, const V<T>* second) {
  const Tag<T> d;
  if constexpr (kLevel == 0) {
    const V<T> v = kTail ? load_some(d, x, tail, T(0)) : hn::LoadU(d, x);
    return op.map(d, v, second ? *second : v);
  } else {
    constexpr int64_t kStep = int64_t{1} << 2 * (kLevel - 1);
    V<T> all = rows_tree<kLevel - 1, kTail>(x, std::min(rows, kStep), stride, tail, op, second);
    for (int64_t i = kStep; i < rows; i += kStep)
      all = op.combine(
          d, all, rows_tree<kLevel - 1, kTail>(x + i * stride, std::min(rows - i, kStep), stride, tail, op, second));
    return all;
  }
}

/// What many columns have so far: their number is rounded up to whole vectors.
template <class T>
using Columns = T[kReduceColumns];

/// Begins `to` with what `from(c)` gives for the vector at column c, or combines it with that.
template <class T, class Op, class F>
HWY_INLINE void join_columns(int64_t cols, bool begins, const Op& op, Columns<T>& to, F from) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  if (begins)
    for (int64_t c = 0; c < cols; c += kLanes) hn::Store(from(c), d, to + c);
  else
    for (int64_t c = 0; c < cols; c += kLanes) hn::Store(op.combine(d, hn::Load(d, to + c), from(c)), d, to + c);
}

/// The results of many columns, at most kReduceColumns: Note [Columns].
template <bool kShifted, class T, class Op>
HWY_INLINE void reduce_many_columns(const T* x, int64_t rows, int64_t stride, int64_t cols, const T* shifts, T* out) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  const Op op;
  HWY_ALIGN Columns<T> of_16, of_64, of_all;
  const auto load = [&](const T* row, int64_t c) HWY_ATTR __attribute__((always_inline)) {
    return c + kLanes <= cols ? hn::LoadU(d, row + c) : load_some(d, row + c, static_cast<size_t>(cols - c), T(0));
  };
  for (int64_t i = 0;; i += 4) {
    const T* const row = x + i * stride;
    const int64_t n = std::min<int64_t>(4, rows - i);
    join_columns<T>(
        cols, i % 16 == 0, op, of_16, [&](int64_t c) HWY_ATTR __attribute__((always_inline)) {
          const V<T> shift = kShifted ? load(shifts, c) : hn::Zero(d);
          const auto value = [&](int64_t r) HWY_ATTR __attribute__((always_inline)) {
            const V<T> v = load(row + r * stride, c);
            return op.map(d, v, kShifted ? shift : v);
          };
          if (n == 4) return op.combine(d, op.combine(d, op.combine(d, value(0), value(1)), value(2)), value(3));
          V<T> all = value(0);
          for (int64_t r = 1; r < n; ++r) all = op.combine(d, all, value(r));
          return all;
        });
    const int64_t done = i + n;
    if (done % 16 != 0 && done != rows) continue;
    join_columns<T>(
        cols, i / 16 % 4 == 0, op,
        of_64, [&](int64_t c) HWY_ATTR __attribute__((always_inline)) { return hn::Load(d, of_16 + c); });
    if (done % 64 != 0 && done != rows) continue;
    join_columns<T>(
        cols, i / 64 == 0, op,
        of_all, [&](int64_t c) HWY_ATTR __attribute__((always_inline)) { return hn::Load(d, of_64 + c); });
    if (done == rows) return static_cast<void>(std::copy_n(of_all, cols, out));
  }
}

/// The results of neighbouring columns. Their values are mapped with `shifts`, one for each column, if kShifted.
template <bool kShifted, class T, class Op>
HWY_INLINE void reduce_columns(const T* x, int64_t rows, int64_t stride, int64_t cols, const T* shifts, T* out) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  if (cols >= 4 * kLanes && rows > 4) {
    for (int64_t c = 0; c < cols; c += kReduceColumns)
      reduce_many_columns<kShifted, T, Op>(x + c, rows, stride, std::min(kReduceColumns, cols - c),
                                           kShifted ? shifts + c : nullptr, out + c);
    return;
  }
  const Op op;
  V<T> shift;
  int64_t c = 0;
  for (; c + kLanes <= cols; c += kLanes) {
    if (kShifted) shift = hn::LoadU(d, shifts + c);
    hn::StoreU(rows_tree<4, false>(x + c, rows, stride, 0, op, kShifted ? &shift : nullptr), d, out + c);
  }
  if (c >= cols) return;
  if (kShifted) shift = load_some(d, shifts + c, cols - c, T(0));
  store_some(d, rows_tree<4, true>(x + c, rows, stride, cols - c, op, kShifted ? &shift : nullptr), out + c, cols - c);
}
template <class T, class Op>
void reduce_rows(const T* x, int64_t rows, int64_t stride, int64_t cols, T* out) {
  reduce_columns<false, T, Op>(x, rows, stride, cols, nullptr, out);
}
template <class T, class Op>
void reduce_shifted_rows(const T* x, int64_t rows, int64_t stride, int64_t cols, const T* shifts, T* out) {
  reduce_columns<true, T, Op>(x, rows, stride, cols, shifts, out);
}

/// A bool is a byte of 0 or 1.
int64_t sum_of_bytes(const uint8_t* x, int64_t n) {
  int64_t i = 0, count = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<uint8_t> d;
  const hn::ScalableTag<uint64_t> wide;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  auto sums = hn::Zero(wide);
  for (; i + lanes <= n; i += lanes) sums = hn::Add(sums, hn::SumsOf8(hn::LoadU(d, x + i)));
  count = static_cast<int64_t>(hn::GetLane(hn::SumOfLanes(wide, sums)));
#endif
  for (; i < n; ++i) count += x[i];
  return count;
}

void join_bytes(const uint8_t* x, int64_t n, bool any, uint8_t* to) {
  const hn::ScalableTag<uint8_t> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto a = hn::LoadU(d, to + i), b = hn::LoadU(d, x + i);
    hn::StoreU(any ? hn::Or(a, b) : hn::And(a, b), d, to + i);
  }
  for (; i < n; ++i) to[i] = static_cast<uint8_t>(any ? to[i] | x[i] : to[i] & x[i]);
}

template <class T>
const VecReduce<T>* table() {
  static constexpr VecReduce<T> functions{
      .sum = reduce_one<T, SumOp<T>>,
      .prod = reduce_one<T, ProdOp<T>>,
      .max = reduce_one<T, ExtremeOp<T, true>>,
      .min = reduce_one<T, ExtremeOp<T, false>>,
      .sum_abs = reduce_one<T, SumAbsOp<T>>,
      .sum_numbers = reduce_one<T, SumNumbersOp<T>>,
      .sum_shifted = reduce_shifted<T, SumShiftedOp<T>>,
      .sum_square = reduce_shifted<T, SumSquareOp<T>>,
      .sum_exp = reduce_shifted<T, SumExpOp<T>>,
      .find = find<T>,
      .sum_lines = reduce_lines<T, SumOp<T>>,
      .sum_abs_lines = reduce_lines<T, SumAbsOp<T>>,
      .squares_lines = reduce_lines<T, DotOp<T>>,
      .max_lines = reduce_lines<T, ExtremeOp<T, true>>,
      .min_lines = reduce_lines<T, ExtremeOp<T, false>>,
      .find_max_lines = find_lines<T, ExtremeOp<T, true>>,
      .find_min_lines = find_lines<T, ExtremeOp<T, false>>,
      .sum_rows = reduce_rows<T, SumOp<T>>,
      .sum_numbers_rows = reduce_rows<T, SumNumbersOp<T>>,
      .sum_abs_rows = reduce_rows<T, SumAbsOp<T>>,
      .squares_rows = reduce_rows<T, DotOp<T>>,
      .prod_rows = reduce_rows<T, ProdOp<T>>,
      .sum_shifted_rows = reduce_shifted_rows<T, SumShiftedColumnsOp<T>>,
      .sum_square_rows = reduce_shifted_rows<T, SumSquareColumnsOp<T>>,
      .sum_exp_rows = reduce_shifted_rows<T, SumExpColumnsOp<T>>,
      .max_rows = reduce_rows<T, ExtremeOp<T, true>>,
      .min_rows = reduce_rows<T, ExtremeOp<T, false>>,
  };
  return &functions;
}
/// What is exact in integers; the other functions are null.
template <class T>
constexpr VecReduce<T> extremes() {
  return {
      .max = reduce_one<T, ExtremeOp<T, true>>,
      .min = reduce_one<T, ExtremeOp<T, false>>,
      .find = find<T>,
      .max_lines = reduce_lines<T, ExtremeOp<T, true>>,
      .min_lines = reduce_lines<T, ExtremeOp<T, false>>,
      .find_max_lines = find_lines<T, ExtremeOp<T, true>>,
      .find_min_lines = find_lines<T, ExtremeOp<T, false>>,
      .max_rows = reduce_rows<T, ExtremeOp<T, true>>,
      .min_rows = reduce_rows<T, ExtremeOp<T, false>>,
  };
}
template <class T>
const VecReduce<T>* table_of_extremes() {
  static constexpr VecReduce<T> functions = extremes<T>();
  return &functions;
}
const VecReduce<int64_t>* table_i64() {
  static constexpr VecReduce<int64_t> functions = [] {
    VecReduce<int64_t> f = extremes<int64_t>();
    f.sum = reduce_one<int64_t, SumOp<int64_t>>;
    f.prod = reduce_one<int64_t, ProdOp<int64_t>>;
    f.sum_lines = reduce_lines<int64_t, SumOp<int64_t>>;
    f.sum_rows = reduce_rows<int64_t, SumOp<int64_t>>;
    f.prod_rows = reduce_rows<int64_t, ProdOp<int64_t>>;
    return f;
  }();
  return &functions;
}
const VecReduce<uint8_t>* table_u8() { return table_of_extremes<uint8_t>(); }
const VecReduce<int8_t>* table_i8() { return table_of_extremes<int8_t>(); }
const VecReduce<int16_t>* table_i16() { return table_of_extremes<int16_t>(); }
const VecReduce<int32_t>* table_i32() { return table_of_extremes<int32_t>(); }
const VecReduce<uint32_t>* table_u32() { return table_of_extremes<uint32_t>(); }
const VecReduce<float>* table_f32() { return table<float>(); }
const VecReduce<double>* table_f64() { return table<double>(); }

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu {
HWY_EXPORT(table_f32);
HWY_EXPORT(table_f64);
HWY_EXPORT(table_i64);
HWY_EXPORT(table_u8);
HWY_EXPORT(table_i8);
HWY_EXPORT(table_i16);
HWY_EXPORT(table_i32);
HWY_EXPORT(table_u32);
HWY_EXPORT(sum_of_bytes);
HWY_EXPORT(join_bytes);

int64_t count_true(const bool* x, int64_t n) {
  return HWY_DYNAMIC_DISPATCH(sum_of_bytes)(reinterpret_cast<const uint8_t*>(x), n);
}
void join_bools(const bool* x, int64_t n, bool any, bool* to) {
  HWY_DYNAMIC_DISPATCH(join_bytes)(reinterpret_cast<const uint8_t*>(x), n, any, reinterpret_cast<uint8_t*>(to));
}

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
template <>
const VecReduce<int64_t>& vec_reduce<int64_t>() {
  static const VecReduce<int64_t>* functions = HWY_DYNAMIC_DISPATCH(table_i64)();
  return *functions;
}
template <>
const VecReduce<uint8_t>& vec_reduce<uint8_t>() {
  static const VecReduce<uint8_t>* functions = HWY_DYNAMIC_DISPATCH(table_u8)();
  return *functions;
}
template <>
const VecReduce<int8_t>& vec_reduce<int8_t>() {
  static const VecReduce<int8_t>* functions = HWY_DYNAMIC_DISPATCH(table_i8)();
  return *functions;
}
template <>
const VecReduce<int16_t>& vec_reduce<int16_t>() {
  static const VecReduce<int16_t>* functions = HWY_DYNAMIC_DISPATCH(table_i16)();
  return *functions;
}
template <>
const VecReduce<int32_t>& vec_reduce<int32_t>() {
  static const VecReduce<int32_t>* functions = HWY_DYNAMIC_DISPATCH(table_i32)();
  return *functions;
}
template <>
const VecReduce<uint32_t>& vec_reduce<uint32_t>() {
  static const VecReduce<uint32_t>* functions = HWY_DYNAMIC_DISPATCH(table_u32)();
  return *functions;
}
}  // namespace strata::cpu
#endif
