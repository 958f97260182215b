// What results of compiled functions are beside their values: arguments, tensors that require gradients, and what their
// gradients are where backward runs outside.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/compile/same.h"
#include "test/error_of.h"

namespace strata {
namespace {

using Tensors = std::vector<Tensor>;
using Function = std::function<Tensors(Tensor)>;

std::pair<const char*, Function> ways_of(const Function& f, bool is_ahead) {
  const auto by = [f](Tensor x) { return f(x); };
  return is_ahead ? std::pair("aot", Function(aot(by))) : std::pair("compile", Function(compile(by)));
}

/// Which results are the argument.
std::vector<bool> are_argument(const Tensors& results, const Tensor& x) {
  std::vector<bool> list;
  for (const Tensor& t : results) list.push_back(t.is_same(x));
  return list;
}
std::vector<bool> require_grad(const Tensors& results) {
  std::vector<bool> list;
  for (const Tensor& t : results) list.push_back(t.requires_grad());
  return list;
}

/// Two calls, of which the second does not trace.
void check_results(const Function& f, const Function& compiled, const std::function<Tensor()>& make) {
  for (int time = 0; time < 2; ++time) {
    const Tensor x = make(), y = make();
    const Tensors expected = f(x), got = compiled(y);
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      CAPTURE(time, i);
      CHECK(same(got[i].detach(), expected[i].detach()));
    }
    CHECK(same(x.detach(), y.detach()));
    CHECK(y.strides() == x.strides());
    CHECK(are_argument(got, y) == are_argument(expected, x));
    CHECK(require_grad(got) == require_grad(expected));
  }
}

/// Both ways to compile, without and with a backward pass from the results outside.
void check_results(const Function& f, const std::function<Tensor()>& make) {
  for (const bool is_ahead : {false, true}) {
    const auto [way, compiled] = ways_of(f, is_ahead);
    CAPTURE(way);
    check_results(f, compiled, make);
  }
}

/// The gradient of the argument where backward runs outside.
void check_gradient(const Function& f, const std::function<Tensor()>& make) {
  for (const bool is_ahead : {false, true}) {
    const auto [way, compiled] = ways_of(f, is_ahead);
    for (int time = 0; time < 2; ++time) {
      CAPTURE(way, time);
      const Tensor x = make(), y = make();
      f(x)[0].square().sum().backward();
      compiled(y)[0].square().sum().backward();
      CHECK(same(y.grad(), x.grad()));
    }
  }
}

Tensor wave_plain() { return wave({3, 4}); }
Tensor wave_leaf() { return wave({3, 4}).requires_grad_(); }

struct Steep : autograd::Function<Steep> {
  static Tensor forward(autograd::AutogradContext* ctx, Tensor x, double k) {
    ctx->save_for_backward({x});
    ctx->saved_data["k"] = k;
    return x * k;
  }
  static Tensors backward(autograd::AutogradContext* ctx, Tensors grads) {
    const double k = ctx->saved_data["k"].toDouble();
    return {grads[0] * 10 * k + ctx->get_saved_variables()[0], Tensor()};
  }
};

/// Gives a value and a mask, which gets no gradient.
struct Rounded : autograd::Function<Rounded> {
  static Tensors forward(autograd::AutogradContext* ctx, Tensor x, Tensor scale) {
    const Tensor mask = x.abs().lt(0.5).to(kFloat);
    ctx->save_for_backward({mask, scale});
    ctx->mark_non_differentiable({mask});
    return {(x / scale).round() * scale, mask};
  }
  static Tensors backward(autograd::AutogradContext* ctx, Tensors grads) {
    const Tensors saved = ctx->get_saved_variables();
    return {grads[0] * saved[0], ctx->needs_input_grad(1) ? grads[0].sum() : Tensor()};
  }
};

/// Tells undefined gradients from zeros.
struct Pair : autograd::Function<Pair> {
  static Tensors forward(autograd::AutogradContext* ctx, Tensor x) {
    ctx->set_materialize_grads(false);
    return {x * 2, x * 3};
  }
  static Tensors backward(autograd::AutogradContext*, Tensors grads) {
    if (!grads[0].defined()) return {grads[1] * 5};
    return {grads[1].defined() ? grads[0] * 2 + grads[1] : grads[0] * 7};
  }
};

struct Doubled : autograd::Function<Doubled> {
  static Tensor forward(autograd::AutogradContext* ctx, Tensor x) {
    x.mul_(2);
    ctx->mark_dirty({x});
    return x;
  }
  static Tensors backward(autograd::AutogradContext*, Tensors grads) { return {grads[0] * 2.5}; }
};

}  // namespace

TEST_CASE("an argument that a compiled function writes to and returns is the argument") {
  check_results([](Tensor x) { return Tensors{x.mul_(2), x + 1, x}; }, wave_plain);
  check_results([](Tensor x) { return Tensors{x, x * 2}; }, wave_leaf);
  const Tensor state = zeros({2});
  const auto count = compile([&] { return state.add_(1); });
  for (int time = 1; time < 4; ++time) {
    CHECK(count().is_same(state));
    CHECK(state.equal(full({2}, static_cast<float>(time))));
  }
}

TEST_CASE("results of a compiled function require gradients as in eager code") {
  const Function f = [](Tensor x) {
    const Tensor loss = (x * x).sum();
    loss.backward();
    Tensor shown;
    {
      const NoGradGuard no_grad;
      shown = x.t();
    }
    return Tensors{loss, loss.detach(), shown, x.detach().requires_grad_()};
  };
  check_results(f, ways_of(f, false).second, wave_leaf);
  const Tensor loss = compile(f)(wave_leaf())[0];
  CHECK(error_of([&] { loss.backward(); }).find("backward through the graph a second time") != std::string::npos);
}

TEST_CASE("backward outside of a compiled function goes by the rule of a custom function") {
  check_gradient([](Tensor x) { return Tensors{Steep::apply(x * 2, 3.0) + x}; }, wave_leaf);
  check_gradient(
      [](Tensor x) {
        const Tensor steep = Steep::apply(x, 2.0), row = steep[0];
        steep.mul_(3);
        row.add_(x[1]);
        return Tensors{steep};
      },
      wave_leaf);
  check_gradient(
      [](Tensor x) {
        const Tensor d = x.detach(), h = x * 2;
        d.copy_(h);
        return Tensors{d * 2 + h};
      },
      wave_leaf);
  const auto clipped = custom_vjp([](Tensor x) { return x.exp(); }, [](Tensor x) { return std::pair(x.exp(), x * 1); },
                                  [](Tensor x, Tensor g) { return clamp(g * x, -1, 1); });
  check_gradient([&](Tensor x) { return Tensors{clipped(clipped(x).neg()) * 3}; }, wave_leaf);
  check_gradient(
      [](Tensor x) {
        const auto inner = checkpoint([](Tensor t) { return t.sin() * t; });
        return Tensors{inner(x * 2)};
      },
      wave_leaf);
}

TEST_CASE("outputs of custom functions that get no gradient, and undefined gradients, are eager code's in compile") {
  const Tensor scale = full({}, 0.25f);
  check_results(
      [&](Tensor x) {
        const Tensors out = Rounded::apply(x * 2, scale);
        return Tensors{out[0], out[1], out[1] * 2};
      },
      wave_leaf);
  check_gradient(
      [&](Tensor x) {
        const Tensors out = Rounded::apply(x * 2, scale);
        return Tensors{out[0] * 3 + out[1]};
      },
      wave_leaf);
  for (const size_t read : {0u, 1u}) {
    check_gradient([&](Tensor x) { return Tensors{Pair::apply(x * 2)[read] * 2}; }, wave_leaf);
    const auto f = [&](Tensor x) { Pair::apply(x.sin())[read].sum().backward(); };
    const Tensor x = wave_leaf(), y = wave_leaf();
    f(x);
    compile(f)(y);
    CHECK(same(x.grad(), y.grad()));
  }
}

TEST_CASE("a custom function may write to its argument inside of compile") {
  const Function f = [](Tensor x) {
    const Tensor h = x * 2, row = h[1], doubled = Doubled::apply(h);
    Doubled::apply(h[0]).add_(1);
    return Tensors{(doubled * 3).sin() + h + row, doubled, Doubled::apply(x.detach())};
  };
  check_results(f, wave_leaf);
  check_results(f, wave_plain);
  check_gradient(f, wave_leaf);
}

TEST_CASE("hooks on what a compiled function computes run in a backward pass outside") {
  check_gradient(
      [](Tensor x) {
        const Tensor h = x * 2, before = h.exp();
        h.register_hook([](Tensor g) { return g.clamp(-0.5, 0.5); });
        h.register_hook([](Tensor g) { return g * 3; });
        x.register_hook([](Tensor g) { return g + 1; });
        const HookHandle gone = before.register_hook([](Tensor g) { return g * 100; });
        before.remove_hook(gone);
        return Tensors{before + h.sin()};
      },
      wave_leaf);
  for (const bool is_ahead : {false, true}) {
    int runs = 0;
    const Tensor seen = zeros({4});
    const auto f = ways_of(
                       [&](Tensor x) {
                         const Tensor h = x * 2;
                         h.register_hook([&](Tensor g) {
                           ++runs;
                           seen.add_(g.sum(0));
                         });
                         return Tensors{h.square()};
                       },
                       is_ahead)
                       .second;
    Tensor expected = zeros({4});
    for (int time = 1; time < 4; ++time) {
      CAPTURE(is_ahead, time);
      const Tensor x = wave_leaf();
      f(x)[0].sum().backward();
      expected += (x.detach() * 4).sum(0);
      CHECK(runs == time);
      CHECK(same(seen, expected));
    }
  }
}

TEST_CASE("what was kept of an argument that is written to later is a copy in compile") {
  const Function f = [](Tensor x) {
    x.sin_();
    const Tensor row = x[1];
    row.mul_(row);
    return Tensors{x.exp()};
  };
  for (const bool is_ahead : {false, true}) {
    const auto [way, compiled] = ways_of(f, is_ahead);
    for (const bool is_turned : {false, true}) {
      CAPTURE(way, is_turned);
      const Tensor x = wave_leaf(), y = wave_leaf();
      const auto argument = [&](const Tensor& leaf) { return is_turned ? (leaf * 2).t() : leaf * 2; };
      const Tensor a = argument(x), b = argument(y), expected = f(a)[0], got = compiled(b)[0];
      (expected + a).sum().backward();
      (got + b).sum().backward();
      CHECK(same(got.detach(), expected.detach()));
      CHECK(same(b.detach(), a.detach()));
      CHECK(same(y.grad(), x.grad()));
    }
  }
}

TEST_CASE("the shape of a tensor may change in place inside of a compiled function") {
  check_results(
      [](Tensor x) {
        const Tensor row = x[1], h = x * 2;
        h.t_();
        h[0].mul_(3);
        h.unsqueeze_(0).add_(1);
        x.transpose_(0, 1);
        x.mul_(2);
        return Tensors{h, x, row, x.contiguous(), h.squeeze_(0)};
      },
      wave_plain);
  check_gradient(
      [](Tensor x) {
        const Tensor h = x * 2, row = h[1];
        h.t_().mul_(x.t());
        h.unsqueeze_(1);
        return Tensors{h * row.sum()};
      },
      wave_leaf);
  check_results(
      [](Tensor x) {
        const Tensor h = x * 2, row = h[1], less = x + 1, grown = zeros({2}), none = empty({0});
        h.resize_({4, 5}).slice(0, 3, 4).zero_();
        row.add_(1);
        less.resize_({3, 2}).mul_(x.slice(1, 0, 2));
        grown.resize_({3, 4}).copy_(x);
        none.resize_({3}).copy_(x.sum(1));
        return Tensors{h.slice(0, 0, 2), row, less, grown, none};
      },
      wave_plain);
  const Tensor w = ones({2, 3});
  const auto captured = compile([&] { return w.t_() * 1; });
  CHECK(error_of([&] { captured(); }).find("cannot change in place") != std::string::npos);
}

}  // namespace strata
