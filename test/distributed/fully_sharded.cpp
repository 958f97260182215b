// Training with sharded parameters is training on the whole batch at once, with a part of the memory on each rank.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/distributed/training.h"

namespace strata {
namespace {

using distributed::run_threads;
using nn::parallel::FullyShardedDataParallel;
using nn::parallel::FullyShardedDataParallelOptions;
using nn::parallel::module_wrap_policy;
using nn::parallel::ShardingStrategy;
using nn::parallel::size_based_auto_wrap_policy;

/// Odd sizes, a parameter of no dims, one that two modules share, a frozen one and one that nothing uses.
struct OddNetImpl : nn::Module {
  explicit OddNetImpl(int64_t width = 7) {
    first = register_module("first", nn::Linear(5, width));
    blocks = register_module("blocks", nn::Sequential(nn::Linear(width, width), nn::Tanh(), nn::Linear(width, width)));
    last = register_module("last", nn::Linear(width, 3));
    scale = register_parameter("scale", ones({}));
    tied = register_parameter("tied", first->weight);
    unused = register_parameter("unused", ones({5}));
    register_buffer("steps", zeros({}));
    to(kDouble);
    blocks->ptr<nn::LinearImpl>(0)->weight.requires_grad_(false);
  }
  Tensor forward(const Tensor& x) {
    const Tensor h = blocks(tanh(first(x)));
    return last(tanh(h)) * scale + tanh(matmul(h, tied)).sum(1, true);
  }
  nn::Linear first{nullptr}, last{nullptr};
  nn::Sequential blocks{nullptr};
  Tensor scale, tied, unused;
};
STRATA_MODULE(OddNet);

Samples odd_samples() {
  manual_seed(7);
  return {randn({24, 5}, kDouble), randn({24, 3}, kDouble)};
}

/// The generator belongs to the process, so all nets are made before the ranks begin.
std::vector<OddNet> nets(int64_t world, int64_t width = 7) {
  std::vector<OddNet> list;
  for (int64_t r = 0; r < world; ++r) {
    manual_seed(1 + static_cast<uint64_t>(r));
    list.emplace_back(width);
  }
  return list;
}

using State = OrderedDict<std::string, Tensor>;
void check_close(const State& got, const nn::Module& want, double tolerance = 1e-12) {
  for (const auto& item : want.named_parameters())
    expect(allclose(got[item.key()], item.value().detach(), tolerance, tolerance), "equal values of " + item.key());
}

template <class Optimizer, class Options>
OddNet trained_alone(const Options& options, int steps = 20) {
  OddNet net = nets(1)[0];
  Optimizer optimizer(net->parameters(), options);
  const Samples all = odd_samples();
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    loss_of(net->forward(all.x), all.y).backward();
    optimizer.step();
  }
  return net;
}

template <class Optimizer, class Options>
void check_training(int64_t world, const Options& optimizer_options, const FullyShardedDataParallelOptions& options,
                    const nn::Module& want) {
  const std::vector<OddNet> all_nets = nets(world);
  const Samples all = odd_samples();
  run_threads(world, [&](const ProcessGroup& g) {
    FullyShardedDataParallel fsdp(all_nets[static_cast<size_t>(g->rank())], options);
    Optimizer optimizer(fsdp.parameters(), optimizer_options);
    const Samples mine = all.part(g->rank(), world);
    for (int step = 0; step < 20; ++step) {
      optimizer.zero_grad();
      loss_of(fsdp(mine.x), mine.y).backward();
      expect(fsdp.sharder().gathered_bytes() == 0, "nothing stays gathered");
      optimizer.step();
    }
    const State state = fsdp.full_state_dict();
    expect(state.is_empty() == (g->rank() != 0), "the whole state is on rank 0 alone");
    if (g->rank() == 0) check_close(state, want);
  });
}

std::vector<FullyShardedDataParallelOptions> ways() {
  std::vector<FullyShardedDataParallelOptions> list(7);
  list[1].auto_wrap_policy = module_wrap_policy<nn::Linear>();
  list[2].auto_wrap_policy = module_wrap_policy<nn::Linear, nn::Sequential>();
  list[2].sharding_strategy = ShardingStrategy::SHARD_GRAD_OP;
  list[3].auto_wrap_policy = size_based_auto_wrap_policy(40);
  list[3].forward_prefetch = list[3].backward_prefetch = false;
  list[4].sharding_strategy = ShardingStrategy::SHARD_GRAD_OP;
  list[5] = list[1];
  list[5].sharding_strategy = ShardingStrategy::NO_SHARD;
  list[6].sharding_strategy = ShardingStrategy::NO_SHARD;
  return list;
}

/// Two units of equal size, which ranks may run in either order.
struct TwinsImpl : nn::Module {
  Tensor forward(const Tensor& x) { return swapped ? second(first(x)) : first(second(x)); }
  nn::Linear first = register_module("first", nn::Linear(5, 5)), second = register_module("second", nn::Linear(5, 5));
  bool swapped = false;
};
STRATA_MODULE(Twins);

}  // namespace

TEST_CASE("twenty steps with sharded parameters are those on the whole batch by one process") {
  const auto sgd = optim::SGDOptions(0.1).momentum(0.9);
  const auto adam = optim::AdamOptions(1e-2);
  const OddNet by_sgd = trained_alone<optim::SGD>(sgd), by_adam = trained_alone<optim::Adam>(adam);
  for (int64_t world : {1, 2, 3, 4})
    for (const FullyShardedDataParallelOptions& way : ways()) {
      check_training<optim::SGD>(world, sgd, way, *by_sgd);
      check_training<optim::Adam>(world, adam, way, *by_adam);
    }
}

TEST_CASE("units are what the policy chooses, and the root takes the rest") {
  run_threads(1, [](const ProcessGroup&) {
    const auto units = [](const distributed::AutoWrapPolicy& policy) {
      return FullyShardedDataParallel(OddNet(), {.auto_wrap_policy = policy}).sharder().num_units();
    };
    expect(units(nullptr) == 1, "one unit without a policy");
    expect(units(module_wrap_policy<nn::Linear>()) == 5, "each Linear");
    expect(units(size_based_auto_wrap_policy(50)) == 3, "two of the Linear modules have fifty numbers");
    FullyShardedDataParallel fsdp(OddNet(), {.auto_wrap_policy = module_wrap_policy<nn::Linear>()});
    const State state = fsdp.sharded_state_dict();
    expect(state["first._flat_param"].numel() == 7, "the weight that `first` shares belongs to the root");
    expect(state["blocks.0._flat_param"].numel() == 49 && state["blocks.0._flat_param_1"].numel() == 7,
           "frozen parameters are apart");
  });
}

TEST_CASE("a unit has memory only while it computes") {
  const std::vector<OddNet> all_nets = nets(2, 63);
  const Samples all = odd_samples();
  run_threads(2, [&](const ProcessGroup& g) {
    OddNet net = all_nets[static_cast<size_t>(g->rank())];
    FullyShardedDataParallel fsdp(
        net,
        {.auto_wrap_policy = module_wrap_policy<nn::Linear>(), .forward_prefetch = false, .backward_prefetch = false});
    const size_t root = (5 * 63 + 1 + 5) * 8, widest = (63 * 63 + 63) * 8, slack = 5 * 16;
    size_t most = 0, calls = 0;
    const auto look = [&](nn::Module&) {
      most = std::max(most, fsdp.sharder().gathered_bytes());
      ++calls;
    };
    for (const auto& module : net->modules(false)) {
      module->register_forward_pre_hook(look);
      module->register_forward_hook(look);
    }
    const Samples mine = all.part(g->rank(), 2);
    for (int step = 0; step < 2; ++step) {
      const Tensor hidden = fsdp(mine.x);
      expect(fsdp.sharder().gathered_bytes() == 0, "all is freed after forward");
      hidden.register_hook(
          [&](const Tensor&) { expect(fsdp.sharder().gathered_bytes() == 0, "backward begins without any"); });
      loss_of(hidden, mine.y).backward();
      expect(fsdp.sharder().gathered_bytes() == 0, "all is freed after backward");
    }
    expect(calls == 24, "hooks around each of six modules");
    expect(most >= widest && most <= root + widest + slack, "one unit at a time, beside the root");
    for (const Tensor& p : net->parameters()) expect(!p.grad().defined(), "gradients belong to the shards");
    bool threw = false;
    try {
      net->last->weight.sum();
    } catch (const Error&) {
      threw = true;
    }
    expect(threw, "a parameter that has no memory cannot be used");
  });
}

TEST_CASE("gradients add up over passes, with and without averaging each") {
  const Samples all = odd_samples();
  for (bool averages_each : {true, false}) {
    OddNet alone = nets(1)[0];
    for (int64_t half : {0, 1}) loss_of(alone->forward(all.part(half, 2).x), all.part(half, 2).y).backward();
    {
      optim::SGD one(alone->parameters(), 0.1);
      one.step();
    }
    const std::vector<OddNet> all_nets = nets(3);
    run_threads(3, [&](const ProcessGroup& g) {
      FullyShardedDataParallel fsdp(all_nets[static_cast<size_t>(g->rank())],
                                    {.auto_wrap_policy = module_wrap_policy<nn::Linear>()});
      optim::SGD optimizer(fsdp.parameters(), 0.1);
      const auto pass = [&](int64_t half) {
        const Samples mine = all.part(half, 2).part(g->rank(), 3);
        loss_of(fsdp(mine.x), mine.y).backward();
      };
      if (averages_each) {
        pass(0);
      } else {
        const auto guard = fsdp.no_sync();
        pass(0);
        for (const Tensor& shard : fsdp.parameters()) expect(!shard.grad().defined(), "no gradient before the average");
      }
      pass(1);
      optimizer.step();
      const State state = fsdp.full_state_dict();
      if (g->rank() == 0) check_close(state, *alone);
    });
  }
}

TEST_CASE("two forward passes before one backward, and a pass without gradients between") {
  const Samples all = odd_samples();
  OddNet alone = nets(1)[0];
  (loss_of(alone->forward(all.x), all.y) + loss_of(alone->forward(all.x * 2), all.y)).backward();
  {
    optim::SGD one(alone->parameters(), 0.1);
    one.step();
  }
  for (const FullyShardedDataParallelOptions& way : ways()) {
    const std::vector<OddNet> all_nets = nets(2);
    run_threads(2, [&](const ProcessGroup& g) {
      FullyShardedDataParallel fsdp(all_nets[static_cast<size_t>(g->rank())], way);
      optim::SGD optimizer(fsdp.parameters(), 0.1);
      const Samples mine = all.part(g->rank(), 2);
      const Tensor first = loss_of(fsdp(mine.x), mine.y);
      const Tensor second = loss_of(fsdp(mine.x * 2), mine.y);
      {
        const NoGradGuard no_grad;
        expect(loss_of(fsdp(mine.x), mine.y).equal(first), "the same loss without gradients");
      }
      (first + second).backward();
      optimizer.step();
      const State state = fsdp.full_state_dict();
      if (g->rank() == 0) check_close(state, *alone);
    });
  }
}

TEST_CASE("a whole state fits any number of ranks, a sharded one its own") {
  const OddNet source = nets(1)[0];
  State saved = source->named_parameters();
  saved.update(source->named_buffers());
  for (int64_t world : {1, 3}) {
    const std::vector<OddNet> others = nets(world + 1);
    run_threads(world, [&](const ProcessGroup& g) {
      FullyShardedDataParallel fsdp(others[static_cast<size_t>(g->rank() + 1)],
                                    {.auto_wrap_policy = module_wrap_policy<nn::Linear>()});
      fsdp.load_full_state_dict(g->rank() == 0 ? saved : State());
      const State shards = fsdp.sharded_state_dict();
      for (const Tensor& shard : fsdp.parameters()) shard.detach().zero_();
      fsdp.load_sharded_state_dict(shards);
      const State state = fsdp.full_state_dict();
      if (g->rank() == 0) check_close(state, *source, 0);
      bool threw = false;
      try {
        fsdp.load_full_state_dict(State());
      } catch (const Error& e) {
        threw = std::string(e.what()).find("load_full_state_dict") != std::string::npos;
      }
      expect(threw, "an error on all ranks");
    });
  }
}

TEST_CASE("gradients are clipped by their norm over all ranks") {
  const Samples all = odd_samples();
  OddNet alone = nets(1)[0];
  loss_of(alone->forward(all.x), all.y).backward();
  const double norm = nn::utils::clip_grad_norm_(alone->parameters(), 0.01);
  const std::vector<OddNet> all_nets = nets(3);
  run_threads(3, [&](const ProcessGroup& g) {
    FullyShardedDataParallel fsdp(all_nets[static_cast<size_t>(g->rank())]);
    const Samples mine = all.part(g->rank(), 3);
    loss_of(fsdp(mine.x), mine.y).backward();
    expect(std::abs(fsdp.clip_grad_norm_(0.01).item<double>() - norm) < 1e-12, "the norm of one process");
    expect(std::abs(fsdp.clip_grad_norm_(1).item<double>() - 0.01) < 1e-5, "the norm asked for");
  });
}

TEST_CASE("mixed precision computes in one dtype, averages in another and steps in the parameters' own") {
  const std::vector<OddNet> all_nets = nets(2);
  const OddNet want = trained_alone<optim::SGD>(optim::SGDOptions(0.05), 1);
  const Samples all = odd_samples();
  run_threads(2, [&](const ProcessGroup& g) {
    FullyShardedDataParallelOptions options;
    options.auto_wrap_policy = module_wrap_policy<nn::Linear>();
    options.mixed_precision = {.param_dtype = kFloat, .reduce_dtype = kDouble, .buffer_dtype = kFloat};
    FullyShardedDataParallel fsdp(all_nets[static_cast<size_t>(g->rank())], options);
    expect(fsdp.module()->buffers()[0].dtype() == kFloat, "buffers have the buffer_dtype");
    optim::SGD optimizer(fsdp.parameters(), 0.05);
    const Samples mine = all.part(g->rank(), 2);
    const Tensor y = fsdp(mine.x);
    expect(y.dtype() == kFloat, "activations have the param_dtype");
    loss_of(y, mine.y.to(kFloat)).backward();
    for (const Tensor& shard : fsdp.parameters())
      expect(shard.dtype() == kDouble && (!shard.grad().defined() || shard.grad().dtype() == kDouble),
             "shards in double");
    optimizer.step();
    const State state = fsdp.full_state_dict();
    if (g->rank() == 0) check_close(state, *want, 1e-5);
  });
}

TEST_CASE("a pass that throws says so to the next one") {
  const Samples all = odd_samples();
  const std::vector<OddNet> all_nets = nets(2);
  run_threads(2, [&](const ProcessGroup& g) {
    FullyShardedDataParallel fsdp(all_nets[static_cast<size_t>(g->rank())]);
    const Samples mine = all.part(g->rank(), 2);
    const auto error_of = [&](const Tensor& x) {
      try {
        fsdp(x);
      } catch (const Error& e) {
        return std::string(e.what());
      }
      return std::string();
    };
    expect(!error_of(mine.y).empty(), "an input of another shape");
    expect(error_of(mine.x).find("an earlier pass threw") != std::string::npos, "no pass after it");
  });
}

TEST_CASE("ranks that run equal units in another order are told") {
  std::vector<Twins> twins(2);
  twins[1]->swapped = true;
  std::string error;
  try {
    run_threads(2, [&](const ProcessGroup& g) {
      FullyShardedDataParallel fsdp(twins[static_cast<size_t>(g->rank())],
                                    {.auto_wrap_policy = module_wrap_policy<nn::Linear>()});
      fsdp(ones({2, 5})).sum().backward();
    });
  } catch (const Error& e) {
    error = e.what();
  }
  CHECK_THAT(error, Catch::Matchers::ContainsSubstring("rank 1 ran its units in another order than rank 0"));
}

TEST_CASE("an optimizer whose state is spread over the ranks takes the steps of one that has all of it") {
  const auto options = optim::AdamOptions(1e-2);
  const OddNet want = trained_alone<optim::Adam>(options);
  const Samples all = odd_samples();
  for (int64_t world : {1, 2, 3, 4}) {
    const std::vector<OddNet> all_nets = nets(world);
    run_threads(world, [&](const ProcessGroup& g) {
      const OddNet& net = all_nets[static_cast<size_t>(g->rank())];
      nn::parallel::DistributedDataParallel ddp(net);
      optim::ZeroRedundancyOptimizer<optim::Adam> optimizer(net->parameters(), options);
      const Samples mine = all.part(g->rank(), world);
      for (int step = 0; step < 20; ++step) {
        optimizer.zero_grad();
        loss_of(ddp(mine.x), mine.y).backward();
        optimizer.step();
      }
      check_close(net->named_parameters(), *want);
      const Tensor kept = full({}, static_cast<int64_t>(optimizer.optim().state().size()), kLong);
      const auto sum = distributed::all_reduce(kept).item<int64_t>(),
                 most = distributed::all_reduce(kept, ReduceOp::MAX).item<int64_t>();
      expect(sum == 8, "each parameter with a gradient has its state on one rank");
      expect(world == 1 || most < 8, "no rank has all");
    });
  }
}

}  // namespace strata
