// What compiled functions need of memory.
#pragma once
#include <strata/strata.h>

#include "core/allocator.h"

namespace strata {

/// The most bytes in use while `f` runs, above those before: a ballast first raises what is in use to the old peak.
template <class F>
int64_t bytes_at_peak(F f) {
  const MemoryStats before = memory_stats();
  const Tensor ballast = empty({std::max<int64_t>(before.peak - before.in_use, 1)}, kByte);
  const int64_t start = memory_stats().in_use;
  f();
  return memory_stats().peak - start;
}

/// Sanitizers see every block themselves: there the library's own cache is off and counts nothing.
inline bool is_counted() {
  const Tensor x = empty({1024, 1024});
  return memory_stats().in_use > 0;
}

}  // namespace strata
