// Programs and modules as graphs that TensorBoard draws. Internal to train/.
#pragma once

#include <memory>
#include <vector>

#include "../core/function.h"
#include "../nn/module.h"
#include "../transforms/program.h"
#include "event_encoder.h"

namespace strata::train::board {

/// A node for each input, tensor from outside, equation and output.
std::vector<GraphNode> graph_of(const func::Program& program);

/// Traces a call of a module, in the mode that it is in: equations stand in the scopes of the modules in whose calls
/// they ran (through holders, as hooks see them), parameters and buffers where they are registered.
std::vector<GraphNode> graph_of(const std::shared_ptr<nn::Module>& module, const std::vector<Tensor>& inputs,
                                const strata::detail::Function<std::vector<Tensor>(const std::vector<Tensor>&)>& call);

}  // namespace strata::train::board
