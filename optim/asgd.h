// Averaged stochastic gradient descent (Polyak and Juditsky, 1992).
#pragma once
#include "step_optimizer.h"

namespace strata::optim {

/// A graph cannot capture these steps: the host computes their sizes.
struct ASGDOptions : public detail::RateOptions<ASGDOptions> {
  ASGDOptions() : RateOptions(1e-2, detail::Given::kNo) {}
  ASGDOptions(double lr) : RateOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(double, lambd) = 1e-4;
  STRATA_OPTION(double, alpha) = 0.75;
  /// After how many steps the average begins.
  STRATA_OPTION(double, t0) = 1e6;
  STRATA_OPTION(double, weight_decay) = 0;

 public:
  void check() const;
  static constexpr const char* kFields[] = {"lr", "lambd", "alpha", "t0", "weight_decay", "maximize"};
  static auto fields(auto& o) { return std::tie(o.lr(), o.lambd(), o.alpha(), o.t0(), o.weight_decay(), o.maximize()); }
  friend bool operator==(const ASGDOptions& a, const ASGDOptions& b) { return fields(a) == fields(b); }
};

/// `ax` is the average of the parameter; `eta` and `mu` are the next step's.
struct ASGDParamState : public detail::CountingParamState<ASGDParamState> {
  STRATA_ARG(double, eta) = 0;
  STRATA_ARG(double, mu) = 1;
  STRATA_ARG(Tensor, ax);

 public:
  static constexpr const char* kFields[] = {"step", "eta", "mu", "ax"};
  static auto fields(auto& s) { return std::tie(s.step(), s.eta(), s.mu(), s.ax()); }
};

extern template class OptimizerCloneableOptions<ASGDOptions>;
extern template class OptimizerCloneableParamState<ASGDParamState>;

/// Steps that shrink as a power of their count, and the average of where they led, in the state.
class ASGD : public detail::StepOptimizer<ASGDOptions, ASGDParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, ASGDParamState& state, const ASGDOptions& o) const override;
  void take_step(const Members& members, const ASGDOptions& o) const override;
};

}  // namespace strata::optim
