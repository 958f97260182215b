// Sums over differences of vectors: SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::distance {

/// What becomes of differences: how many there are, the sum of their sizes, the root of that of their squares, or the
/// largest.
enum class Norm { kCount, kAbsolute, kSquare, kLargest };

/// out[j] = the norm of a - b[j], each of k elements, for j < n. T is float or double.
template <class T>
void distances(Norm norm, const T* a, const T* b, int64_t n, int64_t k, T* out);

/// What is summed: differences or their signs.
enum class Pull { kDifferences, kSigns };

/// out[c] = the sum over j < n of g[j] (a[c] - b[j k + c]), or of its sign, for c < k. T is float or double.
template <class T>
void pull(Pull what, const T* g, const T* a, const T* b, int64_t n, int64_t k, T* out);

}  // namespace strata::cpu::distance
