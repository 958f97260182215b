// Functional transforms and compiled functions: what an op costs under each level, Jacobians and Hessians, gradients of
// a network, chains over memory. Each row has a twin that runs compiled; rows of the same names are in
// benchmarks/transforms.py, for torch.func and JAX.
#include "../rows.h"

using namespace strata;

namespace {

constexpr int kOps = 100;

/// `chain(step)(v)` is kOps steps of four floats, `chain_sum(step)(v)` their sum.
template <class Step>
auto chain(Step step) {
  return [step](const Tensor& v) {
    Tensor z = v;
    for (int i = 0; i < kOps; ++i) z = step(z, v);
    return z;
  };
}
template <class Step>
auto chain_sum(Step step) {
  return [f = chain(step)](const Tensor& v) { return f(v).sum(); };
}

/// Powers of these stay normal numbers.
Tensor near_one(IntArrayRef sizes) { return 0.99 + 0.02 * rand(sizes); }

/// The row measures `f(x...)`, divided by the number of ops in it; that of its name and ", compiled" the same compiled.
template <class F, class... X>
void add_on(int threads, const std::string& name, int64_t ops, F f, X... x) {
  row(
      name, threads, [=] { benchmark::DoNotOptimize(f(x...)); }, ops);
  row(
      name + ", compiled", threads, [=, compiled = compile(f)] { benchmark::DoNotOptimize(compiled(x...)); }, ops);
}
template <class F, class... X>
void add(const std::string& name, int64_t ops, F f, X... x) {
  add_on(1, name, ops, std::move(f), std::move(x)...);
}

template <class Step>
void chain_rows(const std::string& op, Step step) {
  const auto f = chain(step);
  const auto loss = chain_sum(step);
  const auto forward = [f](const Tensor& v) { return vjp(f, v).first; };
  const Tensor x = near_one({4}), batch = near_one({4, 4});
  add(op + ", no transform", kOps, f, x);
  add(op + ", vmap", kOps, vmap(f), batch);
  add(op + ", grad, forward", kOps, forward, x);
  add(op + ", grad, forward + backward", kOps, grad(loss), x);
  add(op + ", vmap(grad), forward", kOps, vmap(forward), batch);
  add(op + ", vmap(grad), forward + backward", kOps, vmap(grad(loss)), batch);
  add(
      op + ", jvp", kOps, [f](const Tensor& v) { return jvp(f, v, v); }, x);
}

void jacobian_rows() {
  const Tensor w1 = 0.1 * randn({64, 64}), b1 = randn({64}), w2 = 0.1 * randn({16, 64}), b2 = randn({16});
  const auto net = [=](const Tensor& v) { return linear(tanh(linear(v, w1, b1)), w2, b2); };
  const auto loss = [net](const Tensor& v) { return net(v).square().sum(); };
  const Tensor x = randn({64});
  add("jacrev, 64 -> 64 tanh -> 16", 1, jacrev(net), x);
  add("jacfwd, 64 -> 64 tanh -> 16", 1, jacfwd(net), x);
  add("hessian of its sum of squares, 64 inputs", 1, hessian(loss), x);
}

using Params = std::vector<Tensor>;

/// Cross-entropy of one sample, or its mean over a batch.
Tensor mlp_loss(const Params& p, const Tensor& x, const Tensor& y) {
  const Tensor h = relu(linear(relu(linear(x, p[0], p[1])), p[2], p[3]));
  return nn::functional::cross_entropy(linear(h, p[4], p[5]), y);
}

/// One step of gradient descent on the mean over a batch, as a function of the parameters.
Params mlp_step(const Params& p, const Tensor& x, const Tensor& y) {
  const auto mean_loss = [&](const Params& q) { return vmap(mlp_loss, {.in_dims = {nullopt, 0, 0}})(q, x, y).mean(); };
  return tree::map([](const Tensor& t, const Tensor& g) { return t - 0.01 * g; }, p, grad(mean_loss)(p));
}

/// The same on a loss of the whole batch.
Params batch_step(const Params& p, const Tensor& x, const Tensor& y) {
  return tree::map([](const Tensor& t, const Tensor& g) { return t - 0.01 * g; }, p,
                   grad([&](const Params& q) { return mlp_loss(q, x, y); })(p));
}

void mlp_rows() {
  const auto weight = [](int64_t out, int64_t in) { return 0.05 * randn({out, in}); };
  const Params params = {weight(512, 784), zeros({512}), weight(512, 512), zeros({512}), weight(10, 512), zeros({10})};
  const Tensor x = randn({128, 784}), y = randint(10, {128}, kLong);
  const auto gradients = vmap(grad(mlp_loss), {.in_dims = {nullopt, 0, 0}});
  add_on(2, "per-sample gradients, MLP 784-512-512-10, batch 128", 1, gradients, params, x, y);
  add_on(2, "training step on vmap(loss), MLP 784-512-512-10, batch 128", 1, mlp_step, params, x, y);
  add_on(2, "training step, MLP 784-512-512-10, batch 128", 1, batch_step, params, x, y);
  row("training step, MLP 784-512-512-10, batch 128, first call compiled", 2,
      [=] { benchmark::DoNotOptimize(compile(batch_step)(params, x, y)); });
}

/// A regression's step, small enough that calls are all it costs.
Params small_step(const Params& p, const Tensor& x, const Tensor& y) {
  const auto loss = [&](const Params& q) {
    return (linear(tanh(linear(x, q[0], q[1])), q[2], q[3]) - y).square().mean();
  };
  return tree::map([](const Tensor& t, const Tensor& g) { return t - 0.01 * g; }, p, grad(loss)(p));
}

/// The same as people write it with modules: `backward()` and an optimizer that changes what it was given.
template <class Optimizer>
void optimizer_row(const std::string& optimizer_name) {
  nn::Sequential net(nn::Linear(8, 16), nn::Tanh(), nn::Linear(16, 1));
  const auto optimizer = std::make_shared<Optimizer>(net->parameters(), 1e-3);
  const auto step = [net = net.ptr(), optimizer](const Tensor& x, const Tensor& y) {
    optimizer->zero_grad();
    const Tensor loss = (net->forward(x) - y).square().mean();
    loss.backward();
    optimizer->step();
    return loss;
  };
  add("training step by backward() and " + optimizer_name + ", MLP 8-16-1, batch 4", 1, step, randn({4, 8}),
      randn({4, 1}));
}

void small_rows() {
  add(
      "x + 1 on 8 floats", 1, [](const Tensor& x) { return x + 1; }, rand({8}));
  add("training step, MLP 8-16-1, batch 4", 1, small_step,
      Params{randn({16, 8}), randn({16}), randn({1, 16}), randn({1})}, randn({4, 8}), randn({4, 1}));
  optimizer_row<optim::SGD>("SGD");
  optimizer_row<optim::Adam>("Adam");
}

/// A recurrent net over many steps, beside one of them alone; and what the first call costs for few steps and for many.
void scan_rows() {
  const auto step = [](const Tensor& w, const Tensor& h, const Tensor& x) {
    const Tensor next = tanh(matmul(w, h) + x);
    return std::pair(next, next.sum());
  };
  const auto loop = [step](const Tensor& w, const Tensor& h, const Tensor& xs) {
    return scan([&](const Tensor& c, const Tensor& x) { return step(w, c, x); }, h, xs);
  };
  const auto loss = [loop](const Tensor& w, const Tensor& h, const Tensor& xs) { return loop(w, h, xs).second.sum(); };
  const Tensor w = 0.1 * randn({32, 32}), h = randn({32}), xs = randn({10000, 32});
  add("one step of tanh(w h + x), 32 floats", 1, step, w, h, randn({32}));
  add("scan of 10,000 such steps, a step", 10000, loop, w, h, xs);
  add("its gradient, a step", 10000, grad(loss), w, h, xs);
  for (const int64_t steps : {10, 10000})
    row("scan of " + std::to_string(steps) + " such steps, first call compiled", 1,
        [=, few = xs.slice(0, 0, steps)] { benchmark::DoNotOptimize(compile(loop)(w, h, few)); });
}

/// What moves through memory: each row beside `a + b`, which reads two tensors and writes one.
void memory_rows(int threads) {
  const Tensor a = randn({1 << 24}), b = randn({1 << 24}), rows = randn({4096, 1024});
  const auto chain = [](const Tensor& x, const Tensor& y) { return (x * y + x).relu().sum(); };
  const auto softmax_by_hand = [](const Tensor& x) {
    const Tensor e = (x - x.amax(1, true)).exp();
    return e / e.sum(1, true);
  };
  add_on(
      threads, "a + b, 16M floats", 1, [](const Tensor& x, const Tensor& y) { return x + y; }, a, b);
  add_on(
      threads, "gelu(a + b), 16M floats", 1, [](const Tensor& x, const Tensor& y) { return gelu(x + y); }, a, b);
  add_on(threads, "(a * b + a).relu().sum(), 16M floats", 1, chain, a, b);
  add_on(threads, "softmax by hand, 4096x1024", 1, softmax_by_hand, rows);
}

}  // namespace

int main(int argc, char** argv) {
  manual_seed(0);
  const Tensor constant = near_one({4});
  chain_rows("x * x", [](const Tensor& z, const Tensor& v) { return z * v; });
  chain_rows("x * constant", [constant](const Tensor& z, const Tensor&) { return z * constant; });
  chain_rows("sin", [](const Tensor& z, const Tensor&) { return sin(z); });
  jacobian_rows();
  mlp_rows();
  small_rows();
  scan_rows();
  for (int threads : {1, 2}) memory_rows(threads);
  return run_rows(argc, argv);
}
