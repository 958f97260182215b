// Tests the version string.
#include "core/version.h"

#include <string>

#include "test/catch.h"

TEST_CASE("version has three numbers") {
  std::string version = strata::version();
  CHECK(version.find('.') != version.rfind('.'));
}
