// Learning rates that change from step to step. As in PyTorch, call `step()` after the optimizer's.
#pragma once
#include "../core/function.h"
#include "optimizer.h"

namespace strata::optim {

/// Sets the learning rate of every parameter group. Saved and loaded like an optimizer, for a resumed run.
class LRScheduler {
 public:
  explicit LRScheduler(Optimizer& optimizer);
  virtual ~LRScheduler() = default;
  /// Moves to the next rates.
  void step();
  /// The rates as they stand, one per group.
  std::vector<double> get_last_lr() const { return get_current_lrs(); }
  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);

 protected:
  /// The rates after `step_count_` steps.
  virtual std::vector<double> get_lrs() = 0;
  std::vector<double> get_current_lrs() const;
  void set_optimizer_lrs(const std::vector<double>& rates);
  /// `f(base rate)` for every group, where the base rate is the one at construction.
  template <class F>
  std::vector<double> from_base(F f) const {
    std::vector<double> out;
    for (const double base : base_lrs_) out.push_back(f(base));
    return out;
  }
  /// The current rates times a factor, so that a rate set by hand in between stays in effect.
  std::vector<double> scaled(double factor) const;

  unsigned step_count_ = 0;
  std::vector<double> base_lrs_;

 private:
  Optimizer& optimizer_;
};

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const LRScheduler& scheduler);
serialize::InputArchive& operator>>(serialize::InputArchive& archive, LRScheduler& scheduler);

/// Multiplies the rates by gamma every step_size steps.
class StepLR : public LRScheduler {
 public:
  StepLR(Optimizer& optimizer, unsigned step_size, double gamma = 0.1);

 private:
  std::vector<double> get_lrs() override;
  unsigned step_size_;
  double gamma_;
};

/// Multiplies the rates by gamma at each milestone.
class MultiStepLR : public LRScheduler {
 public:
  MultiStepLR(Optimizer& optimizer, std::vector<unsigned> milestones, double gamma = 0.1);

 private:
  std::vector<double> get_lrs() override;
  std::vector<unsigned> milestones_;
  double gamma_;
};

/// Multiplies the rates by gamma every step.
class ExponentialLR : public LRScheduler {
 public:
  ExponentialLR(Optimizer& optimizer, double gamma);

 private:
  std::vector<double> get_lrs() override;
  double gamma_;
};

/// Half a cosine from the base rate to eta_min in t_max steps (Loshchilov and Hutter, 2017).
class CosineAnnealingLR : public LRScheduler {
 public:
  CosineAnnealingLR(Optimizer& optimizer, unsigned t_max, double eta_min = 0);

 private:
  std::vector<double> get_lrs() override;
  unsigned t_max_;
  double eta_min_;
};

/// The base rate times a factor that goes from start_factor to end_factor in total_iters steps: a warm-up. Sets the
/// first rate at once.
class LinearLR : public LRScheduler {
 public:
  LinearLR(Optimizer& optimizer, double start_factor = 1.0 / 3.0, double end_factor = 1.0, unsigned total_iters = 5);

 private:
  std::vector<double> get_lrs() override;
  double start_factor_, end_factor_;
  unsigned total_iters_;
};

/// The base rate times `factor(number of steps)`. Sets the first rate at once.
class LambdaLR : public LRScheduler {
 public:
  LambdaLR(Optimizer& optimizer, strata::detail::Function<double(unsigned)> factor);

 private:
  std::vector<double> get_lrs() override;
  strata::detail::Function<double(unsigned)> factor_;
};

/// Up from max_lr / div_factor to max_lr in the first pct_start of the steps, then down to initial / final_div_factor,
/// both along cosines (Smith and Topin, 2018). Sets the first rate at once.
class OneCycleLR : public LRScheduler {
 public:
  OneCycleLR(Optimizer& optimizer, double max_lr, unsigned total_steps, double pct_start = 0.3, double div_factor = 25,
             double final_div_factor = 1e4);

 private:
  std::vector<double> get_lrs() override;
  double max_lr_, initial_lr_, final_lr_;
  double peak_, last_;
};

/// Multiplies the rates by `factor` when the metric has not improved for more than `patience` steps.
class ReduceLROnPlateauScheduler {
 public:
  enum SchedulerMode { min, max };
  enum ThresholdMode { rel, abs };
  ReduceLROnPlateauScheduler(Optimizer& optimizer, SchedulerMode mode = min, double factor = 0.1, int patience = 10,
                             double threshold = 1e-4, ThresholdMode threshold_mode = rel, int cooldown = 0,
                             const std::vector<float>& min_lr = {}, double eps = 1e-8, bool verbose = false);
  virtual ~ReduceLROnPlateauScheduler() = default;
  void step(double metric);

 private:
  bool is_better(double metric) const;
  void reduce_lr();

  Optimizer& optimizer_;
  SchedulerMode mode_;
  double factor_;
  int patience_;
  double threshold_;
  ThresholdMode threshold_mode_;
  int cooldown_;
  std::vector<float> min_lrs_;
  double eps_;
  bool verbose_;
  double best_;
  int epoch_ = 0, bad_epochs_ = 0, cooldown_left_ = 0;
};

}  // namespace strata::optim
