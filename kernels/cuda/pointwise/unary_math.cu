// CUDA kernels of exponentials, logarithms and the error function.
#include "kernels/arithmetic_math.h"
#include "kernels/cuda/common/elementwise.cuh"
#include "ops/unary_def.h"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

STRATA_KERNEL(exp_op, CUDA, (elementwise<exp_op, Exp, 1, kFields>));
STRATA_KERNEL(exp2_op, CUDA, (elementwise<exp2_op, Exp2, 1, kFields>));
STRATA_KERNEL(expm1_op, CUDA, (elementwise<expm1_op, Expm1, 1, kFields>));
STRATA_KERNEL(log_op, CUDA, (elementwise<log_op, Log, 1, kFields>));
STRATA_KERNEL(log2_op, CUDA, (elementwise<log2_op, Log2, 1, kFields>));
STRATA_KERNEL(log10_op, CUDA, (elementwise<log10_op, Log10, 1, kFields>));
STRATA_KERNEL(log1p_op, CUDA, (elementwise<log1p_op, Log1p, 1, kFields>));
STRATA_KERNEL(sigmoid_op, CUDA, (elementwise<sigmoid_op, Sigmoid, 1, kFields>));
STRATA_KERNEL(erf_op, CUDA, (elementwise<erf_op, Erf, 1, kFloats>));
STRATA_KERNEL(erfc_op, CUDA, (elementwise<erfc_op, Erfc, 1, kFloats>));

}  // namespace
}  // namespace strata::cuda::pointwise
