// Running extremes of lines and of columns, for each instruction set.
#include "kernels/cpu/reduce/vec_scan_extreme.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/reduce/vec_scan_extreme.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::reduce::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

template <class C>
using Place = hwy::MakeSigned<C>;
template <class C>
constexpr int64_t kLanes = hn::MaxLanes(Tag<C>());

/// Does `x` take the place of `best`?
template <bool kMax, class C>
HWY_INLINE bool takes_over(C x, C best) {
  return x != x || (kMax ? x >= best : x <= best);
}
template <bool kMax, class C>
HWY_INLINE hn::Mask<Tag<C>> takes_over(Tag<C>, V<C> x, V<C> best) {
  if constexpr (std::is_integral_v<C>)
    return hn::Not(kMax ? hn::Lt(x, best) : hn::Gt(x, best));
  else
    return hn::Or(kMax ? hn::Ge(x, best) : hn::Le(x, best), hn::IsNaN(x));
}

/// New extremes are rare in most lines: a vector without any is filled with the last one.
template <bool kMax, class C>
void extreme_line(const C* x, C* values, int64_t* indices, int64_t n) {
  const Tag<C> d;
  const Tag<int64_t> di;
  if (n == 0) return;
  C best = x[0];
  int64_t at = 0;
  const auto step = [&](int64_t i) {
    if (takes_over<kMax>(x[i], best)) best = x[i], at = i;
    values[i] = best;
    indices[i] = at;
  };
  int64_t i = 0;
  for (; i + kLanes<C> <= n; i += kLanes<C>) {
    const V<C> most = hn::Set(d, best);
    if (hn::AllFalse(d, takes_over<kMax, C>(d, hn::LoadU(d, x + i), most))) {
      hn::StoreU(most, d, values + i);
      for (int64_t j = 0; j < kLanes<C>; j += kLanes<int64_t>) hn::StoreU(hn::Set(di, at), di, indices + i + j);
    } else {
      for (int64_t j = 0; j < kLanes<C>; ++j) step(i + j);
    }
  }
  for (; i < n; ++i) step(i);
}

/// Places of 32 or 64 bits as int64.
template <class C>
HWY_INLINE void store_places(hn::Vec<hn::RebindToSigned<Tag<C>>> v, int64_t* to) {
  const hn::RebindToSigned<Tag<C>> di;
  if constexpr (sizeof(C) == 8) {
    hn::StoreU(v, di, to);
#if HWY_TARGET == HWY_SCALAR
  } else {
    *to = hn::GetLane(v);
#else
  } else {
    const hn::Half<decltype(di)> half;
    const hn::Rebind<int64_t, decltype(half)> wide;
    hn::StoreU(hn::PromoteTo(wide, hn::LowerHalf(half, v)), wide, to);
    hn::StoreU(hn::PromoteTo(wide, hn::UpperHalf(half, v)), wide, to + kLanes<C> / 2);
#endif
  }
}

template <bool kMax, class C>
void extreme_columns(const C* x, int64_t x_step, C* values, int64_t value_step, int64_t* indices, int64_t index_step,
                     int64_t rows, int64_t columns) {
  const Tag<C> d;
  const hn::RebindToSigned<Tag<C>> di;
  HWY_ALIGN C best[kExtremeColumns];
  HWY_ALIGN Place<C> places[kExtremeColumns];
  std::copy_n(x, columns, best);
  std::fill_n(places, columns, 0);
  for (int64_t row = 0; row < rows; ++row, x += x_step, values += value_step, indices += index_step) {
    const auto here = hn::Set(di, static_cast<Place<C>>(row));
    int64_t j = 0;
    for (; j + kLanes<C> <= columns; j += kLanes<C>) {
      const V<C> v = hn::LoadU(d, x + j), most = hn::Load(d, best + j);
      const auto taken = takes_over<kMax, C>(d, v, most);
      const V<C> value = hn::IfThenElse(taken, v, most);
      const auto place = hn::IfThenElse(hn::RebindMask(di, taken), here, hn::Load(di, places + j));
      hn::Store(value, d, best + j);
      hn::Store(place, di, places + j);
      hn::StoreU(value, d, values + j);
      store_places<C>(place, indices + j);
    }
    for (; j < columns; ++j) {
      if (takes_over<kMax>(x[j], best[j])) best[j] = x[j], places[j] = static_cast<Place<C>>(row);
      values[j] = best[j];
      indices[j] = places[j];
    }
  }
}

template <class C>
const VecExtremeScan<C>* table(bool max) {
  static constexpr VecExtremeScan<C> kMaxima{extreme_line<true, C>, extreme_columns<true, C>},
      kMinima{extreme_line<false, C>, extreme_columns<false, C>};
  return max ? &kMaxima : &kMinima;
}
const VecExtremeScan<float>* extreme_table_f32(bool max) { return table<float>(max); }
const VecExtremeScan<double>* extreme_table_f64(bool max) { return table<double>(max); }
const VecExtremeScan<int64_t>* extreme_table_i64(bool max) { return table<int64_t>(max); }

}  // namespace strata::cpu::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::reduce {
HWY_EXPORT(extreme_table_f32);
HWY_EXPORT(extreme_table_f64);
HWY_EXPORT(extreme_table_i64);

template <>
const VecExtremeScan<float>& vec_extreme_scan<float>(bool max) {
  return *HWY_DYNAMIC_DISPATCH(extreme_table_f32)(max);
}
template <>
const VecExtremeScan<double>& vec_extreme_scan<double>(bool max) {
  return *HWY_DYNAMIC_DISPATCH(extreme_table_f64)(max);
}
template <>
const VecExtremeScan<int64_t>& vec_extreme_scan<int64_t>(bool max) {
  return *HWY_DYNAMIC_DISPATCH(extreme_table_i64)(max);
}

}  // namespace strata::cpu::reduce
#endif
