// Running and recording custom calls.
#include "autograd/custom.h"

#include "autograd/meta.h"
#include "core/grad_mode.h"
#include "dispatcher/names.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::autograd {
namespace {

CustomRule::List to_list(Args args) {
  CustomRule::List list;
  for (const Tensor* t : args) list.push_back(*t);
  return list;
}

Tensors to_tensors(const CustomRule::List& list) {
  Tensors out = Tensors::undefined(list.size());
  for (size_t i = 0; i < list.size(); ++i) out[i] = list[i];
  return out;
}

std::vector<TensorKind> kinds_of(Args inputs) {
  std::vector<TensorKind> kinds;
  for (const Tensor* t : inputs) kinds.emplace_back(*t);
  return kinds;
}

void run_forward(Tensors& out, Args in, const void* params) {
  const UserCode user_code;
  out = to_tensors(static_cast<const CustomParams*>(params)->rule->forward(to_list(in)));
}

Tensors run_jvp(const Jvp& c, const void* params) {
  CustomRule::List tangents = to_list(c.tangents);
  for (size_t i = 0; i < tangents.size(); ++i)
    if (!tangents[i].defined() && c.in(i).defined()) tangents[i] = zeros_like(c.in(i));
  const UserCode user_code;
  return to_tensors(static_cast<const CustomParams*>(params)->rule->jvp(to_list(c.inputs), tangents));
}

constexpr Op make_custom_op() {
  Op op;
  op.schema = "custom(Tensor[] inputs) -> Tensor[]";
  op.flags = kDataDependent | kCustom;
  op.params = &dispatch::params_type<CustomParams>;
  for (DTypes& types : op.dtypes) types = kAllTypes;
  for (KernelFn& kernel : op.kernels) kernel = &run_forward;
  op.jvp = &run_jvp;
  return op;
}

}  // namespace

constinit Op custom_op = make_custom_op();

namespace {
edge_list with_kinds(std::vector<Edge> edges, std::vector<TensorKind> inputs) {
  edge_list out;
  for (size_t i = 0; i < edges.size(); ++i) out.emplace_back(std::move(edges[i]), std::move(inputs[i]));
  return out;
}
}  // namespace

UserNode::UserNode(std::vector<Edge> edges, std::vector<TensorKind> inputs, uint32_t num_outputs)
    : BuiltinNode(with_kinds(std::move(edges), std::move(inputs))) {
  set_num_inputs(num_outputs);
}

CustomNode::CustomNode(CustomParams params, CustomRule::Forward kept, std::vector<Edge> edges, Args inputs)
    : UserNode(std::move(edges), kinds_of(inputs), static_cast<uint32_t>(kept.outputs.size())),
      params_(std::move(params)),
      kept_(std::move(kept)) {
  for (Tensor& t : kept_.outputs) output_shapes_.push_back(constant(0, t.dtype(), t.device(), t.sizes()));
  kept_.outputs.clear();
  for (const Tensor& t : kept_.residuals) residuals_.push_back(SavedTensor::of(t));
  kept_.residuals.clear();
}

Tensors CustomNode::run(Tensors grads) {
  check_not_released();
  CustomRule::Forward kept = kept_;
  for (const SavedTensor& t : residuals_) kept.residuals.push_back(t.unpack(*this));
  for (size_t i = 0; i < num_outputs(); ++i) kept.wanted.push_back(static_cast<bool>(next_edge(i)));
  CustomRule::List given;
  for (size_t i = 0; i < output_shapes_.size(); ++i)
    given.push_back(grads[i].defined() || kept.takes_undefined ? grads[i] : output_shapes_[i]);
  const UserCode user_code;
  const CustomRule::List out = params_.rule->backward(kept, given);
  STRATA_CHECK(out.size() == num_outputs(), "{}: backward returned {} gradients for {} inputs", name(), out.size(),
               num_outputs());
  return fitted(out);
}

void CustomNode::release_variables() {
  kept_ = {};
  residuals_.clear();
}

namespace {

/// Forward runs with recording on, so that what it keeps has a history and backward can be differentiated; the outputs'
/// own history is replaced by the node.
CustomRule::Forward run_recorded(const CustomRule& rule, const CustomRule::List& inputs, bool with_history) {
  const AutoGradMode mode(rule.needs_history() || with_history);
  const UserCode user_code;
  CustomRule::Forward kept = rule.forward_with_residuals(inputs);
  kept.eager = true;
  return kept;
}

}  // namespace

Tensors record_custom(Args inputs, Params params, CustomCall looked_at) {
  const auto& custom = params.as<CustomParams>();
  std::vector<Edge> edges;
  for (const Tensor* t : inputs) edges.push_back(t->requires_grad() ? gradient_edge(*t) : Edge());
  CustomRule::Forward kept = run_recorded(*custom.rule, to_list(inputs), looked_at.with_history);
  if (looked_at.ran) *looked_at.ran = kept;
  Tensors out = Tensors::undefined(kept.outputs.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = detach(kept.outputs[i]);
  const std::vector<bool> constant = kept.constant;
  const auto node = IntrusivePtr<Node>::adopt(new CustomNode(custom, std::move(kept), std::move(edges), inputs));
  for (uint32_t i = 0; i < out.size(); ++i)
    if (is_differentiable(out[i].dtype()) && !(i < constant.size() && constant[i])) set_history(out[i], node, i);
  return out;
}

}  // namespace strata::autograd
