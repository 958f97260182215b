// The ops of three operands of equal shape, for rules and kernels.
#pragma once
#include "../core/scalar.h"
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct AddcParams {
  double value;
};

/// `where(Tensor condition, Tensor a, Tensor b)` with a bool condition; the others have equal dtypes throughout.
extern Op where_op, clamp_op, lerp_op, addcmul_op, addcdiv_op;

}  // namespace strata
