// CUDA kernels of sums and means.
#include "kernels/cuda/reduce/reduce.cuh"
#include "ops/reduce_def.h"

namespace strata::cuda::reduce {
namespace {

/// What sums of T are divided by.
template <class T>
struct DivisorOf {
  using type = Total<T>;
};
template <class T>
struct DivisorOf<Complex<T>> {
  using type = T;
};
template <class T>
using Divisor = typename DivisorOf<T>::type;

template <class T>
struct Sum {
  using In = T;
  using Acc = Total<T>;
  using Out = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  Out* out;
  Divisor<T> divisor = 1;

  __device__ Acc start() const { return 0; }
  __device__ Acc map(T x, int64_t) const { return static_cast<Acc>(x); }
  __device__ Acc join(Acc a, Acc b) const { return a + b; }
  __device__ void store(int64_t line, Acc sum) const {
    out[line] = static_cast<Out>(std::is_integral_v<T> ? sum : sum / divisor);
  }
};

/// NaN counts as 0.
template <class T>
struct SumNumbers : Sum<T> {
  __device__ typename Sum<T>::Acc map(T x, int64_t) const {
    const auto value = static_cast<typename Sum<T>::Acc>(x);
    return value != value ? 0 : value;
  }
};

void nansum_cuda(Tensors& out, Args in, const ReduceParams& p) {
  write_row_major(out[0], [&](const Tensor& y) {
    visit_floating("nansum", in[0].dtype(), [&]<class T>() {
      SumNumbers<T> sums;
      sums.out = elements<T>(y);
      reduce(nansum_op, sums, in[0], p.dims);
    });
  });
}

void sum_cuda(Tensors& out, Args in, const ReduceParams& p) {
  write_row_major(out[0], [&](const Tensor& y) {
    visit_any_stored(in[0].dtype(),
                     [&]<class T>() { reduce(sum_op, Sum<T>{elements<typename Sum<T>::Out>(y)}, in[0], p.dims); });
  });
}

void mean_cuda(Tensors& out, Args in, const ReduceParams& p) {
  double n = 1;
  for (const int64_t d : p.dims) n *= in[0].dim() ? static_cast<double>(in[0].sizes()[d]) : 1;
  write_row_major(out[0], [&](const Tensor& y) {
    const auto run = [&]<class T>() {
      reduce(mean_op, Sum<T>{elements<T>(y), static_cast<Divisor<T>>(n)}, in[0], p.dims);
    };
    is_complex(y.dtype()) ? visit_complex(y.dtype(), run) : visit_floating("mean", y.dtype(), run);
  });
}

STRATA_KERNEL(sum_op, CUDA, sum_cuda);
STRATA_KERNEL(nansum_op, CUDA, nansum_cuda);
STRATA_KERNEL(mean_op, CUDA, mean_cuda);

}  // namespace
}  // namespace strata::cuda::reduce
