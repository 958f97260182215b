// More schedules: constant, polynomial and cyclic ones, warm restarts, and schedules made of schedules. As in PyTorch.
#pragma once
#include "lr_scheduler.h"

namespace strata::optim {

/// The rates times `factor` until `total_iters` steps are taken. Sets the first rate at once.
class ConstantLR : public LRScheduler {
 public:
  ConstantLR(Optimizer& optimizer, double factor = 1.0 / 3.0, unsigned total_iters = 5);

 private:
  std::vector<double> get_lrs() override;
  std::vector<double> first_lrs() override;
  double factor_;
  unsigned total_iters_;
};

/// The base rate times `(1 - step / total_iters)^power`, then 0.
class PolynomialLR : public LRScheduler {
 public:
  PolynomialLR(Optimizer& optimizer, unsigned total_iters = 5, double power = 1);

 private:
  std::vector<double> get_lrs() override;
  unsigned total_iters_;
  double power_;
};

/// Multiplies the rates by `factor(number of steps)` at each step.
class MultiplicativeLR : public LRScheduler {
 public:
  MultiplicativeLR(Optimizer& optimizer, strata::detail::Function<double(unsigned)> factor);

 private:
  std::vector<double> get_lrs() override { return scaled(factor_(step_count_)); }
  std::vector<double> first_lrs() override { return get_current_lrs(); }
  strata::detail::Function<double(unsigned)> factor_;
};

/// Half a cosine from the base rate to eta_min in t_0 steps, then again from the base rate in t_mult times as many, and
/// so on (Loshchilov and Hutter, 2017).
class CosineAnnealingWarmRestarts : public LRScheduler {
 public:
  CosineAnnealingWarmRestarts(Optimizer& optimizer, unsigned t_0, unsigned t_mult = 1, double eta_min = 0);
  using LRScheduler::step;
  /// Goes to that place, which may lie between two steps.
  void step(double epoch);

 private:
  std::vector<double> get_lrs() override;
  std::vector<double> rates_here() const;
  void save_more(serialize::OutputArchive& archive) const override;
  void load_more(serialize::InputArchive& archive) override;
  void restart_more() override;
  unsigned t_0_, t_mult_;
  double eta_min_;
  double since_restart_ = 0, length_;
};

/// How CyclicLR goes between its two rates.
struct CyclicLROptions {
  enum Mode { kTriangular, kTriangular2, kExpRange };
  enum ScaleMode { kCycle, kIterations };
  using ScaleFn = strata::detail::Function<double(double)>;
  CyclicLROptions(RateList base_lr, RateList max_lr) : base_lr_(std::move(base_lr)), max_lr_(std::move(max_lr)) {}
  STRATA_ARG(RateList, base_lr);
  STRATA_ARG(RateList, max_lr);
  STRATA_ARG(unsigned, step_size_up) = 2000;
  /// As many as up unless set.
  STRATA_ARG(std::optional<unsigned>, step_size_down);
  /// Triangles that stay as they are, halve with each cycle, or shrink by `gamma` each step.
  STRATA_ARG(Mode, mode) = kTriangular;
  STRATA_ARG(double, gamma) = 1;
  /// In place of the mode: a factor by the number of the cycle, from 1, or of the step.
  STRATA_ARG(ScaleFn, scale_fn);
  STRATA_ARG(ScaleMode, scale_mode) = kCycle;
  /// Whether the momentum, or the first beta, goes from `max_momentum` to `base_momentum` and back.
  STRATA_ARG(bool, cycle_momentum) = true;
  STRATA_ARG(double, base_momentum) = 0.8;
  STRATA_ARG(double, max_momentum) = 0.9;
};

/// Up and down between two rates (Smith, 2017). Sets the first rate at once.
class CyclicLR : public LRScheduler {
 public:
  CyclicLR(Optimizer& optimizer, CyclicLROptions options);
  CyclicLR(Optimizer& optimizer, RateList base_lr, RateList max_lr, unsigned step_size_up = 2000)
      : CyclicLR(optimizer, CyclicLROptions(std::move(base_lr), std::move(max_lr)).step_size_up(step_size_up)) {}

 private:
  std::vector<double> get_lrs() override;
  std::vector<double> first_lrs() override { return get_lrs(); }
  double scale(double cycle) const;
  CyclicLROptions options_;
};

/// One schedule after the other: the next begins, from its first rates, at each of the milestones, counted in steps.
class SequentialLR : public LRScheduler {
 public:
  SequentialLR(Optimizer& optimizer, std::vector<std::shared_ptr<LRScheduler>> schedulers,
               std::vector<unsigned> milestones);

 private:
  std::vector<double> get_lrs() override;
  std::vector<double> first_lrs() override;
  void save_more(serialize::OutputArchive& archive) const override;
  void load_more(serialize::InputArchive& archive) override;
  std::vector<std::shared_ptr<LRScheduler>> schedulers_;
  std::vector<unsigned> milestones_;
};

/// All schedules at each step, in order, each from the rates that the one before it leaves. Of a SequentialLR it can be
/// the first part alone.
class ChainedScheduler : public LRScheduler {
 public:
  ChainedScheduler(Optimizer& optimizer, std::vector<std::shared_ptr<LRScheduler>> schedulers);

 private:
  std::vector<double> get_lrs() override;
  std::vector<double> first_lrs() override { return first_lrs_; }
  void save_more(serialize::OutputArchive& archive) const override;
  void load_more(serialize::InputArchive& archive) override;
  void restart_more() override;
  std::vector<std::shared_ptr<LRScheduler>> schedulers_;
  std::vector<double> first_lrs_;
};

/// From the rates as they are to `swa_lr` in `anneal_epochs` steps (at once with 0), where they stay: for averaging
/// weights (Izmailov et al., 2018).
class SWALR : public LRScheduler {
 public:
  SWALR(Optimizer& optimizer, RateList swa_lr, unsigned anneal_epochs = 10,
        AnnealStrategy anneal_strategy = AnnealStrategy::kCos);

 private:
  std::vector<double> get_lrs() override;
  std::vector<double> first_lrs() override { return get_current_lrs(); }
  double part_at(double step) const;
  std::vector<double> swa_lrs_;
  unsigned anneal_epochs_;
  AnnealStrategy strategy_;
};

}  // namespace strata::optim
