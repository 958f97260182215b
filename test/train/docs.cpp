// The code of docs/train.md and of the headers' docstrings, compiled and run.
#include <strata/strata.h>
#include <strata/train/train.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "test/catch.h"

using namespace strata;

namespace {

/// What is written to std::cout, until the end of the scope.
class Captured {
 public:
  Captured() : before_(std::cout.rdbuf(text_.rdbuf())) {}
  ~Captured() { std::cout.rdbuf(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

}  // namespace

TEST_CASE("docs/train.md trains, keeps, plots and summarises") {
  const char* kept = std::getenv("STRATA_DOCS_FOLDER");  // where to leave the plot for the page
  const std::string folder =
      kept ? kept : (std::filesystem::temp_directory_path() / ("strata_docs_" + std::to_string(::getpid()))).string();
  std::filesystem::remove_all(folder);
  const auto all = data::datasets::embedded_digits();
  data::datasets::TensorPairDataset digits(all.data.slice(0, 0, 1500), all.targets.slice(0, 0, 1500)),
      test(all.data.slice(0, 1500), all.targets.slice(0, 1500));
  const Captured out;
  train::seed_everything(1);
  nn::Sequential net(nn::Flatten(), nn::Linear(64, 32), nn::ReLU(), nn::Linear(32, 10));
  optim::Adam optimizer(net->parameters(), optim::AdamOptions(0.01));
  optim::CosineAnnealingLR schedule(optimizer, 12);
  auto loader = data::make_data_loader(digits.map(data::transforms::Stack<>()), 128);

  int64_t epoch = 0;
  std::vector<double> losses, test_losses;
  train::EarlyStopping stopping(train::EarlyStoppingOptions().patience(3));
  train::State state;  // all that the rest of the run depends on
  state.add("net", net).add("optimizer", optimizer).add("schedule", schedule).add("loader", loader);
  state.add("random", default_generator()).add("stopping", stopping).add("epoch", epoch);
  state.add("losses", losses).add("test_losses", test_losses);
  train::Checkpoints checkpoints(folder, train::CheckpointsOptions().keep_last(2).keep_best(1));
  if (auto found = checkpoints.resume(state)) std::cout << "goes on from " << found->path << '\n';

  const train::InterruptGuard guard;  // the first Ctrl-C is a question, the second one ends the program
  train::Progress bar(12 * 12, train::ProgressOptions("batches").initial(12 * epoch));
  train::ConfusionMatrix confusion(10);
  while (epoch < 12 && !stopping.stopped() && !guard.interrupted()) {
    train::Mean loss;
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      const Tensor batch_loss = nn::functional::cross_entropy(net->forward(batch.data), batch.target);
      batch_loss.backward();
      optimizer.step();
      loss.update(batch_loss, batch.target.size(0));
      bar.advance(1, "training", {{"loss", batch_loss}});  // a tensor is read when the bar is drawn
    }
    schedule.step();
    const NoGradGuard no_grad;
    const Tensor scores = net->forward(test.data);
    confusion.reset();
    confusion.update(scores, test.targets);
    losses.push_back(loss.compute());
    test_losses.push_back(nn::functional::cross_entropy(scores, test.targets).item<double>());
    stopping.step(test_losses.back());
    checkpoints.save(state, ++epoch, test_losses.back());
  }
  std::cout << "accuracy " << confusion.accuracy() << ", F1 " << confusion.f1() << '\n';
  const std::vector<train::Panel> panels = {
      train::Curves{
          "Loss", "epoch", "cross entropy", train::counted(1, epoch), {{"train", losses}, {"test", test_losses}}},
      train::confusion("Test digits", confusion),
      train::histogram("First layer", "weight", {{"", net->parameters()[0]}}),
      train::Images{"Some of them", test.data.slice(0, 0, 30), {}, 6},
  };
  train::write_file(folder + "/digits.svg", train::svg_plot("Digits by a small net", panels, 2));
  for (const auto& panel : panels) std::cout << train::terminal_plot(panel);
  std::cout << train::summary(net, zeros({1, 1, 8, 8}));
  train::GradientAccumulator accumulate(net->parameters(), 4);
  for (auto& batch : *loader) {
    const Tensor loss = nn::functional::cross_entropy(net->forward(batch.data), batch.target);
    if (!accumulate.backward(loss, batch.target.size(0))) continue;
    optimizer.step();
    optimizer.zero_grad();
  }
  if (accumulate.finish()) optimizer.step();  // what an epoch leaves over
  CHECK(confusion.accuracy() > 0.85);
  CHECK(checkpoints.list().size() >= 2);
  CHECK(out.text().find("(Linear)") != std::string::npos);
  if (!kept) std::filesystem::remove_all(folder);
}

TEST_CASE("docstrings of train/ are right") {
  const auto before = std::filesystem::current_path();
  const auto folder = std::filesystem::temp_directory_path() / ("strata_docstrings_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  nn::Linear net(3, 2);
  optim::SGD optimizer(net->parameters(), 0.1);
  int64_t step = 0;
  const int64_t steps = 5;
  double validation_loss = 1;
  const auto train_one_step = [&] { return validation_loss < 0.3 ? validation_loss : validation_loss / 2; };
  train::State state;
  state.add("model", net).add("optimizer", optimizer).add("random", default_generator()).add("step", step);
  state.save("run.safetensors");
  {
    train::Checkpoints checkpoints("runs/first", train::CheckpointsOptions().keep_last(2));
    if (auto found = checkpoints.resume(state)) std::cout << "goes on after step " << found->step << '\n';
    for (; step < steps; checkpoints.save(state, ++step, validation_loss)) validation_loss = train_one_step();
    CHECK(checkpoints.list().size() == 3);
  }
  train::EarlyStopping stopping(train::EarlyStoppingOptions().patience(3));
  while (!stopping.step(validation_loss)) validation_loss = train_one_step();
  CHECK(stopping.best() == 0.25);
  train::Progress bar(1000, "steps");
  for (int64_t step = 1; step <= 1000; ++step) bar.update(step, "training", {{"loss", 1.0 / step}});
  CHECK(bar.done() == 1000);
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}
