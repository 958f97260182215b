// Functional transforms: what an op costs under each level, Jacobians and Hessians, gradients of a network. Rows of
// the same names are in benchmarks/transforms.py, for torch.func and JAX.
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

/// The row measures `f(x...)`, divided by the number of ops in it.
template <class F, class... X>
void add(const std::string& name, int64_t ops, F f, X... x) {
  row(
      name, 1, [=] { benchmark::DoNotOptimize(f(x...)); }, ops);
}

template <class Step>
void chain_rows(const std::string& op, Step step) {
  const auto f = chain(step), loss = chain_sum(step);
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

/// Cross-entropy of one sample.
Tensor mlp_loss(const Params& p, const Tensor& x, const Tensor& y) {
  const Tensor h = relu(linear(relu(linear(x, p[0], p[1])), p[2], p[3]));
  return nn::functional::cross_entropy(linear(h, p[4], p[5]), y);
}

/// One step of gradient descent on the mean over a batch, as a function of the parameters.
Params mlp_step(const Params& p, const Tensor& x, const Tensor& y) {
  const auto mean_loss = [&](const Params& q) { return vmap(mlp_loss, {.in_dims = {nullopt, 0, 0}})(q, x, y).mean(); };
  return tree::map([](const Tensor& t, const Tensor& g) { return t - 0.01 * g; }, p, grad(mean_loss)(p));
}

void mlp_rows() {
  const auto weight = [](int64_t out, int64_t in) { return 0.05 * randn({out, in}); };
  const Params params = {weight(512, 784), zeros({512}), weight(512, 512), zeros({512}), weight(10, 512), zeros({10})};
  const Tensor x = randn({128, 784}), y = randint(10, {128}, kLong);
  const auto gradients = vmap(grad(mlp_loss), {.in_dims = {nullopt, 0, 0}});
  row("per-sample gradients, MLP 784-512-512-10, batch 128", 2,
      [=] { benchmark::DoNotOptimize(gradients(params, x, y)); });
  row("training step on vmap(loss), MLP 784-512-512-10, batch 128", 2,
      [=] { benchmark::DoNotOptimize(mlp_step(params, x, y)); });
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
  return run_rows(argc, argv);
}
