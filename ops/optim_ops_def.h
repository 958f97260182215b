// The fused optimizer steps, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"
#include "optim_ops.h"

namespace strata {

struct AdamParams {
  AdamStep options;
};
struct SgdParams {
  SgdStep options;
};

/// `adam_step(param, grad, exp_avg, exp_avg_sq[, max_exp_avg_sq])` and `sgd_step(param, grad[, momentum_buffer])`, all
/// row-major, of one dtype, float or double. The kernels write the new param to output 0 and the state over their
/// inputs from the third on.
extern Op adam_step_op, sgd_step_op;

}  // namespace strata
