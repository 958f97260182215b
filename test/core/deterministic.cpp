// The switches of deterministic algorithms.
#include "core/deterministic.h"

#include "test/catch.h"

TEST_CASE("deterministic algorithms are asked for and no longer") {
  CHECK(!strata::are_deterministic_algorithms_enabled());
  CHECK(!strata::deterministic_cudnn());
  strata::use_deterministic_algorithms(true);
  CHECK(strata::are_deterministic_algorithms_enabled());
  CHECK(strata::deterministic_cudnn());
  strata::use_deterministic_algorithms(false);
  CHECK(!strata::are_deterministic_algorithms_enabled());
  strata::set_deterministic_cudnn(true);
  CHECK(!strata::are_deterministic_algorithms_enabled());
  CHECK(strata::deterministic_cudnn());
  strata::set_deterministic_cudnn(false);
}
