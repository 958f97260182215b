// The fused optimizer steps, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"
#include "optim_ops.h"

namespace strata {

struct AdamParams {
  AdamStep options;
  /// Tensors of one slot.
  size_t width() const { return options.amsgrad ? 5 : 4; }
};
struct SgdParams {
  SgdStep options;
  size_t width() const { return options.momentum != 0 ? 3 : 2; }
};

/// What `count` holds after a capturable step.
enum AdamCount { kSteps, kInverseRootCorrection, kStepSize, kShrink, kAdamCounts };

/// One or more slots of tensors, `param, grad, exp_avg, exp_avg_sq[, max_exp_avg_sq]` for `adam_step` and `param,
/// grad[, momentum_buffer]` for `sgd_step`, all row-major and of one dtype: float or double, on a GPU any floating
/// point one. The kernels write the first slot's new param to output 0 and all other results over the inputs. A
/// capturable `adam_step` has two more inputs, count and lr.
extern Op adam_step_op, sgd_step_op;

}  // namespace strata
