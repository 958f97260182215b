// Every place where a gradient enters: given to backward, returned by hooks and custom functions, set by hand, left by
// set_data. What is taken and what is refused is as in PyTorch.
#include "test/autograd/helpers.h"

namespace strata::autograd_test {
namespace {

Tensor float_leaf(std::vector<float> values) { return tensor(values, kFloat).requires_grad_(); }

/// Doubles, and returns whatever gradient the test says.
Tensor (*returned)(const Tensor& grad) = nullptr;
struct Doubled : autograd::Function<Doubled> {
  static Tensor forward(autograd::AutogradContext*, const Tensor& x) { return x * 2; }
  static autograd::variable_list backward(autograd::AutogradContext*, autograd::variable_list g) {
    return {returned(g[0])};
  }
};

std::string message_of_custom(Tensor (*f)(const Tensor&)) {
  returned = f;
  const Tensor x = leaf({1, 2});
  return message([&] { Doubled::apply(x * 1).sum().backward(); });
}

Tensor of_another_shape(const Tensor&) { return ones({3}, kDouble); }
Tensor of_another_dtype(const Tensor& g) { return g.to(kFloat); }
Tensor complex_one(const Tensor& g) { return g.to(kComplexDouble); }

}  // namespace

TEST_CASE("a gradient given to backward has the result's shape, and its dtype or becomes it") {
  const Tensor x = float_leaf({1, 2});
  const Tensor y = x * 2;
  y.backward(ones({2}, kDouble), /*retain_graph=*/true);
  CHECK(x.grad().dtype() == kFloat);
  CHECK(values(x.grad()) == V{2, 2});
  CHECK(contains(message([&] { y.backward(ones({1})); }), "shape"));
  CHECK(contains(message([&] { y.backward(ones({2}, kComplexFloat)); }), "complex64"));
}

TEST_CASE("a hook may not change shape, dtype or device of a gradient") {
  for (const auto replace : {&of_another_shape, &of_another_dtype, &complex_one}) {
    const Tensor x = leaf({1, 2});
    const Tensor y = x * 2;
    y.register_hook(replace);
    CHECK(contains(message([&] { y.sum().backward(); }), "hook"));
    const Tensor z = leaf({1, 2});
    z.register_hook(replace);
    CHECK(contains(message([&] { (z * 2).sum().backward(); }), "hook"));
    CHECK(!z.grad().defined());
  }
}

TEST_CASE("what a custom backward returns is summed and cast to fit, or refused") {
  CHECK(contains(message_of_custom(&of_another_shape),
                 "invalid gradient at index 0 - got (3,) but expected shape compatible with (2,)"));
  CHECK(contains(message_of_custom(&complex_one), "complex128 gradient for input 0 of float64"));
  returned = &of_another_dtype;
  const Tensor x = leaf({1, 2});
  Doubled::apply(x * 1).sum().backward();
  CHECK(x.grad().dtype() == kDouble);
  CHECK(values(x.grad()) == V{1, 1});
  returned = [](const Tensor&) { return ones({4, 2}, kDouble); };
  const Tensor z = leaf({1, 2});
  Doubled::apply(z * 1).sum().backward();
  CHECK(values(z.grad()) == V{4, 4});
}

TEST_CASE("a gradient set by hand must fit the leaf when the next one arrives") {
  const Tensor x = leaf({1, 2});
  for (const Tensor& wrong : {ones({3}, kDouble), ones({1}, kDouble), ones({2}, kFloat), ones({2}, kLong)}) {
    x.mutable_grad() = wrong;
    CHECK(contains(message([&] { (x * 2).sum().backward(); }), ".grad()"));
    CHECK(x.grad().is_same(wrong));
  }
  x.mutable_grad() = ones({2}, kDouble);
  (x * 2).sum().backward();
  CHECK(values(x.grad()) == V{3, 3});
}

TEST_CASE("a gradient that set_data left must fit the new data") {
  const Tensor x = leaf({1, 2});
  (x * 2).sum().backward();
  x.set_data(ones({3}, kDouble));
  CHECK(contains(message([&] { (x * 2).sum().backward(); }), ".grad(), of shape (2,) at a leaf of shape (3,)"));
  x.set_data(ones({2}, kFloat));
  CHECK(contains(message([&] { (x * 2).sum().backward(); }), ".grad(), of dtype float64 at a leaf of dtype float32"));
  x.mutable_grad() = Tensor();
  (x * 2).sum().backward();
  CHECK(x.grad().dtype() == kFloat);
}

TEST_CASE("set_data between forward and backward") {
  const Tensor x = leaf({1, 2});
  const Tensor y = (x * 2).sum();
  x.set_data(ones({3}, kDouble));
  CHECK(contains(message([&] { y.backward(); }), "shape"));
  const Tensor z = leaf({1, 2});
  const Tensor w = (z * 2).sum();
  z.set_data(ones({2}, kFloat));
  CHECK(contains(message([&] { w.backward(); }), "dtype"));
}

TEST_CASE("the first gradient is the buffer that was computed, unless somebody else sees it") {
  const Tensor x = leaf({1, 2, 3, 4});
  for (const bool somebody_sees : {false, true}) {
    x.mutable_grad() = Tensor();
    const Tensor y = x.reshape({2, 2});
    const void* computed = nullptr;
    Tensor seen;
    y.register_hook([&](const Tensor& g) {
      computed = g.data_ptr();
      if (somebody_sees) seen = g;
    });
    (y * y).sum().backward();
    CHECK((x.grad().data_ptr() == computed) == !somebody_sees);
    CHECK(values(x.grad()) == V{2, 4, 6, 8});
    CHECK(!x.grad().is_view());
  }
  const Tensor part = leaf({1, 2, 3, 4});
  cat({part, x}).mul(2).sum().backward();  // a part of a larger buffer would keep that alive
  CHECK(part.grad().storage()->nbytes() == part.nbytes());
}

}  // namespace strata::autograd_test
