// CUDA kernels of pooling. Gradients look from each input at the outputs whose windows hold it, in their order: no
// atomics, and the CPU's sums.
#include <limits>

#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/common/dense.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/pool_window.h"
#include "kernels/visit_floating.h"

namespace strata::cuda::pool {
namespace {

/// Windows of planes; sizes of planes are below 2^31.
struct Planes {
  WindowDim<int> rows, cols;
  explicit Planes(const PoolParams& p) : rows(window_rows<int>(p)), cols(window_cols<int>(p)) {}
  __device__ int64_t in(int64_t plane, int h, int w) const { return (plane * rows.in + h) * cols.in + w; }
  __device__ int64_t out(int64_t plane, int h, int w) const { return (plane * rows.out + h) * cols.out + w; }
};

/// What 16-bit elements are compared and added up in is float.
template <class T>
using Sum = arithmetic::Compute<T>;

template <class T>
struct MaxPool {
  Planes p;
  const T* x;
  T* y;
  int64_t* index;  ///< may be null
  __device__ void operator()(int64_t plane, int oh, int ow) const {
    const Window<int> r = p.rows.at(oh), c = p.cols.at(ow);
    Sum<T> best = -std::numeric_limits<Sum<T>>::infinity();
    int at_h = r.begin, at_w = c.begin;
    for (int h = r.begin; h < r.end; h += p.rows.step()) {
      for (int w = c.begin; w < c.end; w += p.cols.step()) {
        const auto v = static_cast<Sum<T>>(x[p.in(plane, h, w)]);
        if (v > best || v != v) best = v, at_h = h, at_w = w;
      }
    }
    const int64_t at = p.out(plane, oh, ow);
    y[at] = static_cast<T>(best);
    if (index) index[at] = r.begin >= r.end || c.begin >= c.end ? kNowhere : int64_t{at_h} * p.cols.in + at_w;
  }
};

/// Calls f(position in the output) for the windows that input (h, w) may be in, in their order.
template <class F>
__device__ void for_windows_with(const Planes& p, int64_t plane, int h, int w, F f) {
  const int last_h = p.rows.last_with(h), first_w = p.cols.first_with(w), last_w = p.cols.last_with(w);
  for (int oh = p.rows.first_with(h); oh <= last_h; ++oh)
    for (int ow = first_w; ow <= last_w; ++ow) f(oh, ow, p.out(plane, oh, ow));
}

template <class T>
struct MaxPoolScatter {
  Planes p;
  const T* g;
  const int64_t* index;
  T* gx;
  __device__ void operator()(int64_t plane, int h, int w) const {
    const int64_t here = int64_t{h} * p.cols.in + w;
    Sum<T> sum = 0;
    for_windows_with(p, plane, h, w, [&](int, int, int64_t at) {
      if (index[at] == here) sum += static_cast<Sum<T>>(g[at]);
    });
    gx[p.in(plane, h, w)] = static_cast<T>(sum);
  }
  /// Does the o-th output of a plane belong to an input that does not look at it, being outside its window?
  __device__ bool is_stray(int64_t plane, int o) const {
    const int64_t at = index[p.out(plane, 0, 0) + o];
    if (at == kNowhere) return false;
    const int oh = o / p.cols.out, ow = o % p.cols.out;
    const int h = static_cast<int>(at) / p.cols.in, w = static_cast<int>(at) % p.cols.in;
    return oh < p.rows.first_with(h) || oh > p.rows.last_with(h) || ow < p.cols.first_with(w) ||
           ow > p.cols.last_with(w);
  }
};

/// Adds what comes from indices that max_pool did not give, in order: one block looks for it in each plane.
template <class T>
__global__ void __launch_bounds__(kThreads) strays_kernel(MaxPoolScatter<T> f) {
  const int64_t plane = blockIdx.x;
  const int outputs = f.p.rows.out * f.p.cols.out;
  int strays = 0;
  for (int o = static_cast<int>(threadIdx.x); o < outputs; o += kThreads) strays += f.is_stray(plane, o);
  strays = block_reduce<kThreads>(strays, [](int a, int b) { return a + b; });
  if (strays == 0 || threadIdx.x != 0) return;
  T* const gx = f.gx + f.p.in(plane, 0, 0);
  const int64_t first = f.p.out(plane, 0, 0);
  for (int o = 0; o < outputs; ++o) {
    if (!f.is_stray(plane, o)) continue;
    T& sum = gx[f.index[first + o]];
    sum = static_cast<T>(static_cast<Sum<T>>(sum) + static_cast<Sum<T>>(f.g[first + o]));
  }
}

template <class T>
struct MaxPoolGather {
  Planes p;
  const T* x;
  const int64_t* index;
  T* y;
  __device__ void operator()(int64_t plane, int oh, int ow) const {
    const int64_t at = p.out(plane, oh, ow), from = index[at];
    y[at] = from == kNowhere ? T(0) : x[p.in(plane, 0, 0) + from];
  }
};

struct Average {
  int64_t divisor;
  bool count_include_pad;
  explicit Average(const AvgPoolParams& p) : divisor(p.divisor), count_include_pad(p.count_include_pad) {}
  template <class T>
  __device__ T of(T sum, const Window<int>& r, const Window<int>& c) const {
    return sum / window_divisor<T>(divisor, count_include_pad, r, c);
  }
};

template <class T>
struct AvgPool {
  Planes p;
  Average average;
  const T* x;
  T* y;
  __device__ void operator()(int64_t plane, int oh, int ow) const {
    const Window<int> r = p.rows.at(oh), c = p.cols.at(ow);
    Sum<T> sum = 0;
    for (int h = r.begin; h < r.end; ++h)
      for (int w = c.begin; w < c.end; ++w) sum += static_cast<Sum<T>>(x[p.in(plane, h, w)]);
    y[p.out(plane, oh, ow)] = static_cast<T>(average.of(sum, r, c));
  }
};

template <class T>
struct AvgPoolBackward {
  Planes p;
  Average average;
  const T* g;
  T* gx;
  __device__ void operator()(int64_t plane, int h, int w) const {
    Sum<T> sum = 0;
    for_windows_with(p, plane, h, w, [&](int oh, int ow, int64_t at) {
      const Window<int> r = p.rows.at(oh), c = p.cols.at(ow);
      if (h < r.end && w < c.end) sum += average.of(static_cast<Sum<T>>(g[at]), r, c);
    });
    gx[p.in(plane, h, w)] = static_cast<T>(sum);
  }
};

/// f(plane, h, w) for all elements of planes: `lanes` threads along each row.
template <class F>
__global__ void __launch_bounds__(kThreads, 3) planes_kernel(F f, int64_t rows, int height, int width, int lanes) {
  const int64_t row = int64_t{blockIdx.x} * (kThreads / lanes) + threadIdx.x / lanes;
  if (row >= rows) return;
  const int64_t plane = rows <= UINT32_MAX ? static_cast<uint32_t>(row) / static_cast<uint32_t>(height) : row / height;
  const int h = static_cast<int>(row - plane * height);
  for (int w = static_cast<int>(threadIdx.x) & (lanes - 1); w < width; w += lanes) f(plane, h, w);
}

/// The same for the elements of `t`.
template <class F>
void for_planes(const Op& op, const Tensor& t, const F& f) {
  if (t.numel() == 0) return;
  const int64_t width = t.size(-1), rows = t.numel() / width;
  int lanes = 1;
  while (lanes < kThreads && lanes < width) lanes *= 2;
  const int64_t rows_per_block = kThreads / lanes;
  start(op.name(), planes_kernel<F>, {static_cast<unsigned>((rows + rows_per_block - 1) / rows_per_block)},
        stream_of(t), f, rows, static_cast<int>(t.size(-2)), static_cast<int>(width), lanes);
}

void max_pool_cuda(Tensors& out, Args in, const PoolParams& p) {
  visit_floating(max_pool_op.name(), in[0].dtype(), [&]<class T>() {
    for_planes(max_pool_op, out[0],
               MaxPool<T>{Planes(p), in[0].data_ptr<T>(), out[0].data_ptr<T>(), out[1].data_ptr<int64_t>()});
  });
}
void max_pool_values_cuda(Tensors& out, Args in, const PoolParams& p) {
  visit_floating(max_pool_values_op.name(), in[0].dtype(), [&]<class T>() {
    for_planes(max_pool_values_op, out[0], MaxPool<T>{Planes(p), in[0].data_ptr<T>(), out[0].data_ptr<T>(), nullptr});
  });
}
void max_pool_scatter_cuda(Tensors& out, Args in, const PoolParams& p) {
  visit_floating(max_pool_scatter_op.name(), in[0].dtype(), [&]<class T>() {
    const MaxPoolScatter<T> f{Planes(p), in[0].data_ptr<T>(), in[1].data_ptr<int64_t>(), out[0].data_ptr<T>()};
    for_planes(max_pool_scatter_op, out[0], f);
    if (in[0].numel() == 0) return;
    const int64_t planes = in[0].numel() / (p.oh * p.ow);
    start(max_pool_scatter_op.name(), strays_kernel<T>, {static_cast<unsigned>(planes)}, stream_of(out[0]), f);
  });
}
void max_pool_gather_cuda(Tensors& out, Args in, const PoolParams& p) {
  visit_floating(max_pool_gather_op.name(), in[0].dtype(), [&]<class T>() {
    for_planes(max_pool_gather_op, out[0],
               MaxPoolGather<T>{Planes(p), in[0].data_ptr<T>(), in[1].data_ptr<int64_t>(), out[0].data_ptr<T>()});
  });
}
void avg_pool_cuda(Tensors& out, Args in, const AvgPoolParams& p) {
  visit_floating(avg_pool_op.name(), in[0].dtype(), [&]<class T>() {
    for_planes(avg_pool_op, out[0], AvgPool<T>{Planes(p), Average(p), in[0].data_ptr<T>(), out[0].data_ptr<T>()});
  });
}
void avg_pool_backward_cuda(Tensors& out, Args in, const AvgPoolParams& p) {
  visit_floating(avg_pool_backward_op.name(), in[0].dtype(), [&]<class T>() {
    for_planes(avg_pool_backward_op, out[0],
               AvgPoolBackward<T>{Planes(p), Average(p), in[0].data_ptr<T>(), out[0].data_ptr<T>()});
  });
}

STRATA_KERNEL(max_pool_op, CUDA, RowMajor<max_pool_cuda>::run);
STRATA_KERNEL(max_pool_values_op, CUDA, RowMajor<max_pool_values_cuda>::run);
STRATA_KERNEL(max_pool_scatter_op, CUDA, RowMajor<max_pool_scatter_cuda>::run);
STRATA_KERNEL(max_pool_gather_op, CUDA, RowMajor<max_pool_gather_cuda>::run);
STRATA_KERNEL(avg_pool_op, CUDA, RowMajor<avg_pool_cuda>::run);
STRATA_KERNEL(avg_pool_backward_op, CUDA, RowMajor<avg_pool_backward_cuda>::run);

}  // namespace
}  // namespace strata::cuda::pool
