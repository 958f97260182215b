// Adam (Kingma and Ba, 2015) and AdamW (Loshchilov and Hutter, 2019).
#pragma once
#include <tuple>

#include "capturable.h"

namespace strata::optim {

namespace detail {

/// The options of both; they differ in the default weight decay.
template <class Derived>
struct AdamOptionsBase : public CapturableOptions<Derived> {
  using betas_t = std::tuple<double, double>;
  AdamOptionsBase(double lr, Given given, double weight_decay)
      : CapturableOptions<Derived>(lr, given), weight_decay_(weight_decay) {}
  auto betas(betas_t v) -> Derived& { return this->set("betas", betas_, v); }
  auto eps(double v) -> Derived& { return this->set("eps", eps_, v); }
  auto weight_decay(double v) -> Derived& { return this->set("weight_decay", weight_decay_, v); }
  auto amsgrad(bool v) -> Derived& { return this->set("amsgrad", amsgrad_, v); }
  const betas_t& betas() const { return betas_; }
  const double& eps() const { return eps_; }
  const double& weight_decay() const { return weight_decay_; }
  const bool& amsgrad() const { return amsgrad_; }
  betas_t& betas() { return this->take("betas", betas_); }
  double& eps() { return this->take("eps", eps_); }
  double& weight_decay() { return this->take("weight_decay", weight_decay_); }
  bool& amsgrad() { return this->take("amsgrad", amsgrad_); }

  static constexpr const char* kFields[] = {"lr", "betas", "eps", "weight_decay", "amsgrad", "capturable", "maximize"};
  static auto fields(auto& o) {
    return std::tie(o.lr(), o.betas(), o.eps(), o.weight_decay(), o.amsgrad(), o.capturable(), o.maximize());
  }
  friend bool operator==(const Derived& a, const Derived& b) { return Derived::fields(a) == Derived::fields(b); }

 private:
  betas_t betas_{0.9, 0.999};
  double eps_ = 1e-8;
  double weight_decay_;
  bool amsgrad_ = false;
};

}  // namespace detail

struct AdamOptions : public detail::AdamOptionsBase<AdamOptions> {
  AdamOptions() : AdamOptionsBase(1e-3, detail::Given::kNo, 0) {}
  AdamOptions(double lr) : AdamOptionsBase(lr, detail::Given::kYes, 0) {}
  /// AdamW's form of weight decay.
  STRATA_OPTION(bool, decoupled_weight_decay) = false;

 public:
  static constexpr const char* kFields[] = {"lr",      "betas",      "eps",      "weight_decay",
                                            "amsgrad", "capturable", "maximize", "decoupled_weight_decay"};
  static auto fields(auto& o) {
    return std::tuple_cat(AdamOptionsBase::fields(o), std::tie(o.decoupled_weight_decay()));
  }
};

struct AdamWOptions : public detail::AdamOptionsBase<AdamWOptions> {
  AdamWOptions() : AdamOptionsBase(1e-3, detail::Given::kNo, 1e-2) {}
  AdamWOptions(double lr) : AdamOptionsBase(lr, detail::Given::kYes, 1e-2) {}
};

struct AdamParamState : public detail::CountingParamState<AdamParamState> {
  STRATA_ARG(Tensor, exp_avg);
  STRATA_ARG(Tensor, exp_avg_sq);
  STRATA_ARG(Tensor, max_exp_avg_sq);

 public:
  static constexpr const char* kFields[] = {"step", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"};
  static auto fields(auto& s) { return std::tie(s.step(), s.exp_avg(), s.exp_avg_sq(), s.max_exp_avg_sq()); }
};
using AdamWParamState = AdamParamState;

extern template class OptimizerCloneableOptions<AdamOptions>;
extern template class OptimizerCloneableOptions<AdamWOptions>;
extern template class OptimizerCloneableParamState<AdamParamState>;

namespace detail {

/// Adam or AdamW, by its options.
template <class Options>
class AdamOptimizer : public Optimizer {
 public:
  explicit AdamOptimizer(const std::vector<OptimizerParamGroup>& param_groups, Options defaults = {});
  explicit AdamOptimizer(std::vector<Tensor> params, Options defaults = {});
  Tensor step(LossClosure closure = nullptr) override;

 protected:
  std::unique_ptr<OptimizerParamState> make_state() const override;
};

extern template class AdamOptimizer<AdamOptions>;
extern template class AdamOptimizer<AdamWOptions>;

}  // namespace detail

/// Weight decay is added to the gradient, unless it is decoupled.
class Adam : public detail::AdamOptimizer<AdamOptions> {
 public:
  using AdamOptimizer::AdamOptimizer;
};

/// Weight decay shrinks the parameter itself.
class AdamW : public detail::AdamOptimizer<AdamWOptions> {
 public:
  using AdamOptimizer::AdamOptimizer;
};

}  // namespace strata::optim
