// The code that docs/distributed.md shows.
#include <strata/strata.h>

#include "test/catch.h"

namespace strata {

TEST_CASE("the page about collectives: ranks") {
  const auto normalised = [](Tensor x) { return x / func::psum(x.sum(), "ranks"); };
  const Tensor all = rand({4, 3}, kDouble);

  const Tensor mapped = vmap(normalised, {.axis_name = "ranks"})(all);  // the four examples are the ranks

  distributed::run_threads(
      4,
      [&](const ProcessGroup& group) {  // four threads are
        const Tensor mine = normalised(all[group->rank()]);
        STRATA_CHECK(mine.equal(mapped[group->rank()]), "rank {} differs", group->rank());
      },
      "ranks");
}

TEST_CASE("the page about collectives: gradients") {
  distributed::run_threads(2, [](const ProcessGroup& group) {
    const Tensor x = full({}, 3.0 + group->rank(), kDouble).requires_grad_();  // 3 and 4
    const Tensor y = distributed::all_reduce(x, ReduceOp::PRODUCT);            // 12 on both
    y.backward();
    STRATA_CHECK(x.grad().item<double>() == (group->rank() == 0 ? 8 : 6), "not the gradient");
  });
}

TEST_CASE("the page about collectives: logical shards") {
  const auto train = [](const ProcessGroup& group) {
    nn::Linear net(3, 1);
    for (const Tensor& p : net->parameters()) nn::init::constant_(p, 0.5);
    nn::parallel::DistributedDataParallelOptions options;
    options.group = group, options.logical_shards = 4;
    nn::parallel::DistributedDataParallel ddp(net, options);
    optim::Adam optimizer(net->parameters(), 0.1);
    for (int64_t step = 0; step < 3; ++step) {
      optimizer.zero_grad();
      const int64_t each = 4 / group->size();
      for (int64_t shard = group->rank() * each; shard < (group->rank() + 1) * each; ++shard) {
        const Tensor key = random::fold_in(random::fold_in(random::key(0), step), shard);
        ddp(random::normal(key, {8, 3})).square().mean().backward();  // the last one averages
      }
      optimizer.step();
    }
    return net->weight.detach().clone();
  };

  const Tensor alone = train(distributed::single_rank());
  distributed::run_threads(4, [&](const ProcessGroup& group) {
    STRATA_CHECK(train(group).equal(alone), "other bits on rank {} of 4", group->rank());
  });
}

}  // namespace strata
