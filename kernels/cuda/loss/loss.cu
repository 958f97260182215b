// CUDA kernels of the negative log-likelihood: sums in two passes of fixed order, targets checked as they are read.
#include <algorithm>

#include "dispatcher/kernel.h"
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/runtime/index_error.h"
#include "kernels/visit_floating.h"
#include "ops/loss_def.h"

namespace strata::cuda::loss {
namespace {

constexpr int64_t kNone = 0, kMean = 1;
/// Parts that the sums over samples are cut into at most.
constexpr int64_t kMostParts = 512;
constexpr const char* kNllOutside = "nll_loss: target {} at position {} is outside [0, {})";

/// Targets in row-major order, and class weights, which may be null for 1.
template <class T>
struct Targets {
  const int64_t* data;
  const T* weights;
  int64_t weight_step, ignore_index, classes;
  IndexErrors errors;

  Targets(const Tensor& target, const Tensor& weight, const NllParams& p)
      : data(target.data_ptr<int64_t>()),
        weights(weight.defined() ? weight.data_ptr<T>() : nullptr),
        weight_step(weight.defined() && weight.dim() ? weight.strides()[0] : 0),
        ignore_index(p.ignore_index),
        classes(p.classes),
        errors(index_errors(target, kNllOutside)) {}
  /// The class of sample i; -1 where there is none.
  __device__ int64_t at(int64_t i) const {
    const int64_t t = data[i];
    return t == ignore_index ? -1 : errors.checked(t, i, classes);
  }
  __device__ double weight(int64_t t) const {
    return t < 0 ? 0 : weights ? static_cast<double>(weights[t * weight_step]) : 1;
  }
};

/// Where class t of sample i is in log-probabilities (outer, classes, inner), samples being (outer, inner).
struct Samples {
  int64_t inner, outer_step, class_step, inner_step;
  __device__ int64_t at(int64_t i, int64_t t) const {
    const int64_t outer = inner == 1 ? i : i / inner, rest = inner == 1 ? 0 : i % inner;
    return outer * outer_step + t * class_step + rest * inner_step;
  }
};

/// `x` as Samples; the dims behind the classes must lie as one.
Samples samples_of(const Tensor& x) {
  const IntArrayRef sizes = x.sizes(), strides = x.strides();
  if (x.dim() == 1) return {1, 0, strides[0], 0};
  Samples s{1, strides[0], strides[1], x.dim() > 2 ? strides.back() : 0};
  for (size_t d = 2; d < sizes.size(); ++d) s.inner *= sizes[d];
  return s;
}
bool has_samples(const Tensor& x) {
  for (int64_t d = 2; d + 1 < x.dim(); ++d)
    if (x.strides()[static_cast<size_t>(d)] != x.size(d + 1) * x.strides()[static_cast<size_t>(d) + 1]) return false;
  return true;
}

struct Sums {
  double loss, weight;
};
struct AddSums {
  __device__ Sums operator()(const Sums& a, const Sums& b) const { return {a.loss + b.loss, a.weight + b.weight}; }
};

/// Every gridDim.x-th block of samples: their losses where `losses` is not null, and the sums.
template <class T>
__global__ void __launch_bounds__(kThreads)
    nll_kernel(const T* x, Samples samples, Targets<T> targets, int64_t count, T* losses, Sums* parts) {
  Sums sums{0, 0};
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count; i += int64_t{gridDim.x} * kThreads) {
    const int64_t t = targets.at(i);
    const double weight = targets.weight(t);
    const double loss = t < 0 ? 0 : -weight * static_cast<double>(x[samples.at(i, t)]);
    if (losses) losses[i] = static_cast<T>(loss);
    sums = AddSums()(sums, {loss, weight});
  }
  sums = block_reduce<kThreads>(sums, AddSums());
  if (threadIdx.x == 0) parts[blockIdx.x] = sums;
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    total_kernel(const Sums* parts, int count, int64_t reduction, T* loss, T* total) {
  Sums sums{0, 0};
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) sums = AddSums()(sums, parts[i]);
  sums = block_reduce<kThreads>(sums, AddSums());
  if (threadIdx.x != 0) return;
  *total = static_cast<T>(sums.weight);
  if (reduction != kNone) *loss = static_cast<T>(reduction == kMean ? sums.loss / sums.weight : sums.loss);
}

/// What is not 0 in the gradient. Gradients of samples are `grad_step` apart; `total` is null where nothing is divided.
template <class T>
__global__ void __launch_bounds__(kThreads) gradient_kernel(const T* g, int64_t grad_step, Targets<T> targets,
                                                            const T* total, Samples samples, int64_t count, T* gx) {
  const double divisor = total ? static_cast<double>(*total) : 1;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count; i += int64_t{gridDim.x} * kThreads) {
    const int64_t t = targets.at(i);
    if (t < 0) continue;
    const double grad = static_cast<double>(g[i * grad_step]);
    gx[samples.at(i, t)] = static_cast<T>(-grad * targets.weight(t) / divisor);
  }
}

template <class T>
void loss_of(const Tensor& out, const Tensor& total, const Tensor& x, const Tensor& target, const Tensor& weight,
             const NllParams& p) {
  const cudaStream_t stream = stream_of(x);
  const int64_t count = target.numel(), blocks = std::clamp<int64_t>(blocks_for(count), 1, kMostParts);
  const Tensor scratch = empty_on_device({blocks * static_cast<int64_t>(sizeof(Sums))}, kByte, x.device());
  auto* const parts = reinterpret_cast<Sums*>(scratch.bytes());
  T* const result = out.data_ptr<T>();
  const bool each = p.reduction == kNone;
  start("nll_loss", nll_kernel<T>, {static_cast<unsigned>(blocks)}, stream, x.data_ptr<T>(), samples_of(x),
        Targets<T>(target, weight, p), count, each ? result : nullptr, parts);
  start("nll_loss", total_kernel<T>, {1}, stream, parts, static_cast<int>(blocks), p.reduction, each ? nullptr : result,
        total.data_ptr<T>());
}

Tensor with_samples(const Tensor& x) { return has_samples(x) ? x : row_major(x); }

void nll_loss_cuda(Tensors& out, Args in, const NllParams& p) {
  const Tensor x = with_samples(in[0]), target = row_major(in[1]);
  write_row_major(out[0], [&](const Tensor& loss) {
    visit_floating("nll_loss", x.dtype(), [&]<class T>() { loss_of<T>(loss, out[1], x, target, in[2], p); });
  });
}

template <class T>
void gradient_of(const Tensor& out, Args in, const NllParams& p) {
  const Tensor target = row_major(in[1]), g = in[0].numel() == 1 ? in[0] : row_major(in[0]);
  const int64_t count = target.numel();
  start("nll_loss_backward", gradient_kernel<T>, {grid(count)}, stream_of(out), g.data_ptr<T>(), g.numel() == 1 ? 0 : 1,
        Targets<T>(target, in[2], p), p.reduction == kMean ? in[3].data_ptr<T>() : nullptr, samples_of(out), count,
        out.data_ptr<T>());
}

void nll_loss_backward_cuda(Tensors& out, Args in, const NllParams& p) {
  if (out[0].numel() == 0) return;
  const auto fill = [&](const Tensor& gx) {
    fill_strided(gx, 0);
    visit_floating("nll_loss_backward", gx.dtype(), [&]<class T>() { gradient_of<T>(gx, in, p); });
  };
  if (has_samples(out[0])) return fill(out[0]);
  write_row_major(out[0], fill);
}

STRATA_KERNEL(nll_loss_op, CUDA, nll_loss_cuda);
STRATA_KERNEL(nll_loss_backward_op, CUDA, nll_loss_backward_cuda);

}  // namespace
}  // namespace strata::cuda::loss
