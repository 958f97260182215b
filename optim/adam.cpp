// Adam and AdamW.
#include "optim/adam.h"

#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/optim_ops.h"
#include "optim/check_options.h"
#include "optim/step_optimizer.h"

namespace strata::optim {

template class OptimizerCloneableOptions<AdamOptions>;
template class OptimizerCloneableOptions<AdamWOptions>;
template class OptimizerCloneableParamState<AdamParamState>;

namespace {

/// Decoupled weight decay does not pass through the moments.
bool is_decoupled(const AdamOptions& o) { return o.decoupled_weight_decay(); }
bool is_decoupled(const AdamWOptions&) { return true; }

template <class Options>
void check_options(const Options& o) {
  constexpr const char* name = std::is_same_v<Options, AdamWOptions> ? "AdamW" : "Adam";
  const auto [beta1, beta2] = o.betas();
  check_not_negative(name,
                     {{"learning rate", o.lr()}, {"epsilon value", o.eps()}, {"weight_decay value", o.weight_decay()}});
  STRATA_CHECK(beta1 >= 0 && beta1 < 1, "{}: Invalid beta parameter at index 0: {} is not in [0, 1)", name, beta1);
  STRATA_CHECK(beta2 >= 0 && beta2 < 1, "{}: Invalid beta parameter at index 1: {} is not in [0, 1)", name, beta2);
}

using AdamMember = detail::Member<AdamParamState>;
using AdamMembers = std::vector<AdamMember>;

void make_moments(const Tensor& p, AdamParamState& s, bool amsgrad) {
  if (!s.exp_avg().defined()) {
    s.exp_avg(zeros_like(p));
    s.exp_avg_sq(zeros_like(p));
  }
  if (amsgrad && !s.max_exp_avg_sq().defined()) s.max_exp_avg_sq(zeros_like(p));
}

template <class Options>
AdamStep numbers_of(const Options& o) {
  const auto [beta1, beta2] = o.betas();
  return {o.lr(), beta1, beta2, o.eps(), o.weight_decay(), 1, is_decoupled(o), o.amsgrad(), o.maximize()};
}

AdamSlot adam_slot_of(const AdamMember& m) {
  const AdamParamState& s = *m.state;
  return {m.param, m.param.grad(), s.exp_avg(), s.exp_avg_sq(), s.max_exp_avg_sq()};
}

template <class Options>
void update(const AdamMembers& members, const Options& o) {
  AdamStep s = numbers_of(o);
  if (detail::counts_in_memory(members, o)) {
    return detail::count_on_device("Adam", members, [&](const Tensor& count, const AdamMembers& alike) {
      adam_steps_(detail::slots_of(alike, adam_slot_of), s, count, o.lr_on(alike[0].param.device()));
    });
  }
  for (const AdamMember& m : members) detail::check_counts_on_host("Adam", m.param);
  detail::count_on_host(members, true, [&](int64_t step, const AdamMembers& alike) {
    s.step = step;
    adam_steps_(detail::slots_of(alike, adam_slot_of), s);
  });
}

}  // namespace

template <class Options>
detail::AdamOptimizer<Options>::AdamOptimizer(const std::vector<OptimizerParamGroup>& param_groups, Options defaults)
    : Optimizer(param_groups, std::make_unique<Options>(defaults)) {
  check_options(defaults);
}
template <class Options>
detail::AdamOptimizer<Options>::AdamOptimizer(std::vector<Tensor> params, Options defaults)
    : AdamOptimizer({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

template <class Options>
std::unique_ptr<OptimizerParamState> detail::AdamOptimizer<Options>::make_state() const {
  return std::make_unique<AdamParamState>();
}

template <class Options>
Tensor detail::AdamOptimizer<Options>::step(LossClosure closure) {
  const Tensor loss = evaluate(closure);
  detail::hint_no_gradients(*this, *defaults_);
  const NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_) {
    const auto& o = static_cast<const Options&>(group.options());
    update(members_of<AdamParamState>(group, [&](auto& p, auto& s) { make_moments(p, s, o.amsgrad()); }), o);
  }
  return loss;
}

template class detail::AdamOptimizer<AdamOptions>;
template class detail::AdamOptimizer<AdamWOptions>;

}  // namespace strata::optim
