// The Autograd key: runs an op below and records its node; in-place ops rewrite the history of what they write to.
#include "autograd/anomaly.h"
#include "autograd/custom.h"
#include "autograd/meta.h"
#include "autograd/op_node.h"
#include "ops/complex_def.h"
#include "ops/shaping_def.h"

namespace strata::autograd {
namespace {

bool any_requires_grad(Args args) {
  for (const Tensor* t : args)
    if (t->requires_grad()) return true;
  return false;
}

void record_outputs(const IntrusivePtr<OpNode>& node, TensorList outputs) {
  node->save_outputs(outputs);
  if (AnomalyMode::is_enabled()) [[unlikely]]
    node->set_origin(AnomalyMode::describe_call(node->op()));
  const auto shared = IntrusivePtr<Node>::share(node.get());
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].defined() && is_differentiable(outputs[i].dtype()))
      set_history(outputs[i], shared, static_cast<uint32_t>(i));
}

Tensors record(const Op& op, Args args, Params params) {
  if (op.is(kNotDifferentiable) || !any_requires_grad(args)) return call_backend(op, args, params);
  if (op.is(kCustom)) [[unlikely]]
    return record_custom(args, params);
  Tensors outputs = call_backend(op, args, params);
  record_outputs(OpNode::create(op, args, params), outputs);
  return outputs;
}

void check_inplace_allowed(const Op& op, const Tensor& self) {
  STRATA_CHECK(!self.requires_grad() || !is_leaf(self.impl()),
               "{}: in-place on a leaf tensor that requires grad; do it under NoGradGuard or on a clone", op.name());
  if (!self.is_view()) return;
  const Tensor base = self._base();
  STRATA_CHECK(!base.requires_grad() || !is_leaf(base.impl()),
               "{}: in-place on a view of a leaf tensor that requires grad; do it under NoGradGuard or on a clone",
               op.name());
  STRATA_CHECK(self.keys().has(Key::Autograd),
               "{}: in-place on a view that was made while recording was off; make the view outside of NoGradGuard",
               op.name());
}

/// The base with what the view shows of it replaced by the view.
IntrusivePtr<OpNode> update_node(const Tensor& base, const Tensor& view) {
  const PlaceInBase place = place_in_base(base, view);
  const auto as_parts = [&](const Tensor& t) {
    return place.in_parts && t.is_complex() ? history_of(view_as_real_op, {&t}, Params::of(NoParams())) : t;
  };
  const Tensor whole = as_parts(base), part = as_parts(view);
  const StridedParams p{whole.sizes(), place.sizes, place.strides, place.offset};
  if (!place.in_parts || !base.is_complex())
    return OpNode::create(as_strided_scatter_op, {&whole, &part}, Params::of(p));
  const Tensor pairs = history_of(as_strided_scatter_op, {&whole, &part}, Params::of(p));
  return OpNode::create(view_as_complex_op, {&pairs}, Params::of(NoParams()));
}

/// Note [In-place on views]
/// A recorded write to a view is a functional update of its base: base = as_strided_scatter(base, new view). So any
/// view may be written to, outputs of split and unbind too; siblings see the storage's new version and make their node
/// anew from the base.
void rebase(const Tensor& view, const IntrusivePtr<Node>& node) {
  const Tensor base = view._base();
  STRATA_CHECK(base.is_contiguous(),
               "in-place on a view of a tensor with strides {}: its gradient needs a row-major base", base.strides());
  set_history(view, node, 0);
  const auto updated = update_node(base, view);
  updated->save_outputs(base);
  set_history(base, IntrusivePtr<Node>::share(updated.get()), 0);
}

void record_inplace(const Op& op, Tensor& self, Args args, Params params) {
  const bool differentiable = !op.is(kNotDifferentiable) && any_requires_grad(args);
  if (!differentiable && !self.requires_grad()) return call_backend_inplace(op, self, args, params);
  check_inplace_allowed(op, self);
  STRATA_CHECK(differentiable ? is_differentiable(self.dtype()) : true, "{}: cannot record an in-place op on {} values",
               op.name(), name(self.dtype()));
  // Without inputs that need gradients the old value is simply gone: a node without edges ends its history.
  const auto node = differentiable ? OpNode::create(op, args, params, &self) : OpNode::create(op, {}, params);
  call_backend_inplace(op, self, args, params);
  if (AnomalyMode::is_enabled()) [[unlikely]]
    node->set_origin(AnomalyMode::describe_call(op));
  node->save_outputs(self);
  const auto shared = IntrusivePtr<Node>::share(node.get());
  if (self.is_view())
    rebase(self, shared);
  else
    set_history(self, shared, 0);
}

[[maybe_unused]] const bool installed = (set_key_handler(Key::Autograd, {&record, &record_inplace}), true);

}  // namespace
}  // namespace strata::autograd
