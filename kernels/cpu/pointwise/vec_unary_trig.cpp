// Vector loops of the trigonometric functions, erf and what is made of it.
#include "kernels/cpu/pointwise/vec_unary_tables.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/vec_unary_trig.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/common/vec_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

struct Sin {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return sin(d, x); }
};
struct Cos {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return cos(d, x); }
};
struct Tan {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return tan(d, x); }
};
struct Asin {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return hn::Asin(d, x); }
};
struct Acos {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return hn::Acos(d, x); }
};
struct Atan {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return hn::Atan(d, x); }
};
struct Erf {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return erf(d, x); }
};
struct Gelu {  // x / 2 (1 + erf(x / sqrt(2)))
  static HWY_INLINE auto run(auto d, auto x, const double*) {
    const auto half = hn::Mul(x, hn::Set(d, 0.5));
    return hn::MulAdd(half, erf(d, hn::Mul(x, hn::Set(d, 0.70710678118654752440))), half);
  }
};
struct GeluTanh {  // x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
  static HWY_INLINE auto run(auto d, auto x, const double*) {
    const auto half = hn::Mul(x, hn::Set(d, 0.5));
    const auto inner = hn::MulAdd(hn::Mul(hn::Mul(x, x), x), hn::Set(d, 0.044715), x);
    return hn::MulAdd(half, tanh(d, hn::Mul(inner, hn::Set(d, 0.79788456080286535588))), half);
  }
};

void fill_trig(UnaryTable& t) {
  using enum VecUnary;
  t[kSin] = float_loops<Sin, 1>();
  t[kCos] = float_loops<Cos, 1>();
  t[kTan] = float_loops<Tan, 1>();
  t[kAsin] = float_loops<Asin, 1>();
  t[kAcos] = float_loops<Acos, 1>();
  t[kAtan] = float_loops<Atan, 1>();
  t[kErf] = float_loops<Erf, 1>();
  t[kGelu] = float_loops<Gelu, 1>();
  t[kGeluTanh] = float_loops<GeluTanh, 1>();
}

}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
HWY_EXPORT(fill_trig);
void fill_unary_trig(UnaryTable& t) { HWY_DYNAMIC_DISPATCH(fill_trig)(t); }
}  // namespace strata::cpu::pointwise
#endif
