// What a function returns whose result is a view of a tensor that nobody else sees.
#pragma once
#include <utility>

#include "../core/grad_mode.h"
#include "../core/tensor.h"

namespace strata {

/// `t`, a view of a tensor that the function has just made and that nobody else gets to see, as a tensor like other
/// results: a recorded op may write to it, and its gradient is that of all views that are made of it later. Where a
/// gradient flows between the two, it goes through the node of the view. Only a view that was not recorded
/// (NoGradGuard) of what was stays one.
inline Tensor as_result(Tensor t) {
  TensorImpl* const impl = t.impl();
  const bool is_wrapper = impl && impl->wrapper() && t.is_contiguous();  // else what it is a view of says how it lies
  if (is_wrapper && GradMode::is_enabled()) delete std::exchange(impl->wrapper()->view, nullptr);
  if (!impl || !impl->base() || impl->view_made() == TensorImpl::Made::kInference) return t;
  const bool has_history = impl->base()->requires_grad();
  if (has_history && !t.grad_fn()) return t;
  impl->set_view_made(TensorImpl::Made::kRecorded);
  if (!has_history) impl->remove_key(Key::Autograd);
  impl->forget_base();
  return t;
}

}  // namespace strata
