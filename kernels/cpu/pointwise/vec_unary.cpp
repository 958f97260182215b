// Vector loops of the cheap unary functions: sign, rounding, roots, tests; and the table of all unary loops.
#include "kernels/cpu/pointwise/vec_unary.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/vec_unary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/pointwise/vec_unary_tables.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

struct Cheap {
  static constexpr bool kCheap = true;
};
struct Neg : Cheap {
  static HWY_INLINE auto run(auto, auto x, const double*) { return hn::Neg(x); }
};
struct Abs : Cheap {
  static HWY_INLINE auto run(auto, auto x, const double*) { return hn::Abs(x); }
};
struct Sign : Cheap {  // 0 for zeros and NaN, as in PyTorch
  static HWY_INLINE auto run(auto d, auto x, const double*) {
    const auto zero = hn::Zero(d), one = hn::Set(d, 1);
    return hn::Sub(hn::IfThenElseZero(hn::Gt(x, zero), one), hn::IfThenElseZero(hn::Lt(x, zero), one));
  }
};
struct Sqrt {
  static HWY_INLINE auto run(auto, auto x, const double*) { return hn::Sqrt(x); }
};
struct Rsqrt {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return hn::Div(hn::Set(d, 1), hn::Sqrt(x)); }
};
struct Reciprocal {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return hn::Div(hn::Set(d, 1), x); }
};
struct Square : Cheap {
  static HWY_INLINE auto run(auto, auto x, const double*) { return hn::Mul(x, x); }
};
struct Cube : Cheap {
  static HWY_INLINE auto run(auto, auto x, const double*) { return hn::Mul(hn::Mul(x, x), x); }
};
struct Floor : Cheap {
  static HWY_INLINE auto run(auto, auto x, const double*) { return hn::Floor(x); }
};
struct Ceil : Cheap {
  static HWY_INLINE auto run(auto, auto x, const double*) { return hn::Ceil(x); }
};
struct Round : Cheap {  // halves to even
  static HWY_INLINE auto run(auto, auto x, const double*) { return hn::Round(x); }
};
struct Trunc : Cheap {
  static HWY_INLINE auto run(auto, auto x, const double*) { return hn::Trunc(x); }
};
struct Frac : Cheap {
  static HWY_INLINE auto run(auto, auto x, const double*) { return hn::Sub(x, hn::Trunc(x)); }
};
struct Relu : Cheap {  // NaN stays NaN
  static HWY_INLINE auto run(auto d, auto x, const double*) { return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x); }
};
struct IsNan : Cheap {
  static HWY_INLINE auto run(auto, auto x, const double*) {
    return hn::Not(hn::Eq(x, x));
  }  // Ne is false for NaN on AVX-512
};
struct IsInf : Cheap {
  static HWY_INLINE auto run(auto d, auto x, const double*) {
    return hn::Eq(hn::Abs(x), hn::Set(d, std::numeric_limits<hn::TFromD<decltype(d)>>::infinity()));
  }
};
struct IsFinite : Cheap {
  static HWY_INLINE auto run(auto d, auto x, const double*) {
    return hn::Lt(hn::Abs(x), hn::Set(d, std::numeric_limits<hn::TFromD<decltype(d)>>::infinity()));
  }
};
struct LogicalNot : Cheap {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return hn::Eq(x, hn::Zero(d)); }
};

void fill_cheap(UnaryTable& t) {
  using enum VecUnary;
  t[kNeg] = float_loops<Neg, 1>();
  t[kAbs] = float_loops<Abs, 1>();
  t[kSign] = float_loops<Sign, 1>();
  t[kSqrt] = float_loops<Sqrt, 1>();
  t[kRsqrt] = float_loops<Rsqrt, 1>();
  t[kReciprocal] = float_loops<Reciprocal, 1>();
  t[kSquare] = float_loops<Square, 1>();
  t[kCube] = float_loops<Cube, 1>();
  t[kFloor] = float_loops<Floor, 1>();
  t[kCeil] = float_loops<Ceil, 1>();
  t[kRound] = float_loops<Round, 1>();
  t[kTrunc] = float_loops<Trunc, 1>();
  t[kFrac] = float_loops<Frac, 1>();
  t[kRelu] = float_loops<Relu, 1>();
  t[kIsNan] = bool_loops<IsNan, 1>();
  t[kIsInf] = bool_loops<IsInf, 1>();
  t[kIsFinite] = bool_loops<IsFinite, 1>();
  t[kLogicalNot] = bool_loops<LogicalNot, 1>();
}

}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
HWY_EXPORT(fill_cheap);

const FloatLoops& vec_unary(VecUnary f) {
  static const UnaryTable table = [] {
    UnaryTable t;
    HWY_DYNAMIC_DISPATCH(fill_cheap)(t);
    fill_unary_exp_log(t);
    fill_unary_trig(t);
    return t;
  }();
  return table[f];
}

}  // namespace strata::cpu::pointwise
#endif
