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

TEST_CASE("the page about collectives: sharded training") {
  distributed::run_threads(2, [](const ProcessGroup& group) {
    nn::Sequential net(nn::Linear(8, 64), nn::ReLU(), nn::Linear(64, 1));
    nn::parallel::FullyShardedDataParallel fsdp(net,
                                                {.auto_wrap_policy = nn::parallel::module_wrap_policy<nn::Linear>()});
    optim::Adam optimizer(fsdp.parameters(), 1e-3);  // of the shards, not of net->parameters()

    fsdp(randn({16, 8})).square().mean().backward();
    optimizer.step();

    const auto state = fsdp.full_state_dict();  // by the names of `net`, on rank 0
    STRATA_CHECK(state.size() == (group->rank() == 0 ? 4U : 0U), "not the whole state");
  });
}

}  // namespace strata
