// Every op with a CPU kernel has a CUDA kernel, as the sources say.
#include <algorithm>
#include <iterator>
#include <regex>
#include <set>

#include "test/architecture/rules.h"
#include "test/catch.h"

namespace architecture {
namespace {

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

TEST_CASE("every op has a CUDA kernel") {
  const auto cpu = registered("CPU"), cuda = registered("CUDA");
  std::vector<std::string> missing;
  std::set_difference(cpu.begin(), cpu.end(), cuda.begin(), cuda.end(), std::back_inserter(missing));
  std::string list;
  for (const auto& op : missing) list += " " + op;
  INFO("without a CUDA kernel:" << list);
  REQUIRE(cpu.size() > 150);
  CHECK(missing.empty());
}

}  // namespace architecture
