// The ops of recurrent layers, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// `lstm_gates(Tensor gates, Tensor cell)`: the hidden state and the cell after a step; gates are (..., 4 H) and states
/// (..., H). Its backward gives the gradients of both from those of the results.
extern Op lstm_gates_op, lstm_gates_backward_op;

/// From the last step to the first if `reverse`. Without `keeps_sums`, which only a call of the CPU's kernel that
/// nothing is recorded of may ask for, a step's sums take the place of those before it.
struct LstmParams {
  bool reverse = false, keeps_sums = true;
};
/// `lstm_sequence(Tensor gates, Tensor weight, Tensor hidden, Tensor cell, bool reverse, bool keeps_sums)`: all steps
/// over gates (T, B, 4 H) from the first states (B, H); gives the hidden states and cells (T, B, H) after each step,
/// and the sums gates[t] + hidden weight^T (T, B, 4 H), or (1, B, 4 H), in front of it, which the gradient needs.
extern Op lstm_sequence_op;

}  // namespace strata
