// Every op with a CPU kernel has a CUDA kernel, as the sources say.
#include <algorithm>
#include <iterator>
#include <regex>
#include <set>

#include "test/architecture/root.h"
#include "test/architecture/rules.h"
#include "test/catch.h"

namespace architecture {
namespace {

/// What the first group of `expression` is in every file of `folder`.
std::set<std::string> all_matches(const std::string& folder, const std::string& expression) {
  const std::regex line(expression);
  std::set<std::string> found;
  for (const auto& file : source_files(kRoot)) {
    if (!file.starts_with(folder)) continue;
    const std::string text = read_text(kRoot / file);
    for (std::sregex_iterator m(text.begin(), text.end(), line), end; m != end; ++m) found.insert((*m)[1]);
  }
  return found;
}

/// The ops of a list of formulas.
std::set<std::string> ops_of_list(const std::string& list) {
  std::set<std::string> ops;
  for (const char* file : {"kernels/op_formulas.h", "kernels/op_formulas-inl.h", "kernels/digits_formulas.h"}) {
    const std::string text = read_text(kRoot / file), head = "using " + list + " =";
    const size_t begin = text.find(head);
    if (begin == text.npos) continue;
    const std::string rows = text.substr(begin, text.find(">>;", begin) - begin);
    const std::regex row("<(\\w+_op),");
    for (std::sregex_iterator m(rows.begin(), rows.end(), row), end; m != end; ++m) ops.insert((*m)[1]);
  }
  return ops;
}

/// The ops whose kernels of this backend stand in the tree: one by one, or by a list of formulas.
std::set<std::string> registered(const std::string& backend, const std::string& folder) {
  std::set<std::string> ops = all_matches("kernels/", "STRATA_KERNEL\\(\\s*(\\w+),\\s*" + backend + ",");
  for (const auto& list : all_matches(folder, "Ops \\w+[({](?:arithmetic::)?(\\w+)\\(\\)")) {
    const auto more = ops_of_list(list);
    INFO("formulas of the list " << list);
    CHECK(!more.empty());
    ops.insert(more.begin(), more.end());
  }
  return ops;
}

/// Ops that a GPU makes of others, by their decomposition, which the sweep compares with their kernel.
const std::set<std::string> kMadeOfOthers = {"aminmax_op", "at_places_op",    "bin_counts_op",
                                             "cross_op",   "index_counts_op", "lstsq_op",
                                             "median_op",  "pdist_op",        "runs_op"};

}  // namespace

TEST_CASE("every op has a CUDA kernel, or is made of ops that have one") {
  const auto cpu = registered("CPU", "kernels/cpu/"), cuda = registered("CUDA", "kernels/cuda/");
  std::vector<std::string> missing;
  std::set_difference(cpu.begin(), cpu.end(), cuda.begin(), cuda.end(), std::back_inserter(missing));
  std::erase_if(missing, [](const std::string& op) { return kMadeOfOthers.count(op) > 0; });
  for (const auto& op : kMadeOfOthers) CHECK(cuda.count(op) == 0);  // the list names no op that has a kernel
  std::string list;
  for (const auto& op : missing) list += " " + op;
  INFO("without a CUDA kernel:" << list);
  REQUIRE(cpu.size() > 200);
  CHECK(missing.empty());
}

}  // namespace architecture
