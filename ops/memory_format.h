// Memory formats: in which order the dims of a tensor lie in memory.
#pragma once
#include "../core/tensor.h"

namespace strata::detail {

/// The strides of a new tensor of these sizes; as those of `like` for Preserve.
DimVector strides_in(MemoryFormat format, IntArrayRef sizes, const Tensor& like = {});

/// The dims of a tensor with these strides, from the outermost in memory to the innermost.
[[gnu::visibility("hidden")]] DimVector outermost_first(IntArrayRef strides);

/// A copy in row-major order, whatever that of `x`.
Tensor row_major_copy(const Tensor& x);

/// Gives a fresh row-major tensor, of which there is no view yet, other strides that show each of its elements once.
void set_strides(const Tensor& t, IntArrayRef strides);

/// Options of a `*_like` function: x's dtype and device where none are given.
TensorOptions options_like(const Tensor& x, const TensorOptions& options);

}  // namespace strata::detail
