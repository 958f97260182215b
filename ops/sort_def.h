// Params and ops of sorting.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct SortParams {
  int64_t dim = 0;
  bool descending = false;
};
struct TopkParams {
  int64_t dim = 0;
  int64_t k = 0;
  bool largest = true;
};
struct SearchParams {
  bool right = false;
};

extern Op sort_op;
extern Op topk_op;
/// (sorted (B, n), values (B, m)) -> int64 positions (B, m).
extern Op searchsorted_op;
/// x (n) -> (distinct values, inverse, counts)
extern Op unique_op;

}  // namespace strata
