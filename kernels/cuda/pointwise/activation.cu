// CUDA kernels of the activation ops.
#include "kernels/arithmetic_math.h"
#include "kernels/cuda/common/elementwise.cuh"
#include "ops/activation_def.h"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

void gelu_cuda(Tensors& out, Args in, const GeluParams& p) {
  if (p.tanh) return run<GeluTanh, 1, kFloats>(gelu_op, out[0], in);
  run<Gelu, 1, kFloats>(gelu_op, out[0], in);
}
void gelu_backward_cuda(Tensors& out, Args in, const GeluParams& p) {
  if (p.tanh) return run<GeluTanhBackward, 2, kFloats>(gelu_backward_op, out[0], in);
  run<GeluBackward, 2, kFloats>(gelu_backward_op, out[0], in);
}
void leaky_relu_cuda(Tensors& out, Args in, const LeakyReluParams& p) {
  run<LeakyRelu, 1, kFloats, 1>(leaky_relu_op, out[0], in, &p.slope);
}
void elu_cuda(Tensors& out, Args in, const EluParams& p) {
  const double numbers[] = {p.alpha * p.scale, p.scale, p.input_scale};
  run<Elu, 1, kFloats, 3>(elu_op, out[0], in, numbers);
}
void softplus_cuda(Tensors& out, Args in, const SoftplusParams& p) {
  const double numbers[] = {p.beta, p.threshold};
  run<Softplus, 1, kFloats, 2>(softplus_op, out[0], in, numbers);
}
void hardtanh_cuda(Tensors& out, Args in, const HardtanhParams& p) {
  const double numbers[] = {p.min, p.max};
  run<Hardtanh, 1, kFloats, 2>(hardtanh_op, out[0], in, numbers);
}
void threshold_cuda(Tensors& out, Args in, const ThresholdParams& p) {
  const double numbers[] = {p.threshold, p.value};
  run<Threshold, 1, kFloats, 2>(threshold_op, out[0], in, numbers);
}

STRATA_KERNEL(gelu_op, CUDA, gelu_cuda);
STRATA_KERNEL(gelu_backward_op, CUDA, gelu_backward_cuda);
STRATA_KERNEL(silu_op, CUDA, (elementwise<silu_op, Silu, 1, kFloats>));
STRATA_KERNEL(silu_backward_op, CUDA, (elementwise<silu_backward_op, SiluBackward, 2, kFloats>));
STRATA_KERNEL(leaky_relu_op, CUDA, leaky_relu_cuda);
STRATA_KERNEL(elu_op, CUDA, elu_cuda);
STRATA_KERNEL(softplus_op, CUDA, softplus_cuda);
STRATA_KERNEL(hardtanh_op, CUDA, hardtanh_cuda);
STRATA_KERNEL(threshold_op, CUDA, threshold_cuda);

}  // namespace
}  // namespace strata::cuda::pointwise
