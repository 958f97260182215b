// The op of counts between edges.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// `exact`: a value belongs to the bin whose edges it lies between; else to the one where it would lie were the edges
/// equally far apart, computed from the outer two alone.
struct BinParams {
  bool exact = true;
};
/// x (R, n) and edges (R, b + 1), which are sorted first, float or double -> how many values of each row lie in each
/// bin (R, b), of the same dtype. The last bin includes its end; what lies outside, and NaN, is not counted.
extern Op bin_counts_op;

struct CountParams {
  int64_t size = 0;
};
/// x (R, n), int64, of values below `size`; -> how often each value from 0 on occurs in each row (R, size), int64.
extern Op index_counts_op;

}  // namespace strata
