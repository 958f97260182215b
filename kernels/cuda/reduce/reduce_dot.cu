// CUDA kernel of dot products: a sum over the first vector that reads the second beside it.
#include "kernels/cuda/reduce/reduce.cuh"
#include "ops/linalg_def.h"

namespace strata::cuda::reduce {
namespace {

template <class T>
struct Dot {
  using In = T;
  using Acc = Total<T>;
  T* out;
  const T* b;
  int64_t stride;
  bool packed;  ///< b can be read in aligned packs

  __device__ Acc start() const { return 0; }
  __device__ Acc map(T x, int64_t i) const { return static_cast<Acc>(x) * static_cast<Acc>(b[i * stride]); }
  __device__ Acc join(Acc x, Acc y) const { return x + y; }
  template <int n>
  __device__ void take(Acc& acc, const Pack<T, n>& x, int64_t i) const {
    Pack<T, n> y;
    if (packed) {
      y = *reinterpret_cast<const Pack<T, n>*>(b + i);
    } else {
      STRATA_UNROLL
      for (int j = 0; j < n; ++j) y[j] = b[(i + j) * stride];
    }
    Acc products[n];
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) products[j] = static_cast<Acc>(x[j]) * static_cast<Acc>(y[j]);
    acc += fold<n>(products);
  }
  template <int n>
  __device__ static Acc fold(const Acc* products) {
    if constexpr (n == 1)
      return products[0];
    else
      return fold<n / 2>(products) + fold<n / 2>(products + n / 2);
  }
  __device__ void store(int64_t, Acc sum) const { *out = static_cast<T>(sum); }
};

void dot_cuda(Tensors& out, Args in, const NoParams&) {
  const Tensor& b = in[1];
  const int64_t dims[] = {0};
  visit_any_stored(b.dtype(), [&]<class T>() {
    const int64_t stride = b.strides()[0];
    const bool packed = stride == 1 && is_aligned(b.bytes(), 16);
    reduce(dot_op, Dot<T>{elements<T>(out[0]), elements<T>(b), stride, packed}, in[0], dims);
  });
}

STRATA_KERNEL(dot_op, CUDA, dot_cuda);

}  // namespace
}  // namespace strata::cuda::reduce
