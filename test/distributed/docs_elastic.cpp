// The code that docs/elastic.md and docs/failures.md show. Without a launcher a job has one rank, which nobody
// replaces.
#include "test/catch.h"
#include "test/distributed/checkpoint_files.h"

namespace strata {

#if STRATA_HAS_GLOO
TEST_CASE("the page about elastic jobs") {
  const int64_t steps = 4;
  nn::Linear net(3, 1);
  optim::Adam optimizer(net->parameters(), 0.1);
  const auto part_of = [](int64_t at) { return random::normal(random::fold_in(random::key(0), at), {4, 3}); };
  const auto loss_of = [](const Tensor& y) { return y.square().mean(); };
  const Tensor before = net->weight.detach().clone();

  int64_t step = 0;
  distributed::elastic::State state;
  state.add(*net).add(optimizer).add(step);          // what all ranks have in common
  distributed::elastic::run(state, [&] {             // in place of init_process_group
    nn::parallel::DistributedDataParallel ddp(net);  // made anew for each group
    while (step < steps) {
      optimizer.zero_grad();
      loss_of(ddp(part_of(step))).backward();
      optimizer.step();
      ++step;
      state.commit();
    }
  });
  CHECK(state.commits() == steps);
  CHECK_FALSE(net->weight.equal(before));
}

TEST_CASE("the page about elastic jobs: a sharded model") {
  using nn::parallel::FullyShardedDataParallel, nn::parallel::module_wrap_policy;
  const Folder made;
  const std::string folder = made.str();
  std::vector<int64_t> trained;
  const auto train = [&](auto& fsdp, auto& optimizer, int64_t step) {
    optimizer.zero_grad();
    fsdp(ones({4, 8})).square().mean().backward();
    optimizer.step();
    trained.push_back(step);
  };
  for (const int64_t steps : {3, 6}) {
    namespace checkpoint = distributed::checkpoint;
    distributed::elastic::State state;  // nothing: no rank has all of the model
    distributed::elastic::run(state, [&] {
      nn::Sequential net(nn::Linear(8, 64), nn::ReLU(), nn::Linear(64, 1));
      FullyShardedDataParallel fsdp(net, {.auto_wrap_policy = module_wrap_policy<nn::Linear>()});
      optim::Adam optimizer(fsdp.parameters(), 1e-3);
      int64_t step = 0;
      checkpoint::State saved;
      saved.add("model", fsdp).add("optim", optimizer).add("step", step);
      if (const auto path = checkpoint::latest(folder)) checkpoint::load(saved, *path, {.verify = false});

      while (step < steps) {
        train(fsdp, optimizer, step);
        if (++step % 2 != 0) continue;
        checkpoint::save(saved, folder, {.step = step});
        state.commit();  // nodes that have come are let in here
      }
    });
  }
  CHECK(trained == std::vector<int64_t>{0, 1, 2, 2, 3, 4, 5});  // step 2 was after the last checkpoint
}

TEST_CASE("the page about elastic jobs: a step at most") {
  namespace checkpoint = distributed::checkpoint;
  using nn::parallel::FullyShardedDataParallel, nn::parallel::module_wrap_policy;
  const Folder made;
  const std::string folder = made.str();
  const int64_t steps = 3;
  std::vector<int64_t> trained;
  const auto train = [&](auto& fsdp, auto& optimizer, int64_t step) {
    optimizer.zero_grad();
    fsdp(ones({4, 8})).square().mean().backward();
    optimizer.step();
    trained.push_back(step);
  };
  distributed::elastic::State state;
  checkpoint::Replicas replicas;  // outlives the generations
  distributed::elastic::run(state, [&] {
    nn::Sequential net(nn::Linear(8, 64), nn::ReLU(), nn::Linear(64, 1));
    FullyShardedDataParallel fsdp(net, {.auto_wrap_policy = module_wrap_policy<nn::Linear>()});
    optim::Adam optimizer(fsdp.parameters(), 1e-3);
    int64_t step = 0;
    checkpoint::State saved;
    saved.add("model", fsdp).add("optim", optimizer).add("step", step);
    if (!replicas.load(saved))
      if (const auto path = checkpoint::latest(folder)) checkpoint::load(saved, *path, {.verify = false});

    while (step < steps) {
      train(fsdp, optimizer, step);
      if (++step % 100 == 0) checkpoint::save(saved, folder, {.step = step});
      replicas.save(saved);
      state.commit();  // nodes that have come are let in here
    }
  });
  CHECK(trained == std::vector<int64_t>{0, 1, 2});
  CHECK(replicas.saves() == steps);
}
#endif

TEST_CASE("the page about failures") {
  std::string heard[2];
  const auto rank_of = [&](const ProcessGroup& group) {
    const auto rank = static_cast<size_t>(group->rank());
    const auto log = [&](const std::string& text) { heard[rank] = text; };
    const auto train = [&](int64_t step) {
      STRATA_CHECK(rank == 0 || step < 2, "no data for step {}", step);
      distributed::all_reduce(ones({3}));
    };
    int64_t step = 0;
    const int64_t steps = 5;
    try {
      while (step < steps) train(step++);
    } catch (const Error& failure) {
      log(failure.what());  // which rank has failed, and why
      throw;                // the process ends, and the launcher says which failure was the first
    }
  };
  CHECK_THROWS_WITH(distributed::run_threads(2, rank_of), Catch::Matchers::ContainsSubstring("no data for step 2"));
  CHECK_THAT(heard[0], Catch::Matchers::ContainsSubstring("rank 1"));
  CHECK_THAT(heard[1], Catch::Matchers::ContainsSubstring("no data for step 2"));
}

}  // namespace strata
