// The ops that copy, convert and move, for rules and kernels.
#pragma once
#include "../core/scalar.h"
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct CastParams {
  DType dtype;
};
struct FillParams {
  Scalar value;
};
struct TransferParams {
  Device device;
  bool non_blocking;
};

/// `cast(Tensor x, DType dtype)`: the values in another floating point dtype, or in an integer one, where no gradient
/// passes.
extern Op cast_op, cast_to_integer_op;
/// `copy(Tensor x)`: the same values in fresh row-major memory. Its kernel writes into outputs of any strides.
extern Op copy_op;
/// `fill(Tensor x, Scalar value)`: the value everywhere.
extern Op fill_op;
/// `transfer(Tensor x, Device device, bool non_blocking)`: the same values on another device. A device's kernel
/// serves both directions; without one the bytes go through its backend. A copy into pinned memory that does not block
/// is there when the stream has come so far.
extern Op transfer_op;

}  // namespace strata
