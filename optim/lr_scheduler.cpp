// Learning rate schedules.
#include "optim/lr_scheduler.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>

#include "optim/cycled_momentum.h"

namespace strata::optim {

namespace {
constexpr double kPi = 3.14159265358979323846;
}  // namespace

double detail::anneal(AnnealStrategy strategy, double a, double b, double at) {
  if (strategy == AnnealStrategy::kLinear) return a + (b - a) * at;
  return b + (a - b) * (1 + std::cos(kPi * at)) / 2;
}

std::vector<double> detail::rates_of(const Optimizer& optimizer) {
  std::vector<double> out;
  for (const OptimizerParamGroup& group : optimizer.param_groups()) out.push_back(group.options().get_lr());
  return out;
}

void detail::set_rates(Optimizer& optimizer, const std::vector<double>& rates) {
  std::vector<OptimizerParamGroup>& groups = optimizer.param_groups();
  STRATA_CHECK(rates.size() == groups.size(), "LRScheduler: {} rates for {} parameter groups", rates.size(),
               groups.size());
  for (size_t i = 0; i < rates.size(); ++i) groups[i].options().set_lr(rates[i]);
}

void detail::save_rates(serialize::OutputArchive& archive, const Optimizer& optimizer) {
  const std::vector<double> rates = rates_of(optimizer);
  for (size_t i = 0; i < rates.size(); ++i) archive.write("last_lr" + std::to_string(i), rates[i]);
}

bool detail::load_rates(serialize::InputArchive& archive, Optimizer& optimizer) {
  std::vector<double> rates = rates_of(optimizer);
  for (size_t i = 0; i < rates.size(); ++i)
    if (!archive.try_read("last_lr" + std::to_string(i), rates[i])) return false;
  set_rates(optimizer, rates);
  return true;
}

LRScheduler::LRScheduler(Optimizer& optimizer) : optimizer_(optimizer) {
  for (OptimizerParamGroup& group : optimizer.param_groups()) base_lrs_.push_back(group.options().initial_lr());
}

void LRScheduler::restart() {
  restart_more();
  step_count_ = 0;
  set_optimizer_lrs(first_lrs());
}

void LRScheduler::step() {
  ++step_count_;
  set_optimizer_lrs(get_lrs());
}

std::vector<double> LRScheduler::get_current_lrs() const { return detail::rates_of(optimizer_); }

void LRScheduler::set_optimizer_lrs(const std::vector<double>& rates) { detail::set_rates(optimizer_, rates); }

std::vector<double> LRScheduler::scaled(double factor) const {
  std::vector<double> out = get_current_lrs();
  for (double& rate : out) rate *= factor;
  return out;
}

void LRScheduler::save(serialize::OutputArchive& archive) const {
  archive.write("step_count", step_count_);
  for (size_t i = 0; i < base_lrs_.size(); ++i) archive.write("base_lr" + std::to_string(i), base_lrs_[i]);
  detail::save_rates(archive, optimizer_);
  save_more(archive);
}

void LRScheduler::load(serialize::InputArchive& archive) {
  std::vector<double> base(base_lrs_.size());
  for (size_t i = 0; i < base.size(); ++i) archive.read("base_lr" + std::to_string(i), base[i]);
  archive.read("step_count", step_count_);
  load_more(archive);
  base_lrs_ = std::move(base);
  detail::load_rates(archive, optimizer_);
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
  const double at = kPi * step_count_ / t_max_, before = kPi * (step_count_ - 1.0) / t_max_;
  const bool leaves_minimum = (step_count_ + t_max_ - 1) % (2 * t_max_) == 0;
  std::vector<double> rates = get_current_lrs();
  for (size_t i = 0; i < rates.size(); ++i) {
    if (leaves_minimum)
      rates[i] += (base_lrs_[i] - eta_min_) * (1 - std::cos(kPi / t_max_)) / 2;
    else
      rates[i] = eta_min_ + (rates[i] - eta_min_) * (1 + std::cos(at)) / (1 + std::cos(before));
  }
  return rates;
}

LinearLR::LinearLR(Optimizer& optimizer, double start_factor, double end_factor, unsigned total_iters)
    : LRScheduler(optimizer),
      start_factor_(start_factor),
      end_factor_(end_factor),
      total_iters_(std::max(total_iters, 1u)) {
  STRATA_CHECK(start_factor > 0 && start_factor <= 1 && end_factor >= 0 && end_factor <= 1,
               "LinearLR: the factors must be in (0, 1] and [0, 1], got {} and {}", start_factor, end_factor);
  set_optimizer_lrs(scaled(start_factor));
}
double LinearLR::factor_at(double step) const {
  return start_factor_ + (end_factor_ - start_factor_) * step / total_iters_;
}
std::vector<double> LinearLR::first_lrs() {
  return from_base([&](double base) { return base * start_factor_; });
}
std::vector<double> LinearLR::get_lrs() {
  return step_count_ > total_iters_ ? get_current_lrs() : scaled(factor_at(step_count_) / factor_at(step_count_ - 1.0));
}

LambdaLR::LambdaLR(Optimizer& optimizer, strata::detail::Function<double(unsigned)> factor)
    : LRScheduler(optimizer), factor_(std::move(factor)) {
  set_optimizer_lrs(LambdaLR::get_lrs());
}
std::vector<double> LambdaLR::get_lrs() {
  return from_base([&](double base) { return base * factor_(step_count_); });
}

OneCycleLR::OneCycleLR(Optimizer& optimizer, OneCycleLROptions options)
    : LRScheduler(optimizer), options_(std::move(options)) {
  options_.max_lr() = RateList(options_.max_lr()).for_groups("OneCycleLR", base_lrs_.size());
  const double steps = options_.total_steps(), peak = options_.pct_start() * steps - 1, last = steps - 1;
  if (options_.three_phase())
    phases_ = {{peak, kInitial, kPeak}, {2 * peak, kPeak, kInitial}, {last, kInitial, kFinal}};
  else
    phases_ = {{peak, kInitial, kPeak}, {last, kPeak, kFinal}};
  STRATA_CHECK(options_.total_steps() > 1 && peak > 0 && phases_[phases_.size() - 2].end < last,
               "OneCycleLR: {} steps are too few, or pct_start {} is not in (0, 1)", options_.total_steps(),
               options_.pct_start());
  set_optimizer_lrs(OneCycleLR::get_lrs());
}
OneCycleLR::OneCycleLR(Optimizer& optimizer, double max_lr, unsigned total_steps, double pct_start, double div_factor,
                       double final_div_factor)
    : OneCycleLR(optimizer, OneCycleLROptions(max_lr, total_steps)
                                .pct_start(pct_start)
                                .cycle_momentum(false)
                                .div_factor(div_factor)
                                .final_div_factor(final_div_factor)) {}

double OneCycleLR::rate(Level level, double max_lr) const {
  if (level == kPeak) return max_lr;
  const double initial = max_lr / options_.div_factor();
  return level == kInitial ? initial : initial / options_.final_div_factor();
}

std::vector<double> OneCycleLR::get_lrs() {
  const double at = step_count_, last = phases_.back().end;
  // Loops step after each batch, also after the last one: as in PyTorch that goes on along the last phase.
  STRATA_CHECK(at <= last + 1,
               "OneCycleLR: {} steps are more than the {} of the cycle; give it all of them as total_steps", at,
               last + 1);
  size_t i = 0;
  while (i + 1 < phases_.size() && at > phases_[i].end) ++i;
  const Phase& phase = phases_[i];
  const double begin = i == 0 ? 0 : phases_[i - 1].end, part = (at - begin) / (phase.end - begin);
  const auto between = [&](double a, double b) { return detail::anneal(options_.anneal_strategy(), a, b, part); };
  if (options_.cycle_momentum()) {
    const auto momentum = [&](Level l) { return l == kPeak ? options_.base_momentum() : options_.max_momentum(); };
    for (OptimizerParamGroup& group : optimizer().param_groups())
      detail::cycle_momentum(group.options(), between(momentum(phase.from), momentum(phase.to)));
  }
  std::vector<double> rates;
  for (const double max_lr : options_.max_lr())
    rates.push_back(between(rate(phase.from, max_lr), rate(phase.to, max_lr)));
  return rates;
}

std::vector<double> RateList::for_groups(const char* name, size_t groups) const {
  STRATA_CHECK(size() == groups || size() == 1, "{}: {} rates for {} parameter groups", name, size(), groups);
  return size() == groups ? std::vector<double>(*this) : std::vector<double>(groups, front());
}

ReduceLROnPlateauScheduler::ReduceLROnPlateauScheduler(Optimizer& optimizer, SchedulerMode mode, double factor,
                                                       int patience, double threshold, ThresholdMode threshold_mode,
                                                       int cooldown, const RateList& min_lr, double eps, bool verbose)
    : optimizer_(optimizer),
      mode_(mode),
      factor_(factor),
      patience_(patience),
      threshold_(threshold),
      threshold_mode_(threshold_mode),
      cooldown_(cooldown),
      min_lrs_(
          (min_lr.empty() ? RateList(0.0) : min_lr).for_groups("ReduceLROnPlateau", optimizer.param_groups().size())),
      eps_(eps),
      verbose_(verbose),
      best_(mode == min ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity()) {
  STRATA_CHECK(factor < 1, "ReduceLROnPlateau: the factor {} must be below 1", factor);
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

namespace {

/// Prints what libtorch does, and leaves the precision of the stream as it was.
void tell_rate(int64_t epoch, size_t group, double rate) {
  std::ostringstream line;
  line << std::setprecision(4) << "Epoch " << epoch << ": reducing learning rate of group " << group << " to " << rate;
  std::cout << line.str() << '\n';
}

}  // namespace

void ReduceLROnPlateauScheduler::reduce_lr() {
  for (size_t i = 0; i < min_lrs_.size(); ++i) {
    OptimizerOptions& options = optimizer_.param_groups()[i].options();
    const double old_lr = options.get_lr(), new_lr = std::max(old_lr * factor_, min_lrs_[i]);
    if (old_lr - new_lr <= eps_) continue;
    options.set_lr(new_lr);
    if (verbose_) tell_rate(epoch_, i, new_lr);
  }
}

std::vector<double> ReduceLROnPlateauScheduler::get_last_lr() const { return detail::rates_of(optimizer_); }

void ReduceLROnPlateauScheduler::save(serialize::OutputArchive& archive) const {
  archive.write("best", best_);
  archive.write("epoch", epoch_);
  archive.write("bad_epochs", bad_epochs_);
  archive.write("cooldown_left", cooldown_left_);
  detail::save_rates(archive, optimizer_);
}

void ReduceLROnPlateauScheduler::load(serialize::InputArchive& archive) {
  archive.read("best", best_);
  archive.read("epoch", epoch_);
  archive.read("bad_epochs", bad_epochs_);
  archive.read("cooldown_left", cooldown_left_);
  detail::load_rates(archive, optimizer_);
}

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const ReduceLROnPlateauScheduler& scheduler) {
  scheduler.save(archive);
  return archive;
}

serialize::InputArchive& operator>>(serialize::InputArchive& archive, ReduceLROnPlateauScheduler& scheduler) {
  scheduler.load(archive);
  return archive;
}

}  // namespace strata::optim
