// The op of least squares by factors, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct LstsqParams {
  double rcond;
};

/// A `(..., m, n)`, B `(..., m, k)` -> X `(..., n, k)` of least norm among those with the least |A X - B|, as LAPACK's
/// gelsy gives it, and A's rank int64 `(...)`: QR with exchanged columns, whose leading triangle counts for as long as
/// its condition is estimated to be below 1 / rcond. Of a matrix that holds NaN or inf X is NaN and the rank -1.
extern Op lstsq_op;

}  // namespace strata
