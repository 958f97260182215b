// What the losses of a run depend on, so that a resumed run goes on as it began.
#pragma once
#include <strata/strata.h>

#include <cstdint>
#include <string>

#include "mnist/options.h"

namespace mnist {

struct Settings {
  std::string model;
  std::string recipe;
  int64_t epochs;
  int64_t batch_size;
  double lr;
  double momentum;
  int64_t seed;
};

/// The settings of a new run: as typed, else the recipe's. Throws strata::Error for numbers that make no sense.
Settings new_settings(const Options& options);

/// The settings of the run that wrote `checkpoint`; only the number of epochs may be typed anew.
/// Throws strata::Error when another option differs.
Settings resumed_settings(const Options& options, strata::serialize::InputArchive& checkpoint);

void save(const Settings& settings, strata::serialize::OutputArchive& archive);

}  // namespace mnist
