// CUDA kernels of the arithmetic of two operands and of bits.
#include "kernels/cuda/common/elementwise.cuh"
#include "ops/binary_def.h"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

STRATA_KERNEL(add_op, CUDA, (elementwise<add_op, Add, 2, kAllTypes>));
STRATA_KERNEL(sub_op, CUDA, (elementwise<sub_op, Sub, 2, kNumbers>));
STRATA_KERNEL(mul_op, CUDA, (elementwise<mul_op, Mul, 2, kAllTypes>));
STRATA_KERNEL(div_op, CUDA, (elementwise<div_op, Div, 2, kFields>));
STRATA_KERNEL(maximum_op, CUDA, (elementwise<maximum_op, Maximum, 2, kRealTypes>));
STRATA_KERNEL(minimum_op, CUDA, (elementwise<minimum_op, Minimum, 2, kRealTypes>));
STRATA_KERNEL(bitwise_and_op, CUDA, (elementwise<bitwise_and_op, BitwiseAnd, 2, kBits>));
STRATA_KERNEL(bitwise_or_op, CUDA, (elementwise<bitwise_or_op, BitwiseOr, 2, kBits>));
STRATA_KERNEL(bitwise_xor_op, CUDA, (elementwise<bitwise_xor_op, BitwiseXor, 2, kBits>));
STRATA_KERNEL(shift_left_op, CUDA, (elementwise<shift_left_op, ShiftLeft, 2, kIntegers>));
STRATA_KERNEL(shift_right_op, CUDA, (elementwise<shift_right_op, ShiftRight, 2, kIntegers>));

}  // namespace
}  // namespace strata::cuda::pointwise
