// CUDA kernels of comparisons and logic.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps registered{arithmetic::Comparisons()};

}  // namespace
}  // namespace strata::cuda::pointwise
