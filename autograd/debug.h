// What debuggers ask a program that they have stopped (debuggers/).
#pragma once

namespace strata {
class TensorImpl;
}
namespace strata::autograd {

/// The name of a tensor's grad_fn, in memory of the calling thread that lasts until its next call; empty without one.
/// It takes no lock and makes no node anew: a view that was written in place may show the node from before.
const char* node_name_for_debuggers(const TensorImpl* tensor) noexcept;

}  // namespace strata::autograd
