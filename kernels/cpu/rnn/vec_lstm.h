// The steps of an LSTM as SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::rnn {

/// Functions over one row: `n` elements of each state and of four gates. T is float or double.
template <class T>
struct VecLstm {
  /// The gates lie `gate_step` apart.
  void (*step)(const T* gates, int64_t gate_step, const T* cell, T* hidden, T* next, int64_t n);
  void (*step_backward)(const T* gates, const T* cell, const T* grad_hidden, const T* grad_next, T* grad_gates,
                        T* grad_cell, int64_t n);
};

/// The functions for this processor.
template <class T>
const VecLstm<T>& vec_lstm();

}  // namespace strata::cpu::rnn
