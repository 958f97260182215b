// Writing or adding elements at places that may repeat, always with the same result: by sorting the places.
#pragma once
#include "core/tensor.h"
#include "kernels/cuda/common/strided.h"

namespace strata::cuda::indexing {

// Note [Sorted places]
// Values for one place are found side by side after a stable sort of the places; one thread takes all of a place, in
// the order of the values. So sums have the CPU's bits, and of several values that are written the last one stays.

/// `count` values, each of which goes to the element `places[i]` of y: `places` is int64 (1, count) with numbers below
/// `limit`, or `limit` for a value that goes nowhere. A value is the elements of `rest`: tensor 0 is y at the place,
/// tensor 1 the values, which follow each other with `step`.
struct SortedWrites {
  std::string_view op;
  Tensor y;
  Tensor values;  ///< row-major
  Tensor places;
  int64_t limit;
  Geometry<2> rest;
  int64_t step;
  int64_t offset = 0;  ///< of place 0 in y
};

/// y += values. 16-bit floats are summed in float32 and rounded once.
void add_sorted(const SortedWrites& w);
/// y = values; the last of each place stays.
void put_sorted(const SortedWrites& w);

}  // namespace strata::cuda::indexing
