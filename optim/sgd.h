// Stochastic gradient descent with momentum (Sutskever et al., 2013).
#pragma once
#include "capturable.h"

namespace strata::optim {

struct SGDOptions : public detail::CapturableOptions<SGDOptions> {
  SGDOptions(double lr) : CapturableOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(double, momentum) = 0;
  STRATA_OPTION(double, dampening) = 0;
  STRATA_OPTION(double, weight_decay) = 0;
  STRATA_OPTION(bool, nesterov) = false;

 public:
  static constexpr const char* kFields[] = {"lr",       "momentum",   "dampening", "weight_decay",
                                            "nesterov", "capturable", "maximize"};
  static auto fields(auto& o) {
    return std::tie(o.lr(), o.momentum(), o.dampening(), o.weight_decay(), o.nesterov(), o.capturable(), o.maximize());
  }
  friend bool operator==(const SGDOptions& a, const SGDOptions& b) { return fields(a) == fields(b); }
};

struct SGDParamState : public OptimizerCloneableParamState<SGDParamState> {
  STRATA_ARG(Tensor, momentum_buffer);

 public:
  static constexpr const char* kFields[] = {"momentum_buffer"};
  static auto fields(auto& s) { return std::tie(s.momentum_buffer()); }
};

extern template class OptimizerCloneableOptions<SGDOptions>;
extern template class OptimizerCloneableParamState<SGDParamState>;

/// `buffer = momentum * buffer + (1 - dampening) * grad; p -= lr * buffer`, with nesterov `p -= lr * (grad + momentum *
/// buffer)`.
class SGD : public Optimizer {
 public:
  explicit SGD(const std::vector<OptimizerParamGroup>& param_groups, SGDOptions defaults);
  explicit SGD(std::vector<Tensor> params, SGDOptions defaults);
  Tensor step(LossClosure closure = nullptr) override;

 protected:
  std::unique_ptr<OptimizerParamState> make_state() const override;
};

}  // namespace strata::optim
