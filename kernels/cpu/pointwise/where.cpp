// CPU kernel of `where`: picks by the bits of a size, whatever they mean.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/where.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/visit_item.h"
#include "ops/ternary_def.h"

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

template <class Bits>
void where_loop(const LoopArgs& a) {
  using D = hn::ScalableTag<Bits>;
  const D d;
  Bits* out = static_cast<Bits*>(a.out);
  const bool* c = static_cast<const bool*>(a.in[0]);
  const Bits *x = static_cast<const Bits*>(a.in[1]), *y = static_cast<const Bits*>(a.in[2]);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  Splat<D> splat[2];
  const Source<D> p(d, x, a.step[1], splat[0]), q(d, y, a.step[2], splat[1]);
  int64_t i = 0;
  if (a.step[0] == 0) {
    const Source<D>& all = *c ? p : q;
    for (; i + lanes <= a.n; i += lanes) hn::StoreU(all.load(d, static_cast<size_t>(i)), d, out + i);
  } else {
    for (; i + lanes <= a.n; i += lanes) {
      const size_t at = static_cast<size_t>(i);
      hn::StoreU(hn::IfThenElse(condition_mask(d, c + i), p.load(d, at), q.load(d, at)), d, out + i);
    }
  }
  for (; i < a.n; ++i) out[i] = c[i * a.step[0]] ? x[i * a.step[1]] : y[i * a.step[2]];
}

/// The loop for elements of 1, 2, 4 or 8 bytes.
static Loop loop_of_size(size_t item) {
  Loop loop = nullptr;
  visit_item(item, [&]<class Bits>() { loop = &where_loop<Bits>; });
  return loop;
}

}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
namespace {
HWY_EXPORT(loop_of_size);

/// Elements of 16 bytes, which the vector loops do not move.
void where_wide(const LoopArgs& a) {
  Bits128* out = static_cast<Bits128*>(a.out);
  const bool* condition = static_cast<const bool*>(a.in[0]);
  const Bits128 *x = static_cast<const Bits128*>(a.in[1]), *y = static_cast<const Bits128*>(a.in[2]);
  for (int64_t i = 0; i < a.n; ++i) out[i] = condition[i * a.step[0]] ? x[i * a.step[1]] : y[i * a.step[2]];
}

/// By log2 of the size of an element.
const Loop kLoops[] = {HWY_DYNAMIC_DISPATCH(loop_of_size)(1), HWY_DYNAMIC_DISPATCH(loop_of_size)(2),
                       HWY_DYNAMIC_DISPATCH(loop_of_size)(4), HWY_DYNAMIC_DISPATCH(loop_of_size)(8), &where_wide};

Loop loop_for(DType dtype) { return kLoops[std::countr_zero(item_size(dtype))]; }

void where_cpu(Tensors& out, Args in, const NoParams&) {
  elementwise<3>(out[0], in, loop_for(in[1].dtype()), nullptr, Half16::kAsIs);
}

STRATA_KERNEL(where_op, CPU, where_cpu);
const LoopRegistrar where_loops(where_op, [](DType dtype, const void*) { return OpLoop{loop_for(dtype), {}}; });

}  // namespace
}  // namespace strata::cpu::pointwise
#endif
