// MAML: parameters from which one gradient step on a few points fits a new sine, by the gradient through that step.
#include <fmt/format.h>

#include <numbers>

#include "common/program.h"
#include "functional/mlp.h"
#include "functional/update.h"

using namespace strata;
using namespace strata::examples;
using namespace strata::train;

namespace {

/// A sine of its own amplitude and phase: points to learn from, others to be right at.
struct Task {
  Tensor x, y, new_x, new_y;
  auto fields() { return std::tie(x, y, new_x, new_y); }
};

Task sample_task(const Tensor& key) {
  const Tensor keys = random::split(key, 4);
  const Tensor amplitude = random::uniform(keys[0], {}, {.minval = 0.1, .maxval = 5});
  const Tensor phase = random::uniform(keys[1], {}, {.maxval = std::numbers::pi});
  const auto sine = [&](const Tensor& x) { return amplitude * sin(x + phase); };
  const Tensor x = random::uniform(keys[2], {10, 1}, {.minval = -5, .maxval = 5});
  const Tensor new_x = random::uniform(keys[3], {10, 1}, {.minval = -5, .maxval = 5});
  return {x, sine(x), new_x, sine(new_x)};
}

Tensor loss(const Mlp& params, const Tensor& x, const Tensor& y) {
  return (apply_mlp(params, x, relu) - y).square().mean();
}

/// The parameters after one step on the points of a task.
Mlp adapt(const Mlp& params, const Tensor& x, const Tensor& y) {
  constexpr double kStep = 0.01;
  return tree::map([](const Tensor& p, const Tensor& g) { return p - kStep * g; }, params, grad(loss)(params, x, y));
}

Tensor adapted_loss(const Mlp& params, const Task& task) {
  return loss(adapt(params, task.x, task.y), task.new_x, task.new_y);
}

/// What is learned: the mean over many tasks.
Tensor meta_loss(const Mlp& params, const Task& tasks) {
  return vmap(adapted_loss, {.in_dims = {nullopt, 0}})(params, tasks).mean();
}

Task sample_tasks(const Tensor& key, int64_t count) { return vmap(sample_task)(random::split(key, count)); }

struct Options {
  int64_t steps = 3000, tasks = 25, seed = 0;
  std::string plot = "maml.svg";
};

void plot(const std::string& path, const Mlp& params) {
  const Tensor grid = linspace(-5, 5, 101).unsqueeze(1), x = linspace(-4.5, 4.5, 10).unsqueeze(1);
  const auto sine = [](const Tensor& at) { return 4 * sin(at + 1); };
  const auto fit = [&](const Mlp& p) { return to_vector(apply_mlp(p, grid, relu)); };
  const Mlp once = adapt(params, x, sine(x)), twice = adapt(once, x, sine(x));
  const std::vector<Series> curves = {
      {"sine", to_vector(sine(grid))}, {"before", fit(params)}, {"1 step", fit(once)}, {"2 steps", fit(twice)}};
  save_plot(path, "MAML on ten points of a new sine", {Curves{"Regression", "x", "y", to_vector(grid), curves}});
}

void run(const Options& o) {
  const Tensor keys = random::split(random::key(o.seed), 3);
  const Mlp params = init_mlp(keys[0], {1, 40, 40, 1});
  const Task tests = sample_tasks(keys[1], 1000);
  optim::Adam optimizer(tree::leaves(params), optim::AdamOptions(3e-3));
  Progress progress(o.steps, "steps");
  for (int64_t step = 0; step < o.steps; ++step) {
    const Task tasks = sample_tasks(random::fold_in(keys[2], step), o.tasks);
    const auto [value, gradients] = value_and_grad(meta_loss)(params, tasks);
    update(optimizer, gradients);
    progress.advance(1, "learning to learn", {{"loss", value}});
  }
  progress.print_line(fmt::format("{} steps of {} tasks in {}", o.steps, o.tasks, format_duration(progress.seconds())));
  fmt::print("squared error on 1000 new sines: after one step {:.3f}, without the step {:.3f}\n",
             meta_loss(params, tests).item<double>(), loss(params, tests.new_x, tests.new_y).item<double>());
  plot(o.plot, params);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("Model-agnostic meta-learning on sines: grad through grad, vmap over tasks.");
  program.option("--steps", o.steps, "Steps of Adam");
  program.option("--tasks", o.tasks, "Tasks per step");
  program.plot_option(o.plot);
  program.option("--seed", o.seed, "Start of the random numbers");
  return program.run(argc, argv, [&] { run(o); });
}
