// backward and grad: values, accumulation, retained graphs, higher order, errors.
#include "test/autograd/helpers.h"

namespace strata::autograd_test {

TEST_CASE("gradients of a product and a sum") {
  const Tensor a = leaf({1, 2, 3}), b = leaf({4, 5, 6});
  (a * b + a).sum().backward();
  CHECK(values(a.grad()) == V{5, 6, 7});
  CHECK(values(b.grad()) == V{1, 2, 3});
}

TEST_CASE("a tensor may be replaced by its own gradient, which lives in its body") {
  Tensor a = leaf({1, 2, 3});
  (a * a).sum().backward();
  a = a.grad();
  CHECK(values(a) == V{2, 4, 6});
}

TEST_CASE("gradients accumulate over calls and over uses") {
  const Tensor a = leaf({2});
  (a * a * a).backward();
  CHECK(values(a.grad()) == V{12});
  a.mul(5).backward();
  CHECK(values(a.grad()) == V{17});
}

TEST_CASE("broadcast operands get the sum of the gradients") {
  const Tensor a = leaf({1, 2, 3}), b = leaf({10});
  (a * b).sum().backward();
  CHECK(values(b.grad()) == V{6});
  CHECK(b.grad().sizes() == IntArrayRef{1});
}

TEST_CASE("a second backward needs retain_graph") {
  const Tensor a = leaf({3});
  const Tensor y = a * a;
  y.backward({}, true);
  y.backward();
  CHECK(values(a.grad()) == V{12});
  CHECK(contains(message([&] { y.backward(); }), "backward through the graph a second time: MulBackward0"));
  CHECK(contains(message([&] { y.backward(); }), "retain_graph"));
}

TEST_CASE("grad returns gradients and accumulates nothing") {
  const Tensor a = leaf({3}), b = leaf({2}), unused = leaf({1});
  const Tensor y = a * a * b;
  const auto g = autograd::grad({y}, {a, b}, {}, true);
  CHECK(values(g[0]) == V{12});
  CHECK(values(g[1]) == V{9});
  CHECK(!a.grad().defined());
  CHECK(contains(message([&] { autograd::grad({y}, {unused}, {}, true); }), "allow_unused"));
  CHECK(!autograd::grad({y}, {unused}, {}, true, false, true)[0].defined());
}

TEST_CASE("grad with respect to an intermediate tensor") {
  const Tensor a = leaf({3});
  const Tensor m = a * 2;
  const Tensor y = m * m + a;
  CHECK(values(autograd::grad({y}, {m}, {}, true)[0]) == V{12});
  CHECK(values(autograd::grad({y}, {a})[0]) == V{25});
}

TEST_CASE("third derivative of x^4 through create_graph") {
  const Tensor x = leaf({2});
  Tensor y = x * x * x * x;
  for (double expected : {32.0, 48.0, 48.0, 24.0}) {
    y = autograd::grad({y}, {x}, {}, true, true)[0];
    CHECK(values(y) == V{expected});
  }
}

TEST_CASE("backward to chosen leaves leaves the others alone") {
  const Tensor a = leaf({3}), b = leaf({2});
  autograd::backward({a * b}, {}, std::nullopt, false, {a});
  CHECK(values(a.grad()) == V{2});
  CHECK(!b.grad().defined());
}

TEST_CASE("clear errors") {
  const Tensor a = leaf({1, 2});
  CHECK(contains(message([&] { (a * a).backward(); }), "a gradient must be given"));
  CHECK(contains(message([&] { a.detach().sum().backward(); }), "does not require grad"));
  CHECK(contains(message([&] { (a * a).backward(ones({3}, kDouble)); }), "shape (3,)"));
  CHECK(contains(message([&] { tensor({1, 2}).requires_grad_(); }), "int64"));
  const Tensor y = a * 2;
  CHECK(contains(message([&] { y.requires_grad_(false); }), "detach"));
}

TEST_CASE("modes switch recording off") {
  const Tensor a = leaf({1, 2});
  {
    const NoGradGuard guard;
    CHECK(!(a * a).requires_grad());
    {
      const EnableGradGuard inner;
      CHECK((a * a).requires_grad());
    }
  }
  CHECK((a * a).requires_grad());
  Tensor inference;
  {
    const InferenceMode guard;
    inference = a * a;
    CHECK(inference.is_inference());
  }
  CHECK(!inference.requires_grad());
  CHECK(contains(message([&] { a* inference; }), "InferenceMode"));
  CHECK((a + inference).requires_grad());
}

TEST_CASE("leaves, nodes and detaching") {
  const Tensor a = leaf({1, 2});
  const Tensor y = a * a;
  CHECK(a.is_leaf());
  CHECK(!y.is_leaf());
  CHECK(a.grad_fn() == nullptr);
  CHECK(y.grad_fn()->name() == "MulBackward0");
  CHECK(y.detach().is_leaf());
  CHECK(!y.detach().requires_grad());
  Tensor z = a * 3;
  z.detach_();
  CHECK(z.is_leaf());
}

TEST_CASE("an error in backward leaves the engine usable and the graph free") {
  const Tensor a = leaf({1, 2});
  const Tensor y = a * a;
  y.register_hook([](const Tensor&) { throw std::runtime_error("stop"); });
  CHECK_THROWS_WITH(y.sum().backward(), "stop");
  CHECK(!a.grad().defined());
  (a * a).sum().backward();
  CHECK(values(a.grad()) == V{2, 4});
}

TEST_CASE("a gradient buffer that is shared is not written to") {
  const Tensor a = leaf({1, 2}), b = leaf({1, 2});
  const Tensor g = ones({2}, kDouble);
  (a + b + a).backward(g);
  CHECK(values(g) == V{1, 1});
  CHECK(values(a.grad()) == V{2, 2});
  CHECK(values(b.grad()) == V{1, 1});
}

TEST_CASE("anomaly mode names the forward call and finds NaN") {
  const autograd::DetectAnomalyGuard guard;
  const Tensor a = leaf({0});
  const Tensor y = (a.sqrt() * 0).sum();
  const std::string text = message([&] { y.backward(); });
  CHECK(contains(text, "NaN"));
  CHECK(contains(text, "sqrt("));
}

}  // namespace strata::autograd_test
