// Vector loops of three operands, and of one operand with numbers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/vec_ternary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/common/vec_math-inl.h"
#include "kernels/cpu/pointwise/vec_binary.h"

#ifndef STRATA_VEC_TERNARY_TABLE
#define STRATA_VEC_TERNARY_TABLE
namespace strata::cpu::pointwise {
struct TernaryTable {
  FloatLoops ternary[static_cast<int>(VecTernary::kCount)];
  FloatLoops param[static_cast<int>(VecParam::kCount)];
};
}  // namespace strata::cpu::pointwise
#endif

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

struct Cheap {
  static constexpr bool kCheap = true;
};
struct Clamp : Cheap {  // min(max(x, lo), hi), NaN from any operand
  static HWY_INLINE auto run(auto, auto x, auto lo, auto hi, const double*) {
    const auto low = hn::IfThenElse(hn::Eq(lo, lo), hn::IfThenElse(hn::Lt(x, lo), lo, x), lo);
    return hn::IfThenElse(hn::Eq(hi, hi), hn::IfThenElse(hn::Gt(low, hi), hi, low), hi);
  }
};
struct Lerp : Cheap {  // from the nearer end, so that both ends are met exactly
  static HWY_INLINE auto run(auto d, auto a, auto b, auto w, const double*) {
    const auto diff = hn::Sub(b, a);
    const auto near_b = hn::NegMulAdd(diff, hn::Sub(hn::Set(d, 1), w), b);
    return hn::IfThenElse(hn::Lt(hn::Abs(w), hn::Set(d, 0.5)), hn::MulAdd(w, diff, a), near_b);
  }
};
struct Addcmul : Cheap {
  static HWY_INLINE auto run(auto d, auto x, auto a, auto b, const double* p) {
    return hn::Add(x, hn::Mul(hn::Mul(hn::Set(d, p[0]), a), b));
  }
};
struct Addcdiv : Cheap {
  static HWY_INLINE auto run(auto d, auto x, auto a, auto b, const double* p) {
    return hn::Add(x, hn::Div(hn::Mul(hn::Set(d, p[0]), a), b));
  }
};

struct Pow {  // params: exponent
  static HWY_INLINE auto run(auto d, auto x, const double* p) {
    return by_lane(d, x, [e = *p](auto v) { return std::pow(v, static_cast<decltype(v)>(e)); });
  }
};
struct Hardtanh : Cheap {  // params: lo, hi
  static HWY_INLINE auto run(auto d, auto x, const double* p) {
    const auto lo = hn::Set(d, p[0]), hi = hn::Set(d, p[1]);
    const auto low = hn::IfThenElse(hn::Lt(x, lo), lo, x);
    return hn::IfThenElse(hn::Gt(low, hi), hi, low);
  }
};
struct LeakyRelu : Cheap {  // params: slope
  static HWY_INLINE auto run(auto d, auto x, const double* p) {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(x, hn::Set(d, p[0])));
  }
};
struct Elu {  // params: slope of the negative side, scale of everything, scale inside the exponential
  static HWY_INLINE auto run(auto d, auto x, const double* p) {
    const auto negative = hn::Mul(hn::Set(d, p[0] * p[1]), expm1(d, hn::Mul(x, hn::Set(d, p[2]))));
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), hn::Mul(x, hn::Set(d, p[1])), negative);
  }
};
struct Softplus {  // params: beta, threshold. log(1 + exp(z)) = max(z, 0) + log1p(exp(-|z|))
  static HWY_INLINE auto run(auto d, auto x, const double* p) {
    const auto z = hn::Mul(x, hn::Set(d, p[0]));
    const auto positive = hn::IfThenZeroElse(hn::Lt(z, hn::Zero(d)), z);
    const auto y = hn::Div(hn::Add(positive, log1p(d, exp(d, hn::Neg(hn::Abs(z))))), hn::Set(d, p[0]));
    return hn::IfThenElse(hn::Gt(z, hn::Set(d, p[1])), x, y);
  }
};
struct Threshold : Cheap {  // params: threshold, value
  static HWY_INLINE auto run(auto d, auto x, const double* p) {
    return hn::IfThenElse(hn::Le(x, hn::Set(d, p[0])), hn::Set(d, p[1]), x);
  }
};

void fill_table(TernaryTable& t) {
  const auto at = [](auto f) { return static_cast<int>(f); };
  t.ternary[at(VecTernary::kClamp)] = float_loops<Clamp, 3>();
  t.ternary[at(VecTernary::kLerp)] = float_loops<Lerp, 3>();
  t.ternary[at(VecTernary::kAddcmul)] = float_loops<Addcmul, 3>();
  t.ternary[at(VecTernary::kAddcdiv)] = float_loops<Addcdiv, 3>();
  t.param[at(VecParam::kPow)] = float_loops<Pow, 1>();
  t.param[at(VecParam::kHardtanh)] = float_loops<Hardtanh, 1>();
  t.param[at(VecParam::kLeakyRelu)] = float_loops<LeakyRelu, 1>();
  t.param[at(VecParam::kElu)] = float_loops<Elu, 1>();
  t.param[at(VecParam::kSoftplus)] = float_loops<Softplus, 1>();
  t.param[at(VecParam::kThreshold)] = float_loops<Threshold, 1>();
}

}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
HWY_EXPORT(fill_table);

namespace {
const TernaryTable& table() {
  static const TernaryTable t = [] {
    TernaryTable filled;
    HWY_DYNAMIC_DISPATCH(fill_table)(filled);
    return filled;
  }();
  return t;
}
}  // namespace

const FloatLoops& vec_ternary(VecTernary f) { return table().ternary[static_cast<int>(f)]; }
const FloatLoops& vec_param(VecParam f) { return table().param[static_cast<int>(f)]; }

}  // namespace strata::cpu::pointwise
#endif
