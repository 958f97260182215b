// The transpose of a square of elements whose side is a vector.
#if defined(STRATA_VEC_TRANSPOSE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_VEC_TRANSPOSE_INL_H
#undef STRATA_VEC_TRANSPOSE_INL_H
#else
#define STRATA_VEC_TRANSPOSE_INL_H
#endif
#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// to[i * to_step + j] = from[i + j * from_step] for i and j below the lanes of `d`, after `f` of each row of the
/// result.
#if HWY_TARGET == HWY_SCALAR
template <class D, class T, class F>
HWY_INLINE void transpose_square(D d, T* to, int64_t, const T* from, int64_t, F f) {
  hn::StoreU(f(hn::LoadU(d, from)), d, to);
}
#else
template <class D, class T, class F>
HWY_INLINE void transpose_square(D d, T* to, int64_t to_step, const T* from, int64_t from_step, F f) {
  using V = hn::Vec<D>;
  constexpr int64_t kSide = hn::MaxLanes(D()), kEach = 16 / sizeof(T), kBlocks = kSide / kEach;
  // Blocks of 16 bytes change places first, as if each were a number, and then what is in them.
  V rows[kBlocks][kEach];
#pragma GCC unroll 16
  for (int64_t e = 0; e < kEach; ++e) {
    const auto row = [&](int64_t block) HWY_ATTR { return from + (block * kEach + e) * from_step; };
    if constexpr (kBlocks == 4) {
      const hn::Half<D> half;
#pragma GCC unroll 2
      for (int64_t b = 0; b < 4; b += 2) {
        const auto part = [&](int64_t block) HWY_ATTR { return hn::LoadU(half, row(block) + b * kEach); };
        const V even = hn::Combine(d, part(2), part(0)), odd = hn::Combine(d, part(3), part(1));
        rows[b][e] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd), even);
        rows[b + 1][e] = hn::OddEvenBlocks(odd, hn::SwapAdjacentBlocks(even));
      }
    } else if constexpr (kBlocks == 2) {
      const hn::Half<D> half;
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
#pragma GCC unroll 4
    for (int64_t round = 1; round < kEach; round *= 2) {
      V mixed[kEach];
#pragma GCC unroll 8
      for (int64_t i = 0; i < kEach / 2; ++i) {
        mixed[2 * i] = hn::InterleaveLower(d, rows[b][i], rows[b][i + kEach / 2]);
        mixed[2 * i + 1] = hn::InterleaveUpper(d, rows[b][i], rows[b][i + kEach / 2]);
      }
#pragma GCC unroll 16
      for (int64_t i = 0; i < kEach; ++i) rows[b][i] = mixed[i];
    }
#pragma GCC unroll 16
    for (int64_t e = 0; e < kEach; ++e) hn::StoreU(f(rows[b][e]), d, to + (b * kEach + e) * to_step);
  }
}
#endif

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
