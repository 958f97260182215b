// docs/op_table.md says of every op what it supports; it is made from the ops themselves.
#include <fstream>
#include <sstream>

#include "test/op_sweep.h"
#include "test/source_dir.h"

namespace strata::test {
namespace {

constexpr const char* kHead =
    "# Every op\n\n"
    "What a program calls are functions: most are one op, others (`std`, `linalg_norm`, `cross_entropy`) are made of "
    "several. "
    "An op\nis the unit that has a kernel and rules. This table is made from the ops by a test "
    "(`STRATA_UPDATE_DOCS=1 build/test/test_op_table`).\n\n"
    "Dtypes of the first input: f floating point (16-bit ones included), c complex, i integers, b bool. backward, jvp, "
    "vmap: "
    "the\nop has that rule; – where there is no derivative. Notes: view (shares memory), random, sizes (its result's "
    "shape "
    "depends on\nvalues), and in which precision autocast runs it.\n\n"
    "| op | dtypes | backward | jvp | vmap | notes |\n|---|---|---|---|---|---|\n";

std::string dtypes_of(const Op& op) {
  const DTypes types = op.dtypes[0];
  std::string out;
  for (const auto& [letter, type] : {std::pair("f", kFloat), {"c", kComplexFloat}, {"i", kLong}, {"b", kBool}})
    if (types.has(type)) out += letter;
  return out;
}

std::string notes_of(const Op& op) {
  std::string out;
  const auto add = [&](bool is, const char* note) {
    if (is) out += (out.empty() ? "" : ", ") + std::string(note);
  };
  add(op.is(kView), "view");
  add(op.is(kRandom), "random");
  add(op.is(kDataDependent), "sizes");
  add(op.is(kCollective), "collective");
  add(op.autocast == AutocastPolicy::kLower, "autocast: 16 bits");
  add(op.autocast == AutocastPolicy::kFloat32, "autocast: float32");
  add(op.autocast == AutocastPolicy::kWidest, "autocast: widest");
  return out;
}

std::string page() {
  std::vector<const Op*> ops;
  for (const Op& op : all_ops()) ops.push_back(&op);
  std::sort(ops.begin(), ops.end(), [](const Op* a, const Op* b) { return a->name() < b->name(); });
  std::ostringstream out;
  out << kHead;
  for (const Op* op : ops) {
    const char* none = op->is(kNotDifferentiable) ? "–" : "";
    out << "| `" << op->name() << "` | " << dtypes_of(*op) << " | " << (op->vjp ? "✓" : none) << " | "
        << (op->jvp ? "✓" : none) << " | " << (op->batch ? "✓" : "") << " | " << notes_of(*op) << " |\n";
  }
  return out.str();
}

}  // namespace

TEST_CASE("docs/op_table.md lists every op and what it supports") {
  const std::string path = source_dir() + "/docs/op_table.md";
  if (std::getenv("STRATA_UPDATE_DOCS") != nullptr) std::ofstream(path) << page();
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  INFO("STRATA_UPDATE_DOCS=1 build/test/test_op_table \"docs*\" makes it anew");
  CHECK((text == page()));
}

}  // namespace strata::test
