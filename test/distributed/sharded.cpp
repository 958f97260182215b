// Sharded tensors against what all ranks' parts make by definition, and sharded modules against whole ones.
#include <strata/strata.h>

#include <mutex>
#include <sstream>

#include "test/catch.h"
#include "test/distributed/cases.h"
#include "test/distributed/ranks.h"

namespace strata {
namespace {

using namespace distributed;
using nn::parallel::ColumnParallelLinear;
using nn::parallel::ColumnParallelLinearOptions;
using nn::parallel::RowParallelLinear;
using nn::parallel::RowParallelLinearOptions;

const Placement kAll[] = {Replicate(), Shard(0), Shard(1), Partial()};

/// What stands at a place of the mesh by these placements, first axis first, given the whole; of a Partial, the whole.
Tensor part_of(Tensor whole, const Placements& placements, const std::vector<int64_t>& shape,
               const std::vector<int64_t>& place) {
  for (size_t axis = 0; axis < placements.size(); ++axis)
    if (placements[axis].is_shard()) whole = whole.chunk(shape[axis], placements[axis].dim())[size_t(place[axis])];
  return whole;
}

/// A part whose sum over the Partial axes is `part`; the shares differ.
Tensor share_of(const Tensor& part, const Placements& placements, const std::vector<int64_t>& shape,
                const std::vector<int64_t>& place) {
  Tensor share = part;
  for (size_t axis = 0; axis < placements.size(); ++axis) {
    if (!placements[axis].is_partial()) continue;
    const auto n = static_cast<double>(shape[axis]);
    share = share * (place[axis] == 0 ? 2.0 - n : 1.0);  // (2 - n) + (n - 1) = 1
  }
  return share;
}

void check_redistribution(const DeviceMesh& mesh, const Placements& from, const Placements& to) {
  const Tensor whole = arange(144, kDouble).reshape({12, 12}).sin(), weight = whole.cos();
  const std::vector<int64_t> shape = mesh.shape(), place = mesh.get_coordinate();
  const std::string name = from[0].str() + " " + from[1].str() + " to " + to[0].str() + " " + to[1].str();

  Tensor local = share_of(part_of(whole, from, shape, place), from, shape, place).clone().requires_grad_();
  const DTensor x = DTensor::from_local(local, mesh, from), y = x.redistribute(to);
  expect(x.sizes() == IntArrayRef({12, 12}) && y.sizes() == x.sizes(), "the size of the whole: " + name);
  const Tensor part = part_of(whole, to, shape, place);
  expect(y.to_local().sizes() == part.sizes(), "the size of a part: " + name);
  if (!to[0].is_partial() && !to[1].is_partial()) expect(allclose(y.to_local(), part, 1e-12, 1e-12), name);
  const Tensor full = y.full_tensor();
  expect(allclose(full, whole, 1e-12, 1e-12), "the whole: " + name);

  (full * weight).sum().backward();
  expect(same_bits(local.grad(), part_of(weight, from, shape, place)), "the gradient: " + name);
}

void check_all_redistributions(const std::vector<int64_t>& shape) {
  const DeviceMesh mesh = init_device_mesh(shape, {"a", "b"});
  for (const Placement& a : kAll)
    for (const Placement& b : kAll)
      for (const Placement& c : kAll)
        for (const Placement& d : kAll) check_redistribution(mesh, {a, b}, {c, d});
}

/// Two layers, the hidden features divided, and the same ones whole, by the same seed.
struct Undivided {
  nn::Linear up{4, 12}, down{12, 6};
  Tensor forward(const Tensor& x) { return down(up(x).tanh()); }
};
struct Divided {
  ColumnParallelLinear up{ColumnParallelLinearOptions(4, 12).gather_output(false)};
  RowParallelLinear down{RowParallelLinearOptions(12, 6).input_is_parallel(true)};
  Tensor forward(const Tensor& x) { return down(up(x).tanh()); }
};
/// Each by itself is an nn::Linear.
struct DroppedIn {
  ColumnParallelLinear up{4, 12};
  RowParallelLinear down{12, 6};
  Tensor forward(const Tensor& x) { return down(up(x).tanh()); }
};

/// A net by a fixed seed; ranks that are threads share the generator.
template <class Net>
Net drawn() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  manual_seed(3);
  return {};
}

template <class Net>
std::vector<Tensor> results(const Tensor& input) {
  Net net = drawn<Net>();
  net.up->to(kDouble), net.down->to(kDouble);
  const Tensor x = input.clone().requires_grad_();
  const Tensor y = net.forward(x);
  (y.cos() * arange(y.numel(), kDouble).reshape(y.sizes())).sum().backward();
  return {y.detach(),           x.grad(), net.up->weight.grad(), net.up->bias.grad(), net.down->weight.grad(),
          net.down->bias.grad()};
}

template <class Net>
void check_layers(const ProcessGroup& g, const Tensor& input, const std::vector<Tensor>& want) {
  const DeviceMesh mesh = init_device_mesh({g->size()}, {"tensor"});
  const std::vector<Tensor> got = results<Net>(input);
  const Placements placed[] = {{Replicate()}, {Replicate()}, {Shard(0)}, {Shard(0)}, {Shard(1)}, {Replicate()}};
  for (size_t i = 0; i < want.size(); ++i) {
    const Tensor whole = DTensor::from_local(got[i], mesh, placed[i]).full_tensor();
    expect(allclose(whole, want[i], 1e-12, 1e-12), "what whole layers have, number " + std::to_string(i));
    as_invariant(whole, mesh.get_group("tensor"));  // throws where ranks have other bits
  }
}

}  // namespace

TEST_CASE("a tensor goes from any placements to any, and its gradient back") {
  run_threads(4, [](const ProcessGroup&) { check_all_redistributions({2, 2}); });
  run_threads(6, [](const ProcessGroup&) { check_all_redistributions({2, 3}); });
  run_threads(3, [](const ProcessGroup&) { check_all_redistributions({1, 3}); });
}

TEST_CASE("what all ranks have is distributed, and made whole again") {
  run_threads(4, [](const ProcessGroup& g) {
    const DeviceMesh mesh = init_device_mesh({2, 2}, {"a", "b"});
    const Tensor x = (arange(32, kDouble).reshape({4, 8})).requires_grad_();
    const DTensor d = distribute_tensor(x, mesh, {Shard(-1), Shard(1)});
    expect(d.placements() == Placements{Shard(1), Shard(1)}, "dims are counted from the front");
    expect(same_bits(d.to_local().detach(), x.detach().chunk(4, 1)[size_t(g->rank())].contiguous()), "blocks in order");
    (d.full_tensor() * x.detach()).sum().backward();
    expect(same_bits(x.grad(), x.detach()), "a loss that all share counts once");
  });
}

TEST_CASE("placements that do not fit are told of") {
  run_threads(2, [](const ProcessGroup&) {
    const DeviceMesh mesh = init_device_mesh({2}, {"a"});
    const auto says = [](const std::function<void()>& f, const std::string& what) {
      try {
        f();
      } catch (const Error& e) {
        return expect(std::string(e.what()).find(what) != std::string::npos, what + " in: " + e.what());
      }
      expect(false, what);
    };
    const Tensor x = ones({3, 4});
    says([&] { distribute_tensor(x, mesh, {Shard(0), Shard(1)}); }, "2 placements on a mesh of 1 axes");
    says([&] { distribute_tensor(x, mesh, {Shard(0)}); }, "dim 0 has length 3, which 2 ranks cannot share equally");
    says([&] { distribute_tensor(x, mesh, {Shard(2)}); }, "DTensor: Shard");
    says([&] { distribute_tensor(x, mesh, {Shard(1)}).redistribute({Shard(0)}); }, "dim 0 has length 3, which 2 ranks");
    says([&] { ColumnParallelLinear(2, 3); }, "dim 0 has length 3, which 2 ranks cannot share equally");
  });
}

TEST_CASE("layers whose weights ranks divide compute what whole layers do, and so do their gradients") {
  manual_seed(9);
  const Tensor x = randn({5, 4}, kDouble);
  const std::vector<Tensor> want = results<Undivided>(x);
  for (int64_t world : {1, 2, 3, 4}) {
    INFO(world << " ranks");
    run_threads(world, [&](const ProcessGroup& g) {
      check_layers<Divided>(g, x, want);
      check_layers<DroppedIn>(g, x, want);
    });
#if STRATA_HAS_GLOO
    run_well(world, [&](const ProcessGroup& g) { check_layers<Divided>(g, x, want); });
#endif
  }
}

TEST_CASE("a column and a row cost one all_reduce forward and one backward") {
  run_threads(2, [&](const ProcessGroup& g) {
    /// Counts what goes through a group.
    struct Counting final : Communicator {
      explicit Counting(ProcessGroup of) : group(std::move(of)) {}
      const std::string& name() const override { return group->name(); }
      int64_t rank() const override { return group->rank(); }
      int64_t size() const override { return group->size(); }
      void run(const Collective& c) override {
        ++count;
        expect(c.kind == CollectiveKind::kAllReduce, "no other collective");
        group->run(c);
      }
      ProcessGroup group;
      int count = 0;
    };
    const auto counting = std::make_shared<Counting>(g);
    ColumnParallelLinear up(ColumnParallelLinearOptions(4, 8).gather_output(false).group(counting));
    RowParallelLinear down(RowParallelLinearOptions(8, 4).input_is_parallel(true).group(counting));
    const Tensor x = ones({2, 4}).requires_grad_();
    const Tensor y = down(up(x).relu());
    expect(counting->count == 1, "one forward");
    y.sum().backward();
    expect(counting->count == 2, "one backward");
  });
}

TEST_CASE("sharded layers print their options") {
  run_threads(2, [](const ProcessGroup&) {
    std::ostringstream text;
    text << ColumnParallelLinear(2, 4) << "\n" << RowParallelLinear(4, 2);
    expect(text.str() ==
               "strata::nn::ColumnParallelLinear(in_features=2, out_features=4, bias=true, gather_output=true)\n"
               "strata::nn::RowParallelLinear(in_features=4, out_features=2, bias=true, input_is_parallel=false)",
           "in: " + text.str());
  });
}

}  // namespace strata
