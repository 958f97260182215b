// gradcheck, and what opcheck asks of an op's rules.
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
#include "transforms/opcheck_runs.h"
#include "transforms/trace.h"
#include "transforms/vmap.h"

namespace strata::func {
namespace {

using opcheck_detail::Case, opcheck_detail::close, opcheck_detail::run, opcheck_detail::same_bits;
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

void check_decomposition(const Case& c) {
  if (!c.op.decompose) return;
  const Tensors out = c.op.decompose(ArgList(c.inputs), c.params.data());
  STRATA_CHECK(out.size() == c.outputs.size(), "opcheck: {} decomposes into {} outputs and gives {}", c.op.name(),
               out.size(), c.outputs.size());
  for (size_t i = 0; i < out.size(); ++i)
    STRATA_CHECK(close(out[i], c.outputs[i], c.options),
                 "opcheck: {}: its decomposition gives another output {} than its kernel", c.op.name(), i);
}

void check_program(const Case& c) {
  const auto program = trace([&](const TensorVector& x) { return run(c, x); })(c.inputs);
  const TensorVector out = program(c.inputs);
  for (size_t i = 0; i < out.size(); ++i)
    STRATA_CHECK(same_bits(out[i], c.outputs[i]), "opcheck: {}: a traced program gives another output {}", c.op.name(),
                 i);
}

bool takes_gradient(const Tensor& t) { return t.defined() && t.dtype() == kDouble; }

TensorVector leaves_of(const Case& c) {
  STRATA_CHECK(std::any_of(c.inputs.begin(), c.inputs.end(), takes_gradient),
               "opcheck: {} has a vjp rule, so one input at least must be float64", c.op.name());
  TensorVector leaves;
  for (const Tensor& t : c.inputs) leaves.push_back(takes_gradient(t) ? t.detach().requires_grad_() : t);
  return leaves;
}

/// Which outputs a backward through the op starts from.
std::vector<bool> differentiable_outputs(const Case& c, const TensorVector& leaves) {
  std::vector<bool> differentiable;
  for (const Tensor& y : run(c, leaves)) differentiable.push_back(takes_gradient(y) && y.requires_grad());
  return differentiable;
}

using NumberFunction = strata::detail::Function<Tensor(const TensorVector&)>;

/// What is saved for the gradient of one input must do where the others want none.
void check_saves(const Case& c, const NumberFunction& f) {
  const TensorVector leaves = leaves_of(c);
  f(leaves).backward();
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (!takes_gradient(leaves[i])) continue;
    TensorVector alone = c.inputs;
    alone[i] = leaves[i].detach().requires_grad_();
    try {
      f(alone).backward();
    } catch (const Error& e) {
      STRATA_THROW("opcheck: {}: the gradient of input {} alone throws: {}", c.op.name(), i, e.what());
    }
    STRATA_CHECK(close(alone[i].grad(), leaves[i].grad(), c.options),
                 "opcheck: {}: the gradient of input {} alone differs from that beside the others'; .saves_for({}, "
                 "...) must name all that it reads",
                 c.op.name(), i, i);
  }
}

/// <c, J t> = <J^T c, t> for the jvp and the vjp rule.
void check_jvp(const Case& c, const NumberFunction& f) {
  if (!c.op.jvp) return;
  const TensorVector leaves = leaves_of(c);
  TensorVector tangents;
  double through_vjp = 0;
  f(leaves).backward();
  for (const Tensor& leaf : leaves) {
    tangents.push_back(takes_gradient(leaf) ? linspace(-1, 1, leaf.numel(), kDouble).reshape(leaf.sizes()) : Tensor());
    if (takes_gradient(leaf) && leaf.grad().defined())
      through_vjp += (leaf.grad() * tangents.back()).sum().item<double>();
  }
  const auto [y, dy] = jvp(f, std::tuple(c.inputs), std::tuple(tangents));
  const double through_jvp = dy.template item<double>();
  STRATA_CHECK(std::abs(through_jvp - through_vjp) <= c.options.atol + c.options.rtol * std::abs(through_vjp),
               "opcheck: {}: its jvp rule gives {} where its vjp rule gives {}", c.op.name(), through_jvp, through_vjp);
}

/// The batch rule with each input batched alone and all together, against a call for each example.
void check_batch(const Case& c) {
  const TensorVector& inputs = c.inputs;
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
    const auto f = [&](const TensorVector& x) { return run(c, x); };
    const TensorVector out = vmap(f, {.in_dims = Dims({Dims(dims)})})(batch);
    for (int64_t b = 0; b < kExamples; ++b) {
      TensorVector example = batch;
      for (size_t i = 0; i < example.size(); ++i)
        if (mapped[i]) example[i] = batch[i][b];
      const TensorVector one = run(c, example);
      for (size_t i = 0; i < one.size(); ++i)
        STRATA_CHECK(close(out[i][b], one[i], c.options), "opcheck: {}: under vmap output {} differs from a loop's",
                     c.op.name(), i);
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
  Case c{op, inputs, params, options};
  c.outputs = opcheck_detail::first_run(c);
  if (op.is(kRandom)) return;  // each run gives other values
  opcheck_detail::check_runs(c);
  check_decomposition(c);
  if (!op.is(kDataDependent)) check_program(c);
  if (!op.is(kNotDifferentiable) && op.vjp) {
    const TensorVector leaves = leaves_of(c);
    const std::vector<bool> differentiable = differentiable_outputs(c, leaves);
    const auto f = [&](const TensorVector& x) { return weighed(run(c, x), differentiable); };
    gradcheck(f, leaves, options);
    check_saves(c, f);
    check_jvp(c, f);
  }
  check_batch(c);
}

}  // namespace strata::func
