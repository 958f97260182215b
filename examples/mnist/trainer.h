// The training loop, with checkpoints from which it goes on bit for bit.
#pragma once
#include <strata/strata.h>

#include <memory>
#include <string>
#include <vector>

#include "common/progress.h"
#include "mnist/digits.h"
#include "mnist/models.h"
#include "mnist/recipe.h"
#include "mnist/results.h"
#include "mnist/settings.h"

namespace mnist {

class Trainer {
 public:
  /// A new run: draws the model's parameters from the settings' seed.
  Trainer(const Settings& settings, const Digits& digits, strata::Device device);

  /// Continues the run that wrote `checkpoint`; throws strata::Error when it does not fit.
  void load(strata::serialize::InputArchive& checkpoint);
  /// Writes everything that the rest of the run depends on; `path` is replaced whole or not at all.
  void save(const std::string& path) const;

  /// Trains to the last epoch, writing a checkpoint to `checkpoint` (unless empty) after each.
  /// Returns false when the user interrupted it, after writing one more.
  bool run(const std::string& checkpoint);

  const std::vector<EpochResult>& results() const { return results_; }
  const Classifier& model() const { return *model_; }

 private:
  using Batch = strata::data::Example<>;
  using Dataset =
      strata::data::datasets::MapDataset<strata::data::datasets::TensorPairDataset, strata::data::transforms::Stack<>>;
  using Loader = strata::data::StatelessDataLoader<Dataset, strata::data::samplers::RandomSampler>;

  bool train_epoch(strata::examples::Progress& progress);
  void finish_epoch(strata::examples::Progress& progress);
  strata::data::Iterator<Batch> begin_epoch();
  void train_step(const Batch& batch);
  void set_learning_rate();
  Score evaluate() const;
  void report(strata::examples::Progress& progress) const;

  Settings settings_;
  strata::Device device_;
  std::unique_ptr<Recipe> recipe_;
  std::shared_ptr<Classifier> model_;
  std::unique_ptr<strata::optim::Optimizer> optimizer_;
  strata::data::datasets::TensorPairDataset train_;
  strata::data::datasets::TensorPairDataset test_;
  std::unique_ptr<Loader> loader_;

  std::vector<EpochResult> results_;  // of the epochs that are done
  EpochResult current_;               // of the epoch under way
  int64_t batches_done_ = 0;          // in the epoch under way
  strata::Generator::Position epoch_start_{};
  int64_t done_before_ = 0;  // digits trained on before this program started
};

}  // namespace mnist
