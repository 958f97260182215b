// CPU kernels of the ops of three operands.
#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/plain_loop.h"
#include "kernels/cpu/pointwise/vec_binary.h"
#include "kernels/cpu/pointwise/vec_where.h"
#include "kernels/visit_item.h"
#include "ops/ternary_def.h"

namespace strata::cpu::pointwise {
namespace {

/// Elements of 16 bytes, which the vector loops do not move.
void where_wide(const LoopArgs& a) {
  Bits128* out = static_cast<Bits128*>(a.out);
  const bool* condition = static_cast<const bool*>(a.in[0]);
  const Bits128 *x = static_cast<const Bits128*>(a.in[1]), *y = static_cast<const Bits128*>(a.in[2]);
  for (int64_t i = 0; i < a.n; ++i) out[i] = condition[i * a.step[0]] ? x[i * a.step[1]] : y[i * a.step[2]];
}

void where_cpu(Tensors& out, Args in, const NoParams&) {
  const size_t item = item_size(in[1].dtype());
  if (item == sizeof(Bits128)) return elementwise<3>(out[0], in, &where_wide, nullptr, Half16::kAsIs);
  elementwise<3>(out[0], in, vec_where().loops[item == 8 ? 3 : item / 2], nullptr, Half16::kAsIs);
}

template <class T>
void clamp_loop(const LoopArgs& a) {
  T* out = static_cast<T*>(a.out);
  const T *x = static_cast<const T*>(a.in[0]), *lo = static_cast<const T*>(a.in[1]),
          *hi = static_cast<const T*>(a.in[2]);
  for (int64_t i = 0; i < a.n; ++i) {
    out[i] = arithmetic::Clamp::run(x[i * a.step[0]], lo[i * a.step[1]], hi[i * a.step[2]]);
  }
}

void clamp_cpu(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t(vec_ternary(VecTernary::kClamp));
    t[kBool] = &clamp_loop<bool>;
    t[kByte] = &clamp_loop<uint8_t>;
    t[kChar] = &clamp_loop<int8_t>;
    t[kShort] = &clamp_loop<int16_t>;
    t[kInt] = &clamp_loop<int32_t>;
    t[kUInt32] = &clamp_loop<uint32_t>;
    t[kLong] = &clamp_loop<int64_t>;
    return t;
  }();
  elementwise<3>(clamp_op, out[0], in, loops);
}

void lerp_cpu(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops(vec_ternary(VecTernary::kLerp));
  elementwise<3>(lerp_op, out[0], in, loops);
}

template <const Op& op, VecTernary f>
void addc(Tensors& out, Args in, const AddcParams& p) {
  static const DTypeLoops loops(vec_ternary(f));
  elementwise<3>(op, out[0], in, loops, &p.value);
}

STRATA_KERNEL(where_op, CPU, where_cpu);
STRATA_KERNEL(clamp_op, CPU, clamp_cpu);
STRATA_KERNEL(lerp_op, CPU, lerp_cpu);
STRATA_KERNEL(addcmul_op, CPU, (addc<addcmul_op, VecTernary::kAddcmul>));
STRATA_KERNEL(addcdiv_op, CPU, (addc<addcdiv_op, VecTernary::kAddcdiv>));

}  // namespace
}  // namespace strata::cpu::pointwise
