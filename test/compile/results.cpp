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
