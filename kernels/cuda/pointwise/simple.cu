// CUDA kernels of the simple ops of one operand: signs, rounding, roots, tests.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps simple_ops{arithmetic::Simple()};

}  // namespace
}  // namespace strata::cuda::pointwise
