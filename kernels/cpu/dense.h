// Row-major inputs for kernels that do not take strides.
#pragma once
#include "dispatcher/call.h"
#include "ops/cast_def.h"

namespace strata::cpu {

/// `t` itself if it is contiguous, else a copy.
inline Tensor dense(const Tensor& t) {
  if (t.is_contiguous()) return t;
  return std::move(call_backend(copy_op, {&t}, Params::of(NoParams()))[0]);
}

}  // namespace strata::cpu
