// What the Autograd key does for a call, for a layer of transforms that does it in its own place.
#pragma once
#include "op_node.h"

namespace strata::autograd {

/// Does autograd record a call of `op`: is it differentiable, and does an argument require a gradient?
bool is_recorded(const Op& op, Args args);
/// Makes `outputs`, what a call gave, the outputs of its node.
void record_outputs(IntrusivePtr<OpNode> node, TensorList outputs);
/// What a compiled function's trace does about a hook that a tensor gets meanwhile; null without transforms.
[[gnu::visibility("hidden")]] extern void (*note_hook_in_trace)(const Tensor& t, HookHandle id, Hook& hook);

}  // namespace strata::autograd
