// Muon (Jordan et al., 2024), for the matrices of hidden layers.
#pragma once
#include <string>
#include <tuple>

#include "step_optimizer.h"

namespace strata::optim {

struct MuonOptions : public detail::RateOptions<MuonOptions> {
  using coefficients_t = std::tuple<double, double, double>;
  MuonOptions() : RateOptions(1e-3, detail::Given::kNo) {}
  MuonOptions(double lr) : RateOptions(lr, detail::Given::kYes) {}
  /// Shrinks the parameter itself.
  STRATA_OPTION(double, weight_decay) = 0.1;
  STRATA_OPTION(double, momentum) = 0.95;
  STRATA_OPTION(bool, nesterov) = true;
  /// Of the iteration `X = a X + (b A + c A A) X` with `A = X X^T`.
  STRATA_OPTION(coefficients_t, ns_coefficients) = {3.4445, -4.775, 2.0315};
  STRATA_OPTION(double, eps) = 1e-7;
  STRATA_OPTION(int64_t, ns_steps) = 5;
  /// How the learning rate depends on a matrix's shape (rows, columns): "original" is `sqrt(max(1, rows / columns))`,
  /// "match_rms_adamw" `0.2 sqrt(max(rows, columns))`, "spectral_unclamped" `sqrt(rows / columns)`.
  STRATA_OPTION(std::string, adjust_lr_fn) = "original";

 public:
  void check() const;
  static constexpr const char* kFields[] = {"lr",  "weight_decay", "momentum",     "nesterov", "ns_coefficients",
                                            "eps", "ns_steps",     "adjust_lr_fn", "maximize"};
  static auto fields(auto& o) {
    return std::tie(o.lr(), o.weight_decay(), o.momentum(), o.nesterov(), o.ns_coefficients(), o.eps(), o.ns_steps(),
                    o.adjust_lr_fn(), o.maximize());
  }
  friend bool operator==(const MuonOptions& a, const MuonOptions& b) { return fields(a) == fields(b); }
};

struct MuonParamState : public OptimizerCloneableParamState<MuonParamState> {
  STRATA_ARG(Tensor, momentum_buffer);

 public:
  static constexpr const char* kFields[] = {"momentum_buffer"};
  static auto fields(auto& s) { return std::tie(s.momentum_buffer()); }
};

extern template class OptimizerCloneableOptions<MuonOptions>;
extern template class OptimizerCloneableParamState<MuonParamState>;

/// Steps along the orthogonal matrix that is nearest to the momentum, which a few Newton-Schulz iterations in bfloat16
/// come near. All parameters must be matrices: biases and embeddings go to another optimizer.
class Muon : public detail::StepOptimizer<MuonOptions, MuonParamState> {
 public:
  using StepOptimizer::StepOptimizer;

 protected:
  void begin(const Tensor& param, MuonParamState& state, const MuonOptions& o) const override;
  void take_step(const Members& members, const MuonOptions& o) const override;
};

}  // namespace strata::optim
