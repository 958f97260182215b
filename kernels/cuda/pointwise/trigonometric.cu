// CUDA kernels of the trigonometric functions, their inverses, and erf.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps trigonometric_ops{arithmetic::Trigonometric()};

}  // namespace
}  // namespace strata::cuda::pointwise
