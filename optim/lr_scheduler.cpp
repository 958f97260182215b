// Learning rate schedules.
#include "optim/lr_scheduler.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace strata::optim {

namespace {
constexpr double kPi = 3.14159265358979323846;
/// From `a` at 0 to `b` at 1 along half a cosine.
double cosine_between(double a, double b, double at) { return b + (a - b) * (1 + std::cos(kPi * at)) / 2; }
}  // namespace

LRScheduler::LRScheduler(Optimizer& optimizer) : optimizer_(optimizer) { base_lrs_ = get_current_lrs(); }

void LRScheduler::step() {
  ++step_count_;
  set_optimizer_lrs(get_lrs());
}

std::vector<double> LRScheduler::get_current_lrs() const {
  std::vector<double> out;
  for (const OptimizerParamGroup& group : optimizer_.param_groups()) out.push_back(group.options().get_lr());
  return out;
}

void LRScheduler::set_optimizer_lrs(const std::vector<double>& rates) {
  std::vector<OptimizerParamGroup>& groups = optimizer_.param_groups();
  STRATA_CHECK(rates.size() == groups.size(), "LRScheduler: {} rates for {} parameter groups", rates.size(),
               groups.size());
  for (size_t i = 0; i < rates.size(); ++i) groups[i].options().set_lr(rates[i]);
}

std::vector<double> LRScheduler::scaled(double factor) const {
  std::vector<double> out = get_current_lrs();
  for (double& rate : out) rate *= factor;
  return out;
}

void LRScheduler::save(serialize::OutputArchive& archive) const {
  archive.write("step_count", step_count_);
  for (size_t i = 0; i < base_lrs_.size(); ++i) archive.write("base_lr" + std::to_string(i), base_lrs_[i]);
}

void LRScheduler::load(serialize::InputArchive& archive) {
  std::vector<double> base(base_lrs_.size());
  for (size_t i = 0; i < base.size(); ++i) archive.read("base_lr" + std::to_string(i), base[i]);
  archive.read("step_count", step_count_);
  base_lrs_ = std::move(base);
}

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const LRScheduler& scheduler) {
  scheduler.save(archive);
  return archive;
}

serialize::InputArchive& operator>>(serialize::InputArchive& archive, LRScheduler& scheduler) {
  scheduler.load(archive);
  return archive;
}

StepLR::StepLR(Optimizer& optimizer, unsigned step_size, double gamma)
    : LRScheduler(optimizer), step_size_(step_size), gamma_(gamma) {
  STRATA_CHECK(step_size > 0, "StepLR: the step size must not be 0");
}
std::vector<double> StepLR::get_lrs() { return step_count_ % step_size_ == 0 ? scaled(gamma_) : get_current_lrs(); }

MultiStepLR::MultiStepLR(Optimizer& optimizer, std::vector<unsigned> milestones, double gamma)
    : LRScheduler(optimizer), milestones_(std::move(milestones)), gamma_(gamma) {}
std::vector<double> MultiStepLR::get_lrs() {
  return scaled(std::pow(gamma_, static_cast<double>(std::count(milestones_.begin(), milestones_.end(), step_count_))));
}

ExponentialLR::ExponentialLR(Optimizer& optimizer, double gamma) : LRScheduler(optimizer), gamma_(gamma) {}
std::vector<double> ExponentialLR::get_lrs() { return scaled(gamma_); }

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, unsigned t_max, double eta_min)
    : LRScheduler(optimizer), t_max_(t_max), eta_min_(eta_min) {
  STRATA_CHECK(t_max > 0, "CosineAnnealingLR: t_max must not be 0");
}
std::vector<double> CosineAnnealingLR::get_lrs() {
  const double at = static_cast<double>(step_count_) / t_max_;
  return from_base([&](double base) { return cosine_between(base, eta_min_, at); });
}

LinearLR::LinearLR(Optimizer& optimizer, double start_factor, double end_factor, unsigned total_iters)
    : LRScheduler(optimizer),
      start_factor_(start_factor),
      end_factor_(end_factor),
      total_iters_(std::max(total_iters, 1u)) {
  set_optimizer_lrs(LinearLR::get_lrs());
}
std::vector<double> LinearLR::get_lrs() {
  const double at = static_cast<double>(std::min(step_count_, total_iters_)) / total_iters_;
  return from_base([&](double base) { return base * (start_factor_ + (end_factor_ - start_factor_) * at); });
}

LambdaLR::LambdaLR(Optimizer& optimizer, strata::detail::Function<double(unsigned)> factor)
    : LRScheduler(optimizer), factor_(std::move(factor)) {
  set_optimizer_lrs(LambdaLR::get_lrs());
}
std::vector<double> LambdaLR::get_lrs() {
  return from_base([&](double base) { return base * factor_(step_count_); });
}

OneCycleLR::OneCycleLR(Optimizer& optimizer, double max_lr, unsigned total_steps, double pct_start, double div_factor,
                       double final_div_factor)
    : LRScheduler(optimizer),
      max_lr_(max_lr),
      initial_lr_(max_lr / div_factor),
      final_lr_(max_lr / div_factor / final_div_factor),
      peak_(pct_start * total_steps - 1),
      last_(total_steps - 1.0) {
  STRATA_CHECK(total_steps > 1 && peak_ > 0 && peak_ < last_,
               "OneCycleLR: {} steps are too few, or pct_start {} is not in (0, 1)", total_steps, pct_start);
  set_optimizer_lrs(OneCycleLR::get_lrs());
}
std::vector<double> OneCycleLR::get_lrs() {
  const double at = step_count_;
  STRATA_CHECK(at <= last_, "OneCycleLR: step {} is beyond the {} steps of the cycle", step_count_ + 1, last_ + 1);
  const double rate = at <= peak_ ? cosine_between(initial_lr_, max_lr_, at / peak_)
                                  : cosine_between(max_lr_, final_lr_, (at - peak_) / (last_ - peak_));
  return std::vector<double>(base_lrs_.size(), rate);
}

ReduceLROnPlateauScheduler::ReduceLROnPlateauScheduler(Optimizer& optimizer, SchedulerMode mode, double factor,
                                                       int patience, double threshold, ThresholdMode threshold_mode,
                                                       int cooldown, const std::vector<float>& min_lr, double eps,
                                                       bool verbose)
    : optimizer_(optimizer),
      mode_(mode),
      factor_(factor),
      patience_(patience),
      threshold_(threshold),
      threshold_mode_(threshold_mode),
      cooldown_(cooldown),
      min_lrs_(min_lr),
      eps_(eps),
      verbose_(verbose),
      best_(mode == min ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity()) {
  STRATA_CHECK(factor < 1, "ReduceLROnPlateau: the factor {} must be below 1", factor);
  const size_t groups = optimizer.param_groups().size();
  if (min_lrs_.empty()) min_lrs_.assign(groups, 0);
  STRATA_CHECK(min_lrs_.size() == groups, "ReduceLROnPlateau: {} minimum rates for {} parameter groups",
               min_lrs_.size(), groups);
}

void ReduceLROnPlateauScheduler::step(double metric) {
  ++epoch_;
  if (is_better(metric)) {
    best_ = metric;
    bad_epochs_ = 0;
  } else {
    ++bad_epochs_;
  }
  if (cooldown_left_ > 0) {
    --cooldown_left_;
    bad_epochs_ = 0;
  }
  if (bad_epochs_ <= patience_) return;
  reduce_lr();
  cooldown_left_ = cooldown_;
  bad_epochs_ = 0;
}

bool ReduceLROnPlateauScheduler::is_better(double metric) const {
  const double sign = mode_ == min ? -1 : 1;
  const double limit = threshold_mode_ == rel ? best_ * (1 + sign * threshold_) : best_ + sign * threshold_;
  return mode_ == min ? metric < limit : metric > limit;
}

void ReduceLROnPlateauScheduler::reduce_lr() {
  for (size_t i = 0; i < min_lrs_.size(); ++i) {
    OptimizerOptions& options = optimizer_.param_groups()[i].options();
    const double old_lr = options.get_lr(), new_lr = std::max(old_lr * factor_, static_cast<double>(min_lrs_[i]));
    if (old_lr - new_lr <= eps_) continue;
    options.set_lr(new_lr);
    if (verbose_) std::printf("Epoch %d: reducing learning rate of group %zu to %.4e\n", epoch_, i, new_lr);
  }
}

}  // namespace strata::optim
