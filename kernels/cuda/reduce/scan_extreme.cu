// CUDA kernels of running extremes and where they were met.
#include "kernels/cuda/reduce/scan.cuh"

namespace strata::cuda::reduce {
namespace {

template <class T>
struct Met {
  T value;
  int64_t index;
};

template <bool kMax, class T>
struct RunningExtreme {
  using C = arithmetic::Compute<T>;
  using Acc = Met<C>;
  using Items = SpanPack<T>;
  const T* x;
  T* values;
  int64_t* indices;

  __device__ Acc start() const { return {least<kMax, C>(), -1}; }
  /// Of equals the last counts, and any NaN is beyond what is no NaN.
  __device__ Acc join(const Acc& a, const Acc& b) const {
    if (b.index < 0) return a;
    const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
    return b_nan || (!a_nan && (kMax ? b.value >= a.value : b.value <= a.value)) ? b : a;
  }
  __device__ Items read(const Span& s) const { return read_span(x, s); }
  __device__ Acc map(const Items& items, int j, int64_t i) const { return {static_cast<C>(items[j]), i}; }
  __device__ void write(const Span& s, const Acc (&met)[kSpan]) const {
    SpanPack<T> best;
    SpanPack<int64_t> at;
    STRATA_UNROLL
    for (int j = 0; j < kSpan; ++j) {
      best[j] = static_cast<T>(met[j].value);
      at[j] = met[j].index;
    }
    write_span(values, s, best);
    write_span(indices, s, at);
  }
};

/// Always from the first element on, as on the CPU.
template <bool kMax>
void running_extreme_cuda(Tensors& out, Args in, const ScanParams& p) {
  if (in[0].numel() == 0) return;
  ScanOperands operands(in[0], {p.dim, false});
  const Tensor x = operands.input(in[0]), values = operands.output(out[0]), indices = operands.output(out[1]);
  visit_stored(x.dtype(), [&]<class T>() {
    const RunningExtreme<kMax, T> r{elements<T>(x), elements<T>(values), elements<int64_t>(indices)};
    run_scan(kMax ? cummax_op : cummin_op, r, operands.plan(), x);
  });
  operands.finish(out[0], values);
  operands.finish(out[1], indices);
}

STRATA_KERNEL(cummax_op, CUDA, running_extreme_cuda<true>);
STRATA_KERNEL(cummin_op, CUDA, running_extreme_cuda<false>);

}  // namespace
}  // namespace strata::cuda::reduce
