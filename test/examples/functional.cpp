// The functional programs at small settings: each prints what it found, and that is right.
#include <filesystem>

#include "test/catch.h"
#include "test/examples/process.h"

namespace {

std::string run_functional(const std::string& command, int expected = 0) {
  return WorkFolder().run(STRATA_FUNCTIONAL + command, expected);
}

/// What a program of examples/functional prints; its plot has to be a whole SVG document.
std::string run_and_draw(const std::string& command) {
  const WorkFolder folder;
  const std::string output = folder.run(STRATA_FUNCTIONAL + command + " --plot p.svg");
  CHECK_THAT(folder.text("p.svg"), Catch::Matchers::EndsWith("</svg>\n"));
  return output;
}

}  // namespace

TEST_CASE("per-sample gradients of one vmap equal those of a loop") {
  const std::string output = run_and_draw("per_sample_gradients --batch 8");
  CHECK(number_after(output, "largest difference ") < 1e-5);
  CHECK(number_after(output, "norms ") > 0);
}

TEST_CASE("a functional training loop learns to read digits") {
  const std::string output = run_and_draw("mnist --epochs 2");
  CHECK(number_after(output, "train accuracy ") > 0.9);
  CHECK(number_after(output, "test accuracy ") > 0.8);
}

TEST_CASE("MAML finds parameters that fit a new sine in one step") {
  const std::string output = run_and_draw("maml --steps 200");
  CHECK(number_after(output, "after one step ") < 2.5);
  CHECK(number_after(output, "without the step ") > 3);
}

TEST_CASE("Newton and Gauss-Newton converge in a few steps") {
  const std::string output = run_and_draw("newton --samples 500 --features 20 --steps 8");
  const size_t second = output.find("Gauss-Newton");
  CHECK(number_after(output.substr(0, second), "gradient ") < 1e-12);
  CHECK(number_after(output.substr(second), "gradient ") < 1e-9);
  CHECK(number_after(output, "amplitude ") == Approx(2).margin(0.02));
  CHECK(number_after(output, "decay ") == Approx(0.3).margin(0.01));
  CHECK(number_after(output, "frequency ") == Approx(3).margin(0.01));
  CHECK(number_after(output, "phase ") == Approx(0.5).margin(0.02));
}

TEST_CASE("an ensemble learns two moons and disagrees away from them") {
  const std::string output = run_and_draw("ensemble --steps 200");
  CHECK(number_after(output, "ensemble ") > 0.97);
  CHECK(number_after(output, "on the map ") > 5 * number_after(output, "at these points "));
}

TEST_CASE("the tangent kernel of Jacobians equals that of vjp and jvp") {
  const std::string output = run_and_draw("neural_tangent_kernel --inputs 6 --others 4 --width 32");
  CHECK(number_after(output, "relative difference ") < 1e-5);
  CHECK(number_after(output, "asymmetry ") < 1e-5);
  CHECK(number_after(output, "smallest diagonal element ") > 0);
}

TEST_CASE("a cannon hits its target by the gradient through its flight") {
  const std::string output = run_and_draw("physics --steps 10 --target 80");
  CHECK(number_after(output, "largest difference ") < 1e-6);
  CHECK(number_after(output, "misses by ") < 1e-3);
}

TEST_CASE("a physics-informed network solves its equation") {
  const std::string output = run_and_draw("pinn --steps 800");
  CHECK(number_after(output, "error ") < 5e-3);
}

TEST_CASE("functional programs explain their options and refuse others") {
  for (const std::string name : {"per_sample_gradients", "mnist", "maml", "newton", "ensemble", "neural_tangent_kernel",
                                 "physics", "pinn", "hmc"}) {
    CHECK_THAT(run_functional(name + " --help"), Catch::Matchers::ContainsSubstring("--plot"));
    CHECK_THAT(run_functional(name + " --unknown 1", 109), Catch::Matchers::ContainsSubstring("--unknown"));
  }
}
