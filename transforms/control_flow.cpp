// Control flow on lists of tensors: where it runs as it stands, and where it becomes an equation.
#include "transforms/control_flow.h"

#include <algorithm>

#include "dispatcher/names.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/shaping.h"
#include "ops/view.h"
#include "transforms/control_rule.h"

namespace strata::func::detail {

using control::Closure;
using control::ScanParams;

bool is_true(const char* who, const Tensor& pred) {
  STRATA_CHECK(pred.dim() == 0, "{}: what decides has shape {}; it must be a scalar", who, pred.sizes());
  return pred.item<bool>();
}

Tensor number_of_branch(const Tensor& pred) { return (pred.dtype() == kBool ? pred : pred.ne(0)).to(kLong); }

void fail_structure(const char* who) {
  STRATA_THROW(
      "{}: what its functions return, or the carry before and after a step, differs in a number, in the size of a "
      "vector or in which tensors are undefined; make numbers that change tensors",
      who);
}

List choose_lists(const char* who, const Tensor& index, ArrayRef<ListRef> branches, const List& operands) {
  if (!control::is_traced(index)) return control::choose(who, index, branches, operands);
  STRATA_CHECK(index.dim() == 0, "{}: what decides has shape {}; it must be a scalar", who, index.sizes());
  control::Closures all = control::close_all(branches, operands);
  std::vector<control::Types> types;
  for (const Program& p : all.programs) types.push_back(control::output_types(p));
  control::check_branches(who, types);
  return control::run(control::CondParams{std::move(all.programs)},
                      control::joined(List{index.to(kLong)}, all.captured, operands));
}

List while_lists(ListRef condition, ListRef body, const List& init) {
  if (!dispatch::is_recorded()) return control::loop("while_loop", condition, body, init);
  const Closure test = control::close(condition, init), step = control::close(body, init);
  control::check_carry("while_loop", control::types_of(init), control::output_types(step.program));
  const Program::Type decides = control::output_types(test.program)[0];
  STRATA_CHECK(decides.dtype == kBool && decides.sizes.empty(),
               "while_loop: the condition is {}; it must be a bool scalar", decides.str());
  return control::run(control::WhileParams{test.program, step.program, static_cast<int64_t>(test.captured.size()),
                                           static_cast<int64_t>(step.captured.size())},
                      control::joined(test.captured, step.captured, init));
}

int64_t common_length(const List& xs, std::optional<int64_t> length, const char* who) {
  STRATA_CHECK(length || !xs.empty(), "{}: without xs the number of steps has to be given as length", who);
  for (const Tensor& x : xs) {
    STRATA_CHECK(x.defined() && x.dim() > 0, "{}: xs need a first dim to go over", who);
    if (!length) length = x.size(0);
    STRATA_CHECK(x.size(0) == *length, "{}: the sizes of xs (or length) differ: {} and {}", who, *length, x.size(0));
  }
  STRATA_CHECK(*length >= 0, "{}: length is {}", who, *length);
  return *length;
}

int64_t in_whole_batches(int64_t n, int64_t batch_size) {
  STRATA_CHECK(batch_size > 0, "map: batch_size is {}", batch_size);
  return n / batch_size * batch_size;
}

namespace {

List elements_at(const List& xs, int64_t i) {
  List x;
  for (const Tensor& t : xs) x.push_back(t.select(0, i));
  return x;
}
List part_of(List xs, int64_t start, int64_t length) {
  for (Tensor& t : xs) t = t.narrow(0, start, length);
  return xs;
}

/// One call of the body after the other.
List run_steps(ListRef body, const List& init, const List& xs, int64_t length, bool reverse) {
  List carry = init;
  std::vector<List> ys;
  for (int64_t step = 0; step < length; ++step) {
    const int64_t i = reverse ? length - 1 - step : step;
    const List out = body(control::joined(carry, elements_at(xs, i)));
    carry = control::slice(out, 0, carry.size());
    ys.resize(out.size() - carry.size());
    for (size_t y = 0; y < ys.size(); ++y) ys[y].push_back(out[carry.size() + y]);
  }
  for (List& y : ys) {
    if (reverse) std::reverse(y.begin(), y.end());
    carry.push_back(stack(y));
  }
  return carry;
}

/// The scan of a body that is a program.
struct Loop {
  ScanParams params;
  List consts;

  /// What `run` gives for some of the steps.
  List over(const List& carry, const List& xs, int64_t length) const {
    ScanParams part = params;
    part.length = length;
    return control::run(part, control::joined(consts, carry, xs));
  }
  bool draws() const {
    const auto& equations = params.body.equations();
    return std::any_of(equations.begin(), equations.end(), has_side_effects);
  }
};

Loop loop_of(ListRef body, const List& init, const List& xs, int64_t length, bool reverse) {
  List arguments = init;
  for (const Tensor& x : xs) arguments.push_back(control::shape_only({x.dtype(), x.device(), x.sizes().slice(1)}));
  Closure closure = control::hoisted(control::close(body, arguments));
  const control::Types types = control::output_types(closure.program);
  STRATA_CHECK(types.size() >= init.size(), "scan: the body returns {} for a carry of {} tensors", control::text(types),
               init.size());
  control::check_carry("scan", control::types_of(init), control::slice(types, 0, init.size()));
  return {{std::move(closure.program), static_cast<int64_t>(closure.captured.size()), static_cast<int64_t>(init.size()),
           length, reverse, false},
          std::move(closure.captured)};
}

/// A scan over pieces of k steps, each of which is a scan and runs again for its backward; the last steps, less than k,
/// are a scan of their own.
List run_pieces(const Loop& loop, const List& init, const List& xs, int64_t k) {
  STRATA_CHECK(k > 0, "scan: checkpoint_every is {}", k);
  STRATA_CHECK(!loop.draws(),
               "scan: with checkpoint_every a body that draws from the default generator would draw again; use "
               "strata::random with keys");
  const int64_t n = loop.params.length, rest = n % k, pieces = n / k;
  const bool reverse = loop.params.reverse;
  const size_t carry = init.size();
  ScanParams piece = loop.params, outer = loop.params;
  piece.length = k;
  outer.length = pieces;
  outer.recompute = true;
  control::Types types = control::input_types(loop.params.body);
  for (size_t i = loop.consts.size() + carry; i < types.size(); ++i) types[i].sizes.insert(0, k);
  outer.body = control::program_of(
      types, [&](const List& inputs) { return control::call_op(control::scan_op, inputs, Params::of(piece)); });
  const auto main = [&](const List& from) {
    List parts = part_of(xs, reverse ? rest : 0, n - rest);
    for (Tensor& t : parts) t = t.unflatten(0, {pieces, k});
    List out = control::call_op(control::scan_op, control::joined(loop.consts, from, parts), Params::of(outer));
    for (size_t i = carry; i < out.size(); ++i) out[i] = out[i].flatten(0, 1);
    return out;
  };
  if (rest == 0) return main(init);
  const List first = main(init);
  List last = loop.over(control::slice(first, 0, carry), part_of(xs, reverse ? 0 : n - rest, rest), rest);
  for (size_t i = carry; i < last.size(); ++i) last[i] = reverse ? cat({last[i], first[i]}) : cat({first[i], last[i]});
  return last;
}

}  // namespace

List scan_lists(ListRef body, const List& init, const List& xs, const ScanOptions& options) {
  const int64_t length = common_length(xs, options.length, "scan");
  const bool is_program = dispatch::is_recorded() || options.checkpoint_every || length == 0;
  if (!is_program) return run_steps(body, init, xs, length, options.reverse);
  const Loop loop = loop_of(body, init, xs, length, options.reverse);
  if (options.checkpoint_every && length > 0)
    return run_pieces(loop, init, xs, std::min(*options.checkpoint_every, length));
  return loop.over(init, xs, length);
}

}  // namespace strata::func::detail
