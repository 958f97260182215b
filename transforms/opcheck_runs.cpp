// How an op runs: the checks of opcheck that need no rule but `infer`.
#include "transforms/opcheck_runs.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "autograd/autocast.h"
#include "core/grad_mode.h"
#include "core/parallel.h"
#include "dispatcher/field_list.h"
#include "dispatcher/names.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::func::opcheck_detail {
namespace {

using TensorVector = std::vector<Tensor>;

/// Elements that are work for several threads.
constexpr int64_t kManyElements = 1 << 17;
/// How far the results of a narrow dtype may be off, as a share of the largest.
constexpr double kNarrow = 0.1;

/// What `f` throws is an error of the op, which met it `when`.
template <class F>
auto attempt(const Case& c, std::string_view when, F f) {
  try {
    return f();
  } catch (const Error& e) {
    STRATA_THROW("opcheck: {} {} throws: {}", c.op.name(), when, e.what());
  }
}

template <class F>
TensorVector mapped(const TensorVector& inputs, F f) {
  TensorVector out;
  for (const Tensor& t : inputs) out.push_back(t.defined() ? f(t) : t);
  return out;
}

/// Every second element along the last dim of a tensor twice as large, which begins behind the start of its memory.
Tensor strided(const Tensor& t) {
  if (t.dim() == 0) return stack({t, t})[1];
  DimVector sizes = t.sizes();
  sizes.back() *= 2;
  Tensor view = zeros(sizes, t.options()).slice(-1, sizes.back() > 0 ? 1 : 0, sizes.back(), 2);
  view.copy_(t);
  return view;
}
/// The same values with the dims in memory in reversed order.
Tensor transposed(const Tensor& t) {
  DimVector reversed;
  for (int64_t d = t.dim(); d-- > 0;) reversed.push_back(d);
  return t.permute(reversed).contiguous().permute(reversed);
}
/// The first slice along dim 0 in the place of all.
Tensor expanded(const Tensor& t) { return t.dim() == 0 || t.numel() == 0 ? t : t.narrow(0, 0, 1).expand(t.sizes()); }

void check_layout(const Case& c, const TensorVector& inputs, const char* what) {
  const TensorVector contiguous = mapped(inputs, [](const Tensor& t) { return t.contiguous(); });
  const std::string when = "with " + std::string(what) + " inputs";
  const TensorVector got = attempt(c, when, [&] { return run(c, inputs); }), expected = run(c, contiguous);
  for (size_t i = 0; i < got.size(); ++i)
    STRATA_CHECK(close(got[i], expected[i], c.options), "opcheck: {} gives other values of output {} {}", c.op.name(),
                 i, when);
}

void check_layouts(const Case& c) {
  check_layout(c, mapped(c.inputs, strided), "strided");
  check_layout(c, mapped(c.inputs, transposed), "transposed");
  check_layout(c, mapped(c.inputs, expanded), "expanded");
}

/// The in-place form of an element-wise op has its kernel write to whatever strides the tensor has.
void check_inplace(const Case& c) {
  if (!c.op.is(kPointwise) || c.op.is(kUpdatesInputs) || c.outputs.size() != 1) return;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const Tensor& t = c.inputs[i];
    if (!t.defined() || t.dtype() != c.outputs[0].dtype() || !(t.sizes() == c.outputs[0].sizes())) continue;
    TensorVector inputs = c.inputs;
    Tensor self = inputs[i] = strided(t);
    attempt(c, "in place", [&] { call_backend_inplace(c.op, self, ArgList(inputs), c.params); });
    STRATA_CHECK(close(self, c.outputs[0], c.options),
                 "opcheck: {} gives other values in place over a strided input {}: its kernel must follow the strides "
                 "of its output",
                 c.op.name(), i);
  }
}

/// Examples of nothing, where `infer` describes their results.
void check_empty(const Case& c) {
  std::optional<int64_t> size;
  for (const Tensor& t : c.inputs) {
    if (!t.defined() || t.dim() == 0) continue;
    if (size && *size != t.sizes()[0]) return;  // they are no examples, so what they are to each other is not known
    size = t.sizes()[0];
  }
  if (!size) return;
  const TensorVector inputs = mapped(c.inputs, [](const Tensor& t) { return t.dim() ? t.narrow(0, 0, 0) : t; });
  try {
    c.op.infer(ArgList(inputs), c.params.data());
  } catch (const Error&) {
    return;
  }
  attempt(c, "of inputs without elements", [&] { return run(c, inputs); });
}

class ThreadsGuard {
 public:
  ~ThreadsGuard() { set_num_threads(before_); }

 private:
  const int before_ = get_num_threads();
};

/// Runs that differ in nothing, and then in the number of threads.
void check_threads(const Case& c) {
  TensorVector inputs = c.inputs;
  if (c.op.is(kPointwise) && !c.outputs.empty() && c.outputs[0].numel() > 0) {
    const int64_t copies = kManyElements / c.outputs[0].numel() + 1;
    inputs = mapped(inputs, [&](const Tensor& t) { return stack(TensorVector(static_cast<size_t>(copies), t)); });
  }
  const ThreadsGuard guard;
  set_num_threads(1);
  const TensorVector one = attempt(c, "of many elements", [&] { return run(c, inputs); });
  for (int threads : {1, 2, 4}) {
    set_num_threads(threads);
    const TensorVector other = run(c, inputs);
    for (size_t i = 0; i < one.size(); ++i)
      STRATA_CHECK(same_bits(other[i], one[i]), "opcheck: {} gives other bits of output {} {} of {} threads",
                   c.op.name(), i, threads == 1 ? "in a second run" : "in a run", threads);
  }
}

void check_params(const Case& c) {
  if (!c.op.params->read) return;  // they hold code
  const std::vector<dispatch::Field> fields = dispatch::fields_of(c.params);
  const OwnedParams again = attempt(c, "reading its params back from their fields",
                                    [&] { return dispatch::params_of(*c.op.params, fields); });
  STRATA_CHECK(dispatch::fields_of(again) == fields,
               "opcheck: {}: its params, read back from their fields, show others", c.op.name());
  const TensorVector got = run({c.op, c.inputs, again, c.options}, c.inputs);
  for (size_t i = 0; i < got.size(); ++i)
    STRATA_CHECK(same_bits(got[i], c.outputs[i]),
                 "opcheck: {}: with its params read back from their fields it gives another output {}; fields() must "
                 "name every member",
                 c.op.name(), i);
}

/// The inputs with all floating point ones cast; `f(n)` is the dtype of the n-th of these. Values are such that the
/// 16-bit types hold them, and whole positive numbers in integers.
template <class F>
TensorVector cast_floating(const TensorVector& inputs, F f) {
  size_t n = 0;
  return mapped(inputs, [&](const Tensor& t) {
    if (!t.is_floating_point()) return t;
    const DType dtype = f(n++);
    return (is_integral(dtype, true) ? t.abs().mul(3).floor().add(1) : t.to(kBFloat16)).to(dtype);
  });
}
TensorVector cast_floating(const TensorVector& inputs, DType dtype) {
  return cast_floating(inputs, [=](size_t) { return dtype; });
}

/// The values of a narrow dtype beside those of float64.
void check_near(const Case& c, const TensorVector& got, std::string_view when) {
  const TensorVector exact = run(c, cast_floating(c.inputs, kDouble));
  for (size_t i = 0; i < got.size(); ++i) {
    if (!got[i].is_floating_point() || !exact[i].is_floating_point() || exact[i].numel() == 0) continue;
    const Tensor wide = got[i].to(kDouble), finite = exact[i].isfinite();
    const double largest = where(finite, exact[i].abs(), 0).max().item<double>();
    const double off = where(finite, (wide - exact[i]).abs(), 0).max().item<double>();
    STRATA_CHECK(off <= kNarrow * std::max(largest, 1e-3), "opcheck: {} {} is off by {} in output {}, of up to {}",
                 c.op.name(), when, off, i, largest);
  }
}

bool takes(const Case& c, DType dtype) {
  for (size_t i = 0; i < c.inputs.size(); ++i)
    if (c.inputs[i].defined() && c.inputs[i].is_floating_point() && !c.op.dtypes_for(i).has(dtype)) return false;
  return true;
}

void check_dtypes(const Case& c) {
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType dtype = static_cast<DType>(i);
    if (!takes(c, dtype)) continue;
    const std::string when = std::string("of ") + name(dtype) + ", which it says it takes,";
    const TensorVector got = attempt(c, when, [&] { return run(c, cast_floating(c.inputs, dtype)); });
    if (is_floating_point(dtype) && !is_float8(dtype) && takes(c, kDouble)) check_near(c, got, when);
  }
}

void check_autocast(const Case& c) {
  const AutocastPolicy policy = c.op.autocast;
  if (policy == AutocastPolicy::kAsGiven) return;
  for (DType lower : {kBFloat16, kHalf}) {
    const DType wanted = policy == AutocastPolicy::kLower ? lower : kFloat;
    const TensorVector given = cast_floating(c.inputs, [&](size_t n) {
      if (policy == AutocastPolicy::kWidest) return n == 0 ? kFloat : lower;
      return policy == AutocastPolicy::kLower ? kFloat : lower;
    });
    const std::string when = std::string("under autocast to ") + name(lower);
    const TensorVector got = attempt(c, when, [&] {
      const AutocastGuard guard(DeviceType::CPU, lower);
      return run(c, given);
    });
    const TensorVector cast = cast_floating(c.inputs, wanted);
    const Metas metas = c.op.infer(ArgList(cast), c.params.data());
    for (size_t i = 0; i < got.size(); ++i)
      STRATA_CHECK(got[i].dtype() == metas[i].dtype, "opcheck: {} {} gives {} where infer says {} for {}", c.op.name(),
                   when, name(got[i].dtype()), name(metas[i].dtype), name(wanted));
    if (takes(c, kDouble)) check_near(c, got, when);
  }
}

void check_infer(const Case& c, const TensorVector& outputs) {
  if (c.op.is(kDataDependent)) return;
  STRATA_CHECK(c.op.infer, "opcheck: {} has no infer rule", c.op.name());
  const Metas metas = c.op.infer(ArgList(c.inputs), c.params.data());
  STRATA_CHECK(metas.size() == outputs.size(), "opcheck: {} infers {} outputs and gives {}", c.op.name(), metas.size(),
               outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    STRATA_CHECK(metas[i].dtype == outputs[i].dtype() && outputs[i].sizes() == metas[i].sizes,
                 "opcheck: {} infers {} of shape {} for output {} and gives {} of shape {}", c.op.name(),
                 name(metas[i].dtype), metas[i].sizes, i, name(outputs[i].dtype()), outputs[i].sizes());
}

}  // namespace

TensorVector run(const Case& c, const TensorVector& inputs) {
  const auto out = call(c.op, ArgList(inputs), c.params);
  return {out.begin(), out.end()};
}

bool close(const Tensor& a, const Tensor& b, const GradcheckOptions& o) {
  if (a.defined() != b.defined()) return false;
  return !a.defined() ||
         (a.sizes() == b.sizes() && a.dtype() == b.dtype() && allclose(a, b, o.rtol, o.atol, /*equal_nan=*/true));
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.dtype() != b.dtype() || !(a.sizes() == b.sizes())) return false;
  const Tensor x = a.contiguous(), y = b.contiguous();
  return x.numel() == 0 || std::memcmp(x.bytes(), y.bytes(), static_cast<size_t>(x.numel()) * x.element_size()) == 0;
}

TensorVector first_run(const Case& c) {
  const TensorVector before = mapped(c.inputs, [](const Tensor& t) { return t.clone(); });
  const TensorVector outputs = run(c, c.inputs);
  for (size_t i = 0; i < c.inputs.size(); ++i)
    STRATA_CHECK(same_bits(c.inputs[i], before[i]), "opcheck: {} changes its input {}", c.op.name(), i);
  check_infer(c, outputs);
  return outputs;
}

void check_runs(const Case& c) {
  const NoGradGuard no_grad;
  check_layouts(c);
  check_inplace(c);
  check_params(c);
  check_threads(c);
  if (c.op.is(kDataDependent) || c.op.is(kView)) return;
  check_empty(c);
  check_dtypes(c);
  check_autocast(c);
}

}  // namespace strata::func::opcheck_detail
