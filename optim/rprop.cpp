// The steps of Rprop.
#include "optim/rprop.h"

#include "ops/creation.h"
#include "ops/optim_ops.h"

namespace strata::optim {

template class OptimizerCloneableOptions<RpropOptions>;
template class OptimizerCloneableParamState<RpropParamState>;

void RpropOptions::check() const {
  const auto [minus, plus] = etas();
  detail::check_not_negative("Rprop", "the learning rate", lr());
  STRATA_CHECK(minus > 0 && minus < 1 && plus > 1, "Rprop: etas must be in (0, 1) and above 1, got {} and {}", minus,
               plus);
}

void Rprop::begin(const Tensor& p, RpropParamState& s, const RpropOptions& o) const {
  if (s.prev().defined()) return;
  s.prev(zeros_like(p));
  s.step_size(full_like(p, p.is_complex() ? Scalar(Complex<double>(o.lr(), o.lr())) : Scalar(o.lr())));
}

void Rprop::take_step(const Members& members, const RpropOptions& o) const {
  const auto [minus, plus] = o.etas();
  const auto [smallest, largest] = o.step_sizes();
  const RpropStep s{minus, plus, smallest, largest, o.maximize()};
  detail::count_on_host(members, false, [&](int64_t, const Members& alike) {
    rprop_steps_(detail::slots_of(alike,
                                  [](const auto& m) {
                                    return RpropSlot{m.param, m.param.grad(), m.state->prev(), m.state->step_size()};
                                  }),
                 s);
  });
}

}  // namespace strata::optim
