// CUDA kernel of affine recurrences, y[i] = a[i] * y[i - 1] + b[i].
#include "kernels/cuda/reduce/scan.cuh"

namespace strata::cuda::reduce {
namespace {

/// y -> a * y + b
template <class A>
struct Affine {
  A a, b;
};

template <class T>
struct AffineScan {
  using A = Running<T>;
  using Out = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  using Acc = Affine<A>;
  struct Items {
    SpanPack<T> a, b;
  };
  const T* a;
  const T* b;
  Out* y;

  __device__ Acc start() const { return {1, 0}; }
  __device__ Acc join(const Acc& p, const Acc& q) const { return {q.a * p.a, q.a * p.b + q.b}; }
  __device__ Items read(const Span& s) const { return {read_span(a, s), read_span(b, s)}; }
  /// The first multiplier is not used: it may be infinite.
  __device__ Acc map(const Items& items, int j, int64_t i) const {
    return {i == 0 ? A(0) : static_cast<A>(items.a[j]), static_cast<A>(items.b[j])};
  }
  __device__ void write(const Span& s, const Acc (&values)[kSpan]) const {
    SpanPack<Out> results;
    STRATA_UNROLL
    for (int j = 0; j < kSpan; ++j) results[j] = convert<Out>(values[j].b);
    write_span(y, s, results);
  }
};

void affine_scan_cuda(Tensors& out, Args in, const ScanParams& p) {
  if (out[0].numel() == 0) return;
  ScanOperands operands(out[0], p);
  const Tensor a = operands.input(in[0]), b = operands.input(in[1]), y = operands.output(out[0]);
  visit_any_stored(a.dtype(), [&]<class T>() {
    const AffineScan<T> r{elements<T>(a), elements<T>(b), elements<typename AffineScan<T>::Out>(y)};
    run_scan(affine_scan_op, r, operands.plan(), y);
  });
  operands.finish(out[0], y);
}

STRATA_KERNEL(affine_scan_op, CUDA, affine_scan_cuda);

}  // namespace
}  // namespace strata::cuda::reduce
