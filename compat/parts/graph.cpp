// Edges of tensors, and tensors as outputs of a program's own nodes.
#include "compat/parts/graph.h"

#include <strata/autograd/meta.h>
#include <strata/core/storage.h>

namespace strata::autograd {

InputEdge input_edge(const Tensor& input) {
  if (!input.defined()) return {};
  return {impl::gradient_edge(input), TensorKind(input)};
}

void add_output(const Tensor& output, const Edge& node) {
  if (!output.defined()) {
    node.function->add_input_metadata(Node::undefined_input());
    return;
  }
  STRATA_CHECK(is_differentiable(output.scalar_type()), "set_history: Autograd not support dtype: {}",
               strata::name(output.scalar_type()));
  set_history(output, node.function, node.function->add_input_metadata(output));
}

variable_list UndefinedGrad::apply(variable_list&& inputs) {
  const auto node = std::make_shared<UndefinedGradBackward>(collect_next_edges(inputs));
  variable_list outputs;
  for (const Tensor& input : inputs) {
    outputs.push_back(input.defined() ? input.detach().clone() : Tensor());
    set_history(outputs.back(), node);
  }
  return outputs;
}

namespace impl {

Edge gradient_edge(const Tensor& t) { return t.requires_grad() ? autograd::gradient_edge(t) : Edge(); }

void set_gradient_edge(const Tensor& t, const Edge& edge) {
  TORCH_CHECK(t.defined() && edge.is_valid(), "set_gradient_edge: there is no ", t.defined() ? "node" : "tensor");
  set_history(t, edge.function, edge.input_nr);
}

std::shared_ptr<Node> grad_accumulator(const Tensor& t) {
  return t.requires_grad() && t.is_leaf() ? AccumulateGrad::of(t).function : nullptr;
}

void bump_version(const Tensor& t) {
  if (t.has_storage()) t.storage()->bump_version();
}

}  // namespace impl
}  // namespace strata::autograd
