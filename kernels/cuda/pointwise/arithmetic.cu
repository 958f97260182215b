// CUDA kernels of arithmetic on two and three operands.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps registered{arithmetic::Arithmetic()};

}  // namespace
}  // namespace strata::cuda::pointwise
