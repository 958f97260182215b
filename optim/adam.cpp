// Adam and AdamW.
#include "optim/adam.h"

#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/optim_ops.h"

namespace strata::optim {

template class OptimizerCloneableOptions<AdamOptions>;
template class OptimizerCloneableOptions<AdamWOptions>;
template class OptimizerCloneableParamState<AdamParamState>;

namespace {

template <class Options>
void check_options(const Options& o, const char* name) {
  const auto [beta1, beta2] = o.betas();
  STRATA_CHECK(o.lr() >= 0, "{}: the learning rate {} is negative", name, o.lr());
  STRATA_CHECK(o.eps() >= 0, "{}: eps {} is negative", name, o.eps());
  STRATA_CHECK(beta1 >= 0 && beta1 < 1 && beta2 >= 0 && beta2 < 1, "{}: the betas {} and {} are not in [0, 1)", name,
               beta1, beta2);
  STRATA_CHECK(o.weight_decay() >= 0, "{}: the weight decay {} is negative", name, o.weight_decay());
}

using Member = detail::Member<AdamParamState>;
using Members = std::vector<Member>;

void make_moments(const Tensor& p, AdamParamState& s, bool amsgrad) {
  if (!s.exp_avg().defined()) {
    s.exp_avg(zeros_like(p));
    s.exp_avg_sq(zeros_like(p));
  }
  if (amsgrad && !s.max_exp_avg_sq().defined()) s.max_exp_avg_sq(zeros_like(p));
}

template <class Options>
AdamStep numbers_of(const Options& o, bool decoupled) {
  const auto [beta1, beta2] = o.betas();
  return {o.lr(), beta1, beta2, o.eps(), o.weight_decay(), 1, decoupled, o.amsgrad()};
}

AdamSlot slot_of(const Member& m) {
  const AdamParamState& s = *m.state;
  return {m.param, m.param.grad(), s.exp_avg(), s.exp_avg_sq(), s.max_exp_avg_sq()};
}

/// One step of either; `decoupled` is AdamW's weight decay.
template <class Options>
void update(const Members& members, Options& o, bool decoupled) {
  AdamStep s = numbers_of(o, decoupled);
  if (o.capturable()) {
    return detail::count_on_device("Adam", members, [&](const Tensor& count, const Members& alike) {
      adam_steps_(detail::slots_of(alike, slot_of), s, count, o.lr_on(alike[0].param.device()));
    });
  }
  for (const Member& m : members) detail::check_counts_on_host("Adam", m.param);
  detail::count_on_host(members, true, [&](int64_t step, const Members& alike) {
    s.step = step;
    adam_steps_(detail::slots_of(alike, slot_of), s);
  });
}

}  // namespace

Adam::Adam(const std::vector<OptimizerParamGroup>& param_groups, AdamOptions defaults)
    : Optimizer(param_groups, std::make_unique<AdamOptions>(defaults)) {
  check_options(defaults, "Adam");
}
Adam::Adam(std::vector<Tensor> params, AdamOptions defaults)
    : Adam({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

std::unique_ptr<OptimizerParamState> Adam::make_state() const { return std::make_unique<AdamParamState>(); }

Tensor Adam::step(LossClosure closure) {
  const Tensor loss = evaluate(closure);
  const NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_) {
    auto& o = static_cast<AdamOptions&>(group.options());
    update(members_of<AdamParamState>(group, [&](auto& p, auto& s) { make_moments(p, s, o.amsgrad()); }), o, false);
  }
  return loss;
}

AdamW::AdamW(const std::vector<OptimizerParamGroup>& param_groups, AdamWOptions defaults)
    : Optimizer(param_groups, std::make_unique<AdamWOptions>(defaults)) {
  check_options(defaults, "AdamW");
}
AdamW::AdamW(std::vector<Tensor> params, AdamWOptions defaults)
    : AdamW({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

std::unique_ptr<OptimizerParamState> AdamW::make_state() const { return std::make_unique<AdamParamState>(); }

Tensor AdamW::step(LossClosure closure) {
  const Tensor loss = evaluate(closure);
  const NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_) {
    auto& o = static_cast<AdamWOptions&>(group.options());
    update(members_of<AdamParamState>(group, [&](auto& p, auto& s) { make_moments(p, s, o.amsgrad()); }), o, true);
  }
  return loss;
}

}  // namespace strata::optim
