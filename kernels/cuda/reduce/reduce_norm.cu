// CUDA kernels of p-norms.
#include "kernels/cuda/reduce/reduce.cuh"
#include "ops/reduce_def.h"

namespace strata::cuda::reduce {
namespace {

/// Sums of squares (p = 2) or of magnitudes (p = 1).
template <class T>
struct PlainNorm {
  using In = T;
  using Acc = arithmetic::Compute<T>;
  T* out;
  bool squares;

  __device__ Acc start() const { return 0; }
  __device__ Acc map(T x, int64_t) const {
    const Acc value = static_cast<Acc>(x);
    return squares ? value * value : std::abs(value);
  }
  __device__ Acc join(Acc a, Acc b) const { return a + b; }
  __device__ void store(int64_t line, Acc sum) const { out[line] = static_cast<T>(squares ? std::sqrt(sum) : sum); }
};

/// Of any other p; for 0 the number of values that are not 0.
template <class T>
struct PowerNorm {
  using In = T;
  using Acc = arithmetic::Compute<T>;
  T* out;
  Acc p, root;

  __device__ Acc start() const { return 0; }
  __device__ Acc map(T x, int64_t) const {
    const Acc value = static_cast<Acc>(x);
    return p == 0 ? Acc(value != 0) : std::pow(std::abs(value), p);
  }
  __device__ Acc join(Acc a, Acc b) const { return a + b; }
  __device__ void store(int64_t line, Acc sum) const { out[line] = static_cast<T>(p == 0 ? sum : std::pow(sum, root)); }
};

/// The largest magnitude (p = inf) or the smallest (p = -inf).
template <bool kMax, class T>
struct ExtremeNorm {
  using In = T;
  using Acc = arithmetic::Compute<T>;
  T* out;

  __device__ Acc start() const { return least<kMax, Acc>(); }
  __device__ Acc map(T x, int64_t) const { return std::abs(static_cast<Acc>(x)); }
  __device__ Acc join(Acc a, Acc b) const { return extreme<kMax>(a, b); }
  __device__ void store(int64_t line, Acc value) const { out[line] = static_cast<T>(value); }
};

template <class T>
void norm(const Tensor& out, const Tensor& x, const NormParams& p) {
  using C = arithmetic::Compute<T>;
  T* const y = elements<T>(out);
  if (std::isinf(p.p)) {
    if (p.p > 0) return reduce(norm_op, ExtremeNorm<true, T>{y}, x, p.dims);
    return reduce(norm_op, ExtremeNorm<false, T>{y}, x, p.dims);
  }
  if (p.p == 1 || p.p == 2) return reduce(norm_op, PlainNorm<T>{y, p.p == 2}, x, p.dims);
  reduce(norm_op, PowerNorm<T>{y, static_cast<C>(p.p), static_cast<C>(1 / p.p)}, x, p.dims);
}

void norm_cuda(Tensors& out, Args in, const NormParams& p) {
  write_row_major(out[0], [&](const Tensor& y) {
    visit_floating("norm", in[0].dtype(), [&]<class T>() { norm<T>(y, in[0], p); });
  });
}

STRATA_KERNEL(norm_op, CUDA, norm_cuda);

}  // namespace
}  // namespace strata::cuda::reduce
