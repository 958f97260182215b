// The arithmetic of one step of an LSTM, for elements or for vectors of them.
//
// Included inside of a namespace, once for each instruction set. `m` computes with values of type V: add(a, b),
// mul(a, b), fma(a, b, c) = a b + c, one_minus(a), sigmoid(a) and tanh(a). Gates are the input's, the forget gate's,
// the candidate's and the output's, before their functions.

template <class V>
struct LstmGates {
  V in, forget, candidate, out;
};

template <class M, class V>
STRATA_HD LstmGates<V> opened(const M& m, const LstmGates<V>& g) {
  return {m.sigmoid(g.in), m.sigmoid(g.forget), m.tanh(g.candidate), m.sigmoid(g.out)};
}
template <class M, class V>
STRATA_HD V next_cell(const M& m, const LstmGates<V>& open, V cell) {
  return m.fma(open.forget, cell, m.mul(open.in, open.candidate));
}

/// The hidden state and the cell after a step.
template <class M, class V>
STRATA_HD void lstm_step(const M& m, const LstmGates<V>& gates, V cell, V& hidden, V& next) {
  const LstmGates<V> open = opened(m, gates);
  next = next_cell(m, open, cell);
  hidden = m.mul(open.out, m.tanh(next));
}

/// The gradients of the gates and of the cell before a step, from those of the hidden state and the cell after it.
template <class M, class V>
STRATA_HD void lstm_step_backward(const M& m, const LstmGates<V>& gates, V cell, V grad_hidden, V grad_next,
                                  LstmGates<V>& grad_gates, V& grad_cell) {
  const LstmGates<V> open = opened(m, gates);
  const V squashed = m.tanh(next_cell(m, open, cell));
  const auto sigmoid_slope = [&](V y) { return m.mul(y, m.one_minus(y)); };
  const auto tanh_slope = [&](V y) { return m.one_minus(m.mul(y, y)); };
  const V grad = m.fma(m.mul(grad_hidden, open.out), tanh_slope(squashed), grad_next);
  grad_gates.in = m.mul(m.mul(grad, open.candidate), sigmoid_slope(open.in));
  grad_gates.forget = m.mul(m.mul(grad, cell), sigmoid_slope(open.forget));
  grad_gates.candidate = m.mul(m.mul(grad, open.in), tanh_slope(open.candidate));
  grad_gates.out = m.mul(m.mul(grad_hidden, squashed), sigmoid_slope(open.out));
  grad_cell = m.mul(grad, open.forget);
}
