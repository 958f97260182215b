// InferenceMode and views made while recording is off. What is allowed is as in PyTorch.
#include "test/autograd/helpers.h"

namespace strata::autograd_test {
namespace {

Tensor inference_tensor() {
  const InferenceMode mode;
  return ones({2}, kDouble);
}
template <class Mode>
Tensor first_of(const Tensor& base) {
  const Mode mode;
  return base.slice(0, 0, 1);
}

}  // namespace

TEST_CASE("InferenceMode(false) is normal mode with recording on") {
  const Tensor a = leaf({1});
  {
    const InferenceMode outer;
    CHECK(!GradMode::is_enabled());
    const InferenceMode inner(false);
    CHECK(!InferenceMode::is_enabled());
    CHECK(GradMode::is_enabled());
    CHECK((a * 2).requires_grad());
    CHECK(!(a * 2).is_inference());
  }
  const NoGradGuard no_grad;
  const InferenceMode inner(false);
  CHECK((a * 2).requires_grad());
}

TEST_CASE("an inference tensor is written to inside of the mode alone") {
  Tensor x = inference_tensor();
  const auto refused = [&](auto write) { return contains(message(write), "InferenceMode"); };
  CHECK(refused([&] { x.mul_(2); }));
  CHECK(refused([&] { x[0].mul_(2); }));
  CHECK(refused([&] { x.index_put_({0}, 5); }));
  CHECK(refused([&] { x.copy_(ones({2})); }));
  CHECK(refused([&] { x.zero_(); }));
  CHECK(refused([&] { x.uniform_(); }));
  CHECK(refused([&] { add_out(x, x, x); }));
  {
    const NoGradGuard no_grad;
    CHECK(refused([&] { x.mul_(2); }));
  }
  CHECK(values(x) == V{1, 1});
  CHECK(x[0].is_inference());
  const InferenceMode mode;
  x.mul_(2);
  CHECK(values(x) == V{2, 2});
}

TEST_CASE("what may be done with inference tensors outside") {
  const Tensor x = inference_tensor();
  CHECK(!(x * 2).is_inference());
  const Tensor a = leaf({1, 2});
  (a + x).sum().backward();
  CHECK(values(a.grad()) == V{1, 1});
  CHECK(contains(message([&] { (a * x).sum(); }), "InferenceMode"));
  Tensor plain = ones({2}, kDouble);
  plain.copy_(x);
  CHECK(!plain.is_inference());
  x.detach().mul_(3);
  CHECK(values(x) == V{3, 3});
}

TEST_CASE("a normal tensor stays normal in InferenceMode") {
  Tensor x = ones({2}, kDouble);
  const InferenceMode mode;
  const int64_t before = x._version();
  x.mul_(2);
  Tensor view = x[0];
  view.mul_(2);
  CHECK(!view.is_inference());
  CHECK(x._version() == before + 2);
}

TEMPLATE_TEST_CASE("a view made while recording is off cannot be written to while it is on", "", NoGradGuard,
                   InferenceMode) {
  const Tensor a = leaf({1, 2});
  const auto refused = [](auto write) { return contains(message(write), "A view was created in"); };
  Tensor of_leaf = first_of<TestType>(a);
  CHECK(of_leaf.requires_grad());
  CHECK(refused([&] { of_leaf.mul_(3); }));
  CHECK(refused([&] { of_leaf.mul_(leaf({3})); }));
  CHECK(a.is_leaf());
  CHECK(values(a) == V{1, 2});

  const Tensor base = a * 1;
  Tensor of_result = first_of<TestType>(base);
  CHECK(of_result.requires_grad());
  CHECK(of_result.is_leaf());
  CHECK(refused([&] { of_result.mul_(3); }));
  Tensor again = of_result.slice(0, 0, 1);
  CHECK(refused([&] { again.mul_(3); }));
  base.sum().backward();
  CHECK(values(a.grad()) == V{1, 1});

  Tensor buffer = zeros({2}, kDouble);
  Tensor of_buffer = first_of<TestType>(buffer);
  CHECK(!of_buffer.requires_grad());
  CHECK(refused([&] { of_buffer.mul_(a[0]); }));
  of_buffer.add_(3);  // nothing to record
  CHECK(values(buffer) == V{3, 0});
  CHECK(!buffer.requires_grad());
}

TEMPLATE_TEST_CASE("a view made while recording is off passes no gradient on", "", NoGradGuard, InferenceMode) {
  const Tensor a = leaf({1, 2});
  const Tensor view = first_of<TestType>(a);
  const Tensor y = view * 3;
  CHECK(y.requires_grad());
  y.sum().backward();
  CHECK(!a.grad().defined());
  CHECK(contains(message([&] { view.backward(ones({1}, kDouble)); }), "no history"));
  CHECK(contains(message([&] { autograd::grad({y.sum()}, {view}); }), "no gradient reaches it"));
  (view * a).sum().backward();
  CHECK(values(a.grad()) == V{1, 1});
}

TEMPLATE_TEST_CASE("a view made while recording is off is not used after its memory was written to", "", NoGradGuard,
                   InferenceMode) {
  Tensor base = leaf({1, 2}) * 1;
  const Tensor view = first_of<TestType>(base);
  base.mul_(2);
  CHECK(contains(message([&] { view * 2; }), "written to"));
  CHECK(values(view.detach()) == V{2});
}

TEST_CASE("a view made under NoGradGuard may become a leaf of its own") {
  const Tensor a = leaf({1, 2});
  const Tensor view = first_of<NoGradGuard>(a).requires_grad_();
  (view * 2).sum().backward();
  CHECK(values(view.grad()) == V{2});
  CHECK(!a.grad().defined());
}

TEST_CASE("a leaf stays one when a view of it is to be written to") {
  const Tensor a = leaf({1, 2});
  const Tensor b = leaf({3});
  const auto refused = [](auto write) { return contains(message(write), "leaf"); };
  CHECK(refused([&] { a.slice(0, 0, 1).mul_(b); }));
  CHECK(refused([&] { a.view({2, 1})[0].copy_(b); }));
  CHECK(refused([&] { a.unsqueeze(0).fill_(1); }));
  CHECK(refused([&] { a.unbind()[1].zero_(); }));
  CHECK(refused([&] { Tensor(a).index_put_({indexing::Slice(0, 1)}, b); }));
  CHECK(refused([&] { a.select(0, 0).uniform_(); }));
  Tensor early = ones({2}, kDouble);
  Tensor view = early.slice(0, 0, 1);
  early.requires_grad_();
  CHECK(refused([&] { view.mul_(b); }));
  CHECK(refused([&] { view.mul_(2); }));
  CHECK((a.is_leaf() && early.is_leaf()));
}

TEST_CASE("tensors made in InferenceMode count no writes") {
  const Tensor x = [] {
    const InferenceMode guard;
    return ones({2});
  }();
  CHECK_THROWS_WITH(x._version(), Catch::Matchers::ContainsSubstring("does not count its writes"));
  CHECK(x.clone()._version() == 0);
}

}  // namespace strata::autograd_test
