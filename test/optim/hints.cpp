// Hints of optimizers: nothing to train, and steps that found no gradient.
#include "core/hints.h"
#include "autograd/autograd.h"
#include "core/warning.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "optim/adam.h"
#include "optim/sgd.h"
#include "test/catch.h"

using namespace strata;

namespace {
struct Hearing : WarningHandler {
  void process(const Warning& warning) override { heard.push_back(warning.msg()); }
  std::vector<std::string> heard;
};
}  // namespace

TEST_CASE("an optimizer of nothing is told of, once") {
  Hearing hearing;
  const WarningUtils::WarningHandlerGuard guard(&hearing);
  for (int i = 0; i < 2; ++i) const optim::SGD sgd(std::vector<Tensor>{}, 0.1);
  REQUIRE(hearing.heard.size() == 1);
  CHECK(hearing.heard[0].rfind("SGD: the list of parameters is empty", 0) == 0);
  const optim::Adam later(std::vector<optim::OptimizerParamGroup>{});  // groups are added afterwards
  CHECK(hearing.heard.size() == 1);
}

TEST_CASE("a step without any gradient is told of, once") {
  Hearing hearing;
  const WarningUtils::WarningHandlerGuard guard(&hearing);
  const Tensor used = ones({2}).requires_grad_(), unused = ones({2}).requires_grad_();
  optim::Adam adam(std::vector<Tensor>{used, unused}, optim::AdamOptions(0.1));
  adam.step();
  adam.step();
  REQUIRE(hearing.heard.size() == 1);
  CHECK(hearing.heard[0].rfind("Adam: step() changed nothing, since none of the 2 parameters has a gradient", 0) == 0);
  optim::Adam other(std::vector<Tensor>{used, unused, ones({1}).requires_grad_()}, optim::AdamOptions(0.1));
  used.sum().backward();
  other.step();
  CHECK(hearing.heard.size() == 1);
  set_hints_enabled(false);
  other.zero_grad();
  other.step();
  set_hints_enabled(true);
  CHECK(hearing.heard.size() == 1);
}
