// Constant, polynomial and cyclic schedules, warm restarts, and schedules made of schedules.
#include "optim/lr_schedules.h"

#include <algorithm>
#include <cmath>

#include "optim/cycled_momentum.h"

namespace strata::optim {

namespace {

void save_all(serialize::OutputArchive& archive, const std::vector<std::shared_ptr<LRScheduler>>& schedulers) {
  for (size_t i = 0; i < schedulers.size(); ++i) {
    serialize::OutputArchive part;
    schedulers[i]->save(part);
    archive.write("scheduler" + std::to_string(i), part);
  }
}

void load_all(serialize::InputArchive& archive, const std::vector<std::shared_ptr<LRScheduler>>& schedulers) {
  for (size_t i = 0; i < schedulers.size(); ++i) {
    serialize::InputArchive part;
    archive.read("scheduler" + std::to_string(i), part);
    schedulers[i]->load(part);
  }
}

void check_all(const char* name, const std::vector<std::shared_ptr<LRScheduler>>& schedulers) {
  STRATA_CHECK(!schedulers.empty(), "{}: no schedulers were given", name);
  for (const auto& scheduler : schedulers) STRATA_CHECK(scheduler != nullptr, "{}: a scheduler is null", name);
}

}  // namespace

ConstantLR::ConstantLR(Optimizer& optimizer, double factor, unsigned total_iters)
    : LRScheduler(optimizer), factor_(factor), total_iters_(total_iters) {
  STRATA_CHECK(factor > 0 && factor <= 1, "ConstantLR: the factor must be in (0, 1], got {}", factor);
  set_optimizer_lrs(scaled(factor));
}
std::vector<double> ConstantLR::first_lrs() {
  return from_base([&](double base) { return base * factor_; });
}
std::vector<double> ConstantLR::get_lrs() { return scaled(step_count_ == total_iters_ ? 1 / factor_ : 1); }

PolynomialLR::PolynomialLR(Optimizer& optimizer, unsigned total_iters, double power)
    : LRScheduler(optimizer), total_iters_(total_iters), power_(power) {}
std::vector<double> PolynomialLR::get_lrs() {
  if (step_count_ > total_iters_) return get_current_lrs();
  const double steps = step_count_, total = total_iters_;
  return scaled(std::pow((1 - steps / total) / (1 - (steps - 1) / total), power_));
}

MultiplicativeLR::MultiplicativeLR(Optimizer& optimizer, strata::detail::Function<double(unsigned)> factor)
    : LRScheduler(optimizer), factor_(std::move(factor)) {}

CosineAnnealingWarmRestarts::CosineAnnealingWarmRestarts(Optimizer& optimizer, unsigned t_0, unsigned t_mult,
                                                         double eta_min)
    : LRScheduler(optimizer), t_0_(t_0), t_mult_(t_mult), eta_min_(eta_min), length_(t_0) {
  STRATA_CHECK(t_0 > 0 && t_mult > 0, "CosineAnnealingWarmRestarts: t_0 and t_mult must be at least 1, got {} and {}",
               t_0, t_mult);
}
std::vector<double> CosineAnnealingWarmRestarts::rates_here() const {
  return from_base(
      [&](double base) { return detail::anneal(AnnealStrategy::kCos, base, eta_min_, since_restart_ / length_); });
}
std::vector<double> CosineAnnealingWarmRestarts::get_lrs() {
  since_restart_ += 1;
  if (since_restart_ >= length_) {
    since_restart_ -= length_;
    length_ *= t_mult_;
  }
  return rates_here();
}
void CosineAnnealingWarmRestarts::step(double epoch) {
  STRATA_CHECK(epoch >= 0, "CosineAnnealingWarmRestarts: the epoch must not be negative, got {}", epoch);
  since_restart_ = epoch;
  length_ = t_0_;
  while (since_restart_ >= length_) {
    since_restart_ -= length_;
    length_ *= t_mult_;
  }
  step_count_ = static_cast<unsigned>(epoch);
  set_optimizer_lrs(rates_here());
}
void CosineAnnealingWarmRestarts::restart_more() {
  since_restart_ = 0;
  length_ = t_0_;
}
void CosineAnnealingWarmRestarts::save_more(serialize::OutputArchive& archive) const {
  archive.write("since_restart", since_restart_);
  archive.write("length", length_);
}
void CosineAnnealingWarmRestarts::load_more(serialize::InputArchive& archive) {
  archive.read("since_restart", since_restart_);
  archive.read("length", length_);
}

CyclicLR::CyclicLR(Optimizer& optimizer, CyclicLROptions options)
    : LRScheduler(optimizer), options_(std::move(options)) {
  STRATA_CHECK(options_.step_size_up() > 0, "CyclicLR: step_size_up must not be 0");
  options_.base_lr() = options_.base_lr().for_groups("CyclicLR", base_lrs_.size());
  options_.max_lr() = options_.max_lr().for_groups("CyclicLR", base_lrs_.size());
  set_optimizer_lrs(CyclicLR::get_lrs());
}
double CyclicLR::scale(double cycle) const {
  const double steps = step_count_;
  if (options_.scale_fn()) return options_.scale_fn()(options_.scale_mode() == CyclicLROptions::kCycle ? cycle : steps);
  if (options_.mode() == CyclicLROptions::kTriangular) return 1;
  return options_.mode() == CyclicLROptions::kTriangular2 ? std::pow(2, 1 - cycle) : std::pow(options_.gamma(), steps);
}
std::vector<double> CyclicLR::get_lrs() {
  const double up = options_.step_size_up(), total = up + options_.step_size_down().value_or(options_.step_size_up());
  const double place = step_count_ / total, cycle = std::floor(1 + place), part = 1 + place - cycle, peak = up / total;
  const double height = (part <= peak ? part / peak : (part - 1) / (peak - 1)) * scale(cycle);
  std::vector<double> rates;
  for (size_t i = 0; i < base_lrs_.size(); ++i)
    rates.push_back(options_.base_lr()[i] + (options_.max_lr()[i] - options_.base_lr()[i]) * height);
  if (options_.cycle_momentum())
    for (OptimizerParamGroup& group : optimizer().param_groups())
      detail::cycle_momentum(group.options(),
                             options_.max_momentum() - (options_.max_momentum() - options_.base_momentum()) * height);
  return rates;
}

SequentialLR::SequentialLR(Optimizer& optimizer, std::vector<std::shared_ptr<LRScheduler>> schedulers,
                           std::vector<unsigned> milestones)
    : LRScheduler(optimizer), schedulers_(std::move(schedulers)), milestones_(std::move(milestones)) {
  check_all("SequentialLR", schedulers_);
  STRATA_CHECK(milestones_.size() + 1 == schedulers_.size(),
               "SequentialLR: {} schedulers need one milestone less, got {}", schedulers_.size(), milestones_.size());
  for (size_t i = 1; i < milestones_.size(); ++i)
    STRATA_CHECK(milestones_[i - 1] <= milestones_[i], "SequentialLR: the milestones must rise, got {} before {}",
                 milestones_[i - 1], milestones_[i]);
  for (size_t i = 1; i < schedulers_.size(); ++i)
    STRATA_CHECK(dynamic_cast<ChainedScheduler*>(schedulers_[i].get()) == nullptr,
                 "SequentialLR: scheduler {} is a ChainedScheduler, which has no first rates of its own to begin from; "
                 "chain SequentialLRs instead",
                 i);
  SequentialLR::first_lrs();
}
std::vector<double> SequentialLR::first_lrs() {
  schedulers_[0]->restart();
  return get_current_lrs();
}
std::vector<double> SequentialLR::get_lrs() {
  const auto next = std::upper_bound(milestones_.begin(), milestones_.end(), step_count_);
  LRScheduler& scheduler = *schedulers_[static_cast<size_t>(next - milestones_.begin())];
  if (next != milestones_.begin() && next[-1] == step_count_)
    scheduler.restart();
  else
    scheduler.step();
  return get_current_lrs();
}
void SequentialLR::save_more(serialize::OutputArchive& archive) const { save_all(archive, schedulers_); }
void SequentialLR::load_more(serialize::InputArchive& archive) { load_all(archive, schedulers_); }

ChainedScheduler::ChainedScheduler(Optimizer& optimizer, std::vector<std::shared_ptr<LRScheduler>> schedulers)
    : LRScheduler(optimizer), schedulers_(std::move(schedulers)), first_lrs_(get_current_lrs()) {
  check_all("ChainedScheduler", schedulers_);
}
void ChainedScheduler::restart_more() {
  STRATA_CHECK(step_count_ == 0,
               "ChainedScheduler: it cannot begin anew after {} steps, as its schedulers share their rates; make new "
               "ones, or chain SequentialLRs",
               step_count_);
}
std::vector<double> ChainedScheduler::get_lrs() {
  for (const auto& scheduler : schedulers_) scheduler->step();
  return get_current_lrs();
}
void ChainedScheduler::save_more(serialize::OutputArchive& archive) const { save_all(archive, schedulers_); }
void ChainedScheduler::load_more(serialize::InputArchive& archive) { load_all(archive, schedulers_); }

SWALR::SWALR(Optimizer& optimizer, RateList swa_lr, unsigned anneal_epochs, AnnealStrategy anneal_strategy)
    : LRScheduler(optimizer),
      swa_lrs_(swa_lr.for_groups("SWALR", base_lrs_.size())),
      anneal_epochs_(anneal_epochs),
      strategy_(anneal_strategy) {
  if (anneal_epochs == 0) set_optimizer_lrs(swa_lrs_);
}
double SWALR::part_at(double step) const {
  return detail::anneal(strategy_, 0, 1, std::clamp(step / std::max(1u, anneal_epochs_), 0.0, 1.0));
}
std::vector<double> SWALR::get_lrs() {
  const double before = part_at(step_count_ - 1.0), now = part_at(step_count_);
  std::vector<double> rates = get_current_lrs();
  for (size_t i = 0; i < rates.size(); ++i) {
    const double from = before == 1 ? swa_lrs_[i] : (rates[i] - before * swa_lrs_[i]) / (1 - before);
    rates[i] = swa_lrs_[i] * now + from * (1 - now);
  }
  return rates;
}

}  // namespace strata::optim
