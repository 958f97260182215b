// CUDA kernels of variances, standard deviations and logsumexp: reductions in one pass over the values.
#include "kernels/cuda/reduce/reduce.cuh"
#include "ops/reduce_def.h"

namespace strata::cuda::reduce {
namespace {

/// Of n values, their mean, less the line's first element, and the sum of squares of their distances from it.
template <class C>
struct Moments {
  C n, mean, squares;
};

template <class T>
struct Variance {
  using In = T;
  using C = arithmetic::Compute<T>;
  using Acc = Moments<C>;
  T* out;
  C divisor;
  bool root;
  C shift = 0;

  /// Moments about a value of the line lose few bits where values are close to each other and far from 0.
  __device__ void enter(T x) { shift = static_cast<C>(x); }
  __device__ Acc start() const { return {0, 0, 0}; }
  __device__ Acc map(T x, int64_t) const { return {1, x - shift, (x - shift) * 0}; }
  /// Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances", 1979.
  __device__ Acc join(const Acc& a, const Acc& b) const {
    if (b.n == 0) return a;
    const C n = a.n + b.n, distance = b.mean - a.mean, share = b.n / n;
    return {n, a.mean + distance * share, a.squares + b.squares + distance * distance * (a.n * share)};
  }
  /// The moments of a pack take two passes over its registers, and one division.
  template <int n>
  __device__ void take(Acc& acc, const Pack<T, n>& x, int64_t) const {
    C mean = 0, squares = 0;
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) mean += x[j] - shift;
    mean *= C(1) / n;
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) squares += (x[j] - shift - mean) * (x[j] - shift - mean);
    acc = join(acc, {n, mean, squares});
  }
  __device__ void store(int64_t line, const Acc& of) const {
    const C variance = of.n > 0 ? of.squares / divisor : std::numeric_limits<C>::quiet_NaN();
    out[line] = static_cast<T>(root ? std::sqrt(variance) : variance);
  }
};

void variance(const Op& op, const Tensor& out, const Tensor& x, const VarParams& p, bool root) {
  double n = 1;
  for (const int64_t d : p.dims) n *= x.dim() ? static_cast<double>(x.sizes()[d]) : 1;
  const double divisor = std::max(0.0, n - p.correction);
  write_row_major(out, [&](const Tensor& y) {
    visit_floating(op.name(), x.dtype(), [&]<class T>() {
      using C = arithmetic::Compute<T>;
      reduce(op, Variance<T>{elements<T>(y), static_cast<C>(divisor), root}, x, p.dims);
    });
  });
}
void var_cuda(Tensors& out, Args in, const VarParams& p) { variance(var_op, out[0], in[0], p, false); }
void std_cuda(Tensors& out, Args in, const VarParams& p) { variance(std_op, out[0], in[0], p, true); }

/// The largest of some values and the sum of exp(value - largest).
template <class C>
struct Exponentials {
  C max, sum;
};

template <class T>
struct LogSumExp {
  using In = T;
  using C = arithmetic::Compute<T>;
  using Acc = Exponentials<C>;
  T* out;

  __device__ Acc start() const { return {least<true, C>(), 0}; }
  __device__ Acc map(T x, int64_t) const { return {static_cast<C>(x), 1}; }
  /// What to subtract in exponents: while all values are -inf nothing, or there would be NaN.
  __device__ static C shift(C max) { return max == least<true, C>() ? 0 : max; }
  __device__ Acc join(const Acc& a, const Acc& b) const {
    const C max = extreme<true>(a.max, b.max), s = shift(max);
    return {max, a.sum * std::exp(a.max - s) + b.sum * std::exp(b.max - s)};
  }
  template <int n>
  __device__ void take(Acc& acc, const Pack<T, n>& x, int64_t) const {
    C max = acc.max;
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) max = extreme<true>(max, static_cast<C>(x[j]));
    const C s = shift(max);
    C sum = acc.sum * std::exp(acc.max - s);
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) sum += std::exp(x[j] - s);
    acc = {max, sum};
  }
  /// An infinite or NaN maximum is the result itself.
  __device__ void store(int64_t line, const Acc& of) const {
    out[line] = static_cast<T>(of.max - of.max == 0 ? of.max + std::log(of.sum) : of.max);
  }
};

void logsumexp_cuda(Tensors& out, Args in, const ReduceParams& p) {
  write_row_major(out[0], [&](const Tensor& y) {
    visit_floating("logsumexp", in[0].dtype(),
                   [&]<class T>() { reduce(logsumexp_op, LogSumExp<T>{elements<T>(y)}, in[0], p.dims); });
  });
}

STRATA_KERNEL(var_op, CUDA, var_cuda);
STRATA_KERNEL(std_op, CUDA, std_cuda);
STRATA_KERNEL(logsumexp_op, CUDA, logsumexp_cuda);

}  // namespace
}  // namespace strata::cuda::reduce
