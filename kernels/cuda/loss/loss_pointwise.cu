// CUDA kernels of the element-wise losses.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::loss {
namespace {

const FormulaOps pointwise_loss_ops{arithmetic::Losses()};

}  // namespace
}  // namespace strata::cuda::loss
