// Compiled functions that call backward() and take steps of optimizers: the bits of the same code in eager mode.
#include <strata/strata.h>

#include <functional>
#include <sstream>

#include "test/catch.h"
#include "test/compile/same.h"
#include "test/error_of.h"

namespace strata {
namespace {

struct NetImpl : nn::Module {
  nn::Linear first = register_module("first", nn::Linear(6, 8));
  nn::BatchNorm1d norm = register_module("norm", nn::BatchNorm1d(8));
  nn::Dropout dropout = register_module("dropout", nn::Dropout(0.3));
  nn::Linear second = register_module("second", nn::Linear(8, 3));
  Tensor forward(const Tensor& x) { return second(dropout(norm(first(x)).relu())); }
};
STRATA_MODULE(Net);

Net make_net() {
  manual_seed(3);
  return Net();
}

/// A training step as people write it; `pieces` may change its parts.
template <class Optimizer>
auto training_step(Net& net, Optimizer& optimizer) {
  return [&net, &optimizer](Tensor x, Tensor y) {
    optimizer.zero_grad();
    const Tensor loss = nn::functional::cross_entropy(net->forward(x), y);
    loss.backward();
    optimizer.step();
    return loss;
  };
}

void check_same_nets(Net& a, Net& b) {
  const auto p = a->named_parameters(), q = b->named_parameters();
  for (size_t i = 0; i < p.size(); ++i) {
    INFO(p[i].key());
    CHECK(same(p[i].value(), q[i].value()));
    CHECK(same(p[i].value().grad(), q[i].value().grad()));
    CHECK(p[i].value().requires_grad());
    CHECK(p[i].value().is_leaf());
  }
  const auto v = a->named_buffers(), w = b->named_buffers();
  for (size_t i = 0; i < v.size(); ++i) {
    INFO(v[i].key());
    CHECK(same(v[i].value(), w[i].value()));
  }
}

/// Trains one net in eager mode and one by a compiled step, beside each other.
template <class Make>
void check_training(Make make_optimizer, int64_t most_programs = 3) {
  Net eager = make_net(), compiled = make_net();
  auto eager_optimizer = make_optimizer(eager->parameters()), optimizer = make_optimizer(compiled->parameters());
  const auto eager_step = training_step(eager, eager_optimizer);
  const auto step = compile(training_step(compiled, optimizer));
  const Tensor y = tensor({0, 1, 2, 1, 0}, kLong);
  for (int i = 0; i < 6; ++i) {
    const Tensor x = wave({5, 6}) + i;
    manual_seed(100 + i);
    const Tensor expected = eager_step(x, y);
    const Tensor next = rand({2});
    manual_seed(100 + i);
    CHECK(same(step(x, y), expected));
    CHECK(same(rand({2}), next));
    check_same_nets(compiled, eager);
    for (auto* o : {&eager_optimizer, &optimizer}) o->param_groups()[0].options().set_lr(0.01 / (i + 1));
  }
  CHECK(compile_stats(step).programs <= most_programs);
}

}  // namespace

TEST_CASE("training steps give eager's bits: SGD") {
  check_training([](auto params) { return optim::SGD(params, optim::SGDOptions(0.05)); }, 2);
  check_training([](auto params) { return optim::SGD(params, optim::SGDOptions(0.05).momentum(0.9).nesterov(true)); });
  check_training([](auto params) { return optim::SGD(params, optim::SGDOptions(0.05).momentum(0.9).dampening(0.5)); });
}

TEST_CASE("training steps give eager's bits: optimizers that count") {
  check_training([](auto params) { return optim::Adam(params, optim::AdamOptions(0.01)); });
  check_training([](auto params) { return optim::Adam(params, optim::AdamOptions(0.01).amsgrad(true)); });
  check_training([](auto params) { return optim::AdamW(params, optim::AdamWOptions(0.01).weight_decay(0.1)); });
  check_training([](auto params) { return optim::RMSprop(params, optim::RMSpropOptions(0.01).momentum(0.5)); });
  check_training([](auto params) { return optim::Adagrad(params, optim::AdagradOptions(0.01).lr_decay(0.1)); });
  check_training([](auto params) { return optim::Adamax(params); });
  check_training([](auto params) { return optim::RAdam(params); });
  check_training([](auto params) { return optim::Adadelta(params); });
  check_training([](auto params) { return optim::Lion(params); });
}

TEST_CASE("optimizers whose numbers the host computes say so") {
  Net net = make_net();
  optim::NAdam optimizer(net->parameters());
  const auto step = compile(training_step(net, optimizer));
  const Tensor x = wave({5, 6}), y = tensor({0, 1, 2, 1, 0}, kLong);
  step(x, y);  // makes the state, not yet compiled
  CHECK(error_of([&] { step(x, y); }).find("NAdam: its steps cannot be part of a compiled function") == 0);
}

TEST_CASE("eager and compiled steps of one optimizer may alternate") {
  Net eager = make_net(), mixed = make_net();
  optim::Adam eager_optimizer(eager->parameters()), optimizer(mixed->parameters());
  const auto eager_step = training_step(eager, eager_optimizer), plain_step = training_step(mixed, optimizer);
  const auto step = compile(plain_step);
  const Tensor x = wave({5, 6}), y = tensor({0, 1, 2, 1, 0}, kLong);
  for (int i = 0; i < 8; ++i) {
    manual_seed(i);
    const Tensor expected = eager_step(x, y);
    manual_seed(i);
    CHECK(same(i % 3 == 1 ? plain_step(x, y) : step(x, y), expected));
    check_same_nets(mixed, eager);
  }
}

TEST_CASE("gradients accumulate, are zeroed or cleared as in eager code") {
  const auto run = [](auto wrap, int kind) {
    const Tensor w = wave({4}).requires_grad_(), v = wave({4}).add(1).requires_grad_();
    const auto f = wrap([&](Tensor x) {
      if (kind == 1) w.mutable_grad().reset();
      if (kind == 2 && w.grad().defined()) w.grad().zero_();
      (w * x).sin().sum().backward();
      if (kind == 3) v.mutable_grad() = w.grad() * v.detach();
      if (kind == 4) w.mutable_grad().reset();
      return x * 2;
    });
    std::vector<Tensor> seen;
    for (int i = 0; i < 5; ++i) {
      if (i == 3) w.mutable_grad().reset();
      seen.push_back(f(wave({4}) * i));
      for (const Tensor& t : {w, v}) seen.push_back(t.grad().defined() ? t.grad().clone() : Tensor());
    }
    return seen;
  };
  for (int kind = 0; kind < 5; ++kind) {
    CAPTURE(kind);
    const auto expected = run([](auto f) { return f; }, kind);
    const auto got = run([](auto f) { return compile(f); }, kind);
    for (size_t i = 0; i < got.size(); ++i) CHECK(same(got[i], expected[i]));
  }
}

TEST_CASE("arguments may be leaves") {
  const auto f = [](Tensor x) {
    (x * x).sum().backward();
    return x.detach() + 1;
  };
  const auto compiled = compile(f);
  const Tensor a = wave({3}).requires_grad_(), b = wave({3}).requires_grad_();
  for (int i = 0; i < 3; ++i) {
    CHECK(same(compiled(a), f(b)));
    CHECK(same(a.grad(), b.grad()));
  }
  const Tensor computed = a * 2;
  CHECK(error_of([&] { compiled(computed); }).find("reaches a tensor that was computed outside of it") !=
        std::string::npos);
  CHECK(a.grad().equal(b.grad()));
}

namespace {

/// What a function of a leaf computes, and the gradients that it leaves, in eager mode and compiled.
void check_like_eager(const std::function<Tensor(const Tensor& w, const Tensor& x)>& f) {
  const Tensor x = wave({3, 4}), a = (wave({3, 4}) + 0.5).detach().requires_grad_(),
               b = a.detach().clone().requires_grad_();
  const auto compiled = compile([&](Tensor t) { return f(a, t); });
  for (int i = 0; i < 3; ++i) {
    const Tensor expected = f(b, x), got = compiled(x);
    CHECK(same(got.detach(), expected.detach()));
    CHECK(same(a.grad(), b.grad()));
  }
}

}  // namespace

TEST_CASE("in-place ops and views are differentiated as in eager code") {
  check_like_eager([](const Tensor& w, const Tensor& x) {
    Tensor h = w * x;
    h.mul_(x).add_(1).sin_();
    h.sum().backward();
    return h.detach();
  });
  check_like_eager([](const Tensor& w, const Tensor& x) {
    Tensor h = w * 2;
    const Tensor first = h.select(0, 0), turned = h.t();
    first.mul_(x.select(0, 1));
    h.slice(1, 1, 3).add_(w.slice(1, 0, 2));
    (turned * turned).sum().backward();
    return h.detach();
  });
  check_like_eager([](const Tensor& w, const Tensor& x) {
    Tensor h = w * 2;
    {
      const NoGradGuard no_grad;
      h.mul_(3);
    }
    Tensor kept = zeros({3, 4});
    kept.copy_(h);
    kept.select(1, 0).zero_();
    (kept * x).sum().backward();
    return kept.detach();
  });
}

TEST_CASE("a view of what was written to is differentiated as it is now") {
  check_like_eager([](const Tensor& w, const Tensor& x) {
    Tensor h = w * x;
    const Tensor shown = h.select(0, 1), before = shown * 3;
    h.index_copy_(0, tensor({1}, kLong), x.slice(0, 0, 1));
    autograd::backward({shown, before}, {ones({4}), ones({4}) * 2});
    return h.detach();
  });
}

TEST_CASE("a view that is written to retains the gradient of what it is then") {
  check_like_eager([](const Tensor& w, const Tensor& x) {
    Tensor h = (w * x).select(0, 1);
    h.retain_grad();
    h.mul_(3);
    h.sum().backward();
    return h.grad() * 1;
  });
}

TEST_CASE("hooks, retained gradients, gradients of gradients and several backward passes") {
  check_like_eager([](const Tensor& w, const Tensor& x) {
    const Tensor h = (w * x).tanh();
    h.register_hook([](Tensor g) { return g * 2; });
    h.retain_grad();
    h.sum().backward();
    return h.grad() + 1;
  });
  check_like_eager([](const Tensor& w, const Tensor& x) {
    const Tensor y = (w.exp() * x).sum();
    const Tensor g = autograd::grad({y}, {w}, {}, true, true)[0];
    (g.square().sum() + y).backward();
    return g.detach();
  });
  check_like_eager([](const Tensor& w, const Tensor& x) {
    const Tensor h = w.sigmoid();
    (h * x).sum().backward({}, true);
    (h + x).square().sum().backward();
    return h.detach();
  });
  check_like_eager([](const Tensor& w, const Tensor& x) {
    (w * x).sum().backward();
    nn::utils::clip_grads_with_norm_({w}, 0.5, nn::utils::get_total_norm({w.grad()}));
    nn::utils::clip_grad_value_({w}, 0.2);
    const NoGradGuard no_grad;
    w.sub_(w.grad(), 0.1);
    w.mutable_grad().reset();
    return w * 1;
  });
}

TEST_CASE("a checkpointed function draws the same numbers when it runs again") {
  const auto noisy = [](Tensor t) {
    return nn::functional::dropout(t * 2, nn::functional::DropoutFuncOptions().p(0.5)) * t;
  };
  const auto by_transform = [&](Tensor x) {
    return func::value_and_grad([&](Tensor t) { return (func::checkpoint(noisy)(t) * rand({6})).sum(); })(x);
  };
  const Tensor w = ones({6}).requires_grad_(), x = wave({6}) + 2;
  const auto by_backward = [&](Tensor t) {
    w.mutable_grad().reset();
    const Tensor loss = (func::checkpoint(noisy)(w * t) * rand({6})).sum();
    loss.backward();
    return std::pair(loss.detach(), w.grad() * 1);
  };
  const auto check = [&](auto f) {
    const auto compiled = compile(f);
    for (int i = 0; i < 3; ++i) {
      std::vector<Tensor> seen[2];
      for (int k = 0; k < 2; ++k) {
        manual_seed(i);
        const auto [value, gradient] = k == 0 ? f(x) : compiled(x);
        seen[k] = {value, gradient, rand({2})};
      }
      for (size_t j = 0; j < 3; ++j) CHECK(same(seen[0][j], seen[1][j]));
    }
  };
  check(by_transform);
  check(by_backward);
  const auto program = trace(by_transform)(x);
  manual_seed(5);
  const auto [value, gradient] = by_transform(x);
  manual_seed(5);
  const auto [same_value, same_gradient] = program(x);
  CHECK(same(value, same_value));
  CHECK(same(gradient, same_gradient));
}

TEST_CASE("variables of a compiled function may become leaves") {
  check_like_eager([](const Tensor& w, const Tensor& x) {
    const Tensor own = (x * w.detach()).requires_grad_();
    (own.square() * w).sum().backward();
    return own.grad() * 3;
  });
}

TEST_CASE("a result that still has its graph passes gradients on") {
  const Tensor w = wave({3}).requires_grad_();
  const auto f = compile([&](Tensor x) { return (w * x).sum(); });
  for (int i = 0; i < 2; ++i) {
    w.mutable_grad().reset();
    f(ones({3})).backward();
    CHECK(same(w.grad(), ones({3})));
  }
  w.requires_grad_(false);
  CHECK_FALSE(f(ones({3})).requires_grad());
  w.requires_grad_(true);
  CHECK(f(ones({3})).requires_grad());
}

namespace {

/// What a function computes of a captured leaf and of an argument, both written to by it at times, and the gradients
/// that a backward pass outside of it leaves in them.
void check_passes_like_eager(const std::function<Tensor(const Tensor& w, const Tensor& x)>& f) {
  const auto leaf = [](float from) { return (wave({3, 4}) + from).detach().requires_grad_(); };
  const Tensor a = leaf(0.5), b = leaf(0.5);
  const auto compiled = compile([&](Tensor t) { return f(a, t); });
  for (int i = 0; i < 3; ++i) {
    CAPTURE(i);
    const Tensor x = leaf(2), y = leaf(2), expected = f(b, y), got = compiled(x);
    CHECK(same(got.detach(), expected.detach()));
    CHECK(got.requires_grad());
    expected.square().sum().backward();
    got.square().sum().backward();
    for (const auto& [one, other] : {std::pair(a, b), std::pair(x, y)}) {
      CHECK(same(one.detach(), other.detach()));
      CHECK(same(one.grad(), other.grad()));
      CHECK((one.is_leaf() && one.requires_grad()));
    }
  }
}

template <class F>
auto unrecorded(F f) {
  const NoGradGuard no_grad;
  return f();
}

}  // namespace

TEST_CASE("gradients flow on past a write that is not recorded") {
  check_passes_like_eager([](const Tensor& w, const Tensor& x) {
    unrecorded([&] { w.mul_(2); });
    return w * x;
  });
  check_passes_like_eager([](const Tensor& w, const Tensor& x) {
    unrecorded([&] { x.mul_(2).add_(w); });
    return (w + x).sin();
  });
  check_passes_like_eager([](const Tensor& w, const Tensor& x) {
    const Tensor h = w * x, tripled = h * 3;
    unrecorded([&] { h.mul_(5); });
    h.add_(x);
    unrecorded([&] { h.neg_(); });
    return tripled + h.exp();
  });
  check_passes_like_eager([](const Tensor& w, const Tensor& x) {
    const Tensor h = w + x, row = h.select(0, 1);
    h.detach().mul_(5);
    unrecorded([&] { row.fill_(0.5); });
    unrecorded([&] { w.select(1, 2).copy_(x.select(1, 0)); });
    return h.sin() + row + w;
  });
  check_passes_like_eager([](const Tensor& w, const Tensor& x) {
    unrecorded([&] { w.copy_(x); });
    return w + x.sigmoid();
  });
}

TEST_CASE("what AutoGradMode turns on is recorded inside of a function that runs under NoGradGuard") {
  const Tensor a = wave({3}).requires_grad_(), b = wave({3}).requires_grad_();
  const auto f = [](const Tensor& w, const Tensor& x) {
    const Tensor scale = w * 2;
    const AutoGradMode recorded(true);
    (w * w * x).sum().backward();
    return (w * x).sin() * scale;
  };
  const auto compiled = compile([&](Tensor x) { return f(a, x); });
  for (int i = 0; i < 3; ++i) {
    const auto [got, expected] = unrecorded([&] { return std::pair(compiled(wave({3}) + i), f(b, wave({3}) + i)); });
    CHECK(same(got.detach(), expected.detach()));
    CHECK((got.requires_grad() && expected.requires_grad()));
    got.sum().backward();
    expected.sum().backward();
    CHECK(same(a.grad(), b.grad()));
  }
  a.requires_grad_(false);
  CHECK(unrecorded([&] { return error_of([&] { compiled(wave({3})); }); }).find("does not require grad") !=
        std::string::npos);
}

TEST_CASE("gradients of leaves that the function does not use are what they are in each call") {
  const auto run = [](auto wrap) {
    const Tensor w = wave({3}).requires_grad_(), v = wave({3}).requires_grad_();
    w.mutable_grad() = ones({3});
    const auto f = wrap([&](Tensor x) {
      v.mutable_grad() = x + 1;
      return w.grad().defined() ? w.grad() * x : x;
    });
    std::vector<Tensor> seen;
    for (int i = 0; i < 6; ++i) {
      if (i == 2) w.mutable_grad() = wave({3});
      if (i == 4) w.mutable_grad().reset();
      seen.push_back(f(wave({3}) * i));
      seen.push_back(v.grad());
    }
    return seen;
  };
  const auto expected = run([](auto f) { return f; }), got = run([](auto f) { return compile(f); });
  for (size_t i = 0; i < got.size(); ++i) CHECK(same(got[i], expected[i]));
}

namespace {

/// Two nets train beside each other; both take back the state of two steps ago, and go on with another learning rate.
template <class Make>
void check_loaded(Make make_optimizer) {
  Net eager = make_net(), compiled = make_net();
  auto eager_optimizer = make_optimizer(eager->parameters()), optimizer = make_optimizer(compiled->parameters());
  const auto eager_step = training_step(eager, eager_optimizer);
  const auto step = compile(training_step(compiled, optimizer));
  const Tensor x = wave({5, 6}), y = tensor({0, 1, 2, 1, 0}, kLong);
  std::string kept;
  for (int i = 0; i < 10; ++i) {
    manual_seed(i);
    const Tensor expected = eager_step(x, y);
    manual_seed(i);
    CHECK(same(step(x, y), expected));
    check_same_nets(compiled, eager);
    if (i == 3) {
      std::ostringstream file;
      save(eager_optimizer, file);
      kept = file.str();
    }
    if (i != 5) continue;
    for (auto* o : {&eager_optimizer, &optimizer}) {
      std::istringstream file(kept);
      load(*o, file);
      o->param_groups()[0].options().set_lr(0.03);
    }
  }
}

}  // namespace

TEST_CASE("parameters may be frozen and thawed between compiled steps") {
  const auto weights = [](auto run) {
    Net net = make_net();
    optim::Adam optimizer(net->parameters(), optim::AdamOptions(0.01));
    const auto step = run(training_step(net, optimizer));
    const Tensor y = tensor({0, 1, 2, 1, 0}, kLong);
    for (int i = 0; i < 12; ++i) {
      net->first->weight.requires_grad_(i / 3 % 2 == 0);
      net->norm->bias.requires_grad_(i < 5 || i > 7);
      manual_seed(i);
      step(wave({5, 6}) + i, y);
    }
    return net;
  };
  Net eager = weights([](auto f) { return f; }), compiled = weights([](auto f) { return compile(f); });
  for (Net net : {eager, compiled})
    for (const Tensor& p : net->parameters()) p.requires_grad_(true);
  check_same_nets(compiled, eager);
}

TEST_CASE("modules may change their mode between calls of compiled functions") {
  Net net = make_net();
  const auto f = [&](Tensor x) { return net->forward(x); };
  const auto compiled = compile(f);
  const auto ahead = aot(f);
  const Tensor x = wave({5, 6});
  for (const bool is_training : {true, false, true, false}) {
    net->train(is_training);
    const Tensor mean = net->norm->running_mean.clone(), var = net->norm->running_var.clone();
    const auto run = [&](const auto& function) {
      net->norm->running_mean.copy_(mean);
      net->norm->running_var.copy_(var);
      manual_seed(3);
      const Tensor y = function(x).detach();
      return std::pair(y, net->norm->running_mean.clone());
    };
    const auto expected = run(f), got = run(compiled), planned = run(ahead);
    CHECK(same(got.first, expected.first));
    CHECK(same(got.second, expected.second));
    CHECK(same(planned.first, expected.first));
    CHECK(same(planned.second, expected.second));
  }
  CHECK(compile_stats(compiled).programs == 2);
}

TEST_CASE("a schedule may cycle the momentum of compiled steps") {
  Net eager = make_net(), compiled = make_net();
  const auto train = [](Net& net, auto run) {
    optim::SGD optimizer(net->parameters(), optim::SGDOptions(0.1).momentum(0.9));
    optim::OneCycleLR schedule(optimizer, optim::OneCycleLROptions(0.2, 8));
    const auto step = run(training_step(net, optimizer));
    for (int i = 0; i < 7; ++i) {
      manual_seed(i);
      step(wave({5, 6}), tensor({0, 1, 2, 1, 0}, kLong));
      schedule.step();
    }
  };
  train(eager, [](auto f) { return f; });
  train(compiled, [](auto f) { return compile(f); });
  check_same_nets(compiled, eager);
}

TEST_CASE("compiled steps go on from an optimizer's state that was loaded") {
  check_loaded([](auto params) { return optim::Adam(params, optim::AdamOptions(0.01)); });
  check_loaded([](auto params) { return optim::SGD(params, optim::SGDOptions(0.05).momentum(0.9)); });
}

TEST_CASE("a step whose old parameters are needed is not taken in place") {
  const auto run = [](auto wrap) {
    const Tensor w = (wave({4}) + 0.5).detach().requires_grad_();
    optim::SGD optimizer({w}, optim::SGDOptions(0.1));
    const auto step = wrap([&](Tensor x) {
      optimizer.zero_grad();
      const Tensor before = w.detach().mul(1), shown = w.detach().slice(0, 0, 2);
      (w * x).square().sum().backward();
      optimizer.step();
      return std::tuple(before + w.detach(), shown + 1, w.detach() * 2);
    });
    std::vector<Tensor> seen;
    for (int i = 0; i < 3; ++i) {
      const auto [a, b, c] = step(wave({4}) + i);
      seen.insert(seen.end(), {a, b, c, w.detach().clone()});
    }
    return seen;
  };
  const auto expected = run([](auto f) { return f; }), got = run([](auto f) { return compile(f); });
  for (size_t i = 0; i < got.size(); ++i) CHECK(same(got[i], expected[i]));
}

TEST_CASE("a gradient that shows a parameter is that of before the step") {
  const auto run = [](auto wrap) {
    const Tensor p = (wave({4}) + 0.5).detach().requires_grad_(), q = (wave({4}) + 2).detach().requires_grad_();
    optim::SGD optimizer({p, q}, optim::SGDOptions(0.1));
    const auto step = wrap([&](Tensor x) {
      p.mutable_grad() = x * 2;
      q.mutable_grad() = p.detach() * 1;
      optimizer.step();
      optimizer.zero_grad();
      return x + 1;
    });
    std::vector<Tensor> seen;
    for (int i = 0; i < 3; ++i) {
      seen.push_back(step(wave({4}) + i));
      seen.insert(seen.end(), {p.detach().clone(), q.detach().clone()});
      CHECK((!p.grad().defined() && !q.grad().defined()));
    }
    return seen;
  };
  const auto expected = run([](auto f) { return f; }), got = run([](auto f) { return compile(f); });
  for (size_t i = 0; i < got.size(); ++i) CHECK(same(got[i], expected[i]));
}

TEST_CASE("errors inside leave gradients and parameters as they were") {
  const Tensor w = wave({3}).requires_grad_();
  w.mutable_grad() = ones({3});
  const auto f = compile([&](Tensor x) {
    (w * x).sum().backward();
    {
      const NoGradGuard no_grad;
      w.add_(1);
    }
    return x.item<float>() > 0 ? x : -x;
  });
  CHECK(error_of([&] { f(ones({3})); }) != "no error");
  CHECK(same(w.detach(), wave({3})));
  CHECK(same(w.grad(), ones({3})));
  CHECK((w.requires_grad() && w.is_leaf()));
  const auto g = compile([&](Tensor x) { return w.add_(x); });
  CHECK(error_of([&] { g(ones({3})); }).find("a leaf Variable that requires grad") != std::string::npos);
  const auto clipped = compile([&](Tensor x) {
    (w * x).sum().backward();
    nn::utils::clip_grad_norm_({w}, 0.5);
  });
  CHECK(error_of([&] { clipped(ones({3})); }).find("use clip_grads_with_norm_") != std::string::npos);
}

}  // namespace strata
