// The reverse pass: runs nodes in descending sequence number on the calling thread.
#pragma once
#include "../core/function.h"
#include "meta.h"

namespace strata::autograd {

struct BackwardOptions {
  bool keep_graph = false;    ///< saved tensors stay for another backward
  bool create_graph = false;  ///< the backward itself is recorded
};

/// Runs backward from `roots` with their gradients and accumulates into all leaves that are reached.
void run_backward(const std::vector<Edge>& roots, TensorList grads, BackwardOptions options);
/// Runs only what leads to `inputs` and returns the gradients there (undefined where none arrived); accumulates
/// nothing.
std::vector<Tensor> run_grad(const std::vector<Edge>& roots, TensorList grads, const std::vector<Edge>& inputs,
                             BackwardOptions options);

/// Does the backward pass that runs on this thread (the innermost one) accumulate into leaves, and is it not recorded
/// itself?
bool accumulates_into_leaves();

/// Do nodes keep what they saved after the backward pass that runs on this thread (the innermost one)?
bool keeps_graph();

/// Runs `callback` at the end of the outermost of the passes that this thread is in, where queue_callback takes the
/// innermost: a pass inside of another, as of a checkpointed module, is a part of that one.
void queue_callback_of_outermost(strata::detail::Function<void()> callback);

}  // namespace strata::autograd
