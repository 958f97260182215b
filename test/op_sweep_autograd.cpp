// For each sample: eager gradients of first and second order against finite differences, for any layout of the leaves.
#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/reduce.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

constexpr double kStep = 1e-6;

bool is_checked(const Sample& s) {
  bool some = false;
  for (const Tensor& t : s.inputs) {
    if (!t.defined() || t.numel() > 400) return false;
    if (is_float(t) && !is_double(t)) return false;
    some |= is_float(t);
  }
  if (!some || !s.smooth) return false;
  const List outputs = s.f(s.inputs);
  return std::all_of(outputs.begin(), outputs.end(), [](const Tensor& y) { return !is_float(y) || is_double(y); });
}

bool is_variable(const Sample& s, size_t i) { return i < s.constants_from && is_float(s.inputs[i]); }

/// Fresh leaves with the inputs' values moved by `h` along `v`, in the layout that `arrange` picks.
List leaves(const Sample& s, const List& v = {}, double h = 0, Tensor (*arrange)(const Tensor&) = nullptr) {
  List out;
  for (size_t i = 0; i < s.inputs.size(); ++i) {
    const Tensor& t = s.inputs[i];
    if (!is_variable(s, i)) {
      out.push_back(t);
      continue;
    }
    std::vector<double> x = values(t);
    if (!v.empty()) {
      const std::vector<double> d = values(v[i]);
      for (size_t k = 0; k < x.size(); ++k) x[k] += h * d[k];
    }
    Tensor leaf = from_values(x, t.sizes(), t.dtype());
    if (arrange) leaf = in_layout(leaf, arrange(leaf));
    out.push_back(leaf.requires_grad_());
  }
  return out;
}

List directions(const Sample& s, unsigned seed) {
  List v;
  for (size_t i = 0; i < s.inputs.size(); ++i)
    v.push_back(is_variable(s, i) ? uniform_values(s.inputs[i].sizes(), -1, 1, seed++, s.inputs[i].dtype()) : Tensor());
  return v;
}

/// Sum of all floating point outputs times fixed random weights; undefined if no output depends on the inputs.
Tensor weighted(const List& outputs, unsigned seed) {
  Tensor total;
  for (const Tensor& y : outputs) {
    if (!is_float(y) || !y.requires_grad()) continue;
    const Tensor x = numbers_of(y), part = sum(mul(x, uniform_values(x.sizes(), -1, 1, seed++, x.dtype())));
    total = total.defined() ? add(total, part) : part;
  }
  return total;
}

List only_leaves(const List& inputs) {
  List out;
  for (const Tensor& t : inputs)
    if (t.defined() && t.requires_grad()) out.push_back(t);
  return out;
}

List defined(const List& tensors) {
  List out;
  for (const Tensor& t : tensors)
    if (t.defined()) out.push_back(t);
  return out;
}

/// <v, gradient of the weighted outputs>, as a tensor that can be differentiated again; with its numeric scale.
struct Directional {
  Tensor value;
  double scale = 0;
  List gradients;
};
Directional derivative(const Sample& s, const List& inputs, const List& v, bool create_graph) {
  Directional d;
  const Tensor loss = weighted(s.f(inputs), 21);
  if (!loss.defined()) return d;
  d.gradients = autograd::grad({loss}, only_leaves(inputs), {}, true, create_graph, true);
  const List along = defined(v);
  for (size_t i = 0; i < along.size(); ++i) {
    if (!d.gradients[i].defined()) continue;
    const Tensor terms = mul(numbers_of(d.gradients[i]), numbers_of(along[i]));
    for (double x : values(terms)) d.scale += std::abs(x);
    d.value = d.value.defined() ? add(d.value, sum(terms)) : sum(terms);
  }
  return d;
}

double value_of(const Tensor& t) { return t.defined() ? values(t)[0] : 0; }

void expect_derivative(double numeric, double exact, double scale, const std::string& what) {
  const bool ok = std::abs(numeric - exact) <= 2e-6 * (scale + 1e-2) || (std::isnan(numeric) && std::isnan(exact));
  expect(ok, detail::format_message("{} gives {}, finite differences {} (scale {})", {what, exact, numeric, scale}));
}

void check_first_order(const Sample& s, const std::string& name) {
  const List v = directions(s, 5);
  const Directional d = derivative(s, leaves(s), v, false);
  if (!d.value.defined()) return;
  const Tensor up = weighted(s.f(leaves(s, v, kStep)), 21), down = weighted(s.f(leaves(s, v, -kStep)), 21);
  const double scale = d.scale + 1e-3 * std::abs(value_of(up));
  expect_derivative((value_of(up) - value_of(down)) / (2 * kStep), value_of(d.value), scale, "the gradient of " + name);
  if (name.find("row view") == 0 || name.find("row as_strided") == 0) return;  // they depend on the layout
  for (auto arrange : {reversed_like, strided_like}) {
    const Directional other = derivative(s, leaves(s, {}, 0, arrange), v, false);
    for (size_t i = 0; i < d.gradients.size(); ++i)
      expect(close(d.gradients[i], other.gradients[i]), "the gradient for a strided leaf of " + name);
  }
}

void check_second_order(const Sample& s, const std::string& name) {
  const List v = directions(s, 5), w = directions(s, 50);
  const List inputs = leaves(s);
  const Directional d = derivative(s, inputs, v, true);
  if (!d.value.defined() || !d.value.requires_grad()) return;
  const List second = autograd::grad({d.value}, only_leaves(inputs), {}, false, false, true);
  double exact = 0, scale = 1e-3 * d.scale;
  const List along = defined(w);
  for (size_t i = 0; i < along.size(); ++i) {
    if (!second[i].defined()) continue;
    const std::vector<double> g = values(second[i]), u = values(along[i]);
    for (size_t k = 0; k < g.size(); ++k) exact += g[k] * u[k], scale += std::abs(g[k] * u[k]);
  }
  const Directional up = derivative(s, leaves(s, w, kStep), v, false),
                    down = derivative(s, leaves(s, w, -kStep), v, false);
  expect_derivative((value_of(up.value) - value_of(down.value)) / (2 * kStep), exact, scale,
                    "the second derivative of " + name);
}

void for_all_samples(void (*check)(const Sample&, const std::string&)) {
  for (const Row& row : table())
    for (size_t i = 0; i < row.samples.size(); ++i) {
      const std::string name = "row " + row.op + " sample " + std::to_string(i);
      if (is_checked(row.samples[i])) guarded(name, [&] { check(row.samples[i], name); });
    }
}

}  // namespace

TEST_CASE("eager gradients equal finite differences, in any layout") { for_all_samples(check_first_order); }
TEST_CASE("gradients of gradients equal finite differences") { for_all_samples(check_second_order); }

}  // namespace strata::test
