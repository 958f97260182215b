// The ops of one operand, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct PolygammaParams {
  int64_t n;  ///< order of the derivative of digamma, at least 1
};

/// Rounds x up / down to an integer and takes that back: one of them is 1.
struct RoundToParams {
  double up, down;
};
/// What NaN, infinity and minus infinity become.
struct NanToNumParams {
  double nan, posinf, neginf;
};

extern Op neg_op, abs_op, sign_op, sqrt_op, rsqrt_op, reciprocal_op, square_op, exp_op, exp2_op, expm1_op, log_op,
    log2_op, log10_op, log1p_op, sin_op, cos_op, tan_op, asin_op, acos_op, atan_op, sinh_op, cosh_op, tanh_op, asinh_op,
    acosh_op, atanh_op, sigmoid_op, erf_op, erfc_op, erfinv_op, lgamma_op, digamma_op, polygamma_op, floor_op, ceil_op,
    round_op, trunc_op, frac_op, relu_op, nan_to_num_op, round_to_op, sinc_op;
/// The gradient of acosh from the output's gradient and the operand, of real numbers.
extern Op acosh_backward_op;
/// The gradients of tanh, sigmoid and relu from the output's gradient and the output: one pass over memory each.
extern Op tanh_backward_op, sigmoid_backward_op, relu_backward_op;
/// Results are bool.
extern Op isnan_op, isinf_op, isfinite_op, logical_not_op;
extern Op bitwise_not_op;

}  // namespace strata
