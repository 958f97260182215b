// Checks the whole tree against the rules of the house, and the rules against files that break them.
#include "test/architecture/root.h"
#include "test/architecture/rules.h"
#include "test/catch.h"

namespace architecture {
namespace {

const std::string kFirstLine = "// Says what this file is for.\n";

// The one problem that a file with this body has, without its place.
std::string problem(const std::string& path, const std::string& body) {
  std::string header = path.ends_with(".h") ? "#pragma once\n" : "";
  auto problems = check_file(kRoot, path, kFirstLine + header + body);
  REQUIRE(problems.size() <= 1);
  return problems.empty() ? "" : problems[0].substr(problems[0].find(": ") + 2);
}

}  // namespace

TEST_CASE("every file of the tree keeps the rules") {
  auto files = source_files(kRoot);
  REQUIRE(files.size() > 10);
  for (const auto& file : files) {
    for (const auto& found : check_file(kRoot, file, read_text(kRoot / file))) {
      UNSCOPED_INFO(found);
      CHECK(found.empty());
    }
  }
}

TEST_CASE("a room is a folder, except in kernels and test, where it is a folder's folder") {
  CHECK(room_of("core/tensor.h") == "core");
  CHECK(room_of("kernels/cpu/reduce/reduce.cpp") == "kernels/cpu");
  CHECK(room_of("test/nn/linear.cpp") == "test/nn");
  CHECK(room_of("test/catch.h") == "test");
  CHECK(room_of("compat/torch/torch.h") == "compat");
}

TEST_CASE("arrows point down") {
  CHECK(problem("ops/new.cpp", "#include \"core/version.h\"\n") == "");
  CHECK(problem("core/new.cpp", "#include \"test/catch.h\"\n") == "core may not include test (test/catch.h)");
  CHECK(problem("core/new.cpp", "#include <strata/strata.h>\n") == "core may not include strata.h (strata/strata.h)");
  CHECK(problem("test/nn/new.cpp", "#include <strata/strata.h>\n#include \"test/catch.h\"\n") == "");
  CHECK(problem("examples/new.cpp", "#include \"core/version.h\"\n") ==
        "examples may not include core (core/version.h)");
}

TEST_CASE("installed headers include by relative path and stay light") {
  CHECK(problem("core/new.h", "#include \"version.h\"\n") == "");
  CHECK(problem("ops/new.h", "#include \"../core/version.h\"\n") == "");
  CHECK(problem("ops/new.h", "#include \"core/version.h\"\n") ==
        "an installed header includes \"core/version.h\", not by its path relative to itself");
  CHECK(problem("core/new.cpp", "#include \"version.h\"\n") == "includes \"version.h\", not by its path from the root");
  CHECK(problem("core/new.h", "#include <fmt/format.h>\n") == "an installed header includes <fmt/format.h>");
  CHECK(problem("core/new.cpp", "#include \"core/no_such_file.h\"\n") ==
        "includes core/no_such_file.h, which is not there");
}

TEST_CASE("files say what they are for, headers are included once and open no namespace") {
  CHECK(check_file(kRoot, "core/new.cpp", "#include <string>\n").size() == 1);
  CHECK(check_file(kRoot, "core/new.h", kFirstLine).size() == 1);
  CHECK(problem("core/new.h", "using namespace std;\n") == "\"using namespace\" in a header");
  CHECK(problem("core/new.cpp", std::string(600, '\n')) == "a file of more than 600 lines");
}

}  // namespace architecture
