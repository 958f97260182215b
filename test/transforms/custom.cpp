// Rules that users write: custom_vjp, custom_jvp, checkpoint and autograd::Function, at every level.
#include <cmath>

#include <strata/strata.h>
#include "test/catch.h"
#include "test/transforms/values.h"

namespace strata {
namespace {

/// sin with the derivative 10 cos, so that its use shows.
const auto odd_sin =
    custom_vjp([](Tensor x) { return sin(x); }, [](Tensor x) { return std::pair(sin(x), std::tuple(cos(x))); },
               [](std::tuple<Tensor> kept, Tensor g) { return 10 * g * std::get<0>(kept); });

TEST_CASE("custom_vjp holds at every level") {
  const double c = std::cos(0.5), s = std::sin(0.5);
  CHECK(number(odd_sin(scalar(0.5))) == Approx(s));
  CHECK(number(grad(odd_sin)(scalar(0.5))) == Approx(10 * c));
  CHECK(number(grad(grad(odd_sin))(scalar(0.5))) == Approx(-10 * s));
  CHECK(number(vmap(grad(odd_sin))(scalar(0.5).reshape({1}))) == Approx(10 * c));
  const auto sum_of_batch = [](Tensor v) { return vmap(odd_sin)(v).sum(); };
  CHECK(grad(sum_of_batch)(full({3}, 0.5, kDouble)).allclose(full({3}, 10 * c, kDouble)));
  CHECK_THROWS_WITH(jvp(odd_sin, scalar(0.5), scalar(1)),
                    Catch::Matchers::ContainsSubstring("no forward-mode derivative"));

  const Tensor x = scalar(0.5).requires_grad_();
  const Tensor g = autograd::grad({odd_sin(x)}, {x}, {}, true, true)[0];
  CHECK(number(g) == Approx(10 * c));
  CHECK(number(autograd::grad({g}, {x})[0]) == Approx(-10 * s));
}

TEST_CASE("an argument that vmap does not map gets the sum of its gradients") {
  const auto product = custom_vjp([](Tensor a, Tensor b) { return a * b; },
                                  [](Tensor a, Tensor b) { return std::pair(a * b, std::tuple(a, b)); },
                                  [](std::tuple<Tensor, Tensor> kept, Tensor g) {
                                    return std::tuple(g * std::get<1>(kept), g * std::get<0>(kept));
                                  });
  const auto f = [&](Tensor a, Tensor b) { return vmap(product, {.in_dims = {nullopt, 0}})(a, b).sum(); };
  const auto [ga, gb] = grad<0, 1>(f)(scalar(3), arange(4, kDouble));
  CHECK(number(ga) == 6);
  CHECK(gb.equal(full({4}, 3.0, kDouble)));
}

TEST_CASE("custom_jvp serves both modes") {
  const auto odd = custom_jvp([](Tensor x) { return sin(x); },
                              [](std::tuple<Tensor> x, std::tuple<Tensor> t) {
                                return std::pair(sin(std::get<0>(x)), 10 * cos(std::get<0>(x)) * std::get<0>(t));
                              });
  const double c = std::cos(0.5), s = std::sin(0.5);
  CHECK(number(jvp(odd, scalar(0.5), scalar(2)).second) == Approx(20 * c));
  CHECK(number(grad(odd)(scalar(0.5))) == Approx(10 * c));
  CHECK(number(grad(grad(odd))(scalar(0.5))) == Approx(-10 * s));
  CHECK(number(hessian(odd)(scalar(0.5))) == Approx(-10 * s));
  CHECK(number(vmap(jacfwd(odd))(full({2}, 0.5, kDouble))[1]) == Approx(10 * c));
}

struct Cube : autograd::Function<Cube> {
  static Tensor forward(autograd::AutogradContext* ctx, Tensor x, double by) {
    ctx->save_for_backward({x});
    ctx->saved_data["by"] = by;
    return x * x * x;
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list g) {
    const Tensor x = ctx->get_saved_variables()[0];
    return {3 * x * x * g[0] * ctx->saved_data["by"].toDouble(), Tensor()};
  }
};

TEST_CASE("autograd::Function inside transforms") {
  const auto f = [](Tensor x) { return Cube::apply(x, 2.0); };
  CHECK(number(grad(f)(scalar(2))) == 24);
  CHECK(number(grad(grad(f))(scalar(2))) == 24);
  CHECK(vmap(grad(f))(arange(3, kDouble)).equal(6 * arange(3, kDouble).square()));
  CHECK_THROWS_WITH(jvp(f, scalar(2), scalar(1)), Catch::Matchers::ContainsSubstring("forward-mode"));
}

TEST_CASE("checkpoint gives the same derivatives, with the same random numbers") {
  const Tensor w = rand({4, 4}, kDouble);
  int runs = 0;
  const auto layer = [&](Tensor x) {
    ++runs;
    return dropout(tanh(matmul(x, w)), 0.5).sum();
  };
  const auto with = [&](auto f, auto transform) {
    manual_seed(3);
    return transform(f);
  };
  const Tensor x = rand({4, 4}, kDouble);
  const auto gradient = [&](auto f) { return grad(f)(x); };
  const Tensor plain = with(layer, gradient);
  runs = 0;
  CHECK(with(checkpoint(layer), gradient).equal(plain));
  CHECK(runs == 2);
  const auto second = [&](auto f) { return grad([&](Tensor v) { return grad(f)(v).square().sum(); })(x); };
  CHECK(with(checkpoint(layer), second).allclose(with(layer, second)));
  const auto forward = [&](auto f) { return jvp(f, x, x).second; };
  CHECK(with(checkpoint(layer), forward).allclose(with(layer, forward)));
}

TEST_CASE("capturing what is differentiated says to pass it as an argument") {
  const auto captures = [](Tensor x) { return checkpoint([x](Tensor v) { return v * x; })(x); };
  CHECK_THROWS_WITH(grad(captures)(scalar(2)), Catch::Matchers::ContainsSubstring("instead of capturing it"));
}

TEST_CASE("checkpoint differentiates what hooks keep of its inputs") {
  const Tensor x = rand({3}).requires_grad_();
  const autograd::SavedTensorHooksGuard hooks([](const Tensor& t) { return std::any(t.clone()); },
                                              [](const std::any& kept) { return std::any_cast<Tensor>(kept); });
  checkpoint([](Tensor v) { return v * v; })(x).sum().backward();
  REQUIRE(x.grad().defined());
  CHECK(x.grad().equal(2 * x));
}

TEST_CASE("checkpoint in eager autograd reaches captured parameters") {
  nn::Linear model(3, 2);
  const Tensor x = rand({5, 3}).requires_grad_();
  model->forward(x).square().sum().backward();
  const Tensor gx = x.grad().clone(), gw = model->weight.grad().clone();
  x.mutable_grad().reset();
  model->zero_grad();
  checkpoint([&](Tensor v) { return model->forward(v).square().sum(); })(x).backward();
  CHECK(x.grad().equal(gx));
  CHECK(model->weight.grad().equal(gw));
}

TEST_CASE("stop_gradient stops all levels, detach the innermost of its argument") {
  const auto f = [](auto stop) {
    return grad([stop](Tensor x) { return grad([&](Tensor y) { return stop(x * y) * y; })(x); });
  };
  // d/dy [x y y] with one factor held: x y; at y = x: x^2, whose derivative is 2x if x is still seen, else 0.
  CHECK(number(f([](Tensor t) { return t.detach(); })(scalar(3))) == 6);
  CHECK(number(f([](Tensor t) { return stop_gradient(t); })(scalar(3))) == 0);
}

}  // namespace
}  // namespace strata
