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

TEST_CASE("the page about collectives: sharded tensors and layers") {
  const Tensor x = arange(24, kDouble).reshape({4, 6}), w = arange(12, kDouble).reshape({2, 6});
  distributed::run_threads(2, [&](const ProcessGroup&) {
    using namespace distributed;
    const DeviceMesh mesh = init_device_mesh({2}, {"tensor"});
    const DTensor columns = distribute_tensor(w, mesh, {Shard(0)});  // the own (1, 6)
    const Tensor y = matmul(x, columns.to_local().t());              // the own (4, 1)
    const DTensor all = DTensor::from_local(y, mesh, {Shard(1)});    // of (4, 2)
    const DTensor rows = all.redistribute({Shard(0)});               // by an all_to_all: (2, 2)
    STRATA_CHECK(rows.full_tensor().equal(matmul(x, w.t())), "not the product");
    STRATA_CHECK(rows.to_local().sizes() == IntArrayRef({2, 2}), "not the own rows");

    using namespace nn::parallel;
    ColumnParallelLinear up(ColumnParallelLinearOptions(6, 8).gather_output(false).group(mesh.get_group("tensor")));
    RowParallelLinear down(RowParallelLinearOptions(8, 6).input_is_parallel(true).group(mesh.get_group("tensor")));
    const Tensor out = down(up(x.to(kFloat)).relu());  // one all_reduce, and one more in backward
    STRATA_CHECK(out.sizes() == IntArrayRef({4, 6}), "all features on each rank");
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

TEST_CASE("the page about collectives: devices") {
  const Tensor x = ones({3}).to(cuda::is_available() ? kCUDA : kCPU);
  distributed::init_process_group({.backend = "cpu:gloo,cuda:nccl"});
  const Tensor sum = distributed::all_reduce(x);  // by NCCL, where x is on a GPU
  distributed::destroy_process_group();
  CHECK(sum.equal(x));
}

}  // namespace strata
