// CUDA kernels of the ops that have no loops over vectors on the CPU, and of those that make and measure complex
// numbers.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

const FormulaOps plain_ops{OfNumbers()};

void complex_cuda(Tensors& out, Args in, const NoParams&) {
  visit_complex(out[0].dtype(), [&]<class C>() {
    using T = typename C::value_type;
    launch<C, T, T>(complex_op, out[0], in, Function<Join, T, 0>());
  });
}
void complex_abs_cuda(Tensors& out, Args in, const NoParams&) {
  visit_complex(in[0].dtype(), [&]<class C>() {
    launch<typename C::value_type, C>(complex_abs_op, out[0], in, Function<Length, C, 0>());
  });
}

STRATA_KERNEL(complex_op, CUDA, complex_cuda);
STRATA_KERNEL(complex_abs_op, CUDA, complex_abs_cuda);

}  // namespace
}  // namespace strata::cuda::pointwise
