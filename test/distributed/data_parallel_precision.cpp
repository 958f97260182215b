// Data-parallel training whose graph is the same in each pass, and in mixed precision.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/distributed/training.h"

namespace strata {
namespace {

using distributed::run_threads;
using nn::parallel::DistributedDataParallel;
using nn::parallel::DistributedDataParallelOptions;

/// Its blocks are checkpointed one by one, and the second one runs twice.
struct CheckpointedImpl : nn::Module {
  CheckpointedImpl() {
    first = register_module("first", nn::Linear(6, 8));
    second = register_module("second", nn::Linear(8, 8));
    last = register_module("last", nn::Linear(8, 3));
    spare = register_module("spare", nn::Linear(2, 2));
    to(kDouble);
  }
  Tensor block(nn::Linear& layer, const Tensor& x) const {
    if (!is_checkpointed) return tanh(layer(x));
    return strata::checkpoint([&layer](Tensor t) { return tanh(layer(t)); })(x);
  }
  Tensor forward(const Tensor& x) {
    const Tensor h = block(second, block(second, tanh(first(x))));
    return uses_last ? block(last, h) : h.narrow(1, 0, 3);
  }
  nn::Linear first{nullptr}, second{nullptr}, last{nullptr}, spare{nullptr};
  bool is_checkpointed = true, uses_last = true;
};
STRATA_MODULE(Checkpointed);

/// The generator belongs to the process, so all are made before the ranks begin.
std::vector<Checkpointed> make_checkpointed(int64_t count) {
  std::vector<Checkpointed> list;
  for (int64_t i = 0; i < count; ++i) {
    manual_seed(3);
    list.emplace_back();
  }
  return list;
}

DistributedDataParallelOptions with_static_graph(double cap = 25) {
  DistributedDataParallelOptions options;
  options.static_graph = true, options.bucket_cap_mb = cap;
  return options;
}

void check_near(const std::vector<Tensor>& got, const std::vector<Tensor>& want, double tolerance) {
  expect(got.size() == want.size(), "as many parameters");
  for (size_t i = 0; i < got.size(); ++i) {
    const std::string which = " of parameter " + std::to_string(i);
    expect(got[i].defined() && got[i].dtype() == want[i].dtype(), "the parameters' dtype" + which);
    expect((got[i] - want[i]).norm().item<double>() <= tolerance * want[i].norm().item<double>(),
           "a near value" + which);
  }
}

}  // namespace

TEST_CASE("a static graph: parameters used twice in checkpointed blocks, and one that nobody uses") {
  const Samples all = batch(2);
  std::vector<Checkpointed> nets = make_checkpointed(4);
  Checkpointed alone = nets.back();
  alone->is_checkpointed = false;
  loss_of(alone->forward(all.x), all.y).backward();
  const std::vector<Tensor> want = gradients(*alone);
  for (double cap : {25.0, 1e-9}) {
    nets = make_checkpointed(3);
    run_threads(3, [&](const ProcessGroup& g) {
      Checkpointed net = nets[static_cast<size_t>(g->rank())];
      DistributedDataParallel ddp(net, with_static_graph(cap));
      const Samples mine = all.part(g->rank(), 3);
      for (int step = 0; step < 4; ++step) {
        net->zero_grad(step != 2);
        const Tensor x = mine.x.clone().requires_grad_();
        loss_of(ddp(x), mine.y).backward();
        check_close(gradients(*net), want);
      }
    });
  }
}

TEST_CASE("in a static graph no numbers travel behind the gradients") {
  struct Counting final : distributed::CommHook {
    std::shared_ptr<Work> start(const distributed::GradBucket& bucket) override {
      numbers.push_back(bucket.buffer.numel());
      struct Done final : Work {
        void wait() override {}
      };
      return std::make_shared<Done>();
    }
    std::vector<int64_t> numbers;
  };
  run_threads(1, [](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net, with_static_graph());
    const auto hook = std::make_shared<Counting>();
    ddp.register_comm_hook(hook);
    int64_t numbers = 0, parameters = 0;
    for (const Tensor& p : net->parameters()) numbers += p.numel(), ++parameters;
    const Samples mine = batch(2);
    for (int step = 0; step < 2; ++step) loss_of(ddp(mine.x), mine.y).backward();
    expect(hook->numbers == std::vector<int64_t>{numbers + parameters, numbers}, "the gradients alone");
  });
}

TEST_CASE("a graph that was said to be static and is not: the error names the parameter") {
  const Samples all = batch(2);
  for (bool first_uses : {true, false}) {
    const std::vector<Checkpointed> nets = make_checkpointed(2);
    const std::string error = error_of(2, [&](const ProcessGroup& g) {
      Checkpointed net = nets[static_cast<size_t>(g->rank())];
      net->is_checkpointed = false;
      DistributedDataParallel ddp(net, with_static_graph());
      for (int step = 0; step < 2; ++step) {
        net->zero_grad();
        net->uses_last = (step == 0) == first_uses || g->rank() == 0;
        loss_of(ddp(all.x), all.y).backward();
      }
    });
    const std::string counts = first_uses ? "0 gradients in a pass on rank 1, and 1 in the first one"
                                          : "1 gradients in a pass on rank 1, and 0 in the first one";
    CHECK_THAT(error, Catch::Matchers::ContainsSubstring("DistributedDataParallel: parameter last.") &&
                          Catch::Matchers::ContainsSubstring(counts));
  }
}

TEST_CASE("a static graph whose parameter one rank alone uses, and steps without averaging") {
  const Samples all = batch(6);
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1), by_hand = make_net_on(g, 1);
    net->uses_second = by_hand->uses_second = g->rank() == 1;
    DistributedDataParallel ddp(net, with_static_graph());
    const Samples mine = all.part(g->rank(), 2);
    loss_of(by_hand->forward(mine.x), mine.y).backward();
    for (int step = 0; step < 3; ++step) {
      net->zero_grad();
      if (step == 1) {
        const auto guard = ddp.no_sync();
        loss_of(ddp(mine.x), mine.y).backward();
      }
      loss_of(ddp(mine.x), mine.y).backward();
      for (size_t i = 0; i < net->parameters().size(); ++i) {
        const Tensor own = by_hand->parameters()[i].grad();
        const Tensor sum = distributed::all_reduce(own.defined() ? own : zeros_like(net->parameters()[i]));
        expect(allclose(net->parameters()[i].grad(), sum.detach() * (step == 1 ? 1.0 : 0.5), 1e-12, 1e-14),
               "the average of " + std::to_string(i));
      }
    }
  });
}

TEST_CASE("mixed precision: passes in one dtype, averages in another, the optimizer in the parameters' own") {
  const Samples all = batch(3);
  Net alone = make_net(1);
  optim::SGD one(alone->parameters(), optim::SGDOptions(0.1).momentum(0.9));
  for (int step = 0; step < 5; ++step) {
    one.zero_grad();
    loss_of(alone->forward(all.x), all.y).backward();
    one.step();
  }
  using Precision = distributed::MixedPrecision;
  const Precision same_reduction{.param_dtype = kFloat}, wide{.param_dtype = kFloat, .reduce_dtype = kDouble},
      narrow{.param_dtype = kFloat, .reduce_dtype = kFloat}, reduction{.reduce_dtype = kFloat};
  for (const Precision& precision : {same_reduction, wide, narrow, reduction})
    for (double cap : {25.0, 1e-9})
      run_threads(2, [&](const ProcessGroup& g) {
        Net net = make_net_on(g, 1);
        DistributedDataParallelOptions options;
        options.mixed_precision = precision, options.bucket_cap_mb = cap;
        DistributedDataParallel ddp(net, options);
        optim::SGD optimizer(net->parameters(), optim::SGDOptions(0.1).momentum(0.9));
        const Samples mine = all.part(g->rank(), 2);
        for (int step = 0; step < 5; ++step) {
          optimizer.zero_grad(step != 3);
          const Tensor y = ddp(mine.x);
          expect(y.dtype() == precision.param_dtype.value_or(kDouble), "activations of the param_dtype");
          loss_of(y, mine.y.to(y.dtype())).backward();
          for (const Tensor& p : net->parameters())
            expect(p.dtype() == kDouble && p.grad().dtype() == kDouble, "doubles for the optimizer");
          optimizer.step();
        }
        check_near(clones(net->parameters()), clones(alone->parameters()), 1e-5);
      });
}

TEST_CASE("mixed precision in bfloat16 is coarse, its sums in float are not") {
  const Samples all = batch(3);
  const std::vector<Tensor> want = whole(all);
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallelOptions options;
    options.mixed_precision = {.param_dtype = kBFloat16, .reduce_dtype = kFloat};
    DistributedDataParallel ddp(net, options);
    const Samples mine = all.part(g->rank(), 2);
    loss_of(ddp(mine.x), mine.y.to(kBFloat16)).backward();
    check_near(gradients(*net), want, 0.05);
  });
}

TEST_CASE("mixed precision: what no_sync adds up, passes without gradients, and buffers") {
  const Samples one = batch(4), two = batch(5);
  Net alone = make_net(1);
  for (const Samples& b : {one, two}) loss_of(alone->forward(b.x), b.y).backward();
  run_threads(3, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    net->register_buffer("statistics", zeros({4}, kDouble));
    net->register_buffer("count", zeros({}, kLong));
    DistributedDataParallelOptions options;
    options.mixed_precision = {.param_dtype = kFloat, .buffer_dtype = kFloat};
    DistributedDataParallel ddp(net, options);
    expect(net->buffers()[0].dtype() == kFloat && net->buffers()[1].dtype() == kLong, "floating point buffers");
    const std::vector<Tensor> before = clones(net->parameters());
    for (int round = 0; round < 2; ++round) {
      net->zero_grad(round == 1);
      const auto pass = [&](const Samples& b) {
        const Samples mine = b.part(g->rank(), 3);
        loss_of(ddp(mine.x), mine.y.to(kFloat)).backward();
      };
      {
        const auto guard = ddp.no_sync();
        pass(one);
        for (const Tensor& p : net->parameters()) expect(p.grad().dtype() == kDouble, "a gradient of the own dtype");
      }
      {
        const NoGradGuard no_grad;
        expect(ddp(one.x).dtype() == kFloat, "an activation of the param_dtype");
      }
      expect(same_bits(clones(net->parameters()), before), "parameters as they were");
      pass(two);
      check_near(gradients(*net), gradients(*alone), 1e-5);
    }
  });
}

TEST_CASE("mixed precision: a forward pass within another's backward, or that throws, or inside of a checkpoint") {
  const Samples all = batch(3);
  const std::vector<Tensor> want = whole(all);
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    const std::vector<Tensor> before = clones(net->parameters());
    const auto is_as_before = [&] { return same_bits(clones(net->parameters()), before); };
    DistributedDataParallelOptions options;
    options.mixed_precision = {.param_dtype = kFloat, .reduce_dtype = kDouble};
    DistributedDataParallel ddp(net, options);
    const Samples mine = all.part(g->rank(), 2);
    const auto throws = [](const auto& f) {
      try {
        f();
      } catch (const Error&) {
        return true;
      }
      return false;
    };
    expect(throws([&] { ddp(mine.y); }), "an input of another shape");
    expect(is_as_before(), "the own values after a forward pass that threw");
    {
      const auto guard = ddp.no_sync();
      const Tensor y = ddp(mine.x);
      const HookHandle hook = net->first->weight.register_hook([](const Tensor&) { STRATA_THROW("the hook broke"); });
      expect(throws([&] { loss_of(y, mine.y.to(kFloat)).backward(); }), "a hook that breaks");
      net->first->weight.remove_hook(hook);
      expect(is_as_before(), "the own values after a backward pass that threw");
    }
    for (int step = 0; step < 3; ++step) {
      net->zero_grad();
      const Tensor x = mine.x.clone().requires_grad_();
      const Tensor y = step == 1 ? strata::checkpoint([&](Tensor t) { return ddp(t); })(x) : ddp(x);
      {
        const NoGradGuard no_grad;
        ddp(mine.x);
      }
      loss_of(y, mine.y.to(kFloat)).backward();
      check_near(gradients(*net), want, 1e-5);
      expect(is_as_before(), "the own values");
    }
  });
}

TEST_CASE("what logical shards and join do not go with") {
  const auto error = [](const DistributedDataParallelOptions& options, bool joins) {
    return error_of(1, [&](const ProcessGroup& g) {
      Net net = make_net_on(g, 1);
      DistributedDataParallel ddp(net, options);
      if (joins) ddp.join([] {});
    });
  };
  DistributedDataParallelOptions shards, mixed;
  shards.logical_shards = 2, shards.static_graph = true;
  mixed.logical_shards = 2, mixed.mixed_precision.param_dtype = kFloat;
  const char* const neither =
      "DistributedDataParallel: logical_shards go with neither static_graph nor mixed_precision";
  CHECK(error(shards, false) == neither);
  CHECK(error(mixed, false) == neither);
  CHECK(error(with_static_graph(), true) == "join: a rank that has ended has no static graph; leave static_graph away");
}

}  // namespace strata
