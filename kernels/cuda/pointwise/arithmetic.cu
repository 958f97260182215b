// CUDA kernels of arithmetic on two and three operands.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps arithmetic_ops{arithmetic::Arithmetic()};

}  // namespace
}  // namespace strata::cuda::pointwise
