// Collects the calls to check and holds the sweep's tools.
#include "test/op_sweep.h"

#include <algorithm>
#include <cmath>

#include "core/grad_mode.h"
#include "test/slim.h"

namespace strata::test {
namespace {

constexpr int kMostCallsPerOp = 24;      // of those that only rules make
constexpr int64_t kBiggestInput = 3000;  // elements; bigger samples are there for their values alone

int64_t count = 0;

std::string signature(const Call& c) {
  std::string s(c.op->name());
  for (const Tensor& t : c.inputs) {
    if (!t.defined())
      s += "|none";
    else
      s += detail::format_message("|{}{}{}", {name(t.dtype()), t.sizes(), t.strides()});
  }
  return s;
}

bool is_small(const Call& c) {
  for (const Tensor& t : c.inputs)
    if (t.defined() && (!t.has_storage() || t.numel() > kBiggestInput)) return false;
  return true;
}

/// Gathers calls; those of the table all, those of rules once per signature and up to a number per op.
class Collector {
 public:
  void add(std::vector<Call> calls, const std::string& origin, bool smooth, bool from_table) {
    for (Call& c : calls) {
      if (!is_small(c)) continue;
      const bool fresh = seen_.insert(signature(c)).second;
      int& n = per_op_[c.op];
      if (!from_table && (!fresh || n >= kMostCallsPerOp)) continue;
      ++n;
      c.origin = origin;
      c.smooth = smooth;
      calls_.push_back(std::move(c));
    }
  }
  std::vector<Call> take() { return std::move(calls_); }
  size_t size() const { return calls_.size(); }
  Call at(size_t i) const { return calls_[i]; }

 private:
  std::vector<Call> calls_;
  std::set<std::string> seen_;
  std::map<const Op*, int> per_op_;
};

/// The calls made while `f` runs; what it throws is reported by the check of that rule, not here.
std::vector<Call> calls_of(const std::function<void()>& f) {
  const NoGradGuard no_grad;
  Recording recording;
  try {
    f();
  } catch (const std::exception&) {
  }
  return std::move(recording.calls);
}

bool any_defined(const List& tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const Tensor& t) { return t.defined(); });
}

void add_rules_calls(Collector& all, const Call& c) {
  const Op& op = *c.op;
  const std::string name(op.name());
  const Tensors outputs = c.run();
  if (op.vjp && !op.is(kNotDifferentiable)) {
    List tangents = c.inputs;
    for (Tensor& t : tangents) t = is_float(t) ? uniform_values(t.sizes(), -1, 1, 5, t.dtype()) : Tensor();
    const std::vector<bool> wanted(c.inputs.size(), true);
    const List grads = random_like(outputs, 9);
    if (any_defined(grads) && any_defined(tangents)) {
      all.add(calls_of([&] { run_vjp(c, c.inputs, outputs, grads, wanted); }), "the vjp of " + name, c.smooth, false);
      all.add(calls_of([&] { run_jvp(c, c.inputs, outputs, tangents); }), "the jvp of " + name, c.smooth, false);
    }
  }
  if (!op.batch || updates_state(c)) return;
  List stacks;
  for (const Tensor& t : c.inputs) stacks.push_back(t.defined() ? stacked(t, 2) : t);
  all.add(calls_of([&] { run_batch(c, stacks, std::vector<bool>(stacks.size(), true), 2); }),
          "the batch rule of " + name, c.smooth, false);
}

}  // namespace

const std::vector<Call>& all_calls() {
  static const std::vector<Call> calls = [] {
    Collector all;
    for (const Row& row : table())
      for (const Sample& s : row.samples) all.add(calls_of([&] { s.f(s.inputs); }), "row " + row.op, s.smooth, true);
    for (size_t i = 0; i < all.size(); ++i) {
      const Call c = all.at(i);
      try {
        add_rules_calls(all, c);
      } catch (const std::exception&) {  // reported by the checks
      }
    }
    return all.take();
  }();
  return calls;
}

bool is_left_out_of_build(const Op& op) { return is_slim() && op.is(kNeedsLapack); }

void expect(bool ok, const std::string& message) {
  ++count;
  if (!ok) FAIL_CHECK(message);
}
int64_t checks_made() { return count; }

void guarded(const std::string& what, const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& e) {
    FAIL_CHECK(what << ": " << e.what());
  }
}

double distance(const Tensor& a, const Tensor& b) {
  if (!(a.sizes() == b.sizes())) return INFINITY;
  const std::vector<double> x = values(a), y = values(b);
  double largest = 1e-30, difference = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isfinite(x[i])) largest = std::max(largest, std::abs(x[i]));
    if (x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]))) continue;
    const double d = std::abs(x[i] - y[i]);
    difference = std::isfinite(d) ? std::max(difference, d) : INFINITY;
  }
  return difference / std::max(largest, 1e-3);
}

double rounding(DType t) {
  switch (t) {
    case DType::Double:
    case DType::ComplexDouble:
      return 1e-11;
    case DType::Float:
    case DType::ComplexFloat:
      return 2e-5;
    case DType::Half:
      return 4e-3;
    case DType::BFloat16:
      return 3e-2;
    default:
      return 0;
  }
}

bool close(const Tensor& a, const Tensor& b, double factor) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  return a.dtype() == b.dtype() && distance(a, b) <= factor * rounding(a.dtype());
}

Tensors run_vjp(const Call& c, const List& inputs, const Tensors& outputs, const List& grads,
                const std::vector<bool>& wanted) {
  Saves saves;
  std::vector<char> needs(std::max<size_t>(inputs.size(), 1));
  for (size_t i = 0; i < inputs.size(); ++i) {
    needs[i] = wanted[i] && is_float(inputs[i]);
    if (needs[i]) saves = saves | c.op->saves_for(i);
  }
  const auto as_saved = [](const Tensor& t, size_t i, uint8_t data, uint8_t metas) {
    if (!t.defined() || data & Saves::bit(i)) return t;
    return metas & Saves::bit(i) ? shape_only(t) : Tensor();
  };
  List in, out;
  for (size_t i = 0; i < inputs.size(); ++i) in.push_back(as_saved(inputs[i], i, saves.inputs, saves.input_metas));
  for (size_t i = 0; i < outputs.size(); ++i) out.push_back(as_saved(outputs[i], i, saves.outputs, saves.output_metas));
  const ArgList in_args(in), out_args(out), grad_args(grads);
  return c.op->vjp(Vjp{{*c.op, in_args, out_args}, grad_args, reinterpret_cast<const bool*>(needs.data())},
                   c.params.data());
}

Tensors run_jvp(const Call& c, const List& inputs, const Tensors& outputs, const List& tangents) {
  const ArgList in_args(inputs), out_args(outputs), tangent_args(tangents);
  return c.op->jvp(Jvp{{*c.op, in_args, out_args}, tangent_args}, c.params.data());
}

Tensors run_batch(const Call& c, const List& inputs, const std::vector<bool>& batched, int64_t size) {
  std::vector<char> flags(batched.begin(), batched.end());
  flags.push_back(0);
  const ArgList args(inputs);
  return c.op->batch(Batch{*c.op, args, reinterpret_cast<const bool*>(flags.data()), size}, c.params.data());
}

Tensor stacked(const Tensor& t, int64_t size) {
  const std::vector<double> v = values(t);
  std::vector<double> all;
  const size_t n = v.size();
  for (int64_t b = 0; b < size; ++b)
    for (size_t i = 0; i < n; ++i)
      all.push_back(v[(i + static_cast<size_t>(b)) % n] * (is_float(t) ? 1 - 0.01 * static_cast<double>(b) : 1));
  DimVector sizes = t.sizes();
  sizes.insert(0, size);
  return from_values(all, sizes, t.dtype());
}

Tensor entry(const Tensor& stack, int64_t b) {
  auto* impl = new TensorImpl(stack.dtype(), kCPU, stack.storage());
  impl->set_geometry(stack.sizes().slice(1), stack.strides().slice(1), stack.storage_offset() + b * stack.strides()[0]);
  return Tensor::adopt(impl);
}

bool fills_fresh_outputs_only(const Call& c) {
  static const std::set<std::string_view> names = {"convolution",
                                                   "convolution_backward_input",
                                                   "convolution_backward_weight",
                                                   "max_pool",
                                                   "max_pool_scatter",
                                                   "max_pool_gather",
                                                   "avg_pool",
                                                   "avg_pool_backward",
                                                   "normalize",
                                                   "normalize_backward",
                                                   "arange",
                                                   "linspace"};
  return names.count(c.op->name()) > 0;
}

}  // namespace strata::test
