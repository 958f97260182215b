// The digit classifier on several ranks: `stratarun --nproc-per-node 2 build/examples/ddp_mnist`, or alone as one rank.
#include <fmt/format.h>
#include <strata/train/metrics.h>
#include <strata/train/seed.h>

#include "common/program.h"
#include "mnist/digits.h"
#include "mnist/models.h"

using namespace strata;
using namespace strata::examples;

namespace {

struct Options {
  std::string data, model = "mlp", plot = "ddp_mnist.svg";
  int64_t epochs = 3, batch = 64, seed = 0;
  double lr = 0.05, momentum = 0.9;
};

/// The part of a batch's examples that this rank works on.
Tensor own_part(const Tensor& batch) {
  const int64_t ranks = distributed::get_world_size(), rank = distributed::get_rank();
  const int64_t begin = batch.size(0) * rank / ranks, end = batch.size(0) * (rank + 1) / ranks;
  return batch.slice(0, begin, end);
}

/// The share of right answers, counted by all ranks together.
double accuracy(mnist::Classifier& model, const data::datasets::TensorPairDataset& digits) {
  const NoGradGuard no_grad;
  train::Accuracy right;
  right.update(model.forward(own_part(digits.data)), own_part(digits.targets));
  right.reduce([](const Tensor& sum) { return distributed::all_reduce(sum); });
  return right.compute();
}

void run(const Options& o) {
  distributed::init_process_group();
  const int64_t ranks = distributed::get_world_size();
  const bool speaks = distributed::get_rank() == 0;
  STRATA_CHECK(o.batch >= ranks, "--batch: {} examples for {} ranks", o.batch, ranks);
  const mnist::Digits digits = mnist::load_digits(o.data);
  const int64_t count = digits.train.data.size(0) / o.batch * o.batch;
  if (speaks) fmt::print("{}: {} digits to train, {} ranks\n", digits.source, count, ranks);

  train::seed_everything(static_cast<uint64_t>(o.seed));
  const auto model = mnist::make_model(o.model);
  nn::parallel::DistributedDataParallel ddp(model);
  optim::SGD optimizer(model->parameters(), optim::SGDOptions(o.lr).momentum(o.momentum));
  train::Progress progress(o.epochs * count, train::ProgressOptions("digits").enabled(speaks));
  std::vector<double> tested;
  for (int64_t epoch = 1; epoch <= o.epochs; ++epoch) {
    model->train();
    // The order depends on the seed and the epoch alone, so all ranks have the same one.
    const Tensor order = random::permutation(random::fold_in(random::key(o.seed), epoch), digits.train.data.size(0));
    for (const Tensor& batch : order.narrow(0, 0, count).split(o.batch)) {
      const Tensor own = own_part(batch);
      optimizer.zero_grad();
      const Tensor scores = ddp(digits.train.data.index_select(0, own));
      // Ranks may have parts of different sizes; the average of these sums is that of the whole batch.
      const Tensor sum = nn::functional::nll_loss(scores, digits.train.targets.index_select(0, own),
                                                  nn::functional::NLLLossFuncOptions().reduction(kSum));
      const Tensor loss = sum * (static_cast<double>(ranks) / static_cast<double>(o.batch));
      loss.backward();
      optimizer.step();
      progress.advance(o.batch, "training", {{"loss", loss}});
    }
    model->eval();
    tested.push_back(accuracy(*model, digits.test));
    progress.print_line(fmt::format("epoch {:2}  test accuracy {:.4f}", epoch, tested.back()));
  }
  distributed::destroy_process_group();
  if (speaks)
    save_plot(o.plot, fmt::format("Digits read by {} ranks", ranks),
              {train::Curves{"Test digits", "epoch", "accuracy", train::counted(1, o.epochs), {{"", tested}}}});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("Trains a digit classifier on several ranks, each with a part of every batch.");
  program.option("--data", o.data, "folder of the MNIST files");
  program.option("--model", o.model, "mlp or cnn");
  program.option("--epochs", o.epochs, "passes over the digits");
  program.option("--batch", o.batch, "digits of a step, over all ranks");
  program.option("--lr", o.lr, "learning rate");
  program.option("--momentum", o.momentum, "momentum");
  program.option("--seed", o.seed, "what the weights and the order are drawn from");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
