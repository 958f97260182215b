// The backward graph by libtorch's names: one class of nodes for ops and for programs, their edges and their hooks.
#include <torch/torch.h>

#include "test/catch.h"

using Catch::Matchers::ContainsSubstring;
using torch::autograd::Node;
using torch::autograd::variable_list;

namespace {

int living = 0;

/// Passes on its gradient times a factor.
struct Times : Node {
  explicit Times(double factor, torch::autograd::edge_list edges = {}) : Node(std::move(edges)), factor(factor) {
    ++living;
  }
  ~Times() override { --living; }
  variable_list apply(variable_list&& grads) override { return {grads[0] * factor}; }
  double factor;
};

torch::Tensor leaf() { return torch::ones({2}, torch::requires_grad()); }

/// `x` as an output of a node that a shared_ptr made by `make` holds.
template <class Pointer>
torch::Tensor output_of(const Pointer& node, const torch::Tensor& x) {
  node->set_next_edges(torch::autograd::collect_next_edges(x));
  torch::Tensor y = x.detach().clone();
  torch::autograd::set_history(y, node);
  return y;
}

struct Doubling : torch::autograd::FunctionPreHook {
  variable_list operator()(const variable_list& grads) override { return {grads[0] * 2}; }
};
struct Noting : torch::autograd::FunctionPostHook {
  explicit Noting(std::vector<double>& seen) : seen(seen) {}
  variable_list operator()(const variable_list& outputs, const variable_list& inputs) override {
    seen.push_back(inputs[0].sum().item<double>());
    seen.push_back(outputs.empty() ? -1 : outputs[0].sum().item<double>());
    return outputs;
  }
  std::vector<double>& seen;
};
struct Losing : torch::autograd::FunctionPreHook {
  variable_list operator()(const variable_list&) override { return {}; }
};

}  // namespace

TEST_CASE("a tensor's node is a Node, by any pointer", "[compat]") {
  const torch::Tensor x = leaf(), y = x * 2;
  Node* const raw = y.grad_fn().get();
  CHECK(raw->name() == "MulBackward1");
  const std::shared_ptr<Node> shared = y.grad_fn();
  const c10::intrusive_ptr<Node> counted = y.grad_fn();
  CHECK(shared.get() == raw);
  CHECK(counted.get() == raw);
  CHECK(shared == y.grad_fn());
  CHECK(raw->num_inputs() == 1);
  CHECK(x.grad_fn() == nullptr);
  const std::shared_ptr<Node> next = raw->next_edge(0).function;
  CHECK(next->name() == "torch::autograd::AccumulateGrad");
  CHECK(std::dynamic_pointer_cast<torch::autograd::AccumulateGrad>(next)->variable.is_same(x));
  CHECK(std::dynamic_pointer_cast<Times>(shared) == nullptr);
  CHECK(torch::equal((*shared)({torch::full({2}, 3.)})[0], torch::full({2}, 6.)));
}

TEST_CASE("a node outlives its tensor while a program points to it", "[compat]") {
  const torch::Tensor x = leaf();
  std::shared_ptr<Node> node;
  {
    const torch::Tensor y = x * x;
    node = y.grad_fn();
  }
  CHECK(torch::equal((*node)({torch::ones({2})})[0], torch::full({2}, 1.)));
}

TEST_CASE("edges are compared, hashed and made", "[compat]") {
  using torch::autograd::Edge;
  const torch::Tensor x = leaf(), y = x.exp();
  const Edge edge = torch::autograd::impl::gradient_edge(y);
  CHECK(edge == Edge(y.grad_fn(), 0));
  CHECK(edge != Edge{});
  CHECK(std::unordered_set<Edge>{edge, Edge(y.grad_fn(), 0), Edge()}.size() == 2);
  CHECK(edge.function == y.grad_fn());
  CHECK(torch::autograd::impl::grad_accumulator(x) == y.grad_fn()->next_edge(0).function.get()->getptr());
  CHECK(torch::autograd::impl::grad_accumulator(y) == nullptr);
  CHECK_FALSE(torch::autograd::impl::gradient_edge(x.detach()).is_valid());
}

TEST_CASE("the longest way to a leaf is counted", "[compat]") {
  const torch::Tensor x = leaf();
  torch::Tensor y = x * 2;
  for (int i = 0; i < 2000; ++i) y = y + x;
  CHECK(torch::autograd::impl::grad_accumulator(x)->topological_nr() == 0);
  CHECK(y.grad_fn()->topological_nr() == 2001);
}

TEST_CASE("a program's node is held by pointers of any kind, and by the graph", "[compat]") {
  REQUIRE(living == 0);
  const torch::Tensor x = leaf();
  const auto check = [&](auto node) {
    torch::Tensor y = output_of(node, x);
    CHECK(y.grad_fn().get() == node.get());
    node = nullptr;
    CHECK(living == 1);
    (y * 1).sum().backward();
    CHECK(torch::equal(x.grad(), torch::full({2}, 3.)));
    x.mutable_grad() = {};
    const std::shared_ptr<Node> last = y.grad_fn();
    y = torch::Tensor();
    CHECK(living == 1);
    CHECK(std::dynamic_pointer_cast<Times>(last)->factor == 3);
  };
  check(std::make_shared<Times>(3.));
  CHECK(living == 0);
  check(std::shared_ptr<Times>(new Times(3.)));
  CHECK(living == 0);
  check(std::shared_ptr<Times>(new Times(3.), torch::autograd::deleteNode));
  CHECK(living == 0);
  check(c10::make_intrusive<Times>(3.));
  CHECK(living == 0);
}

TEST_CASE("a program's pointer keeps the node when the graph has gone, and may give it to another", "[compat]") {
  const torch::Tensor x = leaf();
  const auto node = std::make_shared<Times>(2.);
  for (int i = 0; i < 3; ++i) {
    const torch::Tensor y = x.detach().clone();
    node->set_next_edges(torch::autograd::collect_next_edges(x));
    torch::autograd::impl::set_gradient_edge(y, {node, node->add_input_metadata(y)});
    CHECK(y.output_nr() == i);
  }
  CHECK(living == 1);
  CHECK(node.use_count() == 1);
}

TEST_CASE("a program's nodes stand among others in the order of their edges", "[compat]") {
  const torch::Tensor x = leaf();
  const auto early = std::make_shared<Times>(10.);  // made before what it leads to
  const torch::Tensor y = x * 2 + x;
  early->add_next_edge(torch::autograd::impl::gradient_edge(y));
  const torch::Tensor z = y.detach().clone();
  torch::autograd::create_gradient_edge(z, early);
  (z + y).sum().backward();
  CHECK(torch::equal(x.grad(), torch::full({2}, 33.)));
  CHECK(early->sequence_nr() > y.grad_fn()->sequence_nr());
}

TEST_CASE("hooks see all gradients before and after a node", "[compat]") {
  const torch::Tensor x = leaf(), y = x * 3;
  std::vector<double> seen;
  const auto node = y.grad_fn();
  node->add_pre_hook(std::make_unique<Doubling>());
  const uintptr_t key = node->add_post_hook(std::make_unique<Noting>(seen));
  torch::autograd::impl::grad_accumulator(x)->add_post_hook(std::make_unique<Noting>(seen));
  y.sum().backward({}, true);
  CHECK(seen == std::vector<double>{4, 12, 12, -1});
  CHECK(torch::equal(x.grad(), torch::full({2}, 6.)));
  CHECK(node->del_post_hook(key));
  CHECK_FALSE(node->del_post_hook(key));
  CHECK(node->post_hooks().empty());
  node->pre_hooks().clear();
  node->add_tensor_pre_hook(std::make_unique<Doubling>());
  CHECK(torch::equal(torch::autograd::grad({y.sum()}, {y}, {}, true)[0], torch::full({2}, 2.)));
  node->add_pre_hook(std::make_unique<Losing>());
  CHECK_THROWS_WITH(y.sum().backward(), ContainsSubstring("expected 1 gradients"));
}

TEST_CASE("no gradient flows back through UndefinedGrad", "[compat]") {
  const torch::Tensor x = leaf(), y = torch::autograd::UndefinedGrad()({x})[0];
  CHECK(torch::equal(y, x));
  CHECK(y.requires_grad());
  (y + x).sum().backward();
  CHECK(torch::equal(x.grad(), torch::ones({2})));
}

TEST_CASE("an op's edges stay as they are, and an edge leads to a gradient that there is", "[compat]") {
  const torch::Tensor x = leaf(), y = x * 2;
  CHECK_THROWS_WITH(y.grad_fn()->set_next_edges({}), ContainsSubstring("cannot be changed"));
  const auto node = std::make_shared<Times>(1.);
  node->add_next_edge({y.grad_fn(), 5});
  const torch::Tensor z = y.detach().clone();
  torch::autograd::set_history(z, node);
  CHECK_THROWS_WITH(z.sum().backward(), ContainsSubstring("gradient 5 of MulBackward1"));
}
