// The checks behind gradcheck and opcheck.
#include "transforms/opcheck.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "core/grad_mode.h"
#include "dispatcher/names.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/view.h"
#include "transforms/jvp.h"
#include "transforms/trace.h"
#include "transforms/vmap.h"

namespace strata::func {
namespace {

using TensorVector = std::vector<Tensor>;

/// One output as a number to differentiate: its inner product with fixed weights, so that no entry cancels another.
Tensor weighed(const Tensor& y) {
  const Tensor weights = arange(1, y.numel() + 1, TensorOptions(y.dtype())).div(static_cast<double>(y.numel() + 1));
  return (y * weights.reshape(y.sizes())).sum();
}

/// All outputs that take part in a backward as one number.
Tensor weighed(const TensorVector& outputs, const std::vector<bool>& differentiable) {
  Tensor sum = zeros({}, kDouble);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (differentiable[i]) sum = sum + weighed(outputs[i]);
  return sum;
}

double value_at(const strata::detail::Function<Tensor(const TensorVector&)>& f, TensorVector inputs, size_t k,
                int64_t i, double step) {
  const NoGradGuard no_grad;
  inputs[k] = inputs[k].detach().clone();
  inputs[k].view({-1})[i] += step;
  return weighed(f(inputs)).item<double>();
}

void check_input(const strata::detail::Function<Tensor(const TensorVector&)>& f, const TensorVector& inputs,
                 const Tensor& gradient, size_t k, const GradcheckOptions& o) {
  const Tensor flat = gradient.defined() ? gradient.reshape({-1}) : Tensor();
  for (int64_t i = 0; i < inputs[k].numel(); ++i) {
    const double difference = (value_at(f, inputs, k, i, o.eps) - value_at(f, inputs, k, i, -o.eps)) / (2 * o.eps);
    const double given = flat.defined() ? flat[i].item<double>() : 0;
    STRATA_CHECK(std::abs(given - difference) <= o.atol + o.rtol * std::abs(difference),
                 "gradcheck: the gradient of input {} at element {} is {}, differences give {}", k, i, given,
                 difference);
  }
}

bool close(const Tensor& a, const Tensor& b, const GradcheckOptions& o) {
  if (a.defined() != b.defined()) return false;
  return !a.defined() || (a.sizes() == b.sizes() && a.dtype() == b.dtype() && allclose(a, b, o.rtol, o.atol));
}

/// Every second element of a tensor twice as large: the same values, not in a row.
Tensor strided_copy_of(const Tensor& t) {
  if (!t.defined() || t.dim() == 0) return t;
  DimVector sizes = t.sizes();
  sizes.back() *= 2;
  Tensor wide = zeros(sizes, t.options());
  Tensor view = wide.slice(-1, 0, sizes.back(), 2);
  view.copy_(t);
  return view;
}

TensorVector run(const Op& op, const TensorVector& inputs, Params params) {
  const auto out = call(op, ArgList(inputs), params);
  return {out.begin(), out.end()};
}

/// The results of a call, which must leave its inputs as they were.
TensorVector checked_run(const Op& op, const TensorVector& inputs, Params params) {
  TensorVector before;
  for (const Tensor& t : inputs) before.push_back(t.defined() ? t.clone() : t);
  const TensorVector outputs = run(op, inputs, params);
  for (size_t i = 0; i < inputs.size(); ++i)
    STRATA_CHECK(!inputs[i].defined() || inputs[i].equal(before[i]), "opcheck: {} changes its input {}", op.name(), i);
  return outputs;
}

void check_infer(const Op& op, const TensorVector& inputs, const TensorVector& outputs, Params params) {
  if (op.is(kDataDependent)) return;
  STRATA_CHECK(op.infer, "opcheck: {} has no infer rule", op.name());
  const Metas metas = op.infer(ArgList(inputs), params.data());
  STRATA_CHECK(metas.size() == outputs.size(), "opcheck: {} infers {} outputs and gives {}", op.name(), metas.size(),
               outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    STRATA_CHECK(metas[i].dtype == outputs[i].dtype() && outputs[i].sizes() == metas[i].sizes,
                 "opcheck: {} infers {} of shape {} for output {} and gives {} of shape {}", op.name(),
                 name(metas[i].dtype), metas[i].sizes, i, name(outputs[i].dtype()), outputs[i].sizes());
}

void check_layouts(const Op& op, const TensorVector& inputs, const TensorVector& outputs, Params params,
                   const GradcheckOptions& o) {
  TensorVector strided;
  for (const Tensor& t : inputs) strided.push_back(strided_copy_of(t));
  const TensorVector out = run(op, strided, params);
  for (size_t i = 0; i < out.size(); ++i)
    STRATA_CHECK(close(out[i], outputs[i], o), "opcheck: {} gives other values for inputs that are not contiguous",
                 op.name());
}

void check_decomposition(const Op& op, const TensorVector& inputs, const TensorVector& outputs, Params params,
                         const GradcheckOptions& o) {
  if (!op.decompose) return;
  const Tensors out = op.decompose(ArgList(inputs), params.data());
  STRATA_CHECK(out.size() == outputs.size(), "opcheck: {} decomposes into {} outputs and gives {}", op.name(),
               out.size(), outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    STRATA_CHECK(close(out[i], outputs[i], o), "opcheck: {}: its decomposition gives another output {} than its kernel",
                 op.name(), i);
}

void check_program(const Op& op, const TensorVector& inputs, const TensorVector& outputs, Params params) {
  const auto program = trace([&](const TensorVector& x) { return run(op, x, params); })(inputs);
  const TensorVector out = program(inputs);
  for (size_t i = 0; i < outputs.size(); ++i)
    STRATA_CHECK(out[i].equal(outputs[i]), "opcheck: {}: a traced program gives another output {}", op.name(), i);
}

bool takes_gradient(const Tensor& t) { return t.defined() && t.dtype() == kDouble; }

TensorVector leaves_of(const Op& op, const TensorVector& inputs) {
  STRATA_CHECK(std::any_of(inputs.begin(), inputs.end(), takes_gradient),
               "opcheck: {} has a vjp rule, so one input at least must be float64", op.name());
  TensorVector leaves;
  for (const Tensor& t : inputs) leaves.push_back(takes_gradient(t) ? t.detach().requires_grad_() : t);
  return leaves;
}

/// Which outputs a backward through the op starts from.
std::vector<bool> differentiable_outputs(const Op& op, const TensorVector& leaves, Params params) {
  std::vector<bool> differentiable;
  for (const Tensor& y : run(op, leaves, params)) differentiable.push_back(takes_gradient(y) && y.requires_grad());
  return differentiable;
}

/// <c, J t> = <J^T c, t> for the jvp and the vjp rule.
void check_jvp(const Op& op, const TensorVector& inputs, const strata::detail::Function<Tensor(const TensorVector&)>& f,
               const GradcheckOptions& o) {
  if (!op.jvp) return;
  const TensorVector leaves = leaves_of(op, inputs);
  TensorVector tangents;
  double through_vjp = 0;
  f(leaves).backward();
  for (const Tensor& leaf : leaves) {
    tangents.push_back(takes_gradient(leaf) ? linspace(-1, 1, leaf.numel(), kDouble).reshape(leaf.sizes()) : Tensor());
    if (takes_gradient(leaf) && leaf.grad().defined())
      through_vjp += (leaf.grad() * tangents.back()).sum().item<double>();
  }
  const auto [y, dy] = jvp(f, std::tuple(inputs), std::tuple(tangents));
  const double through_jvp = dy.template item<double>();
  STRATA_CHECK(std::abs(through_jvp - through_vjp) <= o.atol + o.rtol * std::abs(through_vjp),
               "opcheck: {}: its jvp rule gives {} where its vjp rule gives {}", op.name(), through_jvp, through_vjp);
}

/// The batch rule with each input batched alone and all together, against a call for each example.
void check_batch(const Op& op, const TensorVector& inputs, Params params, const GradcheckOptions& o) {
  constexpr int64_t kExamples = 2;
  for (size_t alone = 0; alone <= inputs.size(); ++alone) {
    TensorVector batch = inputs;
    std::vector<bool> mapped(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      mapped[i] = inputs[i].defined() && (alone == i || alone == inputs.size());
      if (mapped[i]) batch[i] = stack({inputs[i], inputs[i].flip({0})});
    }
    if (std::none_of(mapped.begin(), mapped.end(), [](bool m) { return m; })) continue;
    std::vector<Dims> dims;
    for (bool m : mapped) dims.push_back(m ? Dims(0) : Dims(nullopt));
    const auto f = [&](const TensorVector& x) { return run(op, x, params); };
    const TensorVector out = vmap(f, {.in_dims = Dims({Dims(dims)})})(batch);
    for (int64_t b = 0; b < kExamples; ++b) {
      TensorVector example = batch;
      for (size_t i = 0; i < example.size(); ++i)
        if (mapped[i]) example[i] = batch[i][b];
      const TensorVector one = run(op, example, params);
      for (size_t i = 0; i < one.size(); ++i)
        STRATA_CHECK(close(out[i][b], one[i], o), "opcheck: {}: under vmap output {} differs from a loop's", op.name(),
                     i);
    }
  }
}

}  // namespace

void gradcheck(const strata::detail::Function<Tensor(const TensorVector&)>& f, const TensorVector& inputs,
               GradcheckOptions options) {
  TensorVector leaves;
  for (const Tensor& t : inputs) {
    STRATA_CHECK(!t.defined() || !t.requires_grad() || t.dtype() == kDouble, "gradcheck: wants float64, got {}",
                 name(t.dtype()));
    leaves.push_back(t.defined() ? t.detach().requires_grad_(t.requires_grad()) : t);
  }
  STRATA_CHECK(
      std::any_of(leaves.begin(), leaves.end(), [](const Tensor& t) { return t.defined() && t.requires_grad(); }),
      "gradcheck: no input requires grad");
  weighed(f(leaves)).backward();
  for (size_t k = 0; k < leaves.size(); ++k)
    if (leaves[k].defined() && leaves[k].requires_grad()) check_input(f, leaves, leaves[k].grad(), k, options);
}

void opcheck(const Op& op, const TensorVector& inputs, Params params, GradcheckOptions options) {
  const TensorVector outputs = checked_run(op, inputs, params);
  check_infer(op, inputs, outputs, params);
  if (op.is(kRandom)) return;  // each run gives other values
  check_layouts(op, inputs, outputs, params, options);
  check_decomposition(op, inputs, outputs, params, options);
  if (!op.is(kDataDependent)) check_program(op, inputs, outputs, params);
  if (!op.is(kNotDifferentiable) && op.vjp) {
    const TensorVector leaves = leaves_of(op, inputs);
    const std::vector<bool> differentiable = differentiable_outputs(op, leaves, params);
    const auto f = [&](const TensorVector& x) { return weighed(run(op, x, params), differentiable); };
    gradcheck(f, leaves, options);
    check_jvp(op, inputs, f, options);
  }
  check_batch(op, inputs, params, options);
}

}  // namespace strata::func
