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
/// if kTail.
template <int kLevel, size_t kWide, bool kTail, class T, class Op>
HWY_INLINE void rows_tree(const T* x, int64_t rows, int64_t stride, size_t tail, const Op& op, V<T>* out) {
  const Tag<T> d;
  constexpr size_t kLanes = hn::MaxLanes(Tag<T>());
  if constexpr (kLevel == 0) {
#pragma GCC unroll 4
    for (size_t j = 0; j < kWide; ++j) {
      const V<T> v = kTail ? load_some(d, x, tail, T(0)) : hn::LoadU(d, x + j * kLanes);
      out[j] = op.map(d, v, v);
    }
  } else {
    constexpr int64_t kStep = int64_t{1} << 2 * (kLevel - 1);
    rows_tree<kLevel - 1, kWide, kTail>(x, std::min(rows, kStep), stride, tail, op, out);
    for (int64_t i = kStep; i < rows; i += kStep) {
      V<T> part[kWide];
      rows_tree<kLevel - 1, kWide, kTail>(x + i * stride, std::min(rows - i, kStep), stride, tail, op, part);
#pragma GCC unroll 4
      for (size_t j = 0; j < kWide; ++j) out[j] = op.combine(d, out[j], part[j]);
    }
  }
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
    rows_tree<4, 4, false>(x + c, rows, stride, 0, op, result);
    for (int64_t j = 0; j < 4; ++j) hn::StoreU(result[j], d, out + c + j * kLanes);
  }
  for (; c + kLanes <= cols; c += kLanes) {
    V<T> result[1];
    rows_tree<4, 1, false>(x + c, rows, stride, 0, op, result);
    hn::StoreU(result[0], d, out + c);
  }
  if (c == cols) return;
  V<T> result[1];
  rows_tree<4, 1, true>(x + c, rows, stride, cols - c, op, result);
  store_some(d, result[0], out + c, cols - c);
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
      .max_rows = reduce_rows<T, ExtremeOp<T, true>>,
      .min_rows = reduce_rows<T, ExtremeOp<T, false>>,
  };
  return &functions;
}
/// What is exact in integers; the other functions are null.
const VecReduce<int64_t>* table_i64() {
  static constexpr VecReduce<int64_t> functions{
      .sum = reduce_one<int64_t, SumOp<int64_t>>,
      .max = reduce_one<int64_t, ExtremeOp<int64_t, true>>,
      .min = reduce_one<int64_t, ExtremeOp<int64_t, false>>,
      .find = find<int64_t>,
      .sum_rows = reduce_rows<int64_t, SumOp<int64_t>>,
      .max_rows = reduce_rows<int64_t, ExtremeOp<int64_t, true>>,
      .min_rows = reduce_rows<int64_t, ExtremeOp<int64_t, false>>,
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
HWY_EXPORT(table_i64);
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
}  // namespace strata::cpu
#endif
