// Adam and AdamW.
#include "optim/adam.h"

#include <cmath>

#include "core/grad_mode.h"
#include "ops/creation.h"

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
void update(Tensor& p, Tensor grad, AdamParamState& s, const Options& o, bool decoupled) {
  if (!s.exp_avg().defined()) {
    s.exp_avg(zeros_like(p.detach()));
    s.exp_avg_sq(zeros_like(p.detach()));
  }
  if (o.amsgrad() && !s.max_exp_avg_sq().defined()) s.max_exp_avg_sq(zeros_like(p.detach()));
  const auto [beta1, beta2] = o.betas();
  const double step = static_cast<double>(s.step(s.step() + 1).step());
  if (o.weight_decay() != 0) {
    if (decoupled)
      p.mul_(1 - o.lr() * o.weight_decay());
    else
      grad = grad.add(p, o.weight_decay());
  }
  s.exp_avg().mul_(beta1).add_(grad, 1 - beta1);
  s.exp_avg_sq().mul_(beta2).addcmul_(grad, grad, 1 - beta2);
  if (o.amsgrad()) s.max_exp_avg_sq(s.max_exp_avg_sq().maximum(s.exp_avg_sq()));
  const Tensor& second = o.amsgrad() ? s.max_exp_avg_sq() : s.exp_avg_sq();
  const Tensor denominator = second.sqrt().div_(std::sqrt(1 - std::pow(beta2, step))).add_(o.eps());
  p.addcdiv_(s.exp_avg(), denominator, -o.lr() / (1 - std::pow(beta1, step)));
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
