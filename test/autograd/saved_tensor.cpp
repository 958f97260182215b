// Hooks on saved tensors: what is kept for backward goes through them and comes back.
#include <map>
#include <thread>

#include "test/autograd/helpers.h"

namespace strata::autograd_test {
namespace {

using autograd::SavedTensorHooksGuard;

/// Counts, and keeps tensors under numbers as if they were somewhere else.
struct Shelf {
  std::map<int, Tensor> kept;
  int packed = 0, unpacked = 0;

  std::any pack(const Tensor& t) {
    kept[packed] = t.clone();
    return packed++;
  }
  Tensor unpack(const std::any& key) {
    ++unpacked;
    return kept.at(std::any_cast<int>(key));
  }
};

struct Square : autograd::Function<Square> {
  static Tensor forward(autograd::AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    return x * x;
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list grads) {
    return {grads[0] * 2 * ctx->get_saved_variables()[0]};
  }
};

}  // namespace

TEST_CASE("saved inputs and outputs go through the hooks") {
  const Tensor a = leaf({1, 2}), b = leaf({3, 5});
  Shelf shelf;
  Tensor y;
  {
    const SavedTensorHooksGuard guard([&](const Tensor& t) { return shelf.pack(t); },
                                      [&](const std::any& key) { return shelf.unpack(key); });
    y = exp(a * b);  // a and b as inputs, the exponential as an output
  }
  CHECK(shelf.packed == 3);
  y.sum().backward();
  CHECK(shelf.unpacked == 3);
  CHECK(a.grad().allclose(b.detach() * y.detach()));
  CHECK(b.grad().allclose(a.detach() * y.detach()));
}

TEST_CASE("a gradient through hooks can be differentiated again") {
  const Tensor a = leaf({2});
  Shelf shelf;
  const SavedTensorHooksGuard guard([&](const Tensor& t) { return shelf.pack(t); },
                                    [&](const std::any& key) { return shelf.unpack(key); });
  const Tensor y = a * a * a;
  const Tensor slope = autograd::grad({y}, {a}, {}, true, true)[0];
  CHECK(values(slope) == V{12});
  CHECK(values(autograd::grad({slope}, {a})[0]) == V{12});
}

TEST_CASE("custom functions save through the hooks too") {
  const Tensor a = leaf({3});
  Shelf shelf;
  Tensor y;
  {
    const SavedTensorHooksGuard guard([&](const Tensor& t) { return shelf.pack(t); },
                                      [&](const std::any& key) { return shelf.unpack(key); });
    y = Square::apply(a);
  }
  CHECK(shelf.packed == 1);
  y.backward();
  CHECK(shelf.unpacked == 1);
  CHECK(values(a.grad()) == V{6});
}

TEST_CASE("what an unpack hook gives is checked, and an exception of a hook leaves the others working") {
  const Tensor a = leaf({3});
  Tensor y;
  {
    const SavedTensorHooksGuard guard([](const Tensor&) { return std::any(); },
                                      [](const std::any&) { return zeros({2}); });
    y = a * a;
  }
  CHECK_THROWS_WITH(y.backward(), Catch::Matchers::ContainsSubstring("unpack hook gave float32 of shape (2,)"));
  {
    const SavedTensorHooksGuard guard([](const Tensor&) -> std::any { throw std::runtime_error("full"); },
                                      [](const std::any&) { return Tensor(); });
    CHECK_THROWS_WITH(a * a, Catch::Matchers::ContainsSubstring("full"));
    CHECK_THROWS_WITH(a * a, Catch::Matchers::ContainsSubstring("full"));
  }
  const Tensor z = a * a;
  z.backward();
  CHECK(values(a.grad()) == V{6});
}

TEST_CASE("a graph keeps the leaves that it saves, without counting them twice") {
  Tensor a = leaf({2}), b = leaf({3});
  const Tensor handle = a;
  Tensor y = a * b, z = a * y;
  CHECK(handle.use_count() == 3);  // two handles and what accumulates
  std::thread([&] {
    z.backward();
    z.reset();
  }).join();
  CHECK(values(b.grad()) == V{4});
  CHECK(values(a.grad()) == V{12});
  y.reset();
  CHECK(handle.use_count() == 2);
  const Tensor alone = leaf({5}) * leaf({7});
  const Tensor at = alone.grad_fn()->run(Tensor(ones({1}, kDouble)))[0];
  CHECK(values(at) == V{7});
}

TEST_CASE("a saved leaf that is written to is found") {
  Tensor a = leaf({2});
  const Tensor b = leaf({3});
  const Tensor y = a * b;
  {
    const NoGradGuard no_grad;
    a.add_(1);
  }
  CHECK(contains(message([&] { y.backward(); }), "modified in place since"));
}

TEST_CASE("threads record, hand over and drop graphs over the same leaves") {
  const Tensor a = leaf({2}), b = leaf({3});
  for (int round = 0; round < 50; ++round) {
    std::vector<Tensor> last(4);
    std::vector<std::thread> threads;
    for (Tensor& y : last)
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) y = a * b;
      });
    for (std::thread& t : threads) t.join();
    threads.clear();
    for (Tensor& y : last) threads.emplace_back([y = std::move(y)]() mutable { y.backward(); });
    for (std::thread& t : threads) t.join();
  }
  CHECK(a.use_count() == 1);
  CHECK(values(a.grad()) == V{600});
  CHECK(values(b.grad()) == V{400});
}

}  // namespace strata::autograd_test
