// Params and ops of the losses that are not composites.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct NllParams {
  int64_t reduction = 1;
  int64_t ignore_index = -100;
  int64_t classes = 0;
};
/// (x, target, weight or undefined) -> (loss, sum of the weights).
extern Op nll_loss_op;
/// (grad, target, weight or undefined, sum of the weights) -> gradient of x: the adjoint of nll_loss, which is linear
/// in x.
extern Op nll_loss_backward_op;
struct SmoothL1Params {
  double beta = 1;
};
/// (x, target), element-wise: SmoothL1Params, square / (2 beta) below beta, size - beta / 2 above.
extern Op smooth_l1_op;
/// (grad, x, target): the gradient of x.
extern Op smooth_l1_backward_op;
/// (x, target), element-wise; the second takes logits.
extern Op binary_cross_entropy_op, binary_cross_entropy_with_logits_op;
/// (logits, target, weight of the positives), element-wise.
extern Op weighted_cross_entropy_with_logits_op;

}  // namespace strata
