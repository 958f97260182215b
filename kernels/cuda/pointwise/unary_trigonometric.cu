// CUDA kernels of the trigonometric and hyperbolic functions and their inverses.
#include "kernels/arithmetic_math.h"
#include "kernels/cuda/common/elementwise.cuh"
#include "ops/unary_def.h"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

STRATA_KERNEL(sin_op, CUDA, (elementwise<sin_op, Sin, 1, kFields>));
STRATA_KERNEL(cos_op, CUDA, (elementwise<cos_op, Cos, 1, kFields>));
STRATA_KERNEL(tan_op, CUDA, (elementwise<tan_op, Tan, 1, kFields>));
STRATA_KERNEL(asin_op, CUDA, (elementwise<asin_op, Asin, 1, kFields>));
STRATA_KERNEL(acos_op, CUDA, (elementwise<acos_op, Acos, 1, kFields>));
STRATA_KERNEL(atan_op, CUDA, (elementwise<atan_op, Atan, 1, kFields>));
STRATA_KERNEL(sinh_op, CUDA, (elementwise<sinh_op, Sinh, 1, kFields>));
STRATA_KERNEL(cosh_op, CUDA, (elementwise<cosh_op, Cosh, 1, kFields>));
STRATA_KERNEL(tanh_op, CUDA, (elementwise<tanh_op, Tanh, 1, kFields>));
STRATA_KERNEL(asinh_op, CUDA, (elementwise<asinh_op, Asinh, 1, kFields>));
STRATA_KERNEL(acosh_op, CUDA, (elementwise<acosh_op, Acosh, 1, kFields>));
STRATA_KERNEL(atanh_op, CUDA, (elementwise<atanh_op, Atanh, 1, kFields>));

}  // namespace
}  // namespace strata::cuda::pointwise
