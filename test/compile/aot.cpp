// aot: eager's bits for values and gradients, from two programs, wherever autograd is used.
#include <strata/strata.h>

#include <thread>

#include "test/catch.h"
#include "test/compile/same.h"
#include "test/error_of.h"

namespace strata {
namespace {

/// The gradients that `loss` leaves in the tensors, which are cleared.
std::vector<Tensor> taken(const std::vector<Tensor>& leaves) {
  std::vector<Tensor> grads;
  for (const Tensor& t : leaves) {
    grads.push_back(t.grad().defined() ? t.grad().clone() : Tensor());
    t.mutable_grad().reset();
  }
  return grads;
}

/// Calls both with the same random numbers and compares values and gradients, several times, at all budgets.
template <class F>
void check_same_as_eager(const F& f, const std::vector<Tensor>& args, const std::vector<Tensor>& leaves) {
  for (const double budget : {1.0, 0.5, 0.0}) {
    const auto ahead = aot(f, {.memory_budget = budget});
    for (int run = 0; run < 3; ++run) {
      manual_seed(7);
      const Tensor expected = f(args);
      expected.sum().backward();
      const Tensor next = randn({2});
      const std::vector<Tensor> grads = taken(leaves);
      manual_seed(7);
      const Tensor got = ahead(args);
      got.sum().backward();
      CHECK(same(got, expected));
      CHECK(same(randn({2}), next));
      const std::vector<Tensor> own = taken(leaves);
      for (size_t i = 0; i < leaves.size(); ++i) CHECK(same(own[i], grads[i]));
    }
    CHECK(compile_stats(ahead).programs == 1);
  }
}

template <class Net>
void check_net(Net net, const Tensor& x, std::vector<Tensor> leaves = {}) {
  for (const Tensor& p : net->parameters()) leaves.push_back(p);
  check_same_as_eager([&](std::vector<Tensor> in) { return net->forward(in[0]); }, {x}, leaves);
}

}  // namespace

TEST_CASE("aot gives eager's bits for nets") {
  manual_seed(1);
  const Tensor x = randn({6, 8}).requires_grad_();
  check_net(nn::Sequential(nn::Linear(8, 16), nn::ReLU(), nn::Linear(16, 3), nn::LogSoftmax(1)), x, {x});
  check_net(nn::Sequential(nn::Linear(8, 16), nn::GELU(), nn::Dropout(0.4), nn::LayerNorm(nn::LayerNormOptions({16})),
                           nn::Linear(16, 3)),
            x, {x});
  const Tensor image = randn({2, 3, 10, 10});
  check_net(nn::Sequential(nn::Conv2d(nn::Conv2dOptions(3, 4, 3)), nn::ReLU(), nn::MaxPool2d(nn::MaxPool2dOptions(2)),
                           nn::Flatten(), nn::Linear(64, 2)),
            image);
}

TEST_CASE("aot writes batch norm's statistics as eager does") {
  manual_seed(1);
  const Tensor x = randn({4, 3, 6, 6});
  nn::Sequential eager(nn::Conv2d(nn::Conv2dOptions(3, 5, 3)), nn::BatchNorm2d(5), nn::ReLU());
  nn::Sequential other(nn::Conv2d(nn::Conv2dOptions(3, 5, 3)), nn::BatchNorm2d(5), nn::ReLU());
  {
    const NoGradGuard no_grad;
    for (size_t i = 0; i < eager->parameters().size(); ++i) other->parameters()[i].copy_(eager->parameters()[i]);
  }
  const auto ahead = aot([&](Tensor in) { return other->forward(in); });
  for (int step = 0; step < 3; ++step) {
    const Tensor expected = eager->forward(x), got = ahead(x);
    CHECK(same(got, expected));
    (expected * expected).sum().backward();
    (got * got).sum().backward();
    for (size_t i = 0; i < eager->parameters().size(); ++i)
      CHECK(same(other->parameters()[i].grad(), eager->parameters()[i].grad()));
    for (size_t i = 0; i < eager->buffers().size(); ++i) CHECK(same(other->buffers()[i], eager->buffers()[i]));
  }
}

TEST_CASE("aot trains a block of attention to eager's bits") {
  manual_seed(3);
  nn::LayerNorm norm(nn::LayerNormOptions({8}));
  nn::Linear qkv(8, 24), out(8, 8), up(8, 32), down(32, 8);
  std::vector<Tensor> leaves;
  for (const auto& p : {norm->parameters(), qkv->parameters(), out->parameters(), up->parameters(), down->parameters()})
    leaves.insert(leaves.end(), p.begin(), p.end());
  const auto block = [&](std::vector<Tensor> in) {
    const Tensor& x = in[0];
    const Tensor parts = qkv(norm(x)).reshape({x.size(0), x.size(1), 3, 2, -1}).permute({2, 0, 3, 1, 4});
    const Tensor mixed = scaled_dot_product_attention(parts[0], parts[1], parts[2], {}, 0.0, true);
    const Tensor attended = x + out(mixed.transpose(1, 2).reshape(x.sizes()));
    return attended + down(gelu(up(norm(attended)), "tanh"));
  };
  const Tensor x = randn({2, 5, 8}).requires_grad_();
  leaves.push_back(x);
  check_same_as_eager(block, {x}, leaves);
}

TEST_CASE("what asks whether a gradient will be wanted is told so while aot traces") {
  manual_seed(3);
  // A product's operand is laid out anew where it is saved for a weight's gradient; this weight is computed.
  const Tensor x = randn({16, 24, 8}).requires_grad_(), weights = randn({96, 24}).requires_grad_();
  check_same_as_eager(
      [](std::vector<Tensor> in) {
        return linear(in[0].permute({2, 0, 1}) * 2, in[1].narrow(0, 32, 32)).tanh();
      },
      {x, weights}, {x, weights});
  const Tensor square = randn({5, 5}).requires_grad_();
  check_same_as_eager([](std::vector<Tensor> in) { return linalg::svdvals(in[0] * 2); }, {square}, {square});
  const auto values = [&] {
    const NoGradGuard no_grad;
    return linalg::svdvals(square * 2);
  };
  CHECK(same(aot(values)(), values()));
}

TEST_CASE("a mask is drawn once") {
  const Tensor x = ones({1000}).requires_grad_();
  const auto masked = [](Tensor t) { return dropout(t, 0.5) * t; };
  for (const double budget : {1.0, 0.0}) {
    const auto ahead = aot(masked, {.memory_budget = budget});
    for (int run = 0; run < 2; ++run) {
      const Tensor y = ahead(x);
      y.sum().backward();
      CHECK(same(x.grad(), y.detach() * 2));
      x.mutable_grad().reset();
    }
  }
}

TEST_CASE("a checkpointed function's parameters get gradients from aot") {
  const Tensor w = wave({4, 4}).requires_grad_(), x = wave({3, 4}).requires_grad_();
  const auto f = [&](Tensor t) {
    const auto block = checkpoint([&](Tensor h) { return dropout(h.mm(w), 0.5, true).tanh(); });
    return block(block(t * 2)).sum();
  };
  const auto gradients_by = [&](const auto& function) {
    manual_seed(4);
    function(x).backward();
    const std::pair gradients(w.grad(), x.grad());
    w.mutable_grad().reset(), x.mutable_grad().reset();
    return gradients;
  };
  const auto expected = gradients_by(f), got = gradients_by(aot(f));
  CHECK(same(got.first, expected.first));
  CHECK(same(got.second, expected.second));
}

TEST_CASE("gradients go where they are wanted") {
  const Tensor a = ramp({4}).requires_grad_(), b = ramp({4}), w = (ramp({4}) + 1).requires_grad_();
  const auto f = aot([&](Tensor x, Tensor y) { return std::tuple{x * y * w, (x > 0).sum(), y * 2}; });
  const auto [product, count, doubled] = f(a, b);
  CHECK(product.requires_grad());
  CHECK(!count.requires_grad());
  CHECK(!doubled.requires_grad());
  product.sum().backward();
  CHECK(same(a.grad(), b * w.detach()));
  CHECK(same(w.grad(), a.detach() * b));
  const auto [other, count2, scaled] = f(b, a);
  CHECK(scaled.requires_grad());
  CHECK(compile_stats(f).programs == 2);
  {
    const NoGradGuard no_grad;
    CHECK(!std::get<0>(f(a, b)).requires_grad());
    CHECK(same(std::get<0>(f(a, b)), product.detach()));
  }
  w.requires_grad_(false);  // frozen: traced anew
  const Tensor frozen = std::get<0>(f(a, b));
  a.mutable_grad().reset(), w.mutable_grad().reset();
  frozen.sum().backward();
  CHECK(same(a.grad(), b * w));
  CHECK(!w.grad().defined());
}

TEST_CASE("an argument that nothing depends on gets no gradient") {
  const Tensor a = ramp({3}).requires_grad_(), b = ramp({3}).requires_grad_();
  aot([](Tensor x, Tensor) { return x.exp(); })(a, b).sum().backward();
  CHECK(same(a.grad(), a.detach().exp()));
  CHECK(!b.grad().defined());
}

TEST_CASE("results may be arguments, views of them, or one tensor twice") {
  const Tensor x = ramp({4}).requires_grad_();
  const auto f = aot([](Tensor t) {
    const Tensor e = t.exp();
    return std::tuple{t, t.slice(0, 1, 3), e, e};
  });
  const Tensor seed = ramp({4});
  const auto [same_x, part, e, again] = f(x);
  CHECK(x.is_leaf());
  ((same_x * seed + e * again).sum() + part.sum()).backward();
  const Tensor y = x.detach().requires_grad_(), ey = y.exp();
  ((y * seed + ey * ey).sum() + y.slice(0, 1, 3).sum()).backward();
  CHECK(same(x.grad(), y.grad()));
}

TEST_CASE("gradients of gradients run through the dispatcher, with the same mask") {
  const Tensor x = (ramp({5}) + 0.25).requires_grad_(), w = ramp({5}).requires_grad_();
  const auto f = [&](Tensor t) { return (dropout(t, 0.5) * t * t * w.exp()).sum(); };
  const auto second = [&](const auto& g) {
    manual_seed(5);
    const Tensor value = g(x);
    randn({3});  // what is drawn in between is no matter
    const Tensor first = autograd::grad({value}, {x}, {}, std::nullopt, true)[0];
    first.square().sum().backward();
    return taken({x, w});
  };
  const std::vector<Tensor> expected = second(f), got = second(aot(f));
  CHECK(same(got[0], expected[0]));
  CHECK(same(got[1], expected[1]));
}

TEST_CASE("inside and around transforms aot is the function") {
  const auto f = [](Tensor t) { return (t.sin() * t).sum(); };
  const Tensor x = ramp({6}), batch = ramp({3, 6});
  CHECK(same(grad(aot(f))(x), grad(f)(x)));
  CHECK(same(vmap(grad(aot(f)))(batch), vmap(grad(f))(batch)));
  CHECK(same(compile(grad(aot(f)))(x), grad(f)(x)));
  const Tensor y = ramp({6}).requires_grad_();
  aot(grad(f))(y).sum().backward();
  const Tensor own = y.grad().clone();
  y.mutable_grad().reset();
  grad(f)(y).sum().backward();
  CHECK(same(own, y.grad()));
}

TEST_CASE("saved tensors are those of the call") {
  const Tensor x = ramp({4}).requires_grad_();
  const Tensor factor = ramp({4}).clone();
  const auto scaled = aot([&](Tensor t) { return t * factor; });
  const Tensor y = scaled(x);
  factor.add_(1);
  CHECK_THROWS_AS(y.sum().backward(), Error);
  const auto counted = aot([&](Tensor t) {
    const Tensor out = t * factor.exp();  // of which forward would keep the factor, were it not written to
    factor.add_(1);
    return out;
  });
  const Tensor before = factor.clone();
  counted(x).sum().backward();
  CHECK(same(x.grad(), before.exp()));
  CHECK(same(factor, before + 1));
}

TEST_CASE("attention's products are computed twice where asked, to the same bits") {
  const auto attend = [](Tensor q, Tensor k) { return matmul(matmul(q, k.mT()).softmax(-1), k).exp(); };
  const Tensor q = ramp({2, 9, 4}).requires_grad_(), k = (ramp({2, 9, 4}) / 3).requires_grad_();
  const auto doubled = [&](Tensor a, Tensor b) { return attend(a * 2, b * 2); };
  doubled(q, k).sum().backward();
  const std::vector<Tensor> expected = taken({q, k});
  const AotOptions options{.memory_budget = 0, .recompute_products = true};
  aot(doubled, options)(q, k).sum().backward();
  const std::vector<Tensor> got = taken({q, k});
  CHECK(same(got[0], expected[0]));
  CHECK(same(got[1], expected[1]));
  const int64_t plain = aot_programs(doubled, {.memory_budget = 0})(q, k).saved_bytes;
  CHECK(aot_programs(doubled, options)(q, k).saved_bytes == 0);
  CHECK(plain > 0);
}

TEST_CASE("hooks and optimizers see aot's gradients, as data-parallel training does") {
  manual_seed(2);
  nn::Linear eager(4, 3), other(4, 3);
  {
    const NoGradGuard no_grad;
    other->weight.copy_(eager->weight), other->bias.copy_(eager->bias);
  }
  const auto ahead = aot([&](Tensor x) { return other(x).tanh().square().sum(); });
  optim::SGD a(eager->parameters(), optim::SGDOptions(0.1).momentum(0.9));
  optim::SGD b(other->parameters(), optim::SGDOptions(0.1).momentum(0.9));
  int seen = 0;
  other->weight.register_hook([&](const Tensor& g) { seen += g.numel() == 12; });
  for (int step = 0; step < 3; ++step) {
    const Tensor x = randn({5, 4});
    a.zero_grad(), b.zero_grad();
    eager(x).tanh().square().sum().backward();
    ahead(x).backward();
    a.step(), b.step();
    CHECK(same(other->weight.detach(), eager->weight.detach()));
    CHECK(same(other->bias.detach(), eager->bias.detach()));
  }
  CHECK(seen == 3);
}

TEST_CASE("a graph that is kept goes back twice, from several threads as well") {
  const Tensor x = ramp({300, 300}).requires_grad_();
  const auto f = aot([](Tensor t) { return (t.sin().softmax(-1) * t).sum(); });
  const Tensor y = f(x);
  y.backward({}, true);
  const Tensor once = x.grad().clone();
  y.backward();
  CHECK(same(x.grad(), once * 2));
  std::vector<std::thread> threads;
  std::vector<Tensor> grads(4);
  for (Tensor& g : grads)
    threads.emplace_back([&] {
      const Tensor own = x.detach().clone().requires_grad_();
      for (int run = 0; run < 5; ++run) {
        own.mutable_grad().reset();
        f(own).backward();
      }
      g = own.grad();
    });
  for (std::thread& t : threads) t.join();
  for (const Tensor& g : grads) CHECK(same(g, once));
}

TEST_CASE("aot writes what requires a gradient to arguments and captured tensors") {
  const auto check = [](const auto& f) {
    const Tensor state = ones({4});
    std::vector<Tensor> seen[2];
    std::vector<bool> require_grad[2];
    const auto ahead = aot([&](Tensor t, Tensor u) { return f(t, u, state); });
    for (int time = 0; time < 2; ++time)
      for (const bool is_ahead : {false, true}) {
        const Tensor x = ramp({4}).requires_grad_(), u = wave({4}), y = x * 1;
        state.copy_(ones({4}));
        const Tensor result = is_ahead ? ahead(y, u) : f(y, u, state);
        (result.square() + y * 3 + u.sin() + state.cos()).sum().backward();
        seen[is_ahead] = {result.detach(), x.grad(), y.detach(), u.detach(), state.detach().clone()};
        require_grad[is_ahead] = {u.requires_grad(), state.requires_grad()};
        state.detach_();
        if (is_ahead)
          for (size_t i = 0; i < seen[0].size(); ++i) CHECK(same(seen[0][i], seen[1][i]));
      }
    CHECK(require_grad[0] == require_grad[1]);
  };
  check([](const Tensor& t, const Tensor& u, const Tensor& state) {
    t.mul_(u.cos() + 2);
    u.add_(t);
    state.mul_(u);
    return t * state;
  });
  check([](const Tensor& t, const Tensor& u, const Tensor& state) {
    t.detach().mul_(2);
    const Tensor h = t * u.sin();
    h.detach().add_(1);
    u.copy_(h);
    const NoGradGuard no_grad;
    state.add_(t);
    return h;
  });
}

TEST_CASE("what aot refuses") {
  const Tensor x = ramp({4}).requires_grad_();
  CHECK(error_of([&] { aot([](Tensor t) { return t.add_(1); })(x); }).find("a leaf Variable that requires grad") !=
        std::string::npos);
  CHECK(error_of([&] {
          aot([](Tensor t) {
            const Tensor loss = t.square().sum();
            loss.backward();
            return loss;
          })(x);
        }).find("aot: the function calls backward()") != std::string::npos);
  const Tensor square = ones({2, 2});
  CHECK(error_of([&] {
          aot([&](Tensor t) { return square.transpose_(0, 1) * t; })(ones({2, 2}));
        }).find("cannot change in place") != std::string::npos);
  CHECK(error_of([&] { aot([](Tensor t) { return t * 2; }, {.memory_budget = 1.5}); }) ==
        "aot: memory_budget is 1.5, it has to be from 0 to 1");
  CHECK(error_of([&] { aot_programs([](Tensor t) { return t * 2; })(ramp({2})); }) ==
        "aot_programs: nothing to differentiate: no argument and no captured tensor requires a gradient");
  const Tensor twice = aot([](Tensor t) { return t.exp(); })(x);
  twice.sum().backward();
  CHECK(error_of([&] { twice.sum().backward(); }).find("AotBackward") != std::string::npos);
}

}  // namespace strata
