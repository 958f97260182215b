// Which values of a metric are better.
#pragma once

#include <limits>

namespace strata::train {

/// Of a loss the lowest values are best, of an accuracy the highest.
enum class Goal { kMin, kMax };

/// What everything else is better than.
inline double worst(Goal goal) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return goal == Goal::kMin ? kInfinity : -kInfinity;
}

/// Is `a` better than `b` by more than `margin`? NaN is never better.
inline bool is_better(Goal goal, double a, double b, double margin = 0) {
  return goal == Goal::kMin ? a < b - margin : a > b + margin;
}

}  // namespace strata::train
