// shard_map and pmap on ranks against vmap over an axis in one process: values, gradients, tangents.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/distributed/cases.h"
#include "test/distributed/ranks.h"

namespace strata {
namespace {

using distributed::init_device_mesh;
using distributed::run_threads;
using func::P;
using func::pmap;
using func::shard_map;

/// A function of the tensors of all ranks, stacked.
using Whole = std::function<Tensor(const Tensor&)>;
/// What is done with such a function: nothing, a derivative, ...
using Use = std::function<Tensor(const Whole&, const Tensor&)>;

Tensor loss_of(const Tensor& y) { return (y.cos() * arange(y.numel(), kDouble).reshape(y.sizes())).sum(); }

Tensor value(const Whole& f, const Tensor& x) { return f(x); }
Tensor slope_of(const Whole& f, const Tensor& x) {
  return grad([&](Tensor t) { return loss_of(f(t)); })(x);
}
Tensor slope_by_backward(const Whole& f, const Tensor& x) {
  Tensor leaf = x.clone().requires_grad_();
  loss_of(f(leaf)).backward();
  return leaf.grad();
}
Tensor tangent(const Whole& f, const Tensor& x) {
  return jvp([&](Tensor t) { return f(t); }, x, x.cos()).second;
}
Tensor second(const Whole& f, const Tensor& x) {
  return jvp([&](Tensor t) { return slope_of(f, t); }, x, x.cos()).second;
}
Tensor slopes_of_examples(const Whole& f, const Tensor& x) {
  return vmap([&](Tensor factor) { return f(x * factor); })(tensor({1, 2}, kDouble));
}

Whole on_axis(const Function& f) {
  return [f](const Tensor& x) { return vmap([&](Tensor row) { return f(row); }, {.axis_name = "i"})(x); };
}
Whole on_ranks(const Function& f) {
  return [f](const Tensor& x) { return pmap([&](Tensor row) { return f(row); }, {.axis_name = "i"})(x); };
}

/// Every rank has to get what one process gets. A difference is measured against the largest number, as a small one may
/// be what is left of large ones.
void compare(int64_t world, const std::vector<Case>& all, const Use& use, double tolerance) {
  const Tensor x = input(world);
  for (const Case& c : all) {
    INFO(c.name << " on " << world);
    const Tensor want = use(on_axis(c.f), x);
    const double absolute = tolerance * std::max(1.0, want.abs().max().item<double>());
    run_threads(world, [&](const ProcessGroup&) {
      const Tensor got = use(on_ranks(c.f), x);
      if (tolerance == 0) return expect(same_bits(got, want), std::string("the bits of vmap: ") + c.name);
      expect(allclose(got, want, 0, absolute), std::string("what vmap gives: ") + c.name);
    });
  }
}

/// Functions, and their derivatives taken by each rank.
std::vector<Case> with_derivatives(int64_t world) {
  std::vector<Case> all = cases(world);
  for (const Case& c : cases(world)) {
    all.push_back({c.name, [f = c.f](const Tensor& row) {
                     return grad([&](Tensor t) { return (f(t) * f(t).cos()).sum(); })(row);
                   }});
    all.push_back(
        {c.name, [f = c.f](const Tensor& row) { return jvp([&](Tensor t) { return f(t); }, row, row.cos()).second; }});
  }
  return all;
}

/// The rows of `x` on a mesh of two axes: for each, what their own matrix makes of them, mixed over both axes.
Tensor layer(const Tensor& x, const Tensor& w) {
  const Tensor y = func::psum(matmul(x, w), "tensor").tanh();
  return y * func::pmax(y.sum(), "data") + func::axis_index("tensor") * func::pmean(y, "data");
}
auto sharded_layer(const DeviceMesh& mesh) {
  return shard_map(layer, mesh, {P{"data", "tensor"}, P{"tensor"}}, P{"data", "tensor"});
}
/// The same by two nested axes of vmap: blocks of x along both dims, of w along the first.
Tensor mapped_layer(const Tensor& x, const Tensor& w) {
  const Tensor blocks = x.reshape({2, x.size(0) / 2, 2, x.size(1) / 2}).transpose(1, 2);
  const auto row = [](Tensor a, Tensor b) { return vmap(layer, {.axis_name = "tensor"})(a, b); };
  const Tensor y =
      vmap(row, {.in_dims = {0, nullopt}, .axis_name = "data"})(blocks, w.reshape({2, w.size(0) / 2, w.size(1)}));
  return y.transpose(1, 2).reshape({x.size(0), 2 * w.size(1)});
}

}  // namespace

TEST_CASE("pmap has the bits of vmap: values, and gradients and tangents that each rank takes") {
  for (int64_t world : {1, 2, 3, 4}) compare(world, with_derivatives(world), value, 0);
}

// Seen from outside, a sum over an axis is differentiated one addition after another, and one over ranks as a whole.
TEST_CASE("derivatives of pmap are those of vmap, to the last digits") {
  for (int64_t world : {1, 2, 3, 4}) {
    compare(world, cases(world), slope_of, 1e-13);
    compare(world, cases(world), tangent, 1e-13);
  }
  for (int64_t world : {2, 3}) {
    compare(world, cases(world), slope_by_backward, 1e-12);
    compare(world, cases(world), second, 1e-10);
    compare(world, cases(world), slopes_of_examples, 1e-12);
  }
}

TEST_CASE("shard_map along one axis has the bits of vmap") {
  for (int64_t world : {1, 2, 3, 4}) {
    const Tensor x = input(world);
    for (const Case& c : with_derivatives(world)) {
      const Whole mapped = [&](const Tensor& all) { return on_axis(c.f)(all).flatten(0, 1); };
      if (on_axis(c.f)(x).dim() < 2) continue;  // there is no dim to put the ranks' results along
      const Tensor y = mapped(x), slope = slope_of(mapped, x), along = tangent(mapped, x);
      run_threads(world, [&](const ProcessGroup&) {
        const DeviceMesh mesh = init_device_mesh({world}, {"i"});
        const Whole sharded = [&](const Tensor& all) {
          return shard_map([&](Tensor t) { return c.f(t); }, mesh, P{"i"}, P{"i"})(all.flatten(0, 1));
        };
        expect(same_bits(sharded(x), y), std::string("the bits of vmap: ") + c.name);
        expect(allclose(tangent(sharded, x), along, 1e-10, 1e-12), std::string("vmap's tangent: ") + c.name);
        expect(allclose(slope_of(sharded, x), slope, 1e-10, 1e-12), std::string("vmap's gradient: ") + c.name);
      });
    }
  }
}

TEST_CASE("shard_map over two axes has the bits of two nested ones of vmap") {
  manual_seed(5);
  const Tensor x = randn({4, 6}, kDouble), w = randn({6, 3}, kDouble);
  const auto loss = [](const auto& f) { return [f](Tensor a, Tensor b) { return loss_of(f(a, b)); }; };
  const Tensor y = mapped_layer(x, w), of_w = grad<1>(loss(mapped_layer))(x, w), of_x = grad(loss(mapped_layer))(x, w);
  const Tensor along = jvp([&](Tensor b) { return mapped_layer(x, b); }, w, w.cos()).second;
  const auto check = [&](const ProcessGroup&) {
    const DeviceMesh mesh = init_device_mesh({2, 2}, {"data", "tensor"});
    const auto f = sharded_layer(mesh);
    expect(same_bits(f(x, w), y), "the value");
    expect(allclose(grad<1>(loss(f))(x, w), of_w, 1e-13, 1e-13), "the gradient of what is shared along data");
    expect(allclose(grad(loss(f))(x, w), of_x, 1e-13, 1e-13), "the gradient of what both axes divide");
    expect(same_bits(jvp([&](Tensor b) { return f(x, b); }, w, w.cos()).second, along), "the tangent");
  };
  run_threads(4, check);
#if STRATA_HAS_GLOO
  run_well(4, check);
#endif
}

TEST_CASE("a loss that all ranks share counts once, and its gradient is that of one process") {
  manual_seed(6);
  const Tensor x = randn({8, 3}, kDouble), w = randn({3, 2}, kDouble);
  const auto loss = [&](Tensor weight) { return (matmul(x, weight).tanh().square()).mean(); };
  const Tensor want = grad(loss)(w);
  run_threads(4, [&](const ProcessGroup&) {
    const DeviceMesh mesh = init_device_mesh({2, 2}, {"a", "b"});
    const auto part = [](Tensor rows, Tensor weight) {
      return func::pmean(func::pmean(matmul(rows, weight).tanh().square().mean(), "a"), "b");
    };
    const auto total = shard_map(part, mesh, {P{{"a", "b"}}, P{}}, P{});
    expect(allclose(grad([&](Tensor t) { return total(x, t); })(w), want, 1e-14, 1e-14), "both axes divide one dim");
    const auto mapped = func::pmap(
        [](Tensor rows, Tensor weight) { return func::pmean(matmul(rows, weight).tanh().square().mean(), "i"); },
        {.axis_name = "i", .in_dims = {0, nullopt}, .out_dims = nullopt});
    const Tensor rows = x.reshape({4, 2, 3});
    expect(allclose(grad([&](Tensor t) { return mapped(rows, t); })(w), want, 1e-14, 1e-14), "pmap of shared weights");
  });
}

TEST_CASE("nests of arguments and results, and the default group inside") {
  run_threads(2, [](const ProcessGroup& g) {
    const DeviceMesh mesh = init_device_mesh({2, 1}, {"i", "j"});
    const Tensor x = arange(4, kDouble);
    const auto f = shard_map(
        [&](std::vector<Tensor> in, double factor) {
          expect(in[0].size(0) == 2 && in[1].size(0) == 4, "parts and wholes");
          expect(distributed::get_world_size() == 2 && distributed::get_rank() == g->rank(), "the default group");
          return std::pair(in[0] * factor, func::psum(in[1].sum(), "i"));
        },
        mesh, {{P{"i"}, P{}}, P{}}, {P{"i"}, P{}});
    const auto [rows, sum] = f(std::vector<Tensor>{x, x}, 2.0);
    expect(same_bits(rows, x * 2) && sum.item<double>() == 12, "results");
  });
}

TEST_CASE("what does not fit a mesh is told of") {
  run_threads(2, [](const ProcessGroup&) {
    const DeviceMesh mesh = init_device_mesh({2}, {"i"});
    const auto id = [](Tensor t) { return t; };
    const auto says = [](const std::function<void()>& f, const std::string& what) {
      const std::string said = error_of(f);
      expect(said.find(what) != said.npos, what + " in: " + said);
    };
    says([&] { shard_map(id, mesh, P{"j"}, P{})(ones({2})); }, "no axis is called j; there are i");
    says([&] { shard_map(id, mesh, P{"i"}, P{})(ones({3})); }, "dim 0 has length 3, which 2 ranks cannot share");
    says([&] { shard_map(id, mesh, P{nullopt, "i"}, P{})(ones({2})); }, "a spec of 2 dims for a tensor of shape (2,)");
    says([&] { shard_map(id, mesh, P{"i", "i"}, P{})(ones({2, 2})); }, "names axis i twice");
    says([&] { shard_map(id, mesh, P{"i"}, P{})(arange(2)); }, "differs between its ranks 0 and 1");
    says([&] { shard_map(id, mesh, {P{}, P{}}, P{})(ones({2})); }, "shard_map: in_specs: 2 entries for 1 values");
    says([&] { pmap(id)(ones({3})); }, "pmap: dim 0 has length 3 for 2 ranks");
    says([&] { vmap([&](Tensor t) { return shard_map(id, mesh, P{}, P{})(t); }, {.axis_name = "i"})(ones({2})); },
         "a vmap outside of it has an axis i as well");
  });
}

}  // namespace strata
