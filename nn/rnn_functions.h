// Recurrent layers as functions of their weights, as ATen has them: torch::lstm, gru, rnn_tanh, rnn_relu and their
// cells.
//
// `params` are the weights of all directions of all layers in PyTorch's order: weight_ih (G, I), weight_hh (G, H), with
// `has_biases` bias_ih (G) and bias_hh (G), and for an LSTM with projections weight_hr (P, H). Inputs are (T, B, I), or
// (B, T, I) with `batch_first`; the packed forms take the data (N, I) and batch sizes of a PackedSequence. States are
// (layers * directions, B, H). `dropout` applies between layers where `train`. A wrong number of weights throws.
#pragma once
#include <tuple>

#include "../core/array_ref.h"
#include "../core/tensor.h"

namespace strata {

/// Gives the outputs, the last hidden states and the last cell states; `hx` are the first two states.
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, ArrayRef<Tensor> hx, ArrayRef<Tensor> params,
                                        bool has_biases, int64_t num_layers, double dropout, bool train,
                                        bool bidirectional, bool batch_first);
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, ArrayRef<Tensor> hx,
                                        ArrayRef<Tensor> params, bool has_biases, int64_t num_layers, double dropout,
                                        bool train, bool bidirectional);

/// Give the outputs and the last hidden states.
std::tuple<Tensor, Tensor> gru(const Tensor& input, const Tensor& hx, ArrayRef<Tensor> params, bool has_biases,
                               int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first);
std::tuple<Tensor, Tensor> gru(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, ArrayRef<Tensor> params,
                               bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional);
std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& input, const Tensor& hx, ArrayRef<Tensor> params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first);
std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                    ArrayRef<Tensor> params, bool has_biases, int64_t num_layers, double dropout,
                                    bool train, bool bidirectional);
std::tuple<Tensor, Tensor> rnn_relu(const Tensor& input, const Tensor& hx, ArrayRef<Tensor> params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first);
std::tuple<Tensor, Tensor> rnn_relu(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                    ArrayRef<Tensor> params, bool has_biases, int64_t num_layers, double dropout,
                                    bool train, bool bidirectional);

/// One step over (B, I): the next hidden state (B, H), for lstm_cell with the next cell state.
std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, ArrayRef<Tensor> hx, const Tensor& w_ih, const Tensor& w_hh,
                                     const Tensor& b_ih = {}, const Tensor& b_hh = {});
Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const Tensor& b_ih = {},
                const Tensor& b_hh = {});
Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const Tensor& b_ih = {}, const Tensor& b_hh = {});
Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const Tensor& b_ih = {}, const Tensor& b_hh = {});

}  // namespace strata
