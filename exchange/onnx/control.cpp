// ONNX's branches and loops, sequences and optional values.
#include <algorithm>

#include "dispatcher/layer.h"
#include "exchange/onnx/ops.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/shaping.h"
#include "ops/view.h"
#include "transforms/control_flow.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;
using List = std::vector<Tensor>;

List tensors_in(const Values& values) {
  List out;
  for (const Value& v : values) out.push_back(v.toTensor());
  return out;
}

Values values_of(const List& tensors) { return {tensors.begin(), tensors.end()}; }

bool are_tensors(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](const Value& v) { return v.isTensor(); });
}

bool is_true(const Tensor& t) { return t.reshape({}).item<bool>(); }

Values branch(A a) {
  const Tensor& condition = a[0];
  if (is_known(condition)) {
    a.ignore("then_branch"), a.ignore("else_branch");
    return a.run_graph(is_true(condition) ? "then_branch" : "else_branch", {});
  }
  const auto run = [&](const char* name) { return [&a, name] { return tensors_in(a.run_graph(name, {})); }; };
  return values_of(func::cond(condition.reshape({}), run("then_branch"), run("else_branch")));
}

/// What a Loop carries from step to step, and what it collects.
struct Run {
  Values carry;
  std::vector<List> collected;
};

/// Step by step, while the condition has a value.
void run_steps(A a, Tensor condition, std::optional<int64_t> most, Run& run) {
  for (int64_t i = 0; !most || i < *most; ++i) {
    STRATA_CHECK(is_known(condition),
                 "load_onnx: inside of trace, compile and vmap, a Loop that collects results may "
                 "not end by what depends on the arguments");
    if (!is_true(condition)) return;
    Values inputs{scalar_tensor(i, kLong), condition};
    inputs.insert(inputs.end(), run.carry.begin(), run.carry.end());
    Values next = a.run_graph("body", std::move(inputs));
    condition = next[0].toTensor();
    const auto carry_end = next.begin() + 1 + static_cast<std::ptrdiff_t>(run.carry.size());
    for (size_t k = 0; k < run.collected.size(); ++k)
      run.collected[k].push_back((carry_end + static_cast<std::ptrdiff_t>(k))->toTensor());
    run.carry.assign(next.begin() + 1, carry_end);
  }
}

Values with_collected(Run run) {
  for (const List& list : run.collected) run.carry.push_back(list.empty() ? zeros({0}, kFloat) : stack(list));
  return std::move(run.carry);
}

/// Recorded as one equation: a loop that collects nothing and ends by what it computes.
Values recorded_loop(A a, const Tensor& condition, std::optional<int64_t> most, const Values& carry) {
  List init{scalar_tensor(0, kLong), cast(condition.reshape({}), kBool)};
  for (const Value& v : carry) init.push_back(v.toTensor());
  const auto goes_on = [&](const List& c) { return most ? logical_and(c[1], lt(c[0], Scalar(*most))) : c[1]; };
  const auto step = [&](const List& c) {
    List next = tensors_in(a.run_graph("body", values_of(c)));
    next[0] = cast(next[0].reshape({}), kBool);
    next.insert(next.begin(), add(c[0], 1));
    return next;
  };
  const List last = func::while_loop(goes_on, step, init);
  return values_of({last.begin() + 2, last.end()});
}

/// Where a transform records, a number of steps that is known makes a scan, if the body always goes on.
Values recorded_scan(A a, int64_t steps, const Values& carry) {
  const auto step = [&](const List& c, const std::tuple<>&) {
    Values inputs = values_of(c);
    inputs.insert(inputs.begin() + 1, scalar_tensor(true, kBool));
    List next = tensors_in(a.run_graph("body", std::move(inputs)));
    const auto carry_end = next.begin() + static_cast<std::ptrdiff_t>(c.size());
    List carried(next.begin() + 1, carry_end);
    carried.insert(carried.begin(), add(c[0], 1));
    return std::pair(carried, List(carry_end, next.end()));
  };
  List init = tensors_in(carry);
  init.insert(init.begin(), scalar_tensor(0, kLong));
  const auto [last, ys] = func::scan(step, init, std::tuple<>(), {.length = steps});
  Values out = values_of({last.begin() + 1, last.end()});
  out.insert(out.end(), ys.begin(), ys.end());
  return out;
}

Values loop(A a) {
  const std::optional<int64_t> most = a.has(0) ? std::optional(a.int_in(0)) : std::nullopt;
  const Tensor condition = a.has(1) ? a[1] : scalar_tensor(true, kBool);
  Values carry;
  for (size_t i = 2; i < a.size(); ++i) carry.push_back(a.value(i));
  const size_t collects = a.outputs() - std::min(a.outputs(), carry.size());
  const bool recorded = dispatch::is_recorded() && are_tensors(carry);
  if (recorded && most && *most > 0 && is_known(condition) && is_true(condition) && a.goes_on("body"))
    return recorded_scan(a, *most, carry);
  if (recorded && collects == 0 && !a.goes_on("body")) return recorded_loop(a, condition, most, carry);
  Run run{std::move(carry), std::vector<List>(collects)};
  run_steps(a, condition, most, run);
  return with_collected(std::move(run));
}

/// Axes and directions of what a Scan reads or collects.
struct Scanned {
  Ints axes, reversed;

  Scanned(A a, const std::string& what, size_t n)
      : axes(a.ints("scan_" + what + "_axes", Ints(n, 0))),
        reversed(a.ints("scan_" + what + "_directions", Ints(n, 0))) {}
};

Values scan(A a) {
  const auto scanned = static_cast<size_t>(a.integer("num_scan_inputs"));
  const size_t states = a.size() - scanned;
  const Scanned in(a, "input", scanned), out(a, "output", a.outputs() - states);
  List init, xs;
  for (size_t i = 0; i < states; ++i) init.push_back(a[i]);
  for (size_t i = 0; i < scanned; ++i) {
    const Tensor x = movedim(a[states + i], in.axes[i], 0);
    xs.push_back(in.reversed[i] ? flip(x, 0) : x);
  }
  const auto step = [&](const List& carry, const List& x) {
    Values inputs = values_of(carry);
    inputs.insert(inputs.end(), x.begin(), x.end());
    const List next = tensors_in(a.run_graph("body", std::move(inputs)));
    const auto carry_end = next.begin() + static_cast<std::ptrdiff_t>(states);
    return std::pair(List(next.begin(), carry_end), List(carry_end, next.end()));
  };
  auto [last, ys] = func::scan(step, init, xs);
  for (size_t i = 0; i < ys.size(); ++i) {
    if (out.reversed[i]) ys[i] = flip(ys[i], 0);
    ys[i] = movedim(ys[i], 0, out.axes[i]);
  }
  last.insert(last.end(), ys.begin(), ys.end());
  return values_of(last);
}

/// Opset 8: the first dim of all is a batch, whose elements are scanned one after the other.
Values scan_of_batch(A a) {
  STRATA_CHECK(!a.has(0) && !a.has("directions"), "load_onnx: Scan of opset 8 with lengths or directions");
  const auto scanned = static_cast<size_t>(a.integer("num_scan_inputs"));
  const size_t states = a.size() - 1 - scanned;
  List collected;
  std::vector<List> results(a.outputs());
  for (int64_t b = 0; b < a[1].size(0); ++b) {
    Values carry;
    for (size_t i = 0; i < states; ++i) carry.push_back(select(a[1 + i], 0, b));
    std::vector<List> ys(a.outputs() - states);
    for (int64_t t = 0; t < a[1 + states].size(1); ++t) {
      Values inputs = carry;
      for (size_t i = 0; i < scanned; ++i) inputs.push_back(select(select(a[1 + states + i], 0, b), 0, t));
      const Values next = a.run_graph("body", std::move(inputs));
      carry.assign(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(states));
      for (size_t i = 0; i < ys.size(); ++i) ys[i].push_back(next[states + i].toTensor());
    }
    for (size_t i = 0; i < states; ++i) results[i].push_back(carry[i].toTensor());
    for (size_t i = 0; i < ys.size(); ++i) results[states + i].push_back(stack(ys[i]));
  }
  Values out;
  for (const List& r : results) out.push_back(stack(r));
  return out;
}

// Sequences.

int64_t place_in(A a, size_t input, int64_t size, int64_t otherwise) {
  const int64_t i = a.has(input) ? a.int_in(input) : otherwise, place = i < 0 ? i + size : i;
  STRATA_CHECK(0 <= place && place <= size, "load_onnx: {} at {} of {}", a.op(), i, size);
  return place;
}

Value inserted(A a) {
  Values list = a.value(0).toListRef();
  const auto size = static_cast<int64_t>(list.size());
  list.insert(list.begin() + place_in(a, 2, size, size), a.value(1));
  return list;
}

Value erased(A a) {
  Values list = a.value(0).toListRef();
  const auto size = static_cast<int64_t>(list.size());
  list.erase(list.begin() + std::min(place_in(a, 1, size, size - 1), size - 1));
  return list;
}

Value item_of(A a) {
  const Values& list = a.value(0).toListRef();
  const auto place = static_cast<size_t>(place_in(a, 1, static_cast<int64_t>(list.size()), 0));
  STRATA_CHECK(place < list.size(), "load_onnx: item {} of {}", place, list.size());
  return list[place];
}

Value split_to_sequence(A a) {
  const Tensor& x = a[0];
  const int64_t axis = wrapped(a.integer("axis", 0), x.dim());
  const bool keeps = a.flag("keepdims", true);
  if (!a.has(1)) {
    const List parts = keeps ? split(x, 1, axis) : unbind(x, axis);
    return values_of(parts);
  }
  const Ints sizes = a.ints_in(1);
  return values_of(a[1].dim() == 0 ? split(x, sizes[0], axis) : split_with_sizes(x, sizes, axis));
}

Tensor joined_sequence(A a) {
  const List list = tensors_in(a.value(0).toListRef());
  const int64_t axis = a.integer("axis");
  return a.flag("new_axis") ? stack(list, axis) : cat(list, axis);
}

/// The body for each element of the first sequence, and of the others that are sequences.
Values mapped_sequence(A a) {
  const size_t size = a.value(0).toListRef().size();
  std::vector<Values> out(a.outputs());
  for (size_t i = 0; i < size; ++i) {
    Values inputs;
    for (size_t k = 0; k < a.size(); ++k)
      inputs.push_back(a.value(k).isList() ? a.value(k).toListRef()[i] : a.value(k));
    const Values results = a.run_graph("body", std::move(inputs));
    for (size_t k = 0; k < out.size(); ++k) out[k].push_back(results[k]);
  }
  Values sequences;
  for (Values& list : out) sequences.emplace_back(std::move(list));
  return sequences;
}

constexpr OpEntry kControlOps[] = {
    {"If", [](A a) { return branch(a); }},
    {"Loop", [](A a) { return loop(a); }},
    {"Scan", [](A a) { return a.opset() == 8 ? scan_of_batch(a) : scan(a); }},
    {"SequenceEmpty", [](A a) { return a.ignore("dtype"), Value(Values()); }},
    {"SequenceConstruct", [](A a) { return Value(values_of(a.tensors())); }},
    {"SequenceInsert", [](A a) { return inserted(a); }},
    {"SequenceErase", [](A a) { return erased(a); }},
    {"SequenceAt", [](A a) { return item_of(a); }},
    {"SequenceLength", [](A a) { return scalar_tensor(static_cast<int64_t>(a.value(0).toListRef().size()), kLong); }},
    {"SequenceMap", [](A a) { return mapped_sequence(a); }},
    {"SplitToSequence", [](A a) { return split_to_sequence(a); }},
    {"ConcatFromSequence", [](A a) { return joined_sequence(a); }},
    {"Optional", [](A a) { return a.ignore("type"), a.value(0); }},
    {"OptionalHasElement", [](A a) { return scalar_tensor(!a.value(0).isNone(), kBool); }},
    {"OptionalGetElement", [](A a) { return a.value(0); }},
};

}  // namespace

std::span<const OpEntry> control_ops() { return kControlOps; }

}  // namespace strata::onnx
