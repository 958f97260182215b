// Steps of recurrent layers.
#pragma once
#include <tuple>

#include "../core/tensor.h"

namespace strata {

/// One step of an LSTM behind its matrix products: `gates` (..., 4 H) are the sums for the input gate i, the forget
/// gate f, the candidate g and the output gate o, side by side; `cell` is (..., H). Gives the hidden state sigmoid(o)
/// tanh(c') and the cell c' = sigmoid(f) c + sigmoid(i) tanh(g), in the wider of both dtypes.
std::tuple<Tensor, Tensor> lstm_gates(const Tensor& gates, const Tensor& cell);

}  // namespace strata
