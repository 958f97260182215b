// CUDA kernels of the mathematical functions of one operand.
#include "kernels/arithmetic_math.h"
#include "kernels/cuda/elementwise.cuh"
#include "ops/unary_def.h"

namespace strata::cuda {
namespace {

using namespace arithmetic;

STRATA_KERNEL(exp_op, CUDA, (elementwise<exp_op, Exp, 1, kFloats>));
STRATA_KERNEL(exp2_op, CUDA, (elementwise<exp2_op, Exp2, 1, kFloats>));
STRATA_KERNEL(expm1_op, CUDA, (elementwise<expm1_op, Expm1, 1, kFloats>));
STRATA_KERNEL(log_op, CUDA, (elementwise<log_op, Log, 1, kFloats>));
STRATA_KERNEL(log2_op, CUDA, (elementwise<log2_op, Log2, 1, kFloats>));
STRATA_KERNEL(log10_op, CUDA, (elementwise<log10_op, Log10, 1, kFloats>));
STRATA_KERNEL(log1p_op, CUDA, (elementwise<log1p_op, Log1p, 1, kFloats>));
STRATA_KERNEL(sin_op, CUDA, (elementwise<sin_op, Sin, 1, kFloats>));
STRATA_KERNEL(cos_op, CUDA, (elementwise<cos_op, Cos, 1, kFloats>));
STRATA_KERNEL(tan_op, CUDA, (elementwise<tan_op, Tan, 1, kFloats>));
STRATA_KERNEL(asin_op, CUDA, (elementwise<asin_op, Asin, 1, kFloats>));
STRATA_KERNEL(acos_op, CUDA, (elementwise<acos_op, Acos, 1, kFloats>));
STRATA_KERNEL(atan_op, CUDA, (elementwise<atan_op, Atan, 1, kFloats>));
STRATA_KERNEL(sinh_op, CUDA, (elementwise<sinh_op, Sinh, 1, kFloats>));
STRATA_KERNEL(cosh_op, CUDA, (elementwise<cosh_op, Cosh, 1, kFloats>));
STRATA_KERNEL(tanh_op, CUDA, (elementwise<tanh_op, Tanh, 1, kFloats>));
STRATA_KERNEL(asinh_op, CUDA, (elementwise<asinh_op, Asinh, 1, kFloats>));
STRATA_KERNEL(acosh_op, CUDA, (elementwise<acosh_op, Acosh, 1, kFloats>));
STRATA_KERNEL(atanh_op, CUDA, (elementwise<atanh_op, Atanh, 1, kFloats>));
STRATA_KERNEL(sigmoid_op, CUDA, (elementwise<sigmoid_op, Sigmoid, 1, kFloats>));
STRATA_KERNEL(erf_op, CUDA, (elementwise<erf_op, Erf, 1, kFloats>));
STRATA_KERNEL(erfc_op, CUDA, (elementwise<erfc_op, Erfc, 1, kFloats>));

}  // namespace
}  // namespace strata::cuda
