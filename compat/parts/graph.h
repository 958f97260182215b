// The backward graph by libtorch's names: edges of tensors, and what puts a program's own nodes behind them.
#pragma once
#include <strata/autograd/accumulate.h>
#include <strata/autograd/hooks.h>
#include <strata/autograd/node.h>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "check.h"
#include "custom_class.h"

namespace strata::autograd {

/// The edge that leads to what made a tensor, or to the gradient of a leaf; empty where it needs none.
InputEdge input_edge(const Tensor& input);

/// Gives the edges of all arguments: tensors and lists of them. Others have none.
template <class... T>
edge_list collect_next_edges(const T&... inputs) {
  edge_list edges;
  const auto add = [&](const auto& input) {
    using Input = std::remove_cvref_t<decltype(input)>;
    if constexpr (std::is_convertible_v<Input, Tensor>)
      edges.push_back(input_edge(input));
    else if constexpr (std::is_same_v<Input, std::optional<Tensor>>)
      edges.push_back(input_edge(input.value_or(Tensor())));
    else if constexpr (std::is_convertible_v<Input, std::vector<Tensor>>)
      for (const Tensor& each : input) edges.push_back(input_edge(each));
  };
  (add(inputs), ...);
  return edges;
}

/// A pointer to a node: a shared_ptr, a counted one, or what an edge holds.
template <class Pointer>
concept NodePointer = std::constructible_from<Edge, Pointer, uint32_t> && requires(const Pointer& node) {
  node->num_inputs();
};

/// Makes an undefined tensor no output, but counts it; else the dtype must have derivatives.
void add_output(const Tensor& output, const Edge& node);

/// Makes a tensor the next output of the node.
template <NodePointer Pointer>
void set_history(const Tensor& output, const Pointer& node) {
  TORCH_CHECK(node != nullptr, "set_history: there is no node");
  add_output(output, Edge(node, 0));
}
template <NodePointer Pointer>
void set_history(const std::vector<Tensor>& outputs, const Pointer& node) {
  for (const Tensor& output : outputs) set_history(output, node);
}
template <NodePointer Pointer>
void create_gradient_edge(const Tensor& output, const Pointer& node) {
  set_history(output, node);
}

/// What libtorch's nodes are let go with: `std::shared_ptr<Mine>(new Mine(), deleteNode)`.
inline void deleteNode(Node* node) { delete node; }

/// A node that libtorch's tracer may follow; here as any other.
struct TraceableFunction : Node {
  using Node::Node;
};

/// Gives copies of what it is given, through which no gradient flows back.
struct UndefinedGrad : Node {
  variable_list apply(variable_list&& inputs) override;
};
/// Its node in the graph.
struct UndefinedGradBackward : Node {
  using Node::Node;
  variable_list apply(variable_list&& grads) override { return variable_list(grads.size()); }
};

namespace impl {
/// The edge that the tensor's gradient takes; empty where it needs none.
Edge gradient_edge(const Tensor& t);
/// Makes `t` an output of the edge's node.
void set_gradient_edge(const Tensor& t, const Edge& edge);
/// The node of a leaf that requires grad; null for others.
std::shared_ptr<Node> grad_accumulator(const Tensor& t);
inline std::shared_ptr<Node> try_get_grad_accumulator(const Tensor& t) { return grad_accumulator(t); }
/// The node that made `t`, which lives as long as the tensor has it.
inline Node* grad_fn_unsafe(const Tensor& t) { return t.grad_fn().get(); }
/// Counts a write to the tensor's memory that no op made.
void bump_version(const Tensor& t);
}  // namespace impl

}  // namespace strata::autograd

template <>
struct std::hash<strata::autograd::Edge> {
  size_t operator()(const strata::autograd::Edge& edge) const noexcept {
    return std::hash<strata::autograd::Node*>()(edge.function.get()) * 31 + edge.input_nr;
  }
};
