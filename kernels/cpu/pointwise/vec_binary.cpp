// Vector loops of arithmetic, comparisons and logic on two operands.
#include "kernels/cpu/pointwise/vec_binary.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/vec_binary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/pointwise/vec_binary_tables.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

struct Cheap {
  static constexpr bool kCheap = true;
};
struct Add : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) { return hn::Add(x, y); }
};
struct Sub : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) { return hn::Sub(x, y); }
};
struct Mul : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) { return hn::Mul(x, y); }
};
struct Div : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) { return hn::Div(x, y); }
};
// A NaN in either operand is the result.
struct Maximum : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) {
    const auto m = hn::IfThenElse(hn::Gt(x, y), x, y);
    return hn::IfThenElse(hn::Eq(x, x), m, x);
  }
};
struct Minimum : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) {
    const auto m = hn::IfThenElse(hn::Lt(x, y), x, y);
    return hn::IfThenElse(hn::Eq(x, x), m, x);
  }
};
// Gradients: x is the output's gradient, y the forward output.
struct ReluBackward : Cheap {
  static HWY_INLINE auto run(auto d, auto x, auto y, const double*) {
    return hn::IfThenZeroElse(hn::Le(y, hn::Zero(d)), x);
  }
};
struct TanhBackward : Cheap {
  static HWY_INLINE auto run(auto d, auto x, auto y, const double*) {
    return hn::Mul(x, hn::Sub(hn::Set(d, 1), hn::Mul(y, y)));
  }
};
struct SigmoidBackward : Cheap {
  static HWY_INLINE auto run(auto d, auto x, auto y, const double*) {
    return hn::Mul(x, hn::Mul(hn::Sub(hn::Set(d, 1), y), y));
  }
};

struct Eq : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) { return hn::Eq(x, y); }
};
struct Ne : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) {
    return hn::Not(hn::Eq(x, y));
  }  // Ne is false for NaN on AVX-512
};
struct Lt : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) { return hn::Lt(x, y); }
};
struct Le : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) { return hn::Le(x, y); }
};
struct Gt : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) { return hn::Gt(x, y); }
};
struct Ge : Cheap {
  static HWY_INLINE auto run(auto, auto x, auto y, const double*) { return hn::Ge(x, y); }
};
struct LogicalAnd : Cheap {
  static HWY_INLINE auto run(auto d, auto x, auto y, const double*) {
    return hn::Not(hn::Or(hn::Eq(x, hn::Zero(d)), hn::Eq(y, hn::Zero(d))));
  }
};
struct LogicalOr : Cheap {
  static HWY_INLINE auto run(auto d, auto x, auto y, const double*) {
    return hn::Not(hn::And(hn::Eq(x, hn::Zero(d)), hn::Eq(y, hn::Zero(d))));
  }
};
struct LogicalXor : Cheap {
  static HWY_INLINE auto run(auto d, auto x, auto y, const double*) {
    return hn::Xor(hn::Eq(x, hn::Zero(d)), hn::Eq(y, hn::Zero(d)));
  }
};

void fill_cheap_binary(BinaryTable& t) {
  using enum VecBinary;
  t[kAdd] = float_loops<Add, 2>();
  t[kSub] = float_loops<Sub, 2>();
  t[kMul] = float_loops<Mul, 2>();
  t[kDiv] = float_loops<Div, 2>();
  t[kMaximum] = float_loops<Maximum, 2>();
  t[kMinimum] = float_loops<Minimum, 2>();
  t[kReluBackward] = float_loops<ReluBackward, 2>();
  t[kTanhBackward] = float_loops<TanhBackward, 2>();
  t[kSigmoidBackward] = float_loops<SigmoidBackward, 2>();
  t[kEq] = bool_loops<Eq, 2>();
  t[kNe] = bool_loops<Ne, 2>();
  t[kLt] = bool_loops<Lt, 2>();
  t[kLe] = bool_loops<Le, 2>();
  t[kGt] = bool_loops<Gt, 2>();
  t[kGe] = bool_loops<Ge, 2>();
  t[kLogicalAnd] = bool_loops<LogicalAnd, 2>();
  t[kLogicalOr] = bool_loops<LogicalOr, 2>();
  t[kLogicalXor] = bool_loops<LogicalXor, 2>();
}

}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
HWY_EXPORT(fill_cheap_binary);

const FloatLoops& vec_binary(VecBinary f) {
  static const BinaryTable table = [] {
    BinaryTable t;
    HWY_DYNAMIC_DISPATCH(fill_cheap_binary)(t);
    fill_binary_math(t);
    return t;
  }();
  return table[f];
}

}  // namespace strata::cpu::pointwise
#endif
