// The base of optimizers that differ in what they begin a parameter's state with and how they take a step.
#pragma once
#include <tuple>

#include "../core/grad_mode.h"
#include "capturable.h"

namespace strata::optim::detail {

/// A hint (core/hints.h) where a step is about to find no gradient in any parameter; looks at them up to the first.
void hint_no_gradients(const Optimizer& optimizer, const OptimizerOptions& defaults);

/// `Options` has `void check() const`, which throws where a number is out of its range.
template <class Options, class State>
class StepOptimizer : public Optimizer {
 public:
  explicit StepOptimizer(const std::vector<OptimizerParamGroup>& param_groups, Options defaults = {})
      : Optimizer(param_groups, std::make_unique<Options>(defaults)) {
    defaults.check();
    for (const OptimizerParamGroup& group : param_groups_) static_cast<const Options&>(group.options()).check();
  }
  explicit StepOptimizer(std::vector<Tensor> params, Options defaults = {})
      : StepOptimizer({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

  Tensor step(LossClosure closure = nullptr) override {
    const Tensor loss = evaluate(closure);
    step_without_grad();
    return loss;
  }

 protected:
  using Members = std::vector<Member<State>>;

  std::unique_ptr<OptimizerParamState> make_state() const override { return std::make_unique<State>(); }
  /// Makes what the state of a parameter lacks.
  virtual void begin(const Tensor& param, State& state, const Options& o) const = 0;
  /// Takes the members, whose states have begun, one step on. Nothing is recorded for gradients.
  virtual void take_step(const Members& members, const Options& o) const = 0;

 private:
  void step_without_grad() {
    const NoGradGuard no_grad;
    hint_no_gradients(*this, *defaults_);
    for (OptimizerParamGroup& group : param_groups_) {
      const auto& o = static_cast<const Options&>(group.options());
      const auto members = members_of<State>(group, [&](const Tensor& p, State& s) { begin(p, s, o); });
      if (!members.empty()) take_step(members, o);
    }
  }
};

/// A step whose numbers follow from the count of steps: `take(slots, s)`, or `take(slots, s, count, lr)` where it is
/// capturable. `step_matters` where the count is one of them.
template <class State, class Options, class Step, class SlotOf, class Take>
void take_counted_step(const char* name, const std::vector<Member<State>>& members, const Options& o, Step s,
                       bool step_matters, SlotOf slot_of, Take take) {
  if (counts_in_memory(members, o)) {
    return count_on_device(name, members, [&](const Tensor& count, const auto& alike) {
      take(slots_of(alike, slot_of), s, count, o.lr_on(alike[0].param.device()));
    });
  }
  if (step_matters)
    for (const Member<State>& m : members) check_counts_on_host(name, m.param);
  count_on_host(members, step_matters, [&](int64_t step, const auto& alike) {
    if constexpr (requires { s.step; }) s.step = step;
    take(slots_of(alike, slot_of), s);
  });
}

/// Throws unless the number is at least 0.
inline void check_not_negative(const char* optimizer, const char* what, double number) {
  STRATA_CHECK(number >= 0, "{}: {} must not be negative, got {}", optimizer, what, number);
}
/// Throws unless both betas are in [0, 1).
inline void check_betas(const char* optimizer, const std::tuple<double, double>& betas) {
  const auto [first, second] = betas;
  STRATA_CHECK(first >= 0 && first < 1 && second >= 0 && second < 1, "{}: the betas must be in [0, 1), got {} and {}",
               optimizer, first, second);
}

}  // namespace strata::optim::detail
