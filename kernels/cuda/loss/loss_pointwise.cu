// CUDA kernels of the element-wise losses.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::loss {
namespace {

const FormulaOps registered{arithmetic::Losses()};

}  // namespace
}  // namespace strata::cuda::loss
