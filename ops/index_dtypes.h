// Which dtypes a tensor of indices may have: each function takes those that it takes in PyTorch.
#pragma once
#include "../core/tensor.h"

namespace strata {

inline constexpr DTypes kLongIndex(kLong), kIntOrLongIndex(kInt, kLong);

/// `index` as int64. Throws, with the names of the function and of its argument, for a dtype that is not among `taken`.
Tensor as_index(const Tensor& index, const char* op, DTypes taken, const char* argument = "index");
/// The same where PyTorch looks at the dtype only when it reads: an index without elements may have any.
Tensor as_index_if_read(const Tensor& index, const char* op, DTypes taken, const char* argument = "index");

}  // namespace strata
