// Trains a classifier of handwritten digits: `mnist --help` says how.
#include <fmt/format.h>
#include <strata/strata.h>
#include <strata/train/file.h>
#include <strata/train/progress.h>

#include <cstdio>
#include <exception>

#include "mnist/digits.h"
#include "mnist/options.h"
#include "mnist/results.h"
#include "mnist/settings.h"
#include "mnist/trainer.h"

namespace mnist {
namespace {

using strata::train::format_count;

int64_t parameter_count(const strata::nn::Module& model) {
  int64_t count = 0;
  for (const strata::Tensor& parameter : model.parameters()) count += parameter.numel();
  return count;
}

void print_start(const Settings& s, const Digits& digits, const Classifier& model) {
  if (digits.is_fallback) {
    fmt::print("There is no MNIST in $STRATA_DATA, data or ../shared/data (script/download-mnist fetches it).\n");
  }
  fmt::print("Data    {}: {} digits to train, {} to test\n", digits.source, format_count(digits.train.data.size(0)),
             format_count(digits.test.data.size(0)));
  fmt::print("Model   {} with {} parameters\n", s.model, format_count(parameter_count(model)));
  fmt::print("Recipe  {}: {} epochs, batches of {}, learning rate {}, momentum {}, seed {}\n", s.recipe, s.epochs,
             s.batch_size, s.lr, s.momentum, s.seed);
  fmt::print("Threads {}\n\n", strata::get_num_threads());
  std::fflush(stdout);
}

void print_end(const Options& options, const Settings& s, const Trainer& trainer) {
  const std::vector<EpochResult>& results = trainer.results();
  if (results.empty()) return;
  const auto panels = plot_results(results);
  fmt::print("\n{}\n{}\nTest accuracy {:.4f}\n", format_results(results), strata::train::terminal_plot(panels[0]),
             results.back().test_accuracy);
  if (options.plot.empty() || options.plot == "none") return;
  const std::string title = fmt::format("Digits: {}, {} recipe", s.model, s.recipe);
  strata::train::write_file(options.plot, strata::train::svg_plot(title, panels));
  fmt::print("Plot in {}\n", options.plot);
}

/// Returns the program's exit status.
int run(const Options& options) {
  if (options.threads) {
    STRATA_CHECK(*options.threads >= 1 && *options.threads <= 1024, "--threads: expected 1 to 1024, got {}",
                 *options.threads);
    strata::set_num_threads(static_cast<int>(*options.threads));
  }
  const bool resume = !options.resume.empty();
  strata::serialize::InputArchive checkpoint;
  if (resume) checkpoint.load_from(options.resume);
  const Settings settings = resume ? resumed_settings(options, checkpoint) : new_settings(options);
  const Digits digits = load_digits(options.data);

  Trainer trainer(settings, digits, strata::Device(options.device));
  if (resume) trainer.load(checkpoint);
  print_start(settings, digits, trainer.model());
  const bool finished = trainer.run(options.save);
  print_end(options, settings, trainer);
  if (!options.save.empty()) fmt::print("Checkpoint in {0}; --resume {0} goes on from it\n", options.save);
  if (finished) return 0;
  fmt::print("Interrupted\n");
  constexpr int kInterrupted = 130;  // what a shell reports after Ctrl-C
  return kInterrupted;
}

}  // namespace
}  // namespace mnist

int main(int argc, char** argv) {
  const mnist::Options options = mnist::parse_options(argc, argv);
  try {
    return mnist::run(options);
  } catch (const std::exception& e) {
    fmt::print(stderr, "mnist: {}\n", e.what());
    return 1;
  }
}
