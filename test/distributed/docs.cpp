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

TEST_CASE("the page about collectives: meshes and shard_map") {
  manual_seed(0);
  const Tensor x = randn({4, 6}, kDouble), w = randn({6, 3}, kDouble);
  distributed::run_threads(4, [&](const ProcessGroup&) {
    const DeviceMesh mesh = distributed::init_device_mesh({2, 2}, {"data", "tensor"});
    using func::P;
    const auto blocks = [](Tensor rows, Tensor part) {  // (2, 3) and (3, 3) on each of the four
      return func::psum(matmul(rows, part), "tensor");
    };
    const auto product = func::shard_map(blocks, mesh, {P{"data", "tensor"}, P{"tensor"}}, P{"data"});
    STRATA_CHECK(allclose(product(x, w), matmul(x, w), 1e-12), "not the product");
    const Tensor slope = grad([&](Tensor t) { return product(x, t).sum(); })(w);  // the whole one, on each rank
    STRATA_CHECK(allclose(slope, x.sum(0).unsqueeze(1).expand({6, 3}), 1e-12), "not the gradient");
  });
}

}  // namespace strata
