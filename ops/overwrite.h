// How methods in place write over the tensor what a function computes aside, where no kernel writes it there itself.
#pragma once
#include <utility>

#include "../core/grad_mode.h"
#include "in_place.h"
#include "promote.h"

namespace strata::detail {

/// Copies `result` into `self`, with its history; self's dtype must hold it, and its shape must be the same.
inline Tensor& store(Tensor& self, const Tensor& result, const char* method) {
  STRATA_CHECK(can_cast(result.dtype(), self.dtype()), "{}: result type {} can't be cast to the desired output type {}",
               method, name(result.dtype()), name(self.dtype()));
  STRATA_CHECK(result.sizes() == self.sizes(), "{}: the result has shape {}, which does not fit the tensor's own {}",
               method, result.sizes(), self.sizes());
  return self.copy_(result);
}

/// Before a recorded write that reads the old value of `self`, which may be a view: Note [In-place on views].
void show_old_value(const Tensor& self);

/// Stores what `compute` gives; whatever is refused inside of it is refused in the method's name.
template <class F>
Tensor& overwrite(Tensor& self, const char* method, F&& compute) {
  show_old_value(self);
  return in_place(method, [&]() -> Tensor& { return store(self, compute(), method); });
}

/// The values before the write, of their own where a derivative, also one by another operand, may be taken by them.
template <class... Operand>
Tensor before(const Tensor& self, const Operand&... others) {
  const bool differentiable = (self.requires_grad() || ... || static_cast<const Tensor&>(others).requires_grad());
  return differentiable && GradMode::is_enabled() ? self.clone() : self;
}

}  // namespace strata::detail
