// Looks at many indices at once, before elements are read by them: SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::indexing {

struct VecIndex {
  /// Are all between `low` and `high`, which count too?
  bool (*in_range)(const int64_t* index, int64_t n, int64_t low, int64_t high);
  /// Is none below the one before it?
  bool (*is_rising)(const int64_t* index, int64_t n);
};

/// The functions for this processor.
const VecIndex& vec_index();

}  // namespace strata::cpu::indexing
