// Complex tensors as real ones, for kernels that treat both parts alike.
#pragma once
#include "core/tensor.h"

namespace strata::cpu {

/// The memory of a complex `t` as real numbers of shape `(..., 2)`.
inline Tensor parts_of(const Tensor& t) {
  DimVector sizes(t.sizes()), strides(t.strides());
  for (int64_t& s : strides) s *= 2;
  sizes.push_back(2);
  strides.push_back(1);
  auto* impl = new TensorImpl(to_real_dtype(t.dtype()), t.device(), t.storage());
  impl->set_geometry(sizes, strides, 2 * t.storage_offset());
  return Tensor::adopt(impl);
}

}  // namespace strata::cpu
