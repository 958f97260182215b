// Uneven inputs, hooks, logical shards, and sums in place of averages.
#include <strata/strata.h>

#include <mutex>

#include "test/catch.h"
#include "test/distributed/training.h"

namespace strata {
namespace {

using distributed::JoinOptions;
using distributed::run_threads;
using nn::parallel::DistributedDataParallel;
using nn::parallel::DistributedDataParallelOptions;

// ---- Logical shards -------------------------------------------------------------------------------------------------

template <class Optimizer, class Options>
void check_bits(const Options& how) {
  const auto threads = [](int64_t world, const auto& body) { run_threads(world, body); };
  const Run alone = train_in_shards<Optimizer>(1, how, 25, threads);
  for (int64_t world : {2, 4, 8})
    for (double cap : {25.0, 1e-4}) {
      INFO(world << " ranks, buckets of " << cap << " MB");
      const Run ranks = train_in_shards<Optimizer>(world, how, cap, threads);
      CHECK(same_bits(ranks.losses, alone.losses));
      CHECK(same_bits(ranks.weights, alone.weights));
    }
}

// ---- Uneven inputs --------------------------------------------------------------------------------------------------

struct NormedImpl : nn::Module {
  NormedImpl() {
    linear = register_module("linear", nn::Linear(6, 4));
    norm = register_module("norm", nn::BatchNorm1d(4));
  }
  Tensor forward(const Tensor& x) { return norm(linear(x)); }
  nn::Linear linear{nullptr};
  nn::BatchNorm1d norm{nullptr};
};
STRATA_MODULE(Normed);

}  // namespace

TEST_CASE("with logical shards, losses and weights have the same bits on 1, 2, 4 and 8 ranks") {
  check_bits<optim::SGD>(optim::SGDOptions(0.05).momentum(0.9));
  check_bits<optim::Adam>(optim::AdamOptions(0.01));
}

TEST_CASE("gradients of logical shards are those of the whole batch") {
  const Samples all = batch(2);
  const std::vector<Tensor> want = whole(all);
  run_threads(3, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallelOptions options;
    options.logical_shards = 12;
    DistributedDataParallel ddp(net, options);
    for (int step = 0; step < 3; ++step) {
      net->zero_grad();
      for (int64_t i = 0; i < 4; ++i) {
        const Samples one = all.part(g->rank() * 4 + i, 12);
        loss_of(ddp(one.x), one.y).backward();
      }
      check_close(gradients(*net), want);
    }
  });
}

TEST_CASE("shards that the ranks cannot share are refused") {
  CHECK(error_of(2, [](const ProcessGroup&) {
          nn::Linear net(3, 2);
          DistributedDataParallelOptions options;
          options.logical_shards = 6;
          DistributedDataParallel ddp(net, options);
        }) == "DistributedDataParallel: 6 logical shards are no power of two for each of 2 ranks");
}

TEST_CASE("the sum of gradients in place of their average") {
  const Samples all = batch(3);
  std::vector<Tensor> want = whole(all);
  for (Tensor& t : want) t = t * 3;
  run_threads(3, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallelOptions options;
    options.op = ReduceOp::SUM, options.strict = true;
    DistributedDataParallel ddp(net, options);
    const Samples mine = all.part(g->rank(), 3);
    for (int step = 0; step < 2; ++step) {
      net->zero_grad();
      loss_of(ddp(mine.x), mine.y).backward();
      check_close(gradients(*net), want);
    }
  });
}

TEST_CASE("a rank that has no more batches takes part with zeros") {
  for (bool by_all : {true, false})
    for (double cap : {25.0, 1e-9})
      for (bool strict : {false, true})
        run_threads(3, [&](const ProcessGroup& g) {
          Net net = make_net_on(g, 1), by_hand = make_net_on(g, 1);
          DistributedDataParallelOptions options;
          options.bucket_cap_mb = cap, options.strict = strict;
          DistributedDataParallel ddp(net, options);
          optim::SGD optimizer(net->parameters(), 0.1), other(by_hand->parameters(), 0.1);
          const int64_t last = 3;  // rank r has r + 1 batches, the last rank all of them
          JoinOptions how;
          how.divide_by_initial_world_size = by_all;
          for (int epoch = 0; epoch < 2; ++epoch) {
            ddp.join(
                [&] {
                  for (int64_t i = 0; i <= g->rank(); ++i) {
                    const Samples mine = batch_of(static_cast<uint64_t>(10 * i + g->rank()));
                    optimizer.zero_grad();
                    loss_of(ddp(mine.x), mine.y).backward();
                    optimizer.step();
                  }
                },
                how);
            for (int64_t i = 0; i < last; ++i) {
              other.zero_grad();
              for (int64_t r = i; r < 3; ++r) {
                const Samples theirs = batch_of(static_cast<uint64_t>(10 * i + r));
                const double share = 1.0 / static_cast<double>(by_all ? 3 : 3 - i);
                (loss_of(by_hand->forward(theirs.x), theirs.y) * share).backward();
              }
              other.step();
            }
            check_close(clones(net->parameters()), clones(by_hand->parameters()));
          }
        });
}

TEST_CASE("a rank without any batch gets the others' weights, buffers go on from a rank that trains") {
  run_threads(3, [&](const ProcessGroup& g) {
    Normed net;
    DistributedDataParallel ddp(net);
    optim::SGD optimizer(net->parameters(), 0.1);
    ddp.join([&] {
      for (int64_t i = 0; i < 2 * g->rank(); ++i) {
        optimizer.zero_grad();
        (ddp(arange(24, kFloat).reshape({4, 6}).sin()) * arange(4, kFloat)).square().sum().backward();
        optimizer.step();
      }
    });
    for (const std::vector<Tensor>& list : {net->parameters(), net->buffers()})
      for (const Tensor& t : list) {
        const Tensor all = distributed::all_gather_into_tensor(t.detach().reshape({1, -1}));
        for (int64_t r = 1; r < 3; ++r) expect(same_bits(all[r], all[0]), "the same on all ranks");
      }
    expect(net->norm->num_batches_tracked.item<int64_t>() == 4, "the batches of the last rank");
  });
}

TEST_CASE("all ranks end where the first one has no more batches, if that was asked for") {
  std::mutex mutex;
  std::vector<std::string> errors;
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    const Samples all = batch_of(1);
    JoinOptions how;
    how.throw_on_early_termination = true;
    try {
      ddp.join(
          [&] {
            for (int64_t i = 0; i <= g->rank(); ++i) loss_of(ddp(all.x), all.y).backward();
          },
          how);
    } catch (const Error& e) {
      const std::lock_guard lock(mutex);
      errors.push_back(e.what());
    }
  });
  CHECK(errors.size() == 2);
  for (const std::string& e : errors)
    CHECK_THAT(e, Catch::Matchers::StartsWith("join: 1 of 2 ranks have no more batches"));
}

TEST_CASE("gradients in bfloat16 and in half precision are near, and equal on all ranks") {
  const Samples all = batch(5);
  const std::vector<Tensor> want = whole(all);
  for (const auto& make : {distributed::bf16_compress, distributed::fp16_compress})
    for (double cap : {25.0, 1e-9})
      run_threads(2, [&](const ProcessGroup& g) {
        Net net = make_net_on(g, 1);
        DistributedDataParallelOptions options;
        options.bucket_cap_mb = cap;
        DistributedDataParallel ddp(net, options);
        ddp.register_comm_hook(make());
        const Samples mine = all.part(g->rank(), 2);
        for (int step = 0; step < 2; ++step) {
          net->zero_grad();
          loss_of(ddp(mine.x), mine.y).backward();
          const std::vector<Tensor> got = gradients(*net);
          for (size_t i = 0; i < got.size(); ++i) {
            expect(allclose(got[i], want[i], 0.02, 1e-3), "a gradient that is near");
            expect(!got[i].equal(want[i]), "one that was rounded");
            const Tensor ranks = distributed::all_gather_into_tensor(got[i].reshape({1, -1}));
            expect(same_bits(ranks[0], ranks[1]), "the same bits");
          }
        }
      });
}

TEST_CASE("PowerSGD is exact for what its matrices hold, and what it leaves out comes later") {
  run_threads(2, [&](const ProcessGroup& g) {
    Tensor weight = zeros({12, 10}, kDouble).requires_grad_(), bias = zeros({12}, kDouble).requires_grad_();
    OrderedDict<std::string, Tensor> parameters;
    parameters.insert("weight", weight), parameters.insert("bias", bias);
    distributed::Reducer reducer(parameters, {}, {});
    reducer.register_comm_hook(distributed::power_sgd({.rank = 1, .start_step = 1}));
    const Tensor u = arange(12, kDouble) - 3, v = (arange(10, kDouble) + 1).sin();
    const Tensor outer = u.unsqueeze(1) * v, diagonal = eye(12, 10, kDouble);
    const auto gradient_of = [&](const Tensor& slope) {
      weight.mutable_grad() = Tensor(), bias.mutable_grad() = Tensor();
      ((weight * slope * (1 + g->rank())).sum() + (bias * u).sum()).backward();
      return weight.grad().clone();
    };
    expect(allclose(gradient_of(diagonal), diagonal * 1.5), "an average at first");
    gradient_of(outer);  // buckets have their final order, and Q its direction, after this one
    expect(allclose(gradient_of(outer), outer * 1.5, 1e-6), "a matrix of rank 1");
    expect(allclose(bias.grad(), u), "a vector as it is");
    Tensor sum = zeros({12, 10}, kDouble);
    const int64_t steps = 200;
    for (int64_t i = 0; i < steps; ++i) sum += gradient_of(diagonal);
    const double left = (sum / static_cast<double>(steps) - diagonal * 1.5).norm().item<double>();
    expect(left < 0.2 * (diagonal * 1.5).norm().item<double>(), "nothing is lost for ever");
  });
}

}  // namespace strata
