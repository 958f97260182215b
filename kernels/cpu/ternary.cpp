// CPU kernels of the ops of three operands.
#include "dispatcher/kernel.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/plain_loop.h"
#include "kernels/cpu/vec_binary.h"
#include "ops/ternary_def.h"

namespace strata::cpu {
namespace {

/// c ? p : q in arithmetic, which the compiler vectorizes.
template <class Bits>
Bits pick(bool c, Bits p, Bits q) {
  const Bits mask = static_cast<Bits>(-static_cast<Bits>(c));
  return static_cast<Bits>((p & mask) | (q & ~mask));
}

/// Picks by the bits of a size: what they mean does not matter.
template <class Bits>
void where_loop(const LoopArgs& a) {
  Bits* out = static_cast<Bits*>(a.out);
  const bool* c = static_cast<const bool*>(a.in[0]);
  const Bits* x = static_cast<const Bits*>(a.in[1]);
  const Bits* y = static_cast<const Bits*>(a.in[2]);
  const int64_t n = a.n;
  if (a.step[0] && a.step[1] && a.step[2]) {
    for (int64_t i = 0; i < n; ++i) out[i] = pick(c[i], x[i], y[i]);
  } else if (a.step[0] && a.step[1]) {
    const Bits v = *y;
    for (int64_t i = 0; i < n; ++i) out[i] = pick(c[i], x[i], v);
  } else if (a.step[0] && a.step[2]) {
    const Bits v = *x;
    for (int64_t i = 0; i < n; ++i) out[i] = pick(c[i], v, y[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = c[i * a.step[0]] ? x[i * a.step[1]] : y[i * a.step[2]];
  }
}

void where_cpu(Tensors& out, Args in, const NoParams&) {
  static constexpr Loop kLoops[] = {&where_loop<uint8_t>, &where_loop<uint16_t>, &where_loop<uint32_t>,
                                    &where_loop<uint64_t>};
  const size_t item = item_size(in[1].dtype());
  elementwise<3>(out[0], in, kLoops[item == 8 ? 3 : item / 2], nullptr, Half16::kAsIs);
}

template <class T>
void clamp_loop(const LoopArgs& a) {
  T* out = static_cast<T*>(a.out);
  const T *x = static_cast<const T*>(a.in[0]), *lo = static_cast<const T*>(a.in[1]),
          *hi = static_cast<const T*>(a.in[2]);
  for (int64_t i = 0; i < a.n; ++i) {
    out[i] = std::min(std::max(x[i * a.step[0]], lo[i * a.step[1]]), hi[i * a.step[2]]);
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
}  // namespace strata::cpu
