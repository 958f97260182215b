// The arithmetic of Fourier transforms as SIMD code chosen at run time for the processor, and the tables it goes by.
#pragma once
#include <cstdint>
#include <vector>

namespace strata::cpu::fft {

/// So many lines are transformed side by side: each value is a vector of what the lines have there, of 64 bytes for the
/// real and as many for the imaginary parts. No line's result depends on its neighbours.
template <class T>
inline constexpr int64_t kLanes = 64 / static_cast<int64_t>(sizeof(T));

/// Prime factors of lengths up to here are passes of their own.
inline constexpr int64_t kLargestRadix = 47;

/// A pass of a transform by one factor of the length.
template <class T>
struct FftPass {
  int64_t radix;
  /// For the pass over transforms of length l: exp(-2πi pk / l) for p < l / radix and 0 < k < radix, k running faster;
  /// real and imaginary parts in turn. Empty for the last pass.
  std::vector<T> turns;
  /// exp(-2πi k / radix) for k < radix, where the radix has no code of its own.
  std::vector<T> roots;
};

/// A transform of `length` values by passes over all of them.
template <class T>
struct FftPasses {
  int64_t length;
  std::vector<FftPass<T>> passes;
};

/// A transform of rows * columns values. With columns > 1 it is made of shorter ones that stay in the caches: value
/// i * columns + j is seen in row i and column j; the columns are transformed, turned, and then the rows.
template <class T>
struct FftTables {
  bool is_split() const { return columns.length > 1; }
  int64_t length() const { return rows.length * columns.length; }

  /// Of transforms as long as there are rows and columns: those of the columns, which come first, and of the rows.
  FftPasses<T> rows, columns;
  /// exp(-2πi ij / length): for each i < rows the real parts for all j < columns, then the imaginary ones.
  std::vector<T> twist;
};

/// What goes with a transform: conjugating input and output reverses the signs of its exponents.
template <class T>
struct FftFactors {
  T conjugate = 1;  ///< 1, or -1 to conjugate
  T scale = 1;
};

/// Functions for numbers of T, float or double. Complex numbers are pairs of them; steps count T.
template <class T>
struct VecFft {
  /// Transforms kLanes lines whose values j are neighbours at x + j * x_step. y may be x.
  void (*columns)(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, FftFactors<T> factors,
                  T* work);
  /// Transforms one line by split tables. y may be x.
  void (*line)(const FftTables<T>& f, const T* x, T* y, FftFactors<T> factors, T* work);
  /// y[k] = x[k] + conj(x[h - k]) + u[k] (x[k] - conj(x[h - k])) for 0 < k < h, for x, u and y conjugated where the
  /// sign is -1.
  void (*fold)(const T* x, const T* u, T* y, int64_t h, T x_sign, T u_sign, T y_sign);
};

/// The functions for this processor.
template <class T>
const VecFft<T>& vec_fft();

/// Elements of work space for VecFft::columns and VecFft::line.
template <class T>
int64_t columns_work(const FftTables<T>& f) {
  const int64_t longest = f.rows.length > f.columns.length ? f.rows.length : f.columns.length;
  return 2 * kLanes<T> * (2 * longest + (f.is_split() ? f.length() : 0));
}
template <class T>
int64_t line_work(const FftTables<T>& f) {
  const int64_t longest = f.rows.length > f.columns.length ? f.rows.length : f.columns.length;
  const int64_t blocks = (f.rows.length + kLanes<T> - 1) / kLanes<T>;
  return 2 * kLanes<T> * (2 * longest + f.rows.length + blocks * f.columns.length);
}

}  // namespace strata::cpu::fft
