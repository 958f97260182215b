// Puts nodes of a program's own into the graph.
#include "compat/parts/program_node.h"

#include <cxxabi.h>

#include <cstdlib>
#include <typeinfo>

#include <strata/autograd/custom.h>
#include <strata/autograd/meta.h>

namespace strata::autograd {

InputEdge input_edge(const Tensor& input) {
  InputEdge edge;
  if (!input.defined()) return edge;
  if (input.requires_grad()) static_cast<Edge&>(edge) = gradient_edge(input);
  edge.sizes = input.sizes().vec();
  edge.dtype = input.scalar_type();
  edge.device = input.device();
  return edge;
}

}  // namespace strata::autograd

namespace strata::compat {
namespace {

std::vector<autograd::Edge> plain(const autograd::edge_list& edges) { return {edges.begin(), edges.end()}; }

std::vector<autograd::TensorKind> kinds_of(const autograd::edge_list& edges) {
  std::vector<autograd::TensorKind> kinds(edges.size());
  for (size_t i = 0; i < edges.size(); ++i) {
    kinds[i].sizes.assign(edges[i].sizes);
    kinds[i].dtype = edges[i].dtype;
    kinds[i].device = edges[i].device;
  }
  return kinds;
}

}  // namespace

/// Stands in the graph for a node of the program's, which it keeps.
class ProgramNode::InGraph final : public autograd::UserNode {
 public:
  explicit InGraph(std::shared_ptr<ProgramNode> node)
      : UserNode(plain(node->edges_), kinds_of(node->edges_), 0), node_(std::move(node)) {}
  ~InGraph() override { node_->in_graph_ = nullptr; }
  void set_outputs(uint32_t n) { set_num_outputs(n); }
  std::string name() const override { return node_->name(); }

  autograd::Tensors apply(autograd::Tensors grads) override {
    const UserCode user_code;
    const std::vector<Tensor> out = node_->apply({grads.begin(), grads.end()});
    STRATA_CHECK(out.size() == num_inputs(),
                 "{}: apply returned an invalid number of gradients: expected {}, but got {}", name(), num_inputs(),
                 out.size());
    return fitted(out);
  }

 private:
  void free_saved() override { node_->release_variables(); }
  std::shared_ptr<ProgramNode> node_;
};

std::string ProgramNode::name() const {
  char* const text = abi::__cxa_demangle(typeid(*this).name(), nullptr, nullptr, nullptr);
  std::string name = text ? text : typeid(*this).name();
  std::free(text);
  return name;
}

bool ProgramNode::should_compute_output(std::initializer_list<autograd::IndexRange> ranges) const {
  for (auto [i, end] : ranges)
    for (; i < end; ++i)
      if (should_compute_output(i)) return true;
  return false;
}

void ProgramNode::add_output(const Tensor& output, std::shared_ptr<ProgramNode> node) {
  if (!output.defined()) return;
  STRATA_CHECK(is_differentiable(output.scalar_type()), "set_history: Autograd not support dtype: {}",
               strata::name(output.scalar_type()));
  ProgramNode& self = *node;
  auto graph = self.in_graph_ ? IntrusivePtr<autograd::Node>::share(self.in_graph_)
                              : IntrusivePtr<autograd::Node>::adopt(self.in_graph_ = new InGraph(std::move(node)));
  self.in_graph_->set_outputs(self.num_made_ + 1);
  autograd::set_history(output, std::move(graph), self.num_made_++);
}

}  // namespace strata::compat
