// A cannon that learns to aim: the gradient of where the ball lands goes back through every step of its flight.
#include <fmt/format.h>
#include <strata/strata.h>

#include "common/program.h"

using namespace strata;
using namespace strata::examples;
using namespace strata::train;

namespace {

constexpr double kStep = 0.02;     // seconds
constexpr double kGravity = 9.81;  // m/s^2
constexpr double kDrag = 0.005;    // 1/m

using Path = std::vector<Tensor>;  // of positions (x, y)

/// The flight from (0, 0) until the ball is below the ground: as many steps as it takes, each of them differentiable.
Path fly(Tensor velocity) {
  const Tensor gravity = tensor({0.0, -kGravity}, kDouble);
  Path path = {zeros({2}, kDouble)};
  do {
    velocity = velocity + kStep * (gravity - kDrag * velocity.norm() * velocity);
    path.push_back(path.back() + kStep * velocity);
  } while (path.back()[1].item<double>() > 0);
  return path;
}

/// Where the last step crosses the ground.
Tensor landing(const Tensor& velocity) {
  const Path path = fly(velocity);
  const Tensor above = path[path.size() - 2], below = path.back();
  return above[0] + (below[0] - above[0]) * above[1] / (above[1] - below[1]);
}

Curves plot(const std::string& title, const Path& path) {
  const Tensor points = stack(path);
  const Series ball = {"ball", to_vector(points.select(1, 1))};
  return {title, "distance, m", "height, m", to_vector(points.select(1, 0)), {ball}};
}

/// The gradient of the landing by central differences.
Tensor slope_by_differences(const Tensor& velocity) {
  constexpr double kSmall = 1e-5;
  const auto slope = [&](const Tensor& direction) {
    return (landing(velocity + kSmall * direction) - landing(velocity - kSmall * direction)) / (2 * kSmall);
  };
  return stack({slope(tensor({1.0, 0.0}, kDouble)), slope(tensor({0.0, 1.0}, kDouble))});
}

void run(double target, int64_t steps, double rate, const std::string& path) {
  Tensor velocity = tensor({20.0, 20.0}, kDouble);
  const Tensor slope = grad(landing)(velocity);
  fmt::print("landing by velocity: slope ({:.4f}, {:.4f}) s, largest difference {:.1e} from finite differences\n",
             slope[0].item<double>(), slope[1].item<double>(),
             (slope - slope_by_differences(velocity)).abs().max().item<double>());

  std::vector<Panel> panels = {plot("First shot", fly(velocity))};
  const auto miss = [&](const Tensor& v) { return (landing(v) - target).square(); };
  for (int64_t step = 0; step <= steps; ++step) {
    const auto [loss, gradient] = value_and_grad(miss)(velocity);
    fmt::print("step {:2}  velocity ({:.3f}, {:.3f}) m/s  misses by {:.6f} m\n", step, velocity[0].item<double>(),
               velocity[1].item<double>(), loss.sqrt().item<double>());
    velocity = velocity - rate * gradient;
  }
  panels.push_back(plot("Last shot", fly(velocity)));
  save_plot(path, fmt::format("A ball with drag, aimed at {} m", target), panels);
}

}  // namespace

int main(int argc, char** argv) {
  double target = 90, rate = 0.05;
  int64_t steps = 10;
  std::string path = "physics.svg";
  Program program("Gradient descent through a simulated flight: a cannon finds the velocity that hits a target.");
  program.option("--target", target, "Distance of the target in m");
  program.option("--steps", steps, "Steps of gradient descent");
  program.option("--rate", rate, "Learning rate");
  program.plot_option(path);
  return program.run(argc, argv, [&] { run(target, steps, rate, path); });
}
