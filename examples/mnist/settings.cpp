// Defaults, checks and storage of the settings.
#include "mnist/settings.h"

#include <fmt/format.h>

#include "mnist/recipe.h"

namespace mnist {
namespace {

Settings checked(Settings s) {
  STRATA_CHECK(s.epochs >= 1, "--epochs: expected at least 1, got {}", s.epochs);
  STRATA_CHECK(s.batch_size >= 1, "--batch-size: expected at least 1, got {}", s.batch_size);
  STRATA_CHECK(s.lr > 0 && s.lr < 1e6, "--lr: expected a positive number, got {}", s.lr);
  STRATA_CHECK(s.momentum >= 0 && s.momentum < 1, "--momentum: expected at least 0 and less than 1, got {}",
               s.momentum);
  return s;
}

/// The value in the checkpoint, which must be what was typed, if it was.
template <class T>
T saved(strata::serialize::InputArchive& archive, const std::string& option, const std::optional<T>& typed) {
  T value{};
  archive.read(option, value);
  STRATA_CHECK(!typed || *typed == value, "--{}: the checkpoint was made with {}, so it cannot go on with {}", option,
               fmt::to_string(value), fmt::to_string(*typed));
  return value;
}

}  // namespace

Settings new_settings(const Options& o) {
  const std::string model = o.model.value_or("mlp");
  const std::string recipe = o.recipe.value_or("default");
  const auto defaults = make_recipe(recipe)->defaults(model);
  return checked({model, recipe, o.epochs.value_or(10), o.batch_size.value_or(128), o.lr.value_or(defaults.lr),
                  o.momentum.value_or(defaults.momentum), o.seed.value_or(42)});
}

Settings resumed_settings(const Options& o, strata::serialize::InputArchive& checkpoint) {
  auto archive = checkpoint.nested("settings");
  Settings s{saved(archive, "model", o.model),
             saved(archive, "recipe", o.recipe),
             saved<int64_t>(archive, "epochs", std::nullopt),
             saved(archive, "batch-size", o.batch_size),
             saved(archive, "lr", o.lr),
             saved(archive, "momentum", o.momentum),
             saved(archive, "seed", o.seed)};
  s.epochs = o.epochs.value_or(s.epochs);
  return checked(s);
}

void save(const Settings& s, strata::serialize::OutputArchive& archive) {
  archive.write("model", s.model);
  archive.write("recipe", s.recipe);
  archive.write("epochs", s.epochs);
  archive.write("batch-size", s.batch_size);
  archive.write("lr", s.lr);
  archive.write("momentum", s.momentum);
  archive.write("seed", s.seed);
}

}  // namespace mnist
