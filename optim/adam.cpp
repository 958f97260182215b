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

/// One step of either; `decoupled` is AdamW's weight decay.
template <class Options>
void update(Tensor& p, const Tensor& grad, AdamParamState& s, const Options& o, bool decoupled) {
  if (!s.exp_avg().defined()) {
    s.exp_avg(zeros_like(p));
    s.exp_avg_sq(zeros_like(p));
  }
  if (o.amsgrad() && !s.max_exp_avg_sq().defined()) s.max_exp_avg_sq(zeros_like(p));
  s.step(s.step() + 1);
  const auto [beta1, beta2] = o.betas();
  adam_step_(p, grad, s.exp_avg(), s.exp_avg_sq(), s.max_exp_avg_sq(),
             {o.lr(), beta1, beta2, o.eps(), o.weight_decay(), s.step(), decoupled, o.amsgrad()});
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
  for_each_gradient<AdamOptions>([&](Tensor& p, const Tensor& grad, const AdamOptions& o) {
    update(p, grad, state_of<AdamParamState>(p), o, false);
  });
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
  for_each_gradient<AdamWOptions>([&](Tensor& p, const Tensor& grad, const AdamWOptions& o) {
    update(p, grad, state_of<AdamParamState>(p), o, true);
  });
  return loss;
}

}  // namespace strata::optim
