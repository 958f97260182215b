// Graphs of a million nodes on a stack of 256 KiB: built, run and freed, along every kind of chain.
#include "test/autograd/helpers.h"

namespace strata::autograd_test {
namespace {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr int kDepth = 50'000;
#else
constexpr int kDepth = 1'000'000;
#endif

struct AddOne : autograd::Function<AddOne> {
  static Tensor forward(autograd::AutogradContext*, const Tensor& x) { return x + 1; }
  static autograd::variable_list backward(autograd::AutogradContext*, autograd::variable_list g) { return {g[0]}; }
};
}  // namespace

TEST_CASE("a chain of a million adds") {
  on_small_stack([] {
    const Tensor a = leaf({1});
    Tensor y = a;
    for (int i = 0; i < kDepth; ++i) y = y + a;
    y.backward();
    CHECK(values(a.grad()) == V{kDepth + 1.0});
  });
}

TEST_CASE("a chain of a million products is freed without backward") {
  on_small_stack([] {
    Tensor y = leaf({1});
    for (int i = 0; i < kDepth; ++i) y = y * y;
  });
}

TEST_CASE("a million in-place writes to views") {
  on_small_stack([] {
    const Tensor a = leaf({1, 1});
    Tensor base = a * 1;
    for (int i = 0; i < kDepth / 4; ++i) base[0].mul_(1);
    base.sum().backward();
    CHECK(values(a.grad()) == V{1, 1});
  });
}

TEST_CASE("a chain of custom functions") {
  on_small_stack([] {
    const Tensor a = leaf({1});
    Tensor y = a;
    for (int i = 0; i < kDepth / 4; ++i) y = AddOne::apply(y);
    y.backward();
    CHECK(values(a.grad()) == V{1});
  });
}

TEST_CASE("a chain that is reached through saved tensors alone") {
  on_small_stack([] {
    Tensor y = leaf({1});
    for (int i = 0; i < kDepth / 2; ++i) {  // two nodes each
      // The next y needs no gradient from the old one, but its node saves it.
      const Tensor fresh = leaf({1});
      y = fresh * y.exp();
    }
  });
}

}  // namespace strata::autograd_test
