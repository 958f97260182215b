// Hamiltonian Monte Carlo (Neal 2011): the posterior of a logistic regression by the gradient of its density, all
// chains at once by vmap.
#include <fmt/format.h>
#include <strata/strata.h>
#include <strata/train/table.h>

#include <cmath>

#include "common/program.h"

using namespace strata;
using namespace strata::examples;

namespace {

struct Options {
  int64_t chains = 16, samples = 500, warmup = 200, leaps = 12, points = 200, seed = 0;
  double step = 0.1;
  std::string plot = "hmc.svg";
};

/// Points `(N, D)`, of which the first column is 1, and their classes `(N,)`, 0 or 1.
struct Points {
  Tensor x, y;
};

/// Classes that these weights give to random points.
Points draw_points(const Tensor& key, const Tensor& weights, int64_t count) {
  const Tensor keys = random::split(key);
  const Tensor x = cat({ones({count, 1}), random::normal(keys[0], {count, weights.size(0) - 1})}, 1);
  return {x, (random::uniform(keys[1], {count}) < mv(x, weights).sigmoid()).to(kFloat)};
}

/// One trajectory from `place`, and whether its end is taken: `(D,)` and a number from 0 to 1.
template <class LogDensity>
std::pair<Tensor, Tensor> move(const LogDensity& log_density, const Tensor& key, const Tensor& place, double step,
                               int64_t leaps) {
  const Tensor keys = random::split(key);
  const auto slope = grad(log_density);
  Tensor q = place, p = random::normal(keys[0], place.sizes());
  const auto energy = [&](const Tensor& at, const Tensor& momentum) {
    return 0.5 * momentum.square().sum() - log_density(at);
  };
  const Tensor before = energy(q, p);
  p = p + 0.5 * step * slope(q);
  for (int64_t leap = 0; leap < leaps; ++leap) {
    q = q + step * p;
    p = p + (leap + 1 < leaps ? 1 : 0.5) * step * slope(q);
  }
  const Tensor chance = (before - energy(q, p)).exp().clamp_max(1);
  return {where(random::uniform(keys[1], {}) < chance, q, place), chance};
}

/// Gelman and Rubin's ratio for samples `(samples, chains, D)`: 1 where the chains have forgotten their starts.
Tensor r_hat(const Tensor& samples) {
  const Tensor within = samples.var(0).mean(0), between = samples.mean(0).var(0);
  return (1 + between / within).sqrt();
}

void run(const Options& o) {
  const Tensor keys = random::split(random::key(o.seed), 3);
  const Tensor truth = tensor({-0.5, 1.0, -2.0, 0.5}, kFloat);
  const Points points = draw_points(keys[0], truth, o.points);
  const auto log_density = [&](const Tensor& w) {  // Bernoulli classes, and a prior of deviation 3
    const Tensor logits = mv(points.x, w);
    return (points.y * logits - nn::functional::softplus(logits)).sum() - w.square().sum() / (2 * 9.0);
  };
  const auto move_all =
      vmap([&](const Tensor& key, const Tensor& place) { return move(log_density, key, place, o.step, o.leaps); });

  Tensor places = 2 * random::normal(keys[1], {o.chains, truth.size(0)});
  std::vector<Tensor> kept;
  double taken = 0;
  train::Progress progress(o.warmup + o.samples, "moves");
  const double seconds = seconds_of([&] {
    for (int64_t i = 0; i < o.warmup + o.samples; ++i) {
      const auto [moved, chance] = move_all(random::split(random::fold_in(keys[2], i), o.chains), places);
      places = moved;
      progress.update(i + 1, i < o.warmup ? "warm-up" : "sampling");
      if (i < o.warmup) continue;
      kept.push_back(places);
      taken += chance.mean().item<double>() / static_cast<double>(o.samples);
    }
  });
  const Tensor samples = stack(kept), mean = samples.mean({0, 1}), deviation = samples.flatten(0, 1).std(0, true);
  const Tensor ratio = r_hat(samples);
  std::vector<train::Row> rows;
  for (int64_t d = 0; d < truth.size(0); ++d)
    rows.push_back({fmt::format("w{}", d), fmt::format("{:.2f}", truth[d].item<double>()),
                    fmt::format("{:.3f}", mean[d].item<double>()), fmt::format("{:.3f}", deviation[d].item<double>()),
                    fmt::format("{:.3f}", ratio[d].item<double>())});
  fmt::print("{}", train::format_table({"weight", "truth", "mean", "deviation", "R hat"}, rows));
  fmt::print("{} chains of {} moves in {}, {:.0f} % taken\n", o.chains, o.warmup + o.samples,
             train::format_duration(seconds), 100 * taken);
  fmt::print("worst R hat {:.4f}, farthest from the truth {:.2f} deviations\n", ratio.max().item<double>(),
             ((mean - truth) / deviation).abs().max().item<double>());
  std::vector<train::Series> traces;
  std::vector<std::pair<std::string, Tensor>> shares;
  for (int64_t d = 0; d < truth.size(0); ++d) {
    traces.push_back({fmt::format("w{}", d), train::to_vector(samples.select(1, 0).select(1, d))});
    shares.emplace_back(traces.back().name, samples.select(2, d).flatten());
  }
  save_plot(o.plot, "Hamiltonian Monte Carlo",
            {train::Curves{"The first chain", "move", "weight", train::counted(1, o.samples), traces},
             train::histogram("All chains", "weight", shares)});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("Draws weights of a logistic regression from their posterior, by vmap over chains of grad.");
  program.option("--chains", o.chains, "chains, each from a start of its own");
  program.option("--samples", o.samples, "moves of each chain that are kept");
  program.option("--warmup", o.warmup, "moves before them");
  program.option("--leaps", o.leaps, "steps of a trajectory");
  program.option("--step", o.step, "length of such a step");
  program.option("--points", o.points, "points that the weights are learned from");
  program.plot_option(o.plot);
  program.option("--seed", o.seed, "start of the random numbers");
  return program.run(argc, argv, [&] { run(o); });
}
