// glu of a tensor whose halves along a dim are its operands, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// The dim that is halved.
struct GluParams {
  int64_t dim;
};

/// `split_glu(Tensor x, int dim)` and `split_glu_backward(Tensor grad, Tensor x, int dim)`: the gradient of both
/// halves.
extern Op split_glu_op, split_glu_backward_op;

}  // namespace strata
