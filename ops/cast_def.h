// The ops that copy, convert and move, for rules and kernels.
#pragma once
#include "../dispatcher/op.h"

namespace strata {

struct CastParams {
  DType dtype;
};
struct TransferParams {
  Device device;
};

/// `cast(Tensor x, DType dtype)`: the values in another floating point dtype, or in an integer one, where no gradient
/// passes.
extern Op cast_op, cast_to_integer_op;
/// `copy(Tensor x)`: the same values in fresh row-major memory. Its kernel writes into outputs of any strides.
extern Op copy_op;
/// `transfer(Tensor x, Device device)`: the same values on another device; kernels of a GPU backend serve both
/// directions.
extern Op transfer_op;

}  // namespace strata
