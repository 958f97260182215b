// For each primitive call: vjp and jvp against each other and against finite differences, and the batch rule against a
// loop.
#include <cmath>

#include "core/grad_mode.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

List list_of(const Tensors& t) { return List(t.begin(), t.end()); }

List moved(const List& inputs, const List& v, double h) {
  List out = inputs;
  for (size_t i = 0; i < out.size(); ++i) {
    if (!v[i].defined()) continue;
    std::vector<double> x = values(out[i]);
    const std::vector<double> d = values(v[i]);
    for (size_t k = 0; k < x.size(); ++k) x[k] += h * d[k];
    out[i] = from_values(x, out[i].sizes(), out[i].dtype());
  }
  return out;
}

bool all_double(const List& tensors) {
  bool some = false;
  for (const Tensor& t : tensors) {
    if (!is_float(t)) continue;
    if (!is_double(t)) return false;
    some = true;
  }
  return some;
}

/// The result jumps where an input is exactly zero, and the samples have zeros.
bool has_jumps(const Call& c) { return c.op->name() == "relu_backward"; }

/// Without pivoting, the rotated inputs of a batch may come upon a pivot of zero.
bool lacks_pivots(const Call& c) {
  return c.op->name() == "lu_factor_without_pivots" && c.text().find("in the batch rule of") != std::string::npos;
}

/// What they read of a matrix (one triangle, its factors) is not what they are derived by, or they choose a basis. The
/// samples' gradients are checked through functions for which that makes no difference. Note [Factorizations].
bool reads_less_than_it_derives(const Call& c) {
  static const std::set<std::string_view> names = {"cholesky_ex", "eigh",    "eigvalsh", "solve",
                                                   "det",         "slogdet", "inverse",  "pinv",
                                                   "svd",         "eig",     "eigvals",  "matrix_sqrth"};
  return names.count(c.op->name()) > 0;
}

/// One call with everything that derivative checks need.
struct Setup {
  const Call& c;
  Tensors outputs;
  List v, grads;
  double eps;

  explicit Setup(const Call& call)
      : c(call), outputs(call.run()), v(random_like(call.inputs, 3)), grads(random_like(list_of(outputs), 17)) {
    for (size_t i = 0; i < v.size(); ++i)
      if (i >= constants_from(*c.op)) v[i] = Tensor();
    eps = all_double(c.inputs) && all_double(list_of(outputs)) ? 1e-10 : 2e-2;
  }
  bool differentiable() const {
    bool in = false, out = false;
    for (const Tensor& t : v) in |= t.defined();
    for (const Tensor& t : grads) out |= t.defined();
    return in && out && !c.op->is(kNotDifferentiable);
  }
  std::vector<bool> all() const { return std::vector<bool>(c.inputs.size(), true); }
};

void check_shapes(const Setup& s, const Tensors& g, const std::vector<bool>& wanted) {
  expect(g.size() == s.c.inputs.size(), "vjp: one gradient per input of " + s.c.text());
  for (size_t i = 0; i < std::min(g.size(), s.c.inputs.size()); ++i) {
    if (!g[i].defined() || !wanted[i]) continue;
    expect(g[i].sizes() == s.c.inputs[i].sizes() && g[i].dtype() == s.c.inputs[i].dtype(),
           detail::format_message("vjp: gradient {} is {}{} in ", {i, name(g[i].dtype()), g[i].sizes()}) + s.c.text());
  }
}

void expect_near(const Sum& a, const Sum& b, double eps, const std::string& what) {
  const double scale = std::max({a.scale, b.scale, 1e-3});
  const bool ok = std::abs(a.value - b.value) <= eps * scale || (std::isnan(a.value) && std::isnan(b.value));
  expect(ok, detail::format_message("{} against {} (scale {}): ", {a.value, b.value, scale}) + what);
}

void check_transposed(const Setup& s) {
  const Tensors g = run_vjp(s.c, s.c.inputs, s.outputs, s.grads, s.all());
  check_shapes(s, g, s.all());
  const Tensors t = run_jvp(s.c, s.c.inputs, s.outputs, s.v);
  for (size_t k = 0; k < t.size(); ++k)
    expect(!is_float(t[k]) || t[k].sizes() == s.outputs[k].sizes(), "jvp: shape of the tangent of " + s.c.text());
  expect_near(sum_of_products(s.grads, t, s.outputs.size()), sum_of_products(g, s.v, g.size()), s.eps,
              "jvp against vjp of " + s.c.text());
}

void check_finite_difference(const Setup& s) {
  if (!s.c.smooth || has_jumps(s.c) || lacks_pivots(s.c) || reads_less_than_it_derives(s.c) || is_random(s.c) ||
      s.eps > 1e-6)
    return;
  constexpr double h = 1e-6;
  const Tensors up = s.c.run(moved(s.c.inputs, s.v, h)), down = s.c.run(moved(s.c.inputs, s.v, -h));
  const Sum a = sum_of_products(s.grads, up, up.size()), b = sum_of_products(s.grads, down, down.size());
  const Tensors g = run_vjp(s.c, s.c.inputs, s.outputs, s.grads, s.all());
  const Sum exact = sum_of_products(g, s.v, g.size());
  const double numeric = (a.value - b.value) / (2 * h);
  const double scale = exact.scale + 1e-3 * a.scale + 1e-3;
  const bool ok = std::abs(numeric - exact.value) <= 1e-6 * scale || (std::isnan(numeric) && std::isnan(exact.value));
  expect(ok, detail::format_message("finite difference {} against {}: ", {numeric, exact.value}) + s.c.text());
}

/// Each input's gradient alone equals the one computed with the others, and each output's cotangent alone adds up.
void check_subsets(const Setup& s) {
  const Tensors whole = run_vjp(s.c, s.c.inputs, s.outputs, s.grads, s.all());
  for (size_t i = 0; i < s.c.inputs.size(); ++i) {
    if (!s.v[i].defined()) continue;
    std::vector<bool> only(s.c.inputs.size(), false);
    only[i] = true;
    const Tensors one = run_vjp(s.c, s.c.inputs, s.outputs, s.grads, only);
    const bool zero = !whole[i].defined() || !one[i].defined();
    expect(zero ? whole[i].defined() == one[i].defined() : close(whole[i], one[i]),
           detail::format_message("vjp: gradient {} alone differs in ", {i}) + s.c.text());
  }
  Sum parts;
  for (size_t k = 0; k < s.grads.size(); ++k) {
    if (!s.grads[k].defined()) continue;
    List only(s.grads.size());
    only[k] = s.grads[k];
    const Tensors g = run_vjp(s.c, s.c.inputs, s.outputs, only, s.all());
    parts.add(sum_of_products(g, s.v, g.size()).value);
  }
  const Sum all = sum_of_products(whole, s.v, whole.size());
  expect_near({parts.value, std::max(parts.scale, all.scale)}, all, s.eps,
              "vjp with one cotangent at a time of " + s.c.text());
}

void check_tangent_subsets(const Setup& s) {
  Sum parts;
  for (size_t i = 0; i < s.v.size(); ++i) {
    if (!s.v[i].defined()) continue;
    List only(s.v.size());
    only[i] = s.v[i];
    const Tensors t = run_jvp(s.c, s.c.inputs, s.outputs, only);
    parts.add(sum_of_products(s.grads, t, t.size()).value);
  }
  const Tensors t = run_jvp(s.c, s.c.inputs, s.outputs, s.v);
  const Sum all = sum_of_products(s.grads, t, t.size());
  expect_near({parts.value, std::max(parts.scale, all.scale)}, all, s.eps,
              "jvp with one tangent at a time of " + s.c.text());
}

void check_cotangent_layouts(const Setup& s) {
  List strided = s.grads, expanded_grads = s.grads, plain = s.grads;
  for (size_t k = 0; k < s.grads.size(); ++k) {
    if (!s.grads[k].defined()) continue;
    strided[k] = in_layout(s.grads[k], reversed_like(s.grads[k]));
    expanded_grads[k] = expanded(s.grads[k], ~0u);
    plain[k] = contiguous_copy(expanded_grads[k]);
  }
  const auto compare = [&](const List& a, const List& b, const std::string& what) {
    const Tensors x = run_vjp(s.c, s.c.inputs, s.outputs, a, s.all()),
                  y = run_vjp(s.c, s.c.inputs, s.outputs, b, s.all());
    for (size_t i = 0; i < x.size(); ++i) expect(close(x[i], y[i]), what + " cotangent: vjp of " + s.c.text());
  };
  compare(s.grads, strided, "strided");
  for (const Tensor& g : s.grads)
    if (g.defined() && g.numel() == 0) return;
  compare(plain, expanded_grads, "expanded");
}

void check_derivatives(const Call& c) {
  const Setup s(c);
  if (!s.differentiable()) return;
  check_transposed(s);
  check_finite_difference(s);
  check_subsets(s);
  check_tangent_subsets(s);
  check_cotangent_layouts(s);
}

void check_batch_subset(const Call& c, const std::vector<bool>& batched, int64_t size) {
  List inputs = c.inputs;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (batched[i]) inputs[i] = stacked(inputs[i], size);
  const Tensors out = run_batch(c, inputs, batched, size);
  const Tensors one = c.run();
  expect(out.size() == one.size(), "batch: number of outputs of " + c.text());
  for (size_t k = 0; k < out.size(); ++k) {
    const bool shaped =
        out[k].dim() == one[k].dim() + 1 && out[k].sizes()[0] == size && out[k].sizes().slice(1) == one[k].sizes();
    expect(shaped, detail::format_message("batch: an output is {} for batch {}: ", {out[k].sizes(), size}) + c.text());
    if (!shaped) return;
  }
  if (is_random(c)) return;
  for (int64_t b = 0; b < size; ++b) {
    List slice = inputs;
    for (size_t i = 0; i < slice.size(); ++i)
      if (batched[i]) slice[i] = contiguous_copy(entry(inputs[i], b));
    const Tensors expected = c.run(slice);
    for (size_t k = 0; k < out.size(); ++k) {
      std::string which;
      for (bool x : batched) which += x ? "B" : "-";
      expect(
          close(contiguous_copy(entry(out[k], b)), expected[k]),
          detail::format_message("batch rule against loop, entry {} output {} inputs {}: ", {b, k, which}) + c.text());
    }
  }
}

void check_batch(const Call& c) {
  if (updates_state(c) || !c.op->batch || c.op->is(kDataDependent) || c.op->name() == "as_strided") return;
  size_t defined = 0;
  for (const Tensor& t : c.inputs) defined += t.defined();
  const size_t n = c.inputs.size();
  for (unsigned mask = 1; mask < 1u << std::min<size_t>(n, 5); ++mask) {
    std::vector<bool> batched(n, false);
    bool usable = true;
    for (size_t i = 0; i < n; ++i) {
      batched[i] = i < 5 && mask >> i & 1;
      usable &= !batched[i] || c.inputs[i].defined();
    }
    if (!usable) continue;
    const bool whole = static_cast<size_t>(std::popcount(mask)) == defined;
    check_batch_subset(c, batched, 3);
    if (whole) check_batch_subset(c, batched, 1);
  }
}

}  // namespace

TEST_CASE("vjp, jvp and finite differences agree") {
  const NoGradGuard no_grad;
  for (const Call& c : all_calls()) guarded("derivatives of " + c.text(), [&] { check_derivatives(c); });
}

TEST_CASE("batch rules equal a loop") {
  const NoGradGuard no_grad;
  for (const Call& c : all_calls()) guarded("batch rule of " + c.text(), [&] { check_batch(c); });
}

}  // namespace strata::test
