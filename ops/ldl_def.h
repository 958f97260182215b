// The ops of factors L D L^T of symmetric matrices, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct LdlParams {
  bool hermitian;
};

/// A `(..., n, n)`, of which the lower triangle is read -> LD `(..., n, n)` with zeros above the diagonal, pivots int32
/// `(..., n)` and info `(...)`, as LAPACK's sytrf with "L" gives them, or hetrf if hermitian.
extern Op ldl_factor_op;
/// LD, pivots and B `(..., n, k)` -> X of B's shape with A X = B, as sytrs or hetrs.
extern Op ldl_solve_op;

}  // namespace strata
