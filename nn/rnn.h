// Recurrent layers: RNN, LSTM, GRU, and their single steps RNNCell, LSTMCell, GRUCell.
#pragma once
#include <tuple>
#include <utility>

#include "enums.h"
#include "module.h"
#include "packed_sequence.h"

namespace strata::nn {

/// Options of all recurrent layers; `nonlinearity` (kTanh, kReLU) is for RNN and `proj_size` for LSTM alone.
struct RecurrentOptions {
  RecurrentOptions(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}
  using nonlinearity_t = OneOf<Choice::Tanh, Choice::ReLU>;
  STRATA_ARG(int64_t, input_size);
  STRATA_ARG(int64_t, hidden_size);
  STRATA_ARG(int64_t, num_layers) = 1;
  STRATA_ARG(nonlinearity_t, nonlinearity) = kTanh;
  STRATA_ARG(bool, bias) = true;
  STRATA_ARG(bool, batch_first) = false;
  STRATA_ARG(double, dropout) = 0.0;
  STRATA_ARG(bool, bidirectional) = false;
  STRATA_ARG(int64_t, proj_size) = 0;
};
using RNNOptions = RecurrentOptions;
using LSTMOptions = RecurrentOptions;
using GRUOptions = RecurrentOptions;

/// Options of the single steps.
struct RecurrentCellOptions {
  RecurrentCellOptions(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}
  using nonlinearity_t = OneOf<Choice::Tanh, Choice::ReLU>;
  STRATA_ARG(int64_t, input_size);
  STRATA_ARG(int64_t, hidden_size);
  STRATA_ARG(bool, bias) = true;
  STRATA_ARG(nonlinearity_t, nonlinearity) = kTanh;
};
using RNNCellOptions = RecurrentCellOptions;
using LSTMCellOptions = RecurrentCellOptions;
using GRUCellOptions = RecurrentCellOptions;

namespace detail {

enum class Recurrence { Rnn, Lstm, Gru };

/// Hidden state and, for LSTM, cell state.
struct RecurrentState {
  Tensor hidden, cell;
};

/// Runs all layers over `(T, B, I)`, or with `batch_sizes` over packed `(N, I)`, and leaves their last state in
/// `state`, which is zeros where it is undefined. `weights` are those of all directions of all layers in PyTorch's
/// order.
Tensor run_layers(Recurrence kind, const RecurrentOptions& options, ArrayRef<Tensor> weights, bool training, Tensor x,
                  RecurrentState& state, ArrayRef<int64_t> batch_sizes = {});

/// One step of a cell with weights `(G, I)` and `(G, H)`; undefined biases are none, an undefined state is zeros.
void run_cell(Recurrence kind, Choice nonlinearity, const Tensor& input, const Tensor& weight_ih,
              const Tensor& weight_hh, const Tensor& bias_ih, const Tensor& bias_hh, RecurrentState& state);

/// Weights `weight_ih_l0`, `weight_hh_l0`, `bias_ih_l0`, `bias_hh_l0`, ... in PyTorch's order; backward directions end
/// in `_reverse`.
template <class Derived, Recurrence Kind>
class RecurrentImplBase : public Cloneable<Derived> {
 public:
  explicit RecurrentImplBase(const RecurrentOptions& options_);
  void reset() override;
  /// Uniform in +-1/sqrt(hidden_size).
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  /// All weights, layer by layer.
  std::vector<Tensor> all_weights() const { return this->parameters(false); }
  /// Kept for libtorch programs; weights need no arranging.
  void flatten_parameters() {}

  union {
    RecurrentOptions options;
    RecurrentOptions options_base;  ///< the same under libtorch's other name
  };

 protected:
  /// Runs `(T, B, I)`, `(B, T, I)` if batch_first, or `(T, I)`; the state becomes the last one.
  Tensor run(const Tensor& input, RecurrentState& state) const;
  /// The same for packed sequences; the states are in their first order.
  utils::rnn::PackedSequence run_packed(const utils::rnn::PackedSequence& input, RecurrentState& state) const;

 private:
  Tensor run_all(Tensor x, RecurrentState& state, ArrayRef<int64_t> batch_sizes = {}) const {
    return run_layers(Kind, options, this->parameters_.values(), this->is_training(), std::move(x), state, batch_sizes);
  }
};

/// What the single steps share.
template <class Derived, Recurrence Kind>
class RecurrentCellImplBase : public Cloneable<Derived> {
 public:
  explicit RecurrentCellImplBase(const RecurrentCellOptions& options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;

  RecurrentCellOptions options;
  Tensor weight_ih, weight_hh, bias_ih, bias_hh;

 protected:
  void step(const Tensor& input, RecurrentState& state) const;
};

}  // namespace detail

/// h = tanh(W x + b + U h + c), or relu. Gives outputs `(T, B, D * H)` and the last state `(layers * D, B, H)`.
class RNNImpl : public detail::RecurrentImplBase<RNNImpl, detail::Recurrence::Rnn> {
 public:
  using RecurrentImplBase::RecurrentImplBase;
  RNNImpl(int64_t input_size, int64_t hidden_size) : RecurrentImplBase(RNNOptions(input_size, hidden_size)) {}
  std::tuple<Tensor, Tensor> forward(const Tensor& input, Tensor hx = {});
  std::tuple<utils::rnn::PackedSequence, Tensor> forward_with_packed_input(const utils::rnn::PackedSequence& input,
                                                                           Tensor hx = {});
};
STRATA_MODULE(RNN);

/// Long short-term memory (Hochreiter and Schmidhuber, 1997). Gives outputs and (last hidden state, last cell state).
class LSTMImpl : public detail::RecurrentImplBase<LSTMImpl, detail::Recurrence::Lstm> {
 public:
  using RecurrentImplBase::RecurrentImplBase;
  LSTMImpl(int64_t input_size, int64_t hidden_size) : RecurrentImplBase(LSTMOptions(input_size, hidden_size)) {}
  std::tuple<Tensor, std::tuple<Tensor, Tensor>> forward(const Tensor& input,
                                                         std::optional<std::tuple<Tensor, Tensor>> hx = std::nullopt);
  std::tuple<utils::rnn::PackedSequence, std::tuple<Tensor, Tensor>> forward_with_packed_input(
      const utils::rnn::PackedSequence& input, std::optional<std::tuple<Tensor, Tensor>> hx = std::nullopt);
};
STRATA_MODULE(LSTM);

/// Gated recurrent units (Cho et al., 2014).
class GRUImpl : public detail::RecurrentImplBase<GRUImpl, detail::Recurrence::Gru> {
 public:
  using RecurrentImplBase::RecurrentImplBase;
  GRUImpl(int64_t input_size, int64_t hidden_size) : RecurrentImplBase(GRUOptions(input_size, hidden_size)) {}
  std::tuple<Tensor, Tensor> forward(const Tensor& input, Tensor hx = {});
  std::tuple<utils::rnn::PackedSequence, Tensor> forward_with_packed_input(const utils::rnn::PackedSequence& input,
                                                                           Tensor hx = {});
};
STRATA_MODULE(GRU);

/// One step of RNN: input `(B, I)`, state `(B, H)` or undefined for zeros.
class RNNCellImpl : public detail::RecurrentCellImplBase<RNNCellImpl, detail::Recurrence::Rnn> {
 public:
  using RecurrentCellImplBase::RecurrentCellImplBase;
  RNNCellImpl(int64_t input_size, int64_t hidden_size)
      : RecurrentCellImplBase(RNNCellOptions(input_size, hidden_size)) {}
  Tensor forward(const Tensor& input, const Tensor& hx = {});
};
STRATA_MODULE(RNNCell);

/// One step of an LSTM: `(input, (h, c)) -> (h, c)`.
class LSTMCellImpl : public detail::RecurrentCellImplBase<LSTMCellImpl, detail::Recurrence::Lstm> {
 public:
  using RecurrentCellImplBase::RecurrentCellImplBase;
  LSTMCellImpl(int64_t input_size, int64_t hidden_size)
      : RecurrentCellImplBase(LSTMCellOptions(input_size, hidden_size)) {}
  std::tuple<Tensor, Tensor> forward(const Tensor& input, std::optional<std::tuple<Tensor, Tensor>> hx = std::nullopt);
};
STRATA_MODULE(LSTMCell);

/// One step of a GRU: `(input, h) -> h`.
class GRUCellImpl : public detail::RecurrentCellImplBase<GRUCellImpl, detail::Recurrence::Gru> {
 public:
  using RecurrentCellImplBase::RecurrentCellImplBase;
  GRUCellImpl(int64_t input_size, int64_t hidden_size)
      : RecurrentCellImplBase(GRUCellOptions(input_size, hidden_size)) {}
  Tensor forward(const Tensor& input, const Tensor& hx = {});
};
STRATA_MODULE(GRUCell);

namespace detail {
extern template class RecurrentImplBase<RNNImpl, Recurrence::Rnn>;
extern template class RecurrentImplBase<LSTMImpl, Recurrence::Lstm>;
extern template class RecurrentImplBase<GRUImpl, Recurrence::Gru>;
extern template class RecurrentCellImplBase<RNNCellImpl, Recurrence::Rnn>;
extern template class RecurrentCellImplBase<LSTMCellImpl, Recurrence::Lstm>;
extern template class RecurrentCellImplBase<GRUCellImpl, Recurrence::Gru>;
}  // namespace detail

}  // namespace strata::nn
