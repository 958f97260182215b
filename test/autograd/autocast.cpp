// Mixed precision on the CPU: what each op computes in, gradients, the cache of weights, nests and transforms.
#include "autograd/autocast.h"

#include <strata/strata.h>

#include <thread>

#include "dispatcher/op.h"
#include "test/catch.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

Tensor wave(IntArrayRef sizes, DType dtype = kFloat) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  return (arange(n, kFloat) * 0.37).sin().reshape(sizes).to(dtype);
}

bool near(const Tensor& got, const Tensor& expected, double tolerance = 0.02) {
  return got.sizes() == expected.sizes() && got.to(kFloat).allclose(expected.to(kFloat), tolerance, tolerance);
}

struct Net : nn::Module {
  Net() {
    conv = register_module("conv", nn::Conv2d(nn::Conv2dOptions(2, 4, 3).padding(1)));
    norm = register_module("norm", nn::BatchNorm2d(4));
    layer_norm = register_module("layer_norm", nn::LayerNorm(nn::LayerNormOptions({16})));
    out = register_module("out", nn::Linear(64, 3));
  }
  Tensor forward(const Tensor& x) {
    Tensor h = relu(norm(conv(x)));
    h = layer_norm(h.flatten(2));
    return out(h.flatten(1));
  }
  nn::Conv2d conv{nullptr};
  nn::BatchNorm2d norm{nullptr};
  nn::LayerNorm layer_norm{nullptr};
  nn::Linear out{nullptr};
};

}  // namespace

TEST_CASE("autocast is off at first, and its state is what was set") {
  CHECK(!autocast::is_autocast_enabled(kCPU));
  CHECK(autocast::get_autocast_dtype(kCPU) == kBFloat16);
  CHECK(autocast::get_autocast_dtype(kCUDA) == kHalf);
  {
    const AutocastGuard guard(kCPU, kHalf);
    CHECK(autocast::is_autocast_enabled(kCPU));
    CHECK(!autocast::is_autocast_enabled(kCUDA));
    CHECK(autocast::get_autocast_dtype(kCPU) == kHalf);
    {
      const AutocastGuard off(kCPU, kHalf, false);
      CHECK(!autocast::is_autocast_enabled(kCPU));
      CHECK(matmul(wave({2, 2}), wave({2, 2})).dtype() == kFloat);
    }
    CHECK(matmul(wave({2, 2}), wave({2, 2})).dtype() == kHalf);
    std::thread([] { CHECK(!autocast::is_autocast_enabled(kCPU)); }).join();
  }
  CHECK(!autocast::is_autocast_enabled(kCPU));
  CHECK(matmul(wave({2, 2}), wave({2, 2})).dtype() == kFloat);
  autocast::set_autocast_enabled(kCPU, true);
  CHECK(matmul(wave({2, 2}), wave({2, 2})).dtype() == kBFloat16);
  autocast::set_autocast_enabled(kCPU, false);
  CHECK_THROWS_WITH(autocast::set_autocast_dtype(kCPU, kInt), ContainsSubstring("float16"));
}

TEST_CASE("autocast for another kind of device changes nothing") {
  const AutocastGuard guard(kCUDA);
  CHECK(matmul(wave({2, 2}), wave({2, 2})).dtype() == kFloat);
  CHECK(wave({2, 2}, kHalf).exp().dtype() == kHalf);
}

TEST_CASE("products are computed in 16 bits") {
  const Tensor x = wave({4, 5}), w = wave({3, 5}), b = wave({3});
  const Tensor image = wave({2, 2, 4, 4}), kernel = wave({3, 2, 3, 3}), q = wave({2, 2, 4, 8});
  const std::vector<Tensor> exact = {linear(x, w, b),
                                     matmul(x, w.t()),
                                     addmm(b, x, w.t()),
                                     conv2d(image, kernel, b),
                                     conv_transpose2d(image, kernel.transpose(0, 1)),
                                     scaled_dot_product_attention(q, q, q),
                                     einsum("ij,kj->ik", {x, w})};
  const AutocastGuard guard(kCPU, kBFloat16);
  const std::vector<Tensor> got = {linear(x, w, b),
                                   matmul(x, w.t()),
                                   addmm(b, x, w.t()),
                                   conv2d(image, kernel, b),
                                   conv_transpose2d(image, kernel.transpose(0, 1)),
                                   scaled_dot_product_attention(q, q, q),
                                   einsum("ij,kj->ik", {x, w})};
  for (size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(got[i].dtype() == kBFloat16);
    CHECK(near(got[i], exact[i], 0.05));
  }
  CHECK(linear(x.to(kBFloat16), w, b).dtype() == kBFloat16);
  CHECK(conv2d(image.to(kBFloat16), kernel, b).dtype() == kBFloat16);
}

TEST_CASE("what needs range or digits is computed in float32") {
  const Tensor x = wave({4, 5}, kBFloat16), positive = x.abs() + 0.5;
  const Tensor classes = tensor({0, 1, 2, 3}, kLong);
  const AutocastGuard guard(kCPU, kBFloat16);
  const std::vector<Tensor> results = {softmax(x, 1),
                                       log_softmax(x, 1),
                                       x.sum(),
                                       x.sum(1),
                                       x.mean(),
                                       x.prod(1),
                                       x.cumsum(0),
                                       x.norm(),
                                       x.exp(),
                                       positive.log(),
                                       x.pow(2),
                                       positive.rsqrt(),
                                       positive.reciprocal(),
                                       x.logsumexp(1),
                                       x.var(1),

                                       cross_entropy(x, classes),
                                       smooth_l1_loss(x, x.to(kFloat)),
                                       binary_cross_entropy_with_logits(x, positive.to(kFloat)),
                                       mse_loss(x, x.to(kFloat))};
  for (size_t i = 0; i < results.size(); ++i) {
    CAPTURE(i);
    CHECK(results[i].dtype() == kFloat);
  }
  // Norms of layers give back the type of their input, as without autocast.
  const Tensor normed = layer_norm(x, {5}, wave({5}), wave({5}));
  CHECK(normed.dtype() == kBFloat16);
  CHECK(near(normed, layer_norm(x.to(kFloat), {5}, wave({5}), wave({5}))));
  CHECK(x.exp().allclose(x.to(kFloat).exp()));
}

TEST_CASE("everything else is computed in what it is given, mixed operands in the widest") {
  const Tensor x = wave({4, 5}, kBFloat16), y = wave({4, 5});
  const AutocastGuard guard(kCPU, kBFloat16);
  CHECK(relu(x).dtype() == kBFloat16);
  CHECK((x + x).dtype() == kBFloat16);
  CHECK((x + y).dtype() == kFloat);
  CHECK(cat({x, y}).dtype() == kFloat);
  CHECK(dot(x[0], y[0]).dtype() == kFloat);
  CHECK(lerp(x, y, 0.5).dtype() == kFloat);
  CHECK(where(x > 0, x, y).dtype() == kFloat);
}

TEST_CASE("float64, integers and in-place ops are left alone") {
  const AutocastGuard guard(kCPU, kBFloat16);
  const Tensor d = wave({3, 3}, kDouble), i = tensor({1, 2, 3, 4}, kLong).reshape({2, 2});
  CHECK(matmul(d, d).dtype() == kDouble);
  CHECK(d.exp().dtype() == kDouble);
  CHECK(matmul(i, i).dtype() == kLong);
  CHECK(i.sum().dtype() == kLong);
  Tensor f = wave({2, 2});
  f.addmm_(f.clone(), f.clone());
  CHECK(f.dtype() == kFloat);
}

TEST_CASE("gradients arrive in the type of the weights, inside of the guard and after it") {
  const Tensor x = wave({4, 5});
  for (const bool inside : {false, true}) {
    Tensor w = wave({3, 5}).set_requires_grad(true), b = wave({3}).set_requires_grad(true);
    Tensor loss;
    const auto run = [&] { loss = linear(x, w, b).pow(2).sum(); };
    {
      const AutocastGuard guard(kCPU, kBFloat16);
      run();
      if (inside) loss.backward();
    }
    if (!inside) loss.backward();
    const Tensor got_w = w.grad().clone(), got_b = b.grad().clone();
    w.mutable_grad() = Tensor(), b.mutable_grad() = Tensor();
    run();
    loss.backward();
    CHECK(got_w.dtype() == kFloat);
    CHECK(near(got_w, w.grad(), 0.05));
    CHECK(near(got_b, b.grad(), 0.05));
  }
}

TEST_CASE("a net with convolutions, norms and a loss trains as in float32") {
  manual_seed(1);
  Net net, same;
  const auto from = net.parameters(), to = same.parameters();
  {
    const NoGradGuard no_grad;
    for (size_t i = 0; i < from.size(); ++i) Tensor(to[i]).copy_(from[i]);
  }
  optim::SGD a(net.parameters(), optim::SGDOptions(0.1)), b(same.parameters(), optim::SGDOptions(0.1));
  const Tensor x = wave({6, 2, 4, 4}), labels = tensor({0, 1, 2, 0, 1, 2}, kLong);
  for (int step = 0; step < 5; ++step) {
    a.zero_grad(), b.zero_grad();
    Tensor loss;
    {
      const AutocastGuard guard(kCPU, kBFloat16);
      const Tensor y = net.forward(x);
      CHECK(y.dtype() == kBFloat16);
      loss = cross_entropy(y, labels);
    }
    CHECK(loss.dtype() == kFloat);
    loss.backward();
    const Tensor expected = cross_entropy(same.forward(x), labels);
    expected.backward();
    CHECK(near(loss.detach(), expected.detach(), 0.03));
    a.step(), b.step();
  }
}

TEST_CASE("a weight is cast once inside of the outermost guard, and again when it has changed") {
  Tensor w = wave({3, 3}).clone().set_requires_grad(true);
  const Tensor x = wave({2, 3});
  const auto node = [](const Tensor& y) { return y.grad_fn()->next_edge(1).function.get(); };
  const AutocastGuard guard(kCPU, kBFloat16);
  const Tensor first = linear(x, w), second = linear(x, w);
  CHECK(node(first) == node(second));
  {
    const AutocastGuard inner(kCPU, kBFloat16);
    CHECK(node(linear(x, w)) == node(first));
  }
  CHECK(node(linear(x, w)) == node(first));
  {
    const NoGradGuard no_grad;
    CHECK(!linear(x, w).requires_grad());
    w.mul_(2);
  }
  const Tensor third = linear(x, w);
  CHECK(node(third) != node(first));
  CHECK(near(third.detach(), first.detach() * 2));
  autocast::clear_cache();
  CHECK(node(linear(x, w)) != node(third));
  autocast::set_autocast_cache_enabled(false);
  const Tensor a = linear(x, w), b = linear(x, w);
  autocast::set_autocast_cache_enabled(true);
  CHECK(node(a) != node(b));
}

TEST_CASE("transforms see the casts: grad, vmap, jvp and their nests under autocast") {
  const Tensor x = wave({4, 5}), w = wave({3, 5});
  const auto f = [](const Tensor& weight, const Tensor& input) { return linear(input, weight).exp().sum(); };
  const Tensor expected = func::grad(f)(w, x);
  const Tensor each = func::vmap(func::grad(f), {.in_dims = {std::nullopt, 0}})(w, x);
  const AutocastGuard guard(kCPU, kBFloat16);
  const Tensor got = func::grad(f)(w, x);
  CHECK(got.dtype() == kFloat);
  CHECK(near(got, expected, 0.05));
  CHECK(!got.equal(expected));
  const Tensor got_each = func::vmap(func::grad(f), {.in_dims = {std::nullopt, 0}})(w, x);
  CHECK(got_each.dtype() == kFloat);
  CHECK(near(got_each, each, 0.05));
  const Tensor rows = func::vmap([&](const Tensor& row) { return linear(row, w); })(x);
  CHECK(rows.dtype() == kBFloat16);
  CHECK(rows.equal(linear(x, w)));
  const auto [y, dy] = func::jvp([&](const Tensor& t) { return linear(t, w); }, x, x);
  CHECK(y.dtype() == kBFloat16);
  CHECK(dy.dtype() == kBFloat16);
  CHECK(near(dy, y));
}

TEST_CASE("a guard inside of a transformed function is as one around it") {
  const Tensor x = wave({4, 5}), w = wave({3, 5});
  const auto f = [](const Tensor& weight, const Tensor& input) {
    const AutocastGuard guard(kCPU, kBFloat16);
    return linear(input, weight).exp().sum();
  };
  const Tensor inside = func::grad(f)(w, x);
  CHECK(inside.dtype() == kFloat);
  CHECK(!autocast::is_autocast_enabled(kCPU));
  const AutocastGuard guard(kCPU, kBFloat16);
  CHECK(inside.equal(func::grad([](const Tensor& a, const Tensor& b) { return linear(b, a).exp().sum(); })(w, x)));
}

TEST_CASE("a checkpointed function runs again as it ran first, inside of the guard and after it") {
  const Tensor x = wave({3, 3});
  const auto square = [](const Tensor& t) { return matmul(t, t); };
  const auto guarded = [](const Tensor& t) {
    const AutocastGuard guard(kCPU, kBFloat16);
    return matmul(t, t);
  };
  const auto gradient = [&](auto f) {
    return func::grad([&](const Tensor& t) { return func::checkpoint(f)(t).to(kFloat).sum(); })(x);
  };
  const auto eager_gradient = [&](auto f, bool inside) {
    Tensor leaf = x.clone().requires_grad_(), y;
    {
      const AutocastGuard guard(kCPU, kBFloat16);
      y = f(leaf);
      if (inside) y.sum().backward();
    }
    if (!inside) y.sum().backward();
    return leaf.grad();
  };
  const Tensor exact = gradient(square), rough = gradient(guarded);
  CHECK(near(rough, exact, 0.05));
  CHECK(!rough.equal(exact));
  for (const bool inside : {false, true})
    CHECK(near(eager_gradient(func::checkpoint(square), inside), eager_gradient(square, inside)));
  const AutocastGuard guard(kCPU, kBFloat16);
  CHECK(func::checkpoint(square)(x).dtype() == kBFloat16);
  CHECK(gradient(square).equal(rough));
  CHECK(gradient(guarded).equal(rough));
}

TEST_CASE("functions with custom rules do without") {
  const auto f =
      func::custom_vjp([](Tensor t) { return matmul(t, t); }, [](Tensor t) { return std::pair(matmul(t, t), t); },
                       [](Tensor t, Tensor g) { return matmul(g, t.t()) + matmul(t.t(), g); });
  const Tensor x = wave({3, 3});
  const auto total = [&](const Tensor& t) { return f(t).sum(); };
  const Tensor exact = func::grad(total)(x);
  const AutocastGuard guard(kCPU, kBFloat16);
  CHECK(f(x).dtype() == kFloat);
  CHECK(func::grad(total)(x).equal(exact));
}

TEST_CASE("ops carry their policies") {
  const auto by_policy = [](dispatch::AutocastPolicy policy) {
    size_t n = 0;
    for (const dispatch::Op& op : dispatch::all_ops()) n += op.autocast == policy;
    return n;
  };
  CHECK(by_policy(dispatch::AutocastPolicy::kLower) >= 8);
  CHECK(by_policy(dispatch::AutocastPolicy::kFloat32) >= 34);
  CHECK(by_policy(dispatch::AutocastPolicy::kWidest) >= 9);
}

TEST_CASE("docs/amp.md shows this") {
  nn::Linear model(5, 3);
  const Tensor x = wave({4, 5}), labels = tensor({0, 1, 2, 0}, kLong);
  optim::SGD optimizer(model->parameters(), optim::SGDOptions(0.1));
  optim::GradScaler scaler;
  const DeviceType device = kCPU;
  const auto before = model->weight.detach().clone();

  optimizer.zero_grad();
  Tensor loss;
  {
    const AutocastGuard autocast(device, kHalf);
    loss = cross_entropy(model(x), labels);
  }
  scaler.scale(loss).backward();
  scaler.unscale_(optimizer);  // only where gradients are looked at or clipped
  nn::utils::clip_grad_norm_(model->parameters(), 1.0);
  scaler.step(optimizer);
  scaler.update();

  CHECK(!model->weight.detach().equal(before));
  CHECK(scaler.get_scale() == 65536);
}
