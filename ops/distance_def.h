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
/// x `(..., m, k)` -> the distances of its pairs i < j, `(..., m (m - 1) / 2)`, those of i = 0 first.
extern Op pdist_op;
/// g `(..., m, n)`, a `(..., m, k)`, b `(..., n, k)` -> sum over j of g[i, j] sgn(a[i] - b[j]), `(..., m, k)`: the
/// gradient of 1-norms by a.
extern Op pull_signs_op;
/// The same with a[i] - b[j] in place of its signs. Unlike a product with g, it keeps its digits where points are close
/// to each other and far from 0.
extern Op pull_differences_op;

}  // namespace strata
