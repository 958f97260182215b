// The ops of whole numbers and of the digits of floats, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

extern Op gcd_op, lcm_op, nextafter_op, frexp_mantissa_op, frexp_exponent_op;

}  // namespace strata
