// The op of distances between all pairs of vectors.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Inputs a `(..., m, k)` and b `(..., n, k)` of equal leading dims, float or double: `(..., m, n)` p-norms of
/// a[i] - b[j]; p = 0 counts, p = inf is the largest difference.
struct CdistParams {
  double p;
};
extern Op cdist_op;

}  // namespace strata
