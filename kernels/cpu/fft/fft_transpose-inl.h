// Transposes between lines in memory and lines side by side.
#if defined(STRATA_FFT_TRANSPOSE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_FFT_TRANSPOSE_INL_H
#undef STRATA_FFT_TRANSPOSE_INL_H
#else
#define STRATA_FFT_TRANSPOSE_INL_H
#endif
#include <algorithm>

#include "kernels/cpu/common/vec_transpose-inl.h"
#include "kernels/cpu/fft/fft_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::fft::HWY_NAMESPACE {

/// to[i * to_step + j] = from[i + j * from_step] for i, j < kLanes, times the factor if it is scaled.
template <bool kScaled = false, class T>
HWY_NOINLINE void transpose_lanes(T* to, int64_t to_step, const T* from, int64_t from_step, T factor = 1) {
  constexpr int64_t kSide = hn::MaxLanes(Tag<T>());
  const Tag<T> d;
  const auto scaled = [&](auto row) HWY_ATTR { return kScaled ? hn::Mul(row, hn::Set(d, factor)) : row; };
  for (int64_t i = 0; i < kLanes<T>; i += kSide)
    for (int64_t j = 0; j < kLanes<T>; j += kSide)
      cpu::HWY_NAMESPACE::transpose_square(d, to + i * to_step + j, to_step, from + i + j * from_step, from_step,
                                           scaled);
}

/// to[i * kLanes + l] = factor * from[i + l * from_step] for i < n and l < kLanes, or the way back without a factor:
/// the last square may cover some numbers a second time.
template <class T>
void gather_lanes(T* to, const T* from, int64_t from_step, int64_t n, T factor) {
  for (int64_t i = 0; i < n && n >= kLanes<T>; i += kLanes<T>) {
    const int64_t first = std::min(i, n - kLanes<T>);
    transpose_lanes<true>(to + first * kLanes<T>, kLanes<T>, from + first, from_step, factor);
  }
  for (int64_t i = 0; i < n && n < kLanes<T>; ++i)
    for (int64_t l = 0; l < kLanes<T>; ++l) to[i * kLanes<T> + l] = factor * from[i + l * from_step];
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

}  // namespace strata::cpu::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
