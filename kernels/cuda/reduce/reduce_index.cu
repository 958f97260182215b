// CUDA kernels of where along a dim the largest or the smallest value first is.
#include "kernels/cuda/reduce/reduce.cuh"
#include "ops/reduce_def.h"

namespace strata::cuda::reduce {
namespace {

template <class C>
struct Found {
  C value;
  int64_t index;
};

template <bool kMax, class T>
struct IndexOfExtreme {
  using In = T;
  using C = arithmetic::Compute<T>;
  using Acc = Found<C>;
  T* values;  ///< may be null
  int64_t* indices;

  __device__ Acc start() const { return {least<kMax, C>(), std::numeric_limits<int64_t>::max()}; }
  __device__ Acc map(T x, int64_t i) const { return {static_cast<C>(x), i}; }
  /// NaN is beyond all values; of equals the first counts.
  __device__ Acc join(const Acc& a, const Acc& b) const {
    const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
    const bool beyond = b_nan ? !a_nan : !a_nan && (kMax ? b.value > a.value : b.value < a.value);
    const bool equal = b_nan ? a_nan : b.value == a.value;
    return beyond || (equal && b.index < a.index) ? b : a;
  }
  __device__ void store(int64_t line, const Acc& found) const {
    if (values) values[line] = static_cast<T>(found.value);
    indices[line] = found.index;
  }
};

template <bool kMax>
void find(const Op& op, const Tensor& values, const Tensor& indices, const Tensor& x, int64_t dim) {
  visit_stored(x.dtype(), [&]<class T>() {
    T* const to = values.defined() ? elements<T>(values) : nullptr;
    reduce(op, IndexOfExtreme<kMax, T>{to, elements<int64_t>(indices)}, x, dim);
  });
}

template <bool kMax>
void extreme_dim_cuda(Tensors& out, Args in, const ReduceDimParams& p) {
  write_row_major(out[0], [&](const Tensor& values) {
    write_row_major(out[1], [&](const Tensor& indices) {
      find<kMax>(kMax ? max_dim_op : min_dim_op, values, indices, in[0], p.dim);
    });
  });
}

template <bool kMax>
void arg_extreme_cuda(Tensors& out, Args in, const ReduceDimParams& p) {
  write_row_major(out[0], [&](const Tensor& indices) {
    find<kMax>(kMax ? argmax_op : argmin_op, Tensor(), indices, in[0], p.dim);
  });
}

STRATA_KERNEL(max_dim_op, CUDA, extreme_dim_cuda<true>);
STRATA_KERNEL(min_dim_op, CUDA, extreme_dim_cuda<false>);
STRATA_KERNEL(argmax_op, CUDA, arg_extreme_cuda<true>);
STRATA_KERNEL(argmin_op, CUDA, arg_extreme_cuda<false>);

}  // namespace
}  // namespace strata::cuda::reduce
