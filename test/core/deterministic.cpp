// The switch of deterministic algorithms and libtorch's name for it.
#include "core/deterministic.h"

#include "test/catch.h"

TEST_CASE("deterministic algorithms are asked for and no longer") {
  CHECK(!strata::are_deterministic_algorithms_enabled());
  strata::use_deterministic_algorithms(true);
  CHECK(strata::globalContext().deterministicAlgorithms());
  strata::globalContext().setDeterministicAlgorithms(false, true);
  CHECK(!strata::are_deterministic_algorithms_enabled());
}
