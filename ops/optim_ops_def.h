// The fused optimizer steps, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"
#include "optim_ops.h"

namespace strata {

/// `width` is the number of tensors of one slot.
struct AdamParams {
  AdamStep options;
  size_t width() const { return options.amsgrad ? 5 : 4; }
};
struct SgdParams {
  SgdStep options;
  size_t width() const { return options.momentum != 0 ? 3 : 2; }
};
struct RmspropParams {
  RmspropStep options;
  size_t width() const { return size_t{3} + options.centered + (options.momentum != 0); }
};
struct AdagradParams {
  AdagradStep options;
  size_t width() const { return 3; }
};

/// One or more slots of tensors, `param, grad` and the optimizer's state, all row-major and of one dtype: float or
/// double, on a GPU any floating point one. The kernels write the first slot's new param to output 0 and all other
/// results over the inputs. A capturable step has more inputs: the count of steps, but for `sgd_step`, and lr.
extern Op adam_step_op, sgd_step_op, rmsprop_step_op, adagrad_step_op;

}  // namespace strata
