// CUDA kernels of the simple ops of one operand and of their gradients.
#include "kernels/arithmetic_math.h"
#include "kernels/cuda/common/elementwise.cuh"
#include "ops/unary_def.h"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

STRATA_KERNEL(neg_op, CUDA, (elementwise<neg_op, Neg, 1, kNumbers>));
STRATA_KERNEL(abs_op, CUDA, (elementwise<abs_op, Abs, 1, kNumeric>));
STRATA_KERNEL(sign_op, CUDA, (elementwise<sign_op, Sign, 1, kNumeric>));
STRATA_KERNEL(square_op, CUDA, (elementwise<square_op, Square, 1, kNumbers>));
STRATA_KERNEL(relu_op, CUDA, (elementwise<relu_op, Relu, 1, kNumeric>));
STRATA_KERNEL(floor_op, CUDA, (elementwise<floor_op, Floor, 1, kNumeric>));
STRATA_KERNEL(ceil_op, CUDA, (elementwise<ceil_op, Ceil, 1, kNumeric>));
STRATA_KERNEL(round_op, CUDA, (elementwise<round_op, Round, 1, kNumeric>));
STRATA_KERNEL(trunc_op, CUDA, (elementwise<trunc_op, Trunc, 1, kNumeric>));
STRATA_KERNEL(isnan_op, CUDA, (elementwise<isnan_op, IsNan, 1, kAllTypes>));
STRATA_KERNEL(isinf_op, CUDA, (elementwise<isinf_op, IsInf, 1, kAllTypes>));
STRATA_KERNEL(isfinite_op, CUDA, (elementwise<isfinite_op, IsFinite, 1, kAllTypes>));
STRATA_KERNEL(logical_not_op, CUDA, (elementwise<logical_not_op, LogicalNot, 1, kAllTypes>));
STRATA_KERNEL(bitwise_not_op, CUDA, (elementwise<bitwise_not_op, BitwiseNot, 1, kBits>));
STRATA_KERNEL(sqrt_op, CUDA, (elementwise<sqrt_op, Sqrt, 1, kFields>));
STRATA_KERNEL(rsqrt_op, CUDA, (elementwise<rsqrt_op, Rsqrt, 1, kFields>));
STRATA_KERNEL(reciprocal_op, CUDA, (elementwise<reciprocal_op, Reciprocal, 1, kFields>));
STRATA_KERNEL(frac_op, CUDA, (elementwise<frac_op, Frac, 1, kFloats>));
STRATA_KERNEL(relu_backward_op, CUDA, (elementwise<relu_backward_op, ReluBackward, 2, kFloats>));
STRATA_KERNEL(tanh_backward_op, CUDA, (elementwise<tanh_backward_op, TanhBackward, 2, kFields>));
STRATA_KERNEL(sigmoid_backward_op, CUDA, (elementwise<sigmoid_backward_op, SigmoidBackward, 2, kFields>));

}  // namespace
}  // namespace strata::cuda::pointwise
