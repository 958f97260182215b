// CUDA kernels of gamma and error functions and their relatives.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps special_ops{arithmetic::SpecialFunctions()};

}  // namespace
}  // namespace strata::cuda::pointwise
