// What tiles of matrices held in vector registers are made of: partial rows, and loops over registers.
#if defined(STRATA_VEC_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_VEC_TILE_INL_H
#undef STRATA_VEC_TILE_INL_H
#else
#define STRATA_VEC_TILE_INL_H
#endif
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Vec = hn::Vec<hn::ScalableTag<T>>;

template <class T>
constexpr int64_t lanes() {
  return static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
}

/// Loads the first `count` elements of a strided row, zeros beyond.
template <class T>
HWY_INLINE Vec<T> load_row(const T* row, int64_t col, int64_t count) {
  const hn::ScalableTag<T> d;
  if (col == 0) return hn::Set(d, *row);
  if (col == 1 && count >= lanes<T>()) return hn::LoadU(d, row);
#if !HWY_MEM_OPS_MIGHT_FAULT
  if (col == 1) return hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(count)), d, row);
#endif
  HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)] = {};
  for (int64_t j = 0; j < std::min(count, lanes<T>()); ++j) buffer[j] = row[j * col];
  return hn::Load(d, buffer);
}

template <class T>
HWY_INLINE void store_row(Vec<T> v, T* row, int64_t count) {
  const hn::ScalableTag<T> d;
  if (count >= lanes<T>()) return hn::StoreU(v, d, row);
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)];
  hn::Store(v, d, buffer);
  std::copy_n(buffer, count, row);
#else
  hn::BlendedStore(v, hn::FirstN(d, static_cast<size_t>(count)), d, row);
#endif
}

/// Calls f(0), ..., f(N - 1) with the index as a compile-time constant, so that accumulators indexed by it stay in
/// registers.
template <int N, class F>
HWY_INLINE void unrolled(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, I>()), ...);
  }
  (std::make_integer_sequence<int, N>());
}

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
