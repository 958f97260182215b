// The command line by CLI11, in a file of its own because that header takes seconds to compile.
#include "mnist/options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

namespace mnist {
namespace {

constexpr const char* kDescription =
    "Trains a neural network to read handwritten digits.\n"
    "It looks for MNIST in --data, $STRATA_DATA, data/ and ../shared/data (script/download-mnist fetches it)\n"
    "and falls back on 1,797 small digits that are part of the program.\n";

constexpr const char* kExamples =
    "Examples:\n"
    "  mnist                                     98.5 % of the test digits right after ten epochs\n"
    "  mnist --model cnn --threads 2             99.2 %\n"
    "  mnist --recipe reference --seed 7         the published baseline: raw pixels, plain SGD\n"
    "  mnist --save run.ckpt                     writes a checkpoint after each epoch and on Ctrl-C\n"
    "  mnist --resume run.ckpt --save run.ckpt   goes on from there as if nothing had happened\n";

void add_what_to_train(CLI::App& app, Options& o) {
  const std::string group = "What to train";
  app.add_option("--data", o.data, "Folder with the four IDX files of MNIST, gzip-compressed or not")
      ->type_name("FOLDER")
      ->group(group);
  app.add_option("--model", o.model, "mlp: 784-512-512-10; cnn: two convolutions and two linear layers")
      ->type_name("mlp|cnn")
      ->default_str("mlp")
      ->check(CLI::IsMember({"mlp", "cnn"}))
      ->group(group);
  app.add_option("--recipe", o.recipe,
                 "default: today's practice (normalised, Kaiming, AdamW, cosine); reference: raw pixels, SGD")
      ->type_name("default|reference")
      ->default_str("default")
      ->check(CLI::IsMember({"default", "reference"}))
      ->group(group);
}

void add_how_to_train(CLI::App& app, Options& o) {
  const std::string group = "How to train";
  app.add_option("--epochs", o.epochs, "Passes over the training digits")
      ->type_name("N")
      ->default_str("10")
      ->group(group);
  app.add_option("--batch-size", o.batch_size, "Digits per step")->type_name("N")->default_str("128")->group(group);
  app.add_option("--lr", o.lr, "Highest learning rate [default: the recipe's]")->type_name("RATE")->group(group);
  app.add_option("--momentum", o.momentum, "SGD's momentum or AdamW's first beta [default: the recipe's]")
      ->type_name("M")
      ->group(group);
  app.add_option("--seed", o.seed, "Start of the random numbers: same seed, same losses")
      ->type_name("N")
      ->default_str("1")
      ->group(group);
  app.add_option("--threads", o.threads, "Threads to use [default: one per core]; the losses do not depend on it")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->group(group);
  app.add_option("--device", o.device, "Where to compute")->type_name("cpu|cuda")->capture_default_str()->group(group);
}

void add_what_to_keep(CLI::App& app, Options& o) {
  const std::string group = "What to keep";
  app.add_option("--save", o.save, "Write a checkpoint after each epoch and on Ctrl-C")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--resume", o.resume, "Go on from a checkpoint, with its settings")->type_name("FILE")->group(group);
  app.add_option("--plot", o.plot, "Where to draw loss and accuracy as SVG; none for no plot")
      ->type_name("FILE")
      ->capture_default_str()
      ->group(group);
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  CLI::App app(kDescription, "mnist");
  app.get_formatter()->column_width(32);
  app.footer(kExamples);
  add_what_to_train(app, options);
  add_how_to_train(app, options);
  add_what_to_keep(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::exit(app.exit(e));
  }
  return options;
}

}  // namespace mnist
