// Hooks on tensors, after accumulation, retained gradients; several threads.
#include <thread>

#include "test/autograd/helpers.h"

namespace strata::autograd_test {

TEST_CASE("a tensor hook sees and may replace the gradient") {
  const Tensor a = leaf({1, 2});
  const Tensor y = a * 3;
  V seen;
  y.register_hook([&](const Tensor& g) { seen = values(g); });
  y.register_hook([](const Tensor& g) { return g * 10; });
  y.sum().backward();
  CHECK(seen == V{1, 1});
  CHECK(values(a.grad()) == V{30, 30});
}

TEST_CASE("hooks on leaves run before accumulation and can be removed") {
  const Tensor a = leaf({1});
  int calls = 0;
  const HookHandle h = a.register_hook([&](const Tensor& g) {
    ++calls;
    return g * 2;
  });
  (a * 3).backward();
  CHECK(values(a.grad()) == V{6});
  a.remove_hook(h);
  (a * 3).backward();
  CHECK(values(a.grad()) == V{9});
  CHECK(calls == 1);
}

TEST_CASE("a hook may remove itself while it runs") {
  const Tensor a = leaf({1});
  const Tensor y = a * 2;
  HookHandle h = 0;
  int calls = 0;
  h = y.register_hook([&](const Tensor&) {
    ++calls;
    y.remove_hook(h);
  });
  y.backward({}, true);
  y.backward();
  CHECK(calls == 1);
}

TEST_CASE("post-accumulate hooks see the finished gradient") {
  const Tensor a = leaf({1});
  double seen = 0;
  autograd::register_post_accumulate_grad_hook(a, [&](const Tensor& t) { seen = t.grad().item<double>(); });
  (a * a).backward();
  CHECK(seen == 2);
}

TEST_CASE("hooks of a tensor that grad alone starts from run where no input lies behind it, as in PyTorch") {
  const Tensor a = leaf({1}), other = leaf({2});
  const Tensor y = a * 3, z = other * 2;
  y.retain_grad();
  CHECK_FALSE(autograd::grad({y}, {other}, {tensor({5.0})}, true, false, true)[0].defined());
  CHECK(values(y.grad()) == V{5});
  CHECK_FALSE(a.grad().defined());
  autograd::grad({y, z}, {other}, {tensor({5.0}), tensor({1.0})}, true);  // one of several only on the way to an input
  CHECK(values(y.grad()) == V{5});
}

TEST_CASE("retain_grad keeps the gradient of a result") {
  const Tensor a = leaf({3});
  const Tensor y = a * a;
  y.retain_grad();
  CHECK(y.retains_grad());
  (y * 4).backward();
  CHECK(values(y.grad()) == V{4});
}

TEST_CASE("a retained gradient is what all hooks have made of it, whenever they were registered") {
  const Tensor a = leaf({3});
  const Tensor y = a * a;
  const HookHandle first = y.register_hook([](const Tensor& grad) { return grad * 2; });
  y.retain_grad();
  y.register_hook([](const Tensor& grad) { return grad * 3; });
  y.register_hook([](const Tensor& grad) { return grad + 1; });
  (y * 4).backward({}, true);
  CHECK(values(y.grad()) == V{25});
  y.remove_hook(first);
  y.backward();
  CHECK(values(y.grad()) == V{25 + 4});
  CHECK(values(a.grad()) == V{6 * 29});
}

TEST_CASE("a view that was written to retains no gradient of its base") {
  const Tensor a = leaf({1, 2});
  const Tensor base = a * 2;
  Tensor view = base.view({2});
  view.retain_grad();
  view.mul_(10);
  SECTION("which passes it by") {
    base.backward(ones({2}, kDouble));
    CHECK_FALSE(view.grad().defined());
  }
  SECTION("but its own") {
    (view * 3).backward(ones({2}, kDouble));
    CHECK(values(view.grad()) == V{3, 3});
  }
}

TEST_CASE("a hook stays with the value it was registered on, not with what an in-place op makes of it") {
  const Tensor a = leaf({1});
  Tensor y = a * 2;
  V before, after;
  y.register_hook([&](const Tensor& g) { before = values(g); });
  y.mul_(10);
  y.register_hook([&](const Tensor& g) { after = values(g); });
  y.backward();
  CHECK(after == V{1});
  CHECK(before == V{10});
}

TEST_CASE("gradients accumulate into an existing buffer, and a gradient that others hold is copied first") {
  const Tensor a = leaf({1, 2}), seed = ones({2}, kDouble);
  autograd::backward({a * 1}, {seed});
  const void* const buffer = a.grad().data_ptr();
  CHECK(buffer != seed.data_ptr());
  autograd::backward({a * 1}, {seed});
  CHECK(a.grad().data_ptr() == buffer);
  CHECK(values(a.grad()) == V{2, 2});
  CHECK(values(seed) == V{1, 1});
}

TEST_CASE("each graph accumulates into a leaf as soon as what was recorded after its use is done") {
  const Tensor first = leaf({2}), second = leaf({3});
  std::string order;
  autograd::register_post_accumulate_grad_hook(first, [&](const Tensor&) { order += "first "; });
  autograd::register_post_accumulate_grad_hook(second, [&](const Tensor&) { order += "second "; });
  for (int pass = 0; pass < 3; ++pass) {
    order.clear();
    const Tensor between = first * first;
    between.register_hook([&](const Tensor& g) {
      order += "between ";
      return g;
    });
    (between * second).backward();
    CHECK(order == "second between first ");
    { const Tensor dropped = second * first; }
  }
  CHECK(values(first.grad()) == V{3 * 12});
  CHECK(values(second.grad()) == V{3 * 4});
}

TEST_CASE("a graph keeps its leaf, whose hooks still run when nobody else has it") {
  double seen = 0;
  Tensor y;
  {
    const Tensor a = leaf({3});
    { const Tensor earlier = a * a; }
    autograd::register_post_accumulate_grad_hook(a, [&](const Tensor& t) { seen = t.grad().item<double>(); });
    y = a * a;
  }
  y.backward();
  CHECK(seen == 6);
}

TEST_CASE("several threads record with one leaf and drop their graphs") {
  const Tensor w = leaf({2});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) const Tensor dropped = w * w;
    });
  }
  for (auto& t : threads) t.join();
  (w * w).backward();
  CHECK(values(w.grad()) == V{4});
}

TEST_CASE("threads that have recorded nothing yet go on with graphs of others") {
  const Tensor a = leaf({1.25}), b = leaf({1.25});
  const auto in_turn = [](const Tensor& x, auto run) {
    Tensor y = x * 2, z, both;
    for (int i = 0; i < 20; ++i) y = y * 1.5 - x;
    run([&] { z = (y * x) * y; });
    run([&] { both = z * y + x; });
    (both * z).backward();
    return values(x.grad());
  };
  CHECK(in_turn(a, [](auto part) { std::thread(part).join(); }) == in_turn(b, [](auto part) { part(); }));
}

TEST_CASE("recording is a switch of the thread") {
  const Tensor a = leaf({1});
  const NoGradGuard guard;
  bool recorded = false;
  std::thread([&] { recorded = (a * a).requires_grad(); }).join();
  CHECK(recorded);
  CHECK(!(a * a).requires_grad());
}

TEST_CASE("backward from several threads into shared leaves equals the sum") {
  const Tensor w = leaf({1, 2, 3});
  constexpr int kThreads = 8, kRounds = 50;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) (w * w).sum().backward();
    });
  for (auto& t : threads) t.join();
  CHECK(values(w.grad()) == V{2.0 * kThreads * kRounds, 4.0 * kThreads * kRounds, 6.0 * kThreads * kRounds});
}

TEST_CASE("backward over one retained graph from several threads") {
  const Tensor w = leaf({1, 2});
  const Tensor y = ((w * w) * (w + 1)).sum();
  const V expected = values(autograd::grad({y}, {w}, {}, true)[0]);
  std::vector<std::thread> threads;
  std::vector<V> results(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] { results[t] = values(autograd::grad({y}, {w}, {}, true)[0]); });
  for (auto& t : threads) t.join();
  for (const V& r : results) CHECK(r == expected);
}

TEST_CASE("backward inside of backward") {
  const Tensor a = leaf({2});
  const Tensor y = a * a;
  V inner;
  y.register_hook([&](const Tensor&) {
    const EnableGradGuard on;
    const Tensor b = leaf({5});
    (b * b).backward();
    inner = values(b.grad());
  });
  y.backward();
  CHECK(inner == V{10});
  CHECK(values(a.grad()) == V{4});
}

}  // namespace strata::autograd_test
