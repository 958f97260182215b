// The ops that lay elements and blocks along diagonals of zeros.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// The result's sizes, and its diagonal in the sense of `diagonal(y, offset, dim1, dim2)`.
struct LaidDiagonalParams {
  DimVector sizes;
  int64_t offset, dim1, dim2;
};

/// `diagonal_backward(Tensor x, int[] sizes, int offset, int dim1, int dim2)`: zeros with x on the diagonal.
extern Op diagonal_backward_op;
/// `block_diag(Tensor[] blocks)`: matrices `(..., m, n)` along the diagonal of `(..., sum of m, sum of n)`.
extern Op block_diag_op;

}  // namespace strata
