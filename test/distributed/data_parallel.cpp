// Data-parallel training gives the gradients of training on the whole batch at once, on any number of ranks.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/distributed/training.h"

namespace strata {
namespace {

using distributed::run_threads;
using nn::parallel::DistributedDataParallel;
using nn::parallel::DistributedDataParallelOptions;

}  // namespace

TEST_CASE("gradients of all ranks are those of the whole batch, whatever the buckets, and weights begin as rank 0's") {
  const Batch all = batch(2);
  const std::vector<Tensor> want = whole(all);
  for (int64_t world : {1, 2, 3, 4})
    for (double cap : {25.0, 1e-3, 1e-9})
      run_threads(world, [&](const ProcessGroup& g) {
        Net net = make_net_on(g, 1 + static_cast<uint64_t>(g->rank()));
        DistributedDataParallelOptions options;
        options.bucket_cap_mb = cap;
        DistributedDataParallel ddp(net, options);
        const Batch mine = all.part(g->rank(), world);
        for (int step = 0; step < 3; ++step) {  // the second pass has other buckets than the first
          net->zero_grad(step == 1);
          loss_of(ddp(mine.x), mine.y).backward();
          check_close(gradients(*net), want);
        }
      });
}

TEST_CASE("steps on two ranks are steps on the whole batch") {
  const Batch all = batch(3);
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
    const Batch mine = all.part(g->rank(), 2);
    for (int step = 0; step < 5; ++step) {
      optimizer.zero_grad();
      loss_of(ddp(mine.x), mine.y).backward();
      optimizer.step();
    }
    check_close(net->parameters(), alone->parameters());
  });
}

TEST_CASE("a gradient is a view of its bucket, and stays where it is") {
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    const Batch mine = batch(2).part(g->rank(), 2);
    std::vector<const void*> before;
    for (int step = 0; step < 4; ++step) {
      net->zero_grad(false);
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
  const Batch one = batch(4), two = batch(5);
  Net alone = make_net(1);
  for (const Batch& b : {one, two}) loss_of(alone->forward(b.x), b.y).backward();
  run_threads(3, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    for (int round = 0; round < 3; ++round) {
      net->zero_grad(round == 1);
      {
        const auto guard = ddp.no_sync();
        const Batch mine = one.part(g->rank(), 3);
        loss_of(ddp(mine.x), mine.y).backward();
      }
      const Batch mine = two.part(g->rank(), 3);
      loss_of(ddp(mine.x), mine.y).backward();
      check_close(gradients(*net), gradients(*alone));
    }
  });
}

TEST_CASE("a parameter without gradient: on all ranks it keeps none, on some it counts as zeros there") {
  const Batch all = batch(6);
  const std::vector<Tensor> none = whole(all, false);
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    net->uses_second = false;
    DistributedDataParallel ddp(net);
    const Batch mine = all.part(g->rank(), 2);
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
    const Batch other = all.part(1, 2);
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
  const Batch all = batch(7);
  const std::vector<Tensor> want = whole(all);
  run_threads(2, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    DistributedDataParallel ddp(net);
    const Batch mine = all.part(g->rank(), 2);
    const Tensor x = mine.x.clone().requires_grad_();
    loss_of(checkpoint([&](Tensor t) { return ddp(t); })(x), mine.y).backward();
    check_close(gradients(*net), want);
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
    const Batch mine = batch(2);
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
          const Batch mine = batch(2);
          Tensor y = ddp(mine.x);
          if (g->rank() == 1) y.register_hook([](const Tensor&) { STRATA_THROW("the hook broke"); });
          loss_of(y, mine.y).backward();
        }).find("the hook broke") != std::string::npos);
}

}  // namespace strata
