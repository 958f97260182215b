// Sums of rows over bags of indices as SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::indexing {

/// T is float or double.
template <class T>
struct VecBags {
  /// y[b * columns + c] = the sum of weight[i] * x[index[i] * columns + c] over first[b] <= i < first[b + 1], for bags
  /// b < bags; `weight` may be null, for ones. `index` holds `known` places: what stands behind is brought nearer.
  void (*sum)(const T* x, int64_t columns, const int64_t* index, const T* weight, const int64_t* first, int64_t bags,
              int64_t known, T* y);
};

/// The functions for this processor.
template <class T>
const VecBags<T>& vec_bags();

}  // namespace strata::cpu::indexing
