// Recurrent layers as functions of their weights; nn/rnn.cpp has what they run.
#include "nn/rnn_functions.h"

#include <vector>

#include "core/error.h"
#include "nn/rnn.h"

namespace strata {

namespace {

using nn::detail::Recurrence;
using nn::detail::RecurrentState;

/// What the functions' arguments say of the layers, beside their weights.
struct Layers {
  const char* name;
  Recurrence kind;
  Choice nonlinearity;
  bool has_biases;
  int64_t num_layers;
  double dropout;
  bool train, bidirectional;
};

nn::RecurrentOptions options_of(const Layers& l, ArrayRef<Tensor> params) {
  const int64_t slices = l.num_layers * (l.bidirectional ? 2 : 1), usual = l.has_biases ? 4 : 2,
                given = static_cast<int64_t>(params.size());
  const bool projected = l.kind == Recurrence::Lstm && given == slices * (usual + 1);
  STRATA_CHECK(slices > 0 && (projected || given == slices * usual),
               "{}: {} weights do not make {} layers{}{}, which have {} each", l.name, given, l.num_layers,
               l.bidirectional ? " of two directions" : "", l.has_biases ? " with biases" : "",
               usual * (l.bidirectional ? 2 : 1));
  const int64_t gates = l.kind == Recurrence::Lstm ? 4 : l.kind == Recurrence::Gru ? 3 : 1;
  return nn::RecurrentOptions(params[0].size(1), params[0].size(0) / gates)
      .num_layers(l.num_layers)
      .nonlinearity(l.nonlinearity)
      .bias(l.has_biases)
      .dropout(l.dropout)
      .bidirectional(l.bidirectional)
      .proj_size(projected ? params[1].size(1) : 0);
}

Tensor run(const Layers& l, const Tensor& input, RecurrentState& state, ArrayRef<Tensor> params, bool batch_first) {
  const nn::RecurrentOptions options = options_of(l, params);
  STRATA_CHECK(input.dim() == 3 && input.size(-1) == options.input_size(), "{}: expected input ({}, {}), got {}",
               l.name, batch_first ? "B, T" : "T, B", options.input_size(), input.sizes());
  const Tensor steps = batch_first ? input.transpose(0, 1) : input;
  const Tensor out = nn::detail::run_layers(l.kind, options, params, l.train, steps, state);
  return batch_first ? out.transpose(0, 1) : out;
}

Tensor run_packed(const Layers& l, const Tensor& data, const Tensor& batch_sizes, RecurrentState& state,
                  ArrayRef<Tensor> params) {
  const nn::RecurrentOptions options = options_of(l, params);
  STRATA_CHECK(data.dim() == 2 && data.size(1) == options.input_size(), "{}: expected packed data (N, {}), got {}",
               l.name, options.input_size(), data.sizes());
  const Tensor sizes = batch_sizes.contiguous();
  return nn::detail::run_layers(l.kind, options, params, l.train, data, state,
                                {sizes.data_ptr<int64_t>(), static_cast<size_t>(sizes.numel())});
}

RecurrentState two_states(const char* name, ArrayRef<Tensor> hx) {
  STRATA_CHECK(hx.size() == 2, "{}: expected a hidden and a cell state, got {} tensors", name, hx.size());
  return {hx[0], hx[1]};
}

Tensor one_step(Recurrence kind, Choice nonlinearity, const Tensor& input, const Tensor& hx, const Tensor& w_ih,
                const Tensor& w_hh, const Tensor& b_ih, const Tensor& b_hh) {
  RecurrentState state{hx, {}};
  nn::detail::run_cell(kind, nonlinearity, input, w_ih, w_hh, b_ih, b_hh, state);
  return state.hidden;
}

std::tuple<Tensor, Tensor> with_hidden(const Layers& l, const Tensor& input, const Tensor& hx, ArrayRef<Tensor> params,
                                       bool batch_first) {
  RecurrentState state{hx, {}};
  const Tensor out = run(l, input, state, params, batch_first);
  return {out, state.hidden};
}

std::tuple<Tensor, Tensor> with_hidden_packed(const Layers& l, const Tensor& data, const Tensor& batch_sizes,
                                              const Tensor& hx, ArrayRef<Tensor> params) {
  RecurrentState state{hx, {}};
  const Tensor out = run_packed(l, data, batch_sizes, state, params);
  return {out, state.hidden};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, ArrayRef<Tensor> hx, ArrayRef<Tensor> params,
                                        bool has_biases, int64_t num_layers, double dropout, bool train,
                                        bool bidirectional, bool batch_first) {
  const Layers l{"lstm", Recurrence::Lstm, kTanh, has_biases, num_layers, dropout, train, bidirectional};
  RecurrentState state = two_states(l.name, hx);
  const Tensor out = run(l, input, state, params, batch_first);
  return {out, state.hidden, state.cell};
}

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, ArrayRef<Tensor> hx,
                                        ArrayRef<Tensor> params, bool has_biases, int64_t num_layers, double dropout,
                                        bool train, bool bidirectional) {
  const Layers l{"lstm", Recurrence::Lstm, kTanh, has_biases, num_layers, dropout, train, bidirectional};
  RecurrentState state = two_states(l.name, hx);
  const Tensor out = run_packed(l, data, batch_sizes, state, params);
  return {out, state.hidden, state.cell};
}

std::tuple<Tensor, Tensor> gru(const Tensor& input, const Tensor& hx, ArrayRef<Tensor> params, bool has_biases,
                               int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) {
  return with_hidden({"gru", Recurrence::Gru, kTanh, has_biases, num_layers, dropout, train, bidirectional}, input, hx,
                     params, batch_first);
}

std::tuple<Tensor, Tensor> gru(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, ArrayRef<Tensor> params,
                               bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) {
  return with_hidden_packed({"gru", Recurrence::Gru, kTanh, has_biases, num_layers, dropout, train, bidirectional},
                            data, batch_sizes, hx, params);
}

std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& input, const Tensor& hx, ArrayRef<Tensor> params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first) {
  return with_hidden({"rnn_tanh", Recurrence::Rnn, kTanh, has_biases, num_layers, dropout, train, bidirectional}, input,
                     hx, params, batch_first);
}

std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                    ArrayRef<Tensor> params, bool has_biases, int64_t num_layers, double dropout,
                                    bool train, bool bidirectional) {
  return with_hidden_packed({"rnn_tanh", Recurrence::Rnn, kTanh, has_biases, num_layers, dropout, train, bidirectional},
                            data, batch_sizes, hx, params);
}

std::tuple<Tensor, Tensor> rnn_relu(const Tensor& input, const Tensor& hx, ArrayRef<Tensor> params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first) {
  return with_hidden({"rnn_relu", Recurrence::Rnn, kReLU, has_biases, num_layers, dropout, train, bidirectional}, input,
                     hx, params, batch_first);
}

std::tuple<Tensor, Tensor> rnn_relu(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                    ArrayRef<Tensor> params, bool has_biases, int64_t num_layers, double dropout,
                                    bool train, bool bidirectional) {
  return with_hidden_packed({"rnn_relu", Recurrence::Rnn, kReLU, has_biases, num_layers, dropout, train, bidirectional},
                            data, batch_sizes, hx, params);
}

std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, ArrayRef<Tensor> hx, const Tensor& w_ih, const Tensor& w_hh,
                                     const Tensor& b_ih, const Tensor& b_hh) {
  RecurrentState state = two_states("lstm_cell", hx);
  nn::detail::run_cell(Recurrence::Lstm, kTanh, input, w_ih, w_hh, b_ih, b_hh, state);
  return {state.hidden, state.cell};
}

Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const Tensor& b_ih,
                const Tensor& b_hh) {
  return one_step(Recurrence::Gru, kTanh, input, hx, w_ih, w_hh, b_ih, b_hh);
}

Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const Tensor& b_ih,
                     const Tensor& b_hh) {
  return one_step(Recurrence::Rnn, kTanh, input, hx, w_ih, w_hh, b_ih, b_hh);
}

Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const Tensor& b_ih,
                     const Tensor& b_hh) {
  return one_step(Recurrence::Rnn, kReLU, input, hx, w_ih, w_hh, b_ih, b_hh);
}

}  // namespace strata
