// A node of the backward graph: edges to the nodes of its inputs, and how gradients pass through it.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "../dispatcher/tensors.h"

namespace strata::autograd {

using dispatch::Args;
using dispatch::Tensors;

class Node;

/// Where the gradient of an input goes: `function` takes it as gradient number `input_nr`. Empty for inputs that need
/// no gradient.
struct Edge {
  IntrusivePtr<Node> function;
  uint32_t input_nr = 0;
  bool is_valid() const { return static_cast<bool>(function); }
  explicit operator bool() const { return is_valid(); }
};

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
class Node {
 public:
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Gradients of the outputs (undefined = zero, at least one defined) to gradients of the inputs, one per edge.
  virtual Tensors apply(Tensors grads) = 0;
  /// "MulBackward0" and the like.
  virtual std::string name() const = 0;
  /// Frees what was kept for backward; a later apply that needs it throws.
  void release_saved() {
    free_saved();
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
  uint32_t num_inputs() const { return num_edges_; }
  uint32_t num_outputs() const { return num_outputs_; }
  Edge& edge(size_t i) { return edges_[i]; }
  const Edge& next_edge(size_t i) const { return edges_[i]; }
  ArrayRef<Edge> next_edges() const { return {edges_, num_edges_}; }

  /// Hooks that see an output's gradient before the node runs; made on first use.
  std::vector<HookEntry>& hooks();
  /// The hooks to run now, null if there are none.
  virtual const std::vector<HookEntry>* active_hooks() const { return extras_ ? &extras_->hooks : nullptr; }
  /// The forward call that made this node, recorded in anomaly mode.
  const std::string& origin() const;
  void set_origin(std::string text);

  void retain() { refs_.retain(); }
  void release() {
    if (refs_.release()) bury();
  }
  /// For the reference that a leaf keeps to its accumulator without being counted, which the leaf's lock guards.
  bool try_retain() { return refs_.try_retain(); }

  /// The engine's scratch: which backward call works with the node, and its place there.
  struct Scratch {
    std::atomic<uint64_t> task{0};
    uint32_t slot = 0;
  };
  Scratch scratch;

 protected:
  /// The edges are made before the node, which comes after all that they lead to.
  Node(Edge* edges, uint32_t num_edges, uint32_t num_outputs);
  virtual ~Node();
  /// For nodes with references that do not count, first thing in `destroy`: see RefCount::taken_back.
  bool taken_back() { return refs_.taken_back(); }
  /// A node without edges that `destroy` has kept gets its first reference and a new number.
  void begin_again();
  /// Runs the destructor and frees the memory.
  virtual void destroy() = 0;
  virtual void free_saved() {}
  void set_num_outputs(uint32_t n) { num_outputs_ = n; }

 private:
  struct Extras {
    std::vector<HookEntry> hooks;
    std::string origin;
  };
  Extras& extras();
  void bury();
  [[noreturn, gnu::cold]] void fail_released() const;

  RefCount refs_;
  std::atomic<bool> is_released_{false};  // accumulators are released by backward passes of several threads
  uint32_t num_edges_, num_outputs_;
  uint64_t sequence_nr_;
  Edge* edges_;
  Node* next_buried_ = nullptr;
  std::unique_ptr<Extras> extras_;
};

}  // namespace strata::autograd
