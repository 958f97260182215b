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
struct AdamaxParams {
  AdamaxStep options;
  size_t width() const { return 4; }
};
struct NadamParams {
  NadamStep options;
  size_t width() const { return 4; }
};
struct RadamParams {
  RadamStep options;
  size_t width() const { return 4; }
};
struct AdadeltaParams {
  AdadeltaStep options;
  size_t width() const { return 4; }
};
struct RpropParams {
  RpropStep options;
  size_t width() const { return 4; }
};
struct AsgdParams {
  AsgdStep options;
  size_t width() const { return 3; }
};
struct LionParams {
  LionStep options;
  size_t width() const { return 3; }
};

/// One or more slots of tensors, `param, grad` and the optimizer's state, all row-major and of one dtype: float or
/// double, on a GPU any floating point one. The kernels write the first slot's new param to output 0 and all other
/// results over the inputs. A capturable step has more inputs: the count of steps, but for `sgd_step`, and lr.
extern Op adam_step_op, sgd_step_op, rmsprop_step_op, adagrad_step_op, adamax_step_op, nadam_step_op, radam_step_op,
    adadelta_step_op, rprop_step_op, asgd_step_op, lion_step_op;

/// Does the step read its learning rate from a tensor?
template <class Step>
bool is_capturable(const Step& s) {
  if constexpr (requires { s.capturable; })
    return s.capturable;
  else
    return false;
}

}  // namespace strata
