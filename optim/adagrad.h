// Adagrad (Duchi et al., 2011).
#pragma once
#include "capturable.h"

namespace strata::optim {

struct AdagradOptions : public detail::CapturableOptions<AdagradOptions> {
  AdagradOptions() : CapturableOptions(1e-2, detail::Given::kNo) {}
  AdagradOptions(double lr) : CapturableOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(double, lr_decay) = 0;
  STRATA_OPTION(double, weight_decay) = 0;
  STRATA_OPTION(double, initial_accumulator_value) = 0;
  STRATA_OPTION(double, eps) = 1e-10;

 public:
  static constexpr const char* kFields[] = {"lr",  "lr_decay",   "weight_decay", "initial_accumulator_value",
                                            "eps", "capturable", "maximize"};
  static auto fields(auto& o) {
    return std::tie(o.lr(), o.lr_decay(), o.weight_decay(), o.initial_accumulator_value(), o.eps(), o.capturable(),
                    o.maximize());
  }
  friend bool operator==(const AdagradOptions& a, const AdagradOptions& b) { return fields(a) == fields(b); }
};

struct AdagradParamState : public detail::CountingParamState<AdagradParamState> {
  STRATA_ARG(Tensor, sum);

 public:
  static constexpr const char* kFields[] = {"step", "sum"};
  static auto fields(auto& s) { return std::tie(s.step(), s.sum()); }
};

extern template class OptimizerCloneableOptions<AdagradOptions>;
extern template class OptimizerCloneableParamState<AdagradParamState>;

/// Divides by the root of the sum of all squared gradients.
class Adagrad : public Optimizer {
 public:
  explicit Adagrad(const std::vector<OptimizerParamGroup>& param_groups, AdagradOptions defaults = {});
  explicit Adagrad(std::vector<Tensor> params, AdagradOptions defaults = {});
  Tensor step(LossClosure closure = nullptr) override;

 protected:
  std::unique_ptr<OptimizerParamState> make_state() const override;
};

}  // namespace strata::optim
