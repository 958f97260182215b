// CPU kernels of the element-wise losses.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/loss/loss_pointwise.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/common/op_loops.h"
#include "kernels/cpu/common/vec_formulas-inl.h"
#include "kernels/cpu/loss/probabilities.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::loss::HWY_NAMESPACE {
static const FloatLoops* loops() {
  using namespace cpu::HWY_NAMESPACE::formulas;
  return vector_loops(Losses());
}
}  // namespace strata::cpu::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu {
template <>
inline constexpr void (*kCheck<binary_cross_entropy_op>)(Args in) = &loss::check_probabilities;
}  // namespace strata::cpu

namespace strata::cpu::loss {
HWY_EXPORT(loops);
const VectorOps registered(arithmetic::Losses(), HWY_DYNAMIC_DISPATCH(loops)());
}  // namespace strata::cpu::loss
#endif
