// A digit classifier without modules: parameters are plain data, and every step is a function of them.
#include "mnist/digits.h"

#include <fmt/format.h>

#include "common/program.h"
#include "functional/mlp.h"

using namespace strata;
using namespace strata::examples;

namespace {

/// Log-probabilities `(10,)` of one image `(784,)`.
Tensor predict(const Mlp& params, const Tensor& image) { return log_softmax(apply_mlp(params, image, relu), 0); }

const auto batched_predict = vmap(predict, {.in_dims = {nullopt, 0}});

Tensor loss(const Mlp& params, const Tensor& images, const Tensor& targets) {
  return -(batched_predict(params, images) * targets).mean();
}

Mlp update(const Mlp& params, const Tensor& images, const Tensor& targets, double step_size) {
  const Mlp gradients = grad(loss)(params, images, targets);
  return tree::map([&](const Tensor& p, const Tensor& g) { return p - step_size * g; }, params, gradients);
}

double accuracy(const Mlp& params, const Tensor& images, const Tensor& labels) {
  return (batched_predict(params, images).argmax(1) == labels).to(kFloat).mean().item<double>();
}

struct Options {
  std::string data, plot = "functional_mnist.svg";
  int64_t epochs = 10, batch = 128, seed = 0;
  double step_size = 0.01;
};

void run(const Options& o) {
  const mnist::Digits digits = mnist::load_digits(o.data);
  const Tensor images = digits.train.data.flatten(1) * 255, test_images = digits.test.data.flatten(1) * 255;
  const Tensor targets = one_hot(digits.train.targets, 10).to(kFloat);
  fmt::print("{}: {} digits to train, {} to test\n", digits.source, images.size(0), test_images.size(0));

  const Tensor keys = random::split(random::key(o.seed));
  Mlp params = init_mlp(keys[0], {784, 512, 512, 10}, 0.01);
  train::Progress progress(o.epochs * images.size(0), "digits");
  std::vector<double> trained, tested;
  for (int64_t epoch = 1; epoch <= o.epochs; ++epoch) {
    const Tensor order = random::permutation(random::fold_in(keys[1], epoch), images.size(0));
    for (const Tensor& batch : order.split(o.batch)) {
      params = update(params, images.index_select(0, batch), targets.index_select(0, batch), o.step_size);
      progress.advance(batch.size(0), "training");
    }
    trained.push_back(accuracy(params, images, digits.train.targets));
    tested.push_back(accuracy(params, test_images, digits.test.targets));
    progress.print_line(
        fmt::format("epoch {:2}  train accuracy {:.4f}  test accuracy {:.4f}", epoch, trained.back(), tested.back()));
  }
  const std::vector<train::Series> lines = {{"train", trained}, {"test", tested}};
  save_plot(o.plot, "Digits without modules",
            {train::Curves{"Accuracy", "epoch", "share", train::counted(1, o.epochs), lines}});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("Trains a 784-512-512-10 network on digits with vmap(predict), grad(loss) and explicit random keys.");
  program.option("--data", o.data, "Folder of MNIST; else $STRATA_DATA, data, ../shared/data, else digits it carries");
  program.option("--epochs", o.epochs, "Passes over the training digits");
  program.option("--batch", o.batch, "Digits per step");
  program.option("--step-size", o.step_size, "Step size of gradient descent");
  program.option("--seed", o.seed, "Start of the random numbers");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
