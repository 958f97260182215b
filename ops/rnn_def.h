// The ops of recurrent layers, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// `lstm_gates(Tensor gates, Tensor cell)`: the hidden state and the cell after a step; gates are (..., 4 H) and states
/// (..., H). Its backward gives the gradients of both from those of the results.
extern Op lstm_gates_op, lstm_gates_backward_op;

}  // namespace strata
