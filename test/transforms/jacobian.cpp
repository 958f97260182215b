// Jacobians and Hessians of functions from nests to nests.
#include <strata/strata.h>

#include <tuple>
#include <vector>

#include "test/catch.h"

namespace strata {
namespace {

struct Affine {
  Tensor weight, bias;
  auto fields() { return std::tie(weight, bias); }
};

TEST_CASE("the Jacobian of a function that returns a struct is a tuple of nests like the input") {
  const Affine at{rand({2, 3}, kDouble), rand({2}, kDouble)};
  const auto f = [](const Affine& a) { return Affine{a.weight * a.weight, a.weight.sum(1) * a.bias}; };
  const auto rows = jacrev(f)(at), columns = jacfwd(f)(at);
  const Affine& of_weight = std::get<0>(rows);
  CHECK(of_weight.weight.allclose(diag(2 * at.weight.flatten()).view({2, 3, 2, 3})));
  CHECK(of_weight.bias.equal(zeros({2, 3, 2}, kDouble)));
  CHECK(std::get<1>(rows).bias.allclose(diag(at.weight.sum(1))));
  const std::vector<Tensor> a = tree::leaves(rows), b = tree::leaves(columns);
  REQUIRE(a.size() == 4);
  REQUIRE(b.size() == 4);
  for (size_t i = 0; i < 4; ++i) CHECK(a[i].allclose(b[i]));
}

TEST_CASE("hessian over structs and parameter dicts has a block for each pair of tensors") {
  const Tensor x = rand({3}, kDouble);
  const auto loss = [&](const std::vector<Affine>& net) { return linear(x, net[0].weight, net[0].bias).pow(3).sum(); };
  const std::vector<Affine> net = {{rand({2, 3}, kDouble), rand({2}, kDouble)}};
  const auto blocks = hessian(loss)(net);
  const Tensor of_bias = diag(6 * linear(x, net[0].weight, net[0].bias));  // (2, 2)
  CHECK(std::get<1>(blocks[0])[0].bias.allclose(of_bias));
  CHECK(std::get<1>(blocks[0])[0].weight.allclose(einsum("ab,i->abi", {of_bias, x})));
  CHECK(std::get<0>(blocks[0])[0].weight.allclose(einsum("ab,i,j->aibj", {of_bias, x, x})));

  nn::Linear module(3, 2);
  module->to(kDouble);
  const auto module_loss = [&](const func::StateDict& p) { return functional_call(module, p, x).pow(3).sum(); };
  const func::StateDict params = module_state(module).first;
  const auto dict = hessian(module_loss)(params);
  const Tensor expected = diag(6 * linear(x, params["weight"], params["bias"]));
  CHECK(dict["bias"]["bias"].allclose(expected));
  CHECK(dict["bias"]["weight"].allclose(einsum("ab,i->abi", {expected, x})));
}

}  // namespace
}  // namespace strata
