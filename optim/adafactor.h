// Adafactor (Shazeer and Stern, 2018), whose second moments take a row and a column in place of a matrix.
#pragma once
#include <tuple>

#include "step_optimizer.h"

namespace strata::optim {

struct AdafactorOptions : public detail::RateOptions<AdafactorOptions> {
  using eps_t = std::tuple<double, double>;
  AdafactorOptions() : RateOptions(1e-2, detail::Given::kNo) {}
  AdafactorOptions(double lr) : RateOptions(lr, detail::Given::kYes) {}
  /// The second moments take in `step^beta2_decay` of each new square.
  STRATA_OPTION(double, beta2_decay) = -0.8;
  /// The least second moment, as a root, where 0 stands for the epsilon of the parameter's dtype; and the least scale
  /// of a parameter.
  STRATA_OPTION(eps_t, eps) = {0, 1e-3};
  /// The largest root mean square of an update before it is scaled.
  STRATA_OPTION(double, d) = 1;
  STRATA_OPTION(double, weight_decay) = 0;

 public:
  void check() const;
  static constexpr const char* kFields[] = {"lr", "beta2_decay", "eps", "d", "weight_decay", "maximize"};
  static auto fields(auto& o) {
    return std::tie(o.lr(), o.beta2_decay(), o.eps(), o.d(), o.weight_decay(), o.maximize());
  }
  friend bool operator==(const AdafactorOptions& a, const AdafactorOptions& b) { return fields(a) == fields(b); }
};

/// `row_var` and `col_var` of parameters with two dims or more, `variance` of others.
struct AdafactorParamState : public detail::CountingParamState<AdafactorParamState> {
  STRATA_ARG(Tensor, row_var);
  STRATA_ARG(Tensor, col_var);
  STRATA_ARG(Tensor, variance);

 public:
  static constexpr const char* kFields[] = {"step", "row_var", "col_var", "variance"};
  static auto fields(auto& s) { return std::tie(s.step(), s.row_var(), s.col_var(), s.variance()); }
  void adopt(const Tensor& parameter) override;
};

extern template class OptimizerCloneableOptions<AdafactorOptions>;
extern template class OptimizerCloneableParamState<AdafactorParamState>;

/// Steps in proportion to the size of the parameter; PyTorch's form of it.
class Adafactor : public detail::StepOptimizer<AdafactorOptions, AdafactorParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, AdafactorParamState& state, const AdafactorOptions& o) const override;
  void take_step(const Members& members, const AdafactorOptions& o) const override;
};

}  // namespace strata::optim
