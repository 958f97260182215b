// What test/distributed/checkpoint* start: `loop` saves until it is killed, `job` trains, `write` and `read` meet
// Python.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "test/distributed/checkpoint_net.h"

namespace strata {
namespace {

using distributed::run_threads;
namespace checkpoint = distributed::checkpoint;
using nn::parallel::FullyShardedDataParallel;
using nn::parallel::module_wrap_policy;

/// Step k is 10000 numbers k, in halves; goes on behind the newest. Prints the steps that are there.
void loop(const std::string& folder) {
  run_threads(2, [&](const ProcessGroup& g) {
    Tensor local = zeros({5000}, kDouble);
    const DeviceMesh mesh = distributed::init_device_mesh({2}, {"data"});
    const auto all = distributed::DTensor::from_local(local, mesh, {distributed::Shard(0)});
    int64_t step = 0;
    checkpoint::State state;
    state.add("all", all).add("step", step);
    if (const auto newest = checkpoint::latest(folder)) checkpoint::load(state, *newest);
    for (++step;; ++step) {
      local.fill_(step);
      checkpoint::save(state, folder, {.step = step});
      if (g->rank() == 0) std::printf("%lld\n", static_cast<long long>(step)), std::fflush(stdout);
    }
  });
}

/// A sharded net, after two steps of Adam, on 3 ranks, to FOLDER/run; and the same net's values in one file.
void write(const std::string& folder) {
  const auto nets = odd_shapes(3, 1);
  run_threads(3, [&](const ProcessGroup& g) {
    FullyShardedDataParallel fsdp(nets[static_cast<size_t>(g->rank())],
                                  {.auto_wrap_policy = module_wrap_policy<nn::Linear>()});
    optim::Adam optimizer(fsdp.parameters(), 0.01);
    int64_t step = 0;
    checkpoint::State state, weights;
    state.add("model", fsdp).add("optim", optimizer).add("step", step);
    weights.add("", fsdp);
    for (step = 1; step <= 2; ++step) {
      const auto [x, y] = batch_of_step(step);
      optimizer.zero_grad();
      nn::functional::mse_loss(fsdp(x.narrow(0, g->rank() * 8, 8)), y.narrow(0, g->rank() * 8, 8)).backward();
      optimizer.step();
    }
    step = 2;
    checkpoint::save(state, folder + "/run", {.step = step});
    checkpoint::save(weights, folder + "/weights", {.step = step});
    const auto whole = fsdp.full_state_dict();
    if (g->rank() != 0) return;
    serialize::OutputArchive archive;
    for (const auto& item : whole) archive.write(item.key(), item.value());
    archive.save_to(folder + "/whole.safetensors");
  });
}

/// Tensors a (6, 4) of 0, 1, 2, ..., b (5,) of halves and the number c, as HuggingFaceStorageWriter has written them.
void read(const std::string& folder) {
  for (const int64_t ranks : {1, 2})
    run_threads(ranks, [&](const ProcessGroup& g) {
      const DeviceMesh mesh = distributed::init_device_mesh({ranks}, {"data"});
      const Tensor rows = zeros({6 / ranks, 4}), b = zeros({5}, kBFloat16);
      const auto a = distributed::DTensor::from_local(rows, mesh, {distributed::Shard(0)});
      int64_t c = 0;
      checkpoint::State state;
      state.add("a", a).add("b", b).add("c", c);
      checkpoint::load(state, folder);
      const int64_t first = g->rank() * rows.numel();
      const Tensor want = arange(first, first + rows.numel(), kFloat).view(rows.sizes());
      STRATA_CHECK(rows.equal(want), "rank {} of {}: other rows of a", g->rank(), ranks);
      STRATA_CHECK(b.equal(full({5}, 0.5, kBFloat16)) && c == 42, "rank {} of {}: another b or c", g->rank(), ranks);
    });
}

/// A rank of a job of six steps that saves each one and goes on where it was. Rank 0 adds lines of step and loss to
/// FOLDER/losses. With STRATA_CRASH_AT set, rank 1 dies in that step when it is first started.
void job(const std::string& folder) {
  distributed::init_process_group();
  const int64_t rank = distributed::get_rank(), each = 24 / distributed::get_world_size();
  const char* const crash = std::getenv("STRATA_CRASH_AT");
  const char* const restarts = std::getenv("TORCHELASTIC_RESTART_COUNT");
  const int64_t crash_at = crash && restarts && std::atoi(restarts) == 0 && rank == 1 ? std::atoll(crash) : -1;
  manual_seed(1);
  FullyShardedDataParallel fsdp(OddShapes(), {.auto_wrap_policy = module_wrap_policy<nn::Linear>()});
  optim::Adam optimizer(fsdp.parameters(), 0.01);
  int64_t step = 0;
  checkpoint::State state;
  state.add("model", fsdp).add("optim", optimizer).add("step", step);
  if (const auto newest = checkpoint::latest(folder)) checkpoint::load(state, *newest, {.verify = false});
  for (++step; step <= 6; ++step) {
    const auto [x, y] = batch_of_step(step);
    optimizer.zero_grad();
    const Tensor loss = nn::functional::mse_loss(fsdp(x.narrow(0, rank * each, each)), y.narrow(0, rank * each, each));
    loss.backward();
    if (step == crash_at) std::raise(SIGKILL);
    optimizer.step();
    checkpoint::save(state, folder, {.step = step});
    if (rank == 0)
      std::ofstream(folder + "/losses", std::ios::app) << step << " " << std::hexfloat << loss.item<double>() << "\n";
  }
  distributed::destroy_process_group();
}

int run(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string command = argv[1], folder = argv[2];
  if (command == "loop") loop(folder);
  if (command == "job") job(folder);
  if (command == "write") write(folder);
  if (command == "read") read(folder);
  return 0;
}

}  // namespace
}  // namespace strata

int main(int argc, char** argv) {
  try {
    return strata::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
