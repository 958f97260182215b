// Groups of Gloo between threads of this process, over TCP: the bits of vmap, and what happens when a rank fails.
#include <strata/distributed/engine.h>
#include <strata/distributed/ordered_group.h>
#include <strata/strata.h>

#include <atomic>
#include <barrier>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "distributed/gloo/broken_pipe.h"
#include "test/catch.h"
#include "test/distributed/cases.h"
#include "test/distributed/ranks.h"
#include "test/distributed/training.h"

namespace strata {

using namespace std::chrono_literals;

TEST_CASE("large sums go in pieces, and lengths that the ranks do not divide") {
  for (int64_t n : {1, 7, 4096, 4097, 100003}) {
    const Tensor x = randn({3, n});
    const Tensor want = distributed::reduce_in_pairs(unbind(x, 0), ReduceOp::AVG);
    run_well(3, [&](const ProcessGroup& g) {
      Tensor mine = x[g->rank()].clone();
      distributed::all_reduce_(mine, ReduceOp::AVG);
      expect(same_bits(mine, want), "the sum in pairs");
    });
  }
}

TEST_CASE("sums of many rounds, of all lengths around a round's, of other dtypes, and not in place") {
  constexpr int64_t kRound = 1 << 20;
  struct Sum {
    int64_t length;
    DType dtype;
    ReduceOp op;
  };
  const Sum sums[] = {{kRound, kFloat, ReduceOp::AVG},         {kRound + 1, kFloat, ReduceOp::SUM},
                      {3 * kRound - 1, kFloat, ReduceOp::SUM}, {kRound + 1, kFloat, ReduceOp::MAX},
                      {kRound + 1, kBFloat16, ReduceOp::AVG},  {2 * kRound, kBFloat16, ReduceOp::SUM},
                      {kRound + 1, kLong, ReduceOp::SUM},      {kRound, kLong, ReduceOp::MAX}};
  for (const Sum& sum : sums)
    for (int64_t world : {2, 3}) {
      const Tensor x = (randn({world, sum.length}) * 100).to(sum.dtype);
      const Tensor want = distributed::reduce_in_pairs(unbind(x, 0), sum.op);
      run_well(world, [&](const ProcessGroup& g) {
        const Tensor mine = x[g->rank()].clone(), kept = mine.clone();
        expect(same_bits(distributed::all_reduce(mine, sum.op), want), "the sum in pairs");
        expect(same_bits(mine, kept), "an input that stays");
        Tensor same = mine.clone();
        expect(same_bits(distributed::all_reduce_(same, sum.op), want), "the same in place");
      });
    }
}

TEST_CASE("logical shards have the same bits over Gloo, on any number of ranks") {
  const auto gloo = [](int64_t world, const auto& body) { run_well(world, body); };
  const auto threads = [](int64_t world, const auto& body) { distributed::run_threads(world, body); };
  const optim::SGDOptions sgd = optim::SGDOptions(0.05).momentum(0.9);
  const optim::AdamOptions adam(0.01);
  const Run by_sgd = train_in_shards<optim::SGD>(1, sgd, 25, threads);
  const Run by_adam = train_in_shards<optim::Adam>(1, adam, 25, threads);
  for (int64_t world : {2, 4, 8}) {
    INFO(world << " ranks");
    for (double cap : {25.0, 1e-4}) {
      const Run ranks = train_in_shards<optim::SGD>(world, sgd, cap, gloo);
      CHECK(same_bits(ranks.losses, by_sgd.losses));
      CHECK(same_bits(ranks.weights, by_sgd.weights));
    }
    const Run ranks = train_in_shards<optim::Adam>(world, adam, 25, gloo);
    CHECK(same_bits(ranks.losses, by_adam.losses));
    CHECK(same_bits(ranks.weights, by_adam.weights));
  }
}

TEST_CASE("what pairs of ranks send each other is counted by those two alone") {
  run_well(3, [](const ProcessGroup& g) {
    const int64_t r = g->rank();
    const auto check_sum = [&] {  // by rounds, whose receives are asked for before
      expect(same_bits(distributed::all_reduce(full({50'000}, static_cast<double>(r))), full({50'000}, 3.0)), "a sum");
    };
    check_sum();
    Tensor got = zeros({3});
    for (double number : {1.0, 2.0}) {  // rank 2 takes no part
      if (r == 0) distributed::send(full({3}, number), 1);
      if (r == 1) distributed::recv(got, 0), expect(same_bits(got, full({3}, number)), "the first is the first");
    }
    const Tensor next = distributed::permute(full({5}, static_cast<double>(r)), {{0, 1}, {1, 2}, {2, 0}});
    expect(same_bits(next, full({5}, static_cast<double>((r + 2) % 3))), "the one before");
    check_sum();
    expect(distributed::all_gather_into_tensor(full({1}, static_cast<double>(r))).sum().item<double>() == 3, "all");
  });
}

TEST_CASE("a rank may leave right after its last message") {
  for (int run = 0; run < 20; ++run)
    run_well(3, [](const ProcessGroup&) {
      for (int i = 0; i < 3; ++i) distributed::all_reduce(ones({4}));
    });
}

TEST_CASE("a group that two threads call at once refuses one of them, and is whole afterwards") {
  run_well(2, [](const ProcessGroup& g) {
    if (g->rank() == 1) {
      std::this_thread::sleep_for(100ms);  // rank 0 waits in its call meanwhile
    } else {
      std::string refused;
      std::thread other([&] {
        std::this_thread::sleep_for(30ms);
        try {
          distributed::all_reduce(ones({4}), ReduceOp::SUM, g);
        } catch (const Error& e) {
          refused = e.what();
        }
      });
      expect(same_bits(distributed::all_reduce(full({4}, 3.0)), full({4}, 5.0)), "the sum of the first caller");
      other.join();
      expect(refused.find("group i is called by two threads at once") != std::string::npos, "a refusal");
    }
    if (g->rank() == 1) distributed::all_reduce(full({4}, 2.0));
    std::thread another([&] {  // in its turn, another thread is as good
      const GroupScope scope(g, GroupScope::Reach::kThread);
      expect(same_bits(distributed::all_reduce(ones({4})), full({4}, 2.0)), "the sum of the next caller");
    });
    another.join();
  });
}

TEST_CASE("nothing to move is no special case") {
  run_well(2, [](const ProcessGroup&) {
    const Tensor none = zeros({0, 3});
    expect(distributed::all_reduce(none).sizes() == IntArrayRef({0, 3}), "nothing summed");
    expect(distributed::all_gather_into_tensor(none).sizes() == IntArrayRef({0, 3}), "nothing gathered");
    expect(distributed::all_to_all_single(none).numel() == 0, "nothing exchanged");
    expect(distributed::broadcast(none, 1).numel() == 0, "nothing sent");
    distributed::barrier();
  });
}

TEST_CASE("a rank that goes away ends what the others wait for, at once and with what happened") {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> errors = run_gloo(3, [](const ProcessGroup& g) {
    distributed::barrier();
    if (g->rank() == 1) return g->close();
    distributed::all_reduce(ones({100000}));
  });
  CHECK(std::chrono::steady_clock::now() - start < 5s);
  CHECK(errors[1] == "");
  for (int64_t rank : {0, 2}) {
    INFO(errors[static_cast<size_t>(rank)]);
    const std::string begin = "all_reduce (call 2 of group i, rank " + std::to_string(rank) + " of 3): ";
    CHECK(errors[static_cast<size_t>(rank)].starts_with(begin));
  }
}

TEST_CASE("a group is closed although another thread sends by it") {
  for (int run = 0; run < 20; ++run) {
    std::barrier have_met(2);
    run_well(2, [&](const ProcessGroup& g) {
      have_met.arrive_and_wait();
      const Tensor number = zeros({1});
      Collective message{.kind = CollectiveKind::kSend, .dtype = kFloat, .root = 1 - g->rank()};
      message.in = number.data_ptr(), message.in_count = 1;
      std::vector<std::shared_ptr<Work>> sent;
      std::thread sends([&] {
        for (int i = 0; i < 3000; ++i) sent.push_back(g->start_messages({&message, 1}));
      });
      std::this_thread::sleep_for(500us);  // Gloo's thread is at work by then
      g->close();
      sends.join();
    });
  }
}

TEST_CASE("a write to a connection that was closed is an error, not a signal") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  {
    const distributed::NoBrokenPipe guard;
    CHECK(write(ends[1], "x", 1) == -1);
    CHECK(errno == EPIPE);
  }
  close(ends[1]);
  sigset_t pending, blocked;
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
  CHECK(sigismember(&blocked, SIGPIPE) == 0);
}

TEST_CASE("no thread that Gloo starts can be ended by a broken connection") {
  const auto threads = [] {
    std::set<std::string> all;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) all.insert(task.path());
    return all;
  };
  const std::set<std::string> before = threads();
  run_well(1, [&](const ProcessGroup&) {
    int started = 0;
    for (const std::string& task : threads()) {
      if (before.contains(task) || task.ends_with("/" + std::to_string(gettid()))) continue;
      ++started;
      std::ifstream status(task + "/status");
      for (std::string line; std::getline(status, line);)
        if (line.starts_with("SigBlk:"))
          expect(std::stoull(line.substr(7), nullptr, 16) & (1ULL << (SIGPIPE - 1)), "SIGPIPE blocked");
    }
    expect(started > 0, "a thread of Gloo's");
  });
}

TEST_CASE("a rank that does not come is waited for as long as was said, and later calls say the same") {
  const std::vector<std::string> errors = run_gloo(
      2,
      [](const ProcessGroup& g) {
        distributed::barrier();
        if (g->rank() == 1) return std::this_thread::sleep_for(1s);
        std::string first;
        try {
          distributed::barrier();
        } catch (const Error& e) {
          first = e.what();
        }
        expect(first.starts_with("barrier (call 2 of group i, rank 0 of 2): "), "the call in " + first);
        try {
          distributed::all_reduce(ones({2}));
        } catch (const Error& e) {
          return expect(e.what() == first, "the first error again");
        }
        expect(false, "an error");
      },
      300ms);
  for (const std::string& e : errors) CHECK(e == "");
}

TEST_CASE("ranks that do not meet are told of") {
  distributed::EngineOptions options;
  options.name = "alone", options.world_size = 2, options.store = fresh_store(), options.timeout = 200ms;
  CHECK_THROWS_WITH(distributed::gloo_engine(options),
                    Catch::Matchers::StartsWith("gloo: the 2 ranks of group alone did not meet: "));
  std::filesystem::remove_all(options.store.substr(7));
}

TEST_CASE("sharded training by Gloo, whose collectives run beside the computation, has the bits of threads") {
  const auto train = [](const ProcessGroup& g, const nn::Sequential& net, const Tensor& x) {
    using nn::parallel::FullyShardedDataParallel;
    FullyShardedDataParallel fsdp(net, {.auto_wrap_policy = nn::parallel::module_wrap_policy<nn::Linear>()});
    optim::Adam optimizer(fsdp.parameters(), 0.01);
    for (int step = 0; step < 5; ++step) {
      optimizer.zero_grad();
      fsdp(x[g->rank()]).square().mean().backward();
      optimizer.step();
    }
    return fsdp.full_state_dict();
  };
  for (int64_t world : {2, 3}) {
    std::vector<nn::Sequential> nets;
    for (int64_t r = 0; r < 2 * world; ++r) {
      manual_seed(static_cast<uint64_t>(r % world));
      nets.emplace_back(nn::Linear(2, 33), nn::Tanh(), nn::Linear(33, 31), nn::Tanh(), nn::Linear(31, 1));
      nets.back()->to(kDouble);
    }
    const Tensor x = input(world);
    OrderedDict<std::string, Tensor> want, got;
    distributed::run_threads(world, [&](const ProcessGroup& g) {
      const auto state = train(g, nets[static_cast<size_t>(g->rank())], x);
      if (g->rank() == 0) want = state;
    });
    run_well(world, [&](const ProcessGroup& g) {
      const auto state = train(g, nets[static_cast<size_t>(world + g->rank())], x);
      if (g->rank() == 0) got = state;
    });
    REQUIRE(want.size() == 6);
    for (const auto& item : want) CHECK(same_bits(got[item.key()], item.value()));
  }
}

}  // namespace strata
