// CPU kernels of Bessel and Airy functions.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/bessel.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/common/op_loops.h"
#include "kernels/cpu/common/vec_formulas-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
static const FloatLoops* loops() {
  using namespace cpu::HWY_NAMESPACE::formulas;
  return vector_loops(BesselFunctions());
}
}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
HWY_EXPORT(loops);
const VectorOps registered(arithmetic::BesselFunctions(), HWY_DYNAMIC_DISPATCH(loops)());
}  // namespace strata::cpu::pointwise
#endif
