// Steps of recurrent layers.
#pragma once
#include <tuple>

#include "../core/tensor.h"

namespace strata {

/// One step of an LSTM behind its matrix products: `gates` (..., 4 H) are the sums for the input gate i, the forget
/// gate f, the candidate g and the output gate o, side by side; `cell` is (..., H). Gives the hidden state sigmoid(o)
/// tanh(c') and the cell c' = sigmoid(f) c + sigmoid(i) tanh(g), in the wider of both dtypes.
std::tuple<Tensor, Tensor> lstm_gates(const Tensor& gates, const Tensor& cell);

/// All steps of an LSTM over `gates` (T, B, 4 H), the input's share of the sums with T > 0: each adds hidden weight^T
/// to its own, for `weight` (4 H, H), and runs as `lstm_gates`, the first on `hidden` and `cell` (B, H). With `reverse`
/// the last is the first. Gives the hidden state and the cell after each step, (T, B, H). Throws unless all are of one
/// dtype.
std::tuple<Tensor, Tensor> lstm_sequence(const Tensor& gates, const Tensor& weight, const Tensor& hidden,
                                         const Tensor& cell, bool reverse = false);

}  // namespace strata
