// LAMB (You et al., 2020), for large batches.
#pragma once
#include <tuple>

#include "step_optimizer.h"

namespace strata::optim {

struct LAMBOptions : public detail::RateOptions<LAMBOptions> {
  using betas_t = std::tuple<double, double>;
  LAMBOptions() : RateOptions(1e-3, detail::Given::kNo) {}
  LAMBOptions(double lr) : RateOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(betas_t, betas) = {0.9, 0.999};
  STRATA_OPTION(double, eps) = 1e-6;
  /// A part of the direction whose length the trust ratio scales.
  STRATA_OPTION(double, weight_decay) = 0;

 public:
  void check() const;
  static constexpr const char* kFields[] = {"lr", "betas", "eps", "weight_decay", "maximize"};
  static auto fields(auto& o) { return std::tie(o.lr(), o.betas(), o.eps(), o.weight_decay(), o.maximize()); }
  friend bool operator==(const LAMBOptions& a, const LAMBOptions& b) { return fields(a) == fields(b); }
};

struct LAMBParamState : public detail::CountingParamState<LAMBParamState> {
  STRATA_ARG(Tensor, exp_avg);
  STRATA_ARG(Tensor, exp_avg_sq);

 public:
  static constexpr const char* kFields[] = {"step", "exp_avg", "exp_avg_sq"};
  static auto fields(auto& s) { return std::tie(s.step(), s.exp_avg(), s.exp_avg_sq()); }
};

extern template class OptimizerCloneableOptions<LAMBOptions>;
extern template class OptimizerCloneableParamState<LAMBParamState>;

/// Adam's direction, made as long as the parameter times the learning rate: `p -= lr * |p| / |r| * r` with
/// `r = m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + eps) + weight_decay * p`. Where a norm is 0, their ratio counts
/// as 1.
class LAMB : public detail::StepOptimizer<LAMBOptions, LAMBParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, LAMBParamState& state, const LAMBOptions& o) const override;
  void take_step(const Members& members, const LAMBOptions& o) const override;
};

}  // namespace strata::optim
