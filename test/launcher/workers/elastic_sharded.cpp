// A worker of an elastic job that shards its model: `elastic_sharded STEPS MILLISECONDS FOLDER [replicas|beside]`, a
// pause after each step and a checkpoint in the folder after each fifth one. With replicas, which may be saved beside
// the steps, it goes on from those, and the folder, if it has a name, gets a checkpoint of each step, to compare with.
// It prints where each generation begins and the losses.
#include <strata/strata.h>
#include <unistd.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace strata;
namespace checkpoint = distributed::checkpoint;
using nn::parallel::FullyShardedDataParallel;

namespace {

constexpr int64_t kBatch = 12, kSaveEvery = 5;

/// One step on this rank's part of a batch that depends on the step alone; the loss of all.
double train_step(FullyShardedDataParallel<nn::Sequential>& fsdp, optim::Adam& optimizer, int64_t step) {
  const int64_t each = kBatch / distributed::get_world_size();
  const Tensor batch = random::normal(random::fold_in(random::key(1), step), {kBatch, 8}, kDouble);
  const Tensor x = batch.narrow(0, distributed::get_rank() * each, each);
  optimizer.zero_grad();
  const Tensor loss = nn::functional::mse_loss(fsdp(x), x.sum(1, true).sin());
  loss.backward();
  optimizer.step();
  return distributed::all_reduce(loss.detach(), ReduceOp::AVG).item<double>();
}

struct Command {
  int64_t steps, pause;
  std::string folder;
  bool has_replicas, saves_beside;
};

/// Whether the state is that of ranks that live.
bool resume(checkpoint::Replicas& replicas, checkpoint::State& saved, const Command& command) {
  if (command.has_replicas && replicas.load(saved)) return true;
  if (command.folder.empty()) return false;
  if (const auto newest = checkpoint::latest(command.folder)) checkpoint::load(saved, *newest, {.verify = false});
  return false;
}

void train(distributed::elastic::State& state, checkpoint::Replicas& replicas, const Command& command) {
  manual_seed(1);
  nn::Sequential net(nn::Linear(8, 16), nn::Tanh(), nn::Linear(16, 1));
  net->to(kDouble);
  FullyShardedDataParallel fsdp(net, {.auto_wrap_policy = nn::parallel::module_wrap_policy<nn::Linear>()});
  optim::Adam optimizer(fsdp.parameters(), 0.01);
  int64_t step = 0;
  checkpoint::State saved;
  saved.add("model", fsdp).add("optim", optimizer).add("step", step);
  const bool is_memory = resume(replicas, saved, command);
  std::printf("generation %s: rank %" PRId64 " of %" PRId64 " from step %" PRId64 ", pid %d%s\n",
              std::getenv("STRATA_GENERATION"), distributed::get_rank(), distributed::get_world_size(), step, getpid(),
              is_memory ? ", from memory" : "");
  while (step < command.steps) {
    const double loss = train_step(fsdp, optimizer, step++);
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    if (distributed::get_rank() == 0)
      std::printf("step %" PRId64 ": %a at %lld\n", step, loss, static_cast<long long>(now.count()));
    std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::milliseconds(command.pause));
    if (!command.has_replicas && step % kSaveEvery != 0) continue;
    if (!command.folder.empty()) checkpoint::save(saved, command.folder, {.step = step, .keep = command.steps + 2});
    if (command.has_replicas) command.saves_beside ? replicas.async_save(saved) : replicas.save(saved);
    state.commit();  // who comes, comes now: nothing is lost by that
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string how = argc > 4 ? argv[4] : "";
  const Command command{std::atoll(argv[1]), std::atoll(argv[2]), argv[3], !how.empty(), how == "beside"};
  try {
    distributed::elastic::State state;  // nothing: no rank has all of the model
    checkpoint::Replicas replicas;
    distributed::elastic::run(state, [&] { train(state, replicas, command); });
    std::printf("trained, pid %d\n", getpid());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
