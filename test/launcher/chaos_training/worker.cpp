// Trains a small net on all ranks until it is done, however often it is killed: `worker FOLDER STEPS [elastic]`. Each
// third step is saved to FOLDER/run, and a process that starts goes on with the newest checkpoint that verifies. Before
// a step counts, its loss is a line "STEP LOSS" in FOLDER/losses.SHARD, by one write, which a killed process has made
// or has not made.
#include <fcntl.h>
#include <fmt/format.h>
#include <strata/strata.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

using namespace strata;
namespace checkpoint = distributed::checkpoint;
namespace elastic = distributed::elastic;
using data::samplers::DistributedRandomSampler;

namespace {

constexpr size_t kExamples = 96, kBatch = 4;
constexpr int64_t kStepsPerCheckpoint = 3;
constexpr int64_t kElasticShards = 4;  // of each step, however many ranks share them
constexpr std::chrono::milliseconds kPause{4};

struct Command {
  std::string folder;
  int64_t steps = 0;
  bool is_elastic = false;
  std::string run() const { return folder + "/run"; }
};

data::Example<> examples(const std::vector<size_t>& indices) {
  const NoGradGuard no_grad;
  static const Tensor x = random::normal(random::key(3), {static_cast<int64_t>(kExamples), 6});
  static data::datasets::TensorPairDataset all(x, x.sum(1, true).sin());
  return all.stacked(indices);
}

void log_loss(const Command& command, int64_t shard, int64_t step, const Tensor& loss) {
  const std::string path = fmt::format("{}/losses.{}", command.folder, shard);
  const std::string line = fmt::format("{} {:a}\n", step, loss.item<double>());
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const bool written = fd >= 0 && write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (fd >= 0) close(fd);
  STRATA_CHECK(written, "cannot write to {}", path);
}

using Net = nn::Sequential;
using Parallel = nn::parallel::DistributedDataParallel<Net>;

struct Model {
  explicit Model(double dropout)
      : net(nn::Linear(6, 16), nn::Tanh(), nn::Dropout(dropout), nn::Linear(16, 1)),
        optimizer(net->parameters(), optim::AdamOptions(0.01)) {}

  /// The gradients of one batch; its loss is logged.
  void learn(const Command& command, Parallel& ddp, int64_t shard, const std::vector<size_t>& indices) {
    const auto [x, y] = examples(indices);
    const Tensor loss = nn::functional::mse_loss(ddp(x), y);
    loss.backward();
    log_loss(command, shard, step + 1, loss);
  }

  Net net;
  optim::Adam optimizer;
  int64_t step = 0;
};

void resume(checkpoint::State& state, const Command& command) {
  if (const auto newest = checkpoint::latest(command.run())) checkpoint::load(state, *newest, {.verify = false});
}

/// Also the last step, and again where it was there: that removes what a save has left that was killed behind it.
void save(const checkpoint::State& state, const Command& command, int64_t step) {
  checkpoint::save(state, command.run(), {.step = step});
}

/// One shard for each rank. The sampler and the generator of the dropout go on where the checkpoint has them.
void train(const Command& command) {
  distributed::init_process_group();
  const int64_t rank = distributed::get_rank(), ranks = distributed::get_world_size();
  manual_seed(1);
  Model model(0.1);
  manual_seed(static_cast<uint64_t>(10 + rank));
  DistributedRandomSampler sampler(kExamples, static_cast<size_t>(ranks), static_cast<size_t>(rank));
  checkpoint::State state;
  state.add("model", *model.net).add("optim", model.optimizer).add("step", model.step);
  state.add("data", sampler).add("random", default_generator());
  resume(state, command);
  Parallel ddp(model.net);
  while (model.step < command.steps) {
    auto indices = sampler.next(kBatch);
    if (!indices) {
      sampler.set_epoch(sampler.epoch() + 1);
      sampler.reset();
      indices = sampler.next(kBatch);
    }
    model.optimizer.zero_grad();
    model.learn(command, ddp, rank, *indices);
    model.optimizer.step();
    std::this_thread::sleep_for(kPause);
    if (++model.step % kStepsPerCheckpoint == 0) save(state, command, model.step);
  }
  save(state, command, model.step);
  distributed::destroy_process_group();
}

/// What a shard of a step is made of depends on the step alone, since ranks change.
std::vector<size_t> indices_of(int64_t step, int64_t shard) {
  DistributedRandomSampler sampler(kExamples, kElasticShards, static_cast<size_t>(shard));
  const int64_t steps_per_epoch = kExamples / kElasticShards / kBatch;
  sampler.set_epoch(static_cast<size_t>(step / steps_per_epoch));
  sampler.reset();
  auto indices = sampler.next(kBatch);
  for (int64_t skipped = 0; skipped < step % steps_per_epoch; ++skipped) indices = sampler.next(kBatch);
  return *indices;
}

/// State comes back from the ranks that live, and from a checkpoint where none does.
void train_elastically(const Command& command) {
  manual_seed(1);
  Model model(0);
  checkpoint::State saved;
  saved.add("model", *model.net).add("optim", model.optimizer).add("step", model.step);
  elastic::State state;
  state.add(*model.net).add(model.optimizer).add(model.step);
  elastic::run(state, [&] {
    if (model.step == 0) resume(saved, command);
    nn::parallel::DistributedDataParallelOptions options;
    options.logical_shards = kElasticShards;
    Parallel ddp(model.net, options);
    const int64_t each = kElasticShards / distributed::get_world_size(), first = distributed::get_rank() * each;
    while (model.step < command.steps) {
      model.optimizer.zero_grad();
      for (int64_t shard = first; shard < first + each; ++shard)
        model.learn(command, ddp, shard, indices_of(model.step, shard));
      model.optimizer.step();
      std::this_thread::sleep_for(kPause);
      if (++model.step % kStepsPerCheckpoint == 0) save(saved, command, model.step);
      state.commit();
    }
    save(saved, command, model.step);
  });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    STRATA_CHECK(argc >= 3, "worker FOLDER STEPS [elastic]");
    const Command command{argv[1], std::atoll(argv[2]), argc > 3};
    command.is_elastic ? train_elastically(command) : train(command);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
