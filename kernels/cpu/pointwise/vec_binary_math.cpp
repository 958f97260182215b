// Vector loops of two operands that need vector mathematics: gradients of gelu and silu, pow, atan2.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/vec_binary_math.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/common/vec_math-inl.h"
#include "kernels/cpu/pointwise/vec_binary_tables.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

// Gradients: g is the output's gradient, x the forward input.
struct GeluBackward {  // cdf(x) + x pdf(x)
  static HWY_INLINE auto run(auto d, auto g, auto x, const double*) {
    const auto half = hn::Set(d, 0.5);
    const auto cdf = hn::MulAdd(erf(d, hn::Mul(x, hn::Set(d, 0.70710678118654752440))), half, half);
    const auto pdf = hn::Mul(exp(d, hn::Mul(hn::Mul(x, x), hn::Set(d, -0.5))), hn::Set(d, 0.39894228040143267794));
    return hn::Mul(g, hn::MulAdd(x, pdf, cdf));
  }
};
struct GeluTanhBackward {
  static HWY_INLINE auto run(auto d, auto g, auto x, const double*) {
    const auto half = hn::Set(d, 0.5), one = hn::Set(d, 1), root = hn::Set(d, 0.79788456080286535588);
    const auto x2 = hn::Mul(x, x);
    const auto t = tanh(d, hn::Mul(hn::Mul(x, root), hn::MulAdd(x2, hn::Set(d, 0.044715), one)));
    const auto inner = hn::Mul(root, hn::MulAdd(x2, hn::Set(d, 3 * 0.044715), one));
    const auto left = hn::Mul(half, hn::Add(one, t));
    const auto right = hn::Mul(hn::Mul(half, x), hn::Mul(hn::NegMulAdd(t, t, one), inner));
    return hn::Mul(g, hn::Add(left, right));
  }
};
struct SiluBackward {  // s (1 + x (1 - s))
  static HWY_INLINE auto run(auto d, auto g, auto x, const double*) {
    const auto one = hn::Set(d, 1);
    const auto s = sigmoid(d, x);
    return hn::Mul(g, hn::Mul(s, hn::MulAdd(x, hn::Sub(one, s), one)));
  }
};
struct Pow {
  static HWY_INLINE auto run(auto d, auto x, auto y, const double*) {
    return by_lanes(d, x, y, [](auto a, auto b) { return std::pow(a, b); });
  }
};
struct Atan2 {
  static HWY_INLINE auto run(auto d, auto x, auto y, const double*) {
    return by_lanes(d, x, y, [](auto a, auto b) { return std::atan2(a, b); });
  }
};

void fill_math(BinaryTable& t) {
  using enum VecBinary;
  t[kGeluBackward] = float_loops<GeluBackward, 2>();
  t[kGeluTanhBackward] = float_loops<GeluTanhBackward, 2>();
  t[kSiluBackward] = float_loops<SiluBackward, 2>();
  t[kPow] = float_loops<Pow, 2>();
  t[kAtan2] = float_loops<Atan2, 2>();
}

}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
HWY_EXPORT(fill_math);
void fill_binary_math(BinaryTable& t) { HWY_DYNAMIC_DISPATCH(fill_math)(t); }
}  // namespace strata::cpu::pointwise
#endif
