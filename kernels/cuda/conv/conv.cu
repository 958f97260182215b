// The convolution ops' CUDA kernels: cuDNN where it is there and takes them, else plain sums, one output at a time.
#include "kernels/cuda/conv/conv.h"

#include <cmath>

#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/visit_floating.h"

namespace strata::cuda::conv {
namespace {

/// Two dims and a volume, with any strides.
template <class T>
struct View {
  T* data;
  int64_t strides[5];
  __device__ T& at(int64_t i, int64_t j, int64_t d, int64_t h, int64_t w) const {
    return data[i * strides[0] + j * strides[1] + d * strides[2] + h * strides[3] + w * strides[4]];
  }
};
/// Tensors of four dims get a depth of 1.
template <class T>
View<T> view_of(const Tensor& t) {
  const IntArrayRef s = t.strides();
  const size_t plane = s.size() - 2;
  return {t.data_ptr<std::remove_const_t<T>>(), {s[0], s[1], plane == 3 ? s[2] : 0, s[plane], s[plane + 1]}};
}

/// The geometry, with the sizes that come from the tensors; channels are those of a group.
struct Geometry {
  ConvParams p;
  int64_t images, in_channels, out_channels;
};

/// Where an output is.
struct Index {
  int64_t at[5];
  __device__ Index(int64_t i, int64_t channels, int64_t depth, int64_t rows, int64_t cols)
      : at{i / cols / rows / depth / channels, i / cols / rows / depth % channels, i / cols / rows % depth,
           i / cols % rows, i % cols} {}
};

template <class T>
using Sum = arithmetic::Compute<T>;
template <class T>
__device__ Sum<T> multiply_add(T a, T b, Sum<T> sum) {
  return std::fma(static_cast<Sum<T>>(a), static_cast<Sum<T>>(b), sum);
}

template <class T>
__global__ void forward_kernel(const Geometry g, const View<const T> x, const View<const T> w, const T* bias,
                               int64_t bias_stride, const View<T> y, int64_t numel) {
  const ConvParams& p = g.p;
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < numel; i += step) {
    const Index out(i, p.groups * g.out_channels, p.od, p.oh, p.ow);
    const auto [n, o, od, oh, ow] = out.at;
    const int64_t first = o / g.out_channels * g.in_channels;
    Sum<T> sum = bias ? static_cast<Sum<T>>(bias[o * bias_stride]) : Sum<T>(0);
    for (int64_t c = 0; c < g.in_channels; ++c) {
      Sum<T> of_channel = 0;
      for (int64_t k = 0; k < p.kd * p.kh; ++k) {
        const int64_t kd = k / p.kh, kh = k % p.kh;
        const int64_t d = od * p.sd + kd * p.dd - p.pd, h = oh * p.sh + kh * p.dh - p.ph;
        if (d < 0 || d >= p.id || h < 0 || h >= p.ih) continue;
        for (int64_t kw = 0; kw < p.kw; ++kw) {
          const int64_t v = ow * p.sw + kw * p.dw - p.pw;
          if (v < 0 || v >= p.iw) continue;
          of_channel = multiply_add(x.at(n, first + c, d, h, v), w.at(o, c, kd, kh, kw), of_channel);
        }
      }
      sum += of_channel;
    }
    y.at(n, o, od, oh, ow) = static_cast<T>(sum);
  }
}

/// The output position whose window has tap `k` at input position `i`; negative if none.
__device__ inline int64_t output_of(int64_t i, int64_t k, int64_t stride, int64_t pad, int64_t dilation, int64_t size) {
  const int64_t at = i + pad - k * dilation;
  return at < 0 || at % stride != 0 || at / stride >= size ? -1 : at / stride;
}

template <class T>
__global__ void input_kernel(const Geometry g, const View<const T> y, const View<const T> w, const View<T> x,
                             int64_t numel) {
  const ConvParams& p = g.p;
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < numel; i += step) {
    const Index in(i, p.groups * g.in_channels, p.id, p.ih, p.iw);
    const auto [n, c, id, ih, iw] = in.at;
    const int64_t first = c / g.in_channels * g.out_channels;
    Sum<T> sum = 0;
    for (int64_t o = first; o < first + g.out_channels; ++o) {
      Sum<T> of_channel = 0;
      for (int64_t k = 0; k < p.kd * p.kh; ++k) {
        const int64_t kd = k / p.kh, kh = k % p.kh;
        const int64_t od = output_of(id, kd, p.sd, p.pd, p.dd, p.od), oh = output_of(ih, kh, p.sh, p.ph, p.dh, p.oh);
        if (od < 0 || oh < 0) continue;
        for (int64_t kw = 0; kw < p.kw; ++kw) {
          const int64_t ow = output_of(iw, kw, p.sw, p.pw, p.dw, p.ow);
          if (ow < 0) continue;
          of_channel = multiply_add(y.at(n, o, od, oh, ow), w.at(o, c % g.in_channels, kd, kh, kw), of_channel);
        }
      }
      sum += of_channel;
    }
    x.at(n, c, id, ih, iw) = static_cast<T>(sum);
  }
}

/// A block per weight: its sum runs over all images and positions.
template <class T>
__global__ void weight_kernel(const Geometry g, const View<const T> y, const View<const T> x, const View<T> w,
                              int64_t numel) {
  const ConvParams& p = g.p;
  const int64_t positions = g.images * p.od * p.oh * p.ow;
  for (int64_t i = blockIdx.x; i < numel; i += gridDim.x) {
    const Index weight(i, g.in_channels, p.kd, p.kh, p.kw);
    const auto [o, c, kd, kh, kw] = weight.at;
    const int64_t channel = o / g.out_channels * g.in_channels + c;
    Sum<T> sum = 0;
    for (int64_t at = threadIdx.x; at < positions; at += kThreads) {
      const Index out(at, 1, p.od, p.oh, p.ow);
      const auto [n, one, od, oh, ow] = out.at;
      const int64_t d = od * p.sd + kd * p.dd - p.pd, h = oh * p.sh + kh * p.dh - p.ph,
                    v = ow * p.sw + kw * p.dw - p.pw;
      if (d < 0 || d >= p.id || h < 0 || h >= p.ih || v < 0 || v >= p.iw) continue;
      sum = multiply_add(y.at(n, o, od, oh, ow), x.at(n, channel, d, h, v), sum);
    }
    sum = block_reduce<kThreads>(sum, [](Sum<T> a, Sum<T> b) { return a + b; });
    if (threadIdx.x == 0) w.at(o, c, kd, kh, kw) = static_cast<T>(sum);
  }
}

template <class T>
void run_direct(const Conv& c) {
  const Geometry g{c.p, c.x.size(0), c.w.size(1), c.w.size(0) / c.p.groups};
  const cudaStream_t stream = stream_of(c.written());
  const int64_t numel = c.written().numel();
  const auto in = [](const Tensor& t) { return view_of<const T>(t); };
  if (c.pass == ConvPass::kForward) {
    const T* const bias = c.bias.defined() ? c.bias.data_ptr<T>() : nullptr;
    const int64_t stride = bias ? c.bias.strides()[0] : 0;
    start(c.op(), forward_kernel<T>, {grid(numel)}, stream, g, in(c.x), in(c.w), bias, stride, view_of<T>(c.y), numel);
  } else if (c.pass == ConvPass::kBackwardInput) {
    start(c.op(), input_kernel<T>, {grid(numel)}, stream, g, in(c.y), in(c.w), view_of<T>(c.x), numel);
  } else {
    const auto blocks = static_cast<unsigned>(std::min<int64_t>(numel, int64_t{1} << 30));
    start(c.op(), weight_kernel<T>, {blocks}, stream, g, in(c.y), in(c.x), view_of<T>(c.w), numel);
  }
}

void run(const Conv& c) {
  if (c.written().numel() == 0) return;
#ifdef STRATA_CUDNN
  if (conv_by_cudnn(c)) return;
#endif
  conv_direct(c);
}

void convolution_cuda(Tensors& out, Args in, const ConvParams& p) {
  run({ConvPass::kForward, p, in[0], in[1], out[0], in.size() > 2 ? in[2] : Tensor()});
}
void convolution_backward_input_cuda(Tensors& out, Args in, const ConvParams& p) {
  run({ConvPass::kBackwardInput, p, out[0], in[1], in[0]});
}
void convolution_backward_weight_cuda(Tensors& out, Args in, const ConvParams& p) {
  run({ConvPass::kBackwardWeight, p, in[1], out[0], in[0]});
}

STRATA_KERNEL(convolution_op, CUDA, convolution_cuda);
STRATA_KERNEL(convolution_backward_input_op, CUDA, convolution_backward_input_cuda);
STRATA_KERNEL(convolution_backward_weight_op, CUDA, convolution_backward_weight_cuda);

}  // namespace

void conv_direct(const Conv& c) {
  visit_floating(c.op(), c.written().dtype(), [&]<class T>() { run_direct<T>(c); });
}

}  // namespace strata::cuda::conv
