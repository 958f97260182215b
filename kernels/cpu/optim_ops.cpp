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

template <class T>
AdamArgs<T> adam_args(const Tensor& out, Args in, const AdamStep& s) {
  AdamArgs<T> a;
  a.out = data_of<T>(out);
  a.param = data_of<T>(in[0]);
  a.grad = data_of<T>(in[1]);
  a.exp_avg = data_of<T>(in[2]);
  a.exp_avg_sq = data_of<T>(in[3]);
  if (s.amsgrad) a.max_exp_avg_sq = data_of<T>(in[4]);
  const double steps = static_cast<double>(s.step);
  a.sign = s.maximize ? T(-1) : T(1);
  a.shrink = static_cast<T>(s.decoupled ? 1 - s.lr * s.weight_decay : 1);
  a.decay = static_cast<T>(s.decoupled ? 0 : s.weight_decay);
  a.one_minus_beta1 = static_cast<T>(1 - s.beta1);
  a.beta2 = static_cast<T>(s.beta2);
  a.one_minus_beta2 = static_cast<T>(1 - s.beta2);
  a.inverse_root_correction = static_cast<T>(1 / std::sqrt(1 - std::pow(s.beta2, steps)));
  a.eps = static_cast<T>(s.eps);
  a.step_size = static_cast<T>(s.lr / (1 - std::pow(s.beta1, steps)));
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

template <class T>
void adam_typed(const Tensor& out, Args in, const AdamStep& s) {
  const AdamArgs<T> a = adam_args<T>(out, in, s);
  parallel_for(0, out.numel(), kElementwiseGrain, [&](int64_t b, int64_t e) { vec_adam(a.at(b), e - b); });
}
template <class T>
void sgd_typed(const Tensor& out, Args in, const SgdStep& s) {
  const SgdArgs<T> a = sgd_args<T>(out, in, s);
  parallel_for(0, out.numel(), kElementwiseGrain, [&](int64_t b, int64_t e) { vec_sgd(a.at(b), e - b); });
}

void adam_cpu(Tensors& out, Args in, const AdamParams& p) {
  if (in[0].dtype() == kDouble) return adam_typed<double>(out[0], in, p.options);
  adam_typed<float>(out[0], in, p.options);
}
void sgd_cpu(Tensors& out, Args in, const SgdParams& p) {
  if (in[0].dtype() == kDouble) return sgd_typed<double>(out[0], in, p.options);
  sgd_typed<float>(out[0], in, p.options);
}

STRATA_KERNEL(adam_step_op, CPU, adam_cpu);
STRATA_KERNEL(sgd_step_op, CPU, sgd_cpu);

}  // namespace
}  // namespace strata::cpu
