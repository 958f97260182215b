// CUDA kernels of the activations and their gradients.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps activation_ops{arithmetic::Activations()};

}  // namespace
}  // namespace strata::cuda::pointwise
