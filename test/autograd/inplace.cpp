// In-place ops, views and version counters.
#include <functional>

#include "test/autograd/helpers.h"

namespace strata::autograd_test {

TEST_CASE("an in-place op rewrites the history") {
  const Tensor a = leaf({1, 2});
  Tensor y = a * 3;
  y.mul_(y);
  y.sum().backward();
  CHECK(values(a.grad()) == V{18, 36});
}

TEST_CASE("in-place with saved output and saved input") {
  const Tensor a = leaf({-1, 2});
  Tensor y = a * 1;
  y.exp_();
  y.sum().backward();
  CHECK(values(a.grad())[1] == Approx(std::exp(2.0)));
  const Tensor b = leaf({3, 4});
  Tensor z = b * 1;
  z.mul_(b);  // saves z's old value for b's gradient
  z.sum().backward();
  CHECK(values(b.grad()) == V{6, 8});
}

TEST_CASE("writing to a saved tensor is found out") {
  const Tensor a = leaf({1, 2});
  const Tensor x = a * 1;
  const Tensor y = x * x;
  Tensor alias = x;
  alias.add_(1);
  CHECK(contains(message([&] { y.sum().backward(); }), "modified in place"));
  const Tensor u = a * 1;
  const Tensor v = u * u;
  u.detach().zero_();  // an alias shares the version
  CHECK(contains(message([&] { v.sum().backward(); }), "modified in place"));
  const Tensor p = a * 1;
  const Tensor q = p.exp();
  Tensor q_alias = q;
  {
    const NoGradGuard guard;
    q_alias.zero_();
  }
  CHECK(contains(message([&] { q.sum().backward(); }), "modified in place"));
}

TEST_CASE("in-place on leaves and views of leaves is refused") {
  Tensor a = leaf({1, 2});
  CHECK(contains(message([&] { a.mul_(2); }), "leaf"));
  CHECK(contains(message([&] { a[0].mul_(2); }), "leaf"));
  const NoGradGuard guard;
  a.mul_(2);
  CHECK(values(a) == V{2, 4});
}

TEST_CASE("in-place on an expanded tensor is refused") {
  Tensor a = ones({1, 3}).expand({2, 3});
  CHECK(contains(message([&] { a.add_(1); }), "expanded"));
}

TEST_CASE("a number is written to all elements that share memory") {
  const auto written = [](const std::function<void(const Tensor&)>& write) {
    const Tensor a = leaf({1, 2, 3}), column = (a * 1).unsqueeze(1), wide = column.expand({3, 4});
    write(wide);
    wide.sum().backward();
    V shown = values(column);
    CHECK(values(wide.select(1, 2)) == shown);
    for (const double slope : values(a.grad())) shown.push_back(slope);
    return shown;
  };
  const Tensor second = tensor({false, true, false}).unsqueeze(1).expand({3, 4}), row = tensor({1});
  const V one{1, 7, 3, 4, 0, 4};
  CHECK(written([](const Tensor& x) { x.zero_(); }) == V{0, 0, 0, 0, 0, 0});
  CHECK(written([](const Tensor& x) { x.fill_(7); }) == V{7, 7, 7, 0, 0, 0});
  CHECK(written([](const Tensor& x) { x[1].fill_(7); }) == one);
  CHECK(written([](const Tensor& x) { x.index_put_({1}, 7); }) == one);
  CHECK(written([&](const Tensor& x) { x.masked_fill_(second, 7); }) == one);
  CHECK(written([&](const Tensor& x) { x.masked_fill_(second, tensor(7.0)); }) == one);
  CHECK(written([&](const Tensor& x) {
          x.masked_fill_(tensor({true, false, false, false}), 7);
        }) == V{7, 7, 7, 0, 0, 0});
  CHECK(written([&](const Tensor& x) { x.index_put_({second}, 7); }) == one);
  CHECK(written([&](const Tensor& x) { x.index_fill_(0, row, 7); }) == one);
  CHECK(written([&](const Tensor& x) { x.index_fill_(1, row, 7); }) == V{7, 7, 7, 0, 0, 0});
  CHECK(written([&](const Tensor& x) { x.index_fill_(0, row, tensor(7.0)); }) == one);
  Tensor wide = ones({1, 3}).expand({2, 3});
  CHECK(contains(message([&] { wide.fill_(tensor(7.0)); }), "expanded"));
}

TEST_CASE("writing to a view reaches the base, its history too") {
  const Tensor a = leaf({1, 2, 3});
  Tensor base = a * 1;
  base[1].mul_(10);
  CHECK(values(base) == V{1, 20, 3});
  (base * base).sum().backward();
  CHECK(values(a.grad()) == V{2, 400, 6});
}

TEST_CASE("a value written into a buffer without grad gives it one") {
  const Tensor a = leaf({1, 2});
  Tensor buffer = zeros({2, 2}, kDouble);
  const auto rows = buffer.unbind();
  CHECK(!rows[0].requires_grad());
  Tensor first = rows[0];
  first.copy_(a * 2);
  CHECK(buffer.requires_grad());
  CHECK(rows[1].requires_grad());
  (buffer * buffer).sum().backward();
  CHECK(values(a.grad()) == V{8, 16});
}

TEST_CASE("a view sees the base's later history") {
  const Tensor a = leaf({1, 2});
  Tensor base = a * 1;
  const Tensor view = base.slice(0, 0, 1);
  base.mul_(5);
  CHECK(values(view) == V{5});
  view.sum().backward();
  CHECK(values(a.grad()) == V{5, 0});
}

TEST_CASE("a view of a view writes through to the one base") {
  const Tensor a = leaf({1, 2, 3, 4});
  Tensor base = a * 1;
  Tensor inner = base.view({2, 2}).select(0, 1).slice(0, 1, 2);
  inner.mul_(7);
  base.sum().backward();
  CHECK(values(a.grad()) == V{1, 1, 1, 7});
}

namespace {

/// A (2, 3) buffer of ones with the given strides, from `offset` on in memory of twos.
Tensor laid_out(IntArrayRef strides, int64_t offset) {
  Tensor buffer = full({14}, 2, kDouble).as_strided({2, 3}, strides, offset).detach();
  buffer.fill_(1);
  return buffer;
}

/// The gradient of `w` through writes to several views of the buffer and a product that sees all of them.
V gradient_through_views(const Tensor& buffer) {
  const Tensor w = leaf({2, 3, 5});
  const Tensor turned = buffer.t();
  Tensor row = buffer.select(0, 1);
  buffer.slice(1, 0, 2).mul_(w[0]);
  row.mul_(w);
  turned[2].add_(w[1]);
  (buffer * buffer + turned.t() * row).sum().backward();
  return values(w.grad());
}

}  // namespace

TEST_CASE("writes to views of a base of any layout have the gradient of a row-major one") {
  const V expected = gradient_through_views(laid_out({3, 1}, 0));
  CHECK(expected[0] != 0);
  CHECK(gradient_through_views(laid_out({1, 2}, 0)) == expected);
  CHECK(gradient_through_views(laid_out({3, 1}, 5)) == expected);
  CHECK(gradient_through_views(laid_out({6, 2}, 1)) == expected);
  CHECK(gradient_through_views(laid_out({2, 5}, 1)) == expected);
}

TEST_CASE("a view that shows more than its base passes gradients to the base alone") {
  const Tensor memory = full({5}, 3, kDouble), w = leaf({2, 4, 8});
  const Tensor base = memory.slice(0, 2, 4).detach();
  Tensor wide = base.as_strided({3}, {2}, 0);  // the base's first element lies between two others
  wide.mul_(w);
  CHECK(values(memory) == V{6, 3, 12, 3, 24});
  (base * tensor({10, 100}, kDouble)).sum().backward();
  CHECK(values(w.grad()) == V{0, 30, 0});
}

TEST_CASE("parts of complex numbers with gaps between them are written to") {
  const Tensor memory = full({6}, 1, kComplexDouble), w = leaf({2});
  const Tensor base = memory.as_strided({3}, {2}, 1).detach();
  view_as_real(base).select(1, 1).add_(w);
  real(base * base).sum().backward();  // 1 - w^2, three times
  CHECK(values(w.grad()) == V{-12});
}

TEST_CASE("the shape of results and of views changes in place, with their history") {
  const Tensor a = leaf({0, 1, 2, 3, 4, 5}), weights = arange(6, kDouble).view({1, 3, 2});
  Tensor x = (a * 2).view({2, 3}).clone();
  const Tensor same = x, row = x[0];
  x.transpose_(0, 1).unsqueeze_(0);
  CHECK(same.sizes() == IntArrayRef({1, 3, 2}));
  ((x * weights).sum() + row.sum()).backward();
  CHECK(values(a.grad()) == V{2, 6, 10, 2, 6, 10});
  a.mutable_grad() = {};
  const Tensor y = a * 2;
  Tensor v = y.slice(0, 3, 6);
  const Tensor too = v;
  v.unsqueeze_(1);
  CHECK(too.sizes() == IntArrayRef({3, 1}));
  v.mul_(3);
  (too * too).sum().backward();
  CHECK(values(a.grad()) == V{0, 0, 0, 216, 288, 360});
}

TEST_CASE("a shape that changes in place is a write like others") {
  Tensor a = leaf({1, 2}), part = a[0];
  CHECK(contains(message([&] { a.unsqueeze_(0); }), "unsqueeze_: a leaf Variable that requires grad"));
  CHECK(contains(message([&] { part.unsqueeze_(0); }), "unsqueeze_: a view of a leaf Variable"));
  Tensor saved = a.exp();
  saved.unsqueeze_(0);
  CHECK(contains(message([&] { saved.sum().backward(); }), "modified in place"));
  Tensor result = a * 2;
  const NoGradGuard no_grad;
  CHECK(contains(message([&] { result.unsqueeze_(0); }), "unsqueeze_: the shape of a result that requires grad"));
  CHECK(a.unsqueeze_(0).sizes() == IntArrayRef({1, 2}));
}

TEST_CASE("views made while recording is off cannot be written to with recording on") {
  const Tensor a = leaf({1, 2});
  const Tensor base = a * 1;
  Tensor view;
  {
    const NoGradGuard guard;
    view = base[0];
  }
  CHECK(view.requires_grad());
  CHECK(contains(message([&] { view.mul_(a[0]); }), "no_grad mode"));
  Tensor inherited = view.view({1});
  CHECK(contains(message([&] { inherited.mul_(a[0]); }), "no_grad mode"));
}

TEST_CASE("every write path bumps the version") {
  Tensor t = zeros({3});
  int64_t last = t._version();
  const auto bumped = [&](const char* what) {
    INFO(what);
    CHECK(t._version() > last);
    last = t._version();
  };
  t.add_(1);
  bumped("add_");
  t.copy_(ones({3}));
  bumped("copy_");
  t[0].fill_(2);
  bumped("view fill_");
  t.detach().zero_();
  bumped("detach zero_");
  t.index_put_({0}, 5);
  bumped("index_put_");
  t.uniform_();
  bumped("uniform_");
}

}  // namespace strata::autograd_test
