// Functional optimizers: the same steps as the classes', pure, and inside of grad, jvp and vmap.
#include <strata/strata.h>

#include <map>

#include "test/catch.h"

using namespace strata;
namespace fo = strata::optim::functional;
using namespace strata::optim;

namespace {

struct Layer {
  Tensor weight, bias;
  auto fields() { return std::tie(weight, bias); }
};
using Params = std::pair<Layer, std::map<std::string, Tensor>>;

Params start_of_trees() {
  return {{linspace(-1, 1, 6, kDouble).reshape({2, 3}), linspace(0.5, 1, 3, kDouble)},
          {{"scale", full({}, 0.7, kDouble)}}};
}
Tensor sine_gradient(const Tensor& w, int t) { return w.sin() + w * (0.1 * t); }

template <class Optimizer, class Options, class Functional>
void compare(Options options, const Functional& functional) {
  Params params = start_of_trees();
  std::vector<Tensor> others;
  for (const Tensor& t : tree::leaves(start_of_trees())) others.push_back(t.clone().requires_grad_());
  Optimizer optimizer(others, options);
  auto state = functional.init(params);
  for (int t = 1; t <= 20; ++t) {
    for (const Tensor& w : others) w.mutable_grad() = sine_gradient(w.detach(), t);
    optimizer.step();
    const Params grads = tree::map([&](const Tensor& w) { return sine_gradient(w, t); }, params);
    const Params before = tree::map([](const Tensor& w) { return w.clone(); }, params);
    const auto [updates, next] = functional.update(grads, state, params);
    for (size_t i = 0; i < others.size(); ++i) CHECK(tree::leaves(params)[i].equal(tree::leaves(before)[i]));  // pure
    params = fo::apply_updates(params, updates);
    state = next;
  }
  for (size_t i = 0; i < others.size(); ++i) CHECK(tree::leaves(params)[i].allclose(others[i].detach(), 1e-10, 1e-10));
}

}  // namespace

TEST_CASE("functional optimizers step as the classes do") {
  compare<SGD>(SGDOptions(0.1), fo::sgd(0.1));
  compare<SGD>(SGDOptions(0.1).momentum(0.9).nesterov(true).weight_decay(0.1), fo::sgd(0.1, 0.9, true, 0.1));
  compare<Adam>(AdamOptions(0.05).betas({0.8, 0.95}), fo::adam(0.05, 0.8, 0.95));
  compare<AdamW>(AdamWOptions(0.05), fo::adamw(0.05));
  compare<RMSprop>(RMSpropOptions(0.05).momentum(0.5), fo::rmsprop(0.05, 0.99, 1e-8, 0.5));
  compare<Adagrad>(AdagradOptions(0.05).initial_accumulator_value(0.1), fo::adagrad(0.05, 0.1));
  compare<Lion>(LionOptions(0.05).weight_decay(0.1), fo::lion(0.05, 0.9, 0.99, 0.1));
  compare<LAMB>(LAMBOptions(0.05).weight_decay(0.1), fo::lamb(0.05, 0.9, 0.999, 1e-6, 0.1));
}

TEST_CASE("rates may be schedules, and gradients are clipped") {
  const auto halving = fo::sgd([](const Tensor& count) { return pow(0.5, count); });
  Tensor w = full({}, 1.0, kDouble);
  auto state = halving.init(w);
  for (int i = 0; i < 3; ++i) {
    const auto [updates, next] = halving.update(full({}, 1.0, kDouble), state, w);
    w = fo::apply_updates(w, updates);
    state = next;
  }
  CHECK(w.item<double>() == Approx(1 - 1 - 0.5 - 0.25));
  const std::vector<Tensor> grads = {full({}, 3.0, kDouble), full({1}, 4.0, kDouble)};
  const auto clip = fo::chain(fo::clip_by_global_norm(1));
  const std::vector<Tensor> clipped = clip.update(grads, clip.init(grads), grads).first;
  CHECK(clipped[0].item<double>() == Approx(0.6));
  CHECK(clipped[1].item<double>() == Approx(0.8));
  const auto elements = fo::clip(3.5);
  CHECK(elements.update(grads, elements.init(grads), grads).first[1].item<double>() == 3.5);
}

namespace {

/// The loss of a fit after three steps, by learning rate and starting point.
template <class MakeOptimizer>
Tensor loss_after_training(const Tensor& lr, const Tensor& w0, MakeOptimizer make_optimizer) {
  const auto loss = [](const Tensor& w) { return ((w - 2) * (w - 2)).sum() + w.cos().sum(); };
  const auto optimizer = make_optimizer(lr);
  Tensor w = w0;
  auto state = optimizer.init(w);
  for (int i = 0; i < 3; ++i) {
    const auto [updates, next] = optimizer.update(grad(loss)(w), state, w);
    w = fo::apply_updates(w, updates);
    state = next;
  }
  return loss(w);
}

}  // namespace

TEST_CASE("training is differentiated by its learning rate, and mapped over seeds") {
  const Tensor w0 = linspace(-1, 1, 4, kDouble), lr = full({}, 0.05, kDouble);
  const auto check = [&](auto make_optimizer) {
    const auto f = [&](const Tensor& rate, const Tensor& w) { return loss_after_training(rate, w, make_optimizer); };
    const auto of_rate = [&](const Tensor& rate) { return f(rate, w0); };
    const double h = 1e-6, slope = (of_rate(lr + h) - of_rate(lr - h)).template item<double>() / (2 * h);
    CHECK(grad(of_rate)(lr).template item<double>() == Approx(slope).epsilon(1e-6));
    const auto [value, tangent] = jvp(of_rate, lr, ones_like(lr));
    CHECK(tangent.template item<double>() == Approx(slope).epsilon(1e-6));
    const Tensor starts = stack({w0, w0 + 1, w0 * 3});
    const Tensor mapped = vmap([&](const Tensor& w) { return f(lr, w); })(starts);
    for (int64_t i = 0; i < 3; ++i) CHECK(mapped[i].allclose(f(lr, starts[i]), 1e-12, 1e-12));
  };
  check([](const Tensor& rate) { return fo::adam(rate); });
  check([](const Tensor& rate) { return fo::sgd(rate, 0.9); });
  check([](const Tensor& rate) { return fo::chain(fo::clip_by_global_norm(2), fo::adamw(rate)); });
}
