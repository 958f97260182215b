// The op that multiplies elements at indexed places, or keeps the largest or smallest of them.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// What becomes of the elements at one place: `kind` of ScatterReduceParams. Of the last two x takes no part where
/// source does: it holds the infinity there that changes no result, and its gradient is 0 even where the result is
/// infinite too.
inline constexpr int64_t kScatterProduct = 0, kScatterLargest = 1, kScatterSmallest = 2, kScatterLargestOfSource = 3,
                         kScatterSmallestOfSource = 4;
inline bool is_of_source(int64_t kind) { return kind >= kScatterLargestOfSource; }
inline bool is_of_largest(int64_t kind) { return kind == kScatterLargest || kind == kScatterLargestOfSource; }

/// Inputs (x, index, source) of real numbers, as scatter_op takes them: each element of source is joined with what its
/// place holds. NaN stays.
struct ScatterReduceParams {
  int64_t dim, kind;
};
extern Op scatter_reduce_op;

}  // namespace strata
