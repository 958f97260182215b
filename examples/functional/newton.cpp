// Second-order steps without matrices: Newton by Hessian-vector products, Gauss-Newton by jvp and vjp.
#include <fmt/format.h>
#include <strata/strata.h>

#include <tuple>

#include "common/program.h"

using namespace strata;
using namespace strata::examples;

namespace {

/// Solves a(x) = b for a linear map a that is symmetric and positive definite, by conjugate gradients.
template <class Map>
Tensor solve(const Map& a, const Tensor& b) {
  Tensor x = zeros_like(b), residual = b, direction = b, square = dot(b, b);
  const Tensor small = 1e-20 * square;
  for (int64_t i = 0; i < 2 * b.numel() && (square > small).item<bool>(); ++i) {
    const Tensor image = a(direction), step = square / dot(direction, image);
    x = x + step * direction;
    residual = residual - step * image;
    const Tensor next = dot(residual, residual);
    direction = residual + next / square * direction;
    square = next;
  }
  return x;
}

/// Logistic regression: labels of 0 and 1 for the rows of `x`, with a little weight decay.
struct Logistic {
  Tensor x, labels;
  Tensor operator()(const Tensor& weights) const {
    return binary_cross_entropy_with_logits(mv(x, weights), labels) + 1e-3 * dot(weights, weights);
  }
};

Logistic make_logistic(const Tensor& key, int64_t samples, int64_t features) {
  const Tensor keys = random::split(key, 3);
  const Tensor x = random::normal(keys[0], {samples, features}, kDouble);
  const Tensor chance = sigmoid(mv(x, random::normal(keys[1], {features}, kDouble)));
  return {x, random::bernoulli(keys[2], chance).to(kDouble)};
}

/// Prints a step of the method that `norms` is named after, and keeps the gradient's norm there.
void record(train::Series& norms, const Tensor& loss, const Tensor& gradient) {
  norms.y.push_back(gradient.norm().item<double>());
  fmt::print("{:12}  step {:2}  loss {:14.10f}  gradient {:.2e}\n", norms.name, norms.y.size() - 1, loss.item<double>(),
             norms.y.back());
}

/// Logistic regression by Newton's method; returns the gradients' norms.
train::Series newton(const Logistic& loss, int64_t steps) {
  train::Series norms = {"Newton", {}};
  Tensor weights = zeros({loss.x.size(1)}, kDouble);
  for (int64_t step = 0; step <= steps; ++step) {
    const auto [value, gradient] = value_and_grad(loss)(weights);
    record(norms, value, gradient);
    weights = weights - solve([&](const Tensor& v) { return hvp(loss, weights, v); }, gradient);
  }
  return norms;
}

/// A damped oscillation.
struct Wave {
  Tensor amplitude, decay, frequency, phase;
  auto fields() { return std::tie(amplitude, decay, frequency, phase); }

  Tensor at(const Tensor& time) const { return amplitude * exp(-decay * time) * cos(frequency * time + phase); }
};

Wave make_wave(double amplitude, double decay, double frequency, double phase) {
  const auto number = [](double value) { return scalar_tensor(value, kDouble); };
  return {number(amplitude), number(decay), number(frequency), number(phase)};
}

/// Fits a damped oscillation to noisy data, from a rough guess; returns the gradients' norms, and data and fit.
std::pair<train::Series, train::Curves> gauss_newton(const Tensor& key, int64_t samples, int64_t steps) {
  train::Series norms = {"Gauss-Newton", {}};
  const Tensor time = linspace(0, 10, samples, kDouble);
  const Tensor data = make_wave(2, 0.3, 3, 0.5).at(time) + 0.01 * random::normal(key, {samples}, kDouble);
  auto [x, unravel] = tree::ravel(make_wave(1, 0.1, 2.8, 0));
  const auto residuals = [&](const Tensor& v) { return unravel(v).at(time) - data; };
  for (int64_t step = 0; step <= steps; ++step) {
    const auto [r, pull] = vjp(residuals, x);
    const Tensor gradient = pull(r);
    record(norms, 0.5 * dot(r, r), gradient);
    const auto normal_matrix = [&](const Tensor& v) { return pull(jvp(residuals, x, v).second); };
    x = x - solve(normal_matrix, gradient);
  }
  const Wave w = unravel(x);
  fmt::print("amplitude {:.3f}, decay {:.3f}, frequency {:.3f}, phase {:.3f}\n", w.amplitude.item<double>(),
             w.decay.item<double>(), w.frequency.item<double>(), w.phase.item<double>());
  using train::to_vector;
  const std::vector<train::Series> lines = {{"data", to_vector(data)}, {"fit", to_vector(w.at(time))}};
  return {norms, {"A damped oscillation by Gauss-Newton", "time", "", to_vector(time), lines}};
}

struct Options {
  int64_t samples = 2000, features = 50, steps = 8, seed = 0;
  std::string plot = "newton.svg";
};

void run(const Options& o) {
  const Tensor keys = random::split(random::key(o.seed));
  const train::Series first = newton(make_logistic(keys[0], o.samples, o.features), o.steps);
  const auto [second, wave] = gauss_newton(keys[1], o.samples, o.steps);
  save_plot(o.plot, "Steps of second order",
            {train::Curves{"Gradient", "step", "norm", train::counted(0, o.steps), {first, second}, true}, wave});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("Newton steps with conjugate gradients on Hessian-vector products, and Gauss-Newton steps.");
  program.option("--samples", o.samples, "Samples to fit");
  program.option("--features", o.features, "Weights of the logistic regression");
  program.option("--steps", o.steps, "Steps of each method");
  program.option("--seed", o.seed, "Start of the random numbers");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
