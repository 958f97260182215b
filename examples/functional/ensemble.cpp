// Eight classifiers of two moons trained at once by one vmap, and where they disagree.
#include <fmt/format.h>
#include <strata/strata.h>

#include <numbers>

#include "common/program.h"
#include "functional/update.h"

using namespace strata;
using namespace strata::examples;
using namespace strata::train;

namespace {

struct Net : nn::Module {
  nn::Linear first = register_module("first", nn::Linear(2, 32));
  nn::Linear second = register_module("second", nn::Linear(32, 32));
  nn::Linear output = register_module("output", nn::Linear(32, 1));

  Tensor forward(const Tensor& x) { return output(relu(second(relu(first(x))))).squeeze(-1); }
};

struct Moons {
  Tensor points, labels;  // (N, 2), (N,)
};

/// Two half circles that reach into each other, with some noise.
Moons make_moons(const Tensor& key, int64_t count) {
  const Tensor keys = random::split(key, 3);
  const Tensor labels = random::bernoulli(keys[0], 0.5, {count}).to(kFloat);
  const Tensor angle = random::uniform(keys[1], {count}, {.maxval = std::numbers::pi});
  const Tensor upper = stack({angle.cos(), angle.sin()}, 1), lower = stack({1 - angle.cos(), 0.5 - angle.sin()}, 1);
  const Tensor points = where((labels > 0.5).unsqueeze(1), lower, upper);
  return {points + 0.15 * random::normal(keys[2], {count, 2}), labels};
}

/// The plane from (-3, -2.5) to (4, 3) as a picture: the darker, the more the models disagree; the moons in two
/// colours.
template <class Predict>
train::Images draw_map(const Predict& predict_all, const Moons& moons) {
  constexpr int64_t kRows = 111, kColumns = 141;  // 20 pixels for 1
  const Tensor y = linspace(3, -2.5, kRows).unsqueeze(1).expand({kRows, kColumns});
  const Tensor x = linspace(-3, 4, kColumns).expand({kRows, kColumns});
  const Tensor spread = predict_all(stack({x, y}, 2).flatten(0, 1)).std(IntArrayRef{0});
  fmt::print("mean disagreement on the map {:.4f}\n", spread.mean().item<double>());

  const Tensor map = (1 - 2 * spread).clamp_min(0).reshape({1, 1, kRows, kColumns}).repeat({1, 3, 1, 1});
  const Tensor rows = ((3 - moons.points.select(1, 1)) * 20).round().to(kLong);
  const Tensor columns = ((moons.points.select(1, 0) + 3) * 20).round().to(kLong);
  const Tensor colors = stack({moons.labels, zeros_like(moons.labels), 1 - moons.labels});  // red and blue
  map[0].index_put_({indexing::Slice(), rows, columns}, colors);
  return {"Two moons, and where the models disagree (dark)", map, {}};
}

struct Options {
  int64_t models = 8, steps = 300, samples = 200, seed = 0;
  std::string plot = "ensemble.svg";
};

void run(const Options& o) {
  manual_seed(o.seed);
  std::vector<std::shared_ptr<Net>> nets;
  for (int64_t i = 0; i < o.models; ++i) nets.push_back(std::make_shared<Net>());
  const func::StateDict params = stack_module_state(nets).first;
  const Moons moons = make_moons(random::key(o.seed), o.samples);

  const auto predict = [&](const func::StateDict& p, const Tensor& x) { return functional_call(*nets[0], p, x); };
  const auto loss = [&](const func::StateDict& p, const Tensor& x, const Tensor& labels) {
    return binary_cross_entropy_with_logits(predict(p, x), labels);
  };
  const auto gradients = vmap(grad(loss), {.in_dims = {0, nullopt, nullopt}});
  const auto predict_all = [&](const Tensor& x) {  // (models, N)
    return sigmoid(vmap(predict, {.in_dims = {0, nullopt}})(params, x));
  };

  optim::Adam optimizer(tree::leaves(params), optim::AdamOptions(1e-2));
  Progress progress(o.steps, "steps");
  for (int64_t step = 1; step <= o.steps; ++step) {
    update(optimizer, gradients(params, moons.points, moons.labels));
    progress.update(step, "training");
  }
  progress.print_line(fmt::format("{} models, {} steps in {}", o.models, o.steps, format_duration(progress.seconds())));

  const Moons others = make_moons(random::key(o.seed + 1), 1000);
  const auto accuracy = [&](const Tensor& p) {
    return ((p > 0.5).to(kFloat) == others.labels).to(kFloat).mean().item<double>();
  };
  const Tensor chances = predict_all(others.points);
  fmt::print("accuracy on 1000 other points: first model {:.4f}, ensemble {:.4f}\n", accuracy(chances[0]),
             accuracy(chances.mean(0)));

  fmt::print("mean disagreement (deviation of the models) at these points {:.4f}\n",
             chances.std(IntArrayRef{0}).mean().item<double>());
  save_plot(o.plot, "An ensemble", {draw_map(predict_all, moons)});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("An ensemble of classifiers in one vmap over stack_module_state, and a map of its disagreement.");
  program.option("--models", o.models, "Members of the ensemble");
  program.option("--steps", o.steps, "Steps of Adam");
  program.option("--samples", o.samples, "Points to learn from");
  program.option("--seed", o.seed, "Start of the random numbers");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
