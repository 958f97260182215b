// The public entry points: argument checks, roots and their gradients.
#include "autograd/autograd.h"

#include <algorithm>

#include "autograd/anomaly.h"
#include "autograd/engine.h"
#include "autograd/inplace.h"
#include "core/grad_mode.h"
#include "core/hints.h"
#include "core/warning.h"
#include "ops/creation.h"
#include "ops/reduce.h"

namespace strata::autograd {
namespace {

struct Roots {
  std::vector<Edge> edges;
  variable_list grads;
};

/// Does a shape broadcast to the other one? A gradient of such a shape is summed to its tensor's, as in libtorch.
bool expands_to(IntArrayRef from, IntArrayRef to) {
  if (from.size() > to.size()) return false;
  const IntArrayRef last = to.slice(to.size() - from.size());
  return std::equal(from.begin(), from.end(), last.begin(), [](int64_t a, int64_t b) { return a == 1 || a == b; });
}

Tensor root_grad(const Tensor& t, const Tensor& given, const char* who) {
  if (given.defined()) {
    if (given.sizes() != t.sizes() && expands_to(t.sizes(), given.sizes()))
      return root_grad(t, sum_to_size(given, t.sizes()), who);
    STRATA_CHECK(given.sizes() == t.sizes(), "{}: a gradient of shape {} was given for a tensor of shape {}", who,
                 given.sizes(), t.sizes());
    STRATA_CHECK(given.is_complex() == t.is_complex(), "{}: a gradient of {} was given for a tensor of {}", who,
                 name(given.dtype()), name(t.dtype()));
    STRATA_CHECK(given.device() == t.device(), "{}: a gradient on {} was given for a tensor on {}", who,
                 given.device().str(), t.device().str());
    return given.dtype() == t.dtype() ? given : given.to(t.dtype());
  }
  STRATA_CHECK(
      t.numel() == 1,
      "{}: a gradient must be given for a tensor of shape {}: grad can be implicitly created only for scalar outputs",
      who, t.sizes());
  STRATA_CHECK(!t.is_complex(), "{}: grad can be implicitly created only for real scalar outputs but got {}", who,
               name(t.dtype()));
  return ones_like(t);
}

Roots make_roots(const variable_list& tensors, const variable_list& grads, const char* who) {
  STRATA_CHECK(grads.empty() || grads.size() == tensors.size(), "{}: {} tensors and {} gradients", who, tensors.size(),
               grads.size());
  Roots roots;
  for (size_t i = 0; i < tensors.size(); ++i) {
    refresh(tensors[i]);
    STRATA_CHECK(tensors[i].requires_grad(),
                 "{}: element {} of tensors does not require grad and does not have a grad_fn: nothing that it was "
                 "computed from requires grad, or it was computed under NoGradGuard or from a detach()",
                 who, i);
    roots.edges.push_back(gradient_edge(tensors[i]));
    STRATA_CHECK(roots.edges.back(), "{}: tensor {} is a view made while recording was off: it has no history", who, i);
    roots.grads.push_back(root_grad(tensors[i], grads.empty() ? Tensor() : grads[i], who));
  }
  return roots;
}

std::vector<Edge> input_edges(const variable_list& inputs, const char* who) {
  std::vector<Edge> edges;
  for (size_t i = 0; i < inputs.size(); ++i) {
    refresh(inputs[i]);
    STRATA_CHECK(inputs[i].requires_grad(), "{}: input {} does not require grad", who, i);
    edges.push_back(gradient_edge(inputs[i]));
    STRATA_CHECK(edges.back(), "{}: input {} is a view made while recording was off: no gradient reaches it", who, i);
  }
  return edges;
}

}  // namespace

variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grad_outputs,
                   std::optional<bool> retain_graph, bool create_graph, bool allow_unused) {
  STRATA_CHECK(!inputs.empty(), "grad requires non-empty inputs.");
  const Roots roots = make_roots(outputs, grad_outputs, "grad");
  variable_list result = run_grad(roots.edges, roots.grads, input_edges(inputs, "grad"),
                                  {retain_graph.value_or(create_graph), create_graph});
  for (size_t i = 0; i < result.size(); ++i) {
    STRATA_CHECK(
        allow_unused || result[i].defined(),
        "grad: input {} appears to not have been used in the graph of the outputs. Set allow_unused=True if that is "
        "meant",
        i);
  }
  return result;
}

namespace {
/// Adds a gradient to that of an input: a leaf's node does it with its hooks.
void accumulate(const Tensor& input, const Edge& edge, Tensor grad) {
  if (is_leaf(input.impl())) {
    edge.function->run(std::move(grad));
    return;
  }
  Tensor& kept = input.mutable_grad();
  kept = kept.defined() ? kept.add(grad) : std::move(grad);
}

/// A NaN was there before backward() began: its own checks would blame the wrong node.
void hint_nan_losses(const variable_list& tensors) {
  const NoGradGuard no_grad;
  for (const Tensor& t : tensors)
    if (t.has_storage() && t.isnan().any().item<bool>())
      hint("backward: the loss is NaN before backward begins" +
           (t.grad_fn() ? "; " + t.grad_fn()->name() + " is the node of the op that gave it" : std::string()));
}
}  // namespace

void backward(const variable_list& tensors, const variable_list& grad_tensors, std::optional<bool> retain_graph,
              bool create_graph, const variable_list& inputs) {
  const Roots roots = make_roots(tensors, grad_tensors, "backward");
  if (AnomalyMode::is_enabled() && AnomalyMode::should_check_nan()) [[unlikely]]
    hint_nan_losses(tensors);
  if (create_graph)
    warn_once(
        "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
        "which can cause a memory leak. Use autograd::grad when creating the graph to avoid this, or reset the .grad "
        "fields of your parameters after use to break the cycle");
  const BackwardOptions options{retain_graph.value_or(create_graph), create_graph};
  if (inputs.empty()) return run_backward(roots.edges, roots.grads, options);
  const std::vector<Edge> edges = input_edges(inputs, "backward");
  variable_list grads = run_grad(roots.edges, roots.grads, edges, options);
  const AutoGradMode mode(create_graph);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (grads[i].defined()) accumulate(inputs[i], edges[i], std::move(grads[i]));
}

}  // namespace strata::autograd
