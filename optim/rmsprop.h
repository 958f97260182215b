// RMSprop (Tieleman and Hinton, 2012), centred by choice (Graves, 2013).
#pragma once
#include "capturable.h"

namespace strata::optim {

struct RMSpropOptions : public detail::CapturableOptions<RMSpropOptions> {
  RMSpropOptions() : CapturableOptions(1e-2, detail::Given::kNo) {}
  RMSpropOptions(double lr) : CapturableOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(double, alpha) = 0.99;
  STRATA_OPTION(double, eps) = 1e-8;
  STRATA_OPTION(double, weight_decay) = 0;
  STRATA_OPTION(double, momentum) = 0;
  STRATA_OPTION(bool, centered) = false;

 public:
  static constexpr const char* kFields[] = {"lr",       "alpha",    "eps",        "weight_decay",
                                            "momentum", "centered", "capturable", "maximize"};
  static auto fields(auto& o) {
    return std::tie(o.lr(), o.alpha(), o.eps(), o.weight_decay(), o.momentum(), o.centered(), o.capturable(),
                    o.maximize());
  }
  friend bool operator==(const RMSpropOptions& a, const RMSpropOptions& b) { return fields(a) == fields(b); }
};

struct RMSpropParamState : public detail::CountingParamState<RMSpropParamState> {
  STRATA_ARG(Tensor, square_avg);
  STRATA_ARG(Tensor, momentum_buffer);
  STRATA_ARG(Tensor, grad_avg);

 public:
  static constexpr const char* kFields[] = {"step", "square_avg", "momentum_buffer", "grad_avg"};
  static auto fields(auto& s) { return std::tie(s.step(), s.square_avg(), s.momentum_buffer(), s.grad_avg()); }
};

extern template class OptimizerCloneableOptions<RMSpropOptions>;
extern template class OptimizerCloneableParamState<RMSpropParamState>;

/// Divides by the root of a running mean of squared gradients.
class RMSprop : public Optimizer {
 public:
  explicit RMSprop(const std::vector<OptimizerParamGroup>& param_groups, RMSpropOptions defaults = {});
  explicit RMSprop(std::vector<Tensor> params, RMSpropOptions defaults = {});
  Tensor step(LossClosure closure = nullptr) override;

 protected:
  std::unique_ptr<OptimizerParamState> make_state() const override;
};

}  // namespace strata::optim
