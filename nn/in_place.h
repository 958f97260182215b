// What `inplace(true)` does for functions that have no in-place form of their own. Not included by public headers.
#pragma once
#include "../core/grad_mode.h"
#include "../core/tensor.h"

namespace strata::nn {

/// f(input), written back into `input` where `inplace` says so. The gradient needs the old value, so f gets a copy of
/// it then.
template <class F>
Tensor maybe_in_place(Tensor input, bool inplace, F f) {
  if (!inplace) return f(input);
  const Tensor given = GradMode::is_enabled() && input.requires_grad() ? input.clone() : input;
  const Tensor result = f(given);
  return result.is_same(given) ? input : input.copy_(result);
}

}  // namespace strata::nn
