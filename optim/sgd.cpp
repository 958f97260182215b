// Stochastic gradient descent.
#include "optim/sgd.h"

#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/optim_ops.h"

namespace strata::optim {

template class OptimizerCloneableOptions<SGDOptions>;
template class OptimizerCloneableParamState<SGDParamState>;

SGD::SGD(const std::vector<OptimizerParamGroup>& param_groups, SGDOptions defaults)
    : Optimizer(param_groups, std::make_unique<SGDOptions>(defaults)) {
  STRATA_CHECK(defaults.lr() >= 0, "SGD: the learning rate {} is negative", defaults.lr());
  STRATA_CHECK(defaults.momentum() >= 0, "SGD: the momentum {} is negative", defaults.momentum());
  STRATA_CHECK(defaults.weight_decay() >= 0, "SGD: the weight decay {} is negative", defaults.weight_decay());
  STRATA_CHECK(!defaults.nesterov() || (defaults.momentum() > 0 && defaults.dampening() == 0),
               "SGD: nesterov needs a momentum and no dampening");
}

SGD::SGD(std::vector<Tensor> params, SGDOptions defaults)
    : SGD({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

std::unique_ptr<OptimizerParamState> SGD::make_state() const { return std::make_unique<SGDParamState>(); }

Tensor SGD::step(LossClosure closure) {
  const Tensor loss = evaluate(closure);
  Tensor none;
  for_each_gradient<SGDOptions>([&](Tensor& p, const Tensor& grad, const SGDOptions& o) {
    SgdStep step{o.lr(), o.momentum(), o.dampening(), o.weight_decay(), o.nesterov()};
    if (o.momentum() == 0) return sgd_step_(p, grad, none, step);
    Tensor& buffer = state_of<SGDParamState>(p).momentum_buffer();
    step.first = !buffer.defined();
    if (step.first) buffer = zeros_like(p);
    sgd_step_(p, grad, buffer, step);
  });
  return loss;
}

}  // namespace strata::optim
