// Tests the version: what the headers say is what the library says.
#include "core/version.h"

#include <string>

#include "test/catch.h"

TEST_CASE("version has the headers' three numbers") {
  CHECK(strata::version() == std::to_string(STRATA_VERSION_MAJOR) + "." + std::to_string(STRATA_VERSION_MINOR) + "." +
                                 std::to_string(STRATA_VERSION_PATCH));
}
