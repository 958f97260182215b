// The arguments of the functions that write to places along a dim, checked once for all of them.
#pragma once
#include "../core/tensor.h"
#include "indexing_def.h"

namespace strata {

/// An int64 index and a source of its shape, both of at least one dim, and the dim.
struct ScatterArgs {
  Tensor index, source;
  ScatterParams params;
};
/// Checks and prepares them for the function `op` of a tensor x; `accumulate` where no derivative reads the index of a
/// constant source.
ScatterArgs scatter_args(const char* op, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                         bool accumulate);

}  // namespace strata
