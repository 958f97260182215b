// The inner loops of resampling as SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>
#include <type_traits>

namespace strata::cpu::resample {

/// A position within a row, as wide as the elements it picks.
template <class T>
using Position = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

/// T is float or double.
template <class T>
struct VecResample {
  /// y[i] = sum of weight[t] * x[index[t] * step + i] over `taps` taps, i < n. `index` holds `known` places, at least
  /// `taps`: what stands behind is read next and brought nearer.
  void (*sum_rows)(const T* x, int64_t step, const int64_t* index, const T* weight, int64_t taps, int64_t known, T* y,
                   int64_t n);
  /// y[i] = sum of weight[t * n + i] * x[index[t * n + i]] over `taps` taps, i < n, without those whose index is
  /// negative.
  void (*sum_places)(const T* x, const Position<T>* index, const T* weight, int64_t taps, T* y, int64_t n);
  /// The same where the taps of a vector of y lie within a vector of x: those of y[i] to y[i + lanes - 1] in x from
  /// base[i / lanes] on, and `index` says how far. Indices and weights fill whole vectors: those of tap t begin at
  /// [t * whole], whole being n rounded up.
  void (*sum_near)(const T* x, const int64_t* base, const Position<T>* index, const T* weight, int64_t taps, T* y,
                   int64_t n);
  int64_t lanes;
};

/// The functions for this processor.
template <class T>
const VecResample<T>& vec_resample();

}  // namespace strata::cpu::resample
