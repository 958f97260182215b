// Counts the values in a row that were no improvement.
#include "train/early_stopping.h"

#include <cmath>

namespace strata::train {

EarlyStopping::EarlyStopping(EarlyStoppingOptions options) : options_(options), best_(worst(options.goal())) {
  STRATA_CHECK(options.patience() >= 0, "EarlyStopping: patience {}, expected 0 or more", options.patience());
  STRATA_CHECK(options.min_delta() >= 0, "EarlyStopping: min_delta {}, expected 0 or more", options.min_delta());
}

bool EarlyStopping::step(double value) {
  const bool better = is_better(options_.goal(), value, best_, options_.min_delta());
  if (better) {
    best_ = value;
    best_step_ = count_;
  }
  bad_ = better ? 0 : bad_ + 1;
  ++count_;
  stopped_ =
      stopped_ || (bad_ > 0 && bad_ >= options_.patience()) || (options_.check_finite() && !std::isfinite(value));
  return stopped_;
}

void EarlyStopping::save(serialize::OutputArchive& archive) const {
  archive.write("best", best_);
  archive.write("best_step", best_step_);
  archive.write("count", count_);
  archive.write("bad", bad_);
  archive.write("stopped", stopped_);
}

void EarlyStopping::load(serialize::InputArchive& archive) {
  archive.read("best", best_);
  archive.read("best_step", best_step_);
  archive.read("count", count_);
  archive.read("bad", bad_);
  archive.read("stopped", stopped_);
}

}  // namespace strata::train
