// Vector loop of the 2x2 max pool: even and odd columns of two rows compete lane by lane.
#include "kernels/cpu/pool/vec_pool.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pool/vec_pool.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pool::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Maxima so far and the offsets of their positions from the window's first element.
template <class D>
struct Best {
  using DI = hn::RebindToSigned<D>;
  hn::Vec<D> value;
  hn::Vec<DI> offset;
  HWY_INLINE void meet(hn::Vec<D> v, int32_t at) {
    const auto wins = hn::Or(hn::Gt(v, value), hn::IsNaN(v));
    value = hn::IfThenElse(wins, v, value);
    offset = hn::IfThenElse(hn::RebindMask(DI(), wins), hn::Set(DI(), at), offset);
  }
};

/// One row of outputs: rows `top` and `bottom` start at element `first` and `first + width` of their plane.
struct Row {
  const float *top, *bottom;
  int32_t first, width;
  float* out;
  int64_t* index;
};

/// As many outputs as D has lanes, from output `i` on.
template <class D>
HWY_INLINE void pool_block(D d, const Row& r, int64_t i) {
  const hn::RebindToSigned<D> di;
  hn::Vec<D> a, b, c, e;
  hn::LoadInterleaved2(d, r.top + 2 * i, a, b);
  hn::LoadInterleaved2(d, r.bottom + 2 * i, c, e);
  Best<D> best{a, hn::Zero(di)};
  best.meet(b, 1);
  best.meet(c, r.width);
  best.meet(e, r.width + 1);
  hn::StoreU(best.value, d, r.out + i);
  const auto twice = hn::ShiftLeft<1>(hn::Iota(di, static_cast<int32_t>(i)));
  HWY_ALIGN int32_t positions[hn::MaxLanes(D())];
  hn::Store(hn::Add(hn::Add(best.offset, twice), hn::Set(di, r.first)), di, positions);
  for (size_t j = 0; j < hn::Lanes(d); ++j) r.index[i + static_cast<int64_t>(j)] = positions[j];
}

/// A row of at least as many outputs as D has lanes; the last block overlaps the one before it.
template <class D>
HWY_INLINE void pool_row(D d, const Row& r, int64_t n) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) pool_block(d, r, i);
  if (i < n) pool_block(d, r, n - lanes);
}

void max_pool_plane(const float* x, int64_t width, int64_t oh, int64_t ow, float* out, int64_t* index) {
  const hn::ScalableTag<float> most;
  const hn::CappedTag<float, 8> eight;
  const hn::CappedTag<float, 4> four;
  const hn::CappedTag<float, 1> one;
  for (int64_t h = 0; h < oh; ++h) {
    const int64_t first = 2 * h * width;
    const Row r{x + first,    x + first + width, static_cast<int32_t>(first), static_cast<int32_t>(width),
                out + h * ow, index + h * ow};
    if (ow >= static_cast<int64_t>(hn::Lanes(most)))
      pool_row(most, r, ow);
    else if (ow >= static_cast<int64_t>(hn::Lanes(eight)))
      pool_row(eight, r, ow);
    else if (ow >= static_cast<int64_t>(hn::Lanes(four)))
      pool_row(four, r, ow);
    else
      pool_row(one, r, ow);
  }
}

}  // namespace strata::cpu::pool::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pool {
HWY_EXPORT(max_pool_plane);

void max_pool_2x2(const float* x, int64_t width, int64_t oh, int64_t ow, float* out, int64_t* index) {
  HWY_DYNAMIC_DISPATCH(max_pool_plane)(x, width, oh, ow, out, index);
}

}  // namespace strata::cpu::pool
#endif
