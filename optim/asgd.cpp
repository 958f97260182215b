// The steps of averaged gradient descent.
#include "optim/asgd.h"

#include <algorithm>
#include <cmath>

#include "ops/creation.h"
#include "ops/optim_ops.h"

namespace strata::optim {

template class OptimizerCloneableOptions<ASGDOptions>;
template class OptimizerCloneableParamState<ASGDParamState>;

void ASGDOptions::check() const {
  detail::check_not_negative("ASGD", "the learning rate", lr());
  detail::check_not_negative("ASGD", "weight_decay", weight_decay());
}

void ASGD::begin(const Tensor& p, ASGDParamState& s, const ASGDOptions& o) const {
  if (s.ax().defined()) return;
  s.ax(zeros_like(p));
  s.eta(o.lr());
}

void ASGD::take_step(const Members& members, const ASGDOptions& o) const {
  detail::Buckets<AsgdSlot, std::pair<double, double>> buckets(members.size());
  for (const auto& m : members) {
    detail::check_counts_on_host("ASGD", m.param);
    ASGDParamState& s = *m.state;
    buckets.add({s.eta(), s.mu()}, {m.param, m.param.grad(), s.ax()});
    s.step(s.step() + 1);
    const double steps = static_cast<double>(s.step());
    s.eta(o.lr() / std::pow(1 + o.lambd() * o.lr() * steps, o.alpha()));
    s.mu(1 / std::max(1.0, steps - o.t0()));
  }
  buckets.for_each([&](const std::pair<double, double>& eta_and_mu, const std::vector<AsgdSlot>& slots) {
    asgd_steps_(slots, {eta_and_mu.first, o.lambd(), o.weight_decay(), eta_and_mu.second, o.maximize()});
  });
}

}  // namespace strata::optim
