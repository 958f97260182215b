// Every op of the library has its rules, a kernel or a decomposition, and calls in the table; the sweep makes at least
// as many checks as it used to.
#include "ops/creation.h"
#include "ops/factor.h"
#include "test/error_of.h"
#include "test/op_sweep.h"
#include "test/slim.h"

namespace strata::test {
namespace {

constexpr int64_t kFewestChecks = 550000;

std::string missing_parts(const Op& op) {
  std::string missing;
  if (op.name() == "transfer") return missing;  // its kernels belong to other devices
  if (!op.infer && !op.is(kDataDependent)) missing += " infer";
  if (!op.is(kNotDifferentiable) && (!op.vjp || !op.jvp)) missing += " vjp/jvp";
  if (!op.batch && !op.is(kDataDependent)) missing += " batch";
  if (!op.is(kView) && !op.kernel(kCPU) && !op.decompose && !is_left_out_of_build(op)) missing += " CPU-kernel";
  return missing;
}

}  // namespace

TEST_CASE("every op has infer, derivative rules, a batch rule and a kernel or a decomposition") {
  CHECK(all_ops().size() >= 100);
  for (const Op& op : all_ops()) {
    INFO(op.schema);
    CHECK(missing_parts(op).empty());
    CHECK(std::string_view(op.schema).find(") -> ") != std::string_view::npos);
  }
}

TEST_CASE("op names are distinct") {
  std::set<std::string_view> names;
  for (const Op& op : all_ops()) {
    INFO(op.schema);
    CHECK(names.insert(op.name()).second);
  }
}

TEST_CASE("every op is called by the table, directly or by a rule, and every row calls its op") {
  std::set<const Op*> called;
  std::set<std::string> rows_that_call;
  for (const Call& c : all_calls()) {
    called.insert(c.op);
    rows_that_call.insert(c.origin + " " + std::string(c.op->name()));
  }
  for (const Op& op : all_ops()) {
    if (op.name() == "transfer" || is_left_out_of_build(op)) continue;
    if (holds_programs(op)) continue;                        // test/transforms/control_flow.cpp
    if (is_slim() && op.name() == "matrix_sqrth") continue;  // is given what eigh made
    INFO("no sample calls " << op.schema);
    CHECK(called.count(&op) == 1);
  }
  for (const Row& row : table()) {
    INFO("row " << row.op << " does not call its op");
    const bool calls =
        row.op.empty() || row.samples.empty() || rows_that_call.count("row " + row.op + " " + row.op) == 1;
    CHECK(calls);
  }
}

TEST_CASE("a slim build lacks the ops that need LAPACK alone, and their errors name the option") {
  size_t found = 0;
  for (const Op& op : all_ops()) {
    if (!op.is(kNeedsLapack)) continue;
    INFO(op.schema);
    ++found;
    CHECK((op.kernel(kCPU) == nullptr) == is_slim());
  }
  CHECK(found == 11);
  if (!is_slim()) return;
  CHECK_THAT(error_of([] { linalg::svd(eye(2)); }), Catch::Matchers::ContainsSubstring("-DSTRATA_SLIM=OFF"));
  CHECK_THAT(error_of([] { linalg::pinv(eye(2)); }), Catch::Matchers::ContainsSubstring("-DSTRATA_SLIM=OFF"));
}

TEST_CASE("the sweep ran") {
  // Catch runs the cases of a program in the order of the files, so this counts what ran in this process.
  WARN(checks_made() << " checks over " << all_calls().size() << " calls of " << all_ops().size() << " ops");
  if (checks_made() > 0 && !is_slim()) CHECK(checks_made() >= kFewestChecks);
}

}  // namespace strata::test
