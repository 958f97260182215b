// Rprop (Riedmiller and Braun, 1993), for gradients of whole data sets.
#pragma once
#include <tuple>

#include "step_optimizer.h"

namespace strata::optim {

/// `lr` is the first step's size.
struct RpropOptions : public detail::RateOptions<RpropOptions> {
  using pair_t = std::tuple<double, double>;
  RpropOptions() : RateOptions(1e-2, detail::Given::kNo) {}
  RpropOptions(double lr) : RateOptions(lr, detail::Given::kYes) {}
  /// By how much a step shrinks where the gradient's sign has changed, and grows where it has not.
  STRATA_OPTION(pair_t, etas) = {0.5, 1.2};
  /// The smallest and the largest step.
  STRATA_OPTION(pair_t, step_sizes) = {1e-6, 50};

 public:
  void check() const;
  static constexpr const char* kFields[] = {"lr", "etas", "step_sizes", "maximize"};
  static auto fields(auto& o) { return std::tie(o.lr(), o.etas(), o.step_sizes(), o.maximize()); }
  friend bool operator==(const RpropOptions& a, const RpropOptions& b) { return fields(a) == fields(b); }
};

struct RpropParamState : public detail::CountingParamState<RpropParamState> {
  STRATA_ARG(Tensor, prev);
  STRATA_ARG(Tensor, step_size);

 public:
  static constexpr const char* kFields[] = {"step", "prev", "step_size"};
  static auto fields(auto& s) { return std::tie(s.step(), s.prev(), s.step_size()); }
};

extern template class OptimizerCloneableOptions<RpropOptions>;
extern template class OptimizerCloneableParamState<RpropParamState>;

/// Each weight has a step size of its own, and of the gradient only the sign counts.
class Rprop : public detail::StepOptimizer<RpropOptions, RpropParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, RpropParamState& state, const RpropOptions& o) const override;
  void take_step(const Members& members, const RpropOptions& o) const override;
};

}  // namespace strata::optim
