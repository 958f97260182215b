// For each sample and each primitive call, through the transform layers: vmap against a loop, jvp against vjp, and
// nested transforms against eager gradients.
#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "core/grad_mode.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/view.h"
#include "test/op_sweep.h"
#include "transforms/func.h"

namespace strata::test {
namespace {

using func::Dims;
using Picks = std::vector<int>;

constexpr int64_t kBiggest = 3000;  // elements per input, as in all_calls()
constexpr int kVariants = 4;

/// A function with inputs to try it on: a sample of the table, composites included, or one primitive call.
struct Subject {
  std::string text;
  List inputs;
  Function f;
  size_t constants_from = 99;
  bool random = false, data_dependent = false, writes = false;
  const Op* op = nullptr;  ///< of a primitive call

  bool is_variable(size_t i) const { return i < constants_from && is_float(inputs[i]); }
  bool all_double() const {
    return std::all_of(inputs.begin(), inputs.end(), [](const Tensor& t) { return !is_float(t) || is_double(t); });
  }
};

bool is_small(const List& inputs) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [](const Tensor& t) { return !t.defined() || t.numel() <= kBiggest; });
}

Subject of_sample(const Sample& s, const std::string& text) {
  Subject subject{text, s.inputs, s.f, s.constants_from};
  Recording recording;
  s.f(s.inputs);
  for (const Call& c : recording.calls) {
    subject.random |= is_random(c);
    subject.data_dependent |= c.op->is(kDataDependent);
    subject.writes |= updates_state(c);
  }
  return subject;
}

Subject of_call(const Call& c) {
  const auto f = [&c](const List& in) {
    const Tensors out = call(*c.op, ArgList(in), Params(c.params));
    return List(out.begin(), out.end());
  };
  return {c.text(), c.inputs, f, constants_from(*c.op), is_random(c), c.op->is(kDataDependent), updates_state(c), c.op};
}

bool is_differentiable(const Op& op) { return !op.is(kNotDifferentiable); }

/// Do elements of this view share memory? Writing to it makes no sense then.
bool overlaps(const Tensor& view) {
  std::set<int64_t> places;
  for_each_index(view.sizes(), [&](const std::vector<int64_t>& index) {
    int64_t at = 0;
    for (size_t d = 0; d < index.size(); ++d) at += index[d] * view.strides()[d];
    places.insert(at);
  });
  return static_cast<int64_t>(places.size()) < view.numel();
}

/// What a view op shows is written to, then its base; a second view of the same was made before.
Subject of_write(const Call& c) {
  const auto f = [&c](const List& in) {
    const Tensor base = in[0].clone();
    const auto view = [&] { return call(*c.op, {&base}, Params(c.params))[0]; };
    Tensor older = view(), written = view(), whole = base;
    written.mul_(uniform_values(written.sizes(), 0.5, 2, 5, written.dtype()));
    whole.add_(numbers_of(older).sum());
    written.mul_(older);
    return List{base, written, older};
  };
  return {"a write through " + c.text(), c.inputs, f};
}
bool is_writable(const Call& c) {
  return c.op->is(kView) && is_differentiable(*c.op) && c.op->name() != "expand" && is_float(c.inputs[0]) &&
         !overlaps(c.run()[0]);
}

/// Calls whose derivatives rely on what their callers see to: a total that is the sum of the weights, and places that
/// are written once, and pivots that are not zero. The rotated inputs of a batch break that; those of the rows nll_loss
/// and scatter do not. An inverse or a root stands beside its matrix, whose rank stays the same, and the bases of
/// a full SVD and the phases of eigenvectors are free: there the samples' second derivatives are checked alone.
bool relies_on_caller(const Subject& s) {
  if (!s.op) return false;
  const bool in_batch_rule = s.text.find("in the batch rule of") != std::string::npos;
  const bool chooses_bases = s.op->name() == "svd" && s.f(s.inputs)[0].size(-1) != s.f(s.inputs)[2].size(-2);
  static const std::set<std::string_view> beside = {"inverse", "pinv", "matrix_sqrth"};
  const bool is_beside = beside.count(s.op->name()) > 0;
  const bool breaks = s.op->name() == "scatter" || s.op->name() == "lu_factor_without_pivots";
  return s.op->name() == "nll_loss_backward" || is_beside || s.op->name() == "eig" || chooses_bases ||
         (breaks && in_batch_rule);
}

/// Samples first, then the primitive calls that they and the rules make, and writes through the views among them.
const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = [] {
    const NoGradGuard no_grad;
    std::vector<Subject> list;
    for (const Row& row : table())
      for (size_t i = 0; i < row.samples.size(); ++i)
        if (is_small(row.samples[i].inputs))
          list.push_back(of_sample(row.samples[i], "row " + row.op + " sample " + std::to_string(i)));
    for (const Call& c : all_calls())
      if (is_small(c.inputs)) list.push_back(of_call(c));
    for (const Call& c : all_calls())
      if (is_small(c.inputs) && is_writable(c)) list.push_back(of_write(c));
    return list;
  }();
  return all;
}

/// Runs a check on all subjects and returns the ops of the primitive calls to which it applied.
std::set<const Op*> for_subjects(bool (*check)(const Subject&)) {
  std::set<const Op*> checked;
  for (const Subject& s : subjects())
    if (!s.random && !s.data_dependent && !s.writes)
      guarded(s.text, [&] {
        if (check(s)) checked.insert(s.op);
      });
  return checked;
}

/// Ops that are not checked by themselves: they have no tensor to map, belong to other devices, write their inputs (see
/// updates_state), are the matter of op_sweep_modes.cpp, or are reached through nll_loss alone (see relies_on_caller).
bool is_left_out(const Op& op) {
  static const std::set<std::string_view> names = {
      "arange", "linspace", "transfer", "axis_index", "nll_loss_backward", "inverse", "pinv", "eig", "matrix_sqrth"};
  return names.count(op.name()) > 0 || op.name().starts_with("foreach_") || op.is(kUpdatesInputs) || op.is(kRandom) ||
         op.is(kDataDependent) || holds_programs(op) || is_left_out_of_build(op);
}

/// Fails for each op of the library that a check never reached though it `applies`.
void expect_reached(const std::set<const Op*>& reached, bool (*applies)(const Op&)) {
  for (const Op& op : all_ops())
    if (applies(op) && !is_left_out(op))
      expect(reached.count(&op) > 0, "no call was checked of " + std::string(op.schema));
}

/// `stack` stored with its first dimension at `dim`.
Tensor with_front_at(const Tensor& stack, int64_t dim) {
  return dim == 0 ? stack : contiguous_copy(movedim(stack, 0, dim));
}

/// Variants of a subject's inputs and what the function gives for each choice of them.
class Family {
 public:
  explicit Family(const Subject& s) : s_(s) {
    for (const Tensor& t : s.inputs) stacks_.push_back(t.defined() ? stacked(t, kVariants) : t);
  }
  /// The first `size` variants of input i, stacked.
  Tensor stack(size_t i, int64_t size) const { return narrow(stacks_[i], 0, 0, size); }
  List inputs(const Picks& picks) const {
    List in = stacks_;
    for (size_t i = 0; i < in.size(); ++i)
      if (in[i].defined()) in[i] = contiguous_copy(entry(in[i], picks[i]));
    return in;
  }
  const List& outputs(const Picks& picks) {
    const auto found = known_.find(picks);
    return found != known_.end() ? found->second : known_.emplace(picks, s_.f(inputs(picks))).first->second;
  }
  size_t arity() const { return stacks_.size(); }
  bool has(size_t i) const { return stacks_[i].defined(); }
  const Subject& subject() const { return s_; }

 private:
  const Subject& s_;
  List stacks_;
  std::map<Picks, List> known_;
};

/// `Dims` for a function of one list: `dim` for the tensors in `mapped`.
Dims dims_of(const std::vector<bool>& mapped, int64_t dim) {
  std::vector<Dims> list;
  for (bool m : mapped) list.push_back(m ? Dims(dim) : Dims(nullopt));
  return Dims(std::vector<Dims>(1, Dims(std::move(list))));
}

std::string mask_text(const std::vector<bool>& mapped) {
  std::string s;
  for (bool m : mapped) s += m ? 'B' : '-';
  return s;
}

/// vmap over the inputs in `mapped`, stored with the batch at `dim`, gives at `out_dim` what a loop gives.
void check_vmap(Family& family, const std::vector<bool>& mapped, int64_t size, int64_t dim, int64_t out_dim) {
  List in = family.inputs(Picks(family.arity(), 0));
  for (size_t i = 0; i < in.size(); ++i)
    if (mapped[i]) in[i] = with_front_at(family.stack(i, size), dim);
  const List out = func::vmap(family.subject().f, {.in_dims = dims_of(mapped, dim), .out_dims = out_dim})(in);
  const std::string text =
      detail::format_message("vmap of {} examples at {}, inputs {}: ", {size, dim, mask_text(mapped)}) +
      family.subject().text;
  const List& one = family.outputs(Picks(family.arity(), 0));
  for (size_t k = 0; k < one.size(); ++k) {
    DimVector sizes = one[k].sizes();
    sizes.insert(out_dim < 0 ? one[k].dim() : out_dim, size);
    expect(out[k].sizes() == sizes, "shape of " + text);
    if (!(out[k].sizes() == sizes)) return;
  }
  for (int64_t b = 0; b < size; ++b) {
    Picks picks;
    for (bool m : mapped) picks.push_back(m ? static_cast<int>(b) : 0);
    const List& expected = family.outputs(picks);
    for (size_t k = 0; k < out.size(); ++k) expect(close(select(out[k], out_dim, b), expected[k]), text);
  }
}

int64_t most_dims(const Family& family, const std::vector<bool>& mapped) {
  int64_t dims = 0;
  for (size_t i = 0; i < mapped.size(); ++i)
    if (mapped[i]) dims = std::max(dims, family.stack(i, 1).dim() - 1);
  return dims;
}
int64_t fewest_dims(const Family& family, const std::vector<bool>& mapped) {
  int64_t dims = 64;
  for (size_t i = 0; i < mapped.size(); ++i)
    if (mapped[i]) dims = std::min(dims, family.stack(i, 1).dim() - 1);
  return dims;
}

void check_in_dims(Family& family, const std::vector<bool>& mapped) {
  check_vmap(family, mapped, 2, 0, 0);
  if (most_dims(family, mapped) > 0) check_vmap(family, mapped, 2, -1, -1);
  if (fewest_dims(family, mapped) > 1) check_vmap(family, mapped, 2, 1, 0);
}

/// Two levels: the inner one sees dimension 0, the outer one the last.
void check_nested(Family& family, const std::vector<bool>& outer, const std::vector<bool>& inner) {
  List in = family.inputs(Picks(family.arity(), 0));
  for (size_t i = 0; i < in.size(); ++i) {
    if (!outer[i] && !inner[i]) continue;
    if (outer[i] && inner[i])
      in[i] = unflatten(family.stack(i, 4), 0, {2, 2});
    else
      in[i] = family.stack(i, 2);
    if (outer[i]) in[i] = with_front_at(in[i], -1);
  }
  const auto each = func::vmap(family.subject().f, {.in_dims = dims_of(inner, 0)});
  const List out = func::vmap(each, {.in_dims = dims_of(outer, -1)})(in);
  for (int o : {0, 1})
    for (int n : {0, 1}) {
      Picks picks;
      for (size_t i = 0; i < in.size(); ++i)
        picks.push_back(outer[i] && inner[i] ? 2 * o + n : outer[i] ? o : inner[i] ? n : 0);
      const List& expected = family.outputs(picks);
      for (size_t k = 0; k < out.size(); ++k)
        expect(close(select(select(out[k], 0, o), 0, n), expected[k]),
               detail::format_message("vmap of vmap, inputs {} in {}: ", {mask_text(inner), mask_text(outer)}) +
                   family.subject().text);
    }
}

bool check_batches(const Subject& s) {
  Family family(s);
  const size_t n = family.arity();
  std::vector<bool> all, even, odd;
  size_t defined = 0;
  for (size_t i = 0; i < n; ++i) {
    all.push_back(family.has(i));
    even.push_back(family.has(i) && defined % 2 == 0);
    odd.push_back(family.has(i) && defined % 2 == 1);
    defined += family.has(i);
  }
  if (defined == 0) return false;
  check_in_dims(family, all);
  for (int64_t size : {0, 1}) check_vmap(family, all, size, 0, 0);
  check_nested(family, all, all);
  if (defined == 1) return true;
  check_nested(family, even, odd);
  for (size_t i = 0; i < n; ++i) {
    if (!family.has(i)) continue;
    std::vector<bool> alone(n, false), others = all;
    alone[i] = true;
    others[i] = false;
    check_in_dims(family, alone);
    if (defined > 2) check_vmap(family, others, 2, 0, 0);
  }
  return true;
}

// --- derivatives

/// The inputs to differentiate and the others, each undefined where the other is.
struct Split {
  List variables, constants;
  Split(const Subject& s, const List& inputs) : constants(inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!s.is_variable(i)) continue;
      variables.push_back(inputs[i]);
      constants[i] = Tensor();
    }
  }
};

List joined(const Subject& s, const List& variables, const List& constants) {
  List in = constants;
  size_t next = 0;
  for (size_t i = 0; i < in.size(); ++i)
    if (s.is_variable(i)) in[i] = variables[next++];
  return in;
}

bool check_transposed(const Subject& s) {
  const Split x(s, s.inputs);
  if (x.variables.empty()) return false;
  const auto f = [&](const List& v) { return s.f(joined(s, v, x.constants)); };
  const List expected = s.f(s.inputs), t = random_like(x.variables, 3), c = random_like(expected, 17);
  const auto [y, tangents] = func::jvp(f, x.variables, t);
  const auto [z, pullback] = func::vjp(f, x.variables);
  bool floating = s.all_double();
  for (size_t k = 0; k < y.size(); ++k) {
    expect(close(y[k], expected[k], 0) && close(z[k], expected[k], 0), "value inside jvp and vjp of " + s.text);
    expect(tangents[k].sizes() == y[k].sizes() && tangents[k].dtype() == y[k].dtype(), "tangent of " + s.text);
    floating &= !is_float(y[k]) || is_double(y[k]);
  }
  const List pulled = pullback(c);
  const Sum a = sum_of_products(c, tangents, c.size()), b = sum_of_products(pulled, t, pulled.size());
  const double eps = floating ? 1e-10 : 2e-2;
  const bool ok =
      std::abs(a.value - b.value) <= eps * (a.scale + b.scale + 1e-3) || (std::isnan(a.value) && std::isnan(b.value));
  expect(ok, detail::format_message("jvp {} against vjp {} through the layers: ", {a.value, b.value}) + s.text);
  return true;
}

// --- nested derivatives

/// A number that has second derivatives even where f is linear: the weighted squares of all outputs.
Tensor loss_of(const List& outputs) {
  Tensor total = zeros({}, kDouble);
  unsigned seed = 21;
  for (const Tensor& output : outputs) {
    if (!is_float(output)) continue;
    const Tensor y = numbers_of(output);
    total = add(total, sum(mul(mul(y, y), uniform_values(y.sizes(), -1, 1, seed++, y.dtype()))));
  }
  return total;
}

List leaves_of(const List& variables) {
  List leaves;
  for (const Tensor& v : variables) leaves.push_back(contiguous_copy(v).requires_grad_());
  return leaves;
}

/// Eager gradients, which can be differentiated again; zeros where nothing depends on a leaf.
List gradients(const Tensor& y, const List& leaves) {
  List g(leaves.size());
  if (y.requires_grad()) g = autograd::grad({y}, leaves, {}, true, true, true);
  for (size_t i = 0; i < g.size(); ++i)
    if (!g[i].defined()) g[i] = zeros_like(leaves[i]);
  return g;
}

/// Gradients of the loss, and their derivative along `t`: two eager backward runs, no layers.
struct Eager {
  List gradient, product;
  bool depends = false;
  Eager(const Subject& s, const Split& at, const List& t) {
    const AutoGradMode recording(true);
    const List leaves = leaves_of(at.variables);
    const Tensor loss = loss_of(s.f(joined(s, leaves, at.constants)));
    gradient = gradients(loss, leaves);
    depends = loss.requires_grad();
    Tensor along = zeros({}, kDouble);
    for (size_t i = 0; i < t.size(); ++i) along = add(along, sum(mul(numbers_of(gradient[i]), numbers_of(t[i]))));
    product = gradients(along, leaves);
  }
};

void expect_all(const List& got, const List& expected, const std::string& what) {
  for (size_t i = 0; i < expected.size(); ++i) expect(close(got[i].detach(), expected[i].detach(), 10), what);
}

void expect_each(const List& got, const std::vector<List>& expected, const std::string& what) {
  for (size_t b = 0; b < expected.size(); ++b)
    for (size_t i = 0; i < expected[b].size(); ++i)
      expect(close(select(got[i], 0, static_cast<int64_t>(b)), expected[b][i].detach(), 10), what);
}

List stack_of(const Family& family, bool variables) {
  List all;
  for (size_t i = 0; i < family.arity(); ++i) {
    const bool wanted = family.has(i) && family.subject().is_variable(i) == variables;
    if (wanted)
      all.push_back(family.stack(i, 2));
    else if (!variables)
      all.emplace_back();
  }
  return all;
}

bool check_nestings(const Subject& s) {
  if (!s.all_double() || relies_on_caller(s)) return false;
  const Family family(s);
  const Split x(s, s.inputs), x1(s, family.inputs(Picks(family.arity(), 1)));
  if (x.variables.empty()) return false;
  const List t = random_like(x.variables, 3), t1 = random_like(x.variables, 31);
  const Eager e(s, x, t), e1(s, x1, t1);
  if (!e.depends) return false;
  const auto loss = [&s](const List& v, const List& c) { return loss_of(s.f(joined(s, v, c))); };
  const auto gradient = func::grad(loss);
  const auto forward_over_reverse = [&](const List& v, const List& c, const List& along) {
    return func::jvp([&](const List& w) { return gradient(w, c); }, v, along).second;
  };
  const auto forward = [&](const List& v) {
    return func::jvp([&](const List& w) { return loss(w, x.constants); }, v, t).second;
  };
  expect_all(gradient(x.variables, x.constants), e.gradient, "grad of " + s.text);
  expect_all(forward_over_reverse(x.variables, x.constants, t), e.product, "jvp of grad of " + s.text);
  expect_all(func::grad(forward)(x.variables), e.product, "grad of jvp of " + s.text);

  const List variables = stack_of(family, true), constants = stack_of(family, false);
  List along;
  for (size_t i = 0; i < t.size(); ++i) along.push_back(stack({t[i], t1[i]}, 0));
  expect_each(func::vmap(gradient)(variables, constants), {e.gradient, e1.gradient}, "vmap of grad of " + s.text);
  const auto total = [&](const List& v) { return sum(func::vmap(loss)(v, constants)); };
  expect_each(func::grad(total)(variables), {e.gradient, e1.gradient}, "grad of vmap of " + s.text);
  expect_each(func::vmap(forward_over_reverse)(variables, constants, along), {e.product, e1.product},
              "vmap of jvp of grad of " + s.text);
  const AutoGradMode recording(true);
  const List leaves = leaves_of(variables);
  expect_each(gradients(total(leaves), leaves), {e.gradient, e1.gradient}, "eager gradient of vmap of " + s.text);
  return true;
}

}  // namespace

TEST_CASE("vmap equals a loop, wherever the batch is and two levels deep") {
  const NoGradGuard no_grad;
  expect_reached(for_subjects(check_batches), [](const Op&) { return true; });
}
TEST_CASE("jvp and vjp agree through the layers") {
  const NoGradGuard no_grad;
  expect_reached(for_subjects(check_transposed), is_differentiable);
}
TEST_CASE("nested transforms equal eager gradients") {
  const NoGradGuard no_grad;
  expect_reached(for_subjects(check_nestings), is_differentiable);
}

}  // namespace strata::test
