// A physics-informed network: it solves u'' = -pi^2 sin(pi x) by making its own second derivative equal the right side.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "common/program.h"
#include "functional/mlp.h"
#include "functional/update.h"

using namespace strata;
using namespace strata::examples;
using namespace strata::train;

namespace {

constexpr double kPi = std::numbers::pi;

Tensor exact(const Tensor& x) { return sin(kPi * x); }

/// The network as a function of one number; the factor makes it 0 at both ends, x = -1 and x = 1.
Tensor solution(const Mlp& params, const Tensor& x) {
  return (1 - x * x) * apply_mlp(params, x.reshape({1}), tanh).squeeze(0);
}

/// u'' + pi^2 sin(pi x), which is 0 for the exact solution.
Tensor residual(const Mlp& params, const Tensor& x) {
  const auto u = [&](const Tensor& at) { return solution(params, at); };
  return grad(grad(u))(x) + kPi * kPi * sin(kPi * x);
}

const auto solution_at = vmap(solution, {.in_dims = {nullopt, 0}});
const auto residual_at = vmap(residual, {.in_dims = {nullopt, 0}});

Tensor loss(const Mlp& params, const Tensor& points) { return residual_at(params, points).square().mean(); }

struct Options {
  int64_t steps = 5000, points = 64, seed = 0;
  std::string plot = "pinn.svg";
};

void run(const Options& o) {
  const Tensor points = linspace(-1, 1, o.points), grid = linspace(-1, 1, 201);
  const Mlp params = init_mlp(random::key(o.seed), {1, 32, 32, 1});
  const auto error = [&] { return (solution_at(params, grid) - exact(grid)).abs().max().item<double>(); };

  const int64_t print_every = std::max<int64_t>(1, o.steps / 4);
  optim::Adam optimizer(tree::leaves(params), optim::AdamOptions(5e-3));
  optim::StepLR schedule(optimizer, static_cast<unsigned>(print_every), 0.3);
  Progress progress(o.steps, "steps");
  for (int64_t step = 0; step <= o.steps; ++step) {
    const auto [value, gradients] = value_and_grad(loss)(params, points);
    progress.update(step, "training", {{"loss", value}});
    if (step % print_every == 0)
      progress.print_line(
          fmt::format("step {:5}  residual {:.2e}  error {:.2e}", step, value.sqrt().item<double>(), error()));
    update(optimizer, gradients);
    schedule.step();
  }
  const Series network = {"network", to_vector(solution_at(params, grid))}, sine = {"exact", to_vector(exact(grid))};
  const Series residual = {"residual", to_vector(residual_at(params, grid))};
  save_plot(o.plot, "u'' = -pi^2 sin(pi x) by a network",
            {Curves{"Solution", "x", "u", to_vector(grid), {network, sine}},
             Curves{"Residual", "x", "u'' + pi^2 sin(pi x)", to_vector(grid), {residual}}});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("A physics-informed network for u'' = -pi^2 sin(pi x), u(-1) = u(1) = 0, by vmap(grad(grad(u))).");
  program.option("--steps", o.steps, "Steps of Adam");
  program.option("--points", o.points, "Points where the equation has to hold");
  program.plot_option(o.plot);
  program.option("--seed", o.seed, "Start of the random numbers");
  return program.run(argc, argv, [&] { run(o); });
}
