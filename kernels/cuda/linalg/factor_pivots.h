// The row swaps of LU factorizations as permutations.
#pragma once
#include "kernels/cuda/linalg/factor_batch.h"

namespace strata::cuda::linalg {

/// A row-major copy of pivots int32 `(..., k)`, with those that are out of range for `rows` rows reported and replaced
/// by ones that swap nothing.
Tensor checked_pivots(std::string_view op, const Tensor& pivots, int64_t rows);

/// The same pivots -> int64 `(..., rows)`, row-major: where the swaps of rows move each row from.
Tensor permutation_of(std::string_view op, const Tensor& pivots, int64_t rows);

/// to[..., i, :] = from[..., perm[i], :] for row-major matrices, or, if not `rows`, the same for columns; `inverse`
/// writes to[..., perm[i], :] = from[..., i, :].
void permute(std::string_view op, const Tensor& to, const Tensor& from, const Tensor& permutation, bool rows,
             bool inverse);

/// int64 pivots, as the 64-bit interface counts, to int32 ones. Both are row-major.
void narrow_pivots(std::string_view op, const Tensor& to, const Tensor& from);

}  // namespace strata::cuda::linalg
