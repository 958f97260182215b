// Sums and row updates of normalisation as SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::norm {

/// What a row's gradient is made with: its own mean and 1 / deviation, and the means of g * w and of g * w * h, the
/// latter as a factor of x - mean.
template <class T>
struct RowScale {
  T mean, rstd, first, second;
};

/// As many rows have their gradients together, as that of the weight is read and written once for all of them.
inline constexpr int64_t kRowsTogether = 2;

/// Functions over rows of `n` contiguous values; T is float or double. Sums add to `out` and depend on n alone for
/// their order.
template <class T>
struct VecNorm {
  /// out[0] += sum of x - shift, out[1] += sum of (x - shift)^2.
  void (*moments)(const T* x, int64_t n, T shift, double* out);
  /// out[0] += sum of t, out[1] += sum of t * (x - mean), with t = g * w; a null w counts as 1.
  void (*products)(const T* g, const T* w, const T* x, int64_t n, T mean, double* out);
  /// y = (x - mean) * scale * w + b; null w and b count as 1 and 0. With `ahead` the values that follow the rows in
  /// memory are asked for meanwhile.
  void (*apply)(const T* x, T* y, int64_t n, T mean, T scale, const T* w, const T* b, bool ahead);
  /// y = (x - mean) * scale + shift.
  void (*apply_uniform)(const T* x, T* y, int64_t n, T mean, T scale, T shift);
  /// gx = scale * (g * w - first - (x - mean) * second).
  void (*gradient)(const T* g, T w, const T* x, T* gx, int64_t n, T mean, T scale, T first, T second);
  /// The same of one row, or of kRowsTogether rows that follow each other, with w per element, where null counts as 1,
  /// and rstd as the scale; also, row after row, gw += g * (x - mean) * rstd and gb += g. With `ahead` as above.
  void (*gradient_affine)(const T* g, const T* w, const T* x, T* gx, int64_t n, const RowScale<T>* scales, int64_t rows,
                          T* gw, T* gb, bool ahead);

  // A row of n slices, one value of each: means, scales and so on have an element per slice.

  /// a += x - shift, b += (x - shift)^2.
  void (*row_moments)(const T* x, int64_t n, const T* shift, T* a, T* b);
  /// a += g, b += g * (x - mean).
  void (*row_products)(const T* g, const T* x, int64_t n, const T* mean, T* a, T* b);
  /// y = (x - mean) * scale + shift.
  void (*row_apply)(const T* x, T* y, int64_t n, const T* mean, const T* scale, const T* shift);
  /// gx = scale * (g - first - (x - mean) * second).
  void (*row_gradient)(const T* g, const T* x, T* gx, int64_t n, const T* mean, const T* scale, const T* first,
                       const T* second);
};

/// The functions for this processor.
template <class T>
const VecNorm<T>& vec_norm();

}  // namespace strata::cpu::norm
