// For each sample and each primitive call, through trace: the program gives the function's bits on inputs of any
// layout, and its derivatives are those of the function.
#include <algorithm>

#include "autograd/autograd.h"
#include "compile/aot.h"
#include "core/generator.h"
#include "core/grad_mode.h"
#include "test/op_sweep.h"
#include "transforms/func.h"

namespace strata::test {
namespace {

constexpr int64_t kBiggestTraced = 300;  // elements per input; bigger samples are there for vector edges alone

struct TracedSubject {
  std::string text;
  List inputs;
  Function f;
  bool data_dependent = false, writes = false, strides_count = false, random = false;
  bool asks = false;  ///< whether gradients are wanted, which is not known inside a trace, and computes accordingly
};

void look_at(TracedSubject& s, const Call& c) {
  s.data_dependent |= c.op->is(kDataDependent);
  s.writes |= updates_state(c);
  s.strides_count |= c.op->name() == "as_strided";
  s.random |= is_random(c);
  s.asks |= c.op->name() == "svdvals" || c.op->name() == "eigvalsh";
}

TracedSubject traced_sample(const Sample& s, const std::string& text) {
  TracedSubject subject{text, s.inputs, s.f};
  Recording recording;
  s.f(s.inputs);
  for (const Call& c : recording.calls) look_at(subject, c);
  return subject;
}

TracedSubject traced_call(const Call& c) {
  const auto f = [&c](const List& in) {
    const Tensors out = call(*c.op, ArgList(in), Params(c.params));
    return List(out.begin(), out.end());
  };
  TracedSubject subject{c.text(), c.inputs, f};
  look_at(subject, c);
  return subject;
}

bool is_small_to_trace(const List& inputs) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [](const Tensor& t) { return !t.defined() || t.numel() <= kBiggestTraced; });
}

/// Calls `check` for the samples of the table and for the primitive calls that they and their rules make.
void for_traced_subjects(bool big_too, void (*check)(const TracedSubject&)) {
  const NoGradGuard no_grad;
  for (const Row& row : table())
    for (size_t i = 0; i < row.samples.size(); ++i)
      if (big_too || is_small_to_trace(row.samples[i].inputs)) {
        const std::string text = "row " + row.op + " sample " + std::to_string(i);
        guarded(text, [&] { check(traced_sample(row.samples[i], text)); });
      }
  for (const Call& c : all_calls())
    if (big_too || is_small_to_trace(c.inputs)) guarded(c.text(), [&] { check(traced_call(c)); });
}

bool all_close(const List& a, const List& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Tensor& x, const Tensor& y) {
    return x.defined() == y.defined() && (!x.defined() || (x.dtype() == y.dtype() && close(x, y)));
  });
}

/// The program of a subject, or none where a result's shape depends on data: that has to be said.
std::optional<func::Traced<List, List>> traced(const TracedSubject& s) {
  try {
    return func::trace(s.f)(s.inputs);
  } catch (const Error& e) {
    expect(std::string(e.what()).find("inside trace") != std::string::npos, s.text + ": " + e.what());
    expect(s.data_dependent || s.text.starts_with("row"), s.text + " does not trace: " + e.what());
    return std::nullopt;
  }
}

List run_seeded(const Function& f, const List& inputs) {
  manual_seed(7);
  return f(inputs);
}

/// What a function says against some inputs; empty where it takes them.
std::string refusal(const Function& f, const List& inputs) {
  try {
    run_seeded(f, inputs);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// Inputs of another layout give the same numbers, or are refused as eager code refuses them. as_strided gives what
/// eager code does, as it shows how they lie in memory, or is refused by programs alone.
void check_compiled_layout(const TracedSubject& s, const Function& compiled, const List& inputs, const List& expected) {
  const std::string refused = refusal(compiled, inputs);
  const bool shows_memory = s.text.starts_with("as_strided(");
  if (refused.empty())
    expect(all_close(run_seeded(compiled, inputs), shows_memory ? run_seeded(s.f, inputs) : expected),
           s.text + ": compiled, in another layout");
  else
    expect(!refusal(s.f, inputs).empty() || refused.find("it takes row-major tensors") != refused.npos,
           s.text + ": compiled, in another layout: " + refused);
}

/// Compiled, it gives the bits of the calls, twice, and the same numbers for inputs of another layout.
void check_compiled(const TracedSubject& s, const List& inputs, const List& expected) {
  const auto compiled = func::compile(s.f);
  for (const char* when : {"first", "second"})
    expect(same_bits(run_seeded(compiled, inputs), expected), s.text + ": compiled, the " + when + " call differs");
  check_compiled_layout(s, compiled, laid_out(s.inputs, strided_like), expected);
  check_compiled_layout(s, compiled, laid_out(s.inputs, reversed_like), expected);
}

void check_run(const TracedSubject& s) {
  if (s.writes) return;
  const List inputs = laid_out(s.inputs, contiguous_copy), expected = run_seeded(s.f, inputs);
  const auto program = traced(s);
  if (!program) return;
  expect(same_bits(run_seeded(*program, inputs), expected), s.text + ": the program differs");
  expect(all_close(run_seeded(*program, laid_out(s.inputs, strided_like)), expected), s.text + ": strided inputs");
  expect(all_close(run_seeded(*program, laid_out(s.inputs, reversed_like)), expected), s.text + ": reversed dims");
  check_compiled(s, inputs, expected);
  expect(func::trace(s.f)(s.inputs) == *program, s.text + ": tracing again gives another program");
  expect(func::trace(*program)(s.inputs) == *program, s.text + ": tracing the program gives another program");
}

/// Gradients of the floating point inputs for fixed cotangents of the floating point outputs.
List gradients(const Function& f, const List& inputs) {
  List variables;
  for (const Tensor& t : inputs)
    if (is_float(t)) variables.push_back(t);
  const auto of_variables = [&](const List& x) {
    List all = inputs;
    size_t next = 0;
    for (Tensor& t : all)
      if (is_float(t)) t = x[next++];
    return f(all);
  };
  auto [outputs, pullback] = func::vjp(of_variables, variables);
  unsigned seed = 3;
  for (Tensor& t : outputs) t = is_float(t) ? uniform_values(t.sizes(), -1, 1, seed++, t.dtype()) : Tensor();
  return pullback(outputs);
}

void check_derivatives(const TracedSubject& s) {
  if (s.writes || s.random || std::none_of(s.inputs.begin(), s.inputs.end(), is_float)) return;
  const List inputs = laid_out(s.inputs, contiguous_copy);
  const auto program = traced(s);
  if (!program) return;
  const auto derivative = [&](const List& in) { return gradients(s.f, in); };
  const List expected = derivative(inputs);
  expect(same_bits(gradients(*program, inputs), expected), s.text + ": the program's gradient differs");
  expect(same_bits(func::trace(derivative)(inputs)(inputs), expected), s.text + ": the gradient's program differs");
}

/// What a function gives and, after backward() from fixed cotangents, the gradients of its floating point inputs.
List values_and_gradients(const Function& f, const List& inputs) {
  const EnableGradGuard recording;
  List leaves, results, roots, cotangents;
  for (const Tensor& t : inputs) leaves.push_back(is_float(t) ? t.detach().requires_grad_() : t);
  unsigned seed = 3;
  for (const Tensor& t : run_seeded(f, leaves)) {
    results.push_back(t.defined() ? t.detach() : t);
    if (!t.defined() || !t.requires_grad()) continue;
    roots.push_back(t);
    cotangents.push_back(uniform_values(t.sizes(), -1, 1, seed++, t.dtype()));
  }
  if (!roots.empty()) autograd::backward(roots, cotangents);
  for (const Tensor& t : leaves) results.push_back(is_float(t) ? t.grad() : Tensor());
  return results;
}

bool throws(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error&) {
    return true;
  }
  return false;
}

void check_ahead_of_time(const TracedSubject& s) {
  if (s.writes || s.data_dependent || std::none_of(s.inputs.begin(), s.inputs.end(), is_float)) return;
  const List inputs = laid_out(s.inputs, contiguous_copy);
  List expected;
  if (throws([&] { expected = values_and_gradients(s.f, inputs); })) return;  // has no derivative
  for (const double budget : {1.0, 0.0}) {
    const auto ahead = func::aot(s.f, {.memory_budget = budget});
    const List got = values_and_gradients(ahead, inputs);
    expect(s.asks ? all_close(got, expected) : same_bits(got, expected), s.text + ": aot differs");
  }
}

/// The program's tangents, and those of the linear program, against jvp.
void check_tangents(const TracedSubject& s) {
  if (s.writes || s.random || std::none_of(s.inputs.begin(), s.inputs.end(), is_float)) return;
  const List inputs = laid_out(s.inputs, contiguous_copy);
  const auto program = traced(s);
  if (!program) return;
  List tangents;
  for (const Tensor& t : inputs)
    tangents.push_back(is_float(t) ? uniform_values(t.sizes(), -1, 1, 5, t.dtype()) : Tensor());
  const List expected = func::jvp(s.f, inputs, tangents).second;
  expect(same_bits(func::jvp(*program, inputs, tangents).second, expected), s.text + ": the program's jvp differs");
  const auto [value, push] = func::linearize(s.f, inputs);
  expect(same_bits(value, s.f(inputs)), s.text + ": linearize gives another value");
  expect(same_bits(push(tangents), expected), s.text + ": linearize gives another tangent");
}

void check_batches(const TracedSubject& s) {
  if (s.writes || s.random || s.inputs.empty()) return;
  const auto program = traced(s);
  if (!program) return;
  List stacks;
  for (const Tensor& t : s.inputs) stacks.push_back(t.defined() ? stacked(t, 3) : t);
  const List expected = func::vmap(s.f)(stacks);
  expect(same_bits(func::vmap(*program)(stacks), expected), s.text + ": the program's vmap differs");
  expect(same_bits(func::trace(func::vmap(s.f))(stacks)(stacks), expected), s.text + ": the vmap's program differs");
}

/// Counts the fields of a params struct.
class FieldCount final : public FieldVisitor {
 public:
  void integer(int64_t) override { ++count; }
  void real(double) override { ++count; }
  void boolean(bool) override { ++count; }
  void integers(IntArrayRef) override { ++count; }
  void text(std::string_view) override { ++count; }
  void number(const Scalar&) override { ++count; }
  int64_t count = 0;
};

}  // namespace

TEST_CASE("programs give what their functions give, on inputs of any layout") { for_traced_subjects(true, check_run); }
TEST_CASE("gradients of programs and programs of gradients equal gradients") {
  for_traced_subjects(false, check_derivatives);
}
TEST_CASE("aot gives the values and gradients of eager calls") { for_traced_subjects(false, check_ahead_of_time); }
TEST_CASE("tangents of programs and of linearized functions equal jvp") { for_traced_subjects(false, check_tangents); }
TEST_CASE("vmap of programs and programs of vmap equal vmap") { for_traced_subjects(false, check_batches); }

TEST_CASE("schemas name every param") {
  for (const Call& c : all_calls()) {
    if (c.op->is(kRandom) || c.op->is(kDataDependent)) continue;
    FieldCount fields;
    Params(c.params).visit_fields(fields);
    const func::Program::Equation equation{c.op, c.params, true, {}, {0}};
    const std::string text = func::Program({{{kFloat, kCPU, {}}}, {}, {}, {equation}, {0}}).str();
    expect(std::count(text.begin() + text.find('=') + 1, text.end(), '=') == fields.count, text);
  }
}

}  // namespace strata::test
