// A folder of checkpoints: the last ones, to go on from, and the best ones, to keep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../core/arg.h"
#include "goal.h"
#include "state.h"

namespace strata::train {

struct CheckpointsOptions {
  /// How many of the newest stay, at least 1.
  STRATA_ARG(int64_t, keep_last) = 1;
  /// How many of those with the best scores stay beside them.
  STRATA_ARG(int64_t, keep_best) = 1;
  STRATA_ARG(Goal, goal) = Goal::kMin;
};

/// One checkpoint of a folder.
struct Checkpoint {
  std::string path;
  int64_t step = 0;
  std::optional<double> score;
};

/// Keeps checkpoints as `step-000000120.score-0.25.safetensors`: the names alone say which they are, so a run that is
/// killed at any time leaves nothing that a new one misreads. Of several processes one may save at a time.
///
///     train::Checkpoints checkpoints("runs/first", train::CheckpointsOptions().keep_last(2));
///     if (auto found = checkpoints.resume(state)) std::cout << "goes on after step " << found->step << '\n';
///     for (; step < steps; checkpoints.save(state, ++step, validation_loss)) validation_loss = train_one_step();
class Checkpoints {
 public:
  /// Makes the folder where there is none. Throws for counts that make no sense.
  explicit Checkpoints(std::string folder, CheckpointsOptions options = {});

  /// Writes a checkpoint after so many steps, whole or not at all, then removes those that are neither among the last
  /// nor among the best. One of the same step is replaced. A score that is NaN counts as none. Returns its path.
  std::string save(const State& state, int64_t step, std::optional<double> score = std::nullopt) const;
  /// Loads the newest one, or with a warning the one before it where that is damaged; nothing where there is none.
  /// Also removes what a killed writer left. Throws where a checkpoint does not fit the state.
  std::optional<Checkpoint> resume(State& state) const;

  /// What there is, by step.
  std::vector<Checkpoint> list() const;
  /// The one with the best score, the earliest of several; nothing where none has a score.
  std::optional<Checkpoint> best() const;
  const std::string& folder() const { return folder_; }

 private:
  /// Those with a score, best first.
  std::vector<Checkpoint> ranked() const;
  void remove_others() const;

  std::string folder_;
  CheckpointsOptions options_;
};

}  // namespace strata::train
