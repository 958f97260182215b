// Which results are views: those that show an argument's memory, and no others.
#include <algorithm>

#include "core/grad_mode.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

bool is_within(const Tensor& t, const List& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& in) {
    return in.defined() && in.has_storage() && in.storage().is_alias_of(t.storage());
  });
}

/// A result that some function shaped by a view of a tensor that nobody else sees. Made under NoGradGuard, it could not
/// be written to by a recorded op, though the caller has made no view.
bool is_hidden_view(const Tensor& t, const List& inputs) {
  return t.defined() && t.has_storage() && t.is_view() && !is_within(t, inputs);
}

void expect_no_hidden_view(const Row& row, size_t sample, const List& inputs) {
  const NoGradGuard no_grad;
  List results;
  try {
    results = row.samples[sample].f(inputs);
  } catch (const Error&) {
    return;  // a view of a layout that has none
  }
  for (const Tensor& t : results)
    expect(!is_hidden_view(t, inputs),
           "sample " + std::to_string(sample) + " of row " + row.op + " gives a view of a tensor that nobody sees");
}

TEST_CASE("without recording, what is no view of an argument is no view at all") {
  const int64_t before = checks_made();
  for (const Row& row : table()) {
    if (row.op == "view_as_complex") continue;  // the sample itself copies an operand whose parts do not lie together
    for (size_t i = 0; i < row.samples.size(); ++i) {
      const List& inputs = row.samples[i].inputs;
      expect_no_hidden_view(row, i, inputs);
      expect_no_hidden_view(row, i, laid_out(inputs, strided_like));
      expect_no_hidden_view(row, i, laid_out(inputs, reversed_like));
    }
  }
  CHECK(checks_made() > before);
}

}  // namespace
}  // namespace strata::test
