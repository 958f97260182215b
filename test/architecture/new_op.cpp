// The places that an element-wise op is written in are those that docs/ops.md names.
#include <algorithm>
#include <regex>
#include <set>

#include "test/architecture/rules.h"
#include "test/catch.h"

namespace architecture {
namespace {

const std::filesystem::path kRoot = STRATA_SOURCE_DIR;

/// The files of the table under "A new element-wise op is", for an op of the family `unary`.
std::set<std::string> documented_places() {
  const std::string text = read_text(kRoot / "docs/ops.md");
  const size_t begin = text.find("A new element-wise op is");
  REQUIRE(begin != text.npos);
  const std::string table = text.substr(begin, text.find("\n\n", text.find("| file |", begin)) - begin);
  const std::regex row("\\n\\| `([^`]+)` \\|"), family("<family>");
  std::set<std::string> places;
  for (std::sregex_iterator m(table.begin(), table.end(), row), end; m != end; ++m)
    places.insert(std::regex_replace((*m)[1].str(), family, "unary"));
  return places;
}

/// The files that name an op, its function or its formula.
std::set<std::string> places_of(const std::string& words) {
  const std::regex word("\\b(" + words + ")\\b");
  std::set<std::string> places;
  for (const auto& file : source_files(kRoot))
    if (std::regex_search(read_text(kRoot / file), word) && !file.starts_with("test/architecture/"))
      places.insert(file);
  return places;
}

}  // namespace

TEST_CASE("an element-wise op is written in the places that the documentation names") {
  CHECK(documented_places().size() == 6);
  CHECK(places_of("frac_op|Frac") == std::set<std::string>{"kernels/formulas-inl.h", "kernels/op_formulas-inl.h",
                                                           "ops/unary.cpp", "ops/unary_def.h"});
  CHECK(places_of("frac_op|Frac|frac\\(|frac,") == documented_places());
}

}  // namespace architecture
