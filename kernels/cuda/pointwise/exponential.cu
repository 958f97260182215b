// CUDA kernels of exponentials and logarithms.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps exponential_ops{arithmetic::Exponential()};

}  // namespace
}  // namespace strata::cuda::pointwise
