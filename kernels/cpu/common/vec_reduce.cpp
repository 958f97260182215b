// The reductions of spans and of columns, for each instruction set.
#include "kernels/cpu/common/vec_reduce.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/common/vec_reduce.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {

template <class T>
int64_t find(const T* x, int64_t n, T v) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  const bool nan = v != v;
  const auto value = hn::Set(d, v);
  const auto is_it = [&](V<T> xv) HWY_ATTR {
    if constexpr (std::is_floating_point_v<T>)
      if (nan) return hn::IsNaN(xv);
    return hn::Eq(xv, value);
  };
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const intptr_t at = hn::FindFirstTrue(d, is_it(hn::LoadU(d, x + i)));
    if (at >= 0) return i + at;
  }
  while (i < n && !(nan ? x[i] != x[i] : x[i] == v)) ++i;
  return i;
}

/// kWide vectors of column results from at most 4^kLevel rows: four at a time, four of those, and so on. `tail` columns
/// if kTail. `op` maps values with those of `second`, or with themselves where that is null.
template <int kLevel, size_t kWide, bool kTail, class T, class Op>
HWY_INLINE void rows_tree(const T* x, int64_t rows, int64_t stride, size_t tail, const Op& op, const V<T>* second,
                          V<T>* out) {
  const Tag<T> d;
  constexpr size_t kLanes = hn::MaxLanes(Tag<T>());
  if constexpr (kLevel == 0) {
#pragma GCC unroll 4
    for (size_t j = 0; j < kWide; ++j) {
      const V<T> v = kTail ? load_some(d, x, tail, T(0)) : hn::LoadU(d, x + j * kLanes);
      out[j] = op.map(d, v, second ? second[j] : v);
    }
  } else {
    constexpr int64_t kStep = int64_t{1} << 2 * (kLevel - 1);
    rows_tree<kLevel - 1, kWide, kTail>(x, std::min(rows, kStep), stride, tail, op, second, out);
    for (int64_t i = kStep; i < rows; i += kStep) {
      V<T> part[kWide];
      rows_tree<kLevel - 1, kWide, kTail>(x + i * stride, std::min(rows - i, kStep), stride, tail, op, second, part);
#pragma GCC unroll 4
      for (size_t j = 0; j < kWide; ++j) out[j] = op.combine(d, out[j], part[j]);
    }
  }
}

/// The results of neighbouring columns. Their values are mapped with `shifts`, one for each column, if kShifted.
template <bool kShifted, class T, class Op>
HWY_INLINE void reduce_columns(const T* x, int64_t rows, int64_t stride, int64_t cols, const T* shifts, T* out) {
  static_assert(kReduceRows == 256, "four levels of four");
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  const Op op;
  int64_t c = 0;
  for (; c + 4 * kLanes <= cols; c += 4 * kLanes) {
    V<T> result[4], shift[4];
    for (int64_t j = 0; kShifted && j < 4; ++j) shift[j] = hn::LoadU(d, shifts + c + j * kLanes);
    rows_tree<4, 4, false>(x + c, rows, stride, 0, op, kShifted ? shift : nullptr, result);
    for (int64_t j = 0; j < 4; ++j) hn::StoreU(result[j], d, out + c + j * kLanes);
  }
  for (; c + kLanes <= cols; c += kLanes) {
    V<T> result[1], shift[1];
    if (kShifted) shift[0] = hn::LoadU(d, shifts + c);
    rows_tree<4, 1, false>(x + c, rows, stride, 0, op, kShifted ? shift : nullptr, result);
    hn::StoreU(result[0], d, out + c);
  }
  if (c == cols) return;
  V<T> result[1], shift[1];
  if (kShifted) shift[0] = load_some(d, shifts + c, cols - c, T(0));
  rows_tree<4, 1, true>(x + c, rows, stride, cols - c, op, kShifted ? shift : nullptr, result);
  store_some(d, result[0], out + c, cols - c);
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
      .sum_square = reduce_shifted<T, SumSquareOp<T>>,
      .sum_exp = reduce_shifted<T, SumExpOp<T>>,
      .find = find<T>,
      .sum_rows = reduce_rows<T, SumOp<T>>,
      .sum_numbers_rows = reduce_rows<T, SumNumbersOp<T>>,
      .prod_rows = reduce_rows<T, ProdOp<T>>,
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
