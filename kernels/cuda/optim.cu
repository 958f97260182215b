// CUDA kernels of the fused optimizer steps.
#include "kernels/cuda/elementwise.cuh"
#include "ops/optim_ops_def.h"

namespace strata::cuda {
namespace {

/// With p = shrink * param and g = sign * grad + decay * p: the moments move, then out = p - step_size * m / (sqrt(v) *
/// root + eps).
template <class T>
struct Adam {
  T *out, *exp_avg, *exp_avg_sq, *max_exp_avg_sq;  // the last is null without amsgrad
  const T *param, *grad;
  T sign, shrink, decay, one_minus_beta1, beta2, one_minus_beta2, inverse_root_correction, eps, step_size;

  STRATA_HD void operator()(int64_t i) const {
    const T p = param[i] * shrink, g = std::fma(grad[i], sign, p * decay);
    const T m = std::fma(g - exp_avg[i], one_minus_beta1, exp_avg[i]);
    const T v = std::fma(g * g, one_minus_beta2, exp_avg_sq[i] * beta2);
    T second = v;
    if (max_exp_avg_sq) max_exp_avg_sq[i] = second = max_exp_avg_sq[i] > v ? max_exp_avg_sq[i] : v;
    exp_avg[i] = m;
    exp_avg_sq[i] = v;
    out[i] = std::fma(-step_size, m / std::fma(std::sqrt(second), inverse_root_correction, eps), p);
  }
};

template <class T>
Adam<T> adam(const Tensor& out, Args in, const AdamStep& s) {
  const double steps = static_cast<double>(s.step);
  return {out.data_ptr<T>(),
          in[2].data_ptr<T>(),
          in[3].data_ptr<T>(),
          s.amsgrad ? in[4].data_ptr<T>() : nullptr,
          in[0].data_ptr<T>(),
          in[1].data_ptr<T>(),
          s.maximize ? T(-1) : T(1),
          static_cast<T>(s.decoupled ? 1 - s.lr * s.weight_decay : 1),
          static_cast<T>(s.decoupled ? 0 : s.weight_decay),
          static_cast<T>(1 - s.beta1),
          static_cast<T>(s.beta2),
          static_cast<T>(1 - s.beta2),
          static_cast<T>(1 / std::sqrt(1 - std::pow(s.beta2, steps))),
          static_cast<T>(s.eps),
          static_cast<T>(s.lr / (1 - std::pow(s.beta1, steps)))};
}

/// With g = sign * grad + decay * param and buffer = keep * buffer + take * g: out = param - lr * (ahead * buffer + now
/// * g).
template <class T>
struct Sgd {
  T *out, *buffer;  // the latter is null without momentum
  const T *param, *grad;
  T sign, decay, lr, keep, take, ahead, now;

  STRATA_HD void operator()(int64_t i) const {
    const T p = param[i];
    T g = std::fma(grad[i], sign, p * decay);
    if (buffer) {
      const T b = keep != T(0) ? std::fma(buffer[i], keep, g * take) : g * take;
      buffer[i] = b;
      g = std::fma(b, ahead, g * now);
    }
    out[i] = std::fma(-lr, g, p);
  }
};

template <class T>
Sgd<T> sgd(const Tensor& out, Args in, const SgdStep& s) {
  return {out.data_ptr<T>(),
          s.momentum != 0 ? in[2].data_ptr<T>() : nullptr,
          in[0].data_ptr<T>(),
          in[1].data_ptr<T>(),
          s.maximize ? T(-1) : T(1),
          static_cast<T>(s.weight_decay),
          static_cast<T>(s.lr),
          static_cast<T>(s.first ? 0 : s.momentum),
          static_cast<T>(s.first ? 1 : 1 - s.dampening),
          static_cast<T>(s.nesterov ? s.momentum : 1),
          s.nesterov ? T(1) : T(0)};
}

template <class F>
__global__ void __launch_bounds__(kThreads) step_kernel(F f, int64_t n) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += step) f(i);
}

template <class F>
void step(const Op& op, const Tensor& out, const F& f) {
  if (out.numel() == 0) return;
  start(op.name(), step_kernel<F>, {grid(out.numel())}, stream_of(out), f, out.numel());
}

void adam_cuda(Tensors& out, Args in, const AdamParams& p) {
  if (in[0].dtype() == kDouble) return step(adam_step_op, out[0], adam<double>(out[0], in, p.options));
  step(adam_step_op, out[0], adam<float>(out[0], in, p.options));
}
void sgd_cuda(Tensors& out, Args in, const SgdParams& p) {
  if (in[0].dtype() == kDouble) return step(sgd_step_op, out[0], sgd<double>(out[0], in, p.options));
  step(sgd_step_op, out[0], sgd<float>(out[0], in, p.options));
}

STRATA_KERNEL(adam_step_op, CUDA, adam_cuda);
STRATA_KERNEL(sgd_step_op, CUDA, sgd_cuda);

}  // namespace
}  // namespace strata::cuda
