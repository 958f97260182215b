// The steps of Lion.
#include "optim/lion.h"

#include "ops/creation.h"
#include "ops/optim_ops.h"

namespace strata::optim {

template class OptimizerCloneableOptions<LionOptions>;
template class OptimizerCloneableParamState<LionParamState>;

void LionOptions::check() const {
  detail::check_not_negative("Lion", "the learning rate", lr());
  detail::check_betas("Lion", betas());
  detail::check_not_negative("Lion", "weight_decay", weight_decay());
}

void Lion::begin(const Tensor& p, LionParamState& s, const LionOptions&) const {
  if (!s.exp_avg().defined()) s.exp_avg(zeros_like(p));
}

void Lion::take_step(const Members& members, const LionOptions& o) const {
  const auto [beta1, beta2] = o.betas();
  const LionStep s{o.lr(), beta1, beta2, o.weight_decay(), o.maximize()};
  detail::take_counted_step(
      "Lion", members, o, s, false,
      [](const auto& m) {
        return LionSlot{m.param, m.param.grad(), m.state->exp_avg()};
      },
      [](const auto&... args) { lion_steps_(args...); });
}

}  // namespace strata::optim
