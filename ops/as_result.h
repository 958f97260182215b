// What a function returns whose result is a view of a tensor that nobody else sees.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// `t`, a view of a tensor that the function has just made and that nobody else gets to see. Where the view was not
/// recorded (NoGradGuard), it has nothing to do with what it is a view of: it becomes a tensor like other results,
/// which a recorded op may write to.
inline Tensor as_result(Tensor t) {
  TensorImpl* const impl = t.impl();
  if (!impl || !impl->base() || impl->view_made() != TensorImpl::Made::kNoGrad || impl->base()->requires_grad())
    return t;
  impl->set_view_made(TensorImpl::Made::kRecorded);
  impl->remove_key(Key::Autograd);
  impl->forget_base();
  return t;
}

}  // namespace strata
