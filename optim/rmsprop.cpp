// The steps of RMSprop.
#include "optim/rmsprop.h"

#include "core/grad_mode.h"
#include "ops/creation.h"

namespace strata::optim {

template class OptimizerCloneableOptions<RMSpropOptions>;
template class OptimizerCloneableParamState<RMSpropParamState>;

namespace {

void update(Tensor& p, Tensor grad, RMSpropParamState& s, const RMSpropOptions& o) {
  if (!s.square_avg().defined()) s.square_avg(zeros_like(p));
  s.step(s.step() + 1);
  if (o.weight_decay() != 0) grad = grad.add(p, o.weight_decay());
  s.square_avg().mul_(o.alpha()).addcmul_(grad, grad, 1 - o.alpha());
  Tensor root;
  if (o.centered()) {
    if (!s.grad_avg().defined()) s.grad_avg(zeros_like(p));
    s.grad_avg().mul_(o.alpha()).add_(grad, 1 - o.alpha());
    root = s.square_avg().addcmul(s.grad_avg(), s.grad_avg(), -1).sqrt_().add_(o.eps());
  } else {
    root = s.square_avg().sqrt().add_(o.eps());
  }
  if (o.momentum() == 0) {
    p.addcdiv_(grad, root, -o.lr());
    return;
  }
  if (!s.momentum_buffer().defined()) s.momentum_buffer(zeros_like(p));
  s.momentum_buffer().mul_(o.momentum()).addcdiv_(grad, root);
  p.add_(s.momentum_buffer(), -o.lr());
}

}  // namespace

RMSprop::RMSprop(const std::vector<OptimizerParamGroup>& param_groups, RMSpropOptions defaults)
    : Optimizer(param_groups, std::make_unique<RMSpropOptions>(defaults)) {
  const RMSpropOptions& o = defaults;
  const bool valid = o.lr() >= 0 && o.eps() >= 0 && o.momentum() >= 0 && o.weight_decay() >= 0 && o.alpha() >= 0;
  STRATA_CHECK(valid, "RMSprop: lr {}, eps {}, momentum {}, weight_decay {} and alpha {} must not be negative", o.lr(),
               o.eps(), o.momentum(), o.weight_decay(), o.alpha());
}
RMSprop::RMSprop(std::vector<Tensor> params, RMSpropOptions defaults)
    : RMSprop({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

std::unique_ptr<OptimizerParamState> RMSprop::make_state() const { return std::make_unique<RMSpropParamState>(); }

Tensor RMSprop::step(LossClosure closure) {
  const Tensor loss = evaluate(closure);
  for_each_gradient<RMSpropOptions>([&](Tensor& p, const Tensor& grad, const RMSpropOptions& o) {
    update(p, grad, state_of<RMSpropParamState>(p), o);
  });
  return loss;
}

}  // namespace strata::optim
