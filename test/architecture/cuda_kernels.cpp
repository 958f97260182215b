// Counts the ops that have a CPU kernel and no CUDA kernel, in the sources: the count may only fall.
#include <algorithm>
#include <iterator>
#include <regex>
#include <set>

#include "test/architecture/rules.h"
#include "test/catch.h"

namespace architecture {
namespace {

constexpr size_t kMostMissing = 67;

/// The ops whose kernels of this backend stand in the tree.
std::set<std::string> registered(const std::string& backend) {
  const std::filesystem::path root = STRATA_SOURCE_DIR;
  const std::regex line("STRATA_KERNEL\\(\\s*(\\w+),\\s*" + backend + ",");
  std::set<std::string> ops;
  for (const auto& file : source_files(root)) {
    if (!file.starts_with("kernels/")) continue;
    const std::string text = read_text(root / file);
    for (std::sregex_iterator m(text.begin(), text.end(), line), end; m != end; ++m) ops.insert((*m)[1]);
  }
  return ops;
}

}  // namespace

TEST_CASE("the ops without a CUDA kernel get fewer") {
  const auto cpu = registered("CPU"), cuda = registered("CUDA");
  std::vector<std::string> missing;
  std::set_difference(cpu.begin(), cpu.end(), cuda.begin(), cuda.end(), std::back_inserter(missing));
  std::string list;
  for (const auto& op : missing) list += " " + op;
  WARN(missing.size() << " of " << cpu.size() << " ops have no CUDA kernel:" << list);
  REQUIRE(cpu.size() > 150);
  CHECK(missing.size() <= kMostMissing);
}

}  // namespace architecture
