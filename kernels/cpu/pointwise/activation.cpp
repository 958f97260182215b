// CPU kernels of the activation ops.
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/pointwise/vec_binary.h"
#include "kernels/cpu/pointwise/vec_unary.h"
#include "ops/activation_def.h"

namespace strata::cpu::pointwise {
namespace {

void gelu(Tensors& out, Args in, const GeluParams& p) {
  elementwise<1>(gelu_op, out[0], in, DTypeLoops(vec_unary(p.tanh ? VecUnary::kGeluTanh : VecUnary::kGelu)));
}
void gelu_backward(Tensors& out, Args in, const GeluParams& p) {
  const VecBinary f = p.tanh ? VecBinary::kGeluTanhBackward : VecBinary::kGeluBackward;
  elementwise<2>(gelu_backward_op, out[0], in, DTypeLoops(vec_binary(f)));
}
void silu(Tensors& out, Args in, const NoParams&) {
  elementwise<1>(silu_op, out[0], in, DTypeLoops(vec_unary(VecUnary::kSilu)));
}
void silu_backward(Tensors& out, Args in, const NoParams&) {
  elementwise<2>(silu_backward_op, out[0], in, DTypeLoops(vec_binary(VecBinary::kSiluBackward)));
}

/// An op whose params are the loop's numbers, in their order.
template <const Op& op, VecParam f, class P>
void with_numbers(Tensors& out, Args in, const P& p) {
  static_assert(sizeof(P) % sizeof(double) == 0);
  elementwise<1>(op, out[0], in, DTypeLoops(vec_param(f)), reinterpret_cast<const double*>(&p));
}

STRATA_KERNEL(gelu_op, CPU, gelu);
STRATA_KERNEL(gelu_backward_op, CPU, gelu_backward);
STRATA_KERNEL(silu_op, CPU, silu);
STRATA_KERNEL(silu_backward_op, CPU, silu_backward);
STRATA_KERNEL(leaky_relu_op, CPU, (with_numbers<leaky_relu_op, VecParam::kLeakyRelu, LeakyReluParams>));
STRATA_KERNEL(elu_op, CPU, (with_numbers<elu_op, VecParam::kElu, EluParams>));
STRATA_KERNEL(softplus_op, CPU, (with_numbers<softplus_op, VecParam::kSoftplus, SoftplusParams>));
STRATA_KERNEL(hardtanh_op, CPU, (with_numbers<hardtanh_op, VecParam::kHardtanh, HardtanhParams>));
STRATA_KERNEL(threshold_op, CPU, (with_numbers<threshold_op, VecParam::kThreshold, ThresholdParams>));

}  // namespace
}  // namespace strata::cpu::pointwise
