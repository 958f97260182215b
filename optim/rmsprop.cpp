// The steps of RMSprop.
#include "optim/rmsprop.h"

#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/optim_ops.h"
#include "optim/check_options.h"
#include "optim/step_optimizer.h"

namespace strata::optim {

template class OptimizerCloneableOptions<RMSpropOptions>;
template class OptimizerCloneableParamState<RMSpropParamState>;

namespace {

using RmspropMember = detail::Member<RMSpropParamState>;
using RmspropMembers = std::vector<RmspropMember>;

void make_averages(const Tensor& p, RMSpropParamState& s, const RMSpropOptions& o) {
  if (!s.square_avg().defined()) s.square_avg(zeros_like(p));
  if (o.centered() && !s.grad_avg().defined()) s.grad_avg(zeros_like(p));
  if (o.momentum() != 0 && !s.momentum_buffer().defined()) s.momentum_buffer(zeros_like(p));
}

RmspropSlot rmsprop_slot_of(const RmspropMember& m) {
  const RMSpropParamState& s = *m.state;
  return {m.param, m.param.grad(), s.square_avg(), s.grad_avg(), s.momentum_buffer()};
}

void update(const RmspropMembers& members, const RMSpropOptions& o) {
  const RmspropStep s{o.lr(), o.alpha(), o.eps(), o.weight_decay(), o.momentum(), o.centered(), o.maximize()};
  if (detail::counts_in_memory(members, o)) {
    return detail::count_on_device("RMSprop", members, [&](const Tensor& count, const RmspropMembers& alike) {
      rmsprop_steps_(detail::slots_of(alike, rmsprop_slot_of), s, count, o.lr_on(alike[0].param.device()));
    });
  }
  detail::count_on_host(members, false, [&](int64_t, const RmspropMembers& alike) {
    rmsprop_steps_(detail::slots_of(alike, rmsprop_slot_of), s);
  });
}

}  // namespace

RMSprop::RMSprop(const std::vector<OptimizerParamGroup>& param_groups, RMSpropOptions defaults)
    : Optimizer(param_groups, std::make_unique<RMSpropOptions>(defaults)) {
  const RMSpropOptions& o = defaults;
  check_not_negative("RMSprop", {{"learning rate", o.lr()},
                                 {"epsilon value", o.eps()},
                                 {"momentum value", o.momentum()},
                                 {"weight_decay value", o.weight_decay()},
                                 {"alpha value", o.alpha()}});
}
RMSprop::RMSprop(std::vector<Tensor> params, RMSpropOptions defaults)
    : RMSprop({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

std::unique_ptr<OptimizerParamState> RMSprop::make_state() const { return std::make_unique<RMSpropParamState>(); }

Tensor RMSprop::step(LossClosure closure) {
  const Tensor loss = evaluate(closure);
  detail::hint_no_gradients(*this, *defaults_);
  const NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_) {
    const auto& o = static_cast<const RMSpropOptions&>(group.options());
    update(members_of<RMSpropParamState>(group, [&](auto& p, auto& s) { make_averages(p, s, o); }), o);
  }
  return loss;
}

}  // namespace strata::optim
