// The functional programs at small settings: each prints what it found, and that is right.
#include "test/catch.h"
#include "test/examples/process.h"

namespace {

/// What a program of examples/functional prints.
std::string run(const std::string& command) {
  Process process(words(STRATA_FUNCTIONAL + command), ".");
  const int status = process.wait();
  INFO(process.output());
  REQUIRE(status == 0);
  return process.output();
}

}  // namespace

TEST_CASE("per-sample gradients of one vmap equal those of a loop") {
  const std::string output = run("per_sample_gradients --batch 8");
  CHECK(number_after(output, "largest difference ") < 1e-5);
  CHECK(number_after(output, "norms ") > 0);
}

TEST_CASE("a functional training loop learns to read digits") {
  const std::string output = run("mnist --epochs 4");
  CHECK(number_after(output, "train accuracy ") > 0.94);
  CHECK(number_after(output, "test accuracy ") > 0.85);
}

TEST_CASE("MAML finds parameters that fit a new sine in one step") {
  const std::string output = run("maml --steps 300 --plot none");
  CHECK(number_after(output, "after one step ") < 2.2);
  CHECK(number_after(output, "without the step ") > 3);
}
