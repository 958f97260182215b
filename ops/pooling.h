// What pools, unpooling and fractional pools check alike. Not included by public headers.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// A public function's name and number of pooled dims.
struct Pooling {
  const char* name;
  int64_t dims;
};

/// Throws unless `x` is `(N, C, ...)` or `(C, ...)` over the pooled dims.
void check_pooled_dims(Pooling f, const Tensor& x);
/// One number per pooled dim, at least `least` and below 2^31, given for each or once for all.
DimVector per_pooled_dim(Pooling f, IntArrayRef values, const char* what, int64_t least);

}  // namespace strata
