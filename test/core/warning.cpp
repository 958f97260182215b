// Tests of warnings: who hears them, for how long, and on which thread.
#include "core/warning.h"

#include <string>
#include <thread>
#include <vector>

#include "test/catch.h"

using namespace strata;

namespace {

struct Listener : WarningHandler {
  void process(const Warning& warning) override { heard.push_back(warning.msg()); }
  std::vector<std::string> heard;
};

struct Refuser : WarningHandler {
  void process(const Warning& warning) override { throw Error(warning.msg()); }
};

}  // namespace

TEST_CASE("a handler hears what is warned in its scope") {
  Listener outer, inner;
  {
    const WarningUtils::WarningHandlerGuard first(&outer);
    warn("one of {}", 2);
    {
      const WarningUtils::WarningHandlerGuard second(&inner);
      warn(Warning("two"));
    }
    warn("three");
  }
  CHECK(outer.heard == std::vector<std::string>{"one of 2", "three"});
  CHECK(inner.heard == std::vector<std::string>{"two"});
}

TEST_CASE("a handler may make errors of warnings, and nullptr brings the default back") {
  Refuser refuser;
  WarningUtils::set_warning_handler(&refuser);
  CHECK(WarningUtils::get_warning_handler() == &refuser);
  CHECK_THROWS_WITH(warn("no"), "no");
  WarningUtils::set_warning_handler(nullptr);
  CHECK(WarningUtils::get_warning_handler() != &refuser);
}

TEST_CASE("a handler belongs to its thread, and warn_once is heard once") {
  Listener here, there;
  const WarningUtils::WarningHandlerGuard guard(&here);
  std::thread([&] {
    const WarningUtils::WarningHandlerGuard other(&there);
    warn("from there");
  }).join();
  warn_once("heard once, by whoever comes first");
  warn_once("heard once, by whoever comes first");
  CHECK(here.heard == std::vector<std::string>{"heard once, by whoever comes first"});
  CHECK(there.heard == std::vector<std::string>{"from there"});
}
