// Counts the values in a row that were no improvement.
#include "train/early_stopping.h"

#include <cmath>

#include "ops/serialize_fields.h"

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

template <class Self, class Archive>
void EarlyStopping::transfer(Self& self, Archive& archive) {
  serialize::detail::transfer(archive, "best", self.best_);
  serialize::detail::transfer(archive, "best_step", self.best_step_);
  serialize::detail::transfer(archive, "count", self.count_);
  serialize::detail::transfer(archive, "bad", self.bad_);
  serialize::detail::transfer(archive, "stopped", self.stopped_);
}

void EarlyStopping::save(serialize::OutputArchive& archive) const { transfer(*this, archive); }
void EarlyStopping::load(serialize::InputArchive& archive) { transfer(*this, archive); }

}  // namespace strata::train
