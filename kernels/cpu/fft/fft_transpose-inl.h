// Transposes between lines in memory and lines side by side.
#if defined(STRATA_FFT_TRANSPOSE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_FFT_TRANSPOSE_INL_H
#undef STRATA_FFT_TRANSPOSE_INL_H
#else
#define STRATA_FFT_TRANSPOSE_INL_H
#endif
#include <algorithm>

#include "kernels/cpu/fft/fft_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::fft::HWY_NAMESPACE {

/// The transpose of a square whose side is a vector, times a factor.
#if HWY_TARGET == HWY_SCALAR
template <bool kScaled, class T>
HWY_INLINE void transpose_square(T* to, int64_t, const T* from, int64_t, T factor) {
  *to = kScaled ? *from * factor : *from;
}
#else
template <bool kScaled, class T>
HWY_INLINE void transpose_square(T* to, int64_t to_step, const T* from, int64_t from_step, T factor) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T> >;
  constexpr int64_t kSide = hn::MaxLanes(Tag<T>()), kEach = 16 / sizeof(T), kBlocks = kSide / kEach;
  // Blocks of 16 bytes change places first, as if each were a number, and then what is in them.
  V rows[kBlocks][kEach];
#pragma GCC unroll 4
  for (int64_t e = 0; e < kEach; ++e) {
    const auto row = [&](int64_t block) HWY_ATTR { return from + (block * kEach + e) * from_step; };
    if constexpr (kBlocks == 4) {
      const hn::Half<Tag<T> > half;
#pragma GCC unroll 2
      for (int64_t b = 0; b < 4; b += 2) {
        const auto part = [&](int64_t block) HWY_ATTR { return hn::LoadU(half, row(block) + b * kEach); };
        const V even = hn::Combine(d, part(2), part(0)), odd = hn::Combine(d, part(3), part(1));
        rows[b][e] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd), even);
        rows[b + 1][e] = hn::OddEvenBlocks(odd, hn::SwapAdjacentBlocks(even));
      }
    } else if constexpr (kBlocks == 2) {
      const hn::Half<Tag<T> > half;
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
    for (int64_t e = 0; e < kEach; ++e) {
      const V row = rows[b][e];
      hn::StoreU(kScaled ? hn::Mul(row, hn::Set(d, factor)) : row, d, to + (b * kEach + e) * to_step);
    }
  }
}
#endif

/// to[i * to_step + j] = from[i + j * from_step] for i, j < kLanes, times the factor if it is scaled.
template <bool kScaled = false, class T>
HWY_NOINLINE void transpose_lanes(T* to, int64_t to_step, const T* from, int64_t from_step, T factor = 1) {
  constexpr int64_t kSide = hn::MaxLanes(Tag<T>());
  for (int64_t i = 0; i < kLanes<T>; i += kSide)
    for (int64_t j = 0; j < kLanes<T>; j += kSide)
      transpose_square<kScaled>(to + i * to_step + j, to_step, from + i + j * from_step, from_step, factor);
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
