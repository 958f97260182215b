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

TEST_CASE("the page about collectives: devices") {
  const Tensor x = ones({3}).to(cuda::is_available() ? kCUDA : kCPU);
  distributed::init_process_group({.backend = "cpu:gloo,cuda:nccl"});
  const Tensor sum = distributed::all_reduce(x);  // by NCCL, where x is on a GPU
  distributed::destroy_process_group();
  CHECK(sum.equal(x));
}

}  // namespace strata
