// Nesting does what mathematics says: perturbation confusion, higher derivatives, control flow, in-place, mixed levels.
#include <strata/strata.h>

#include <atomic>
#include <thread>

#include "test/catch.h"
#include "test/transforms/values.h"

using Catch::Matchers::ContainsSubstring;

namespace strata {
namespace {

TEST_CASE("an inner derivative does not see the outer one's perturbation") {
  const auto inner = [](Tensor x) { return grad([x](Tensor y) { return x + y; })(scalar(2)); };
  CHECK(number(grad([&](Tensor x) { return x * inner(x); })(scalar(1))) == 1);
  const auto pushed = [](Tensor x) { return jvp([x](Tensor y) { return x + y; }, scalar(2), scalar(1)).second; };
  CHECK(number(jvp([&](Tensor x) { return x * pushed(x); }, scalar(1), scalar(1)).second) == 1);
  CHECK(number(grad([&](Tensor x) { return x * pushed(x); })(scalar(1))) == 1);
  CHECK(number(jvp([&](Tensor x) { return x * inner(x); }, scalar(1), scalar(1)).second) == 1);
}

TEST_CASE("higher derivatives") {
  const auto f = [](Tensor x) { return 2 * pow(x, 3) + 8; };
  CHECK(number(grad(f)(scalar(3))) == 54);
  CHECK(number(hessian(f)(scalar(3))) == 36);
  CHECK(number(grad(grad(grad(f)))(scalar(3))) == 12);
  CHECK(number(grad(grad(grad(grad(f))))(scalar(3))) == 0);
  const auto g = [](Tensor x) { return exp(2 * x); };
  CHECK(number(grad(grad(grad(grad(g))))(scalar(0.5))) == Approx(16 * std::exp(1.0)));
  CHECK(number(jacfwd(jacrev(jacfwd(g)))(scalar(0.5))) == Approx(8 * std::exp(1.0)));
}

TEST_CASE("softmax of examples without dims has the derivatives of a constant") {
  for (auto* f : {&softmax, &log_softmax, &softmin}) {
    const auto of_one = [f](Tensor x) { return f(x, 0, std::nullopt) * x; };
    const auto slopes = [&](Tensor v) { return vmap(grad(of_one))(v).sin().sum(); };
    const double slope = f == &log_softmax ? 0 : 1;
    const Tensor x = tensor({-1.0, 0.5, 2.0}, kDouble), y = vmap(grad(of_one))(x);
    CHECK(y.equal(full({3}, slope, kDouble)));
    CHECK(grad(slopes)(x).equal(zeros({3}, kDouble)));
    CHECK(vmap(grad(grad(of_one)))(x).equal(zeros({3}, kDouble)));
    CHECK(vmap([&](Tensor v) { return jvp(grad(of_one), v, v).second; })(x).equal(zeros({3}, kDouble)));
    CHECK(jvp([&](Tensor v) { return vmap(of_one)(v); }, x, x).second.equal(x * slope));
  }
}

TEST_CASE("vmap of grad and grad of vmap") {
  const Tensor x = arange(4, kDouble);
  CHECK(vmap(grad([](Tensor v) { return v * v * v; }))(x).equal(3 * x * x));
  CHECK(grad([](Tensor v) { return vmap([](Tensor e) { return e * e; })(v).sum(); })(x).equal(2 * x));
}

TEST_CASE("in-place updates inside a function") {
  const auto f = [](Tensor x) {
    Tensor y = zeros({3}, kDouble);
    Tensor before = y[1];
    y[0] = x * x;
    y[1].copy_(x * 3);
    y.mul_(2);
    CHECK(before.is_same(before));
    return (y * tensor({1.0, 10.0, 100.0}).to(kDouble)).sum() + before;
  };
  CHECK(number(f(scalar(2))) == 2 * 4 + 2 * 6 * 10 + 12);
  CHECK(number(grad(f)(scalar(2))) == 2 * 2 * 2 + 60 + 6);
  CHECK(number(jvp(f, scalar(2), scalar(1)).second) == 74);
  CHECK(vmap(grad(f))(tensor({2.0, 3.0}).to(kDouble)).equal(tensor({74.0, 78.0}).to(kDouble)));
}

TEST_CASE("loops, branches and recursion inside grad run as plain C++") {
  const auto fourth_power = [](Tensor x) {
    Tensor y = x;
    int n = 1;
    while (n < 4) y = y * x, ++n;
    return y;
  };
  CHECK(number(grad(fourth_power)(scalar(3))) == 4 * 27);
  // The number of rounds depends on the data: halving 5 until it is below 1 takes three.
  const auto halve = [](Tensor x) {
    while (x.item<double>() > 1) x = x / 2;
    return x;
  };
  CHECK(number(grad(halve)(scalar(5))) == 1.0 / 8);
  CHECK(number(jvp(halve, scalar(5), scalar(1)).second) == 1.0 / 8);
  const auto branch = [](Tensor x) { return (x > 0).item<bool>() ? x * x : -x; };
  CHECK(number(grad(branch)(scalar(3))) == 6);
  CHECK(number(grad(branch)(scalar(-3))) == -1);
  struct Factorial {
    static Tensor of(Tensor x) { return x.item<double>() <= 1 ? x : x * of(x - 1); }
  };
  // x (x-1) (x-2) at 3 has the derivative 11; deeper levels see the same program.
  CHECK(number(grad(&Factorial::of)(scalar(3))) == 11);
  CHECK(number(grad(grad(&Factorial::of))(scalar(3))) == 12);
}

TEST_CASE("closures over outer tensors, at any depth") {
  const Tensor w = scalar(5);
  CHECK(number(grad([&](Tensor x) { return x * x * w; })(scalar(3))) == 30);
  const auto mixed = [&](Tensor x) {
    return grad([&](Tensor y) { return vmap([&](Tensor z) { return x * y * z; })(arange(4, kDouble)).sum(); })(w);
  };
  CHECK(number(mixed(scalar(2))) == 12);
  CHECK(number(grad(mixed)(scalar(2))) == 6);
  CHECK(number(jvp(mixed, scalar(2), scalar(1)).second) == 6);
}

TEST_CASE("eager tensors that require grad take part at level 0") {
  const Tensor w = scalar(2).requires_grad_();
  const Tensor g = grad([&](Tensor x) { return w * x * x; })(scalar(3));
  CHECK(number(g) == 12);
  g.backward();
  CHECK(number(w.grad()) == 6);
  const Tensor u = scalar(2).requires_grad_();
  vmap([&](Tensor x) { return u * x; })(arange(4, kDouble)).sum().backward();
  CHECK(number(u.grad()) == 6);
  const Tensor v = scalar(2).requires_grad_();
  jvp([&](Tensor x) { return v * v * x; }, scalar(1), scalar(3)).second.backward();
  CHECK(number(v.grad()) == 12);
}

TEST_CASE("NoGradGuard inside grad stops that level and those outside; outside of it, it does not matter") {
  const auto f = [](Tensor x) {
    Tensor c;
    {
      const NoGradGuard guard;
      c = x * x;
    }
    return x * 3 - c;
  };
  CHECK(number(grad(f)(scalar(2))) == 3);
  CHECK(number(grad([&](Tensor y) { return grad(f)(y) * y; })(scalar(2))) == 3);
  CHECK(number(jvp(f, scalar(2), scalar(1)).second) == -1);  // forward mode does not record
  CHECK(number(vmap(grad(f))(scalar(2).reshape({1}))) == 3);
  const NoGradGuard outside;
  CHECK(number(grad([](Tensor x) { return x * x; })(scalar(2))) == 4);
  CHECK(number(grad(grad([](Tensor x) { return x * x * x; }))(scalar(2))) == 12);
}

TEST_CASE("detach inside a transform") {
  CHECK(number(grad([](Tensor x) { return x * x.detach(); })(scalar(3))) == 3);
  CHECK(number(jvp([](Tensor x) { return x * x.detach(); }, scalar(3), scalar(1)).second) == 3);
  CHECK(number(grad([](Tensor x) { return stop_gradient(x * x) + x; })(scalar(3))) == 1);
}

TEST_CASE("an output that does not depend on an input has a zero gradient") {
  const auto [a, b] = grad<0, 1>([](Tensor x, Tensor) { return x * x; })(scalar(3), rand({2, 2}));
  CHECK(number(a) == 6);
  CHECK(b.equal(zeros({2, 2})));
  CHECK(number(grad([](Tensor) { return scalar_tensor(1.0); })(scalar(3))) == 0);
  CHECK(number(jvp([](Tensor) { return scalar_tensor(1.0); }, scalar(3), scalar(1)).second) == 0);
}

TEST_CASE("jacrev and jacfwd agree for every pair of reverse and forward") {
  const auto f = [](Tensor x) { return stack({x[0] * x[1], sin(x[1]), x.square().sum()}).reshape({3, 1}); };
  const Tensor x = rand({2}, kDouble);
  const Tensor j = jacrev(f)(x);
  CHECK(j.sizes() == IntArrayRef({3, 1, 2}));
  CHECK(j.allclose(jacfwd(f)(x)));
  const Tensor h = hessian(f)(x);
  CHECK(h.sizes() == IntArrayRef({3, 1, 2, 2}));
  for (const Tensor& other : {jacrev(jacrev(f))(x), jacrev(jacfwd(f))(x), jacfwd(jacfwd(f))(x)})
    CHECK(h.allclose(other));
  CHECK(hvp([](Tensor v) { return v.pow(3).sum(); }, x, ones_like(x)).allclose(6 * x));
}

TEST_CASE("products along the dim of examples without dims have the derivatives that each alone has") {
  const Tensor x = rand({3}, kDouble) + 0.5;
  const auto check = [&](auto f) {
    CHECK(vmap(grad(f))(x).equal(stack({grad(f)(x[0]), grad(f)(x[1]), grad(f)(x[2])})));
    CHECK(jacrev(vmap(f))(x).allclose(diag(vmap(grad(f))(x))));
    CHECK(jacfwd(vmap(f))(x).allclose(diag(vmap(grad(f))(x))));
  };
  check([](Tensor v) { return (v * v).prod(-1); });
  check([](Tensor v) { return (v * v).prod(0, /*keepdim=*/true); });
  check([](Tensor v) { return (v * v).cumprod(0); });
  check([](Tensor v) { return (v * v).logcumsumexp(-1); });
  check([](Tensor v) { return (v * v).amax(0); });
}

TEST_CASE("threads have level stacks of their own and may share parameters") {
  const Tensor w = rand({8, 8}, kDouble), x = rand({16, 8}, kDouble);
  const auto loss = [&](Tensor v, Tensor row) { return tanh(matmul(v, row)).square().sum(); };
  const auto per_sample = [&] { return vmap(grad(loss), {.in_dims = {nullopt, 0}})(w, x); };
  const Tensor expected = per_sample();
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) right += per_sample().equal(expected);
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(right == 20);
}

TEST_CASE("transforms refuse gradients that functions do not have, when they are asked for") {
  const Tensor x = tensor({0.25, 0.5}, kDouble), y = tensor({2.0, 3.0}, kDouble);
  const auto by_order = [&](const Tensor& t) { return special::zeta(t + 2, y).sum(); };
  const auto by_both = [&](const Tensor& t) { return (t * heaviside(t - 1, y).detach()).sum(); };
  CHECK_THROWS_WITH(grad(by_order)(x), ContainsSubstring("zeta: the derivative is not implemented"));
  CHECK_THROWS_WITH(vmap(grad(by_order))(x), ContainsSubstring("zeta: the derivative is not implemented"));
  CHECK_THROWS_WITH(jvp(by_order, x, y), ContainsSubstring("zeta: the derivative is not implemented"));
  CHECK_THROWS_WITH(vmap([&](const Tensor& t) { return std::get<1>(jvp(by_order, t, ones_like(t))); })(x),
                    ContainsSubstring("zeta: the derivative is not implemented"));
  CHECK(grad(by_both)(x).equal(zeros_like(x)));
  const auto next = [&](const Tensor& t) { return nextafter(t, tensor({0.25, 1.0}, kDouble)).sum(); };
  CHECK(grad(next)(x).equal(tensor({0.0, 1.0}, kDouble)));
  CHECK(grad([](const Tensor& t) { return bernoulli(t).add(t).sum(); })(x).equal(ones_like(x)));
  // Integers and bools have no gradient that a level could ask for.
  const Tensor steps = tensor({-1, 0, 2}), wanted = tensor({0, 5, 1});
  CHECK(vmap([](const Tensor& t) { return heaviside(t, full({}, 5, kLong)); })(steps).equal(wanted));
  CHECK(vmap([](const Tensor& t) { return heaviside(t, full({}, true, kBool)); })(steps > 0).equal(
      tensor({true, true, true})));
}

}  // namespace
}  // namespace strata
