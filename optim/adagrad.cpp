// The steps of Adagrad.
#include "optim/adagrad.h"

#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/optim_ops.h"
#include "optim/check_options.h"
#include "optim/step_optimizer.h"

namespace strata::optim {

template class OptimizerCloneableOptions<AdagradOptions>;
template class OptimizerCloneableParamState<AdagradParamState>;

namespace {

using AdagradMember = detail::Member<AdagradParamState>;
using AdagradMembers = std::vector<AdagradMember>;

/// Makes the sum that a state lacks, and brings it along where the parameter has moved since.
void begin(const Tensor& p, AdagradParamState& s, const AdagradOptions& o) {
  if (s.sum().defined()) {
    if (s.sum().device() != p.device() || s.sum().scalar_type() != p.scalar_type()) s.adopt(p);
    return;
  }
  const double start = o.initial_accumulator_value();
  s.sum(full_like(p, p.is_complex() ? Scalar(Complex<double>(start, start)) : Scalar(start)));
}

AdagradSlot adagrad_slot_of(const AdagradMember& m) { return {m.param, m.param.grad(), m.state->sum()}; }

void update(const AdagradMembers& members, const AdagradOptions& o) {
  AdagradStep s{o.lr(), o.lr_decay(), o.eps(), o.weight_decay(), 1, o.maximize()};
  if (detail::counts_in_memory(members, o)) {
    return detail::count_on_device("Adagrad", members, [&](const Tensor& count, const AdagradMembers& alike) {
      adagrad_steps_(detail::slots_of(alike, adagrad_slot_of), s, count, o.lr_on(alike[0].param.device()));
    });
  }
  const bool decays = o.lr_decay() != 0;
  if (decays)
    for (const AdagradMember& m : members) detail::check_counts_on_host("Adagrad", m.param);
  detail::count_on_host(members, decays, [&](int64_t step, const AdagradMembers& alike) {
    s.step = decays ? step : 1;
    adagrad_steps_(detail::slots_of(alike, adagrad_slot_of), s);
  });
}

}  // namespace

Adagrad::Adagrad(const std::vector<OptimizerParamGroup>& param_groups, AdagradOptions defaults)
    : Optimizer(param_groups, std::make_unique<AdagradOptions>(defaults)) {
  const AdagradOptions& o = defaults;
  check_not_negative("Adagrad", {{"learning rate", o.lr()},
                                 {"lr_decay value", o.lr_decay()},
                                 {"weight_decay value", o.weight_decay()},
                                 {"initial_accumulator_value value", o.initial_accumulator_value()},
                                 {"epsilon value", o.eps()}});
  // Programs read and set the sums before the first step: PyTorch's Adagrad, alone among its optimizers, begins here.
  const NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_)
    for (const Tensor& p : group.params())
      begin(p, state_of<AdagradParamState>(p), static_cast<const AdagradOptions&>(group.options()));
}
Adagrad::Adagrad(std::vector<Tensor> params, AdagradOptions defaults)
    : Adagrad({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

std::unique_ptr<OptimizerParamState> Adagrad::make_state() const { return std::make_unique<AdagradParamState>(); }

Tensor Adagrad::step(LossClosure closure) {
  const Tensor loss = evaluate(closure);
  detail::hint_no_gradients(*this, *defaults_);
  const NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_) {
    const auto& o = static_cast<const AdagradOptions&>(group.options());
    const auto make_sum = [&](const Tensor& p, AdagradParamState& s) { begin(p, s, o); };
    update(members_of<AdagradParamState>(group, make_sum), o);
  }
  return loss;
}

}  // namespace strata::optim
