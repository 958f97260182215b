// CUDA kernels of comparisons and logic.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps comparison_ops{arithmetic::Comparisons()};

}  // namespace
}  // namespace strata::cuda::pointwise
