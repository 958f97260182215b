// The rows of attention's score matrices in float or double: SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::attention {

template <class T>
struct VecAttention {
  /// Raises `max` to the largest of s (to NaN if there is one); then s = exp(s - max). Returns its sum; a NaN gives 0.
  T (*weights)(T* s, int64_t n, T* max);
  /// x = x * factor
  void (*scale)(T* x, int64_t n, T factor);
  /// s becomes the weights exp(s - logsumexp), dp the gradient s * (dp - delta) of the scores.
  void (*backward)(T* s, T* dp, int64_t n, T logsumexp, T delta);
};

/// The functions for this processor; T is float or double.
template <class T>
const VecAttention<T>& vec_attention();

}  // namespace strata::cpu::attention
