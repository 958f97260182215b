// Numbering and iterative release of nodes.
#include "autograd/node.h"

#include <algorithm>

#include "core/error.h"

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

Node::Node(Edge* edges, uint32_t num_edges, uint32_t num_outputs)
    : num_edges_(num_edges), num_outputs_(num_outputs), sequence_nr_(number_after(edges, num_edges)), edges_(edges) {}
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

Node::Extras& Node::extras() {
  if (!extras_) extras_ = std::make_unique<Extras>();
  return *extras_;
}
std::vector<HookEntry>& Node::hooks() { return extras().hooks; }
void Node::set_origin(std::string text) { extras().origin = std::move(text); }
const std::string& Node::origin() const {
  static const std::string none;
  return extras_ ? extras_->origin : none;
}

void Node::fail_released() const {
  STRATA_THROW(
      "backward through the graph a second time: {} has freed its saved tensors; keep them the first time by "
      "retain_graph, the second argument of backward()",
      name());
}

}  // namespace strata::autograd
