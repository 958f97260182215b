// The steps of Adagrad.
#include "optim/adagrad.h"

#include "core/cuda_graph.h"
#include "core/grad_mode.h"
#include "ops/creation.h"

namespace strata::optim {

template class OptimizerCloneableOptions<AdagradOptions>;
template class OptimizerCloneableParamState<AdagradParamState>;

namespace {

void update(Tensor& p, Tensor grad, AdagradParamState& s, const AdagradOptions& o) {
  if (!s.sum().defined()) s.sum(full_like(p, o.initial_accumulator_value()));
  STRATA_CHECK(o.lr_decay() == 0 || !cuda::is_current_stream_capturing(),
               "Adagrad: a step with lr_decay cannot be captured: the host's count of steps would stand still");
  s.step(s.step() + 1);
  if (o.weight_decay() != 0) grad = grad.add(p, o.weight_decay());
  const double lr = o.lr() / (1 + static_cast<double>(s.step() - 1) * o.lr_decay());
  s.sum().addcmul_(grad, grad);
  p.addcdiv_(grad, s.sum().sqrt().add_(o.eps()), -lr);
}

}  // namespace

Adagrad::Adagrad(const std::vector<OptimizerParamGroup>& param_groups, AdagradOptions defaults)
    : Optimizer(param_groups, std::make_unique<AdagradOptions>(defaults)) {
  const AdagradOptions& o = defaults;
  const bool valid =
      o.lr() >= 0 && o.lr_decay() >= 0 && o.weight_decay() >= 0 && o.initial_accumulator_value() >= 0 && o.eps() >= 0;
  STRATA_CHECK(
      valid,
      "Adagrad: lr {}, lr_decay {}, weight_decay {}, initial_accumulator_value {} and eps {} must not be negative",
      o.lr(), o.lr_decay(), o.weight_decay(), o.initial_accumulator_value(), o.eps());
}
Adagrad::Adagrad(std::vector<Tensor> params, AdagradOptions defaults)
    : Adagrad({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

std::unique_ptr<OptimizerParamState> Adagrad::make_state() const { return std::make_unique<AdagradParamState>(); }

Tensor Adagrad::step(LossClosure closure) {
  const Tensor loss = evaluate(closure);
  for_each_gradient<AdagradOptions>([&](Tensor& p, const Tensor& grad, const AdagradOptions& o) {
    update(p, grad, state_of<AdagradParamState>(p), o);
  });
  return loss;
}

}  // namespace strata::optim
