// Kin of Adam: Adamax (Kingma and Ba, 2015), NAdam (Dozat, 2016), RAdam (Liu et al., 2020) and, for embeddings of which
// a step sees few rows, SparseAdam.
#pragma once
#include <tuple>

#include "step_optimizer.h"

namespace strata::optim {

struct AdamaxOptions : public detail::CapturableOptions<AdamaxOptions> {
  using betas_t = std::tuple<double, double>;
  AdamaxOptions() : CapturableOptions(2e-3, detail::Given::kNo) {}
  AdamaxOptions(double lr) : CapturableOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(betas_t, betas) = {0.9, 0.999};
  STRATA_OPTION(double, eps) = 1e-8;
  STRATA_OPTION(double, weight_decay) = 0;

 public:
  void check() const;
  static constexpr const char* kFields[] = {"lr", "betas", "eps", "weight_decay", "capturable", "maximize"};
  static auto fields(auto& o) {
    return std::tie(o.lr(), o.betas(), o.eps(), o.weight_decay(), o.capturable(), o.maximize());
  }
  friend bool operator==(const AdamaxOptions& a, const AdamaxOptions& b) { return fields(a) == fields(b); }
};

struct AdamaxParamState : public detail::CountingParamState<AdamaxParamState> {
  STRATA_ARG(Tensor, exp_avg);
  STRATA_ARG(Tensor, exp_inf);

 public:
  static constexpr const char* kFields[] = {"step", "exp_avg", "exp_inf"};
  static auto fields(auto& s) { return std::tie(s.step(), s.exp_avg(), s.exp_inf()); }
};

extern template class OptimizerCloneableOptions<AdamaxOptions>;
extern template class OptimizerCloneableParamState<AdamaxParamState>;

/// Adam with the largest gradient of late in place of the root of the mean square.
class Adamax : public detail::StepOptimizer<AdamaxOptions, AdamaxParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, AdamaxParamState& state, const AdamaxOptions& o) const override;
  void take_step(const Members& members, const AdamaxOptions& o) const override;
};

/// A graph cannot capture these steps: their momentum is the product of numbers that the host counts.
struct NAdamOptions : public detail::RateOptions<NAdamOptions> {
  using betas_t = std::tuple<double, double>;
  NAdamOptions() : RateOptions(2e-3, detail::Given::kNo) {}
  NAdamOptions(double lr) : RateOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(betas_t, betas) = {0.9, 0.999};
  STRATA_OPTION(double, eps) = 1e-8;
  STRATA_OPTION(double, weight_decay) = 0;
  STRATA_OPTION(double, momentum_decay) = 4e-3;
  STRATA_OPTION(bool, decoupled_weight_decay) = false;

 public:
  void check() const;
  static constexpr const char* kFields[] = {
      "lr", "betas", "eps", "weight_decay", "momentum_decay", "decoupled_weight_decay", "maximize"};
  static auto fields(auto& o) {
    return std::tie(o.lr(), o.betas(), o.eps(), o.weight_decay(), o.momentum_decay(), o.decoupled_weight_decay(),
                    o.maximize());
  }
  friend bool operator==(const NAdamOptions& a, const NAdamOptions& b) { return fields(a) == fields(b); }
};

struct NAdamParamState : public detail::CountingParamState<NAdamParamState> {
  STRATA_ARG(double, mu_product) = 1;
  STRATA_ARG(Tensor, exp_avg);
  STRATA_ARG(Tensor, exp_avg_sq);

 public:
  static constexpr const char* kFields[] = {"step", "mu_product", "exp_avg", "exp_avg_sq"};
  static auto fields(auto& s) { return std::tie(s.step(), s.mu_product(), s.exp_avg(), s.exp_avg_sq()); }
};

extern template class OptimizerCloneableOptions<NAdamOptions>;
extern template class OptimizerCloneableParamState<NAdamParamState>;

/// Adam with Nesterov's momentum.
class NAdam : public detail::StepOptimizer<NAdamOptions, NAdamParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, NAdamParamState& state, const NAdamOptions& o) const override;
  void take_step(const Members& members, const NAdamOptions& o) const override;
};

struct RAdamOptions : public detail::CapturableOptions<RAdamOptions> {
  using betas_t = std::tuple<double, double>;
  RAdamOptions() : CapturableOptions(1e-3, detail::Given::kNo) {}
  RAdamOptions(double lr) : CapturableOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(betas_t, betas) = {0.9, 0.999};
  STRATA_OPTION(double, eps) = 1e-8;
  STRATA_OPTION(double, weight_decay) = 0;
  STRATA_OPTION(bool, decoupled_weight_decay) = false;

 public:
  void check() const;
  static constexpr const char* kFields[] = {"lr",         "betas",   "eps", "weight_decay", "decoupled_weight_decay",
                                            "capturable", "maximize"};
  static auto fields(auto& o) {
    return std::tie(o.lr(), o.betas(), o.eps(), o.weight_decay(), o.decoupled_weight_decay(), o.capturable(),
                    o.maximize());
  }
  friend bool operator==(const RAdamOptions& a, const RAdamOptions& b) { return fields(a) == fields(b); }
};

struct RAdamParamState : public detail::CountingParamState<RAdamParamState> {
  STRATA_ARG(Tensor, exp_avg);
  STRATA_ARG(Tensor, exp_avg_sq);

 public:
  static constexpr const char* kFields[] = {"step", "exp_avg", "exp_avg_sq"};
  static auto fields(auto& s) { return std::tie(s.step(), s.exp_avg(), s.exp_avg_sq()); }
};

extern template class OptimizerCloneableOptions<RAdamOptions>;
extern template class OptimizerCloneableParamState<RAdamParamState>;

/// Adam that steps along the mean gradient until its second moment has seen enough, and is then rectified.
class RAdam : public detail::StepOptimizer<RAdamOptions, RAdamParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, RAdamParamState& state, const RAdamOptions& o) const override;
  void take_step(const Members& members, const RAdamOptions& o) const override;
};

struct SparseAdamOptions : public detail::RateOptions<SparseAdamOptions> {
  using betas_t = std::tuple<double, double>;
  SparseAdamOptions() : RateOptions(1e-3, detail::Given::kNo) {}
  SparseAdamOptions(double lr) : RateOptions(lr, detail::Given::kYes) {}
  STRATA_OPTION(betas_t, betas) = {0.9, 0.999};
  STRATA_OPTION(double, eps) = 1e-8;

 public:
  void check() const;
  static constexpr const char* kFields[] = {"lr", "betas", "eps", "maximize"};
  static auto fields(auto& o) { return std::tie(o.lr(), o.betas(), o.eps(), o.maximize()); }
  friend bool operator==(const SparseAdamOptions& a, const SparseAdamOptions& b) { return fields(a) == fields(b); }
};

struct SparseAdamParamState : public detail::CountingParamState<SparseAdamParamState> {
  STRATA_ARG(Tensor, exp_avg);
  STRATA_ARG(Tensor, exp_avg_sq);

 public:
  static constexpr const char* kFields[] = {"step", "exp_avg", "exp_avg_sq"};
  static auto fields(auto& s) { return std::tie(s.step(), s.exp_avg(), s.exp_avg_sq()); }
};

extern template class OptimizerCloneableOptions<SparseAdamOptions>;
extern template class OptimizerCloneableParamState<SparseAdamParamState>;

/// Adam for embeddings: rows of a parameter whose gradient is all zeros were not looked up, so they and their moments
/// stay as they are. (PyTorch's takes sparse gradients; here gradients are dense, and a step waits for the device to
/// say which rows have one.)
class SparseAdam : public detail::StepOptimizer<SparseAdamOptions, SparseAdamParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, SparseAdamParamState& state, const SparseAdamOptions& o) const override;
  void take_step(const Members& members, const SparseAdamOptions& o) const override;
};

}  // namespace strata::optim
