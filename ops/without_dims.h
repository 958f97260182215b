// What rules of ops along a dim ask of their operands. Not included by public headers.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// Are there no lines along `dim` of x? So it is for a tensor without dims, whose one element is its only line, and for
/// a batch of such tensors under vmap, which counts `dim` from behind the examples.
inline bool is_without(const Tensor& x, int64_t dim) { return dim >= x.dim(); }

}  // namespace strata
