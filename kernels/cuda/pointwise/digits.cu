// CUDA kernels of divisors and of the digits of floats.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/digits_formulas.h"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps digits_ops{arithmetic::Digits()};

}  // namespace
}  // namespace strata::cuda::pointwise
