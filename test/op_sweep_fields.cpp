// For each primitive call: its params read back from their fields, and what its op is made of where a device has no
// kernel.
#include <algorithm>

#include "core/grad_mode.h"
#include "dispatcher/field_list.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

void expect_same_results(const Tensors& a, const Tensors& b, const std::string& what) {
  expect(a.size() == b.size(), what);
  for (size_t i = 0; i < a.size(); ++i)
    expect(a[i].dtype() == b[i].dtype() && a[i].sizes() == b[i].sizes() && bytes(a[i]) == bytes(b[i]), what);
}

void check_params(const Call& c) {
  const std::vector<dispatch::Field> fields = dispatch::fields_of(c.params);
  Call again = c;
  again.params = dispatch::params_of(*c.op->params, fields);
  expect(dispatch::fields_of(again.params) == fields, "params read back differ: " + c.text());
  if (!updates_state(c)) expect_same_results(c.run(), again.run(), "a call with params read back differs: " + c.text());
}

void check_decomposition(const Call& c) {
  if (!c.op->decompose || updates_state(c)) return;
  const Tensors expected = c.run(), got = c.op->decompose(ArgList(c.inputs), Params(c.params).data());
  expect(expected.size() == got.size(), "decomposition: number of outputs of " + c.text());
  for (size_t i = 0; i < std::min(expected.size(), got.size()); ++i)
    expect(got[i].dtype() == expected[i].dtype() && close(expected[i], got[i], 16),
           detail::format_message("decomposition: output {} is off by {} in ", {i, distance(expected[i], got[i])}) +
               c.text());
}

}  // namespace

TEST_CASE("params can be read back from their fields") {
  const NoGradGuard no_grad;
  for (const Call& c : all_calls()) guarded("fields of " + c.text(), [&] { check_params(c); });
}

TEST_CASE("decompositions give what kernels give") {
  const NoGradGuard no_grad;
  std::set<const Op*> checked;
  for (const Call& c : all_calls()) {
    guarded("decomposition of " + c.text(), [&] { check_decomposition(c); });
    if (c.op->decompose) checked.insert(c.op);
  }
  CHECK(checked.size() >= 20);
}

}  // namespace strata::test
