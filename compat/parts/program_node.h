// Nodes of the backward graph that a program writes itself, as classes that derive from torch::autograd::Node.
#pragma once
#include <strata/autograd/function.h>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.h"
#include "custom_class.h"

namespace strata::autograd {

/// Where gradients of inputs go, with the inputs' shapes and dtypes, which the gradients have to fit.
struct InputEdge : Edge {
  std::vector<int64_t> sizes;
  DType dtype = kFloat;
  Device device;
};
using edge_list = std::vector<InputEdge>;

/// The edge that leads to what made a tensor, or to the gradient of a leaf; empty where it needs none.
InputEdge input_edge(const Tensor& input);

/// Gives the edges of all arguments: tensors and lists of them. Others have none.
template <class... T>
edge_list collect_next_edges(const T&... inputs) {
  edge_list edges;
  const auto add = [&](const auto& input) {
    if constexpr (std::is_convertible_v<decltype(input), Tensor>)
      edges.push_back(input_edge(input));
    else if constexpr (std::is_convertible_v<decltype(input), std::vector<Tensor>>)
      for (const Tensor& each : input) edges.push_back(input_edge(each));
  };
  (add(inputs), ...);
  return edges;
}

}  // namespace strata::autograd

namespace strata::compat {

/// A node whose class a program writes: `apply` makes gradients of the outputs (undefined for zeros) to gradients of
/// the inputs, of which there is one for each edge. `set_history` puts it in the graph.
class ProgramNode : public intrusive_ptr_target {
 public:
  ProgramNode() = default;
  explicit ProgramNode(autograd::edge_list edges) : edges_(std::move(edges)) {}
  ~ProgramNode() override = default;

  virtual std::vector<Tensor> apply(std::vector<Tensor>&& grads) = 0;
  /// The class's name.
  virtual std::string name() const;
  /// Lets go of what was kept for backward, which has run.
  virtual void release_variables() {}

  void set_next_edges(autograd::edge_list edges) { edges_ = std::move(edges); }
  void add_next_edge(autograd::InputEdge edge) { edges_.push_back(std::move(edge)); }
  const autograd::edge_list& next_edges() const { return edges_; }
  const autograd::Edge& next_edge(size_t i) const { return edges_.at(i); }
  /// How many gradients `apply` gives, and how many it takes.
  uint32_t num_outputs() const { return static_cast<uint32_t>(edges_.size()); }
  uint32_t num_inputs() const { return num_made_; }
  /// Does input `i` need a gradient?
  bool should_compute_output(size_t i) const { return edges_.at(i).is_valid(); }
  bool should_compute_output(std::initializer_list<autograd::IndexRange> ranges) const;
  bool task_should_compute_output(size_t i) const { return should_compute_output(i); }
  /// For SavedVariable::unpack.
  const ProgramNode* getptr() const { return this; }
  const ProgramNode* shared_from_this() const { return this; }

  /// Makes a tensor the next output of a node, which lives as long as the graph.
  static void add_output(const Tensor& output, std::shared_ptr<ProgramNode> node);

 private:
  class InGraph;
  autograd::edge_list edges_;
  InGraph* in_graph_ = nullptr;  // which has this node, and is gone before it
  uint32_t num_made_ = 0;
};

}  // namespace strata::compat

namespace strata::autograd {

/// What libtorch's nodes are let go with: `std::shared_ptr<Mine>(new Mine(), deleteNode)`.
inline void deleteNode(compat::ProgramNode* node) { delete node; }

/// Makes a tensor the next output of the node; undefined ones are left out. Its dtype must have derivatives.
template <std::derived_from<compat::ProgramNode> T>
void set_history(const Tensor& output, const std::shared_ptr<T>& node) {
  TORCH_CHECK(node != nullptr, "set_history: there is no node");
  compat::ProgramNode::add_output(output, node);
}
template <std::derived_from<compat::ProgramNode> T>
void set_history(const Tensor& output, const intrusive_ptr<T>& node) {
  set_history(output, std::shared_ptr<T>(node.get(), [node](T*) {}));
}
template <class Pointer>
void set_history(const std::vector<Tensor>& outputs, const Pointer& node) {
  for (const Tensor& output : outputs) set_history(output, node);
}
template <class Pointer>
void create_gradient_edge(const Tensor& output, const Pointer& node) {
  set_history(output, node);
}

}  // namespace strata::autograd
