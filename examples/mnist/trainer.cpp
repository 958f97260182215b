// One epoch after the other; each step depends only on what a checkpoint holds.
#include "mnist/trainer.h"

#include <fmt/format.h>

#include <chrono>

#include "common/interrupt.h"

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

int64_t count_correct(const Tensor& log_probs, const Tensor& digits) {
  return log_probs.argmax(1).eq(digits).sum().item<int64_t>();
}

constexpr int64_t kColumns = 8;

/// One row per epoch, `(epochs, 8)` float64.
Tensor to_tensor(const std::vector<EpochResult>& results) {
  std::vector<double> values;
  for (const EpochResult& r : results) {
    for (const Score& s : {r.train, r.test}) {
      values.insert(values.end(), {s.loss_sum, static_cast<double>(s.correct), static_cast<double>(s.count)});
    }
    values.insert(values.end(), {r.train_seconds, r.test_seconds});
  }
  return strata::tensor(values, strata::kFloat64).view({static_cast<int64_t>(results.size()), kColumns});
}

std::vector<EpochResult> to_results(const Tensor& rows) {
  STRATA_CHECK(rows.dim() == 2 && rows.size(1) == kColumns && rows.dtype() == strata::kFloat64,
               "--resume: the checkpoint's results have shape {}", rows.sizes());
  const auto value = rows.accessor<double, 2>();
  const auto score = [&](int64_t i, int64_t j) {
    return Score{value[i][j], static_cast<int64_t>(value[i][j + 1]), static_cast<int64_t>(value[i][j + 2])};
  };
  std::vector<EpochResult> results;
  for (int64_t i = 0; i < rows.size(0); ++i) results.push_back({score(i, 0), score(i, 3), value[i][6], value[i][7]});
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
  strata::manual_seed(static_cast<uint64_t>(settings.seed));
  recipe_->initialize(*model_);
  model_->to(device);
  optimizer_ = recipe_->optimizer(model_->parameters(), settings.lr, settings.momentum);
  loader_ = strata::data::make_data_loader(train_.map(strata::data::transforms::Stack<>()),
                                           static_cast<size_t>(settings.batch_size));
}

bool Trainer::run(const std::string& checkpoint) {
  const strata::examples::InterruptGuard guard;
  const int64_t digits = train_.data.size(0);
  done_before_ = digits * static_cast<int64_t>(results_.size()) + current_.train.count;
  strata::examples::Progress progress(digits * settings_.epochs - done_before_, "digits");
  bool interrupted = false;
  while (!interrupted && static_cast<int64_t>(results_.size()) < settings_.epochs) {
    interrupted = !train_epoch(progress);
    if (!interrupted) finish_epoch(progress);
    if (!checkpoint.empty()) save(checkpoint);
  }
  return !interrupted;
}

bool Trainer::train_epoch(strata::examples::Progress& progress) {
  model_->train();
  const double start = seconds_now() - current_.train_seconds;
  for (auto batch = begin_epoch(); batch != loader_->end(); ++batch) {
    train_step(*batch);
    report(progress);
    current_.train_seconds = seconds_now() - start;
    if (strata::examples::InterruptGuard::interrupted()) return false;
  }
  return true;
}

void Trainer::finish_epoch(strata::examples::Progress& progress) {
  const double start = seconds_now();
  current_.test = evaluate();
  current_.test_seconds = seconds_now() - start;
  results_.push_back(current_);
  progress.print_line(format_line(results_.size(), settings_.epochs, current_));
  current_ = {};
  batches_done_ = 0;
}

/// Shuffles the digits. An epoch that was interrupted is shuffled as it was, and goes on behind the batches it has
/// seen.
strata::data::Iterator<Trainer::Batch> Trainer::begin_epoch() {
  strata::Generator& random = strata::default_generator();
  const auto now = random.state();
  if (batches_done_ == 0) epoch_start_ = now;
  random.set_state(epoch_start_);
  auto batch = loader_->begin();
  for (int64_t i = 0; i < batches_done_; ++i) ++batch;
  if (batches_done_ > 0) random.set_state(now);
  return batch;
}

void Trainer::train_step(const Batch& batch) {
  set_learning_rate();
  optimizer_->zero_grad();
  const Tensor log_probs = model_->forward(recipe_->augment(batch.data));
  const Tensor loss = recipe_->loss(log_probs, batch.target);
  loss.backward();
  optimizer_->step();
  current_.train.add(loss.item<double>(), count_correct(log_probs, batch.target), batch.target.size(0));
  ++batches_done_;
}

void Trainer::set_learning_rate() {
  const int64_t steps_per_epoch = (train_.data.size(0) + settings_.batch_size - 1) / settings_.batch_size;
  const int64_t step = steps_per_epoch * static_cast<int64_t>(results_.size()) + batches_done_;
  const double progress = static_cast<double>(step) / static_cast<double>(steps_per_epoch * settings_.epochs);
  for (auto& group : optimizer_->param_groups()) group.options().set_lr(settings_.lr * recipe_->schedule(progress));
}

Score Trainer::evaluate() const {
  constexpr int64_t kBatch = 1000;
  const strata::NoGradGuard no_grad;
  model_->eval();
  const auto images = test_.data.split(kBatch);
  const auto digits = test_.targets.split(kBatch);
  Score score;
  for (size_t i = 0; i < images.size(); ++i) {
    const Tensor log_probs = model_->forward(images[i]);
    score.add(recipe_->loss(log_probs, digits[i]).item<double>(), count_correct(log_probs, digits[i]),
              digits[i].size(0));
  }
  return score;
}

void Trainer::report(strata::examples::Progress& progress) const {
  const int64_t before = train_.data.size(0) * static_cast<int64_t>(results_.size());
  progress.update(before + current_.train.count - done_before_,
                  fmt::format("epoch {}/{}", results_.size() + 1, settings_.epochs),
                  fmt::format("loss {:.4f}", current_.train.loss()));
}

void Trainer::save(const std::string& path) const {
  strata::serialize::OutputArchive archive, settings, model, optimizer, random, epoch_start;
  mnist::save(settings_, settings);
  model_->save(model);
  optimizer_->save(optimizer);
  random << strata::default_generator();
  strata::Generator generator;
  generator.set_state(epoch_start_);
  epoch_start << generator;
  std::vector<EpochResult> results = results_;
  results.push_back(current_);
  archive.write("settings", settings);
  archive.write("model", model);
  archive.write("optimizer", optimizer);
  archive.write("random", random);
  archive.write("epoch_start", epoch_start);
  archive.write("results", to_tensor(results));
  archive.write("batches_done", batches_done_);
  archive.write("digits", train_.data.size(0));
  archive.save_to(path);
}

void Trainer::load(strata::serialize::InputArchive& archive) {
  int64_t digits = 0;
  archive.read("digits", digits);
  STRATA_CHECK(digits == train_.data.size(0), "--resume: the checkpoint was made with {} training digits, here are {}",
               digits, train_.data.size(0));
  auto model = archive.nested("model"), optimizer = archive.nested("optimizer"), random = archive.nested("random"),
       epoch_start = archive.nested("epoch_start");
  model_->load(model);
  optimizer_->load(optimizer);
  random >> strata::default_generator();
  strata::Generator generator;
  epoch_start >> generator;
  epoch_start_ = generator.state();
  archive.read("batches_done", batches_done_);
  Tensor rows;
  archive.read("results", rows);
  results_ = to_results(rows);
  STRATA_CHECK(!results_.empty(), "--resume: the checkpoint has no results");
  current_ = results_.back();
  results_.pop_back();
}

}  // namespace mnist
