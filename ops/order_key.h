// Keys by which tensors of unsigned integers are sorted that nothing computes in. Not included by public headers.
#pragma once
#include "../core/tensor.h"

namespace strata::detail {

/// Signed integers in the order of x's, which are uint16 or uint64; x itself for other dtypes.
Tensor order_key(const Tensor& x);
/// The tensor of `dtype` whose keys these are.
Tensor of_order_key(const Tensor& key, DType dtype);

}  // namespace strata::detail
