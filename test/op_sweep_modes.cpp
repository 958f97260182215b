// What has no derivative or no batch: random ops in each mode of vmap, results that depend on data, outputs and inputs
// that carry no tangent.
#include "core/generator.h"
#include "core/grad_mode.h"
#include "ops/aliases.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/sort.h"
#include "ops/view.h"
#include "test/op_sweep.h"
#include "transforms/func.h"

namespace strata::test {
namespace {

using func::Randomness;

List outputs_of(const Call& c, const List& in) {
  const Tensors out = call(*c.op, ArgList(in), Params(c.params));
  return List(out.begin(), out.end());
}

/// The message that `f` throws; empty if it does not.
std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
void expect_error(const std::function<void()>& f, const std::string& says, const std::string& what) {
  const std::string message = message_of(f);
  expect(message.find(says) != std::string::npos, what + " says \"" + message + "\" and not \"" + says + "\"");
}

/// Three examples of a function of the inputs, which are the same for all unless `mapped`.
List examples(const std::function<List(const List&)>& f, const List& inputs, bool mapped, Randomness randomness) {
  const auto seeded = [&](const List& in, const Tensor&) {
    manual_seed(7);
    return f(in);
  };
  List in = inputs;
  for (Tensor& t : in)
    if (mapped && t.defined()) t = stacked(t, 3);
  const func::Dims dim = mapped ? func::Dims(0) : func::Dims(nullopt);
  return func::vmap(seeded, {.in_dims = {dim, 0}, .randomness = randomness})(in, zeros({3}));
}

bool all_equal(const Tensor& batch) {
  for (int64_t b = 1; b < batch.sizes()[0]; ++b)
    if (bytes(select(batch, 0, b)) != bytes(select(batch, 0, 0))) return false;
  return true;
}
bool all_differ(const Tensor& batch) {
  std::set<std::string> seen;
  for (int64_t b = 0; b < batch.sizes()[0]; ++b) seen.insert(bytes(select(batch, 0, b)));
  return static_cast<int64_t>(seen.size()) == batch.sizes()[0];
}

void check_random(const std::function<List(const List&)>& f, const List& inputs, const std::string& name) {
  expect_error([&] { examples(f, inputs, false, Randomness::error); }, "random inside vmap", name);
  manual_seed(7);
  const List eager = f(inputs);
  const List same = examples(f, inputs, false, Randomness::same),
             different = examples(f, inputs, false, Randomness::different),
             mapped = examples(f, inputs, true, Randomness::different);
  for (size_t k = 0; k < eager.size(); ++k) {
    if (eager[k].numel() < 2) continue;
    expect(all_equal(same[k]) && bytes(select(same[k], 0, 0)) == bytes(eager[k]), "the same numbers for all: " + name);
    for (const Tensor& t : {different[k], mapped[k]}) {
      expect(t.sizes().slice(1) == eager[k].sizes() && t.dtype() == eager[k].dtype(), "shape of random " + name);
      expect(all_differ(t), "different numbers for each: " + name);
    }
  }
}

/// Outputs that are not floating point, or that the op says have no derivative, are constants of every level.
void check_constant_outputs(const Call& c) {
  List duals = c.inputs, tracked = c.inputs;
  func::JvpLayer forward;
  {
    const LayerScope scope(forward);
    for (Tensor& t : duals)
      if (is_float(t)) t = forward.dual(t, uniform_values(t.sizes(), -1, 1, 3, t.dtype()));
    for (const Tensor& y : outputs_of(c, duals))
      if (c.op->is(kNotDifferentiable) || !is_float(y))
        expect(!forward.tangent(y).defined() && forward.primal(y).is_same(y),
               "jvp: an output is constant: " + c.text());
  }
  func::GradLayer reverse;
  const func::GradScope scope(reverse);
  for (Tensor& t : tracked)
    if (is_float(t)) t = reverse.track(t);
  for (const Tensor& y : outputs_of(c, tracked))
    if (c.op->is(kNotDifferentiable) || !is_float(y))
      expect(!reverse.edge(y) && reverse.value(y).is_same(y), "grad: an output is constant: " + c.text());
}

}  // namespace

TEST_CASE("random ops under vmap throw, draw once, or draw for each example") {
  const NoGradGuard no_grad;
  for (const Call& c : all_calls())
    if (is_random(c))
      guarded(c.text(), [&] { check_random([&](const List& in) { return outputs_of(c, in); }, c.inputs, c.text()); });
  const Tensor p = uniform_values({4, 5}, 0.2, 0.8);
  const std::pair<const char*, Function> composites[] = {
      {"dropout", [](const List& in) { return List{dropout(in[0], 0.4)}; }},
      {"feature_dropout", [](const List& in) { return List{feature_dropout(in[0].unsqueeze(0), 0.5)}; }},
      {"alpha_dropout", [](const List& in) { return List{alpha_dropout(in[0], 0.4)}; }},
      {"bernoulli", [](const List& in) { return List{bernoulli(in[0])}; }},
      {"normal", [](const List& in) { return List{normal(in[0], in[0])}; }},
      {"multinomial", [](const List& in) { return List{multinomial(in[0], 5, true)}; }},
      {"randn_like", [](const List& in) { return List{randn_like(in[0])}; }},
      {"normal_", [](const List& in) { return List{in[0].clone().normal_()}; }},
      {"uniform_", [](const List& in) { return List{in[0].clone().uniform_(-1, 1)}; }},
      {"bernoulli_", [](const List& in) { return List{in[0].clone().bernoulli_(0.5)}; }},
  };
  for (const auto& [name, f] : composites) guarded(name, [&, &f = f, &name = name] { check_random(f, {p}, name); });
}

TEST_CASE("results that depend on data throw under vmap") {
  const NoGradGuard no_grad;
  const auto under_vmap = [](const Function& f, const List& inputs) {
    List in = inputs;
    for (Tensor& t : in) t = stacked(t, 2);
    func::vmap(f)(in);
  };
  for (const Call& c : all_calls())
    if (c.op->is(kDataDependent))
      expect_error([&] { under_vmap([&](const List& in) { return outputs_of(c, in); }, c.inputs); }, "inside vmap",
                   c.text());
  const Tensor x = distinct({4});
  const std::pair<const char*, Function> functions[] = {
      {"item", [](const List& in) { return List{in[0] * sum(in[0]).item<double>()}; }},
      {"item", [](const List& in) { return in[0][0].item<double>() > 0 ? in : List{in[0] * -1}; }},
      {"equal", [](const List& in) { return equal(in[0], in[0]) ? in : List{}; }},
      {"nonzero", [](const List& in) { return List{nonzero(in[0])}; }},
      {"masked_select", [](const List& in) { return List{masked_select(in[0], in[0] > 0)}; }},
      {"index", [](const List& in) { return List{in[0].index({in[0] > 0})}; }},
      {"unique", [](const List& in) { return List{std::get<0>(_unique2(in[0]))}; }},
  };
  for (const auto& [name, f] : functions) expect_error([&, &f = f] { under_vmap(f, {x}); }, "inside vmap", name);
}

TEST_CASE("outputs without a derivative are constants under jvp and grad") {
  const NoGradGuard no_grad;
  for (const Call& c : all_calls())
    if (!updates_state(c)) guarded(c.text(), [&] { check_constant_outputs(c); });
}

}  // namespace strata::test
