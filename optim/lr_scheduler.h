// Learning rates that change from step to step. As in PyTorch, call `step()` after the optimizer's.
#pragma once
#include "../core/function.h"
#include "optimizer.h"

namespace strata::optim {

/// Sets the learning rate of every parameter group. Saved and loaded like an optimizer, for a resumed run. Most change
/// the rate as it stands, so that several work together (ChainedScheduler) and a rate set by hand stays in effect.
class LRScheduler {
 public:
  explicit LRScheduler(Optimizer& optimizer);
  virtual ~LRScheduler() = default;
  /// Moves to the next rates.
  void step();
  /// Begins anew with the first rates, which are those of the optimizer before its first schedule.
  void restart();
  /// The rates as they stand, one per group.
  std::vector<double> get_last_lr() const { return get_current_lrs(); }
  void save(serialize::OutputArchive& archive) const;
  /// Also gives the optimizer the rates of then.
  void load(serialize::InputArchive& archive);

 protected:
  /// The rates after no step.
  virtual std::vector<double> first_lrs() { return base_lrs_; }
  /// What there is to be saved beside the count of steps and the rates.
  virtual void save_more(serialize::OutputArchive&) const {}
  virtual void load_more(serialize::InputArchive&) {}
  virtual void restart_more() {}
  Optimizer& optimizer() const { return optimizer_; }
  /// The rates after `step_count_` steps.
  virtual std::vector<double> get_lrs() = 0;
  std::vector<double> get_current_lrs() const;
  void set_optimizer_lrs(const std::vector<double>& rates);
  /// `f(base rate)` for every group, where the base rate is the one from before the first schedule.
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

/// Half a cosine from the base rate to eta_min in t_max steps (Loshchilov and Hutter, 2017), and up again in as many.
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
  double factor_at(double step) const;
  std::vector<double> get_lrs() override;
  std::vector<double> first_lrs() override;
  double start_factor_, end_factor_;
  unsigned total_iters_;
};

/// The base rate times `factor(number of steps)`. Sets the first rate at once.
class LambdaLR : public LRScheduler {
 public:
  LambdaLR(Optimizer& optimizer, strata::detail::Function<double(unsigned)> factor);

 private:
  std::vector<double> get_lrs() override;
  std::vector<double> first_lrs() override { return get_lrs(); }
  strata::detail::Function<double(unsigned)> factor_;
};

enum class AnnealStrategy { kCos, kLinear };

/// How OneCycleLR goes; `total_steps` includes the first.
struct OneCycleLROptions {
  OneCycleLROptions(double max_lr, unsigned total_steps)
      : OneCycleLROptions(std::vector<double>{max_lr}, total_steps) {}
  /// A highest rate for each group.
  OneCycleLROptions(std::vector<double> max_lr, unsigned total_steps)
      : max_lr_(std::move(max_lr)), total_steps_(total_steps) {}
  STRATA_ARG(std::vector<double>, max_lr);
  STRATA_ARG(unsigned, total_steps);
  STRATA_ARG(double, pct_start) = 0.3;
  STRATA_ARG(AnnealStrategy, anneal_strategy) = AnnealStrategy::kCos;
  /// Whether the momentum, or the first beta, falls from `max_momentum` to `base_momentum` while the rate rises, and
  /// rises while that falls.
  STRATA_ARG(bool, cycle_momentum) = true;
  STRATA_ARG(double, base_momentum) = 0.85;
  STRATA_ARG(double, max_momentum) = 0.95;
  STRATA_ARG(double, div_factor) = 25;
  STRATA_ARG(double, final_div_factor) = 1e4;
  /// Whether the rate falls as slowly as it rose, to where it began, before it falls further.
  STRATA_ARG(bool, three_phase) = false;
};

/// Up from max_lr / div_factor to max_lr in the first pct_start of the steps, then down to initial / final_div_factor
/// (Smith and Topin, 2018). Sets the first rate at once.
class OneCycleLR : public LRScheduler {
 public:
  OneCycleLR(Optimizer& optimizer, OneCycleLROptions options);
  /// Along cosines, with the momentum left alone.
  OneCycleLR(Optimizer& optimizer, double max_lr, unsigned total_steps, double pct_start = 0.3, double div_factor = 25,
             double final_div_factor = 1e4);

 private:
  enum Level { kInitial, kPeak, kFinal };
  /// A part of the cycle that ends with step `end`.
  struct Phase {
    double end;
    Level from, to;
  };
  double rate(Level level, double max_lr) const;
  std::vector<double> get_lrs() override;
  std::vector<double> first_lrs() override { return get_lrs(); }

  OneCycleLROptions options_;
  std::vector<Phase> phases_;
};

/// Rates for each group or for all, from any list of numbers.
struct RateList : std::vector<double> {
  RateList() = default;
  RateList(double rate) : vector{rate} {}
  RateList(std::initializer_list<double> rates) : vector(rates) {}
  RateList(const std::vector<float>& rates) : vector(rates.begin(), rates.end()) {}
  RateList(std::vector<double> rates) : vector(std::move(rates)) {}
  /// As many as there are groups. Throws unless there are so many, or one for all.
  std::vector<double> for_groups(const char* name, size_t groups) const;
};

/// Multiplies the rates by `factor` when the metric has not improved for more than `patience` steps.
class ReduceLROnPlateauScheduler {
 public:
  enum SchedulerMode { min, max };
  enum ThresholdMode { rel, abs };
  ReduceLROnPlateauScheduler(Optimizer& optimizer, SchedulerMode mode = min, double factor = 0.1, int patience = 10,
                             double threshold = 1e-4, ThresholdMode threshold_mode = rel, int cooldown = 0,
                             const RateList& min_lr = {}, double eps = 1e-8, bool verbose = false);
  virtual ~ReduceLROnPlateauScheduler() = default;
  void step(double metric);
  /// The rates as they stand, one per group.
  std::vector<double> get_last_lr() const;
  /// The best metric and the counts, with the rates; the rule belongs to the program.
  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);

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
  std::vector<double> min_lrs_;
  double eps_;
  bool verbose_;
  double best_;
  int epoch_ = 0, bad_epochs_ = 0, cooldown_left_ = 0;
};

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const ReduceLROnPlateauScheduler& scheduler);
serialize::InputArchive& operator>>(serialize::InputArchive& archive, ReduceLROnPlateauScheduler& scheduler);

namespace detail {
/// From `a` at 0 to `b` at 1.
double anneal(AnnealStrategy strategy, double a, double b, double at);
std::vector<double> rates_of(const Optimizer& optimizer);
void set_rates(Optimizer& optimizer, const std::vector<double>& rates);
void save_rates(serialize::OutputArchive& archive, const Optimizer& optimizer);
/// False where the file has none.
bool load_rates(serialize::InputArchive& archive, Optimizer& optimizer);
}  // namespace detail

}  // namespace strata::optim
