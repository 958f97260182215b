// Softmax and log-softmax of rows and of columns of float or double: SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::softmax {

/// Columns of so many rows are tall: walked row by row, so that a call should get as many of them as it may.
inline constexpr int64_t kTallColumns = 256;
/// Columns that a call takes at most.
inline constexpr int64_t kMostColumns = 512;

/// Neighbouring columns: element i of column j is at [i * step + j].
template <class T>
struct Columns {
  const T* x;
  const T* y;  ///< the second input of a backward
  T* out;
  int64_t x_step, y_step, out_step;
  int64_t rows, cols;
};

template <class T>
struct VecSoftmax {
  /// y = exp(x - max) / sum(exp(x - max))
  void (*softmax)(const T* x, T* y, int64_t n);
  /// y = x - max - log(sum(exp(x - max)))
  void (*log_softmax)(const T* x, T* y, int64_t n);
  /// dx = y * (g - sum(g * y)), y being the softmax.
  void (*softmax_backward)(const T* g, const T* y, T* dx, int64_t n);
  /// dx = g - exp(y) * sum(g), y being the log-softmax.
  void (*log_softmax_backward)(const T* g, const T* y, T* dx, int64_t n);

  // The same for every column.
  void (*softmax_columns)(const Columns<T>& c);
  void (*log_softmax_columns)(const Columns<T>& c);
  void (*softmax_backward_columns)(const Columns<T>& c);
  void (*log_softmax_backward_columns)(const Columns<T>& c);
};

/// The functions for this processor; T is float or double.
template <class T>
const VecSoftmax<T>& vec_softmax();

}  // namespace strata::cpu::softmax
