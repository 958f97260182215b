// Distances between pairs of vectors.
#pragma once
#include <optional>

#include "../core/tensor.h"

namespace strata {

/// The p-norm distances `(..., m, n)` of all rows of x1 `(..., m, k)` from all rows of x2 `(..., n, k)`, batches
/// broadcast; float32 or float64, p in [0, inf]. The gradient is 0 where a distance is 0. Euclidean distances of more
/// than 25 rows are taken from products of matrices unless `compute_mode` is 2 ("donot_use_mm_for_euclid_dist"); 1
/// takes them always. They are less exact then where distances are small beside the vectors.
Tensor cdist(const Tensor& x1, const Tensor& x2, double p = 2, std::optional<int64_t> compute_mode = std::nullopt);
/// The distances of the rows of `(m, k)` from all later ones, `(m (m - 1) / 2,)`.
Tensor pdist(const Tensor& x, double p = 2);

}  // namespace strata
