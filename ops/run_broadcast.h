// The way to an op of two operands that takes them alike.
#pragma once
#include "../core/tensor.h"
#include "../dispatcher/op.h"
#include "promote.h"

namespace strata::detail {

/// Can an op take both as they are?
inline bool alike(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.device() == b.device();
}

/// Calls `op` on both, converted to `dtype` and broadcast on their common device; errors begin with `name`.
template <class P = dispatch::NoParams>
Tensor run_broadcast(const dispatch::Op& op, const char* name, const Tensor& a, const Tensor& b, DType dtype,
                     const P& params = {}) {
  const Device device = common_device({&a, &b});
  const DimVector sizes = broadcast_shapes(a.sizes(), b.sizes(), name);
  const Tensor x = prepare(a, dtype, device, sizes, name), y = prepare(b, dtype, device, sizes, name);
  return dispatch::call1(op, {&x, &y}, params);
}

}  // namespace strata::detail
