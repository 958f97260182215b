// What some ranks save, any number of ranks loads, and training goes on with the same bits.
#include <set>

#include "test/catch.h"
#include "test/distributed/checkpoint_files.h"
#include "test/distributed/checkpoint_net.h"

namespace strata {
namespace {

using distributed::run_threads;
namespace checkpoint = distributed::checkpoint;
using nn::parallel::FullyShardedDataParallel;
using nn::parallel::FullyShardedDataParallelOptions;
using nn::parallel::module_wrap_policy;

const FullyShardedDataParallelOptions kByLinear = {.auto_wrap_policy = module_wrap_policy<nn::Linear>()};

/// One step of training on this rank's part of the batch; the loss.
template <class Wrapped, class Optimizer>
Tensor train(Wrapped& net, Optimizer& optimizer, int64_t step, const ProcessGroup& g) {
  const auto [x, y] = batch_of_step(step);
  const int64_t each = 24 / g->size(), first = g->rank() * each;
  optimizer.zero_grad();
  const Tensor loss = nn::functional::mse_loss(net(x.narrow(0, first, each)), y.narrow(0, first, each));
  loss.backward();
  optimizer.step();
  return loss.detach();
}

using Losses = std::vector<std::vector<Tensor>>;  // by rank and step

/// Steps `first` to `last` of sharded training with Adam; begins with the checkpoint in `from` if there is one, saves
/// after step `save_at`.
Losses run_sharded(int64_t ranks, int64_t first, int64_t last, int64_t save_at, const std::string& folder,
                   const FullyShardedDataParallelOptions& options = kByLinear) {
  const auto nets = odd_shapes(ranks, first == 1 ? 1 : 2);
  Losses losses(static_cast<size_t>(ranks));
  run_threads(ranks, [&](const ProcessGroup& g) {
    FullyShardedDataParallel fsdp(nets[static_cast<size_t>(g->rank())], options);
    optim::Adam optimizer(fsdp.parameters(), optim::AdamOptions(first == 1 ? 0.01 : 0.5).amsgrad(true));
    int64_t step = 0;
    checkpoint::State state;
    state.add("model", fsdp).add("optim", optimizer).add("step", step);
    if (first > 1) {
      const auto path = checkpoint::latest(folder);
      expect(path.has_value(), "a checkpoint");
      checkpoint::load(state, *path, {.verify = false});
      expect(step == first - 1, "the step of the checkpoint");
    }
    for (step = first; step <= last; ++step) {
      losses[static_cast<size_t>(g->rank())].push_back(train(fsdp, optimizer, step, g));
      if (step == save_at) checkpoint::save(state, folder, {.step = step});
    }
  });
  return losses;
}

/// What one rank saves that has trained two steps on the whole batches.
std::map<std::string, Tensor> trained_alone() {
  const Folder folder;
  const ProcessGroup alone = distributed::single_rank();
  OddShapes net = odd_shapes(1, 1)[0];
  optim::Adam optimizer(net->parameters(), optim::AdamOptions(0.01).amsgrad(true));
  int64_t step = 0;
  checkpoint::State state;
  state.add("model", net).add("optim", optimizer).add("step", step);
  for (step = 1; step <= 2; ++step) train(net, optimizer, step, alone);
  step = 2;
  checkpoint::save(state, folder.str(), {.step = 2, .group = alone});
  return contents_of(folder / "step-00000002");
}

}  // namespace

TEST_CASE("checkpoints cut ranges of numbers into boxes") {
  using checkpoint::Sizes;
  for (const Sizes& sizes : {Sizes{}, Sizes{7}, Sizes{3, 4}, Sizes{2, 3, 2}, Sizes{2, 1, 3, 2}}) {
    const Tensor numbers = arange(IntArrayRef(sizes).size() == 0 ? 1 : 24, kLong);
    int64_t n = 1;
    for (const int64_t size : sizes) n *= size;
    const Tensor flat = numbers.narrow(0, 0, n), whole = flat.view(sizes);
    for (int64_t begin = 0; begin <= n; ++begin)
      for (int64_t end = begin; end <= n; ++end) {
        int64_t at = begin;
        const auto blocks = checkpoint::blocks_of_range("x", sizes, begin, end, 5);
        CHECK(blocks.size() <= std::max<size_t>(1, 2 * std::max<size_t>(sizes.size(), 1) - 1));
        for (const checkpoint::Block& b : blocks) {
          CHECK(b.start == at - begin + 5);
          const Tensor box = part_of(whole, checkpoint::whole_box(sizes), b.box);
          CHECK(box.reshape({-1}).equal(flat.narrow(0, at, b.box.numel())));
          at += b.box.numel();
        }
        CHECK(at == end);
      }
  }
}

TEST_CASE("what is saved on four ranks loads on any number") {
  const Folder folder;
  run_sharded(4, 1, 2, 2, folder.str());
  const std::string path = folder / "step-00000002";
  const auto saved = contents_of(path);
  CHECK(saved.count("model.first.weight") == 1);
  CHECK(saved.at("model.cube").sizes() == IntArrayRef({2, 3, 5}));
  CHECK(saved.at("optim.state.cube.exp_avg").sizes() == IntArrayRef({2, 3, 5}));
  CHECK(saved.at("optim.state.cube.step").item<int64_t>() == 2);
  CHECK(saved.count("optim.state.seen.step") == 0);
  std::set<std::string> shards;
  for (const std::string& name : names_in(path))
    if (name != "manifest.json") shards.insert(name.substr(0, std::string("shard-00001").size()));
  CHECK(shards == std::set<std::string>{"shard-00001", "shard-00002", "shard-00003", "shard-00004"});

  for (const int64_t ranks : {1, 2, 3, 5}) {
    const Folder again;
    const auto nets = odd_shapes(ranks, 9);
    run_threads(ranks, [&](const ProcessGroup& g) {  // other units, too
      FullyShardedDataParallel fsdp(nets[static_cast<size_t>(g->rank())]);
      optim::Adam optimizer(fsdp.parameters(), 0.5);
      int64_t step = 0;
      checkpoint::State state;
      state.add("model", fsdp).add("optim", optimizer).add("step", step);
      checkpoint::load(state, path);
      checkpoint::save(state, again.str(), {.step = 2});
    });
    expect_equal(saved, contents_of(again / "step-00000002"));
  }

  const Folder plain;
  const auto by_one = trained_alone();
  for (const auto& [name, t] : by_one) {
    INFO(name);
    CHECK(saved.count(name) == 1);
    CHECK(allclose(saved.at(name).to(kDouble), t.to(kDouble), 1e-9, 1e-12));
  }
  OddShapes net = odd_shapes(1, 9)[0];
  optim::Adam optimizer(net->parameters(), 0.5);
  const ProcessGroup alone = distributed::single_rank();
  int step = 0;
  checkpoint::State state;
  state.add("model", net).add("optim", optimizer).add("step", step);
  checkpoint::load(state, path, {.group = alone});
  CHECK(step == 2);
  checkpoint::save(state, plain.str(), {.step = 2, .group = alone});
  expect_equal(saved, contents_of(plain / "step-00000002"));
  CHECK(names_in(plain / "step-00000002") ==
        std::vector<std::string>{"manifest.json", "shard-00001-model-00001-of-00001.safetensors"});
}

TEST_CASE("a sharded run that is resumed has the losses of one that was not") {
  const Folder folder, whole;
  const Losses unbroken = run_sharded(3, 1, 6, 0, whole.str());
  run_sharded(3, 1, 3, 3, folder.str());
  const Losses resumed = run_sharded(3, 4, 6, 0, folder.str());
  for (size_t rank = 0; rank < 3; ++rank)
    for (size_t i = 0; i < 3; ++i) CHECK(same_bits(resumed[rank][i], unbroken[rank][i + 3]));

  // At another number of ranks, sums have another order; the mean of all ranks' losses is the same but for that.
  const Losses other = run_sharded(2, 4, 6, 0, folder.str());
  for (size_t i = 0; i < 3; ++i) {
    const Tensor a = (other[0][i] + other[1][i]) / 2;
    const Tensor b = (unbroken[0][i + 3] + unbroken[1][i + 3] + unbroken[2][i + 3]) / 3;
    CHECK(allclose(a, b, 1e-10, 1e-12));
  }
}

TEST_CASE("a data-parallel run that is resumed has the losses of one that was not") {
  const Folder folder;
  std::vector<std::vector<Tensor>> losses(2);
  const auto nets = odd_shapes(4, 1);
  const auto run = [&](int64_t first, int64_t last, size_t nets_at, std::vector<Tensor>& out) {
    run_threads(2, [&](const ProcessGroup& g) {
      OddShapes net = nets[nets_at + static_cast<size_t>(g->rank())];
      nn::parallel::DistributedDataParallel ddp(net);
      optim::ZeroRedundancyOptimizer<optim::Adam> optimizer(net->parameters(), optim::AdamOptions(0.01));
      data::samplers::DistributedRandomSampler sampler(24, 2, static_cast<size_t>(g->rank()));
      Generator generator(static_cast<uint64_t>(g->rank()) + 5);
      int64_t step = 0;
      checkpoint::State state;
      state.add("model", ddp).add("optim", optimizer).add("step", step).add("data", sampler).add("rng", generator);
      if (first > 1) checkpoint::load(state, checkpoint::latest(folder.str()).value());
      for (step = first; step <= last; ++step) {
        const auto indices = sampler.next(2).value();
        const Tensor at = tensor(std::vector<int64_t>(indices.begin(), indices.end()));
        const auto [x, y] = batch_of_step(1);
        net->seen.add_(g->rank() + 1);  // of rank 0 is what is saved
        optimizer.zero_grad();
        const Tensor noise = full({}, static_cast<double>(generator.next().offset), kDouble);
        const Tensor loss = nn::functional::mse_loss(ddp(x.index_select(0, at)) * noise, y.index_select(0, at));
        loss.backward();
        optimizer.step();
        if (g->rank() == 1) out.push_back(loss.detach());
        if (step == 3) checkpoint::save(state, folder.str(), {.step = step});
      }
    });
  };
  run(1, 6, 0, losses[0]);
  CHECK(contents_of(folder / "step-00000003").at("model.seen").item<double>() == 3);
  run(4, 6, 2, losses[1]);
  for (size_t i = 0; i < 3; ++i) CHECK(same_bits(losses[1][i], losses[0][i + 3]));
}

TEST_CASE("the rest of an epoch is shared out between other ranks") {
  const Folder folder;
  std::vector<size_t> seen(24, 0);
  run_threads(4, [&](const ProcessGroup& g) {
    data::samplers::DistributedRandomSampler sampler(24, 4, static_cast<size_t>(g->rank()));
    sampler.set_epoch(7), sampler.reset();
    Generator generator(static_cast<uint64_t>(g->rank()));
    checkpoint::State state;
    state.add("data", sampler).add("rng", generator);
    const std::vector<size_t> taken = sampler.next(3).value();
    for (const size_t i : taken) ++seen[i];
    checkpoint::save(state, folder.str(), {.step = 1});
  });
  std::vector<uint64_t> seeds(6);
  run_threads(6, [&](const ProcessGroup& g) {
    data::samplers::DistributedRandomSampler sampler(24, 6, static_cast<size_t>(g->rank()));
    Generator generator(99);
    checkpoint::State state;
    state.add("data", sampler).add("rng", generator);
    checkpoint::load(state, folder / "step-00000001");
    expect(sampler.epoch() == 7, "the epoch");
    const std::vector<size_t> rest = sampler.next(100).value();
    for (const size_t i : rest) ++seen[i];
    seeds[static_cast<size_t>(g->rank())] = generator.current_seed();
  });
  CHECK(seen == std::vector<size_t>(24, 1));
  CHECK(std::vector<uint64_t>(seeds.begin(), seeds.begin() + 4) == std::vector<uint64_t>{0, 1, 2, 3});
  CHECK((seeds[4] > 3 && seeds[5] > 3 && seeds[4] != seeds[5]));
}

TEST_CASE("parts of DTensors and of tensor-parallel layers are saved as whole tensors") {
  using distributed::Replicate, distributed::Shard, distributed::DTensor, distributed::distribute_tensor;
  const Folder folder;
  const Tensor values = arange(48, kDouble).view({8, 6}), weight = arange(24, kDouble).view({4, 6});
  std::vector<nn::Linear> layers;
  for (int i = 0; i < 4; ++i) layers.emplace_back(6, 2), layers.back()->to(kDouble);
  run_threads(4, [&](const ProcessGroup& g) {
    const DeviceMesh mesh = distributed::init_device_mesh({2, 2}, {"data", "tensor"});
    const DTensor both = distribute_tensor(values, mesh, {Shard(0), Shard(0)});
    const DTensor columns = distribute_tensor(values, mesh, {Replicate(), Shard(1)});
    nn::Linear& layer = layers[static_cast<size_t>(g->rank())];  // as its weight's first dim were divided by "tensor"
    const DTensor own = distribute_tensor(weight, mesh, {Replicate(), Shard(0)});
    layer->weight.set_data(own.to_local().clone());
    layer->bias.detach().fill_(1);
    optim::Adam optimizer(layer->parameters(), 0.1);
    layer(ones({1, 6}, kDouble)).sum().backward();
    optimizer.step();
    checkpoint::State state;
    state.place(layer->weight, mesh, {Replicate(), Shard(0)});
    state.add("both", both).add("columns", columns).add("layer", layer).add("optim", optimizer);
    checkpoint::save(state, folder.str(), {.step = 1});
  });
  const auto saved = contents_of(folder / "step-00000001");
  CHECK(saved.at("both").equal(values));
  CHECK(saved.at("columns").equal(values));
  CHECK(allclose(saved.at("layer.weight"), weight - 0.1));
  CHECK(saved.at("optim.state.weight.exp_avg").sizes() == IntArrayRef({4, 6}));

  run_threads(2, [&](const ProcessGroup&) {
    const DeviceMesh mesh = distributed::init_device_mesh({2}, {"tensor"});
    const DTensor both = distribute_tensor(zeros({8, 6}, kFloat), mesh, {Shard(1)});
    const DTensor columns = distribute_tensor(zeros({8, 6}, kDouble), mesh, {Shard(0)});
    checkpoint::State state;
    state.add("both", both).add("columns", columns);
    checkpoint::load(state, folder / "step-00000001");
    expect(both.full_tensor().equal(values.to(kFloat)), "the columns of it, as floats");
    expect(columns.full_tensor().equal(values), "the rows of it");
  });
}

TEST_CASE("a checkpoint holds the dtypes of the library") {
  const Folder folder;
  const ProcessGroup alone = distributed::single_rank();
  const Tensor b = tensor({1, 0, 1}).to(kBool), h = rand({3, 2}).to(kBFloat16), e = zeros({0, 4});
  Tensor strided = arange(12, kDouble).view({3, 4}).t();
  double x = 0.1;
  bool on = true;
  checkpoint::State state;
  state.add("b", b).add("h", h).add("e", e).add("strided", strided).add("x", x).add("on", on);
  checkpoint::save(state, folder.str(), {.step = 123456789, .group = alone});
  const auto saved = contents_of(folder / "step-123456789");
  CHECK((same_bits(saved.at("b"), b) && same_bits(saved.at("h"), h) && same_bits(saved.at("e"), e)));
  const Tensor before = strided.clone();
  strided.zero_(), x = 0, on = false;
  checkpoint::load(state, folder / "step-123456789", {.group = alone});
  CHECK((strided.equal(before) && x == 0.1 && on));
}

}  // namespace strata
