// One epoch after the other; each step depends only on what a checkpoint holds.
#include "mnist/trainer.h"

#include <fmt/format.h>
#include <strata/train/interrupt.h>
#include <strata/train/seed.h>

#include <chrono>

namespace mnist {
namespace {

using strata::Tensor;
using strata::data::datasets::TensorPairDataset;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

TensorPairDataset scaled(const TensorPairDataset& digits, const Recipe::Scale& scale, strata::Device device) {
  return {digits.data.sub(scale.mean).mul_(scale.factor).to(device), digits.targets.to(device)};
}

constexpr int64_t kColumns = 6;

/// One row per epoch, `(epochs, 6)` float64.
Tensor to_tensor(const std::vector<EpochResult>& results) {
  std::vector<double> values;
  for (const EpochResult& r : results) {
    values.insert(values.end(),
                  {r.train_loss, r.train_accuracy, r.test_loss, r.test_accuracy, r.train_seconds, r.test_seconds});
  }
  return strata::tensor(values, strata::kFloat64).view({static_cast<int64_t>(results.size()), kColumns});
}

std::vector<EpochResult> to_results(const Tensor& rows) {
  STRATA_CHECK(rows.dim() == 2 && rows.size(1) == kColumns && rows.dtype() == strata::kFloat64,
               "--resume: the checkpoint's results have shape {}", rows.sizes());
  const auto value = rows.accessor<double, 2>();
  std::vector<EpochResult> results;
  for (int64_t i = 0; i < rows.size(0); ++i)
    results.push_back({value[i][0], value[i][1], value[i][2], value[i][3], value[i][4], value[i][5]});
  return results;
}

}  // namespace

Trainer::Trainer(const Settings& settings, const Digits& digits, strata::Device device)
    : settings_(settings),
      device_(device),
      recipe_(make_recipe(settings.recipe)),
      model_(make_model(settings.model)),
      train_(scaled(digits.train, recipe_->scale(digits.train.data), device)),
      test_(scaled(digits.test, recipe_->scale(digits.train.data), device)) {
  strata::train::seed_everything(static_cast<uint64_t>(settings.seed));
  recipe_->initialize(*model_);
  model_->to(device);
  optimizer_ = recipe_->optimizer(model_->parameters(), settings.lr, settings.momentum);
  loader_ = strata::data::make_data_loader(train_.map(strata::data::transforms::Stack<>()),
                                           static_cast<size_t>(settings.batch_size));
  state_.add("model", *model_).add("optimizer", *optimizer_).add("loader", *loader_);
  state_.add("random", strata::default_generator()).add("seen", seen_).add("seconds", seconds_);
  state_.add("loss", loss_).add("accuracy", accuracy_);
}

/// How many digits the run has trained on.
int64_t Trainer::digits_done() const { return train_.data.size(0) * static_cast<int64_t>(results_.size()) + seen_; }

bool Trainer::run(const std::string& checkpoint) {
  const strata::train::InterruptGuard guard;
  strata::train::Progress progress(train_.data.size(0) * settings_.epochs,
                                   strata::train::ProgressOptions("digits").initial(digits_done()));
  bool interrupted = false;
  while (!interrupted && static_cast<int64_t>(results_.size()) < settings_.epochs) {
    interrupted = !train_epoch(progress);
    if (!interrupted) finish_epoch(progress);
    if (!checkpoint.empty()) save(checkpoint);
  }
  return !interrupted;
}

/// After a checkpoint that was made within an epoch the loader gives the rest of that.
bool Trainer::train_epoch(strata::train::Progress& progress) {
  model_->train();
  const double start = seconds_now() - seconds_;
  const std::string label = fmt::format("epoch {}/{}", results_.size() + 1, settings_.epochs);
  for (auto& batch : *loader_) {
    const Tensor loss = train_step(batch);
    progress.update(digits_done(), label, {{"loss", loss}});
    seconds_ = seconds_now() - start;
    if (strata::train::InterruptGuard::interrupted()) return false;
  }
  return true;
}

void Trainer::finish_epoch(strata::train::Progress& progress) {
  const double start = seconds_now();
  EpochResult result;
  result.train_loss = loss_.compute();
  result.train_accuracy = accuracy_.compute();
  result.train_seconds = seconds_;
  evaluate(result);
  result.test_seconds = seconds_now() - start;
  results_.push_back(result);
  progress.print_line(format_line(results_.size(), settings_.epochs, result));
  loss_.reset();
  accuracy_.reset();
  seen_ = 0;
  seconds_ = 0;
}

Tensor Trainer::train_step(const Batch& batch) {
  set_learning_rate();
  optimizer_->zero_grad();
  const Tensor log_probs = model_->forward(recipe_->augment(batch.data));
  const Tensor loss = recipe_->loss(log_probs, batch.target);
  loss.backward();
  optimizer_->step();
  loss_.update(loss, static_cast<double>(batch.target.size(0)));
  accuracy_.update(log_probs, batch.target);
  seen_ += batch.target.size(0);
  return loss.detach();
}

void Trainer::set_learning_rate() {
  const int64_t steps_per_epoch = (train_.data.size(0) + settings_.batch_size - 1) / settings_.batch_size;
  const int64_t step = steps_per_epoch * static_cast<int64_t>(results_.size()) + seen_ / settings_.batch_size;
  const double progress = static_cast<double>(step) / static_cast<double>(steps_per_epoch * settings_.epochs);
  for (auto& group : optimizer_->param_groups()) group.options().set_lr(settings_.lr * recipe_->schedule(progress));
}

void Trainer::evaluate(EpochResult& result) {
  constexpr int64_t kBatch = 1000;
  const strata::NoGradGuard no_grad;
  model_->eval();
  const auto images = test_.data.split(kBatch);
  const auto digits = test_.targets.split(kBatch);
  strata::train::Mean loss;
  test_confusion_.reset();
  for (size_t i = 0; i < images.size(); ++i) {
    const Tensor log_probs = model_->forward(images[i]);
    loss.update(recipe_->loss(log_probs, digits[i]), static_cast<double>(digits[i].size(0)));
    test_confusion_.update(log_probs, digits[i]);
  }
  result.test_loss = loss.compute();
  result.test_accuracy = test_confusion_.accuracy();
}

void Trainer::save(const std::string& path) const {
  strata::serialize::OutputArchive archive, settings;
  mnist::save(settings_, settings);
  archive.write("settings", settings);
  archive.write("digits", train_.data.size(0));
  archive.write("results", to_tensor(results_));
  state_.save(archive);
  archive.save_to(path);
}

void Trainer::load(strata::serialize::InputArchive& archive) {
  int64_t digits = 0;
  archive.read("digits", digits);
  STRATA_CHECK(digits == train_.data.size(0), "--resume: the checkpoint was made with {} training digits, here are {}",
               digits, train_.data.size(0));
  Tensor rows;
  archive.read("results", rows);
  results_ = to_results(rows);
  state_.load(archive);
}

}  // namespace mnist
