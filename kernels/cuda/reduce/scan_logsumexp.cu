// CUDA kernel of the logarithm of running sums of exponentials.
#include "kernels/cuda/reduce/scan.cuh"
#include "kernels/visit_floating.h"

namespace strata::cuda::reduce {
namespace {

/// The sum of exp(x - most) over some elements, `most` being the largest of them.
struct RunningExponentials {
  double most, sum;
};

template <class T>
struct LogCumSumExp {
  using Acc = RunningExponentials;
  using Items = SpanPack<T>;
  const T* x;
  T* y;

  __device__ Acc start() const { return {-INFINITY, 0}; }
  /// A NaN on either side makes the sum one.
  __device__ Acc join(const Acc& a, const Acc& b) const {
    if (a.most == b.most) return {a.most, a.sum + b.sum};
    if (a.most > b.most) return {a.most, a.sum + b.sum * exp(b.most - a.most)};
    return {b.most, a.sum * exp(a.most - b.most) + b.sum};
  }
  __device__ Items read(const Span& s) const { return read_span(x, s); }
  __device__ Acc map(const Items& items, int j, int64_t) const { return {static_cast<double>(items[j]), 1}; }
  __device__ void write(const Span& s, const Acc (&values)[kSpan]) const {
    SpanPack<T> results;
    STRATA_UNROLL
    for (int j = 0; j < kSpan; ++j) results[j] = convert<T>(values[j].most + log(values[j].sum));
    write_span(y, s, results);
  }
};

void logcumsumexp_cuda(Tensors& out, Args in, const ScanParams& p) {
  if (out[0].numel() == 0) return;
  ScanOperands operands(out[0], p);
  const Tensor x = operands.input(in[0]), y = operands.output(out[0]);
  visit_floating(logcumsumexp_op.name(), x.dtype(), [&]<class T>() {
    run_scan(logcumsumexp_op, LogCumSumExp<T>{elements<T>(x), elements<T>(y)}, operands.plan(), y);
  });
  operands.finish(out[0], y);
}

STRATA_KERNEL(logcumsumexp_op, CUDA, logcumsumexp_cuda);

}  // namespace
}  // namespace strata::cuda::reduce
