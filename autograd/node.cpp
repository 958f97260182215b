// Numbering and iterative release of nodes.
#include "autograd/node.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <typeinfo>
#include <unordered_map>

#include "autograd/hooks.h"
#include "core/error.h"
#include "dispatcher/names.h"

namespace strata::autograd {
namespace {
constinit thread_local uint64_t last_sequence_nr = 0;

/// A logical clock (Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, 1978): later than what
/// this thread has recorded so far and than the nodes of other threads that the edges lead to.
uint64_t number_after(const Edge* edges, uint32_t n) {
  uint64_t nr = last_sequence_nr;
  for (uint32_t i = 0; i < n; ++i)
    if (edges[i]) nr = std::max(nr, edges[i].function->sequence_nr());
  return last_sequence_nr = nr + 1;
}

// Note [Iterative release]
// Whatever drops the last reference to a node (an edge, a saved tensor, a view, a hook) ends in Node::release, which
// only queues the node here; the outermost release works the queue off. So the stack stays flat however deep the graph
// is.
constinit thread_local Node* buried = nullptr;
constinit thread_local bool digging = false;
}  // namespace

/// What few nodes have.
struct Node::Extras {
  std::vector<HookEntry> hooks;
  std::string origin;
  std::unique_ptr<NodeHooks> node_hooks;
  // Of a node whose gradients come from a user's code:
  std::vector<Edge> edges;
  std::vector<std::optional<TensorKind>> inputs;
  std::shared_ptr<Node> owner;  ///< Note [Nodes of programs]
};

Node::Node(Edge* edges, uint32_t num_edges, uint32_t num_inputs)
    : num_edges_(num_edges), num_inputs_(num_inputs), sequence_nr_(number_after(edges, num_edges)), edges_(edges) {}
Node::Node(edge_list next_edges) : Node(nullptr, 0, 0) {
  if (!next_edges.empty()) set_next_edges(std::move(next_edges));
}
Node::~Node() = default;

void Node::begin_again() {
  std::construct_at(&refs_);
  sequence_nr_ = ++last_sequence_nr;
}

void Node::bury() {
  next_buried_ = buried;
  buried = this;
  if (digging) return;
  digging = true;
  while (Node* n = buried) {
    buried = n->next_buried_;
    n->destroy();
  }
  digging = false;
}

// Note [Nodes of programs]
// A program may hold a node of its own class by any shared_ptr, which knows how the node was made. The first time that
// such a pointer is shared with the graph, the node takes a copy of it and the graph the reference that the node was
// born with; when the graph's last reference goes, the copy goes with it. Then the program's pointer, if there is one
// still, owns the node as before, and may share it again.
namespace {
constinit std::mutex owners;
}

IntrusivePtr<Node> shared_with_graph(std::shared_ptr<Node> node) {
  Node* const n = node.get();
  if (!n || std::get_deleter<ReleaseReference>(node)) return IntrusivePtr<Node>::share(n);
  for (;;) {
    const std::lock_guard lock(owners);
    std::shared_ptr<Node>& owner = n->extras().owner;
    if (!owner) {
      owner = std::move(node);
      return IntrusivePtr<Node>::adopt(n);
    }
    if (n->try_retain()) return IntrusivePtr<Node>::adopt(n);
    // Another thread has dropped the graph's last reference and is about to let go of the copy.
  }
}

void Node::destroy() {
  std::shared_ptr<Node> owner;
  if (extras_) {
    const std::lock_guard lock(owners);
    if (taken_back()) return;
    owner = std::move(extras_->owner);
    if (owner) std::construct_at(&refs_);
  }
  if (!owner) delete this;
}

Node::Extras& Node::extras() {
  if (!extras_) extras_ = std::make_unique<Extras>();
  return *extras_;
}
std::vector<HookEntry>& Node::hooks() { return extras().hooks; }
const std::vector<HookEntry>* Node::active_hooks() const {
  return extras_ && !extras_->hooks.empty() ? &extras_->hooks : nullptr;
}
void Node::set_origin(std::string text) { extras().origin = std::move(text); }
const std::string& Node::origin() const {
  static const std::string none;
  return extras_ ? extras_->origin : none;
}

NodeHooks* Node::existing_node_hooks() const { return extras_->node_hooks.get(); }
NodeHooks& Node::node_hooks() {
  std::unique_ptr<NodeHooks>& hooks = extras().node_hooks;
  if (!hooks) hooks = std::make_unique<NodeHooks>();
  return *hooks;
}
std::vector<std::unique_ptr<FunctionPreHook>>& Node::pre_hooks() { return node_hooks().before; }
std::vector<std::unique_ptr<FunctionPreHook>>& Node::tensor_pre_hooks() { return node_hooks().of_tensors; }
std::vector<std::unique_ptr<FunctionPostHook>>& Node::post_hooks() { return node_hooks().after; }
void Node::add_pre_hook(std::unique_ptr<FunctionPreHook> hook) { pre_hooks().push_back(std::move(hook)); }
void Node::add_tensor_pre_hook(std::unique_ptr<FunctionPreHook> hook) { tensor_pre_hooks().push_back(std::move(hook)); }
uintptr_t Node::add_post_hook(std::unique_ptr<FunctionPostHook> hook) {
  post_hooks().push_back(std::move(hook));
  return reinterpret_cast<uintptr_t>(post_hooks().back().get());
}
bool Node::del_post_hook(const uintptr_t& key) {
  return std::erase_if(post_hooks(), [&](const auto& h) { return reinterpret_cast<uintptr_t>(h.get()) == key; }) > 0;
}

bool Node::should_compute_output(size_t i) const {
  STRATA_CHECK(i < num_edges_, "should_compute_output: Index out of range: {} of {} edges", i, num_edges_);
  return edges_[i].is_valid();
}
bool Node::should_compute_output(std::initializer_list<IndexRange> ranges) const {
  for (auto [i, end] : ranges)
    for (; i < end; ++i)
      if (should_compute_output(i)) return true;
  return false;
}

/// Of a node that keeps its edges here; a recorded op has them in its own block of memory.
Node::Extras& Node::own_edges() {
  Extras& mine = extras();
  STRATA_CHECK(mine.edges.size() == num_edges_, "{}: the edges of a recorded op cannot be changed", name());
  return mine;
}
void Node::follow_edges(Extras& mine) {
  edges_ = mine.edges.data();
  num_edges_ = static_cast<uint32_t>(mine.edges.size());
  const bool comes_after = std::all_of(edges_, edges_ + num_edges_,
                                       [&](const Edge& e) { return !e || e.function->sequence_nr_ < sequence_nr_; });
  if (!comes_after) sequence_nr_ = number_after(edges_, num_edges_);
}
void Node::add_next_edge(InputEdge edge) {
  Extras& mine = own_edges();
  mine.inputs.push_back(std::move(edge.kind));
  mine.edges.push_back(std::move(edge));
  follow_edges(mine);
}
void Node::set_next_edge(size_t i, InputEdge edge) {
  Extras& mine = own_edges();
  mine.inputs.at(i) = std::move(edge.kind);
  mine.edges.at(i) = std::move(edge);
  follow_edges(mine);
}
void Node::set_next_edges(edge_list edges) {
  Extras& mine = own_edges();
  mine.edges.clear();
  mine.inputs.clear();
  for (InputEdge& e : edges) {
    mine.inputs.push_back(std::move(e.kind));
    mine.edges.push_back(std::move(e));
  }
  follow_edges(mine);
}

uint64_t Node::topological_nr() const {
  std::unordered_map<const Node*, uint64_t> lengths;
  std::vector<const Node*> path{this};
  while (!path.empty()) {
    const Node* const n = path.back();
    uint64_t length = 0;
    bool is_complete = true;
    for (const Edge& e : n->next_edges()) {
      if (!e) continue;
      const auto known = lengths.find(e.function.get());
      if (known == lengths.end())
        path.push_back(e.function.get()), is_complete = false;
      else
        length = std::max(length, known->second + 1);
    }
    if (!is_complete) continue;
    lengths[n] = length;
    path.pop_back();
  }
  return lengths[this];
}

std::string Node::name() const {
  char* const text = abi::__cxa_demangle(typeid(*this).name(), nullptr, nullptr, nullptr);
  std::string name = text ? text : typeid(*this).name();
  std::free(text);
  return name;
}

Tensors Node::run(Tensors grads) {
  const UserCode user_code;
  const variable_list returned = apply({grads.begin(), grads.end()});
  STRATA_CHECK(returned.size() == num_edges_,
               "{}: apply returned an invalid number of gradients: expected {}, but got {}", name(), num_edges_,
               returned.size());
  return fitted(returned);
}

Tensors Node::fitted(const variable_list& returned) const {
  const std::string who = name();
  Tensors grads = Tensors::undefined(num_edges_);
  for (size_t i = 0; i < returned.size(); ++i) {
    if (!edges_[i]) continue;
    const std::optional<TensorKind>& kind = extras_->inputs[i];
    grads[i] = kind ? fit_gradient(returned[i], *kind, who, i) : returned[i];
  }
  return grads;
}

variable_list BuiltinNode::apply(variable_list&& grads) {
  Tensors given = Tensors::undefined(grads.size());
  std::move(grads.begin(), grads.end(), given.begin());
  const Tensors out = run(std::move(given));
  return {out.begin(), out.end()};
}

void Node::fail_released() const {
  STRATA_THROW(
      "Trying to backward through the graph a second time: {} has freed its saved tensors; keep them the first time by "
      "retain_graph, the second argument of backward()",
      name());
}

}  // namespace strata::autograd
