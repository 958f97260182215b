// Params and ops of the scans, and what their rules share with others.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Along `dim`, from its end if `reverse`.
struct ScanParams {
  int64_t dim = 0;
  bool reverse = false;
};

extern Op cumsum_op, cumprod_op;
/// (a, b) -> y with y[i] = a[i] * y[i - 1] + b[i], the element before the first being 0. Its derivatives are of the
/// same kind.
extern Op affine_scan_op;
/// The logarithm of the running sum of exp(x), of floating point tensors.
extern Op logcumsumexp_op;
/// (values, indices) of the running extreme.
extern Op cummax_op, cummin_op;  // ScanParams

/// At each element, the product of all other elements along `dim`.
Tensor product_of_others(const Tensor& x, int64_t dim);

}  // namespace strata
