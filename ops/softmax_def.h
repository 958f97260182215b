// Params and ops of the softmax family.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Ops along one dim whose result has the input's shape.
struct DimParams {
  int64_t dim = 0;
};

extern Op softmax_op, log_softmax_op;
/// (grad, y) -> grad of the input.
extern Op softmax_backward_op, log_softmax_backward_op;

}  // namespace strata
