// CUDA kernels of products.
#include "kernels/cuda/reduce/reduce.cuh"
#include "ops/reduce_def.h"

namespace strata::cuda::reduce {
namespace {

template <class T>
struct Product {
  using In = T;
  using Acc = Total<T>;
  using Out = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  Out* out;

  __device__ Acc start() const { return 1; }
  __device__ Acc map(T x, int64_t) const { return static_cast<Acc>(x); }
  __device__ Acc join(Acc a, Acc b) const { return a * b; }
  __device__ void store(int64_t line, Acc product) const { out[line] = static_cast<Out>(product); }
};

void prod_cuda(Tensors& out, Args in, const ReduceDimParams& p) {
  write_row_major(out[0], [&](const Tensor& y) {
    visit_any_stored(in[0].dtype(), [&]<class T>() {
      reduce(prod_op, Product<T>{elements<typename Product<T>::Out>(y)}, in[0], p.dim);
    });
  });
}

STRATA_KERNEL(prod_op, CUDA, prod_cuda);

}  // namespace
}  // namespace strata::cuda::reduce
