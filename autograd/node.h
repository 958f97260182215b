// A node of the backward graph: edges to the nodes of its inputs, and how gradients pass through it.
#pragma once
#include <atomic>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../dispatcher/tensors.h"
#include "validate.h"

namespace strata::autograd {

using dispatch::Args;
using dispatch::Tensors;
using variable_list = std::vector<Tensor>;

class Node;
struct NodeHooks;
struct FunctionPreHook;
struct FunctionPostHook;

/// Shares a node that a program made and holds: its pointer is kept until the graph has no use for the node.
IntrusivePtr<Node> shared_with_graph(std::shared_ptr<Node> node);

/// Where the gradient of an input goes: `function` takes it as gradient number `input_nr`. Empty for inputs that need
/// no gradient.
struct Edge {
  Edge() = default;
  Edge(IntrusivePtr<Node> node, uint32_t nr) : function(std::move(node)), input_nr(nr) {}
  template <class N>
  Edge(const std::shared_ptr<N>& node, uint32_t nr) : function(shared_with_graph(node)), input_nr(nr) {}
  bool is_valid() const { return static_cast<bool>(function); }
  explicit operator bool() const { return is_valid(); }
  bool operator==(const Edge& o) const { return function == o.function && input_nr == o.input_nr; }

  IntrusivePtr<Node> function;
  uint32_t input_nr = 0;
};

/// An edge of a node whose gradients come from a user's code: what is known of the input has to fit them.
struct InputEdge : Edge {
  using Edge::Edge;
  InputEdge() = default;
  InputEdge(Edge edge) : Edge(std::move(edge)) {}
  InputEdge(Edge edge, TensorKind input) : Edge(std::move(edge)), kind(std::move(input)) {}
  std::optional<TensorKind> kind;
};
using edge_list = std::vector<InputEdge>;

/// Places of arguments: from the first on, before the second.
using IndexRange = std::pair<size_t, size_t>;

/// A callable over gradients; a defined result replaces the gradient.
class Hook {
 public:
  virtual ~Hook() = default;
  virtual Tensor run(const Tensor& grad) = 0;
  void retain() { refs_.retain(); }
  void release() {
    if (refs_.release()) delete this;
  }

 private:
  RefCount refs_;
};

/// Hooks on one gradient that passes through a node.
struct HookEntry {
  HookHandle id = 0;
  uint32_t nr = 0;
  IntrusivePtr<Hook> hook;
};

/// A node's sequence number is above those of its producers, whichever threads recorded them, and in one thread numbers
/// rise: descending order is a topological order. Reference counted; the last release is iterative, so that no graph is
/// too deep to free.
///
/// A program derives its own nodes from this class: `apply` is all that they need, `set_next_edges` says where
/// gradients go on to, and `set_history` makes tensors their outputs. A shared_ptr or a counted pointer may hold them;
/// the graph keeps them as long as it needs them. The library's nodes derive from BuiltinNode.
class Node {
 public:
  explicit Node(edge_list next_edges = {});
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Gradients of the outputs (undefined = zero, at least one defined) to gradients of the inputs, one per edge. What
  /// `apply` returns is checked and made to fit the inputs.
  virtual Tensors run(Tensors grads);
  variable_list operator()(variable_list&& grads) { return apply(std::move(grads)); }
  /// "MulBackward0" and the like; the class's name unless it has a better one.
  virtual std::string name() const;
  /// Lets go of what was kept for backward, which has run.
  virtual void release_variables() {}
  /// Frees what was kept for backward; a later run that needs it throws.
  void release_saved() {
    release_variables();
    is_released_.store(true, std::memory_order_relaxed);
  }
  /// Has what was kept been freed, as a backward pass does?
  bool is_released() const { return is_released_.load(std::memory_order_relaxed); }
  /// Throws once what was kept is freed.
  void check_not_released() const {
    if (is_released()) [[unlikely]]
      fail_released();
  }

  uint64_t sequence_nr() const { return sequence_nr_; }
  /// The length of the longest path from here to a node without edges. Walks the graph.
  uint64_t topological_nr() const;
  /// How many gradients it takes: one for each output of the forward call.
  uint32_t num_inputs() const { return num_inputs_; }
  /// How many gradients it gives: one for each edge.
  uint32_t num_outputs() const { return num_edges_; }
  Edge& edge(size_t i) { return edges_[i]; }
  const Edge& next_edge(size_t i) const { return edges_[i]; }
  ArrayRef<Edge> next_edges() const { return {edges_, num_edges_}; }
  /// Does input `i` of the forward call need a gradient?
  bool should_compute_output(size_t i) const;
  bool should_compute_output(std::initializer_list<IndexRange> ranges) const;
  bool task_should_compute_output(size_t i) const { return should_compute_output(i); }
  bool task_should_compute_output(std::initializer_list<IndexRange> ranges) const {
    return should_compute_output(ranges);
  }

  /// The edges of a program's own node, before anything is computed from its outputs.
  void set_next_edges(edge_list edges);
  void set_next_edge(size_t i, InputEdge edge);
  void add_next_edge(InputEdge edge);
  struct undefined_input {};
  /// Counts one more output of the forward call and gives its place.
  uint32_t add_input_metadata(const Tensor& /*output*/) { return num_inputs_++; }
  uint32_t add_input_metadata(undefined_input /*none*/) { return num_inputs_++; }

  /// Hooks that see an output's gradient before the node runs; made on first use.
  std::vector<HookEntry>& hooks();
  /// The hooks to run now, null if there are none.
  virtual const std::vector<HookEntry>* active_hooks() const;
  /// Hooks that see all of a node's gradients; made on first use.
  NodeHooks& node_hooks();
  /// Null if there never were any.
  NodeHooks* active_node_hooks() const { return extras_ ? existing_node_hooks() : nullptr; }
  /// Runs before the node, after the hooks of tensors; what it returns is what the node is given.
  void add_pre_hook(std::unique_ptr<FunctionPreHook> hook);
  /// Runs before the gradients that somebody asked for are taken, as the hooks of tensors do.
  void add_tensor_pre_hook(std::unique_ptr<FunctionPreHook> hook);
  /// Runs after the node; what it returns goes on along the edges. Gives the key for del_post_hook.
  uintptr_t add_post_hook(std::unique_ptr<FunctionPostHook> hook);
  bool del_post_hook(const uintptr_t& key);
  std::vector<std::unique_ptr<FunctionPreHook>>& pre_hooks();
  std::vector<std::unique_ptr<FunctionPreHook>>& tensor_pre_hooks();
  std::vector<std::unique_ptr<FunctionPostHook>>& post_hooks();

  /// The forward call that made this node, recorded in anomaly mode.
  const std::string& origin() const;
  void set_origin(std::string text);

  void retain() { refs_.retain(); }
  void release() {
    if (refs_.release()) bury();
  }
  /// For the reference that a leaf keeps to its accumulator without being counted, which the leaf's lock guards.
  bool try_retain() { return refs_.try_retain(); }
  size_t use_count() const { return refs_.count(); }
  IntrusivePtr<Node> getptr() { return IntrusivePtr<Node>::share(this); }
  std::shared_ptr<Node> shared_from_this() { return getptr(); }

  /// The engine's scratch: which backward call works with the node, and its place there.
  struct Scratch {
    std::atomic<uint64_t> task{0};
    uint32_t slot = 0;
  };
  Scratch scratch;

 protected:
  /// The edges are made before the node, which comes after all that they lead to.
  Node(Edge* edges, uint32_t num_edges, uint32_t num_inputs);
  /// What a program's own node computes: gradients of the outputs (undefined for zeros) to one for each edge.
  virtual variable_list apply(variable_list&& grads) = 0;
  /// For nodes with references that do not count, first thing in `destroy`: see RefCount::taken_back.
  bool taken_back() { return refs_.taken_back(); }
  /// A node without edges that `destroy` has kept gets its first reference and a new number.
  void begin_again();
  /// Runs the destructor and frees the memory, unless a program's pointer goes on holding the node.
  virtual void destroy();
  void set_num_inputs(uint32_t n) { num_inputs_ = n; }
  /// What a user's code returned for the inputs, made to fit them; undefined where no gradient is needed.
  Tensors fitted(const variable_list& returned) const;

 private:
  friend IntrusivePtr<Node> shared_with_graph(std::shared_ptr<Node> node);
  struct Extras;
  Extras& extras();
  Extras& own_edges();
  void follow_edges(Extras& extras);
  NodeHooks* existing_node_hooks() const;
  void bury();
  [[noreturn, gnu::cold]] void fail_released() const;

  RefCount refs_;
  std::atomic<bool> is_released_{false};  // accumulators are released by backward passes of several threads
  uint32_t num_edges_, num_inputs_;
  uint64_t sequence_nr_;
  Edge* edges_;
  Node* next_buried_ = nullptr;
  std::unique_ptr<Extras> extras_;
};

template <class N>
bool operator==(const IntrusivePtr<Node>& a, const std::shared_ptr<N>& b) {
  return a.get() == b.get();
}

/// A node of the library's: gradients come and go in Tensors, which take no block of memory.
class BuiltinNode : public Node {
 public:
  Tensors run(Tensors grads) override = 0;

 protected:
  using Node::Node;
  variable_list apply(variable_list&& grads) final;
};

}  // namespace strata::autograd
