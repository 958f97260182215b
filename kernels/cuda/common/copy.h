// Copying between layouts on the GPU: what kernels use whose libraries want row-major operands.
#pragma once
#include "core/tensor.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda {

/// Memory whose elements stand apart: `strides` counts elements from `data` on, for each dim.
struct StridedMemory {
  char* data;
  IntArrayRef strides;
};
inline StridedMemory memory_of(const Tensor& t, int64_t offset = 0) {
  return {t.bytes() + offset * t.element_size(), t.strides()};
}

/// Copies elements of `item` bytes over `sizes` from one layout to another; strides may be 0 or negative in the source.
/// Elements of the destination must not overlap.
void copy_strided(const StridedMemory& to, const StridedMemory& from, IntArrayRef sizes, size_t item,
                  cudaStream_t stream);

/// Copies `from` to `to`, which has its shape and dtype and is on its device; any strides, 0 included in `from`.
void copy_strided(const Tensor& to, const Tensor& from);

/// Fills any strides with one value.
void fill_strided(const Tensor& to, const Scalar& value);

/// `t` itself where it is row-major, else a copy that is.
Tensor row_major(const Tensor& t);

/// Calls fill(t) with `out`, or with row-major memory of its size that is copied to `out` afterwards.
template <class F>
void write_row_major(const Tensor& out, F&& fill) {
  if (out.is_contiguous()) return fill(out);
  const Tensor buffer = empty_on_device(out.sizes(), out.dtype(), out.device());
  fill(buffer);
  copy_strided(out, buffer);
}

}  // namespace strata::cuda
