// What ranks keep of each other in memory gives back what a checkpoint on the disk has, whoever is lost and however
// many go on.
#include <atomic>
#include <cstdlib>
#include <set>
#include <string>

#include "test/catch.h"
#include "test/distributed/checkpoint_files.h"
#include "test/distributed/checkpoint_net.h"
#include "test/distributed/ranks.h"

namespace strata {
namespace {

using distributed::run_threads;
namespace checkpoint = distributed::checkpoint;
using checkpoint::Replicas;
using nn::parallel::FullyShardedDataParallel;
using Contents = std::map<std::string, Tensor>;

/// A rank's part of a sharded model, its optimizer and the step.
struct Sharded {
  Sharded(const OddShapes& net, const ProcessGroup& g)
      : group(g),
        fsdp(net, {.auto_wrap_policy = nn::parallel::module_wrap_policy<nn::Linear>()}),
        optimizer(fsdp.parameters(), optim::AdamOptions(0.01).amsgrad(true)) {
    parts.add("model", fsdp).add("optim", optimizer).add("step", step);
  }
  void train() {
    const auto [x, y] = batch_of_step(step++);
    const int64_t each = 24 / group->size(), first = group->rank() * each;
    optimizer.zero_grad();
    nn::functional::mse_loss(fsdp(x.narrow(0, first, each)), y.narrow(0, first, each)).backward();
    optimizer.step();
  }
  const ProcessGroup group;
  FullyShardedDataParallel<OddShapes> fsdp;
  optim::Adam optimizer;
  int64_t step = 0;
  checkpoint::State parts;
};

/// Of a state of all ranks, by way of the disk.
template <class Model>
void write(const Folder& folder, Model& model) {
  checkpoint::save(model.parts, folder.str(), {.step = 0, .group = model.group});
}
Contents written(const Folder& folder) { return contents_of(folder / "step-00000000"); }

struct Trained {
  std::vector<Replicas> replicas;
  Contents saved;
};
Trained trained(int64_t ranks, int64_t steps) {
  const Folder folder;
  const auto nets = odd_shapes(ranks, 1);
  Trained all{std::vector<Replicas>(static_cast<size_t>(ranks)), {}};
  run_threads(ranks, [&](const ProcessGroup& g) {
    const auto rank = static_cast<size_t>(g->rank());
    Sharded model(nets[rank], g);
    while (model.step < steps) {
      model.train();
      all.replicas[rank].save(model.parts);
    }
    write(folder, model);
  });
  all.saved = written(folder);
  return all;
}

/// What these ranks load; nothing where they say that they have nothing.
Contents loaded(std::vector<Replicas>& replicas) {
  const Folder folder;
  const auto ranks = static_cast<int64_t>(replicas.size());
  const auto nets = odd_shapes(ranks, 9);
  std::atomic<int> found{0};
  run_threads(ranks, [&](const ProcessGroup& g) {
    const auto rank = static_cast<size_t>(g->rank());
    Sharded model(nets[rank], g);
    if (replicas[rank].load(model.parts))
      ++found;
    else
      expect(model.step == 0, "nothing is changed");
    write(folder, model);
  });
  expect(found == 0 || found == ranks, "all say the same");
  return found == 0 ? Contents() : written(folder);
}

std::vector<Replicas> without(std::vector<Replicas> all, const std::vector<size_t>& lost) {
  for (size_t i = lost.size(); i-- > 0;) all.erase(all.begin() + static_cast<std::ptrdiff_t>(lost[i]));
  return all;
}

/// How many calls a rank has left until it is killed, in all of its groups.
using Life = std::shared_ptr<std::atomic<int>>;
constexpr int kNoEnd = 1 << 20;

/// Of a rank whose n-th call fails, as if it were killed there.
class FailingGroup final : public Communicator, public distributed::Divisible {
 public:
  FailingGroup(ProcessGroup group, Life calls) : group_(std::move(group)), calls_(std::move(calls)) {}
  const std::string& name() const override { return group_->name(); }
  int64_t rank() const override { return group_->rank(); }
  int64_t size() const override { return group_->size(); }
  void run(const Collective& c) override {
    live();
    group_->run(c);
  }
  std::shared_ptr<Work> start_messages(std::span<const Collective> messages) override {
    live();
    return group_->start_messages(messages);
  }
  ProcessGroup split(int64_t color, int64_t key, const std::string& name) override {
    return std::make_shared<FailingGroup>(distributed::split(group_, color, key, name), calls_);
  }
  void close() override { group_->close(); }

 private:
  void live() { STRATA_CHECK((*calls_)-- > 0, "killed"); }

  const ProcessGroup group_;
  const Life calls_;
};

using Save = void (Replicas::*)(const checkpoint::State&, const ProcessGroup&);

/// A training of three ranks whose second save, of a step that changes everything, ends for rank 1 after some calls.
std::vector<Replicas> killed_while_saving(Save save, int calls, bool& is_killed) {
  const auto nets = odd_shapes(3, 1);
  std::vector<Replicas> replicas(3);
  is_killed = false;
  try {
    run_threads(3, [&](const ProcessGroup& g) {
      const auto rank = static_cast<size_t>(g->rank());
      const auto life = std::make_shared<std::atomic<int>>(kNoEnd);
      const ProcessGroup own = std::make_shared<FailingGroup>(g, life);
      Sharded model(nets[rank], g);
      model.train();
      (replicas[rank].*save)(model.parts, own);
      replicas[rank].wait();
      model.train();
      if (rank == 1) *life = calls;
      (replicas[rank].*save)(model.parts, own);
      replicas[rank].wait();
      distributed::barrier(own);  // where the next step would begin
    });
  } catch (const Error&) {
    is_killed = true;
  }
  return replicas;
}

}  // namespace

TEST_CASE("any one rank may be lost, and any number goes on") {
  for (const int64_t ranks : {2, 3, 4}) {
    const Trained before = trained(ranks, 2);
    for (size_t lost = 0; lost < static_cast<size_t>(ranks); ++lost)
      for (const size_t newcomers : {0U, 1U, 2U}) {
        std::vector<Replicas> left = without(before.replicas, {lost});
        left.insert(left.begin() + static_cast<std::ptrdiff_t>(lost % left.size()), newcomers, Replicas());
        expect_equal(before.saved, loaded(left));
        for (const Replicas& r : left) CHECK(r.saves() == 3);
      }
  }
}

TEST_CASE("what was loaded is safe again at once") {
  const Trained before = trained(4, 1);
  std::vector<Replicas> left = before.replicas;
  for (const size_t lost : {1, 2, 0}) {
    left = without(left, {lost});
    expect_equal(before.saved, loaded(left));
  }
  left.resize(3);
  expect_equal(before.saved, loaded(left));
  expect_equal(before.saved, loaded(left = without(left, {0})));
}

TEST_CASE("ranks keep a part and a copy of another one") {
  const Trained before = trained(4, 1);
  size_t all = 0;
  for (const auto& [name, t] : before.saved) all += t.nbytes();
  const auto part = static_cast<int64_t>(all) / 4;
  for (const Replicas& r : before.replicas) {
    CHECK(r.bytes() >= 2 * part - 64);
    CHECK(r.bytes() <= 2 * part + 32 * 1024);  // and the texts that say what it is
  }
}

TEST_CASE("with two neighbours a part is lost, and the ranks say so") {
  const Trained before = trained(4, 1);
  std::vector<Replicas> left = without(before.replicas, {1, 2});
  const auto nets = odd_shapes(2, 1);
  run_threads(2, [&](const ProcessGroup& g) {
    const auto rank = static_cast<size_t>(g->rank());
    Heard heard;
    Sharded model(nets[rank], g);
    expect(!left[rank].load(model.parts) && model.step == 0, "nothing to load");
    expect((heard.all.find("nobody is left who has the parts of ranks (1,)") != heard.all.npos) == (rank == 0),
           heard.all);
    model.train();
    left[rank].save(model.parts);
    model.train();
    expect(left[rank].load(model.parts) && model.step == 1, "what was saved since then");
  });
  std::vector<Replicas> nothing(2);
  CHECK(loaded(nothing).empty());
}

TEST_CASE("copies go to another node where there is one") {
  setenv("RANK", "0", 1), setenv("WORLD_SIZE", "4", 1);
  setenv("LOCAL_RANK", "0", 1), setenv("LOCAL_WORLD_SIZE", "2", 1);
  const Trained before = trained(4, 1);
  for (const auto& node : {std::vector<size_t>{0, 1}, {2, 3}}) {
    std::vector<Replicas> left = without(before.replicas, node);
    expect_equal(before.saved, loaded(left));
  }
  for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"}) unsetenv(name);
}

TEST_CASE("a rank may be lost at any moment of a save") {
  const Contents one = trained(3, 1).saved, two = trained(3, 2).saved;
  for (const Save save : {&Replicas::save, &Replicas::async_save}) {
    std::set<int64_t> seen;
    bool is_killed = true;
    for (int calls = 0; is_killed; ++calls) {
      REQUIRE(calls < 50);
      std::vector<Replicas> left = without(killed_while_saving(save, calls, is_killed), {1});
      const Contents now = loaded(left);
      REQUIRE(now.count("step") == 1);
      const int64_t step = now.at("step").item<int64_t>();
      CHECK((is_killed || step == 2));
      expect_equal(step == 1 ? one : two, now);
      seen.insert(step);
    }
    CHECK(seen == std::set<int64_t>{1, 2});
  }
}

TEST_CASE("a save beside the training takes what the state was when it was called") {
  const auto nets = odd_shapes(3, 1);
  std::vector<Replicas> replicas(3);
  run_threads(3, [&](const ProcessGroup& g) {
    const auto rank = static_cast<size_t>(g->rank());
    Sharded model(nets[rank], g);
    for (int64_t step = 0; step < 3; ++step) {
      model.train();
      if (step < 2) replicas[rank].async_save(model.parts);
    }
    replicas[rank].wait();  // the groups of threads end with them
  });
  const Contents two = trained(3, 2).saved;
  std::vector<Replicas> left = without(replicas, {2});
  expect_equal(two, loaded(left));
  for (const Replicas& r : replicas) CHECK(r.saves() == 2);
}

TEST_CASE("what stops a save beside the training is thrown by the next one, on all ranks") {
  const auto nets = odd_shapes(3, 1);
  std::vector<Replicas> replicas(3);
  run_threads(3, [&](const ProcessGroup& g) {
    const auto rank = static_cast<size_t>(g->rank());
    const auto life = std::make_shared<std::atomic<int>>(kNoEnd);
    const ProcessGroup own = std::make_shared<FailingGroup>(g, life);
    Sharded model(nets[rank], g);
    Replicas& kept = replicas[rank];
    kept.async_save(model.parts, own);
    kept.async_save(model.parts, own);  // waits for the first
    kept.wait();
    model.train();
    if (rank == 1) *life = 5;  // two agreements by the whole group, and the first call of the other one
    kept.async_save(model.parts, own);
    kept.wait();  // the others wait until rank 1 has closed that group
    *life = kNoEnd;
    std::string why;
    try {
      kept.async_save(model.parts, own);
    } catch (const Error& error) {
      why = error.what();
    }
    expect(why.starts_with("checkpoint: rank 0: ") && why.find("rank 1 has closed") != why.npos, why);
    expect(kept.saves() == 3, "of which the last has failed");
    kept.async_save(model.parts, own);
    kept.wait();
  });
  expect_equal(trained(3, 1).saved, loaded(replicas));
}

TEST_CASE("a rank that comes has to load before it saves") {
  std::vector<Replicas> replicas = trained(2, 1).replicas;
  replicas.resize(3);
  const auto nets = odd_shapes(3, 1);
  CHECK_THROWS_WITH(run_threads(3,
                                [&](const ProcessGroup& g) {
                                  const auto rank = static_cast<size_t>(g->rank());
                                  Sharded model(nets[rank], g);
                                  replicas[rank].save(model.parts);
                                }),
                    Catch::Matchers::ContainsSubstring("rank 2 makes save 1, rank 0 save 2: all ranks call load"));
}

#if STRATA_HAS_GLOO
TEST_CASE("a sharded optimizer comes back, over Gloo") {
  const Folder before, after;
  std::vector<Replicas> replicas(3);
  const auto run = [&](int64_t ranks, const Folder& folder, const auto& body) {
    const auto nets = odd_shapes(ranks, static_cast<uint64_t>(ranks));
    run_well(ranks, [&](const ProcessGroup& g) {
      const auto rank = static_cast<size_t>(g->rank());
      nn::parallel::DistributedDataParallel ddp(nets[rank]);
      optim::ZeroRedundancyOptimizer<optim::Adam> optimizer(nets[rank]->parameters(), optim::AdamOptions(0.01));
      checkpoint::State parts;
      parts.add("model", ddp).add("optim", optimizer);
      body(replicas[rank], parts, [&] {
        ddp(batch_of_step(g->rank()).first).square().mean().backward();
        optimizer.step();
      });
      checkpoint::save(parts, folder.str(), {.step = 0});
    });
  };
  run(3, before, [](Replicas& own, checkpoint::State& parts, const auto& train) {
    train();
    own.save(parts);
    train();
    own.async_save(parts);  // beside the checkpoint
  });
  replicas = without(replicas, {1});
  run(2, after, [](Replicas& own, checkpoint::State& parts, const auto&) { expect(own.load(parts), "there is one"); });
  expect_equal(written(before), written(after));
}
#endif

}  // namespace strata
