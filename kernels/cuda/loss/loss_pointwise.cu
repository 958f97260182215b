// CUDA kernels of the element-wise losses.
#include "kernels/arithmetic_math.h"
#include "kernels/cuda/common/elementwise.cuh"
#include "ops/loss_def.h"

namespace strata::cuda::loss {
namespace {

using namespace arithmetic;

void smooth_l1_cuda(Tensors& out, Args in, const SmoothL1Params& p) {
  const double numbers[] = {p.beta, 0.5 / p.beta, 0.5 * p.beta};
  run<SmoothL1, 2, kFloats, 3>(smooth_l1_op, out[0], in, numbers);
}

STRATA_KERNEL(smooth_l1_op, CUDA, smooth_l1_cuda);
STRATA_KERNEL(binary_cross_entropy_op, CUDA, (elementwise<binary_cross_entropy_op, BinaryCrossEntropy, 2, kFloats>));
STRATA_KERNEL(binary_cross_entropy_with_logits_op, CUDA,
              (elementwise<binary_cross_entropy_with_logits_op, BinaryCrossEntropyWithLogits, 2, kFloats>));

}  // namespace
}  // namespace strata::cuda::loss
