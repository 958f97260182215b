// CUDA kernels of the ops of three operands.
#include "kernels/cuda/elementwise.cuh"
#include "ops/ternary_def.h"

namespace strata::cuda {
namespace {

using namespace arithmetic;

struct WhereFunction {
  template <class T>
  STRATA_HD T operator()(bool condition, T x, T y) const {
    return Where::run(condition, x, y);
  }
};

/// Picks by the bits of a size: what they mean does not matter.
template <class Bits>
void where_bits(const Tensor& out, Args in) {
  launch<Bits, bool, Bits, Bits>(where_op, out, in, WhereFunction());
}
void where_cuda(Tensors& out, Args in, const NoParams&) {
  switch (item_size(in[1].dtype())) {
    case 1:
      return where_bits<uint8_t>(out[0], in);
    case 2:
      return where_bits<uint16_t>(out[0], in);
    case 4:
      return where_bits<uint32_t>(out[0], in);
    default:
      return where_bits<uint64_t>(out[0], in);
  }
}

template <const Op& op, class F>
void addc(Tensors& out, Args in, const AddcParams& p) {
  run<F, 3, kFloats, 1>(op, out[0], in, &p.value);
}

STRATA_KERNEL(where_op, CUDA, where_cuda);
STRATA_KERNEL(clamp_op, CUDA, (elementwise<clamp_op, Clamp, 3, kAllTypes>));
STRATA_KERNEL(lerp_op, CUDA, (elementwise<lerp_op, Lerp, 3, kFloats>));
STRATA_KERNEL(addcmul_op, CUDA, (addc<addcmul_op, Addcmul>));
STRATA_KERNEL(addcdiv_op, CUDA, (addc<addcdiv_op, Addcdiv>));

}  // namespace
}  // namespace strata::cuda
