// Vector loops of the exponential, logarithmic and hyperbolic functions.
#include "kernels/cpu/pointwise/vec_unary_tables.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/vec_unary_exp_log.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/common/vec_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

struct Exp {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return exp(d, x); }
};
struct Exp2 {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return exp2(d, x); }
};
struct Expm1 {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return expm1(d, x); }
};
struct Log {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return log(d, x); }
};
struct Log2 {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return log2(d, x); }
};
struct Log10 {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return log10(d, x); }
};
struct Log1p {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return log1p(d, x); }
};
struct Sigmoid {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return sigmoid(d, x); }
};
struct Tanh {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return tanh(d, x); }
};
struct Sinh {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return sinh(d, x); }
};
struct Cosh {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return cosh(d, x); }
};
struct Asinh {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return asinh(d, x); }
};
struct Acosh {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return acosh(d, x); }
};
struct Atanh {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return atanh(d, x); }
};
struct Silu {
  static HWY_INLINE auto run(auto d, auto x, const double*) { return hn::Mul(x, sigmoid(d, x)); }
};

void fill_exp_log(UnaryTable& t) {
  using enum VecUnary;
  t[kExp] = float_loops<Exp, 1>();
  t[kExp2] = float_loops<Exp2, 1>();
  t[kExpm1] = float_loops<Expm1, 1>();
  t[kLog] = float_loops<Log, 1>();
  t[kLog2] = float_loops<Log2, 1>();
  t[kLog10] = float_loops<Log10, 1>();
  t[kLog1p] = float_loops<Log1p, 1>();
  t[kSigmoid] = float_loops<Sigmoid, 1>();
  t[kTanh] = float_loops<Tanh, 1>();
  t[kSinh] = float_loops<Sinh, 1>();
  t[kCosh] = float_loops<Cosh, 1>();
  t[kAsinh] = float_loops<Asinh, 1>();
  t[kAcosh] = float_loops<Acosh, 1>();
  t[kAtanh] = float_loops<Atanh, 1>();
  t[kSilu] = float_loops<Silu, 1>();
}

}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
HWY_EXPORT(fill_exp_log);
void fill_unary_exp_log(UnaryTable& t) { HWY_DYNAMIC_DISPATCH(fill_exp_log)(t); }
}  // namespace strata::cpu::pointwise
#endif
