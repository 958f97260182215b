// L-BFGS (Liu and Nocedal, 1989) with a line search that meets the strong Wolfe conditions (Nocedal and Wright,
// 2006, 3.5).
#pragma once
#include <deque>

#include "optimizer.h"

namespace strata::optim {

struct LBFGSOptions : public OptimizerCloneableOptions<LBFGSOptions> {
  LBFGSOptions() = default;
  LBFGSOptions(double lr) { this->lr(lr); }
  STRATA_OPTION(double, lr) = 1;
  STRATA_ARG(int64_t, max_iter) = 20;
  STRATA_ARG(std::optional<int64_t>, max_eval) = std::nullopt;
  STRATA_ARG(double, tolerance_grad) = 1e-7;
  STRATA_ARG(double, tolerance_change) = 1e-9;
  STRATA_ARG(int64_t, history_size) = 100;
  STRATA_ARG(std::optional<std::string>, line_search_fn) = std::nullopt;

 public:
  /// The learning rate is saved, the rest belongs to the program.
  static constexpr const char* kFields[] = {"lr"};
  static auto fields(auto& o) { return std::tie(o.lr()); }

 private:
  static auto all(const LBFGSOptions& o) {
    return std::tie(o.lr(), o.max_iter(), o.max_eval(), o.tolerance_grad(), o.tolerance_change(), o.history_size(),
                    o.line_search_fn());
  }
  friend bool operator==(const LBFGSOptions& a, const LBFGSOptions& b) { return all(a) == all(b); }
};

/// One state for all parameters together, which are seen as one flat vector.
class LBFGSParamState : public OptimizerParamState {
 public:
  std::unique_ptr<OptimizerParamState> clone() const override { return std::make_unique<LBFGSParamState>(*this); }
  void serialize(serialize::InputArchive& archive) override;
  void serialize(serialize::OutputArchive& archive) const override;

  STRATA_ARG(int64_t, func_evals) = 0;
  STRATA_ARG(int64_t, n_iter) = 0;
  STRATA_ARG(double, t) = 0;  ///< the last step's length along `d`
  STRATA_ARG(double, prev_loss) = 0;
  STRATA_ARG(Tensor, d);  ///< the direction
  STRATA_ARG(Tensor, prev_flat_grad);
  STRATA_ARG(Tensor, H_diag);  ///< of dim 0, what the inverse Hessian's approximation starts as
  /// Changes of the gradient and steps that led to them, oldest first, and one over their products.
  STRATA_ARG(std::deque<Tensor>, old_dirs);
  STRATA_ARG(std::deque<Tensor>, old_stps);
  STRATA_ARG(std::vector<double>, ro);
  /// How much of each change the first of the two loops took off.
  STRATA_ARG(std::vector<double>, al);

 public:
  static auto fields(auto& s) {
    return std::tie(s.func_evals(), s.n_iter(), s.t(), s.prev_loss(), s.d(), s.prev_flat_grad(), s.H_diag(),
                    s.old_dirs(), s.old_stps(), s.ro(), s.al());
  }
};

extern template class OptimizerCloneableOptions<LBFGSOptions>;

/// Needs a closure, which is called several times per step. One parameter group only.
class LBFGS : public Optimizer {
 public:
  explicit LBFGS(const std::vector<OptimizerParamGroup>& param_groups, LBFGSOptions defaults = {});
  explicit LBFGS(std::vector<Tensor> params, LBFGSOptions defaults = {});
  Tensor step(LossClosure closure) override;

 protected:
  std::unique_ptr<OptimizerParamState> make_state() const override;

 private:
  struct Point {
    double loss;
    Tensor grad;
  };
  Tensor flat_grad() const;
  void move(double step, const Tensor& direction);
  Point evaluate_point(const LossClosure& closure) const;
  /// Sets the step's length and moves there; gives the new point and adds to the number of evaluations.
  Point line_search(const LossClosure& closure, LBFGSParamState& s, const Point& now, int64_t max_evaluations,
                    int64_t& evaluations);
  void choose_direction(LBFGSParamState& s, const Tensor& grad, int64_t history_size) const;
};

}  // namespace strata::optim
