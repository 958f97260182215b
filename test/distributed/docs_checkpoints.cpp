// The code that docs/checkpoints.md shows.
#include "test/catch.h"
#include "test/distributed/checkpoint_files.h"

namespace strata {

TEST_CASE("the page about checkpoints") {
  const Folder made;
  const std::string folder = made.str();
  int64_t last_step = 4;
  const auto run = [&](const ProcessGroup& group) {
    using nn::parallel::FullyShardedDataParallel, nn::parallel::module_wrap_policy;
    const auto ranks = static_cast<size_t>(group->size()), rank = static_cast<size_t>(group->rank());
    nn::Sequential net(nn::Linear(8, 64), nn::ReLU(), nn::Linear(64, 1));
    int trained = 0;
    const auto train = [&](auto& sharded, auto& optim, auto& order) {
      optim.zero_grad();
      sharded(ones({static_cast<int64_t>(order.next(4).value().size()), 8})).square().mean().backward();
      optim.step();
      ++trained;
    };

    namespace checkpoint = distributed::checkpoint;
    FullyShardedDataParallel fsdp(net, {.auto_wrap_policy = module_wrap_policy<nn::Linear>()});
    optim::Adam optimizer(fsdp.parameters(), 1e-3);
    data::samplers::DistributedRandomSampler sampler(1000, ranks, rank);
    int64_t step = 0;

    checkpoint::State state;  // refers to what is added
    state.add("model", fsdp).add("optim", optimizer).add("data", sampler).add("step", step);
    if (const auto path = checkpoint::latest(folder)) checkpoint::load(state, *path, {.verify = false});

    while (++step <= last_step) {
      train(fsdp, optimizer, sampler);
      if (step % 2 == 0) checkpoint::save(state, folder, {.step = step});
    }
    expect(trained == (last_step == 4 ? 4 : 2), "the steps that were left");
  };
  distributed::run_threads(2, run);
  last_step = 6;
  distributed::run_threads(3, run);
  CHECK(names_in(folder) == std::vector<std::string>{"step-00000004", "step-00000006"});
}

}  // namespace strata
