// Training that outlives its ranks: `stratarun --elastic --max-restarts 9 --nproc-per-node 2 build/examples/elastic`,
// and kill -9 one of them.
#include <fmt/format.h>
#include <strata/strata.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "common/program.h"

using namespace strata;
using namespace strata::examples;

namespace {

struct Options {
  int64_t steps = 300, batch = 64, pause = 20;
  std::string plot = "elastic.svg";
};

/// This rank's part of a step's batch, which depends on the step alone.
Tensor own_part(const Options& o, int64_t step) {
  const Tensor batch = random::normal(random::fold_in(random::key(0), step), {o.batch, 8});
  const int64_t ranks = distributed::get_world_size(), rank = distributed::get_rank();
  return batch.slice(0, o.batch * rank / ranks, o.batch * (rank + 1) / ranks);
}

void run(const Options& o) {
  nn::Sequential net(nn::Linear(8, 32), nn::Tanh(), nn::Linear(32, 1));
  optim::Adam optimizer(net->parameters(), optim::AdamOptions(0.01));
  int64_t step = 0;
  const Tensor losses = zeros({o.steps});  // a newcomer knows those from before it came, too
  distributed::elastic::State state;
  state.add(*net).add(optimizer).add(step).add(losses);
  distributed::elastic::run(state, [&] {
    nn::parallel::DistributedDataParallel ddp(net);
    const bool speaks = distributed::get_rank() == 0;
    fmt::print("process {}: rank {} of {} from step {}\n", getpid(), distributed::get_rank(),
               distributed::get_world_size(), step);
    std::fflush(stdout);
    train::Progress progress(o.steps, train::ProgressOptions("steps").initial(step).enabled(speaks));
    while (step < o.steps) {
      optimizer.zero_grad();
      const Tensor x = own_part(o, step);
      const Tensor loss = nn::functional::mse_loss(ddp(x), x.sum(1, true).sin());
      loss.backward();
      optimizer.step();
      const Tensor mean = distributed::all_reduce(loss.detach(), ReduceOp::AVG);
      losses[step++].copy_(mean);
      progress.update(step, "training", {{"loss", mean}});
      if (step % 50 == 0) progress.print_line(fmt::format("step {:4}  loss {:.4f}", step, mean.item<double>()));
      std::this_thread::sleep_for(std::chrono::milliseconds(o.pause));  // time to kill one
      state.commit();
    }
    if (speaks)
      save_plot(o.plot, "Training that outlives its ranks",
                {train::Curves{
                    "Loss", "step", "squared error", train::counted(1, o.steps), {{"", train::to_vector(losses)}}}});
  });
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program(
      "Fits a function on ranks that may be killed. Start it by\n"
      "  stratarun --elastic --max-restarts 9 --nproc-per-node 2 build/examples/elastic\n"
      "and kill -9 one of the processes that it names: the other one stays, and a new one joins it.");
  program.option("--steps", o.steps, "steps of the training, however often ranks are lost");
  program.option("--batch", o.batch, "examples of a step, over all ranks");
  program.option("--pause", o.pause, "milliseconds after each step, to have time to kill one");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
