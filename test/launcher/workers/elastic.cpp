// A worker that trains in an elastic job: `elastic STEPS MILLISECONDS [FAIL]`, a pause after each step. It prints where
// each generation begins and each step's loss, whose bits do not depend on the number of ranks. With FAIL, rank 1
// throws at that step of its first process, an error that is not the group's.
#include <strata/strata.h>
#include <unistd.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace strata;
namespace elastic = distributed::elastic;

namespace {

constexpr int64_t kShards = 4;

struct Model {
  nn::Linear net{8, 1};
  optim::Adam optimizer{net->parameters(), optim::AdamOptions(0.01)};
  int64_t step = 0;
};

Tensor loss_of(const Tensor& predicted, const Tensor& x) { return (predicted - x.sum(1, true).sin()).square().mean(); }

/// The one value that ranks of any number agree on: the loss for examples of its own.
double tested(Model& m) {
  const NoGradGuard no_grad;
  const Tensor x = random::normal(random::key(7), {16, 8});
  return loss_of(m.net(x), x).item<double>();
}

void train_step(Model& m, nn::parallel::DistributedDataParallel<nn::Linear>& ddp) {
  m.optimizer.zero_grad();
  const int64_t each = kShards / distributed::get_world_size(), first = distributed::get_rank() * each;
  for (int64_t shard = first; shard < first + each; ++shard) {
    const Tensor key = random::fold_in(random::fold_in(random::key(1), m.step), shard);
    const Tensor x = random::normal(key, {4, 8});
    loss_of(ddp(x), x).backward();
  }
  m.optimizer.step();
}

int64_t variable(const char* name) {
  const char* const text = std::getenv(name);
  return text ? std::atoll(text) : 0;
}

void run(int64_t steps, int64_t pause, int64_t fails_at) {
  manual_seed(static_cast<uint64_t>(getpid()));  // the first weights are rank 0's
  Model m;
  for (const Tensor& p : m.net->parameters()) nn::init::constant_(p, 0.25 * (1 + static_cast<double>(getpid() % 3)));
  if ((variable("STRATA_GENERATION") == 0 && variable("RANK") == 0) || variable("SAME_WEIGHTS"))
    for (const Tensor& p : m.net->parameters()) nn::init::constant_(p, 0.5);
  elastic::State state;
  state.add(*m.net).add(m.optimizer).add(m.step);
  distributed::InitOptions group;
  if (const int64_t timeout = variable("COLLECTIVE_TIMEOUT")) group.timeout = std::chrono::milliseconds(timeout);
  const auto train = [&] {
    nn::parallel::DistributedDataParallelOptions options;
    options.logical_shards = kShards;
    nn::parallel::DistributedDataParallel ddp(m.net, options);
    std::printf("generation %" PRId64 ": rank %" PRId64 " of %" PRId64 " from step %" PRId64 ", restarts %" PRId64
                ", pid %d\n",
                variable("STRATA_GENERATION"), distributed::get_rank(), distributed::get_world_size(), m.step,
                variable("TORCHELASTIC_RESTART_COUNT"), getpid());
    while (m.step < steps) {
      STRATA_CHECK(m.step != fails_at || variable("RANK") != 1 || variable("TORCHELASTIC_RESTART_COUNT") > 0,
                   "an error of the program");
      train_step(m, ddp);
      ++m.step;
      const auto now = std::chrono::steady_clock::now().time_since_epoch();
      if (distributed::get_rank() == 0)
        std::printf("step %" PRId64 ": %a at %lld\n", m.step, tested(m), static_cast<long long>(now.count()));
      std::fflush(stdout);
      std::this_thread::sleep_for(std::chrono::milliseconds(pause));
      state.commit();
    }
  };
  elastic::run(state, train, group);
  std::printf("trained %" PRId64 " steps, pid %d\n", m.step, getpid());
  std::fflush(stdout);
  std::this_thread::sleep_for(std::chrono::milliseconds(variable("PAUSE_AT_END")));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? std::atoll(argv[1]) : 10, argc > 2 ? std::atoll(argv[2]) : 0, argc > 3 ? std::atoll(argv[3]) : -1);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
