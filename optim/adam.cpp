// Adam and AdamW.
#include "optim/adam.h"

#include "core/cuda_graph.h"
#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/optim_ops.h"
#include "optim/buckets.h"

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

void make_moments(const Tensor& p, AdamParamState& s, bool amsgrad) {
  if (!s.exp_avg().defined()) {
    s.exp_avg(zeros_like(p));
    s.exp_avg_sq(zeros_like(p));
  }
  if (amsgrad && !s.max_exp_avg_sq().defined()) s.max_exp_avg_sq(zeros_like(p));
}

template <class Options>
AdamStep numbers_of(const Options& o, bool decoupled) {
  const auto [beta1, beta2] = o.betas();
  return {o.lr(), beta1, beta2, o.eps(), o.weight_decay(), 1, decoupled, o.amsgrad()};
}

/// A parameter and its state, for those that have a gradient.
struct Member {
  Tensor param;
  AdamParamState* state;
};

AdamSlot slot_of(const Member& m) {
  const AdamParamState& s = *m.state;
  return {m.param, m.param.grad(), s.exp_avg(), s.exp_avg_sq(), s.max_exp_avg_sq()};
}
std::vector<AdamSlot> slots_of(const std::vector<Member>& members) {
  std::vector<AdamSlot> slots;
  slots.reserve(members.size());
  for (const Member& m : members) slots.push_back(slot_of(m));
  return slots;
}

template <class Options>
void steps(const std::vector<Member>& members, const Options& o, bool decoupled) {
  detail::Buckets<Member, int64_t> buckets(members.size());
  for (const Member& m : members) {
    STRATA_CHECK(!m.param.is_cuda() || !cuda::is_current_stream_capturing(),
                 "Adam: to capture its steps, set the option capturable: the host's count of them would stand still");
    m.state->step(m.state->step() + 1);
    buckets.add(m.state->step(), m);
  }
  AdamStep s = numbers_of(o, decoupled);
  buckets.for_each([&](int64_t step, const std::vector<Member>& alike) {
    s.step = step;
    adam_steps_(slots_of(alike), s);
  });
}

/// Members that have taken the same steps get a count of their own.
void give_count(const std::vector<Member>& alike, int64_t step) {
  const Tensor count = full({4}, step, TensorOptions(kDouble).device(alike[0].param.device())).clone();
  const auto shared = std::make_shared<Tensor>(count);
  for (const Member& m : alike) m.state->count = shared;
}

/// Each member gets a count that is shared by members alone.
void see_to_counts(const std::vector<Member>& members) {
  detail::Buckets<Member, const Tensor*> by_count(members.size());
  for (const Member& m : members) by_count.add(m.state->count.get(), m);
  by_count.for_each([](const Tensor* count, const std::vector<Member>& sharers) {
    if (count && sharers[0].state->count.use_count() == static_cast<long>(sharers.size())) return;
    STRATA_CHECK(!cuda::is_current_stream_capturing(),
                 "Adam: take a step before the capture, with gradients of the same parameters: it puts the count of "
                 "steps on the device");
    detail::Buckets<Member, int64_t> by_step(sharers.size());
    for (const Member& m : sharers) by_step.add(m.state->step(), m);
    by_step.for_each([](int64_t step, const std::vector<Member>& alike) { give_count(alike, step); });
  });
}

template <class Options>
void capturable_steps(const std::vector<Member>& members, Options& o, bool decoupled) {
  see_to_counts(members);
  detail::Buckets<Member, const Tensor*> buckets(members.size());
  for (const Member& m : members) buckets.add(m.state->count.get(), m);
  const AdamStep s = numbers_of(o, decoupled);
  buckets.for_each([&](const Tensor* count, const std::vector<Member>& alike) {
    adam_steps_(slots_of(alike), s, *count, o.lr_on(alike[0].param.device()));
  });
}

/// One step of either; `decoupled` is AdamW's weight decay.
template <class Options, class StateOf>
void update(OptimizerParamGroup& group, bool decoupled, StateOf state_of) {
  auto& o = static_cast<Options&>(group.options());
  std::vector<Member> members;
  members.reserve(group.params().size());
  for (const Tensor& p : group.params()) {
    if (!p.grad().defined()) continue;
    members.push_back({p, &state_of(p)});
    make_moments(p, *members.back().state, o.amsgrad());
  }
  if (o.capturable()) return capturable_steps(members, o, decoupled);
  steps(members, o, decoupled);
}

}  // namespace

AdamParamState::AdamParamState(const AdamParamState& o)
    : OptimizerCloneableParamState(o),
      exp_avg_(o.exp_avg_),
      exp_avg_sq_(o.exp_avg_sq_),
      max_exp_avg_sq_(o.max_exp_avg_sq_),
      step_(o.step()) {}

const int64_t& AdamParamState::step() const {
  if (count) step_ = static_cast<int64_t>((*count)[0].item<double>());
  return step_;
}

AdamParamState& AdamParamState::step(int64_t v) {
  count.reset();
  step_ = v;
  return *this;
}

Adam::Adam(const std::vector<OptimizerParamGroup>& param_groups, AdamOptions defaults)
    : Optimizer(param_groups, std::make_unique<AdamOptions>(defaults)) {
  check_options(defaults, "Adam");
}
Adam::Adam(std::vector<Tensor> params, AdamOptions defaults)
    : Adam({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

std::unique_ptr<OptimizerParamState> Adam::make_state() const { return std::make_unique<AdamParamState>(); }

Tensor Adam::step(LossClosure closure) {
  const Tensor loss = evaluate(closure);
  const NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_)
    update<AdamOptions>(group, false, [&](const Tensor& p) -> AdamParamState& { return state_of<AdamParamState>(p); });
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
  const NoGradGuard no_grad;
  for (OptimizerParamGroup& group : param_groups_)
    update<AdamWOptions>(group, true, [&](const Tensor& p) -> AdamParamState& { return state_of<AdamParamState>(p); });
  return loss;
}

}  // namespace strata::optim
