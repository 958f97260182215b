// CUDA kernel of `where`.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/visit_item.h"

namespace strata::cuda::pointwise {
namespace {

struct WhereFunction {
  template <class T>
  STRATA_HD T operator()(bool condition, T x, T y) const {
    return arithmetic::Where::run(condition, x, y);
  }
};

/// Picks by the bits of a size: what they mean does not matter.
void where_cuda(Tensors& out, Args in, const NoParams&) {
  visit_wide_item(item_size(in[1].dtype()),
                  [&]<class Bits>() { launch<Bits, bool, Bits, Bits>(where_op, out[0], in, WhereFunction()); });
}

STRATA_KERNEL(where_op, CUDA, where_cuda);

}  // namespace
}  // namespace strata::cuda::pointwise
