// Data-parallel training gives the gradients of training on the whole batch at once, on any number of ranks.
#include <strata/strata.h>

#include <functional>
#include <memory>

#include "test/catch.h"
#include "test/distributed/training.h"

namespace strata {
namespace {

using distributed::run_threads;
using nn::parallel::DistributedDataParallel;
using nn::parallel::DistributedDataParallelOptions;

}  // namespace

TEST_CASE("gradients of all ranks are those of the whole batch, whatever the buckets, and weights begin as rank 0's") {
  const Samples all = batch(2);
  const std::vector<Tensor> want = whole(all);
  for (int64_t world : {1, 2, 3, 4})
    for (double cap : {25.0, 1e-3, 1e-9})
      run_threads(world, [&](const ProcessGroup& g) {
        Net net = make_net_on(g, 1 + static_cast<uint64_t>(g->rank()));
        DistributedDataParallelOptions options;
        options.bucket_cap_mb = cap;
        DistributedDataParallel ddp(net, options);
        const Samples mine = all.part(g->rank(), world);
        for (int step = 0; step < 3; ++step) {  // the second pass has other buckets than the first
          net->zero_grad(step == 1);
          loss_of(ddp(mine.x), mine.y).backward();
          check_close(gradients(*net), want);
        }
      });
}

TEST_CASE("steps on two ranks are steps on the whole batch") {
  const Samples all = batch(3);
  Net alone = make_net(1);
  optim::SGD one(alone->parameters(), optim::SGDOptions(0.1).momentum(0.9));
  for (int step = 0; step < 5; ++step) {
    one.zero_grad();
    loss_of(alone->forward(all.x), all.y).backward();
    one.step();
  }
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    optim::SGD optimizer(net->parameters(), optim::SGDOptions(0.1).momentum(0.9));
    const Samples mine = all.part(g->rank(), 2);
    for (int step = 0; step < 5; ++step) {
      optimizer.zero_grad();
      loss_of(ddp(mine.x), mine.y).backward();
      optimizer.step();
    }
    check_close(net->parameters(), alone->parameters());
  });
}

TEST_CASE("gradients made ahead of time are averaged as others are") {
  struct AheadImpl : nn::Module {
    explicit AheadImpl(const Net& of) : net(register_module("net", of)) {}
    Tensor forward(const Tensor& x) { return run(x); }
    Net net;
    decltype(aot(std::function<Tensor(const Tensor&)>())) run =
        aot(std::function<Tensor(const Tensor&)>([this](const Tensor& x) { return net->forward(x); }));
  };
  const Samples all = batch(2);
  const std::vector<Tensor> want = whole(all);
  run_threads(2, [&](const ProcessGroup& g) {
    const auto net = std::make_shared<AheadImpl>(make_net_on(g, 1));
    DistributedDataParallel ddp(net);
    const Samples mine = all.part(g->rank(), 2);
    for (int step = 0; step < 3; ++step) {
      net->zero_grad();
      loss_of(ddp(mine.x), mine.y).backward();
      check_close(gradients(*net->net), want);
      expect(net->net->parameters()[0].grad().is_view(), "a view of a bucket");
    }
  });
}

TEST_CASE("a gradient is a view of its bucket, and stays where it is") {
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    const Samples mine = batch(2).part(g->rank(), 2);
    std::vector<const void*> before;
    for (int step = 0; step < 6; ++step) {
      net->zero_grad(step > 3);
      loss_of(ddp(mine.x), mine.y).backward();
      std::vector<const void*> now;
      for (const Tensor& p : net->parameters()) {
        expect(p.grad().is_view(), "a view of a bucket");
        now.push_back(p.grad().data_ptr());
      }
      expect(step < 1 || now == before, "gradients where they were");
      before = now;
    }
  });
}

TEST_CASE("passes without synchronising add up, and the next one averages all of it") {
  const Samples one = batch(4), two = batch(5);
  Net alone = make_net(1);
  for (const Samples& b : {one, two}) loss_of(alone->forward(b.x), b.y).backward();
  run_threads(3, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    for (int round = 0; round < 3; ++round) {
      net->zero_grad(round == 1);
      {
        const auto guard = ddp.no_sync();
        const Samples mine = one.part(g->rank(), 3);
        loss_of(ddp(mine.x), mine.y).backward();
      }
      const Samples mine = two.part(g->rank(), 3);
      loss_of(ddp(mine.x), mine.y).backward();
      check_close(gradients(*net), gradients(*alone));
    }
  });
}

TEST_CASE("a parameter without gradient: on all ranks it keeps none, on some it counts as zeros there") {
  const Samples all = batch(6);
  const std::vector<Tensor> none = whole(all, false);
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    net->uses_second = false;
    DistributedDataParallel ddp(net);
    const Samples mine = all.part(g->rank(), 2);
    for (int step = 0; step < 2; ++step) {
      net->zero_grad();
      loss_of(ddp(mine.x), mine.y).backward();
      check_close(gradients(*net), none);
    }
    net->zero_grad();
    net->uses_second = g->rank() == 1;
    loss_of(ddp(mine.x), mine.y).backward();
    Net half = make_net_on(g, 1);  // by hand: rank 1's gradient and nothing, averaged
    half->uses_second = true;
    const Samples other = all.part(1, 2);
    loss_of(half->forward(other.x), other.y).backward();
    expect(allclose(net->second->weight.grad(), half->second->weight.grad() / 2, 1e-12, 1e-14), "half of it");
  });
  CHECK(error_of(2, [&](const ProcessGroup& g) {
          Net net = make_net_on(g, 1);
          net->uses_second = g->rank() == 0;
          DistributedDataParallelOptions options;
          options.strict = true;
          DistributedDataParallel ddp(net, options);
          loss_of(ddp(all.x), all.y).backward();
        }) == "DistributedDataParallel: parameter second.weight got no gradient on rank 1");
}

TEST_CASE("buffers are rank 0's before each forward pass that trains") {
  run_threads(2, [&](const ProcessGroup& g) {
    nn::BatchNorm1d norm(nn::BatchNorm1dOptions(4));
    DistributedDataParallel ddp(norm);
    const Tensor x = arange(8, kFloat).reshape({2, 4}) * (1 + g->rank());
    ddp(x).sum().backward();
    ddp(x * 0).sum().backward();
    norm->eval();
    Tensor mean = norm->running_mean.clone();
    const Tensor first = arange(4, kFloat) + 2;  // rank 0's mean after its first batch is a tenth of this
    expect(allclose(mean, first * 0.1 * 0.9), "rank 0's mean");
  });
}

TEST_CASE("parameters of several dtypes, shared ones, and those that need no gradient") {
  run_threads(2, [&](const ProcessGroup& g) {
    nn::Linear single(3, 3), twice(3, 3), fixed(3, 3);
    twice->to(kDouble);
    for (Tensor& p : fixed->parameters()) p.set_requires_grad(false);
    const auto holder = std::make_shared<nn::SequentialImpl>(single, twice, fixed);
    distributed::Reducer reducer(holder->named_parameters(), {}, {});
    const Tensor x = ones({2, 3}) * (g->rank() + 1);
    const Tensor h = single(x) + single(x * 2);  // used twice
    (h.sum().to(kDouble) + twice(x.to(kDouble)).sum() + fixed(x).sum()).backward();
    expect(allclose(single->weight.grad(), full({3, 3}, 2.0 * 3 * 1.5)), "the shared layer's sum");
    expect(allclose(twice->weight.grad(), full({3, 3}, 3.0, kDouble)), "the double layer's");
    expect(!fixed->weight.grad().defined(), "none where none is required");
  });
}

TEST_CASE("a checkpointed module is averaged too") {
  const Samples all = batch(7);
  const std::vector<Tensor> want = whole(all);
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    const Samples mine = all.part(g->rank(), 2);
    const Tensor x = mine.x.clone().requires_grad_();
    loss_of(strata::checkpoint([&](Tensor t) { return ddp(t); })(x), mine.y).backward();
    check_close(gradients(*net), want);
  });
}

TEST_CASE("ranks whose gradients come in different orders send the same buckets") {
  run_threads(3, [](const ProcessGroup& g) {
    nn::Linear first(4, 4), second(4, 4), third(4, 4);
    const auto holder = std::make_shared<nn::SequentialImpl>(first, second, third);
    holder->to(kDouble);
    distributed::ReducerOptions options;
    options.bucket_cap_mb = 1e-9;
    distributed::Reducer reducer(holder->named_parameters(), {}, options);
    const std::vector<nn::Linear> layers = {first, second, third};
    for (int step = 0; step < 3; ++step) {
      holder->zero_grad();
      Tensor sum = zeros({1, 4}, kDouble);  // what is added last has its gradients first
      for (int64_t i = 0; i < 3; ++i) {
        nn::Linear layer = layers[static_cast<size_t>((i + g->rank()) % 3)];
        sum = (sum + layer(ones({1, 4}, kDouble) * (g->rank() + 1))).tanh();
      }
      sum.sum().backward();
      std::vector<Tensor> got = gradients(*holder);
      for (const Tensor& t : got) {
        const Tensor ranks = distributed::all_gather_into_tensor(t.reshape({1, -1}));
        for (int64_t r = 1; r < 3; ++r) expect(same_bits(ranks[r], ranks[0]), "the same bits on all ranks");
      }
    }
  });
}

TEST_CASE("one huge parameter among many tiny ones") {
  run_threads(2, [](const ProcessGroup& g) {
    OrderedDict<std::string, Tensor> parameters;
    for (int i = 0; i < 40; ++i)
      parameters.insert("p" + std::to_string(i), zeros({i == 20 ? 300000 : 1 + i % 3}).requires_grad_());
    distributed::ReducerOptions options;
    options.bucket_cap_mb = 1e-4;
    distributed::Reducer reducer(parameters, {}, options);
    for (int step = 0; step < 3; ++step) {
      Tensor loss = zeros({});
      for (auto& item : parameters) {
        item.value().mutable_grad() = Tensor();
        loss = loss + (item.value() * (item.value().numel() * (1 + 2 * g->rank()))).sum();
      }
      loss.backward();
      for (auto& item : parameters) {
        const Tensor& p = item.value();
        expect(p.grad().equal(full_like(p, 2.0 * static_cast<double>(p.numel()))), "the average of " + item.key());
      }
    }
  });
}

TEST_CASE("gradients that the user put elsewhere go to their buckets again") {
  const Samples all = batch(8);
  const std::vector<Tensor> want = whole(all);
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    const Samples mine = all.part(g->rank(), 2);
    for (int step = 0; step < 4; ++step) {
      for (const Tensor& p : net->parameters()) {
        if (step == 1) p.mutable_grad() = zeros_like(p);
        if (step == 2) p.mutable_grad() = Tensor();
        if (step == 3) p.mutable_grad() = p.grad().clone() * 0;
      }
      loss_of(ddp(mine.x), mine.y).backward();
      check_close(gradients(*net), want);
      for (const Tensor& p : net->parameters()) expect(p.grad().is_view(), "a view of a bucket");
    }
  });
}

TEST_CASE("a rank that ends early, without join, is an error on the others") {
  const std::string error = error_of(2, [](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    const Samples mine = batch_of(2);
    for (int64_t i = 0; i <= g->rank(); ++i) loss_of(ddp(mine.x), mine.y).backward();
  });
  CHECK_THAT(error, Catch::Matchers::ContainsSubstring("rank 0 has ended already"));
}

TEST_CASE("steps have the same bits over runs and on all ranks, whatever the buckets") {
  std::vector<Tensor> first;
  for (double cap : {25.0, 25.0, 1e-4, 1e-9})
    run_threads(4, [&](const ProcessGroup& g) {
      Net net = make_net_on(g, 1);
      DistributedDataParallelOptions options;
      options.bucket_cap_mb = cap;
      DistributedDataParallel ddp(net, options);
      optim::SGD optimizer(net->parameters(), 0.1);
      const Samples mine = batch_of(9).part(g->rank(), 4);
      for (int step = 0; step < 5; ++step) {
        optimizer.zero_grad();
        loss_of(ddp(mine.x), mine.y).backward();
        optimizer.step();
      }
      if (g->rank() == 0 && first.empty()) first = clones(net->parameters());
      distributed::barrier();
      expect(same_bits(clones(net->parameters()), first), "the bits of the first run's rank 0");
    });
}

TEST_CASE("ranks with other models are told which parameter differs") {
  CHECK(error_of(2, [](const ProcessGroup& g) {
          nn::Linear net(3, g->rank() == 0 ? 2 : 4);
          DistributedDataParallel ddp(net);
        }).find("DistributedDataParallel: parameter 0 is not the same on rank 1 as on rank 0; on rank ") == 0);
  CHECK(error_of(2, [](const ProcessGroup& g) {
          nn::Linear net(nn::LinearOptions(3, 2).bias(g->rank() == 0));
          DistributedDataParallel ddp(net);
        }) == "DistributedDataParallel: rank 0 has 2 parameters, rank 1 has 1");
}

TEST_CASE("after a backward pass that threw there is none that would mix its gradients with the next ones") {
  run_threads(1, [](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    const Samples mine = batch(2);
    const auto error_of_pass = [&](bool throws) -> std::string {
      try {
        const Tensor x = mine.x.clone().requires_grad_(), y = ddp(x);
        if (throws) net->first->weight.register_hook([](const Tensor&) { STRATA_THROW("the hook broke"); });
        loss_of(y, mine.y).backward();
      } catch (const Error& e) {
        return e.what();
      }
      return "";
    };
    expect(error_of_pass(false).empty(), "a pass that ends well");
    expect(error_of_pass(true).find("the hook broke") != std::string::npos, "the hook's error");
    expect(error_of_pass(false).starts_with("DistributedDataParallel: an earlier backward pass threw on rank 0"),
           "an error that names the earlier one");
  });
}

TEST_CASE("a rank that throws in backward does not leave the others waiting") {
  CHECK(error_of(2, [](const ProcessGroup& g) {
          Net net = make_net_on(g, 1);
          DistributedDataParallel ddp(net);
          const Samples mine = batch(2);
          Tensor y = ddp(mine.x);
          if (g->rank() == 1) y.register_hook([](const Tensor&) { STRATA_THROW("the hook broke"); });
          loss_of(y, mine.y).backward();
        }).find("the hook broke") != std::string::npos);
}

}  // namespace strata
