// CUDA kernels of the functions of mathematics beyond the C library's, of divisors and of the digits of floats.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/special_formulas.h"

namespace strata::cuda::pointwise {
namespace {

const FormulaOps registered{arithmetic::OfSpecial()};

}  // namespace
}  // namespace strata::cuda::pointwise
