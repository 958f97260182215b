// CPU kernels of the fused optimizer steps.
#include <cmath>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/vec_optim.h"
#include "ops/optim_ops_def.h"

namespace strata::cpu {
namespace {

template <class T>
T* data_of(const Tensor& t) {
  return reinterpret_cast<T*>(t.data());
}

/// What follows from the count of steps and the learning rate.
struct AdamNumbers {
  double inverse_root_correction, step_size, shrink;
};

AdamNumbers adam_numbers(double steps, double lr, const AdamStep& s) {
  return {1 / std::sqrt(1 - std::pow(s.beta2, steps)), lr / (1 - std::pow(s.beta1, steps)),
          s.decoupled ? 1 - lr * s.weight_decay : 1};
}

/// Raises the count.
AdamNumbers adam_numbers(const Tensor& count, const Tensor& lr, const AdamStep& s) {
  double* const c = data_of<double>(count);
  const AdamNumbers n = adam_numbers(++c[kSteps], *data_of<double>(lr), s);
  c[kInverseRootCorrection] = n.inverse_root_correction;
  c[kStepSize] = n.step_size;
  c[kShrink] = n.shrink;
  return n;
}

template <class T>
AdamArgs<T> adam_args(const Tensor& out, Args in, const AdamStep& s, const AdamNumbers& n) {
  AdamArgs<T> a;
  a.out = data_of<T>(out);
  a.param = data_of<T>(in[0]);
  a.grad = data_of<T>(in[1]);
  a.exp_avg = data_of<T>(in[2]);
  a.exp_avg_sq = data_of<T>(in[3]);
  if (s.amsgrad) a.max_exp_avg_sq = data_of<T>(in[4]);
  a.sign = s.maximize ? T(-1) : T(1);
  a.shrink = static_cast<T>(n.shrink);
  a.decay = static_cast<T>(s.decoupled ? 0 : s.weight_decay);
  a.one_minus_beta1 = static_cast<T>(1 - s.beta1);
  a.beta2 = static_cast<T>(s.beta2);
  a.one_minus_beta2 = static_cast<T>(1 - s.beta2);
  a.inverse_root_correction = static_cast<T>(n.inverse_root_correction);
  a.eps = static_cast<T>(s.eps);
  a.step_size = static_cast<T>(n.step_size);
  return a;
}

template <class T>
SgdArgs<T> sgd_args(const Tensor& out, Args in, const SgdStep& s) {
  SgdArgs<T> a;
  a.out = data_of<T>(out);
  a.param = data_of<T>(in[0]);
  a.grad = data_of<T>(in[1]);
  if (s.momentum != 0) a.momentum_buffer = data_of<T>(in[2]);
  a.sign = s.maximize ? T(-1) : T(1);
  a.decay = static_cast<T>(s.weight_decay);
  a.lr = static_cast<T>(s.lr);
  a.keep = static_cast<T>(s.first ? 0 : s.momentum);
  a.take = static_cast<T>(s.first ? 1 : 1 - s.dampening);
  a.ahead = static_cast<T>(s.nesterov ? s.momentum : 1);
  a.now = s.nesterov ? T(1) : T(0);
  return a;
}

/// step(out, slot) for each slot of `width` inputs.
template <class Step>
void for_each_slot(Tensors& out, Args in, size_t width, Step step) {
  for (size_t first = 0; first + width <= in.size(); first += width)
    step(first == 0 ? out[0] : in[first], Args(in.begin() + first, width));
}

template <class T>
void adam_typed(Tensors& out, Args in, const AdamParams& p) {
  const AdamStep& s = p.options;
  const size_t last = in.size() - 1;
  const AdamNumbers n =
      s.capturable ? adam_numbers(in[last - 1], in[last], s) : adam_numbers(static_cast<double>(s.step), s.lr, s);
  for_each_slot(out, in, p.width(), [&](const Tensor& to, Args slot) {
    const AdamArgs<T> a = adam_args<T>(to, slot, s, n);
    parallel_for(0, to.numel(), kElementwiseGrain, [&](int64_t b, int64_t e) { vec_adam(a.at(b), e - b); });
  });
}
template <class T>
void sgd_typed(Tensors& out, Args in, const SgdParams& p) {
  for_each_slot(out, in, p.width(), [&](const Tensor& to, Args slot) {
    const SgdArgs<T> a = sgd_args<T>(to, slot, p.options);
    parallel_for(0, to.numel(), kElementwiseGrain, [&](int64_t b, int64_t e) { vec_sgd(a.at(b), e - b); });
  });
}

void adam_cpu(Tensors& out, Args in, const AdamParams& p) {
  if (in[0].dtype() == kDouble) return adam_typed<double>(out, in, p);
  adam_typed<float>(out, in, p);
}
void sgd_cpu(Tensors& out, Args in, const SgdParams& p) {
  if (in[0].dtype() == kDouble) return sgd_typed<double>(out, in, p);
  sgd_typed<float>(out, in, p);
}

STRATA_KERNEL(adam_step_op, CPU, adam_cpu);
STRATA_KERNEL(sgd_step_op, CPU, sgd_cpu);

}  // namespace
}  // namespace strata::cpu
