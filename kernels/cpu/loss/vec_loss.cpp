// The element-wise losses, for each instruction set.
#include "kernels/cpu/loss/vec_loss.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/loss/vec_loss.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/common/vec_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::loss::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// At least -100; NaN stays NaN.
template <class D, class V>
HWY_INLINE V cut(D d, V log) {
  const V bound = hn::Set(d, -100);
  return hn::IfThenElse(hn::Lt(log, bound), bound, log);
}

struct BinaryCrossEntropy {
  static HWY_INLINE auto run(auto d, auto x, auto t, const double*) {
    const auto log_not = cut(d, log1p(d, hn::Neg(x)));
    return hn::Sub(hn::Mul(hn::Sub(t, hn::Set(d, 1)), log_not), hn::Mul(t, cut(d, log(d, x))));
  }
};
struct BinaryCrossEntropyWithLogits {
  static HWY_INLINE auto run(auto d, auto x, auto t, const double*) {
    const auto positive = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Zero(d), x);
    return hn::Add(hn::Sub(positive, hn::Mul(x, t)), log1p(d, exp(d, hn::Neg(hn::Abs(x)))));
  }
};
struct SmoothL1 {
  static constexpr bool kCheap = true;
  static HWY_INLINE auto run(auto d, auto x, auto t, const double* p) {
    using T = hn::TFromD<decltype(d)>;
    const auto size = hn::Abs(hn::Sub(x, t));
    const auto near = hn::Mul(hn::Mul(size, size), hn::Set(d, static_cast<T>(0.5 / p[0])));
    const auto far = hn::Sub(size, hn::Set(d, static_cast<T>(0.5 * p[0])));
    return hn::IfThenElse(hn::Lt(size, hn::Set(d, static_cast<T>(p[0]))), near, far);
  }
};

const LossLoops* loss_loops() {
  static constexpr LossLoops loops{float_loops<BinaryCrossEntropy, 2>(), float_loops<BinaryCrossEntropyWithLogits, 2>(),
                                   float_loops<SmoothL1, 2>()};
  return &loops;
}

}  // namespace strata::cpu::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::loss {
HWY_EXPORT(loss_loops);
const LossLoops& vec_loss() {
  static const LossLoops* loops = HWY_DYNAMIC_DISPATCH(loss_loops)();
  return *loops;
}
}  // namespace strata::cpu::loss
#endif
