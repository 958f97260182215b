// When to stop: once a metric has not improved for a while.
#pragma once

#include <cstdint>
#include <limits>

#include "../core/arg.h"
#include "../ops/serialize.h"
#include "goal.h"

namespace strata::train {

struct EarlyStoppingOptions {
  /// Stop at the n-th value in a row that is no improvement, as Keras and Lightning do; 0 counts as 1.
  STRATA_ARG(int64_t, patience) = 10;
  /// By how much a value has to be better than the best to count.
  STRATA_ARG(double, min_delta) = 0;
  STRATA_ARG(Goal, goal) = Goal::kMin;
  /// Stop at once where the value is NaN or infinite.
  STRATA_ARG(bool, check_finite) = true;
};

/// Watches one metric.
///
///     train::EarlyStopping stopping(train::EarlyStoppingOptions().patience(3));
///     while (!stopping.step(validation_loss)) validation_loss = train_one_step();
class EarlyStopping {
 public:
  /// Throws for a negative patience or min_delta.
  explicit EarlyStopping(EarlyStoppingOptions options = {});

  /// Takes the next value; true when it is time to stop. It stays true.
  bool step(double value);
  /// Was the last value the best so far?
  bool improved() const { return count_ > 0 && bad_ == 0; }
  bool stopped() const { return stopped_; }
  /// The best value, and infinity (of the goal's bad side) before the first one.
  double best() const { return best_; }
  /// Which value it was, from 0; -1 before the first one.
  int64_t best_step() const { return best_step_; }

  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);

 private:
  template <class Self, class Archive>
  static void transfer(Self& self, Archive& archive);
  EarlyStoppingOptions options_;
  double best_;
  int64_t best_step_ = -1, count_ = 0, bad_ = 0;
  bool stopped_ = false;
};

}  // namespace strata::train
