// The fused optimizer steps: checks, the ops, and the way round for tensors that the kernels do not take as they are.
#include "ops/optim_ops.h"

#include <list>
#include <vector>

#include "ops/cast.h"
#include "ops/optim_ops_def.h"
#include "ops/rules.h"

namespace strata {

STRATA_OP adam_step_op =
    pointwise_constant<AdamParams>(
        "adam_step(Tensor[] tensors, float lr, float beta1, float beta2, float eps, float weight_decay, int step, "
        "bool decoupled, bool amsgrad, bool maximize, bool capturable) -> Tensor")
        .flag(kUpdatesInput0);
STRATA_OP sgd_step_op = pointwise_constant<SgdParams>(
                            "sgd_step(Tensor[] tensors, float lr, float momentum, float dampening, float weight_decay, "
                            "bool nesterov, bool maximize, bool first) -> Tensor")
                            .flag(kUpdatesInput0);

namespace {

void check_alike(const char* op, const char* what, const Tensor& param, const Tensor& t) {
  STRATA_CHECK(t.defined() && t.sizes() == param.sizes(), "{}: {} must have the parameter's shape {}", op, what,
               param.sizes());
  STRATA_CHECK(t.dtype() == param.dtype() && t.device() == param.device(), "{}: {} is {} on {}, the parameter {} on {}",
               op, what, name(t.dtype()), t.device().str(), name(param.dtype()), param.device().str());
}

void check_same_kind(const char* op, const Tensor& first, const Tensor& other) {
  STRATA_CHECK(first.dtype() == other.dtype() && first.device() == other.device(),
               "{}: parameters of one step must have one dtype and device, got {} on {} and {} on {}", op,
               name(first.dtype()), first.device().str(), name(other.dtype()), other.device().str());
}

bool is_direct(const Tensor& t) {
  return t.is_contiguous() && (t.dtype() == kFloat || t.dtype() == kDouble || t.is_cuda());
}

/// The tensors of a step as the kernels take them: those that are not are replaced by row-major copies, which `run`
/// writes back. What is added stays where it is until then.
class Operands {
 public:
  explicit Operands(size_t most) {
    args_.reserve(most);
    written_.reserve(most);
  }
  /// Of a slot the second tensor, the gradient, is only read.
  void add_slot(ArrayRef<const Tensor*> slot) {
    bool direct = true;
    for (const Tensor* const t : slot) direct &= is_direct(*t);
    for (size_t i = 0; i < slot.size(); ++i) {
      const Tensor& x = direct ? *slot[i] : copy_of(*slot[i]);
      args_.push_back(&x);
      if (i == 1) continue;
      written_.push_back(&x);
      if (!direct) copied_.push_back({*slot[i], &x});
    }
  }
  void add_written(const Tensor& t) {
    args_.push_back(&t);
    written_.push_back(&t);
  }
  void add_read(const Tensor& t) { args_.push_back(&t); }

  template <class P>
  void run(const Op& op, const P& params) {
    Tensor first = *args_[0];
    call_inplace(op, first, Args(args_.data(), args_.size()), params);
    for (size_t i = 1; i < written_.size(); ++i) written_[i]->storage()->bump_version();
    for (auto& [to, from] : copied_) to.copy_(*from);
  }

 private:
  const Tensor& copy_of(const Tensor& t) {
    return copies_.emplace_back(clone(cast(t, t.is_cuda() || t.dtype() == kDouble ? t.dtype() : kFloat)));
  }
  std::vector<const Tensor*> args_, written_;
  std::list<Tensor> copies_;  // whose addresses stay
  std::vector<std::pair<Tensor, const Tensor*>> copied_;
};

void check_slot(const AdamSlot& slot, const AdamStep& s) {
  check_alike("adam_step", "the gradient", slot.param, slot.grad);
  check_alike("adam_step", "exp_avg", slot.param, slot.exp_avg);
  check_alike("adam_step", "exp_avg_sq", slot.param, slot.exp_avg_sq);
  if (s.amsgrad) check_alike("adam_step", "max_exp_avg_sq", slot.param, slot.max_exp_avg_sq);
}

Operands adam_operands(ArrayRef<AdamSlot> slots, const AdamParams& p) {
  Operands operands(slots.size() * p.width() + 2);
  for (const AdamSlot& slot : slots) {
    check_slot(slot, p.options);
    check_same_kind("adam_step", slots[0].param, slot.param);
    const Tensor* const all[] = {&slot.param, &slot.grad, &slot.exp_avg, &slot.exp_avg_sq, &slot.max_exp_avg_sq};
    operands.add_slot({all, p.width()});
  }
  return operands;
}

}  // namespace

void adam_steps_(ArrayRef<AdamSlot> slots, const AdamStep& s) {
  if (slots.empty()) return;
  STRATA_CHECK(s.step >= 1, "adam_step: steps count from 1, got {}", s.step);
  STRATA_CHECK(!s.capturable, "adam_step: a capturable step needs its count and learning rate as tensors");
  const NoGradGuard guard;
  adam_operands(slots, AdamParams{s}).run(adam_step_op, AdamParams{s});
}

void adam_steps_(ArrayRef<AdamSlot> slots, const AdamStep& s, const Tensor& count, const Tensor& lr) {
  if (slots.empty()) return;
  const auto fits = [&](const Tensor& t, int64_t numel) {
    return t.defined() && t.dtype() == kDouble && t.numel() == numel && t.is_contiguous() &&
           t.device() == slots[0].param.device();
  };
  STRATA_CHECK(fits(count, kAdamCounts) && fits(lr, 1),
               "adam_step: count must be float64 of shape ({},) and lr a 0-dim float64 on the parameters' device",
               int{kAdamCounts});
  AdamParams p{s};
  p.options.capturable = true;
  const NoGradGuard guard;
  Operands operands = adam_operands(slots, p);
  operands.add_written(count);
  operands.add_read(lr);
  operands.run(adam_step_op, p);
}

void adam_step_(Tensor& param, const Tensor& grad, Tensor& exp_avg, Tensor& exp_avg_sq, Tensor& max_exp_avg_sq,
                const AdamStep& s) {
  const AdamSlot slot{param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq};
  adam_steps_({&slot, 1}, s);
}

void sgd_steps_(ArrayRef<SgdSlot> slots, const SgdStep& s) {
  if (slots.empty()) return;
  const SgdParams p{s};
  Operands operands(slots.size() * p.width());
  const NoGradGuard guard;
  for (const SgdSlot& slot : slots) {
    check_alike("sgd_step", "the gradient", slot.param, slot.grad);
    if (s.momentum != 0) check_alike("sgd_step", "the momentum buffer", slot.param, slot.momentum_buffer);
    check_same_kind("sgd_step", slots[0].param, slot.param);
    const Tensor* const all[] = {&slot.param, &slot.grad, &slot.momentum_buffer};
    operands.add_slot({all, p.width()});
  }
  operands.run(sgd_step_op, p);
}

void sgd_step_(Tensor& param, const Tensor& grad, Tensor& momentum_buffer, const SgdStep& s) {
  const SgdSlot slot{param, grad, momentum_buffer};
  sgd_steps_({&slot, 1}, s);
}

}  // namespace strata
