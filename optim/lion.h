// Lion (Chen et al., 2023).
#pragma once
#include <tuple>

#include "step_optimizer.h"

namespace strata::optim {

struct LionOptions : public detail::CapturableOptions<LionOptions> {
  using betas_t = std::tuple<double, double>;
  LionOptions() : CapturableOptions(1e-4, detail::Given::kNo) {}
  LionOptions(double lr) : CapturableOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(betas_t, betas) = {0.9, 0.99};
  /// Shrinks the parameter itself.
  STRATA_OPTION(double, weight_decay) = 0;

 public:
  void check() const;
  static constexpr const char* kFields[] = {"lr", "betas", "weight_decay", "capturable", "maximize"};
  static auto fields(auto& o) { return std::tie(o.lr(), o.betas(), o.weight_decay(), o.capturable(), o.maximize()); }
  friend bool operator==(const LionOptions& a, const LionOptions& b) { return fields(a) == fields(b); }
};

struct LionParamState : public detail::CountingParamState<LionParamState> {
  STRATA_ARG(Tensor, exp_avg);

 public:
  static constexpr const char* kFields[] = {"step", "exp_avg"};
  static auto fields(auto& s) { return std::tie(s.step(), s.exp_avg()); }
};

extern template class OptimizerCloneableOptions<LionOptions>;
extern template class OptimizerCloneableParamState<LionParamState>;

/// Steps by the sign of a mean gradient.
class Lion : public detail::StepOptimizer<LionOptions, LionParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, LionParamState& state, const LionOptions& o) const override;
  void take_step(const Members& members, const LionOptions& o) const override;
};

}  // namespace strata::optim
