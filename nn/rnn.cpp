// Recurrent layers and cells, written as loops over time of public functions.
#include "nn/rnn.h"

#include <cmath>
#include <ostream>
#include <utility>

#include "core/warning.h"
#include "nn/detail.h"
#include "nn/in_module.h"
#include "nn/init.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/random.h"
#include "ops/rnn.h"
#include "ops/shaping.h"

namespace strata::nn {
namespace detail {

namespace {

constexpr int64_t gates(Recurrence kind) { return kind == Recurrence::Lstm ? 4 : kind == Recurrence::Gru ? 3 : 1; }
constexpr const char* name(Recurrence kind) {
  return kind == Recurrence::Lstm ? "LSTM" : kind == Recurrence::Gru ? "GRU" : "RNN";
}

/// The weights of one direction of one layer; undefined where there is none.
struct Weights {
  Tensor hidden, hidden_bias, projection;
};

/// x + W_hh h, and b_hh where it is not in x already.
Tensor with_hidden(const Tensor& x, const Tensor& hidden, const Weights& w) {
  const Tensor sum = x.dim() == 2 ? addmm(x, hidden, w.hidden.t()) : x.add(linear(hidden, w.hidden));
  return w.hidden_bias.defined() ? sum.add(w.hidden_bias) : sum;
}

/// One step from the input's share of the gates, `x` = W_ih x + b_ih.
void advance(Recurrence kind, Choice nonlinearity, const Tensor& x, const Weights& w, RecurrentState& s) {
  if (kind == Recurrence::Rnn) {
    const Tensor sum = with_hidden(x, s.hidden, w);
    s.hidden = nonlinearity == kReLU ? sum.relu() : sum.tanh();
  } else if (kind == Recurrence::Lstm) {
    std::tie(s.hidden, s.cell) = lstm_gates(with_hidden(x, s.hidden, w), s.cell);
    if (w.projection.defined()) s.hidden = linear(s.hidden, w.projection);
  } else {
    const Tensor h = linear(s.hidden, w.hidden, w.hidden_bias);
    const std::vector<Tensor> gx = x.chunk(3, -1), gh = h.chunk(3, -1);
    const Tensor reset = gx[0].add(gh[0]).sigmoid(), update = gx[1].add(gh[1]).sigmoid();
    const Tensor candidate = gx[2].add(reset.mul(gh[2])).tanh();
    s.hidden = candidate.add(update.mul(s.hidden.sub(candidate)));
  }
}

/// All steps of one direction over `(T, B, G)` shares of the gates; gives `(T, B, H)`.
Tensor run_direction(Recurrence kind, Choice nonlinearity, const Tensor& x, const Weights& w, RecurrentState& s,
                     bool backwards) {
  const bool one_dtype = x.dtype() == w.hidden.dtype() && x.dtype() == s.hidden.dtype();
  if (kind == Recurrence::Lstm && !w.projection.defined() && one_dtype && x.dtype() == s.cell.dtype()) {
    const auto [hidden, cells] = lstm_sequence(x, w.hidden, s.hidden, s.cell, backwards);
    const int64_t last = backwards ? 0 : x.size(0) - 1;
    s = {hidden.select(0, last), cells.select(0, last)};
    return hidden;
  }
  // Each view would have a gradient as large as all of x.
  const std::vector<Tensor> steps = x.requires_grad() ? unbind_copy(x, 0) : x.unbind(0);
  std::vector<Tensor> out(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    const size_t t = backwards ? steps.size() - 1 - i : i;
    advance(kind, nonlinearity, steps[t], w, s);
    out[t] = s.hidden;
  }
  return stack(out);
}

RecurrentState rows(const RecurrentState& s, int64_t from, int64_t count) {
  return {s.hidden.narrow(0, from, count), s.cell.defined() ? s.cell.narrow(0, from, count) : Tensor()};
}
RecurrentState joined(const RecurrentState& a, const RecurrentState& b) {
  return {cat({a.hidden, b.hidden}), a.cell.defined() ? cat({a.cell, b.cell}) : Tensor()};
}

/// All steps of one direction over packed `(N, G)` shares of the gates; gives `(N, H)`. A sequence that has ended keeps
/// its state; backwards, each begins at its own last step.
Tensor run_packed_direction(Recurrence kind, Choice nonlinearity, const Tensor& x, const Weights& w, RecurrentState& s,
                            bool backwards, ArrayRef<int64_t> batch_sizes) {
  const std::vector<Tensor> steps = x.requires_grad() ? split_copy(x, batch_sizes, 0) : x.split(batch_sizes, 0);
  std::vector<Tensor> out(steps.size());
  const RecurrentState first = s;
  if (backwards) s = rows(first, 0, batch_sizes.back());
  std::vector<RecurrentState> ended;
  for (size_t i = 0; i < steps.size(); ++i) {
    const size_t t = backwards ? steps.size() - 1 - i : i;
    const int64_t running = s.hidden.size(0), wanted = batch_sizes[t];
    if (wanted > running) s = joined(s, rows(first, running, wanted - running));
    if (wanted < running) {
      ended.push_back(rows(s, wanted, running - wanted));
      s = rows(s, 0, wanted);
    }
    advance(kind, nonlinearity, steps[t], w, s);
    out[t] = s.hidden;
  }
  for (; !ended.empty(); ended.pop_back()) s = joined(s, ended.back());
  return cat(out);
}

void init_all(const std::vector<Tensor>& parameters, int64_t hidden_size) {
  const double bound = hidden_size > 0 ? 1 / std::sqrt(static_cast<double>(hidden_size)) : 0;
  for (const Tensor& p : parameters) init::uniform_(p, -bound, bound);
}

void check_state(const Tensor& state, const DimVector& sizes, const char* type) {
  STRATA_CHECK(state.sizes() == IntArrayRef(sizes), "{}: the state has shape {}, expected {}", type, state.sizes(),
               IntArrayRef(sizes));
}

}  // namespace

Tensor run_layers(Recurrence kind, const RecurrentOptions& options, ArrayRef<Tensor> weights, bool training, Tensor x,
                  RecurrentState& state, ArrayRef<int64_t> batch_sizes) {
  const bool packed = !batch_sizes.empty();
  const int64_t directions = options.bidirectional() ? 2 : 1, batch = packed ? batch_sizes[0] : x.size(1),
                slices = options.num_layers() * directions;
  const DimVector hidden_sizes = {slices, batch, options.proj_size() > 0 ? options.proj_size() : options.hidden_size()};
  const DimVector cell_sizes = {slices, batch, options.hidden_size()};
  if (!state.hidden.defined()) state.hidden = zeros(hidden_sizes, x.options());
  if (kind == Recurrence::Lstm && !state.cell.defined()) state.cell = zeros(cell_sizes, x.options());
  check_state(state.hidden, hidden_sizes, name(kind));
  if (kind == Recurrence::Lstm) check_state(state.cell, cell_sizes, name(kind));

  std::vector<Tensor> last_hidden, last_cell;
  size_t at = 0;
  for (int64_t slice = 0; slice < slices; slice += directions) {
    std::vector<Tensor> out;
    for (int64_t direction = 0; direction < directions; ++direction) {
      const Tensor w_ih = weights[at++];
      Weights w{weights[at++], {}, {}};
      Tensor input_bias;
      if (options.bias()) {
        input_bias = weights[at++];
        w.hidden_bias = weights[at++];
        // Only a GRU multiplies it.
        if (kind != Recurrence::Gru) input_bias = input_bias.add(std::exchange(w.hidden_bias, {}));
      }
      if (options.proj_size() > 0) w.projection = weights[at++];
      RecurrentState s{state.hidden.select(0, slice + direction),
                       kind == Recurrence::Lstm ? state.cell.select(0, slice + direction) : Tensor()};
      const Tensor gates_of_x = linear(x, w_ih, input_bias);
      out.push_back(
          packed ? run_packed_direction(kind, options.nonlinearity(), gates_of_x, w, s, direction == 1, batch_sizes)
                 : run_direction(kind, options.nonlinearity(), gates_of_x, w, s, direction == 1));
      last_hidden.push_back(s.hidden);
      last_cell.push_back(s.cell);
    }
    x = directions == 1 ? out[0] : cat(out, -1);
    if (options.dropout() > 0 && slice + directions < slices) x = dropout(x, options.dropout(), training);
  }
  state = {stack(last_hidden), kind == Recurrence::Lstm ? stack(last_cell) : Tensor()};
  return x;
}

void run_cell(Recurrence kind, Choice nonlinearity, const Tensor& input, const Tensor& weight_ih,
              const Tensor& weight_hh, const Tensor& bias_ih, const Tensor& bias_hh, RecurrentState& state) {
  STRATA_CHECK((input.dim() == 1 || input.dim() == 2) && input.size(-1) == weight_ih.size(1),
               "{}Cell: expected input (B, {}), got {}", name(kind), weight_ih.size(1), input.sizes());
  DimVector sizes = input.sizes();
  sizes.back() = weight_hh.size(1);
  if (!state.hidden.defined()) state.hidden = zeros(sizes, input.options());
  if (kind == Recurrence::Lstm && !state.cell.defined()) state.cell = zeros(sizes, input.options());
  check_state(state.hidden, sizes, name(kind));
  advance(kind, nonlinearity, linear(input, weight_ih, bias_ih), {weight_hh, bias_hh, {}}, state);
}

template <class Derived, Recurrence Kind>
RecurrentImplBase<Derived, Kind>::RecurrentImplBase(const RecurrentOptions& options_) : options(options_) {
  RecurrentImplBase::reset();
}

template <class Derived, Recurrence Kind>
void RecurrentImplBase<Derived, Kind>::reset() {
  const int64_t hidden = options.hidden_size(), projected = options.proj_size(), rows = gates(Kind) * hidden;
  const bool valid = options.num_layers() > 0 && hidden > 0 && projected >= 0 && projected < hidden;
  STRATA_CHECK(valid && (projected == 0 || Kind == Recurrence::Lstm),
               "{}: {} layers, hidden size {} and projection size {} do not go together", name(Kind),
               options.num_layers(), hidden, projected);
  STRATA_CHECK(
      options.dropout() >= 0 && options.dropout() <= 1,
      "{}: dropout should be a number in range [0, 1] representing the probability of an element being zeroed, "
      "got {}",
      name(Kind), options.dropout());
  if (options.dropout() > 0 && options.num_layers() == 1)
    warn("{}: dropout falls between layers, so that of {} does nothing with num_layers of 1", name(Kind),
         options.dropout());
  const int64_t state = projected > 0 ? projected : hidden, directions = options.bidirectional() ? 2 : 1;
  for (int64_t layer = 0; layer < options.num_layers(); ++layer) {
    const int64_t inputs = layer == 0 ? options.input_size() : state * directions;
    for (int64_t direction = 0; direction < directions; ++direction) {
      const std::string suffix = "_l" + std::to_string(layer) + (direction ? "_reverse" : "");
      this->register_parameter("weight_ih" + suffix, empty({rows, inputs}));
      this->register_parameter("weight_hh" + suffix, empty({rows, state}));
      if (options.bias()) this->register_parameter("bias_ih" + suffix, empty({rows}));
      if (options.bias()) this->register_parameter("bias_hh" + suffix, empty({rows}));
      if (projected > 0) this->register_parameter("weight_hr" + suffix, empty({projected, hidden}));
    }
  }
  reset_parameters();
}

template <class Derived, Recurrence Kind>
void RecurrentImplBase<Derived, Kind>::reset_parameters() {
  init_all(this->parameters(false), options.hidden_size());
}

template <class Derived, Recurrence Kind>
void RecurrentImplBase<Derived, Kind>::pretty_print(std::ostream& stream) const {
  std::vector<PrintedOption> list = {{"input_size", options.input_size()},      {"hidden_size", options.hidden_size()},
                                     {"num_layers", options.num_layers()},      {"bias", options.bias()},
                                     {"batch_first", options.batch_first()},    {"dropout", options.dropout()},
                                     {"bidirectional", options.bidirectional()}};
  if (options.proj_size() > 0) list.emplace_back("proj_size", options.proj_size());
  print_module(stream, name(Kind), list);
}

template <class Derived, Recurrence Kind>
Tensor RecurrentImplBase<Derived, Kind>::run(const Tensor& input, RecurrentState& state) const {
  STRATA_CHECK((input.dim() == 2 || input.dim() == 3) && input.size(-1) == options.input_size() && input.size(0) > 0,
               "{}: expected input (T, B, {}) or (T, {}), got {}", name(Kind), options.input_size(),
               options.input_size(), input.sizes());
  if (input.dim() == 2) {
    RecurrentState batched;
    if (state.hidden.defined()) batched.hidden = state.hidden.unsqueeze(1);
    if (state.cell.defined()) batched.cell = state.cell.unsqueeze(1);
    const Tensor out = run_all(input.unsqueeze(1), batched).squeeze(1);
    state = {batched.hidden.squeeze(1), Kind == Recurrence::Lstm ? batched.cell.squeeze(1) : Tensor()};
    return out;
  }
  return options.batch_first() ? run_all(input.transpose(0, 1), state).transpose(0, 1) : run_all(input, state);
}

template <class Derived, Recurrence Kind>
utils::rnn::PackedSequence RecurrentImplBase<Derived, Kind>::run_packed(const utils::rnn::PackedSequence& input,
                                                                        RecurrentState& state) const {
  STRATA_CHECK(input.data().dim() == 2 && input.data().size(1) == options.input_size(),
               "{}: expected packed input (N, {}), got {}", name(Kind), options.input_size(), input.data().sizes());
  const auto in_order = [&](const Tensor& order) {
    if (!order.defined()) return;
    if (state.hidden.defined()) state.hidden = state.hidden.index_select(1, order);
    if (state.cell.defined()) state.cell = state.cell.index_select(1, order);
  };
  const Tensor sizes = input.batch_sizes().contiguous();
  in_order(input.sorted_indices());
  const Tensor out = run_all(input.data(), state, {sizes.data_ptr<int64_t>(), static_cast<size_t>(sizes.numel())});
  in_order(input.unsorted_indices());
  return {out, input.batch_sizes(), input.sorted_indices(), input.unsorted_indices()};
}

template <class Derived, Recurrence Kind>
RecurrentCellImplBase<Derived, Kind>::RecurrentCellImplBase(const RecurrentCellOptions& options_) : options(options_) {
  RecurrentCellImplBase::reset();
}

template <class Derived, Recurrence Kind>
void RecurrentCellImplBase<Derived, Kind>::reset() {
  const int64_t rows = gates(Kind) * options.hidden_size();
  const auto bias = [&] { return options.bias() ? empty({rows}) : Tensor(); };
  weight_ih = this->register_parameter("weight_ih", empty({rows, options.input_size()}));
  weight_hh = this->register_parameter("weight_hh", empty({rows, options.hidden_size()}));
  bias_ih = this->register_parameter("bias_ih", bias(), options.bias());
  bias_hh = this->register_parameter("bias_hh", bias(), options.bias());
  reset_parameters();
}

template <class Derived, Recurrence Kind>
void RecurrentCellImplBase<Derived, Kind>::reset_parameters() {
  init_all(this->parameters(false), options.hidden_size());
}

template <class Derived, Recurrence Kind>
void RecurrentCellImplBase<Derived, Kind>::pretty_print(std::ostream& stream) const {
  std::vector<PrintedOption> list = {{"", options.input_size()}, {"", options.hidden_size()}};
  if (!options.bias()) list.emplace_back("bias", false);
  if (Kind == Recurrence::Rnn && options.nonlinearity() != kTanh)
    list.emplace_back("nonlinearity", options.nonlinearity());
  print_module(stream, (name(Kind) + std::string("Cell")).c_str(), list);
}

template <class Derived, Recurrence Kind>
void RecurrentCellImplBase<Derived, Kind>::step(const Tensor& input, RecurrentState& state) const {
  run_cell(Kind, options.nonlinearity(), input, weight_ih, weight_hh, bias_ih, bias_hh, state);
}

template class RecurrentImplBase<RNNImpl, Recurrence::Rnn>;
template class RecurrentImplBase<LSTMImpl, Recurrence::Lstm>;
template class RecurrentImplBase<GRUImpl, Recurrence::Gru>;
template class RecurrentCellImplBase<RNNCellImpl, Recurrence::Rnn>;
template class RecurrentCellImplBase<LSTMCellImpl, Recurrence::Lstm>;
template class RecurrentCellImplBase<GRUCellImpl, Recurrence::Gru>;

}  // namespace detail

namespace {
detail::RecurrentState state_from(const std::optional<std::tuple<Tensor, Tensor>>& hx) {
  return hx ? detail::RecurrentState{std::get<0>(*hx), std::get<1>(*hx)} : detail::RecurrentState{};
}
}  // namespace

std::tuple<Tensor, Tensor> RNNImpl::forward(const Tensor& input, Tensor hx) {
  detail::RecurrentState state{std::move(hx), {}};
  const Tensor out = in_module(*this, [&] { return run(input, state); });
  return {out, state.hidden};
}
std::tuple<utils::rnn::PackedSequence, Tensor> RNNImpl::forward_with_packed_input(
    const utils::rnn::PackedSequence& input, Tensor hx) {
  detail::RecurrentState state{std::move(hx), {}};
  const utils::rnn::PackedSequence out = in_module(*this, [&] { return run_packed(input, state); });
  return {out, state.hidden};
}

std::tuple<Tensor, std::tuple<Tensor, Tensor>> LSTMImpl::forward(const Tensor& input,
                                                                 std::optional<std::tuple<Tensor, Tensor>> hx) {
  detail::RecurrentState state = state_from(hx);
  const Tensor out = in_module(*this, [&] { return run(input, state); });
  return {out, {state.hidden, state.cell}};
}
std::tuple<utils::rnn::PackedSequence, std::tuple<Tensor, Tensor>> LSTMImpl::forward_with_packed_input(
    const utils::rnn::PackedSequence& input, std::optional<std::tuple<Tensor, Tensor>> hx) {
  detail::RecurrentState state = state_from(hx);
  const utils::rnn::PackedSequence out = in_module(*this, [&] { return run_packed(input, state); });
  return {out, {state.hidden, state.cell}};
}

std::tuple<Tensor, Tensor> GRUImpl::forward(const Tensor& input, Tensor hx) {
  detail::RecurrentState state{std::move(hx), {}};
  const Tensor out = in_module(*this, [&] { return run(input, state); });
  return {out, state.hidden};
}
std::tuple<utils::rnn::PackedSequence, Tensor> GRUImpl::forward_with_packed_input(
    const utils::rnn::PackedSequence& input, Tensor hx) {
  detail::RecurrentState state{std::move(hx), {}};
  const utils::rnn::PackedSequence out = in_module(*this, [&] { return run_packed(input, state); });
  return {out, state.hidden};
}

Tensor RNNCellImpl::forward(const Tensor& input, const Tensor& hx) {
  detail::RecurrentState state{hx, {}};
  in_module(*this, [&] { step(input, state); });
  return state.hidden;
}

std::tuple<Tensor, Tensor> LSTMCellImpl::forward(const Tensor& input, std::optional<std::tuple<Tensor, Tensor>> hx) {
  detail::RecurrentState state = state_from(hx);
  in_module(*this, [&] { step(input, state); });
  return {state.hidden, state.cell};
}

Tensor GRUCellImpl::forward(const Tensor& input, const Tensor& hx) {
  detail::RecurrentState state{hx, {}};
  in_module(*this, [&] { step(input, state); });
  return state.hidden;
}

}  // namespace strata::nn
