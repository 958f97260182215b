// CUDA kernels of Bessel and Airy functions.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps bessel_ops{arithmetic::BesselFunctions()};

}  // namespace
}  // namespace strata::cuda::pointwise
