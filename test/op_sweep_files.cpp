// For each primitive call, as a program of one equation: saved and loaded it gives the same bits, and with changed
// params, shapes and dtypes, as a file might have them that nobody vouches for, it is refused or runs.
#include <sstream>

#include "compile/compile.h"
#include "core/generator.h"
#include "core/grad_mode.h"
#include "dispatcher/field_list.h"
#include "exchange/argument_checks.h"
#include "exchange/program_file.h"
#include "ops/creation.h"
#include "ops/random.h"
#include "test/op_sweep.h"
#include "transforms/func.h"

namespace strata::test {
namespace {

using dispatch::Field;
using func::Program;

Program::Type type_of(const Tensor& t) { return {t.dtype(), t.device(), t.sizes()}; }

/// The call as a program, whose results have these types.
Program program_of(const Op& op, const OwnedParams& params, const std::vector<std::optional<Program::Type>>& inputs,
                   const std::vector<Program::Type>& results) {
  Program::Body body;
  Program::Equation e{&op, params, true, {}, {}};
  const auto define = [&](const Program::Type& t) {
    body.types.push_back(t);
    return static_cast<Program::Variable>(body.types.size() - 1);
  };
  for (const auto& t : inputs) body.inputs.push_back(t ? define(*t) : Program::kNone);
  e.inputs = body.inputs;
  for (const Program::Type& t : results) e.outputs.push_back(define(t));
  body.outputs = e.outputs;
  body.equations.push_back(std::move(e));
  return Program(std::move(body));
}

std::vector<std::optional<Program::Type>> types_of(const List& tensors) {
  std::vector<std::optional<Program::Type>> types;
  for (const Tensor& t : tensors) types.push_back(t.defined() ? std::optional(type_of(t)) : std::nullopt);
  return types;
}

std::string saved(const Program& program) {
  std::ostringstream out;
  save(program, static_cast<std::ostream&>(out));
  return out.str();
}
Program loaded(const std::string& bytes) { return Program::load(bytes.data(), bytes.size()); }

bool is_refused(const Op& op) {
  constexpr uint32_t flags = dispatch::kDataDependent | dispatch::kCustom | dispatch::kCollective |
                             dispatch::kUpdatesInputs | dispatch::kShowsMemory;
  return op.flags & flags || !op.params->read;
}

List contiguous_inputs(const Call& c) {
  List inputs;
  for (const Tensor& t : c.inputs) inputs.push_back(t.defined() ? contiguous_copy(t) : t);
  return inputs;
}

void check_file(const Call& c) {
  if (c.op->is(dispatch::kDataDependent) || c.op->is(dispatch::kCustom)) return;  // no trace has them
  const List inputs = contiguous_inputs(c);
  const Tensors results = c.run(inputs);
  std::vector<Program::Type> types;
  for (const Tensor& t : results) types.push_back(type_of(t));
  const Program program = program_of(*c.op, c.params, types_of(inputs), types);
  if (is_refused(*c.op)) {
    CHECK_THROWS_AS(saved(program), Error);
    return;
  }
  const std::string bytes = saved(program);
  const Program again = loaded(bytes);
  expect(again == program, "the loaded program is another one: " + c.text());
  expect(saved(again) == bytes, "saved again it has other bytes: " + c.text());
  manual_seed(3);
  const std::vector<Tensor> expected = program(inputs);
  manual_seed(3);
  const std::vector<Tensor> got = again(inputs);
  for (size_t i = 0; i < expected.size(); ++i)
    expect(test::bytes(expected[i]) == test::bytes(got[i]), "loaded it gives other bits: " + c.text());
}

/// A small deterministic generator of choices.
class Choices {
 public:
  explicit Choices(uint64_t seed) : state_(seed * 2654435761u + 1) {}
  size_t below(size_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state_ >> 33) % n;
  }
  template <class T, size_t N>
  T of(const T (&values)[N]) {
    return values[below(N)];
  }

 private:
  uint64_t state_;
};

int64_t changed(int64_t v, Choices& choices) {
  constexpr int64_t kExtremes[] = {-1, 0, 1, 2, 3, 5, 64, INT32_MAX, int64_t{1} << 31, INT64_MAX, INT64_MIN, -2};
  switch (choices.below(4)) {
    case 0:
      return static_cast<int64_t>(static_cast<uint64_t>(v) + 1);
    case 1:
      return static_cast<int64_t>(static_cast<uint64_t>(v) - 1);
    default:
      return choices.of(kExtremes);
  }
}

template <class List>
void change_list(List& list, Choices& choices) {
  switch (list.empty() ? 0 : choices.below(5)) {
    case 0:
      list.push_back(changed(1, choices));
      break;
    case 1:
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(choices.below(list.size())));
      break;
    case 2:
      std::reverse(list.begin(), list.end());
      break;
    default:
      int64_t& v = list[choices.below(list.size())];
      v = changed(v, choices);
  }
}

constexpr DType kSomeDTypes[] = {kBool, kByte, kInt, kLong, kHalf, kFloat, kDouble, kComplexFloat, kUInt64};

void change(Field& f, Choices& choices) {
  constexpr double kReals[] = {0, -1, 1e300, -1e300, 0.5, INFINITY, -INFINITY, NAN, 3};
  switch (f.kind) {
    case Field::Kind::kInteger:
      f.integers[0] = changed(f.integers[0], choices);
      break;
    case Field::Kind::kReal:
      f.reals[0] = choices.of(kReals);
      break;
    case Field::Kind::kBoolean:
      f.integers[0] = !f.integers[0];
      break;
    case Field::Kind::kIntegers:
      change_list(f.integers, choices);
      break;
    case Field::Kind::kText:
      f.text = choices.below(8) ? name(choices.of(kSomeDTypes)) : "cpu:0";
      break;
    case Field::Kind::kNumber:
      f.integers[1] = changed(f.integers[1], choices);
      f.reals[0] = choices.of(kReals);
  }
}

void change(std::optional<Program::Type>& type, Choices& choices) {
  if (!type || choices.below(12) == 0) {
    type = type ? std::optional<Program::Type>() : Program::Type{kDouble, kCPU, {2}};
  } else if (choices.below(4) == 0) {
    type->dtype = choices.of(kSomeDTypes);
  } else {
    std::vector<int64_t> sizes(type->sizes.begin(), type->sizes.end());
    change_list(sizes, choices);
    type->sizes = IntArrayRef(sizes);
  }
}

/// A call as a file might have it.
struct Hostile {
  const Op* op;
  std::vector<Field> fields;
  std::vector<std::optional<Program::Type>> inputs;

  void change_something(Choices& choices) {
    const size_t what = choices.below(fields.size() + inputs.size() + 1);
    if (what < fields.size())
      change(fields[what], choices);
    else if (what < fields.size() + inputs.size())
      change(inputs[what - fields.size()], choices);
    else if (!inputs.empty() && choices.below(2))
      inputs.pop_back();
    else if (!inputs.empty())
      inputs.push_back(inputs[choices.below(inputs.size())]);
  }

  /// Nothing where it is refused.
  std::optional<Program> accepted() const {
    std::vector<const Program::Type*> types;
    for (const auto& t : inputs) types.push_back(t ? &*t : nullptr);
    try {
      const OwnedParams params = dispatch::params_of(*op->params, fields);
      if (dispatch::fields_of(params) != fields) return {};
      return program_of(*op, params, inputs, func::exchange::checked_outputs(*op, types, params));
    } catch (const Error&) {
      return {};
    }
  }
};

bool is_small(const Program& p) {
  constexpr int64_t kMost = 1 << 20;
  const auto fits = [](const Program::Type& t) {
    return t.device.is_cpu() && numel_of(t.sizes) <= kMost &&
           std::all_of(t.sizes.begin(), t.sizes.end(), [](int64_t n) { return n <= kMost; });
  };
  return std::all_of(p.body().types.begin(), p.body().types.end(), fits);
}

/// The call's own values where the type is still theirs, else zeros and ones, or integers that are no indices.
List inputs_for(const Hostile& h, const List& own, Choices& choices) {
  List inputs;
  for (size_t i = 0; i < h.inputs.size(); ++i) {
    const auto& type = h.inputs[i];
    const bool fits = type && i < own.size() && own[i].defined() && type_of(own[i]) == *type;
    if (!type)
      inputs.emplace_back();
    else if (fits && !(is_integral(type->dtype, false) && choices.below(3) == 0))
      inputs.push_back(own[i]);
    else
      inputs.push_back(
          full(type->sizes, is_integral(type->dtype, false) ? changed(1, choices) : 1, kLong).to(type->dtype));
    if (type && choices.below(3) == 0) inputs.back() = in_layout(inputs.back(), reversed_like(inputs.back()));
  }
  return inputs;
}

template <class F>
void run_or_refuse(F f) {
  try {
    f();
  } catch (const Error&) {
  }
}

void run_all_ways(const Program& program, const List& inputs) {
  run_or_refuse([&] { program(inputs); });
  const auto f = [&](const List& x) { return program(x); };
  run_or_refuse([&] {
    auto [outputs, pullback] = func::vjp(f, inputs);
    for (Tensor& t : outputs) t = t.defined() && is_float(t) ? ones_like(t) : Tensor();
    pullback(outputs);
  });
  run_or_refuse([&] { func::compile(f)(inputs); });
  run_or_refuse([&] {
    List stacks;
    for (const Tensor& t : inputs) stacks.push_back(t.defined() ? stacked(t, 2) : t);
    func::vmap(f)(stacks);
  });
}

/// How many of `count` changed calls are accepted.
int64_t fuzz(const Call& c, size_t count) {
  const List own = contiguous_inputs(c);
  const Hostile original{c.op, dispatch::fields_of(c.params), types_of(own)};
  int64_t accepted = 0;
  for (size_t i = 0; i < count; ++i) {
    Choices choices(i);
    Hostile h = original;
    for (size_t n = choices.below(3) + 1; n > 0; --n) h.change_something(choices);
    const std::optional<Program> program = h.accepted();
    if (!program || !is_small(*program)) continue;
    ++accepted;
    run_all_ways(*program, inputs_for(h, own, choices));
  }
  return accepted;
}

}  // namespace

TEST_CASE("programs from files give the bits of those that were saved") {
  const NoGradGuard no_grad;
  for (const Call& c : all_calls()) guarded("file of " + c.text(), [&] { check_file(c); });
}

TEST_CASE("every op says what it asks of a call from a file") {
  for (const Op& op : all_ops()) {
    INFO(op.name());
    CHECK(func::exchange::has_checks(op) == !is_refused(op));
  }
}

TEST_CASE("calls with changed params and shapes are refused or run") {
  const NoGradGuard no_grad;
  std::map<const Op*, int> seen;
  int64_t accepted = 0;
  for (const Call& c : all_calls()) {
    if (is_refused(*c.op) || !is_small(program_of(*c.op, c.params, types_of(c.inputs), {})) || seen[c.op]++ >= 2)
      continue;
    guarded("changed " + c.text(), [&] { accepted += fuzz(c, 20); });
  }
  CHECK(accepted > 1000);
}

}  // namespace strata::test
