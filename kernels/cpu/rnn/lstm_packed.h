// All steps of an LSTM with the recurrent weight packed once for all of them.
#pragma once
#include <cstdint>

namespace strata::cpu::rnn {

/// The arrays of `lstm_sequence`, row-major: gates (steps, rows, 4 n), weight (4 n, n), first states (rows, n), states
/// after each step (steps, rows, n), sums (steps, rows, 4 n) or those of one step.
template <class T>
struct LstmSequence {
  int64_t steps, rows, n;
  bool reverse, keeps_sums;
  const T *gates, *weight, *hidden, *cell;
  T *hiddens, *cells, *sums;

  /// The time of the i-th step that is made.
  int64_t time(int64_t i) const { return reverse ? steps - 1 - i : i; }
  T* sums_at(int64_t time) const { return sums + (keeps_sums ? time * rows * 4 * n : 0); }
};

/// Whether the products are large enough to pay for the packing; a function of the shape alone.
bool packing_pays(const LstmSequence<float>& s);

/// Computes all steps; in each, the threads take runs of units, from their sums to their states.
void packed_sequence(const LstmSequence<float>& s);

}  // namespace strata::cpu::rnn
