// The ops of bags of embeddings, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Inputs: x (V, D), from (L) with rows of x, to (L) with rows of the result or -1 for none.
struct RowsParams {
  int64_t count;  ///< rows of the result
  bool skips;     ///< may `from` hold -1, for none, too?
};

/// `add_rows(Tensor x, Tensor from, Tensor to, Tensor? scale, int count)`: row `from[i]` of x, times scale[i], is added
/// to row `to[i]` of the result, in the order of i. With from and to in each other's place it is its own adjoint.
extern Op add_rows_op;
/// `max_rows(Tensor x, Tensor from, Tensor to, int count)`: the largest of what add_rows would add, 0 of nothing, and
/// the row of x that it comes from, -1 for none.
extern Op max_rows_op;

}  // namespace strata
