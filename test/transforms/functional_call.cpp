// Modules as functions of their parameters: substitution, buffers, ensembles, errors.
#include <strata/strata.h>
#include "test/catch.h"

namespace strata {
namespace {

struct Net : nn::Module {
  nn::Linear first = register_module("first", nn::Linear(3, 4));
  nn::Linear second = register_module("second", nn::Linear(4, 2));
  Tensor forward(const Tensor& x) { return second(tanh(first(x))); }
};

TEST_CASE("functional_call uses the given tensors and leaves the module alone") {
  Net net;
  const Tensor x = rand({5, 3}), before = net.forward(x);
  auto [params, buffers] = module_state(net);
  CHECK(functional_call(net, params, x).equal(before));
  const auto doubled = tree::map([](const Tensor& t) { return 2 * t; }, params);
  const Tensor w = doubled["second.weight"], b = doubled["second.bias"];
  const Tensor hidden = tanh(linear(x, doubled["first.weight"], doubled["first.bias"]));
  CHECK(functional_call(net, doubled, x).allclose(linear(hidden, w, b)));
  CHECK(net.forward(x).equal(before));
  CHECK(functional_call(net, std::map<std::string, Tensor>{{"second.bias", b}}, x).allclose(before + b / 2));
}

TEST_CASE("gradients with respect to a parameter dict equal backward's") {
  Net net;
  const Tensor x = rand({5, 3});
  net.forward(x).square().sum().backward();
  const auto loss = [&](const func::StateDict& p, const Tensor& v) {
    return functional_call(net, p, v).square().sum();
  };
  const func::StateDict grads = grad(loss)(module_state(net).first, x);
  for (const auto& [name, parameter] : net.named_parameters()) CHECK(grads[name].allclose(parameter.grad()));

  const auto per_sample = vmap(grad(loss), {.in_dims = {nullopt, 0}})(module_state(net).first, x);
  for (const auto& [name, g] : per_sample) CHECK(g.sum(0).allclose(grads[name], 1e-5, 1e-6));

  // Eager autograd through a functional call.
  const Tensor weight = rand({2, 4}).requires_grad_();
  functional_call(net, std::map<std::string, Tensor>{{"second.weight", weight}}, x).sum().backward();
  CHECK(weight.grad().defined());
}

TEST_CASE("an inner derivative keeps substituted parameters, not the module's") {
  Net net;
  const auto params = tree::map([](const Tensor& t) { return 3 * t; }, module_state(net).first);
  const Tensor x = rand({3});
  const auto f = [&](const func::StateDict& p) {
    return grad([&](Tensor v) { return functional_call(net, p, v).square().sum(); })(x).square().sum();
  };
  const auto reference = [&](const func::StateDict& p) {
    return grad([&](Tensor v) {
             const Tensor h = tanh(linear(v, p["first.weight"], p["first.bias"]));
             return linear(h, p["second.weight"], p["second.bias"]).square().sum();
           })(x)
        .square()
        .sum();
  };
  const auto a = grad(f)(params), b = grad(reference)(params);
  for (const auto& [name, g] : a) CHECK(g.allclose(b[name]));
}

TEST_CASE("an ensemble runs in one vmap") {
  const std::vector<std::shared_ptr<Net>> nets = {std::make_shared<Net>(), std::make_shared<Net>(),
                                                  std::make_shared<Net>()};
  const auto [params, buffers] = stack_module_state(nets);
  CHECK(params["first.weight"].sizes() == IntArrayRef({3, 4, 3}));
  const Tensor x = rand({5, 3});
  const auto run = [&](const func::StateDict& p, const Tensor& v) { return functional_call(*nets[0], p, v); };
  const Tensor y = vmap(run, {.in_dims = {0, nullopt}})(params, x);
  for (int i = 0; i < 3; ++i) CHECK(y[i].allclose(nets[i]->forward(x), 1e-5, 1e-6));
}

TEST_CASE("updates of buffers go to the given tensors") {
  nn::BatchNorm1d norm(3);
  auto state = module_state(norm);
  tree::for_each(state.second, [](Tensor& t) { t = t.clone(); });
  const Tensor x = rand({8, 3}) + 5;
  functional_call(norm, state, x);
  CHECK(norm->running_mean.equal(zeros({3})));
  CHECK(state.second["running_mean"].allclose(0.1 * x.mean(0), 1e-4, 1e-5));
  // As arguments of grad they are updated with values of the level and come back as aux.
  const auto loss = [&](const func::StateDict& p, const func::StateDict& b, const Tensor& v) {
    const Tensor y = functional_call(norm, std::pair(p, b), v);
    return std::pair(y.square().sum(), b);
  };
  const auto fresh = [&](const func::StateDict& p, const func::StateDict& b, const Tensor& v) {
    return loss(p, tree::map([](const Tensor& t) { return t.clone(); }, b), v);
  };
  const auto [g, updated] = grad(fresh, {.has_aux = true})(state.first, module_state(norm).second, x);
  CHECK(updated["running_mean"].allclose(0.1 * x.mean(0), 1e-4, 1e-5));
}

TEST_CASE("errors of functional_call") {
  Net net;
  const Tensor x = rand({5, 3});
  using Map = std::map<std::string, Tensor>;
  CHECK_THROWS_WITH(functional_call(net, Map{{"third.weight", x}}, x),
                    Catch::Matchers::ContainsSubstring("no parameter or buffer"));
  CHECK_THROWS_WITH(functional_call(net, Map{{"first.weight", x}}, x),
                    Catch::Matchers::ContainsSubstring("has shape (4, 3)"));
}

}  // namespace
}  // namespace strata
