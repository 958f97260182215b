// The code that docs/start.md, docs/from_pytorch.md and docs/from_jax.md show, as it stands there.
#include <strata/strata.h>

#include "test/catch.h"

namespace strata {
namespace {

struct NetImpl : nn::Module {
  NetImpl(int64_t in, int64_t out)
      : hidden(register_module("hidden", nn::Linear(in, 64))), output(register_module("output", nn::Linear(64, out))) {
    scale = register_parameter("scale", ones({out}));
  }
  Tensor forward(const Tensor& x) { return output(relu(hidden(x))) * scale; }

  nn::Linear hidden, output;
  Tensor scale;
};
STRATA_MODULE(Net);  // Net holds a NetImpl; copies of a Net are the same module

TEST_CASE("docs/from_pytorch.md: a step of training lowers the loss") {
  manual_seed(0);
  Net net(8, 3);
  optim::AdamW optimizer(net->parameters(), optim::AdamWOptions(1e-3).weight_decay(0.01));
  const Tensor x = randn({32, 8}), target = randint(3, {32}, kLong);
  optimizer.zero_grad();
  const Tensor loss = nn::functional::cross_entropy(net(x), target);
  loss.backward();
  nn::utils::clip_grad_norm_(net->parameters(), 1.0);
  optimizer.step();
  CHECK(nn::functional::cross_entropy(net(x), target).item<double>() < loss.item<double>());
  CHECK(net->parameters().size() == 5);
}

struct Params {
  Tensor w, b;
  auto fields() { return std::tie(w, b); }
};

TEST_CASE("docs/from_jax.md: gradients of a struct, per example, as a program and compiled") {
  const auto predict = [](const Params& p, const Tensor& x) { return tanh(matmul(x, p.w) + p.b); };
  const auto loss = [&](const Params& p, const Tensor& x, const Tensor& y) {
    return (predict(p, x) - y).square().mean();
  };

  const Tensor keys = random::split(random::key(0), 3);
  Params params = {random::normal(keys[0], {3, 2}), zeros({2})};
  const Tensor x = random::normal(keys[1], {16, 3}), y = random::uniform(keys[2], {16, 2});
  const double before = loss(params, x, y).item<double>();
  for (int step = 0; step < 20; ++step) {
    const Params gradients = grad(loss)(params, x, y);
    params = tree::map([](const Tensor& p, const Tensor& g) { return p - 0.1 * g; }, params, gradients);
  }
  CHECK(loss(params, x, y).item<double>() < before);

  const auto each = vmap(grad(loss), {.in_dims = {nullopt, 0, 0}})(params, x, y);  // each.w: (16, 3, 2)
  const auto program = trace(grad(loss))(params, x, y);                            // print it with <<
  const auto fast = compile(grad(loss));                                           // the same bits

  const Params whole = grad(loss)(params, x, y);
  CHECK(each.w.mean(0).allclose(whole.w, 1e-5, 1e-6));
  CHECK(fast(params, x, y).w.equal(whole.w));
  CHECK(program(params, x, y).w.equal(whole.w));
}

}  // namespace
}  // namespace strata
