// Where a leaf's first gradient goes, if somebody has said so.
#include <strata/autograd/accumulate.h>
#include <strata/core/allocator.h>
#include <strata/strata.h>

#include <algorithm>

#include "test/catch.h"

namespace strata {
namespace {

/// A leaf, and the vector in whose second part its first gradient is to lie.
struct Buffered {
  explicit Buffered(Tensor t)
      : leaf(t.requires_grad_()), memory(full({3, t.numel()}, -7.0)), place(memory[1].data_ptr()) {
    autograd::AccumulateGrad::set_buffer(leaf, memory[1].view(leaf.sizes()));
  }
  bool has_gradient_there() const { return leaf.grad().data_ptr() == place; }
  /// Nothing is written beside the buffer.
  bool is_intact() const { return memory[0].equal(full_like(memory[0], -7.0)) && memory[2].equal(memory[0]); }
  Tensor leaf, memory;
  const void* place;
};

Tensor half(int64_t rows, int64_t columns) { return full({rows, columns}, 0.5); }

}  // namespace

TEST_CASE("the first gradient goes to the leaf's buffer, later ones are added there") {
  const Tensor x = arange(6, kFloat).reshape({2, 3});
  const std::vector<std::function<Tensor(const Tensor&)>> ways = {
      [&](const Tensor& w) { return linear(x, w).sum(); },  // its rule writes there
      [&](const Tensor& w) { return matmul(x.t(), w).square().sum() + matmul(w, x.t()).sum(); },
      [&](const Tensor& w) { return matmul(w, x.t()).square().sum(); },
      [&](const Tensor& w) { return (w * x).sum(); },  // copied
      [&](const Tensor& w) { return linear(x, w).relu().sum(); },
      [&](const Tensor& w) { return (linear(x, w) + linear(x * 2, w)).sum() + w.sum(); },  // used more than once
  };
  for (const auto& f : ways) {
    const Tensor plain = half(2, 3).requires_grad_();
    Buffered b(half(2, 3));
    for (int pass = 0; pass < 3; ++pass) {
      if (pass == 2) plain.mutable_grad() = Tensor(), b.leaf.mutable_grad() = Tensor();
      f(plain).backward();
      f(b.leaf).backward();
      CHECK(b.leaf.grad().equal(plain.grad()));
      CHECK(b.has_gradient_there());
      CHECK(b.is_intact());
    }
    autograd::AccumulateGrad::set_buffer(b.leaf, Tensor());
    b.leaf.mutable_grad() = Tensor();
    f(b.leaf).backward();
    CHECK_FALSE(b.has_gradient_there());
  }
}

TEST_CASE("the gradient of a matrix product is made in the buffer: it takes no other memory") {
  const auto most_taken = [](bool has_buffer, const auto& product) {
    const Tensor x = ones({1, 1000});
    Tensor w = half(1000, 1000).requires_grad_();
    if (has_buffer) autograd::AccumulateGrad::set_buffer(w, zeros({1000, 1000}));
    const Tensor loss = product(x, w).sum();
    const MemoryStats before = memory_stats();
    const Tensor filler = empty({before.peak - before.in_use}, kByte);  // what is taken now is a new peak
    const int64_t peak = memory_stats().peak;
    loss.backward();
    CHECK(w.grad().sum().item<double>() == 1e6);
    return memory_stats().peak - peak;
  };
  zeros({1 << 20});
  if (memory_stats().peak == 0) return;  // sanitizers take memory that is not counted
  const auto by_linear = [](const Tensor& x, const Tensor& w) { return linear(x, w); };
  const auto by_matmul = [](const Tensor& x, const Tensor& w) { return matmul(x, w); };
  const auto from_left = [](const Tensor& x, const Tensor& w) { return matmul(w, x.t()); };
  CHECK(most_taken(false, by_linear) >= 4000000);
  CHECK(most_taken(true, by_linear) < 1000000);
  CHECK(most_taken(true, by_matmul) < 1000000);
  CHECK(most_taken(true, from_left) < 1000000);
}

TEST_CASE("of a leaf that is both factors of a product, one gradient alone is made in the buffer") {
  const Tensor plain = arange(9, kFloat).reshape({3, 3}).requires_grad_();
  Buffered b(plain.detach().clone());
  matmul(plain, plain).square().sum().backward();
  matmul(b.leaf, b.leaf).square().sum().backward();
  CHECK(b.leaf.grad().equal(plain.grad()));
  CHECK(b.has_gradient_there());
}

TEST_CASE("nobody's gradient is overwritten by what goes to a buffer") {
  const Tensor x = arange(6, kFloat).reshape({2, 3});
  Buffered b(half(2, 3));
  linear(x, b.leaf).sum().backward();
  const Tensor kept = b.leaf.grad(), values = kept.clone();
  b.leaf.mutable_grad() = Tensor();
  linear(x * 2, b.leaf).sum().backward();
  CHECK(kept.equal(values));
  CHECK(b.leaf.grad().equal(values * 2));
  CHECK_FALSE(b.has_gradient_there());
}

TEST_CASE("what is asked for by autograd::grad, recorded, or seen by hooks lies elsewhere") {
  const Tensor x = arange(6, kFloat).reshape({2, 3});
  Buffered b(half(2, 3));
  const Tensor asked = autograd::grad({linear(x, b.leaf).sum()}, {b.leaf})[0];
  CHECK(asked.data_ptr() != b.place);
  linear(x, b.leaf).square().sum().backward({}, std::nullopt, true);
  CHECK_FALSE(b.has_gradient_there());
  CHECK(b.leaf.grad().requires_grad());
  b.leaf.mutable_grad() = Tensor();
  Tensor seen;
  const HookHandle hook = b.leaf.register_hook([&](const Tensor& g) { seen = g; });
  linear(x, b.leaf).sum().backward();
  CHECK(b.has_gradient_there());
  CHECK(seen.data_ptr() != b.place);
  b.leaf.remove_hook(hook);
}

TEST_CASE("a pass inside of a pass does not write to the buffer that holds the outer one's gradient") {
  const Tensor x = arange(6, kFloat).reshape({2, 3});
  const auto f = [&](const Tensor& w) {
    const Tensor early = tanh(x).requires_grad_();
    const Tensor inner = checkpoint([&](Tensor t) { return linear(t, w).tanh(); })(early);
    return (linear(x, w) * 2 + inner).sum();
  };
  const Tensor plain = half(2, 3).requires_grad_();
  Buffered b(half(2, 3));
  f(plain).backward();
  f(b.leaf).backward();
  CHECK(allclose(b.leaf.grad(), plain.grad()));
}

TEST_CASE("a buffer fits its leaf, or is refused") {
  const Tensor w = half(2, 3).requires_grad_();
  CHECK_THROWS_WITH(autograd::AccumulateGrad::set_buffer(w, zeros({3, 2})),
                    "backward: a buffer for gradients of shape (3, 2) at a leaf of shape (2, 3)");
}

}  // namespace strata
