// The ops that make, split and measure complex numbers, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// `conj` takes complex tensors alone; `complex` joins two real ones, and `polar` a length and an angle, whose
/// direction is its second result; `complex_abs` gives real numbers.
extern Op conj_op, complex_op, polar_op, complex_abs_op;
/// Views: a complex tensor as a real one of shape (..., 2), and back.
extern Op view_as_real_op, view_as_complex_op;

}  // namespace strata
