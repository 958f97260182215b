// Differentiating eager code: backward and grad over tensors, with everything a user of autograd includes.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "../core/function.h"
#include "anomaly.h"
#include "function.h"
#include "hooks.h"
#include "node.h"
#include "saved_tensor.h"

namespace strata::autograd {

using Variable = Tensor;
using tensor_list = variable_list;

/// Gradients of `tensors` with respect to all leaves, accumulated into their `.grad()` (or only into `inputs`, if
/// given). `grad_tensors[i]` has the shape of `tensors[i]`; it may be left out for one-element tensors. `retain_graph`
/// defaults to `create_graph`, which records the backward itself so that it can be differentiated again.
void backward(const variable_list& tensors, const variable_list& grad_tensors = {},
              std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
              const variable_list& inputs = {});

/// Gradients of `outputs` with respect to `inputs`, returned and accumulated nowhere. An input that no output depends
/// on is an error unless `allow_unused`; then its gradient is undefined.
variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grad_outputs = {},
                   std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                   bool allow_unused = false);

/// Runs `callback` once, after the backward pass that now runs on this thread (the innermost one) has reached all
/// leaves and before its call returns; in the order they were queued, and a callback may queue more. Callbacks of a
/// pass that throws are dropped; what a callback throws leaves the backward call. Throws outside of a backward pass.
/// For data-parallel reducers and sharded parameters, which have to know when the last gradient is there.
void queue_callback(strata::detail::Function<void()> callback);

/// The engine by libtorch's name.
struct Engine {
  static Engine& get_default_engine();
  /// Runs backward from `roots` with their gradients: to `outputs`, whose gradients it gives, or to all leaves, into
  /// which it accumulates and gives nothing. Accumulating into `outputs` alone is what `backward` with inputs does.
  template <class Roots = edge_list, class Outputs = edge_list>
  variable_list execute(const Roots& roots, const variable_list& grads, bool keep_graph, bool create_graph,
                        bool accumulate_grad, const Outputs& outputs = {}) {
    const std::vector<Edge> from(roots.begin(), roots.end()), to(outputs.begin(), outputs.end());
    return run(from, grads, keep_graph, create_graph, accumulate_grad, to);
  }
  void queue_callback(strata::detail::Function<void()> callback) { autograd::queue_callback(std::move(callback)); }

 private:
  variable_list run(const std::vector<Edge>& roots, const variable_list& grads, bool keep_graph, bool create_graph,
                    bool accumulate_grad, const std::vector<Edge>& outputs);
};

}  // namespace strata::autograd
