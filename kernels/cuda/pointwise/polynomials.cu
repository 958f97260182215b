// CUDA kernels of orthogonal polynomials and of incomplete gamma functions.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps registered{arithmetic::Polynomials()};

}  // namespace
}  // namespace strata::cuda::pointwise
