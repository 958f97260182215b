// What a function returns whose result is a view of a tensor that nobody else sees.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// `t`, a view of a tensor that the function has just made and that nobody else gets to see. Where no gradient flows
/// between the two, since none is required or the view was not recorded (NoGradGuard), it becomes a tensor like other
/// results: a recorded op may write to it, and its gradient is that of all views that are made of it later.
inline Tensor as_result(Tensor t) {
  TensorImpl* const impl = t.impl();
  if (!impl || !impl->base() || impl->view_made() == TensorImpl::Made::kInference || impl->base()->requires_grad())
    return t;
  impl->set_view_made(TensorImpl::Made::kRecorded);
  impl->remove_key(Key::Autograd);
  impl->forget_base();
  return t;
}

}  // namespace strata
