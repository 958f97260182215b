// Vector loops of the element-wise losses of a prediction and a target.
#pragma once
#include "kernels/cpu/common/loop.h"

namespace strata::cpu::loss {

struct LossLoops {
  FloatLoops binary_cross_entropy;
  FloatLoops binary_cross_entropy_with_logits;
  FloatLoops smooth_l1;  ///< params: beta
};
/// The loops for this processor.
const LossLoops& vec_loss();

}  // namespace strata::cpu::loss
