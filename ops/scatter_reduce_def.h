// The op that multiplies elements at indexed places, or keeps the largest or smallest of them.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// What becomes of the elements at one place: `kind` of ScatterReduceParams.
inline constexpr int64_t kScatterProduct = 0, kScatterLargest = 1, kScatterSmallest = 2;

/// Inputs (x, index, source) of real numbers, as scatter_op takes them: each element of source is joined with what its
/// place holds. NaN stays.
struct ScatterReduceParams {
  int64_t dim, kind;
};
extern Op scatter_reduce_op;

}  // namespace strata
