// The fused optimizer steps: checks, the ops, and the way round for tensors that the kernels do not take as they are.
#include "ops/optim_ops.h"

#include "ops/cast.h"
#include "ops/optim_ops_def.h"
#include "ops/rules.h"

namespace strata {

STRATA_OP adam_step_op =
    pointwise_constant<AdamParams>(
        "adam_step(Tensor param, Tensor grad, Tensor exp_avg, Tensor exp_avg_sq, Tensor? max_exp_avg_sq, "
        "float lr, float beta1, float beta2, float eps, float weight_decay, int step, bool decoupled, bool amsgrad, "
        "bool maximize) -> Tensor")
        .flag(kUpdatesInput0);
STRATA_OP sgd_step_op = pointwise_constant<SgdParams>(
                            "sgd_step(Tensor param, Tensor grad, Tensor? momentum_buffer, "
                            "float lr, float momentum, float dampening, float weight_decay, bool nesterov, bool "
                            "maximize, bool first) -> Tensor")
                            .flag(kUpdatesInput0);

namespace {

void check_alike(const char* op, const char* what, const Tensor& param, const Tensor& t) {
  STRATA_CHECK(t.defined() && t.sizes() == param.sizes(), "{}: {} must have the parameter's shape {}", op, what,
               param.sizes());
  STRATA_CHECK(t.dtype() == param.dtype() && t.device() == param.device(), "{}: {} is {} on {}, the parameter {} on {}",
               op, what, name(t.dtype()), t.device().str(), name(param.dtype()), param.device().str());
}

bool is_direct(const Tensor& t) {
  return t.is_contiguous() && (t.dtype() == kFloat || t.dtype() == kDouble || t.is_cuda());
}

template <class P>
void run_on_copies(const Op& op, Tensor& param, const Tensor& grad, ArrayRef<Tensor*> state, const P& params);

/// Runs a step whose written tensors are param and state; what is not laid out for the kernel goes through row-major
/// copies.
template <class P>
void run_step(const Op& op, Tensor& param, const Tensor& grad, ArrayRef<Tensor*> state, const P& params) {
  const Tensor* args[5] = {&param, &grad};
  bool direct = is_direct(param) && is_direct(grad);
  for (size_t i = 0; i < state.size(); ++i) {
    args[i + 2] = state[i];
    direct &= is_direct(*state[i]);
  }
  if (!direct) return run_on_copies(op, param, grad, state, params);
  const NoGradGuard guard;
  call_inplace(op, param, Args(args, state.size() + 2), params);
  for (Tensor* t : state) t->storage()->bump_version();
}

template <class P>
void run_on_copies(const Op& op, Tensor& param, const Tensor& grad, ArrayRef<Tensor*> state, const P& params) {
  const NoGradGuard guard;
  const DType t = param.dtype() == kDouble ? kDouble : kFloat;
  const auto copied = [&](const Tensor& x) { return clone(cast(x, t)); };
  Tensor p = copied(param), copies[3];
  Tensor* pointers[3];
  for (size_t i = 0; i < state.size(); ++i) pointers[i] = &(copies[i] = copied(*state[i]));
  run_step(op, p, copied(grad), ArrayRef<Tensor*>(pointers, state.size()), params);
  param.copy_(p);
  for (size_t i = 0; i < state.size(); ++i) state[i]->copy_(copies[i]);
}

}  // namespace

void adam_step_(Tensor& param, const Tensor& grad, Tensor& exp_avg, Tensor& exp_avg_sq, Tensor& max_exp_avg_sq,
                const AdamStep& s) {
  check_alike("adam_step", "the gradient", param, grad);
  check_alike("adam_step", "exp_avg", param, exp_avg);
  check_alike("adam_step", "exp_avg_sq", param, exp_avg_sq);
  if (s.amsgrad) check_alike("adam_step", "max_exp_avg_sq", param, max_exp_avg_sq);
  STRATA_CHECK(s.step >= 1, "adam_step: steps count from 1, got {}", s.step);
  Tensor* const state[] = {&exp_avg, &exp_avg_sq, &max_exp_avg_sq};
  run_step(adam_step_op, param, grad, {state, s.amsgrad ? size_t{3} : size_t{2}}, AdamParams{s});
}

void sgd_step_(Tensor& param, const Tensor& grad, Tensor& momentum_buffer, const SgdStep& s) {
  check_alike("sgd_step", "the gradient", param, grad);
  if (s.momentum != 0) check_alike("sgd_step", "the momentum buffer", param, momentum_buffer);
  Tensor* const state[] = {&momentum_buffer};
  run_step(sgd_step_op, param, grad, {state, s.momentum != 0 ? size_t{1} : size_t{0}}, SgdParams{s});
}

}  // namespace strata
