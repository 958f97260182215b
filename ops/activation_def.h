// Activation ops with fused kernels, for rules and kernels.
#pragma once
#include <limits>

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
/// What is 0 from -limit to limit is moved towards 0 by `step` elsewhere.
struct ShrinkParams {
  double limit, step;
};
/// The argument is held in [eps, 1 - eps] where `holds`.
struct LogitParams {
  bool holds;
  double eps;
  double low() const { return holds ? eps : 0; }
  double high() const { return holds ? 1 - eps : 1; }
  /// What is added outside of [low, high], and the slope there.
  double outside() const { return holds ? 0 : std::numeric_limits<double>::quiet_NaN(); }
};

/// `prelu(Tensor x, Tensor weight)` of equal shapes; the others take x.
extern Op prelu_op;
/// `glu(Tensor x, Tensor gate)` of equal shapes: the halves of what is split.
extern Op glu_op;
/// `glu_gate(Tensor t, Tensor x, Tensor gate)`: t times the derivative of glu by the gate.
extern Op glu_gate_op;
extern Op shrink_op, log_sigmoid_op, hardsigmoid_op, logit_op, gelu_op, silu_op, mish_op, hardswish_op, leaky_relu_op,
    elu_op, softplus_op, hardtanh_op, threshold_op;
/// `(Tensor grad, Tensor x)` with the params of the activation: their gradients in one pass each.
extern Op shrink_backward_op, log_sigmoid_backward_op, hardsigmoid_backward_op, logit_backward_op, gelu_backward_op,
    silu_backward_op, mish_backward_op, hardswish_backward_op, leaky_relu_backward_op, elu_backward_op,
    softplus_backward_op, hardtanh_backward_op, threshold_backward_op;

}  // namespace strata
