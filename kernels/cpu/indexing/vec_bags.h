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

/// What is told of indices before rows are read by them.
struct VecIndex {
  /// Are all between `low` and `high`, which count too?
  bool (*in_range)(const int64_t* index, int64_t n, int64_t low, int64_t high);
  /// Is none below the one before it?
  bool (*is_rising)(const int64_t* index, int64_t n);
};

/// The functions for this processor.
const VecIndex& vec_index();
template <class T>
const VecBags<T>& vec_bags();

}  // namespace strata::cpu::indexing
