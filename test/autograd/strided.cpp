// Gradients of as_strided for leaves that are not row-major. The expected ones are PyTorch 2.15's, of sum(y * w) with w
// = 1, 2, 3, … in y's order (strided_torch.py prints them).
#include "test/autograd/helpers.h"

namespace strata::autograd_test {
namespace {

Tensor counted(int64_t n) { return arange(n, kDouble); }

/// The gradient at the leaf `x`, in x's order.
V gradient_of(const Tensor& x, IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> offset) {
  x.requires_grad_();
  const Tensor y = x.as_strided(sizes, strides, offset);
  (y * (counted(y.numel()) + 1).view(y.sizes())).sum().backward();
  return values(x.grad());
}

}  // namespace

TEST_CASE("as_strided of a transposed leaf") {
  const auto transposed = [] { return counted(12).view({3, 4}).t(); };
  CHECK(gradient_of(transposed(), {2, 3}, {1, 4}, 0) == V{1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0});
  CHECK(gradient_of(transposed(), {3}, {2}, 1) == V{0, 0, 0, 1, 3, 0, 0, 0, 0, 2, 0, 0});
  CHECK(gradient_of(transposed(), {2, 3, 2}, {1, 4, 0}, 0) == V{3, 7, 11, 15, 19, 23, 0, 0, 0, 0, 0, 0});
  CHECK(gradient_of(transposed(), {3, 4}, {1, 2}, 0) == V{1, 13, 12, 5, 7, 0, 11, 15, 0, 6, 8, 0});
}

TEST_CASE("as_strided of a leaf with steps, and of memory beside it") {
  const auto odd = [] { return counted(12).slice(0, 1, 12, 2).detach(); };
  CHECK(gradient_of(odd(), {5}, {1}, 1) == V{1, 3, 5, 0, 0, 0});
  CHECK(gradient_of(odd(), {3, 2}, {3, 2}, 2) == V{0, 0, 3, 4, 0, 0});
  CHECK(gradient_of(counted(12).slice(0, 4, 12, 2).detach(), {8}, {1}, 0) == V{5, 7, 0, 0});
}

TEST_CASE("elements of an expanded leaf share the gradient of their place") {
  CHECK(gradient_of(counted(3).expand({2, 3}).detach(), {3}, {1}, 0) == V{0.5, 1, 1.5, 0.5, 1, 1.5});
  CHECK(gradient_of(counted(3).view({3, 1}).expand({3, 2}).detach(), {2, 2}, {1, 1}, 0) == V{0.5, 0.5, 2.5, 2.5, 2, 2});
}

TEST_CASE("as_strided of a transposed leaf, twice differentiated") {
  const Tensor x = counted(12).view({3, 4}).t().detach().requires_grad_();
  const Tensor y = x.as_strided({3}, {2}, 1);
  const Tensor first = autograd::grad({y.pow(3).sum()}, {x}, {}, std::nullopt, /*create_graph=*/true)[0];
  CHECK(values(autograd::grad({first.sum()}, {x})[0]) == V{0, 0, 0, 6, 30, 0, 0, 0, 0, 18, 0, 0});
}

TEST_CASE("as_strided of a transposed tensor inside transforms") {
  const Tensor x = counted(12).view({3, 4}).t();
  const auto f = [](const Tensor& t) { return (t.as_strided({3}, {2}).pow(2) * (counted(3) + 1)).sum(); };
  const Tensor leaf = x.detach().requires_grad_();
  f(leaf).backward();
  const Tensor direction = counted(12).view({4, 3}) + 1;
  const auto [value, slope] = jvp(f, x, direction);
  CHECK(value.item<double>() == f(leaf).item<double>());
  CHECK(slope.item<double>() == Approx((leaf.grad() * direction).sum().item<double>()));
}

}  // namespace strata::autograd_test
