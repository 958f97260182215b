// CUDA kernels of the largest and the smallest value of lines, and of tests of bools.
#include "kernels/cuda/reduce/reduce.cuh"
#include "ops/reduce_def.h"

namespace strata::cuda::reduce {
namespace {

template <bool kMax, class T>
struct Extreme {
  using In = T;
  using Acc = arithmetic::Compute<T>;
  T* out;

  __device__ Acc start() const { return least<kMax, Acc>(); }
  __device__ Acc map(T x, int64_t) const { return x; }
  __device__ Acc join(Acc a, Acc b) const { return extreme<kMax>(a, b); }
  __device__ void store(int64_t line, Acc value) const { out[line] = static_cast<T>(value); }
};

template <bool kMax>
void extreme_cuda(Tensors& out, Args in, const ReduceParams& p) {
  write_row_major(out[0], [&](const Tensor& y) {
    visit_stored(in[0].dtype(),
                 [&]<class T>() { reduce(kMax ? amax_op : amin_op, Extreme<kMax, T>{elements<T>(y)}, in[0], p.dims); });
  });
}

/// Does `kValue` occur in a line? any looks for true, all for false.
template <bool kValue>
struct Contains {
  using In = uint8_t;
  using Acc = uint32_t;
  bool* out;

  __device__ Acc start() const { return 0; }
  __device__ Acc map(uint8_t x, int64_t) const { return (x != 0) == kValue; }
  __device__ Acc join(Acc a, Acc b) const { return a | b; }
  __device__ void store(int64_t line, Acc found) const { out[line] = (found != 0) == kValue; }
};

template <bool kAny>
void test_cuda(Tensors& out, Args in, const ReduceParams& p) {
  write_row_major(out[0], [&](const Tensor& y) {
    reduce(kAny ? any_op : all_op, Contains<kAny>{elements<bool>(y)}, in[0], p.dims);
  });
}

STRATA_KERNEL(amax_op, CUDA, extreme_cuda<true>);
STRATA_KERNEL(amin_op, CUDA, extreme_cuda<false>);
STRATA_KERNEL(any_op, CUDA, test_cuda<true>);
STRATA_KERNEL(all_op, CUDA, test_cuda<false>);

}  // namespace
}  // namespace strata::cuda::reduce
