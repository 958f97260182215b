// The steps of LAMB.
#include "optim/lamb.h"

#include <cmath>

#include "ops/as_reals.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata::optim {

template class OptimizerCloneableOptions<LAMBOptions>;
template class OptimizerCloneableParamState<LAMBParamState>;

void LAMBOptions::check() const {
  detail::check_not_negative("LAMB", "the learning rate", lr());
  detail::check_not_negative("LAMB", "eps", eps());
  detail::check_betas("LAMB", betas());
  detail::check_not_negative("LAMB", "weight_decay", weight_decay());
}

void LAMB::begin(const Tensor& p, LAMBParamState& s, const LAMBOptions&) const {
  if (s.exp_avg().defined()) return;
  s.exp_avg(zeros_like(p));
  s.exp_avg_sq(zeros_like(p));
}

void LAMB::take_step(const Members& members, const LAMBOptions& o) const {
  const auto [beta1, beta2] = o.betas();
  for (const auto& m : members) {
    detail::check_counts_on_host("LAMB", m.param);
    m.state->step(m.state->step() + 1);
    const double steps = static_cast<double>(m.state->step());
    Tensor p = as_reals(m.param), mean = as_reals(m.state->exp_avg()), square = as_reals(m.state->exp_avg_sq());
    const Tensor given = as_reals(m.param.grad()), g = o.maximize() ? -given : given;
    mean.lerp_(g, 1 - beta1);
    square.mul_(beta2).addcmul_(g, g, 1 - beta2);
    const Tensor root = square.sqrt().mul_(1 / std::sqrt(1 - std::pow(beta2, steps))).add_(o.eps());
    const Tensor r = (mean / root).mul_(1 / (1 - std::pow(beta1, steps))).add_(p, o.weight_decay());
    const Tensor length = p.norm(), other = r.norm();
    const Tensor trust = where((length > 0).logical_and(other > 0), length / other, ones_like(length));
    p.sub_(r * trust, o.lr());
  }
}

}  // namespace strata::optim
