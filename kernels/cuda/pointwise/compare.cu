// CUDA kernels of comparisons and logic.
#include "kernels/cuda/common/elementwise.cuh"
#include "ops/binary_def.h"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

STRATA_KERNEL(eq_op, CUDA, (elementwise<eq_op, Eq, 2, kAllTypes>));
STRATA_KERNEL(ne_op, CUDA, (elementwise<ne_op, Ne, 2, kAllTypes>));
STRATA_KERNEL(lt_op, CUDA, (elementwise<lt_op, Lt, 2, kRealTypes>));
STRATA_KERNEL(le_op, CUDA, (elementwise<le_op, Le, 2, kRealTypes>));
STRATA_KERNEL(gt_op, CUDA, (elementwise<gt_op, Gt, 2, kRealTypes>));
STRATA_KERNEL(ge_op, CUDA, (elementwise<ge_op, Ge, 2, kRealTypes>));
STRATA_KERNEL(logical_and_op, CUDA, (elementwise<logical_and_op, LogicalAnd, 2, kAllTypes>));
STRATA_KERNEL(logical_or_op, CUDA, (elementwise<logical_or_op, LogicalOr, 2, kAllTypes>));
STRATA_KERNEL(logical_xor_op, CUDA, (elementwise<logical_xor_op, LogicalXor, 2, kAllTypes>));

}  // namespace
}  // namespace strata::cuda::pointwise
