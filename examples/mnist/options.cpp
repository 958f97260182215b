// The command line by CLI11, in a file of its own because that header takes seconds to compile.
#include "mnist/options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>
#include <utility>

namespace mnist {
namespace {

constexpr const char* kDescription =
    "Trains a neural network to read handwritten digits.\n"
    "It looks for MNIST in --data, $STRATA_DATA, data/ and ../shared/data (script/download-mnist fetches it)\n"
    "and falls back on 1,797 small digits that are part of the program. Defaults stand in brackets.\n";

constexpr const char* kExamples =
    "Examples:\n"
    "  mnist                                     98.8 % of the test digits right after ten epochs\n"
    "  mnist --model cnn --threads 2             99.4 %\n"
    "  mnist --recipe reference --seed 7         the published baseline: raw pixels, plain SGD, 97 %\n"
    "  mnist --save run.ckpt                     writes a checkpoint after each epoch and on Ctrl-C\n"
    "  mnist --resume run.ckpt --save run.ckpt   goes on from there as if nothing had happened\n";

/// Adds options of one group; each has a name for its value and one line of help.
class Group {
 public:
  Group(CLI::App& app, std::string name) : app_(app), name_(std::move(name)) {}

  template <class T>
  CLI::Option* add(const std::string& option, T& value, const std::string& type, const std::string& help) {
    return app_.add_option(option, value, help)->type_name(type)->group(name_);
  }

  /// An option whose value is one of the words in `choices`, which are separated by bars.
  template <class T>
  void add_choice(const std::string& option, T& value, const std::string& choices, const std::string& help) {
    // An empty description: the choices are shown as the type already.
    add(option, value, choices, help)->check(CLI::IsMember(CLI::detail::split(choices, '|')).description(""));
  }

 private:
  CLI::App& app_;
  std::string name_;
};

void add_what_to_train(Group group, Options& o) {
  group.add("--data", o.data, "FOLDER", "Where the four IDX files of MNIST are, gzip-compressed or not");
  group.add_choice("--model", o.model, "mlp|cnn", "784-512-512-10, or two convolutions and two linear layers [mlp]");
  group.add_choice("--recipe", o.recipe, "default|reference",
                   "Normalised pixels, Kaiming, AdamW, cosine; or raw pixels and plain SGD [default]");
}

void add_how_to_train(Group group, Options& o) {
  group.add("--epochs", o.epochs, "N", "Passes over the training digits [10]");
  group.add("--batch-size", o.batch_size, "N", "Digits per step [128]");
  group.add("--lr", o.lr, "RATE", "Highest learning rate [the recipe's]");
  group.add("--momentum", o.momentum, "M", "SGD's momentum or AdamW's first beta [the recipe's]");
  group.add("--seed", o.seed, "N", "Start of the random numbers: same seed, same losses [42]");
  group.add("--threads", o.threads, "N", "Threads to use, which changes no loss [one per core]");
  group.add("--device", o.device, "cpu|cuda", "Where to compute [cpu]");
}

void add_what_to_keep(Group group, Options& o) {
  group.add("--save", o.save, "FILE", "Write a checkpoint after each epoch and on Ctrl-C");
  group.add("--resume", o.resume, "FILE", "Go on from a checkpoint, with its settings");
  group.add("--plot", o.plot, "FILE", "Draw loss and accuracy as SVG; none for no plot [mnist.svg]");
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  CLI::App app(kDescription, "mnist");
  app.get_formatter()->column_width(30);
  app.footer(kExamples);
  app.get_help_ptr()->group("Help");
  add_what_to_train({app, "What to train"}, options);
  add_how_to_train({app, "How to train"}, options);
  add_what_to_keep({app, "What to keep"}, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::exit(app.exit(e));
  }
  return options;
}

}  // namespace mnist
