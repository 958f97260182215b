// Vector loops that pick between two operands by a bool condition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/vec_where.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/pointwise/vec_where.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// The condition's bytes as a mask over elements of T.
template <class D>
HWY_INLINE hn::Mask<D> condition_mask(D d, const bool* c) {
  const hn::Rebind<uint8_t, D> bytes;
  const auto v = hn::LoadU(bytes, reinterpret_cast<const uint8_t*>(c));
  if constexpr (sizeof(hn::TFromD<D>) == 1)
    return hn::Ne(v, hn::Zero(d));
  else if constexpr (sizeof(hn::TFromD<D>) == 8)
    return hn::Ne(hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<uint32_t, D>(), v)), hn::Zero(d));
  else
    return hn::Ne(hn::PromoteTo(d, v), hn::Zero(d));
}

/// Picks by the bits of a size: what they mean does not matter.
template <class Bits>
void where_loop(const LoopArgs& a) {
  using D = hn::ScalableTag<Bits>;
  const D d;
  Bits* out = static_cast<Bits*>(a.out);
  const bool* c = static_cast<const bool*>(a.in[0]);
  const Bits *x = static_cast<const Bits*>(a.in[1]), *y = static_cast<const Bits*>(a.in[2]);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  if (a.step[0] != 0) {
    const Source<D> p(d, x, a.step[1]), q(d, y, a.step[2]);
    for (; i + lanes <= a.n; i += lanes) {
      const size_t at = static_cast<size_t>(i);
      hn::StoreU(hn::IfThenElse(condition_mask(d, c + i), p.load(d, at), q.load(d, at)), d, out + i);
    }
  }
  for (; i < a.n; ++i) out[i] = c[i * a.step[0]] ? x[i * a.step[1]] : y[i * a.step[2]];
}

void fill_where(WhereLoops& t) {
  t = {{&where_loop<uint8_t>, &where_loop<uint16_t>, &where_loop<uint32_t>, &where_loop<uint64_t>}};
}

}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
HWY_EXPORT(fill_where);

const WhereLoops& vec_where() {
  static const WhereLoops table = [] {
    WhereLoops t;
    HWY_DYNAMIC_DISPATCH(fill_where)(t);
    return t;
  }();
  return table;
}

}  // namespace strata::cpu::pointwise
#endif
