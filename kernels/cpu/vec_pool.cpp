// Vector loop of the 2x2 max pool: even and odd columns of two rows compete lane by lane.
#include "kernels/cpu/vec_pool.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/vec_pool.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
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

void max_pool_row(const float* top, const float* bottom, int64_t n, int32_t first, int32_t width, float* out,
                  int64_t* index) {
  const hn::ScalableTag<float> d;
  using D = hn::ScalableTag<float>;
  const hn::RebindToSigned<D> di;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN float values[hn::MaxLanes(D())];
  HWY_ALIGN int32_t positions[hn::MaxLanes(D())];
  HWY_ALIGN float edge[2][2 * hn::MaxLanes(D())] = {};
  for (int64_t i = 0; i < n; i += lanes) {
    const int64_t count = n - i < lanes ? n - i : lanes;
    const float *upper = top + 2 * i, *lower = bottom + 2 * i;
    if (count < lanes) {
      for (int64_t j = 0; j < 2 * count; ++j) edge[0][j] = upper[j], edge[1][j] = lower[j];
      upper = edge[0], lower = edge[1];
    }
    hn::Vec<D> a, b, c, e;
    hn::LoadInterleaved2(d, upper, a, b);
    hn::LoadInterleaved2(d, lower, c, e);
    Best<D> best{a, hn::Zero(di)};
    best.meet(b, 1);
    best.meet(c, width);
    best.meet(e, width + 1);
    const auto twice = hn::ShiftLeft<1>(hn::Iota(di, static_cast<int32_t>(i)));
    hn::Store(hn::Add(hn::Add(best.offset, twice), hn::Set(di, first)), di, positions);
    if (count == lanes)
      hn::StoreU(best.value, d, out + i);
    else
      hn::Store(best.value, d, values);
    for (int64_t j = 0; count < lanes && j < count; ++j) out[i + j] = values[j];
    for (int64_t j = 0; j < count; ++j) index[i + j] = positions[j];
  }
}

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu {
HWY_EXPORT(max_pool_row);

void max_pool_2x2_row(const float* top, const float* bottom, int64_t n, int32_t first, int32_t width, float* out,
                      int64_t* index) {
  HWY_DYNAMIC_DISPATCH(max_pool_row)(top, bottom, n, first, width, out, index);
}

}  // namespace strata::cpu
#endif
