// CUDA kernels of running sums and products.
#include "kernels/cuda/reduce/scan.cuh"

namespace strata::cuda::reduce {
namespace {

template <class T>
using Result = std::conditional_t<std::is_integral_v<T>, int64_t, T>;

template <bool kProduct, class T>
struct RunningTotal {
  using Acc = Running<T>;
  using Items = SpanPack<T>;
  const T* x;
  Result<T>* y;

  __device__ Acc start() const { return kProduct; }
  __device__ Acc join(Acc a, Acc b) const { return kProduct ? a * b : a + b; }
  __device__ Items read(const Span& s) const { return read_span(x, s); }
  __device__ Acc map(const Items& items, int j, int64_t) const { return static_cast<Acc>(items[j]); }
  __device__ void write(const Span& s, const Acc (&values)[kSpan]) const {
    SpanPack<Result<T>> results;
    STRATA_UNROLL
    for (int j = 0; j < kSpan; ++j) results[j] = convert<Result<T>>(values[j]);
    write_span(y, s, results);
  }
};

template <bool kProduct>
void running_total_cuda(Tensors& out, Args in, const ScanParams& p) {
  if (out[0].numel() == 0) return;
  ScanOperands operands(out[0], p);
  const Tensor x = operands.input(in[0]), y = operands.output(out[0]);
  visit_any_stored(x.dtype(), [&]<class T>() {
    const RunningTotal<kProduct, T> r{elements<T>(x), elements<Result<T>>(y)};
    run_scan(kProduct ? cumprod_op : cumsum_op, r, operands.plan(), y);
  });
  operands.finish(out[0], y);
}

STRATA_KERNEL(cumsum_op, CUDA, running_total_cuda<false>);
STRATA_KERNEL(cumprod_op, CUDA, running_total_cuda<true>);

}  // namespace
}  // namespace strata::cuda::reduce
