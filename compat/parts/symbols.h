// Functions whose sizes are symbols while libtorch traces; they are numbers here, so these are the plain functions.
#pragma once
#include "runtime.h"

namespace strata {

inline Tensor empty_symint(SymIntArrayRef size, const TensorOptions& options = {}) { return empty(size, options); }
inline Tensor zeros_symint(SymIntArrayRef size, const TensorOptions& options = {}) { return zeros(size, options); }
inline Tensor ones_symint(SymIntArrayRef size, const TensorOptions& options = {}) { return ones(size, options); }
inline Tensor full_symint(SymIntArrayRef size, const Scalar& value, const TensorOptions& options = {}) {
  return full(size, value, options);
}
inline Tensor rand_symint(SymIntArrayRef size, const TensorOptions& options = {}) { return rand(size, options); }
inline Tensor randn_symint(SymIntArrayRef size, const TensorOptions& options = {}) { return randn(size, options); }
inline Tensor reshape_symint(const Tensor& self, SymIntArrayRef shape) { return self.reshape(shape); }
inline Tensor narrow_symint(const Tensor& self, int64_t dim, SymInt start, SymInt length) {
  return self.narrow(dim, start, length);
}
inline Tensor select_symint(const Tensor& self, int64_t dim, SymInt index) { return self.select(dim, index); }
inline Tensor slice_symint(const Tensor& self, int64_t dim = 0, std::optional<SymInt> start = std::nullopt,
                           std::optional<SymInt> end = std::nullopt, SymInt step = 1) {
  return self.slice(dim, start, end, step);
}
inline Tensor as_strided_symint(const Tensor& self, SymIntArrayRef size, SymIntArrayRef stride,
                                std::optional<SymInt> storage_offset = std::nullopt) {
  return self.as_strided(size, stride, storage_offset);
}

}  // namespace strata
