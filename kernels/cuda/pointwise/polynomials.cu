// CUDA kernels of orthogonal polynomials and of incomplete gamma functions.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps polynomials_ops{arithmetic::Polynomials()};

}  // namespace
}  // namespace strata::cuda::pointwise
