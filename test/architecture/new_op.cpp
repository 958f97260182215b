// The places that an element-wise op is written in are those that docs/ops.md names.
#include <algorithm>
#include <regex>
#include <set>

#include "test/architecture/root.h"
#include "test/architecture/rules.h"
#include "test/catch.h"

namespace architecture {
namespace {

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

/// The files in which the expression is found, but for tests that choose which ops they call and for formats of others,
/// which have the ops that others write.
std::set<std::string> places_of(const std::string& expression) {
  const std::regex wanted(expression);
  std::set<std::string> places;
  for (const auto& file : source_files(kRoot))
    if (!file.starts_with("test/architecture/") && !file.starts_with("test/differential/") &&
        !file.starts_with("exchange/") && std::regex_search(read_text(kRoot / file), wanted))
      places.insert(file);
  return places;
}

}  // namespace

TEST_CASE("an element-wise op is written in the places that the documentation names") {
  const auto documented = documented_places();
  CHECK(documented.size() == 7);
  // The op, its formula, its public function and the name by which the table of samples knows it.
  CHECK(places_of("\\bfrac_op\\b|\\bFrac\\b|Tensor frac\\(|\"frac\"") == documented);
}

}  // namespace architecture
