// Per-sample gradients of an MLP in one call, `vmap(grad(loss))`, as differentially private training needs them.
#include <fmt/format.h>

#include <algorithm>

#include "common/program.h"
#include "functional/mlp.h"

using namespace strata;
using namespace strata::examples;
using namespace strata::train;

namespace {

/// Cross-entropy of one sample: x `(784,)` and its class y.
Tensor loss(const Mlp& params, const Tensor& x, const Tensor& y) {
  return cross_entropy(apply_mlp(params, x, relu), y);
}

/// A nest of gradients as one vector.
Tensor to_flat(const Mlp& gradients) { return tree::ravel(gradients).first; }

struct Options {
  int64_t batch = 64, seed = 0;
  std::string plot = "per_sample_gradients.svg";
};

void run(const Options& o) {
  const int64_t batch = o.batch;
  const Tensor keys = random::split(random::key(o.seed), 3);
  const Mlp params = init_mlp(keys[0], {784, 512, 512, 10});
  const Tensor x = random::normal(keys[1], {batch, 784});
  const Tensor y = random::randint(keys[2], {batch}, 0, 10, kLong);

  const auto per_sample_gradients = vmap(grad(loss), {.in_dims = {nullopt, 0, 0}});
  Mlp gradients = per_sample_gradients(params, x, y);  // once before, for memory and compiled matrix products
  const double seconds = seconds_of([&] { gradients = per_sample_gradients(params, x, y); });
  std::vector<Mlp> one_by_one;
  const double loop_seconds = seconds_of([&] {
    for (int64_t i = 0; i < batch; ++i) one_by_one.push_back(grad(loss)(params, x[i], y[i]));
  });

  const Tensor flat = vmap(to_flat)(gradients);  // (B, 669706)
  fmt::print("{} gradients of {} parameters: vmap {:.0f} ms, loop {:.0f} ms\n", batch, format_count(flat.size(1)),
             1e3 * seconds, 1e3 * loop_seconds);
  double difference = 0;
  for (int64_t i = 0; i < batch; ++i)
    difference = std::max(difference, (flat[i] - to_flat(one_by_one[i])).abs().max().item<double>());
  fmt::print("largest difference {:.1e}\n", difference);

  const Tensor norms = flat.norm(2, {1});
  const Tensor factors = clamp(norms.median() / norms, {}, 1), clipped = mv(flat.t(), factors) / batch;
  fmt::print("norms {:.2f} to {:.2f}; each clipped to the median, their mean has {:.2f}\n", norms.min().item<double>(),
             norms.max().item<double>(), clipped.norm().item<double>());
  save_plot(o.plot, "Per-sample gradients",
            {histogram("Norms", "norm", {{"of the gradients", norms}, {"clipped", norms * factors}})});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("Per-sample gradients of a 784-512-512-10 network by vmap(grad(loss)), beside a loop.");
  program.option("--batch", o.batch, "Samples");
  program.option("--seed", o.seed, "Start of the random numbers");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
