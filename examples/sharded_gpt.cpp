// A GPT over characters on a mesh of ranks: `stratarun --nproc-per-node 4 build/examples/sharded_gpt --tensor 2`. Pairs
// of ranks divide every layer, and the pairs divide every batch. Alone it is a group of one.
#include <fmt/format.h>

#include "common/program.h"
#include "sharded_gpt/model.h"
#include "sharded_gpt/text.h"

using namespace strata;
using namespace strata::examples;

namespace {

struct Options {
  std::string data, plot = "sharded_gpt.svg";
  int64_t tensor = 1, steps = 300, batch = 32, block = 64, layers = 4, heads = 4, width = 128, seed = 0, sample = 200;
  double lr = 1e-3;
};

struct Batch {
  Tensor seen, next;  ///< `(B, T)`: characters, and those behind them
};

/// Pieces of a text that start at these places.
Batch pieces(const Tensor& text, const Tensor& starts, int64_t length) {
  const Tensor places = starts.unsqueeze(1) + arange(length, kLong);
  const auto at = [&](const Tensor& where) { return text.index_select(0, where.flatten()).reshape(where.sizes()); };
  return {at(places), at(places + 1)};
}

/// Places for a batch, the same on all ranks, and of them this rank's part along the data axis.
Tensor own_starts(const Options& o, int64_t step, int64_t end, const ProcessGroup& data) {
  const Tensor all = random::randint(random::fold_in(random::key(o.seed), step), {o.batch}, 0, end);
  return all.chunk(data->size(), 0)[static_cast<size_t>(data->rank())];
}

template <class Net>
Tensor loss_of(Net& net, const Batch& batch) {
  const Tensor scores = net(batch.seen);
  return nn::functional::cross_entropy(scores.flatten(0, 1), batch.next.flatten());
}

/// The mean over the test text in pieces, which the ranks of the data axis share in turns.
double test_loss(gpt::Model& model, const Tensor& text, const Options& o, const ProcessGroup& data) {
  const NoGradGuard no_grad;
  Tensor sum = zeros({2}, kDouble);
  const int64_t count = std::min<int64_t>((text.size(0) - 1) / o.block, 512);
  for (int64_t i = data->rank(); i < count; i += data->size()) {
    const Batch piece = pieces(text, full({1}, i * o.block, kLong), o.block);
    sum = sum + tensor({loss_of(model, piece).item<double>(), 1.0}, kDouble);
  }
  sum = distributed::all_reduce(sum, ReduceOp::SUM, data);
  return sum[0].item<double>() / sum[1].item<double>();
}

/// Characters that follow each other; all ranks draw the same ones.
Tensor written(gpt::Model& model, const Options& o) {
  const NoGradGuard no_grad;
  Tensor text = zeros({1, 1}, kLong);
  for (int64_t i = 0; i < o.sample; ++i) {
    const int64_t start = std::max<int64_t>(text.size(1) - o.block, 0);
    const Tensor scores = model(text.slice(1, start))[0][-1];
    const Tensor next = random::categorical(random::fold_in(random::key(o.seed + 1), i), scores);
    text = cat({text, next.to(kLong).reshape({1, 1})}, 1);
  }
  return text[0].slice(0, 1);
}

void run(const Options& o) {
  distributed::init_process_group();
  const int64_t ranks = distributed::get_world_size();
  const bool speaks = distributed::get_rank() == 0;
  STRATA_CHECK(o.tensor > 0 && ranks % o.tensor == 0, "--tensor: {} ranks cannot be divided by {}", ranks, o.tensor);
  const DeviceMesh mesh = distributed::init_device_mesh({ranks / o.tensor, o.tensor}, {"data", "tensor"});
  const ProcessGroup& data = mesh.get_group("data");
  STRATA_CHECK(o.batch % data->size() == 0, "--batch: {} pieces for {} parts of the mesh", o.batch, data->size());
  const gpt::Text text = gpt::load_text(o.data, o.block + 1);

  manual_seed(static_cast<uint64_t>(o.seed));  // the same on all ranks: each draws the whole weights and keeps its part
  const auto vocabulary = static_cast<int64_t>(text.characters.size());
  gpt::Model model(gpt::Shape{vocabulary, o.block, o.layers, o.heads, o.width}, mesh.get_group("tensor"));
  nn::parallel::DistributedDataParallel ddp(model, {.group = data});
  optim::AdamW optimizer(model->parameters(), optim::AdamWOptions(o.lr));
  int64_t own = 0;
  for (const Tensor& p : model->parameters()) own += p.numel();
  if (speaks)
    fmt::print("{}: {} characters; a mesh of {} x {} ranks, {} parameters on each\n", text.source, text.train.size(0),
               data->size(), o.tensor, own);

  train::Progress progress(o.steps, train::ProgressOptions("steps").enabled(speaks));
  std::vector<double> steps, trained, tested;
  for (int64_t step = 1; step <= o.steps; ++step) {
    const Tensor starts = own_starts(o, step, text.train.size(0) - o.block, data);
    optimizer.zero_grad();
    const Tensor loss = loss_of(ddp, pieces(text.train, starts, o.block));
    loss.backward();
    optimizer.step();
    progress.update(step, "training", {{"loss", loss}});
    if (step % std::max<int64_t>(o.steps / 10, 1) != 0) continue;
    steps.push_back(static_cast<double>(step));
    trained.push_back(distributed::all_reduce(loss.detach(), ReduceOp::AVG, data).item<double>());
    tested.push_back(test_loss(model, text.test, o, data));
    progress.print_line(fmt::format("step {:5}  loss {:.4f}  test loss {:.4f}", step, trained.back(), tested.back()));
  }
  const std::string sample = gpt::spell(text, written(model, o));
  if (speaks && o.sample > 0) fmt::print("\n{}\n", sample);
  if (speaks)
    save_plot(o.plot, fmt::format("A GPT on a mesh of {} x {} ranks", data->size(), o.tensor),
              {train::Curves{"Loss", "step", "nats a character", steps, {{"train", trained}, {"test", tested}}}});
  distributed::destroy_process_group();
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("Trains a GPT over characters on a mesh of ranks, which divide its layers and its batches.");
  program.option("--data", o.data, "a text file");
  program.option("--tensor", o.tensor, "ranks that divide each layer; the others divide the batch");
  program.option("--steps", o.steps, "steps of the optimizer");
  program.option("--batch", o.batch, "pieces of text in a step, over all ranks");
  program.option("--block", o.block, "characters of a piece");
  program.option("--layers", o.layers, "blocks of attention and perceptron");
  program.option("--heads", o.heads, "heads of attention");
  program.option("--width", o.width, "features of a character");
  program.option("--lr", o.lr, "learning rate");
  program.option("--seed", o.seed, "what weights, batches and the sample are drawn from");
  program.option("--sample", o.sample, "characters to write in the end");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
