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
/// be written to by a recorded op, though the caller has made no view; with a history, writes to views of it would pass
/// by the gradient that it retains.
bool is_hidden_view(const Tensor& t, const List& inputs) {
  return t.defined() && t.has_storage() && t.is_view() && !is_within(t, inputs);
}

void expect_no_hidden_view(const Row& row, size_t sample, const List& inputs) {
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

/// The inputs, which require grad where they can.
List requiring_grad(const List& inputs) {
  List out;
  for (const Tensor& t : inputs) {
    const bool is_variable = t.defined() && is_differentiable(t.dtype());
    out.push_back(is_variable ? t.detach().requires_grad_() : t);
  }
  return out;
}

void expect_no_hidden_views(List (*of)(const List& inputs)) {
  const int64_t before = checks_made();
  for (const Row& row : table()) {
    if (row.op == "view_as_complex") continue;  // the sample itself copies an operand whose parts do not lie together
    for (size_t i = 0; i < row.samples.size(); ++i) {
      const List& inputs = row.samples[i].inputs;
      expect_no_hidden_view(row, i, of(inputs));
      expect_no_hidden_view(row, i, of(laid_out(inputs, strided_like)));
      expect_no_hidden_view(row, i, of(laid_out(inputs, reversed_like)));
    }
  }
  CHECK(checks_made() > before);
}

TEST_CASE("without recording, what is no view of an argument is no view at all") {
  const NoGradGuard no_grad;
  expect_no_hidden_views([](const List& inputs) { return inputs; });
}

TEST_CASE("with a history, what is no view of an argument is no view at all") {
  expect_no_hidden_views(requiring_grad);
}

}  // namespace
}  // namespace strata::test
