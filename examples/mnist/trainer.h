// The training loop, with checkpoints from which it goes on bit for bit.
#pragma once
#include <strata/strata.h>
#include <strata/train/metrics.h>
#include <strata/train/progress.h>
#include <strata/train/state.h>

#include <memory>
#include <string>
#include <vector>

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
  Classifier& model() const { return *model_; }
  const strata::data::datasets::TensorPairDataset& test_digits() const { return test_; }
  /// Which digits were read as which at the last test.
  const strata::train::ConfusionMatrix& confusion() const { return test_confusion_; }

 private:
  using Batch = strata::data::Example<>;
  using Dataset =
      strata::data::datasets::MapDataset<strata::data::datasets::TensorPairDataset, strata::data::transforms::Stack<>>;
  using Loader = strata::data::StatelessDataLoader<Dataset, strata::data::samplers::RandomSampler>;

  bool train_epoch(strata::train::Progress& progress);
  void finish_epoch(strata::train::Progress& progress);
  strata::Tensor train_step(const Batch& batch);
  void set_learning_rate();
  void evaluate(EpochResult& result);
  int64_t digits_done() const;

  Settings settings_;
  strata::Device device_;
  std::unique_ptr<Recipe> recipe_;
  std::shared_ptr<Classifier> model_;
  std::unique_ptr<strata::optim::Optimizer> optimizer_;
  strata::data::datasets::TensorPairDataset train_;
  strata::data::datasets::TensorPairDataset test_;
  std::unique_ptr<Loader> loader_;

  std::vector<EpochResult> results_;  // of the epochs that are done
  strata::train::Mean loss_;          // of the epoch under way
  strata::train::Accuracy accuracy_;
  int64_t seen_ = 0;  // digits in it
  double seconds_ = 0;
  strata::train::ConfusionMatrix test_confusion_{10};
  strata::train::State state_;  // what a checkpoint holds, beside settings and results
};

}  // namespace mnist
