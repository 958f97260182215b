// The grad layer: runs the op below and records a node in the level's own graph, which autograd's engine runs.
#include "transforms/grad_layer.h"

#include "autograd/engine.h"
#include "autograd/op_node.h"
#include "core/allocator.h"
#include "dispatcher/names.h"
#include "ops/creation.h"
#include "ops/view_def.h"
#include "transforms/control_ops.h"

namespace strata::func {

using autograd::Edge;
using autograd::Node;
using autograd::OpNode;

namespace {

struct Tracked final : ValueWrapper {
  Tracked(uint64_t level, Tensor value, Edge edge) : ValueWrapper(level, std::move(value)), edge(std::move(edge)) {}
  Edge edge;
};

/// Where gradients of an input end: the engine hands them out before it would run the node.
class Leaf final : public autograd::BuiltinNode {
 public:
  Leaf() : BuiltinNode(nullptr, 0, 1) {}
  Tensors run(Tensors) override { return {}; }
  std::string name() const override { return "GradInput"; }
};

/// Another body with the contents of `t`.
Tensor with_own_body(const Tensor& t) {
  if (t.impl()->wrapper()) return call1(alias_op, {&t});
  auto* const impl = new TensorImpl(t.dtype(), t.device(), t.storage());
  impl->set_geometry(t.sizes(), t.strides(), t.storage_offset());
  return Tensor::adopt(impl);
}

/// The arguments as the graph keeps them. In-place ops give a body other contents (Note [In-place inside transforms]),
/// which can happen to a tensor made inside that is a constant so far: where it is saved, the graph has its own body.
class SavedArgs {
 public:
  SavedArgs(const Op& op, Args args, const Edge* edges, uint64_t level) : args_(args) {
    for (size_t i = 0; i < args.size(); ++i) {
      const Tensor& t = args[i];
      const bool may_change = !edges[i] && t.defined() && t.impl()->born() >= level && !t.requires_grad();
      if (may_change && is_saved(op, i, edges)) give_body(i);
    }
  }
  operator Args() const { return bodies_.size() > 0 ? Args(list_) : args_; }

 private:
  bool is_saved(const Op& op, size_t input, const Edge* edges) const {
    for (size_t i = 0; i < args_.size(); ++i)
      if (edges[i] && op.saves_for(i).inputs & Saves::bit(input)) return true;
    return false;
  }
  void give_body(size_t input) {
    if (bodies_.size() == 0) bodies_ = Tensors::undefined(args_.size());
    bodies_[input] = with_own_body(args_[input]);
    list_ = {};
    for (size_t i = 0; i < args_.size(); ++i) list_.push_back(bodies_[i].defined() ? bodies_[i] : args_[i]);
  }

  Args args_;
  Tensors bodies_;
  ArgList list_;
};

}  // namespace

Tensor GradLayer::track(const Tensor& value) const {
  return make_wrapper(new Tracked(level(), value, {IntrusivePtr<Node>::adopt(new Leaf), 0}), value);
}
Tensor GradLayer::value(const Tensor& t) const {
  const Tracked* const w = wrapper_at<Tracked>(t, level());
  return w ? w->value : t;
}
Edge GradLayer::edge(const Tensor& t) const {
  const Tracked* const w = wrapper_at<Tracked>(t, level());
  return w ? w->edge : Edge();
}

Tensors GradLayer::record_custom(Args values, Edge* edges, const CustomParams& custom) const {
  CustomRule::List inputs;
  for (const Tensor* t : values) inputs.push_back(*t);
  const UserCode user_code;
  CustomRule::Forward kept = custom.rule->forward_with_residuals(inputs);
  const CustomRule::List outputs = kept.outputs;
  const std::vector<bool> constant = kept.constant;
  const auto node = IntrusivePtr<Node>::adopt(
      new autograd::CustomNode(custom, std::move(kept), std::vector<Edge>(edges, edges + values.size()), values));
  Tensors out = Tensors::undefined(outputs.size());
  for (uint32_t i = 0; i < outputs.size(); ++i) out[i] = outputs[i];
  Tensors all = tracked(out, node);
  for (uint32_t i = 0; i < constant.size(); ++i)
    if (constant[i]) all[i] = out[i];
  return all;
}

Tensors GradLayer::record_control_flow(const Op& op, Args values, Edge* edges, Params params) const {
  std::vector<bool> wanted;
  for (size_t i = 0; i < values.size(); ++i) wanted.push_back(static_cast<bool>(edges[i]));
  const auto rule = detail::control_rule(op, params, std::move(wanted));
  return rule ? record_custom(values, edges, CustomParams{rule}) : call(op, values, params);
}

Tensors GradLayer::tracked(Tensors out, const IntrusivePtr<Node>& node) const {
  for (uint32_t i = 0; i < out.size(); ++i) {
    if (!out[i].defined() || !is_differentiable(out[i].dtype())) continue;
    out[i] = make_wrapper(new Tracked(level(), out[i], {node, i}), out[i]);
  }
  return out;
}

Tensors GradLayer::process(const Op& op, Args args, Params params) {
  Edge few[8];
  const auto many = args.size() > 8 ? std::make_unique<Edge[]>(args.size()) : nullptr;
  Edge* const edges = many ? many.get() : few;
  const ArgList values = values_at<Tracked>(level(), args, [&](size_t i, const Tracked& t) { edges[i] = t.edge; });
  const bool recording = GradMode::is_enabled();
  const Below below(*this);
  if (op.is(kDetaches)) return call(alias_op, values);  // a constant here, not below
  if (op.is(kCustom) && recording) return record_custom(values, edges, params.as<CustomParams>());
  if (recording && detail::is_control_flow(op)) return record_control_flow(op, values, edges, params);
  Tensors out = call(op, values, params);
  if (op.is(kNotDifferentiable) || !recording) return out;
  const auto node = OpNode::create(op, SavedArgs(op, values, edges, level()), params, edges);
  node->save_values(out);
  return tracked(std::move(out), IntrusivePtr<Node>::share(node.get()));
}

namespace detail {

void Graph::add_input(const GradLayer& layer, Tensor& t, const char* who, Integers integers) {
  refresh(t);
  inputs_.emplace_back();
  const bool is_constant = !t.defined() || (integers == Integers::constants && !is_differentiable(t.dtype()));
  input_values_.push_back(is_constant ? Tensor() : t);
  if (is_constant) return;
  STRATA_CHECK(is_differentiable(t.dtype()),
               "{}: only floating point and complex tensors have gradients; an argument is {}", who, name(t.dtype()));
  t = layer.track(t);
  inputs_.back() = layer.edge(t);
}

void Graph::add_output(const GradLayer& layer, Tensor& t) {
  outputs_.push_back({layer.edge(t), {}});
  t = layer.value(t);
  outputs_.back().like = t;
}

std::vector<Tensor> Graph::pull(TensorList cotangents, bool keep) const {
  std::vector<Edge> roots;
  std::vector<Tensor> seeds;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Output& o = outputs_[i];
    const Tensor seed = cotangents.empty() ? ones_like(o.like) : cotangents[i];
    if (!o.edge || !seed.defined()) continue;
    STRATA_CHECK(seed.sizes() == o.like.sizes() && seed.dtype() == o.like.dtype(),
                 "vjp: output {} is {} of shape {}, its cotangent {} of shape {}", i, name(o.like.dtype()),
                 o.like.sizes(), name(seed.dtype()), seed.sizes());
    roots.push_back(o.edge);
    seeds.push_back(seed);
  }
  std::vector<Tensor> grads = autograd::run_grad(roots, seeds, inputs_, {keep, GradMode::is_enabled()});
  for (size_t i = 0; i < grads.size(); ++i)
    if (!grads[i].defined() && input_values_[i].defined()) grads[i] = zeros_like(input_values_[i]);
  return grads;
}

}  // namespace detail
}  // namespace strata::func
