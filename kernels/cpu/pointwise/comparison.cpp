// CPU kernels of comparisons and logic.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/comparison.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/common/op_loops.h"
#include "kernels/cpu/common/vec_formulas-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
static const FloatLoops* loops() {
  using namespace cpu::HWY_NAMESPACE::formulas;
  return vector_loops(Comparisons());
}
static const IntegerLoops* integer_loops() {
  using namespace cpu::HWY_NAMESPACE::formulas;
  return vector_loops<IntegerLoops>(Comparisons());
}
}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
HWY_EXPORT(loops);
HWY_EXPORT(integer_loops);
const VectorOps registered(arithmetic::Comparisons(), HWY_DYNAMIC_DISPATCH(loops)(),
                           HWY_DYNAMIC_DISPATCH(integer_loops)());
}  // namespace strata::cpu::pointwise
#endif
