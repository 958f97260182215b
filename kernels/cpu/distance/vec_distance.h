// Sums over differences of vectors: SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::distance {

/// out[c] = the sum over j < n of g[j] sgn(a[c] - b[j k + c]), for c < k. T is float or double.
template <class T>
void pull_signs(const T* g, const T* a, const T* b, int64_t n, int64_t k, T* out);

}  // namespace strata::cpu::distance
