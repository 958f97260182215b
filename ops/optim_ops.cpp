// The fused optimizer steps: checks, the ops, and the way round for tensors that the kernels do not take as they are.
#include "ops/optim_ops.h"

#include <array>
#include <list>
#include <vector>

#include "ops/as_reals.h"
#include "ops/cast.h"
#include "ops/optim_ops_def.h"
#include "ops/rules.h"
#include "ops/step_results.h"

namespace strata {

namespace {

template <class P>
constexpr Builder<P> optimizer_step(const char* schema) {
  return pointwise_constant<P>(schema).flag(kUpdatesInput0 | kUpdatesInputs);
}

}  // namespace

STRATA_OP(adam_step_op) =
    optimizer_step<AdamParams>(
        "adam_step(Tensor[] tensors, float lr, float beta1, float beta2, float eps, float weight_decay, int step, "
        "bool decoupled, bool amsgrad, bool maximize, bool capturable) -> Tensor")
        .dtypes(kFloatingTypes);
STRATA_OP(sgd_step_op) =
    optimizer_step<SgdParams>(
        "sgd_step(Tensor[] tensors, float lr, float momentum, float dampening, float weight_decay, bool nesterov, "
        "bool maximize, bool first, bool capturable) -> Tensor")
        .dtypes(kFloatingTypes);
STRATA_OP(rmsprop_step_op) =
    optimizer_step<RmspropParams>(
        "rmsprop_step(Tensor[] tensors, float lr, float alpha, float eps, float weight_decay, float momentum, "
        "bool centered, bool maximize, bool capturable) -> Tensor")
        .dtypes(kFloatingTypes);
STRATA_OP(adagrad_step_op) = optimizer_step<AdagradParams>(
                                 "adagrad_step(Tensor[] tensors, float lr, float lr_decay, float eps, float "
                                 "weight_decay, int step, bool maximize, "
                                 "bool capturable) -> Tensor")
                                 .dtypes(kFloatingTypes);
STRATA_OP(adamax_step_op) =
    optimizer_step<AdamaxParams>(
        "adamax_step(Tensor[] tensors, float lr, float beta1, float beta2, float eps, float weight_decay, int step, "
        "bool maximize, bool capturable) -> Tensor")
        .dtypes(kFloatingTypes);
STRATA_OP(nadam_step_op) =
    optimizer_step<NadamParams>(
        "nadam_step(Tensor[] tensors, float lr, float beta1, float beta2, float eps, float weight_decay, float mu, "
        "float mu_next, float mu_product, int step, bool decoupled, bool maximize) -> Tensor")
        .dtypes(kFloatingTypes);
STRATA_OP(radam_step_op) =
    optimizer_step<RadamParams>(
        "radam_step(Tensor[] tensors, float lr, float beta1, float beta2, float eps, float weight_decay, int step, "
        "bool decoupled, bool maximize, bool capturable) -> Tensor")
        .dtypes(kFloatingTypes);
STRATA_OP(adadelta_step_op) =
    optimizer_step<AdadeltaParams>(
        "adadelta_step(Tensor[] tensors, float lr, float rho, float eps, float weight_decay, bool maximize, "
        "bool capturable) -> Tensor")
        .dtypes(kFloatingTypes);
STRATA_OP(rprop_step_op) = optimizer_step<RpropParams>(
                               "rprop_step(Tensor[] tensors, float eta_minus, float eta_plus, float min_step, "
                               "float max_step, bool maximize) -> Tensor")
                               .dtypes(kFloatingTypes);
STRATA_OP(asgd_step_op) = optimizer_step<AsgdParams>(
                              "asgd_step(Tensor[] tensors, float eta, float lambd, float weight_decay, float mu, "
                              "bool maximize) -> Tensor")
                              .dtypes(kFloatingTypes);
STRATA_OP(lion_step_op) = optimizer_step<LionParams>(
                              "lion_step(Tensor[] tensors, float lr, float beta1, float beta2, float weight_decay, "
                              "bool maximize, bool capturable) -> Tensor")
                              .dtypes(kFloatingTypes);

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
    for (const Tensor* const t : slot) direct &= t->is_contiguous();
    for (size_t i = 0; i < slot.size(); ++i) {
      const Tensor& x = direct ? *slot[i] : copies_.emplace_back(slot[i]->clone(MemoryFormat::Contiguous));
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
    if (thread_state.included.has(Key::Transform)) return run_in_transform(op, Params::of(params));
    Tensor first = *args_[0];
    call_inplace(op, first, Args(args_.data(), args_.size()), params);
    for (size_t i = 1; i < written_.size(); ++i) written_[i]->storage()->bump_version();
    for (auto& [to, from] : copied_) to.copy_(*from);
  }

 private:
  /// Transforms see results only, so all that is written to is one.
  void run_in_transform(const Op& op, Params params) {
    StepResultsParams step{&op, OwnedParams(params), {}};
    for (size_t i = 0, next = 0; i < args_.size() && next < written_.size(); ++i) {
      if (args_[i] != written_[next]) continue;
      step.written.push_back(i);
      ++next;
    }
    const Tensors results = call(step_results_op, Args(args_.data(), args_.size()), Params::of(step));
    for (size_t i = 0; i < written_.size(); ++i) Tensor(*written_[i]).copy_(results[i]);
    for (auto& [to, from] : copied_) to.copy_(*from);
  }

  std::vector<const Tensor*> args_, written_;
  std::list<Tensor> copies_;  // whose addresses stay
  std::vector<std::pair<Tensor, const Tensor*>> copied_;
};

/// A tensor of a slot and what errors call it; the first two of a slot are the parameter and its gradient.
struct NamedTensor {
  const Tensor* tensor = nullptr;
  const char* name = nullptr;
};
using NamedTensors = std::array<NamedTensor, 5>;

NamedTensors tensors_of(const AdamSlot& s, const AdamStep&) {
  return {{{&s.param, "the parameter"},
           {&s.grad, "the gradient"},
           {&s.exp_avg, "exp_avg"},
           {&s.exp_avg_sq, "exp_avg_sq"},
           {&s.max_exp_avg_sq, "max_exp_avg_sq"}}};
}
NamedTensors tensors_of(const SgdSlot& s, const SgdStep&) {
  return {{{&s.param, "the parameter"}, {&s.grad, "the gradient"}, {&s.momentum_buffer, "the momentum buffer"}}};
}
NamedTensors tensors_of(const RmspropSlot& s, const RmspropStep& step) {
  NamedTensors parts{{{&s.param, "the parameter"}, {&s.grad, "the gradient"}, {&s.square_avg, "square_avg"}}};
  if (step.centered) parts[3] = {&s.grad_avg, "grad_avg"};
  if (step.momentum != 0) parts[step.centered ? 4 : 3] = {&s.momentum_buffer, "the momentum buffer"};
  return parts;
}
NamedTensors tensors_of(const AdagradSlot& s, const AdagradStep&) {
  return {{{&s.param, "the parameter"}, {&s.grad, "the gradient"}, {&s.sum, "sum"}}};
}
NamedTensors tensors_of(const AdamaxSlot& s, const AdamaxStep&) {
  return {{{&s.param, "the parameter"}, {&s.grad, "the gradient"}, {&s.exp_avg, "exp_avg"}, {&s.exp_inf, "exp_inf"}}};
}
NamedTensors tensors_of(const NadamSlot& s, const NadamStep&) {
  return {
      {{&s.param, "the parameter"}, {&s.grad, "the gradient"}, {&s.exp_avg, "exp_avg"}, {&s.exp_avg_sq, "exp_avg_sq"}}};
}
NamedTensors tensors_of(const RadamSlot& s, const RadamStep&) {
  return {
      {{&s.param, "the parameter"}, {&s.grad, "the gradient"}, {&s.exp_avg, "exp_avg"}, {&s.exp_avg_sq, "exp_avg_sq"}}};
}
NamedTensors tensors_of(const AdadeltaSlot& s, const AdadeltaStep&) {
  return {{{&s.param, "the parameter"},
           {&s.grad, "the gradient"},
           {&s.square_avg, "square_avg"},
           {&s.acc_delta, "acc_delta"}}};
}
NamedTensors tensors_of(const RpropSlot& s, const RpropStep&) {
  return {{{&s.param, "the parameter"}, {&s.grad, "the gradient"}, {&s.prev, "prev"}, {&s.step_size, "step_size"}}};
}
NamedTensors tensors_of(const AsgdSlot& s, const AsgdStep&) {
  return {{{&s.param, "the parameter"}, {&s.grad, "the gradient"}, {&s.ax, "ax"}}};
}
NamedTensors tensors_of(const LionSlot& s, const LionStep&) {
  return {{{&s.param, "the parameter"}, {&s.grad, "the gradient"}, {&s.exp_avg, "exp_avg"}}};
}

AdamSlot real_slot(const AdamSlot& s) {
  return {as_reals(s.param), as_reals(s.grad), as_reals(s.exp_avg), as_reals(s.exp_avg_sq), as_reals(s.max_exp_avg_sq)};
}
SgdSlot real_slot(const SgdSlot& s) { return {as_reals(s.param), as_reals(s.grad), as_reals(s.momentum_buffer)}; }
RmspropSlot real_slot(const RmspropSlot& s) {
  return {as_reals(s.param), as_reals(s.grad), as_reals(s.square_avg), as_reals(s.grad_avg),
          as_reals(s.momentum_buffer)};
}
AdagradSlot real_slot(const AdagradSlot& s) { return {as_reals(s.param), as_reals(s.grad), as_reals(s.sum)}; }
AdamaxSlot real_slot(const AdamaxSlot& s) {
  return {as_reals(s.param), as_reals(s.grad), as_reals(s.exp_avg), as_reals(s.exp_inf)};
}
NadamSlot real_slot(const NadamSlot& s) {
  return {as_reals(s.param), as_reals(s.grad), as_reals(s.exp_avg), as_reals(s.exp_avg_sq)};
}
RadamSlot real_slot(const RadamSlot& s) {
  return {as_reals(s.param), as_reals(s.grad), as_reals(s.exp_avg), as_reals(s.exp_avg_sq)};
}
AdadeltaSlot real_slot(const AdadeltaSlot& s) {
  return {as_reals(s.param), as_reals(s.grad), as_reals(s.square_avg), as_reals(s.acc_delta)};
}
RpropSlot real_slot(const RpropSlot& s) {
  return {as_reals(s.param), as_reals(s.grad), as_reals(s.prev), as_reals(s.step_size)};
}
AsgdSlot real_slot(const AsgdSlot& s) { return {as_reals(s.param), as_reals(s.grad), as_reals(s.ax)}; }
LionSlot real_slot(const LionSlot& s) { return {as_reals(s.param), as_reals(s.grad), as_reals(s.exp_avg)}; }

/// use(slots), for complex parameters with views of the pairs of numbers that they are.
template <class Slot, class Use>
void with_real_slots(ArrayRef<Slot> slots, Use use) {
  if (slots.empty()) return;
  const NoGradGuard guard;
  if (!slots[0].param.is_complex()) return use(slots);
  std::vector<Slot> reals;
  for (const Slot& s : slots) reals.push_back(real_slot(s));
  use(ArrayRef<Slot>(reals));
}

template <class Slot, class P>
void add_slots(Operands& operands, const char* op, ArrayRef<Slot> slots, const P& p) {
  for (const Slot& slot : slots) {
    const NamedTensors parts = tensors_of(slot, p.options);
    const Tensor* tensors[std::tuple_size_v<NamedTensors>];
    for (size_t i = 0; i < p.width(); ++i) {
      tensors[i] = parts[i].tensor;
      if (i > 0) check_alike(op, parts[i].name, slot.param, *tensors[i]);
    }
    check_same_kind(op, slots[0].param, slot.param);
    operands.add_slot({tensors, p.width()});
  }
}

template <class Slot, class P>
void run_steps(const Op& op, const char* name, ArrayRef<Slot> given, const P& p) {
  STRATA_CHECK(!is_capturable(p.options), "{}: a capturable step needs its numbers as tensors", name);
  with_real_slots(given, [&](ArrayRef<Slot> slots) {
    Operands operands(slots.size() * p.width());
    add_slots(operands, name, slots, p);
    operands.run(op, p);
  });
}

/// With numbers on the device; there is no count where the step does not need one.
template <class Slot, class P>
void run_capturable_steps(const Op& op, const char* name, ArrayRef<Slot> given, P p, const Tensor* count,
                          const Tensor& lr) {
  p.options.capturable = true;
  with_real_slots(given, [&](ArrayRef<Slot> slots) {
    const auto fits = [&](const Tensor& t, int64_t numel) {
      return t.defined() && t.dtype() == kDouble && t.numel() == numel && t.is_contiguous() &&
             t.device() == slots[0].param.device();
    };
    STRATA_CHECK(fits(lr, 1) && (!count || fits(*count, kStepCounts)),
                 "{}: count must be float64 of shape ({},) and lr a 0-dim float64 on the parameters' device", name,
                 kStepCounts);
    Operands operands(slots.size() * p.width() + 2);
    add_slots(operands, name, slots, p);
    if (count) operands.add_written(*count);
    operands.add_read(lr);
    operands.run(op, p);
  });
}

}  // namespace

void adam_steps_(ArrayRef<AdamSlot> slots, const AdamStep& s) {
  STRATA_CHECK(s.step >= 1, "adam_step: steps count from 1, got {}", s.step);
  run_steps(adam_step_op, "adam_step", slots, AdamParams{s});
}
void adam_steps_(ArrayRef<AdamSlot> slots, const AdamStep& s, const Tensor& count, const Tensor& lr) {
  run_capturable_steps(adam_step_op, "adam_step", slots, AdamParams{s}, &count, lr);
}
void adam_step_(Tensor& param, const Tensor& grad, Tensor& exp_avg, Tensor& exp_avg_sq, Tensor& max_exp_avg_sq,
                const AdamStep& s) {
  const AdamSlot slot{param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq};
  adam_steps_({&slot, 1}, s);
}

void sgd_steps_(ArrayRef<SgdSlot> slots, const SgdStep& s) { run_steps(sgd_step_op, "sgd_step", slots, SgdParams{s}); }
void sgd_steps_(ArrayRef<SgdSlot> slots, const SgdStep& s, const Tensor& lr) {
  run_capturable_steps(sgd_step_op, "sgd_step", slots, SgdParams{s}, nullptr, lr);
}
void sgd_step_(Tensor& param, const Tensor& grad, Tensor& momentum_buffer, const SgdStep& s) {
  const SgdSlot slot{param, grad, momentum_buffer};
  sgd_steps_({&slot, 1}, s);
}

void rmsprop_steps_(ArrayRef<RmspropSlot> slots, const RmspropStep& s) {
  run_steps(rmsprop_step_op, "rmsprop_step", slots, RmspropParams{s});
}
void rmsprop_steps_(ArrayRef<RmspropSlot> slots, const RmspropStep& s, const Tensor& count, const Tensor& lr) {
  run_capturable_steps(rmsprop_step_op, "rmsprop_step", slots, RmspropParams{s}, &count, lr);
}

void adagrad_steps_(ArrayRef<AdagradSlot> slots, const AdagradStep& s) {
  STRATA_CHECK(s.step >= 1, "adagrad_step: steps count from 1, got {}", s.step);
  run_steps(adagrad_step_op, "adagrad_step", slots, AdagradParams{s});
}
void adagrad_steps_(ArrayRef<AdagradSlot> slots, const AdagradStep& s, const Tensor& count, const Tensor& lr) {
  run_capturable_steps(adagrad_step_op, "adagrad_step", slots, AdagradParams{s}, &count, lr);
}

void adamax_steps_(ArrayRef<AdamaxSlot> slots, const AdamaxStep& s) {
  STRATA_CHECK(s.step >= 1, "adamax_step: steps count from 1, got {}", s.step);
  run_steps(adamax_step_op, "adamax_step", slots, AdamaxParams{s});
}
void adamax_steps_(ArrayRef<AdamaxSlot> slots, const AdamaxStep& s, const Tensor& count, const Tensor& lr) {
  run_capturable_steps(adamax_step_op, "adamax_step", slots, AdamaxParams{s}, &count, lr);
}

void nadam_steps_(ArrayRef<NadamSlot> slots, const NadamStep& s) {
  STRATA_CHECK(s.step >= 1, "nadam_step: steps count from 1, got {}", s.step);
  run_steps(nadam_step_op, "nadam_step", slots, NadamParams{s});
}

void radam_steps_(ArrayRef<RadamSlot> slots, const RadamStep& s) {
  STRATA_CHECK(s.step >= 1, "radam_step: steps count from 1, got {}", s.step);
  run_steps(radam_step_op, "radam_step", slots, RadamParams{s});
}
void radam_steps_(ArrayRef<RadamSlot> slots, const RadamStep& s, const Tensor& count, const Tensor& lr) {
  run_capturable_steps(radam_step_op, "radam_step", slots, RadamParams{s}, &count, lr);
}

void adadelta_steps_(ArrayRef<AdadeltaSlot> slots, const AdadeltaStep& s) {
  run_steps(adadelta_step_op, "adadelta_step", slots, AdadeltaParams{s});
}
void adadelta_steps_(ArrayRef<AdadeltaSlot> slots, const AdadeltaStep& s, const Tensor& count, const Tensor& lr) {
  run_capturable_steps(adadelta_step_op, "adadelta_step", slots, AdadeltaParams{s}, &count, lr);
}

void rprop_steps_(ArrayRef<RpropSlot> slots, const RpropStep& s) {
  run_steps(rprop_step_op, "rprop_step", slots, RpropParams{s});
}

void asgd_steps_(ArrayRef<AsgdSlot> slots, const AsgdStep& s) {
  run_steps(asgd_step_op, "asgd_step", slots, AsgdParams{s});
}

void lion_steps_(ArrayRef<LionSlot> slots, const LionStep& s) {
  run_steps(lion_step_op, "lion_step", slots, LionParams{s});
}
void lion_steps_(ArrayRef<LionSlot> slots, const LionStep& s, const Tensor& count, const Tensor& lr) {
  run_capturable_steps(lion_step_op, "lion_step", slots, LionParams{s}, &count, lr);
}

}  // namespace strata
