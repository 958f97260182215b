// Custom functions with libtorch's signature.
#include "test/autograd/helpers.h"

namespace strata::autograd_test {
namespace {

using autograd::AutogradContext;
using autograd::variable_list;

struct ScaledMul : autograd::Function<ScaledMul> {
  static Tensor forward(AutogradContext* ctx, Tensor a, Tensor b, double scale) {
    ctx->save_for_backward({a, b});
    ctx->saved_data["scale"] = scale;
    return a * b * scale;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    const auto saved = ctx->get_saved_variables();
    const double scale = ctx->saved_data["scale"].toDouble();
    return {g[0] * saved[1] * scale, g[0] * saved[0] * scale, Tensor()};
  }
};

struct Exp : autograd::Function<Exp> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x) {
    const Tensor y = x.exp();
    ctx->save_for_backward({y});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    return {g[0] * ctx->get_saved_variables()[0]};
  }
};

struct Split : autograd::Function<Split> {
  static variable_list forward(AutogradContext* ctx, const Tensor& x) {
    const Tensor index = x.argmax();
    ctx->mark_non_differentiable({index});
    return {x * 2, x * 3, index};
  }
  static variable_list backward(AutogradContext*, variable_list g) { return {g[0] * 2 + g[1] * 3}; }
};

struct WrongCount : autograd::Function<WrongCount> {
  static Tensor forward(AutogradContext*, const Tensor& x) { return x * 2; }
  static variable_list backward(AutogradContext*, variable_list) { return {}; }
};

struct Identity : autograd::Function<Identity> {
  static Tensor forward(AutogradContext*, const Tensor& x) { return x; }
  static variable_list backward(AutogradContext*, variable_list g) { return {g[0] * 100}; }
};

/// Writes where no op sees it.
struct TimesTen : autograd::Function<TimesTen> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    double* const at = x.data_ptr<double>();
    for (int64_t i = 0; i < x.numel(); ++i) at[i] *= 10;
    ctx->mark_dirty({x});
    return x;
  }
  static variable_list backward(AutogradContext*, variable_list g) { return {g[0] * 10}; }
};

}  // namespace

TEST_CASE("forward, backward and double backward of a custom function") {
  const Tensor a = leaf({2}), b = leaf({3});
  const Tensor y = ScaledMul::apply(a, b, 10.0);
  CHECK(values(y) == V{60});
  const auto g = autograd::grad({y}, {a, b}, {}, true, true);
  CHECK(values(g[0]) == V{30});
  CHECK(values(g[1]) == V{20});
  CHECK(values(autograd::grad({g[0]}, {b})[0]) == V{10});
}

TEST_CASE("a saved output makes no cycle and differentiates twice") {
  const Tensor a = leaf({1});
  const Tensor y = Exp::apply(a);
  const Tensor g = autograd::grad({y}, {a}, {}, true, true)[0];
  const Tensor gg = autograd::grad({g}, {a})[0];
  CHECK(values(gg)[0] == Approx(std::exp(1.0)));
}

TEST_CASE("several outputs, one without gradient") {
  const Tensor a = leaf({1, 5});
  const auto out = Split::apply(a);
  CHECK(!out[2].requires_grad());
  out[0].sum().backward();  // the other gradient arrives as zeros
  CHECK(values(a.grad()) == V{2, 2});
}

TEST_CASE("an input that is returned keeps its own history") {
  const Tensor a = leaf({1});
  const Tensor y = Identity::apply(a);
  CHECK(a.is_leaf());
  y.backward();
  CHECK(values(a.grad()) == V{100});
}

TEST_CASE("misuse of a custom function") {
  const Tensor a = leaf({1});
  CHECK(contains(message([&] { WrongCount::apply(a).backward(); }), "0 gradients for 1 arguments"));
  const Tensor x = a * 1;
  const Tensor y = ScaledMul::apply(x, x, 1.0);
  Tensor alias = x;
  alias.add_(1);
  CHECK(contains(message([&] { y.backward(); }), "modified in place"));
  const Tensor once = ScaledMul::apply(a * 1, a * 1, 1.0);
  once.backward();
  CHECK(contains(message([&] { once.backward(); }), "ScaledMul has freed its saved tensors"));
}

TEST_CASE("an input that is marked dirty has a new version") {
  const Tensor a = leaf({1, 2});
  Tensor x = a * 1;
  const Tensor saved = x * x;
  const int64_t before = x._version();
  const Tensor y = TimesTen::apply(x);
  CHECK(y.is_same(x));
  CHECK(x._version() == before + 1);
  CHECK(contains(message([&] { saved.sum().backward(); }), "modified in place"));
  x.sum().backward();
  CHECK(values(a.grad()) == V{10, 10});
  Tensor plain = ones({2}, kDouble);
  const int64_t made = plain._version();
  TimesTen::apply(plain);
  CHECK(plain._version() == made + 1);
}

TEST_CASE("a dirty view changes its base's history, and leaves refuse") {
  const Tensor a = leaf({1, 2});
  Tensor base = a * 1;
  TimesTen::apply(base.slice(0, 0, 1));
  CHECK(values(base) == V{10, 2});
  base.sum().backward();
  CHECK(values(a.grad()) == V{10, 1});
  const Tensor b = leaf({1, 2});
  CHECK(contains(message([&] { TimesTen::apply(b.slice(0, 0, 1)); }), "view of a leaf"));
  CHECK(contains(message([&] { TimesTen::apply(b); }), "leaf"));
  CHECK(b.is_leaf());
}

}  // namespace strata::autograd_test
