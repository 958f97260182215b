// A residual network for CIFAR-10 (He et al. 2016, section 4.2). `resnet_cifar --help` says how.
#include <fmt/format.h>
#include <strata/train/checkpoints.h>
#include <strata/train/interrupt.h>
#include <strata/train/metrics.h>

#include "common/program.h"
#include "resnet_cifar/model.h"
#include "resnet_cifar/pictures.h"

using namespace strata;
using namespace strata::examples;

namespace {

struct Options {
  int64_t epochs = 20, batch = 128, blocks = 1, width = 16, images = 50000, seed = 0;
  double lr = 0.1, weight_decay = 5e-4;
  std::string data, folder, plot = "resnet_cifar.svg";
};

/// Confusion matrix and mean loss of a model over pictures.
std::pair<train::ConfusionMatrix, double> test(cifar::ResNet& model, const cifar::Pictures& pictures) {
  const NoGradGuard no_grad;
  model->eval();
  train::ConfusionMatrix matrix(10);
  train::Mean loss;
  for (const Tensor& places : arange(pictures.count(), kLong).split(500)) {
    const Tensor scores = model(pictures.batch(places)), classes = pictures.classes(places);
    matrix.update(scores, classes);
    loss.update(nn::functional::cross_entropy(scores, classes), static_cast<double>(places.size(0)));
  }
  model->train();
  return {matrix, loss.compute()};
}

void run(const Options& o) {
  const auto [train_pictures, test_pictures, source] = cifar::load_pictures(o.data, o.images);
  fmt::print("Data    {}: {} to learn from, {} to test with\n", source, train::format_count(train_pictures.count()),
             train::format_count(test_pictures.count()));
  manual_seed(static_cast<uint64_t>(o.seed));
  cifar::ResNet model(o.blocks, o.width);
  const int64_t count = train_pictures.count(), steps = (count + o.batch - 1) / o.batch;
  optim::SGD optimizer(model->parameters(),
                       optim::SGDOptions(o.lr).momentum(0.9).nesterov(true).weight_decay(o.weight_decay));
  optim::OneCycleLR schedule(optimizer, o.lr, static_cast<unsigned>(o.epochs * steps), 0.2);
  std::vector<double> losses, test_losses, accuracies;
  train::State state;
  state.add("model", model).add("optimizer", optimizer).add("schedule", schedule).add("random", default_generator());
  state.add("losses", losses).add("test_losses", test_losses).add("accuracies", accuracies);
  std::optional<train::Checkpoints> checkpoints;
  if (!o.folder.empty()) checkpoints.emplace(o.folder, train::CheckpointsOptions().goal(train::Goal::kMax));
  if (checkpoints && checkpoints->resume(state)) fmt::print("Goes on after epoch {}\n", losses.size());

  const auto begun = static_cast<int64_t>(losses.size());
  train::Progress progress(o.epochs * count, train::ProgressOptions("images").initial(begun * count));
  const train::InterruptGuard guard;
  std::optional<train::ConfusionMatrix> matrix;
  for (int64_t epoch = begun; epoch < o.epochs && !train::InterruptGuard::interrupted(); ++epoch) {
    train::Mean loss_mean;
    for (const Tensor& places : randperm(count).split(o.batch)) {
      if (train::InterruptGuard::interrupted()) break;
      optimizer.zero_grad();
      const Tensor loss = nn::functional::cross_entropy(model(cifar::augmented(train_pictures.batch(places))),
                                                        train_pictures.classes(places),
                                                        nn::functional::CrossEntropyFuncOptions().label_smoothing(0.1));
      loss.backward();
      optimizer.step();
      schedule.step();
      loss_mean.update(loss, static_cast<double>(places.size(0)));
      progress.advance(places.size(0), "training", {{"loss", loss}});
    }
    if (train::InterruptGuard::interrupted()) break;  // the epoch is done again when the run goes on
    auto [tested, test_loss] = test(model, test_pictures);
    losses.push_back(loss_mean.compute());
    test_losses.push_back(test_loss);
    accuracies.push_back(tested.accuracy());
    matrix = tested;
    progress.print_line(fmt::format("epoch {:3}  loss {:.4f}  test loss {:.4f}  test accuracy {:.4f}", epoch + 1,
                                    losses.back(), test_loss, accuracies.back()));
    if (checkpoints) checkpoints->save(state, epoch + 1, accuracies.back());
  }
  if (!matrix) return;
  const std::vector<double> epochs = train::counted(1, static_cast<int64_t>(losses.size()));
  save_plot(o.plot, "A residual network for " + source,
            {train::Curves{"Loss", "epoch", "cross entropy", epochs, {{"train", losses}, {"test", test_losses}}},
             train::Curves{"Test accuracy", "epoch", "share", epochs, {{"accuracy", accuracies}}},
             train::confusion("Which was taken for which", *matrix, cifar::class_names(source))});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program(
      "Learns the ten classes of CIFAR-10. Without its files (cifar-10-batches-bin, from "
      "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz) it learns coloured digits.");
  program.option("--data", o.data, "folder with CIFAR-10's binary files; without one $STRATA_DATA and data are tried");
  program.option("--folder", o.folder, "keep checkpoints here, and go on from the newest one");
  program.option("--epochs", o.epochs, "passes over the pictures");
  program.option("--batch", o.batch, "pictures in a step");
  program.option("--blocks", o.blocks, "residual blocks at each of three sizes: 3 is the paper's ResNet-20");
  program.option("--width", o.width, "channels of the first blocks");
  program.option("--images", o.images, "learn from this many pictures at most");
  program.option("--lr", o.lr, "highest learning rate of SGD");
  program.option("--weight-decay", o.weight_decay, "SGD's");
  program.option("--seed", o.seed, "what weights and batches are drawn from");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
