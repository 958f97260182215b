// CUDA kernels of quotients and remainders.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps registered{arithmetic::Divisions()};

}  // namespace
}  // namespace strata::cuda::pointwise
