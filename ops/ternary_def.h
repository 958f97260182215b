// The ops of three operands of equal shape, for rules and kernels.
#pragma once
#include "../core/scalar.h"
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct AddcParams {
  double value;
};

struct LerpParams {
  double weight;
};

/// `where(Tensor condition, Tensor a, Tensor b)` with a bool condition; the others have equal dtypes throughout.
extern Op where_op, clamp_op, lerp_op, addcmul_op, addcdiv_op;
/// `lerp_scalar(Tensor start, Tensor end, float weight)`: the weight is a number.
extern Op lerp_scalar_op;

}  // namespace strata
