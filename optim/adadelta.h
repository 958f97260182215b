// Adadelta (Zeiler, 2012).
#pragma once
#include "step_optimizer.h"

namespace strata::optim {

struct AdadeltaOptions : public detail::CapturableOptions<AdadeltaOptions> {
  AdadeltaOptions() : CapturableOptions(1.0, detail::Given::kNo) {}
  AdadeltaOptions(double lr) : CapturableOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(double, rho) = 0.9;
  STRATA_OPTION(double, eps) = 1e-6;
  STRATA_OPTION(double, weight_decay) = 0;

 public:
  void check() const;
  static constexpr const char* kFields[] = {"lr", "rho", "eps", "weight_decay", "capturable", "maximize"};
  static auto fields(auto& o) {
    return std::tie(o.lr(), o.rho(), o.eps(), o.weight_decay(), o.capturable(), o.maximize());
  }
  friend bool operator==(const AdadeltaOptions& a, const AdadeltaOptions& b) { return fields(a) == fields(b); }
};

struct AdadeltaParamState : public detail::CountingParamState<AdadeltaParamState> {
  STRATA_ARG(Tensor, square_avg);
  STRATA_ARG(Tensor, acc_delta);

 public:
  static constexpr const char* kFields[] = {"step", "square_avg", "acc_delta"};
  static auto fields(auto& s) { return std::tie(s.step(), s.square_avg(), s.acc_delta()); }
};

extern template class OptimizerCloneableOptions<AdadeltaOptions>;
extern template class OptimizerCloneableParamState<AdadeltaParamState>;

/// Divides by the root of a mean of squared gradients and multiplies by that of squared steps.
class Adadelta : public detail::StepOptimizer<AdadeltaOptions, AdadeltaParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, AdadeltaParamState& state, const AdadeltaOptions& o) const override;
  void take_step(const Members& members, const AdadeltaOptions& o) const override;
};

}  // namespace strata::optim
