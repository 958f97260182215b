// Functions of libtorch that are others under another name or a line away from them.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// The sum of the diagonal of a matrix.
Tensor trace(const Tensor& x);
/// The coordinates of the non-zero elements, one `(n,)` int64 tensor per dim.
std::vector<Tensor> where(const Tensor& condition);
inline int64_t numel(const Tensor& x) { return x.numel(); }
inline bool is_floating_point(const Tensor& x) { return x.is_floating_point(); }

}  // namespace strata
