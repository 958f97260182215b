// Axes with ticks at round numbers, for plots of any kind. Internal to train/.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace strata::train {

/// The smallest and the largest of the finite values it was shown; empty at first.
struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void include(double value);
  bool is_empty() const { return low > high; }
};

/// How an axis fits its data.
enum class Fit {
  kTight,  ///< it ends where they end
  kRound,  ///< it ends at ticks
  kLog,    ///< it ends where they end, and is logarithmic
};

class Axis {
 public:
  /// About `count` ticks; with `whole` at whole numbers only.
  Axis(Range data, double count, Fit fit, bool whole = false);
  /// From 0 where the axis begins to 1 where it ends.
  double place(double value) const;
  /// May the value be drawn?
  bool holds(double value) const;
  std::vector<double> ticks() const;
  /// The tick as text, with as many digits as tell it from its neighbours.
  std::string text(double tick) const;

 private:
  std::vector<double> log_ticks() const;
  bool log_;
  double low_, high_, step_ = 1;
};

}  // namespace strata::train
