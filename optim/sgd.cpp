// Stochastic gradient descent.
#include "optim/sgd.h"

#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/optim_ops.h"
#include "optim/check_options.h"
#include "optim/step_optimizer.h"

namespace strata::optim {

template class OptimizerCloneableOptions<SGDOptions>;
template class OptimizerCloneableParamState<SGDParamState>;

SGD::SGD(const std::vector<OptimizerParamGroup>& param_groups, SGDOptions defaults)
    : Optimizer(param_groups, std::make_unique<SGDOptions>(defaults)) {
  check_not_negative("SGD", {{"learning rate", defaults.lr()},
                             {"momentum value", defaults.momentum()},
                             {"weight_decay value", defaults.weight_decay()}});
  STRATA_CHECK(!defaults.nesterov() || (defaults.momentum() > 0 && defaults.dampening() == 0),
               "SGD: Nesterov momentum requires a momentum and zero dampening, got {} and {}", defaults.momentum(),
               defaults.dampening());
}

SGD::SGD(std::vector<Tensor> params, SGDOptions defaults)
    : SGD({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

std::unique_ptr<OptimizerParamState> SGD::make_state() const { return std::make_unique<SGDParamState>(); }

Tensor SGD::step(LossClosure closure) {
  const Tensor loss = evaluate(closure);
  detail::hint_no_gradients(*this, *defaults_);
  const NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_) {
    const auto& o = static_cast<const SGDOptions&>(group.options());
    detail::Buckets<SgdSlot, bool> buckets(group.params().size());  // by whether the momentum begins
    for (const Tensor& p : group.params()) {
      if (!p.grad().defined()) continue;
      Tensor none, &buffer = o.momentum() == 0 ? none : state_of<SGDParamState>(p).momentum_buffer();
      const bool first = !buffer.defined();
      if (first && o.momentum() != 0) {
        check_may_begin();
        buffer = zeros_like(p);
      }
      buckets.add(first, {p, p.grad(), buffer});
    }
    buckets.for_each([&](bool first, const std::vector<SgdSlot>& slots) {
      const SgdStep s{o.lr(), o.momentum(), o.dampening(), o.weight_decay(), o.nesterov(), o.maximize(), first};
      const bool from_memory = o.capturable() || strata::detail::is_traced_for_replay();
      if (from_memory) return sgd_steps_(slots, s, o.lr_on(slots[0].param.device()));
      sgd_steps_(slots, s);
    });
  }
  return loss;
}

}  // namespace strata::optim
