// The Autograd key: runs an op below and records its node; in-place ops rewrite the history of what they write to.
#include "autograd/record.h"

#include <algorithm>

#include "autograd/anomaly.h"
#include "autograd/custom.h"
#include "autograd/inplace.h"
#include "autograd/meta.h"
#include "ops/number.h"

namespace strata::autograd {
namespace {

/// A number that became a tensor for the op is nobody's.
bool is_normal(const Tensor* t) {
  return t->defined() && !t->is_inference() && t->impl() != strata::detail::last_number();
}

/// Tensors of InferenceMode alone are not recorded outside of it either, whatever they require.
bool any_requires_grad(Args args) {
  for (const Tensor* t : args)
    if (t->requires_grad()) return !t->is_inference() || std::any_of(args.begin(), args.end(), is_normal);
  return false;
}

}  // namespace

bool is_recorded(const Op& op, Args args) { return !op.is(kNotDifferentiable) && any_requires_grad(args); }

void record_outputs(IntrusivePtr<OpNode> node, TensorList outputs) {
  node->save_outputs(outputs);
  if (AnomalyMode::is_enabled()) [[unlikely]]
    node->set_origin(AnomalyMode::describe_call(node->op()));
  auto owner = IntrusivePtr<Node>::adopt(node.detach());
  for (size_t i = outputs.size(); i-- > 0;) {
    if (!outputs[i].defined() || !is_differentiable(outputs[i].dtype())) continue;
    set_history(outputs[i], i == 0 ? std::move(owner) : owner, static_cast<uint32_t>(i));
  }
}

namespace {

/// In a function of its own, so that the compiler builds the outputs where the caller wants them.
Tensors call_recorded(const Op& op, Args args, Params params) {
  Tensors outputs = call_backend(op, args, params);
  record_outputs(OpNode::create(op, args, params), outputs);
  return outputs;
}

Tensors record(const Op& op, Args args, Params params) {
  if (!is_recorded(op, args)) return call_backend(op, args, params);
  if (op.is(kCustom)) [[unlikely]]
    return record_custom(args, params);
  return call_recorded(op, args, params);
}

void record_inplace(const Op& op, Tensor& self, Args args, Params params) {
  const bool differentiable = is_recorded(op, args);
  if (!differentiable && (!self.requires_grad() || self.is_inference()))
    return call_backend_inplace(op, self, args, params);
  check_inplace_allowed(op.name(), self);
  STRATA_CHECK(differentiable ? is_differentiable(self.dtype()) : true, "{}: cannot record an in-place op on {} values",
               op.name(), name(self.dtype()));
  if (self.is_view() && differentiable) show_from_base(self, args);
  // Without inputs that need gradients the old value is simply gone: a node without edges ends its history.
  const auto node = differentiable ? OpNode::create(op, args, params, &self) : OpNode::create(op, {}, params);
  call_backend_inplace(op, self, args, params);
  if (AnomalyMode::is_enabled()) [[unlikely]]
    node->set_origin(AnomalyMode::describe_call(op));
  node->save_outputs(self);
  const auto shared = IntrusivePtr<Node>::share(node.get());
  if (self.is_view())
    rebase(self, shared, 0);
  else
    set_history(self, shared, 0);
}

[[maybe_unused]] const bool installed = (set_key_handler(Key::Autograd, {&record, &record_inplace}), true);

}  // namespace
}  // namespace strata::autograd
