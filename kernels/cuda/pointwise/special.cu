// CUDA kernels of the gamma family and the inverse of erf.
#include "kernels/arithmetic_special.h"
#include "kernels/cuda/common/elementwise.cuh"
#include "ops/unary_def.h"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

void polygamma_cuda(Tensors& out, Args in, const PolygammaParams& p) {
  const double order = static_cast<double>(p.n);
  run<Polygamma, 1, kFloats, 1>(polygamma_op, out[0], in, &order);
}

STRATA_KERNEL(erfinv_op, CUDA, (elementwise<erfinv_op, Erfinv, 1, kFloats>));
STRATA_KERNEL(lgamma_op, CUDA, (elementwise<lgamma_op, Lgamma, 1, kFloats>));
STRATA_KERNEL(digamma_op, CUDA, (elementwise<digamma_op, Digamma, 1, kFloats>));
STRATA_KERNEL(polygamma_op, CUDA, polygamma_cuda);

}  // namespace
}  // namespace strata::cuda::pointwise
