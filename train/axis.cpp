// Steps of 1, 2 and 5 times a power of ten.
#include "train/axis.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata::train {
namespace {

/// The smallest of 1, 2 and 5 times a power of ten that gives at most about `count` steps in the span.
double nice_step(double span, double count) {
  const double rough = span / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * 1.001) return factor * power;
  }
  return 10 * power;
}

/// Half a unit around a single value, or as much as is more than rounding of a large one.
Range widened(Range r) {
  if (r.is_empty()) return {0, 1};
  const double least = std::max(std::abs(r.low), std::abs(r.high)) * 1e-12;
  if (r.high - r.low > least) return r;
  const double half = std::max(0.5, std::abs(r.low) * 1e-6);
  return {r.low - half, r.high + half};
}

}  // namespace

void Range::include(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

Axis::Axis(Range data, double count, Fit fit, bool whole) : log_(fit == Fit::kLog) {
  if (log_) {
    if (data.is_empty() || data.low <= 0) data = {1, 10};
    if (data.low == data.high) data = {data.low / 2, data.high * 2};
    low_ = std::log10(data.low);
    high_ = std::log10(data.high);
    step_ = std::max(1.0, std::ceil((high_ - low_) / count));
    return;
  }
  data = widened(data);
  step_ = nice_step(data.high - data.low, count);
  if (whole) step_ = std::max(1.0, step_);
  const bool tight = fit == Fit::kTight;
  low_ = tight ? data.low : std::floor(data.low / step_ + 1e-9) * step_;
  high_ = tight ? data.high : std::ceil(data.high / step_ - 1e-9) * step_;
}

double Axis::place(double value) const { return ((log_ ? std::log10(value) : value) - low_) / (high_ - low_); }

bool Axis::holds(double value) const { return std::isfinite(value) && (!log_ || value > 0); }

std::vector<double> Axis::log_ticks() const {
  std::vector<double> values;
  const bool is_short = high_ - low_ < 2;  // then 2 and 5 times the powers have a place
  for (double power = std::floor(low_); power <= high_; power += step_) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10, power), at = std::log10(value);
      if (at >= low_ - 1e-9 && at <= high_ + 1e-9 && (factor == 1 || is_short)) values.push_back(value);
    }
  }
  return values;
}

std::vector<double> Axis::ticks() const {
  if (log_) return log_ticks();
  std::vector<double> values;
  for (double k = std::ceil(low_ / step_ - 1e-9); k * step_ <= high_ + step_ * 1e-6; ++k) values.push_back(k * step_);
  return values;
}

std::string Axis::text(double tick) const {
  if (log_) return fmt::format("{:g}", tick);
  const double value = std::abs(tick) < step_ * 1e-6 ? 0.0 : tick;
  const double largest = std::max(std::abs(low_), std::abs(high_));
  if (largest >= 1e6 || largest < 1e-4) return fmt::format("{:.4g}", value);
  return fmt::format("{:.{}f}", value, std::clamp(static_cast<int>(-std::floor(std::log10(step_) + 1e-9)), 0, 12));
}

}  // namespace strata::train
