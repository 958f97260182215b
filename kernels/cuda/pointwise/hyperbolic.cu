// CUDA kernels of the hyperbolic functions and their inverses.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps hyperbolic_ops{arithmetic::Hyperbolic()};

}  // namespace
}  // namespace strata::cuda::pointwise
