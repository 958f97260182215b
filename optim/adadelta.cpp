// The steps of Adadelta.
#include "optim/adadelta.h"

#include "ops/creation.h"
#include "ops/optim_ops.h"

namespace strata::optim {

template class OptimizerCloneableOptions<AdadeltaOptions>;
template class OptimizerCloneableParamState<AdadeltaParamState>;

void AdadeltaOptions::check() const {
  detail::check_not_negative("Adadelta", "the learning rate", lr());
  detail::check_not_negative("Adadelta", "eps", eps());
  detail::check_not_negative("Adadelta", "weight_decay", weight_decay());
  STRATA_CHECK(rho() >= 0 && rho() <= 1, "Adadelta: rho must be in [0, 1], got {}", rho());
}

void Adadelta::begin(const Tensor& p, AdadeltaParamState& s, const AdadeltaOptions&) const {
  if (s.square_avg().defined()) return;
  s.square_avg(zeros_like(p));
  s.acc_delta(zeros_like(p));
}

void Adadelta::take_step(const Members& members, const AdadeltaOptions& o) const {
  const AdadeltaStep s{o.lr(), o.rho(), o.eps(), o.weight_decay(), o.maximize()};
  detail::take_counted_step(
      "Adadelta", members, o, s, false,
      [](const auto& m) {
        return AdadeltaSlot{m.param, m.param.grad(), m.state->square_avg(), m.state->acc_delta()};
      },
      [](const auto&... args) { adadelta_steps_(args...); });
}

}  // namespace strata::optim
