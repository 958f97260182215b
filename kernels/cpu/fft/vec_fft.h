// The arithmetic of Fourier transforms as SIMD code chosen at run time for the processor, and the tables it goes by.
#pragma once
#include <algorithm>
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
  /// The passes by rows.length and then columns.length, where there is one of each: what is fastest over many lines.
  FftPasses<T> whole;
  /// exp(-2πi ij / length): for each i < rows the real parts for all j < columns, then the imaginary ones.
  std::vector<T> twist;
};

/// What goes with a transform: conjugating input and output reverses the signs of its exponents.
template <class T>
struct FftFactors {
  T conjugate = 1;  ///< 1, or -1 to conjugate
  T scale = 1;
};

/// What the next call reads and writes where it does not come from a near cache. It is asked for little by little while
/// a transform computes: all at once the requests would hold up the loads of the transform itself. Some of it may lie
/// behind the end of a tensor, since nothing is loaded.
struct FftAhead {
  const void *input = nullptr, *output = nullptr;
  int64_t inputs = 0, outputs = 0;  ///< in cache lines of 64 bytes
};

/// Functions for numbers of T, float or double. Complex numbers are pairs of them; steps count T.
template <class T>
struct VecFft {
  /// Transforms kLanes lines whose values j are neighbours at x + j * x_step. y may be x.
  void (*columns)(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, FftFactors<T> factors,
                  T* work);
  /// Transforms `count` lines that lie a step apart and whose values are neighbours, by split tables. y may be x.
  /// `ahead` changes the time alone.
  void (*lines)(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, int64_t count,
                FftFactors<T> factors, T* work, FftAhead ahead);
  /// Transforms kLanes lines that lie a step apart and whose values are neighbours, by tables that are not split. y may
  /// be x.
  void (*rows)(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, FftFactors<T> factors, T* work);
  /// The same for kLanes lines of real numbers, twice as many as f.length(), times twice the scale: the half of the
  /// spectrum that tells all, conjugated where y_sign is -1. `u` is fold_turns.
  void (*real_rows)(const FftTables<T>& f, const T* x, int64_t x_step, const T* u, T* y, int64_t y_step, T scale,
                    T y_sign, T* work);
  /// y[k] = x[k] + conj(x[h - k]) + u[k] (x[k] - conj(x[h - k])) for 0 < k < h of `count` lines that lie a step apart.
  /// `fold` conjugates y, `unfold` x and u, where the sign is -1.
  void (*fold)(const T* x, int64_t x_step, const T* u, T* y, int64_t y_step, int64_t count, int64_t h, T sign);
  void (*unfold)(const T* x, int64_t x_step, const T* u, T* y, int64_t y_step, int64_t count, int64_t h, T sign);
};

/// The functions for this processor.
template <class T>
const VecFft<T>& vec_fft();

/// So many blocks of kLanes lines of a length are transformed at once: a call for each would show where they are short.
inline int64_t blocks_together(int64_t length) { return std::max<int64_t>(1, 128 / length); }

/// Is a line seen as so small a matrix that several make up a square of vectors?
template <class T>
bool is_small_square(const FftTables<T>& f) {
  return f.columns.length == kLanes<T> && kLanes<T> % f.rows.length == 0 && kLanes<T> / f.rows.length <= 2;
}
/// How many of such lines are transformed at once at most.
template <class T>
int64_t lines_together(const FftTables<T>& f) {
  return 64 / f.rows.length;
}

/// The most values at each of kLanes lines that passes are given, but for FftTables::whole.
template <class T>
int64_t longest_passes(const FftTables<T>& f) {
  return std::max({int64_t{128}, f.rows.length, f.columns.length});
}
/// Elements of work space for the functions of VecFft.
template <class T>
int64_t columns_work(const FftTables<T>& f) {
  return 2 * kLanes<T> * (2 * longest_passes(f) + (f.is_split() ? f.length() : 0));
}
template <class T>
int64_t line_work(const FftTables<T>& f) {
  const int64_t blocks = (f.rows.length + kLanes<T> - 1) / kLanes<T>;
  return 2 * kLanes<T> * (3 * longest_passes(f) + blocks * f.columns.length);
}
template <class T>
int64_t rows_work(const FftTables<T>& f) {
  return 2 * kLanes<T> * (2 * longest_passes(f) + f.length() + 1);
}

}  // namespace strata::cpu::fft
