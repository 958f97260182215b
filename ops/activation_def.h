// Activation ops with fused kernels, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct GeluParams {
  bool tanh;  ///< the tanh approximation instead of erf
};
struct LeakyReluParams {
  double slope;
};
struct EluParams {
  double alpha, scale, input_scale;
};
struct SoftplusParams {
  double beta, threshold;
};
struct HardtanhParams {
  double min, max;
  double nan_slope = 1;  ///< by what the gradient at NaN is multiplied: hardtanh passes it on, clamp does not
};
struct ThresholdParams {
  double threshold, value;
};

/// `prelu(Tensor x, Tensor weight)` of equal shapes; the others take x.
extern Op prelu_op;
extern Op gelu_op, silu_op, hardswish_op, leaky_relu_op, elu_op, softplus_op, hardtanh_op, threshold_op;
/// `(Tensor grad, Tensor x)` with the params of the activation: their gradients in one pass each.
extern Op gelu_backward_op, silu_backward_op, hardswish_backward_op, leaky_relu_backward_op, elu_backward_op,
    softplus_backward_op, hardtanh_backward_op, threshold_backward_op;

}  // namespace strata
