// The ops of two operands of equal shape and dtype, for rules and kernels.
#pragma once
#include "../core/scalar.h"
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct PowParams {
  Scalar exponent;
};
struct NumberParams {
  double number;
};

extern Op add_op, sub_op, mul_op, div_op, pow_op, fmod_op, remainder_op, floor_divide_op, div_trunc_op, maximum_op,
    minimum_op, atan2_op, xlogy_op, logaddexp_op, logaddexp2_op, fmax_op, fmin_op, hypot_op, copysign_op;
/// `pow(Tensor x, Scalar exponent)`: the exponent is a number.
extern Op pow_scalar_op;
/// `mul_scalar(Tensor x, float number)` and `div_scalar`: 16-bit operands meet a number that is not rounded to their
/// dtype, as by PyTorch's opmath.
extern Op mul_scalar_op, div_scalar_op;
/// Results are bool.
extern Op eq_op, ne_op, lt_op, le_op, gt_op, ge_op, logical_and_op, logical_or_op, logical_xor_op;
extern Op bitwise_and_op, bitwise_or_op, bitwise_xor_op, shift_left_op, shift_right_op;

}  // namespace strata
