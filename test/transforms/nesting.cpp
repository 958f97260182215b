// Nesting does what mathematics says: perturbation confusion, higher derivatives, control flow, in-place, mixed levels.
#include <strata/strata.h>
#include "test/catch.h"

namespace strata {
namespace {

double number(const Tensor& t) { return t.item<double>(); }
Tensor scalar(double v) { return scalar_tensor(v, kDouble); }

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

}  // namespace
}  // namespace strata
