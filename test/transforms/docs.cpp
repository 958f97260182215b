// The code that docs/transforms.md and README.md show, as it stands there; test_architecture compares.
#include <strata/strata.h>

#include <iostream>
#include <sstream>

#include "test/catch.h"

namespace strata {
namespace {

TEST_CASE("docs: a gradient, one per example, and a Hessian") {
  // Squared error of a linear model on one example: x (3,), y ().
  const auto loss = [](Tensor w, Tensor x, Tensor y) { return (matmul(w, x) - y).square(); };

  const Tensor w = ones({3}), xs = rand({128, 3}), ys = rand({128});
  const Tensor gradient = grad(loss)(w, xs[0], ys[0]);                            // (3,)
  const Tensor each = vmap(grad(loss), {.in_dims = {nullopt, 0, 0}})(w, xs, ys);  // (128, 3): one per example
  const Tensor curvature = hessian(loss)(w, xs[0], ys[0]);                        // (3, 3)

  const Tensor errors = matmul(xs, w) - ys;
  CHECK(gradient.allclose(2 * errors[0] * xs[0]));
  CHECK(each.allclose(2 * errors.unsqueeze(1) * xs, 1e-5, 1e-6));
  CHECK(curvature.allclose(2 * outer(xs[0], xs[0])));
}

TEST_CASE("docs: an inner derivative is a constant of the outer one") {
  const auto f = [](Tensor x) { return x * grad([x](Tensor y) { return x + y; })(scalar_tensor(2.0)); };
  CHECK(grad(f)(1.0).item<double>() == 1);  // d/dx [x * 1]; a confused system says 2
}

TEST_CASE("docs: what is left of vmap(grad) is a program of ops on batches") {
  const auto f = [](Tensor x) { return (x * x).sum(); };
  std::ostringstream program;
  program << trace(vmap(grad(f)))(ones({128, 3}));
  CHECK(program.str() ==
        "{ lambda ; a:f32[128,3]. let\n"
        "    b:f32[128,3] = mul 1.0:f32[128,3] a\n"
        "    c:f32[128,3] = mul 1.0:f32[128,3] a\n"
        "    d:f32[128,3] = add b c\n"
        "  in (d,) }");
}

TEST_CASE("docs: detach and stop_gradient") {
  const auto inner_derivative =
      [](auto stop) {  // of x y y by y with one factor held, at y = x: x x, if x is still seen
        return [stop](Tensor x) { return grad([&](Tensor y) { return stop(x * y) * y; })(x); };
      };
  CHECK(grad(inner_derivative([](Tensor t) { return detach(t); }))(3.0).item<double>() == 6);
  CHECK(grad(inner_derivative([](Tensor t) { return stop_gradient(t); }))(3.0).item<double>() == 0);
}

TEST_CASE("docs: in-place writes inside a function") {
  const auto powers = [](Tensor x) {
    Tensor y = ones({3});
    for (int i = 1; i < 3; ++i) y[i] = y[i - 1] * x;
    return y;  // 1, x, x^2
  };
  CHECK(vmap(jacfwd(powers))(tensor({2.0f, 5.0f})).equal(tensor({0.f, 1.f, 4.f, 0.f, 1.f, 10.f}).view({2, 3})));
}

TEST_CASE("docs: a module as a function of its parameters") {
  nn::Linear model(3, 2);
  const auto [params, buffers] = module_state(model);  // named tensors
  const auto loss_of = [&](const func::StateDict& p, Tensor x) { return functional_call(model, p, x).square().sum(); };
  const func::StateDict each = vmap(grad(loss_of), {.in_dims = {nullopt, 0}})(params, rand({8, 3}));
  CHECK(each["weight"].sizes() == IntArrayRef({8, 2, 3}));
}

TEST_CASE("README: per-sample gradients and Hessians of a module, and the gradient as a program") {
  std::ostringstream listing;
  std::streambuf* const out = std::cout.rdbuf(listing.rdbuf());
  nn::Sequential model(nn::Linear(64, 32), nn::Tanh(), nn::Linear(32, 10));
  const auto [params, buffers] = module_state(model);  // named tensors: any nest of tensors will do
  const auto loss = [&](const func::StateDict& p, Tensor image, Tensor digit) {
    return nn::functional::cross_entropy(functional_call(model, p, image), digit);
  };
  const Tensor images = random::normal(random::key(0), {128, 64}), digits = arange(128) % 10;
  const auto one = grad(loss)(params, images[0], digits[0]);                                 // like params
  const auto each = vmap(grad(loss), {.in_dims = {nullopt, 0, 0}})(params, images, digits);  // one per image
  const Tensor input_hessians = vmap(hessian<1>(loss), {.in_dims = {nullopt, 0, 0}})(params, images, digits);
  std::cout << trace(grad(loss))(params, images[0], digits[0]);  // the gradient, written out as a program
  std::cout.rdbuf(out);
  CHECK(each["0.weight"].sizes() == IntArrayRef({128, 32, 64}));
  CHECK(each["2.bias"][0].allclose(one["2.bias"], 1e-5, 1e-6));
  CHECK(input_hessians.sizes() == IntArrayRef({128, 64, 64}));
  CHECK(input_hessians.allclose(input_hessians.transpose(1, 2), 1e-4, 1e-5));
  CHECK_THAT(listing.str(), Catch::Matchers::StartsWith("{ lambda") && Catch::Matchers::ContainsSubstring("= tanh "));
}

TEST_CASE("functions at the door") {
  const auto cube = [](Tensor x) { return x * x * x; };
  const auto wave = [](const Tensor& x) { return x.sin(); };
  static_assert(std::is_same_v<decltype(vmap(grad(cube))), decltype(vmap(grad(wave)))>);
  static_assert(!std::is_invocable_v<decltype(grad(cube)), Tensor, Tensor>);
  CHECK(hessian(cube)(2.0).item<double>() == 12);
}

}  // namespace
}  // namespace strata
