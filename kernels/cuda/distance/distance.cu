// CUDA kernels of distances between all pairs of vectors, a thread for each pair, and of the gradient of 1-norms.
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/dense.h"
#include "kernels/cuda/runtime/launch.h"
#include "ops/distance_def.h"

namespace strata::cuda::distance {
namespace {

template <class T>
struct Pairs {
  const T *a, *b;
  T* y;
  int64_t m, n, k, count;
  double p;

  __device__ T join(T sum, T d) const {
    const T size = d < 0 ? -d : d;
    if (p == 0) return sum + (d == 0 ? T(0) : d == d ? T(1) : d);
    if (p == 1) return sum + size;
    if (p == 2) return sum + d * d;
    if (p == INFINITY) return size > sum || size != size ? size : sum;
    return sum + static_cast<T>(pow(size, static_cast<T>(p)));
  }
  __device__ T finish(T sum) const {
    if (p == 2) return static_cast<T>(sqrt(sum));
    return p == 0 || p == 1 || p == INFINITY ? sum : static_cast<T>(pow(sum, static_cast<T>(1 / p)));
  }
};

template <class T>
__global__ void __launch_bounds__(kThreads) pairs_kernel(Pairs<T> f) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < f.count; i += step) {
    const int64_t row = i / f.n, other = row / f.m * f.n + i % f.n;
    T sum = 0;
    for (int64_t c = 0; c < f.k; ++c) sum = f.join(sum, f.a[row * f.k + c] - f.b[other * f.k + c]);
    f.y[i] = f.finish(sum);
  }
}

void cdist_cuda(Tensors& out, Args in, const CdistParams& p) {
  if (out[0].numel() == 0) return;
  const auto run = [&]<class T>() {
    const Pairs<T> f{in[0].data_ptr<T>(), in[1].data_ptr<T>(), out[0].data_ptr<T>(), in[0].size(-2),
                     in[1].size(-2),      in[0].size(-1),      out[0].numel(),       p.p};
    start(cdist_op.name(), pairs_kernel<T>, {grid(f.count)}, stream_of(out[0]), f);
  };
  out[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

struct ByDifference {
  static std::string_view name() { return pull_differences_op.name(); }
  template <class T>
  __device__ static T term(T g, T difference) {
    return g * difference;
  }
};
struct BySign {
  static std::string_view name() { return pull_signs_op.name(); }
  /// What is neither above nor below 0 is 0, or NaN, which has no sign and shows.
  template <class T>
  __device__ static T term(T g, T difference) {
    return difference > 0 ? g : difference < 0 ? -g : difference;
  }
};

/// A thread for each element of the result.
template <class T>
struct Pull {
  const T *g, *a, *b;
  T* y;
  int64_t m, n, k, count;
};

template <class By, class T>
__global__ void __launch_bounds__(kThreads) pull_kernel(Pull<T> f) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < f.count; i += step) {
    const int64_t row = i / f.k, column = i % f.k;
    const T *const g = f.g + row * f.n, *const b = f.b + row / f.m * f.n * f.k + column;
    const T at = f.a[i];
    T sum = 0;
    for (int64_t j = 0; j < f.n; ++j) sum += By::term(g[j], at - b[j * f.k]);
    f.y[i] = sum;
  }
}

template <class By>
void pull_cuda(Tensors& out, Args in, const NoParams&) {
  if (out[0].numel() == 0) return;
  const auto run = [&]<class T>() {
    const Pull<T> f{in[0].data_ptr<T>(), in[1].data_ptr<T>(), in[2].data_ptr<T>(), out[0].data_ptr<T>(),
                    in[1].size(-2),      in[2].size(-2),      in[1].size(-1),      out[0].numel()};
    start(By::name(), pull_kernel<By, T>, {grid(f.count)}, stream_of(out[0]), f);
  };
  out[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

STRATA_KERNEL(pull_signs_op, CUDA, RowMajor<pull_cuda<BySign>>::run);
STRATA_KERNEL(pull_differences_op, CUDA, RowMajor<pull_cuda<ByDifference>>::run);
STRATA_KERNEL(cdist_op, CUDA, RowMajor<cdist_cuda>::run);

}  // namespace
}  // namespace strata::cuda::distance
