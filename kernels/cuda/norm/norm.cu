// CUDA kernels of the normalisation ops: chooses between rows in registers and slices of any size.
#include "kernels/cuda/norm/norm.cuh"

#include "dispatcher/kernel.h"
#include "kernels/cuda/common/dense.h"
#include "kernels/visit_floating.h"
#include "ops/norm_def.h"

namespace strata::cuda::norm {
namespace {

// Weights of channels within groups: ops of their own around the kernels that know none. group_norm does the same with
// public functions on a CUDA device, so only a program recorded elsewhere comes here.

/// The channels of x `(1, samples * groups, S)`, each a run of values.
struct Channels {
  int64_t count, run, groups, samples;
  Channels(const Tensor& x, const NormalizeParams& p)
      : count(p.channels), run(x.size(2) * p.groups / p.channels), groups(p.groups), samples(x.size(1) / p.groups) {}
};

/// out = from * weight + bias, both of them by channel; null counts as 1 and 0.
template <class T, class C>
__global__ void scale_channels(T* out, const T* from, const C* w, const C* b, Channels k, int64_t count) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const int64_t channel = i / k.run % k.count;
    const C scaled = static_cast<C>(from[i]) * (w ? w[channel] : C(1));
    out[i] = static_cast<T>(scaled + (b ? b[channel] : C(0)));
  }
}

/// A thread adds up the gradients of one channel's weight and bias.
template <class T>
__global__ void sum_channels(Gradients<T> t, Channels k) {
  using C = arithmetic::Compute<T>;
  const int64_t channel = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (channel >= k.count) return;
  C gw = 0, gb = 0;
  for (int64_t n = 0; n < k.samples; ++n) {
    const int64_t slice = n * k.groups + channel / (k.count / k.groups), at = (n * k.count + channel) * k.run;
    for (int64_t i = at; i < at + k.run; ++i) {
      const C g = static_cast<C>(t.g[i]);
      gb += g;
      gw += g * (static_cast<C>(t.x[i]) - t.mean[slice]) * t.rstd[slice];
    }
  }
  t.gw[channel] = gw;
  t.gb[channel] = gb;
}

template <class T>
void normalize_groups(const Tensor& x, Normalize<T> t, const NormalizeParams& p) {
  const auto *w = t.w, *b = t.b;
  t.w = t.b = nullptr;
  if (!normalize_rows(x, t)) normalize_slices(x, t);
  start(kNormalize, scale_channels<T, arithmetic::Compute<T>>, {grid(x.numel())}, stream_of(x), t.y, t.y, w, b,
        Channels(x, p), x.numel());
}

template <class T>
void normalize_groups_backward(const Tensor& x, Gradients<T> t, const NormalizeParams& p) {
  using C = arithmetic::Compute<T>;
  const Channels k(x, p);
  start(kNormalizeBackward, sum_channels<T>, {blocks_for(k.count)}, stream_of(x), t, k);
  const Tensor scaled = empty_on_device(x.sizes(), x.dtype(), x.device());
  const Tensor unused = empty_on_device({2, x.size(1)}, (x.dtype() == kDouble ? kDouble : kFloat), x.device());
  start(kNormalizeBackward, scale_channels<T, C>, {grid(x.numel())}, stream_of(x), scaled.data_ptr<T>(), t.g, t.w,
        static_cast<const C*>(nullptr), k, x.numel());
  t.g = scaled.data_ptr<T>(), t.w = nullptr;
  t.gw = unused.data_ptr<C>(), t.gb = t.gw + x.size(1);
  if (!normalize_rows_backward(x, t)) normalize_slices_backward(x, t);
}

void normalize_cuda(Tensors& out, Args in, const NormalizeParams& p) {
  const Tensor& x = in[0];
  visit_floating(kNormalize, x.dtype(), [&]<class T>() {
    using C = arithmetic::Compute<T>;
    const Normalize<T> t{x.data_ptr<T>(),      data_or_null<C>(in[1]), data_or_null<C>(in[2]), out[0].data_ptr<T>(),
                         out[1].data_ptr<C>(), out[2].data_ptr<C>(),   static_cast<C>(p.eps),  p.affine_dim == 2};
    if (p.channels > 0) return normalize_groups(x, t, p);
    if (!normalize_rows(x, t)) normalize_slices(x, t);
  });
}

void normalize_backward_cuda(Tensors& out, Args in, const NormalizeParams& p) {
  const Tensor& x = in[1];
  visit_floating(kNormalizeBackward, x.dtype(), [&]<class T>() {
    using C = arithmetic::Compute<T>;
    const Gradients<T> t{in[0].data_ptr<T>(),  x.data_ptr<T>(),        in[2].data_ptr<C>(),
                         in[3].data_ptr<C>(),  data_or_null<C>(in[4]), out[0].data_ptr<T>(),
                         out[1].data_ptr<C>(), out[2].data_ptr<C>(),   p.affine_dim == 2};
    if (p.channels > 0) return normalize_groups_backward(x, t, p);
    if (!normalize_rows_backward(x, t)) normalize_slices_backward(x, t);
  });
}

STRATA_KERNEL(normalize_op, CUDA, RowMajor<normalize_cuda>::run);
STRATA_KERNEL(normalize_backward_op, CUDA, RowMajor<normalize_backward_cuda>::run);

}  // namespace
}  // namespace strata::cuda::norm
