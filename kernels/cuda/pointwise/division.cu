// CUDA kernels of quotients and remainders.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps division_ops{arithmetic::Divisions()};

}  // namespace
}  // namespace strata::cuda::pointwise
