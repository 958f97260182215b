// CUDA kernels of the ops of three operands.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/visit_item.h"
#include "ops/ternary_def.h"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

struct WhereFunction {
  template <class T>
  STRATA_HD T operator()(bool condition, T x, T y) const {
    return Where::run(condition, x, y);
  }
};

/// Picks by the bits of a size: what they mean does not matter.
void where_cuda(Tensors& out, Args in, const NoParams&) {
  visit_wide_item(item_size(in[1].dtype()),
                  [&]<class Bits>() { launch<Bits, bool, Bits, Bits>(where_op, out[0], in, WhereFunction()); });
}

template <const Op& op, class F>
void addc(Tensors& out, Args in, const AddcParams& p) {
  run<F, 3, kFloats, 1>(op, out[0], in, &p.value);
}

STRATA_KERNEL(where_op, CUDA, where_cuda);
STRATA_KERNEL(clamp_op, CUDA, (elementwise<clamp_op, Clamp, 3, kRealTypes>));
STRATA_KERNEL(lerp_op, CUDA, (elementwise<lerp_op, Lerp, 3, kFloats>));
STRATA_KERNEL(addcmul_op, CUDA, (addc<addcmul_op, Addcmul>));
STRATA_KERNEL(addcdiv_op, CUDA, (addc<addcdiv_op, Addcdiv>));

}  // namespace
}  // namespace strata::cuda::pointwise
