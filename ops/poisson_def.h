// The ops behind poisson and binomial.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Means (float64) and seeds (int64) of one shape -> counts, float64. Element i draws by count_sampling::poisson from a
/// stream of its own: its seed is Philox4x32-10's key, the counter counts blocks, and each block gives two numbers of
/// 53 bits, words 0 (low) and 1, then 2 and 3.
extern Op poisson_op;
/// Counts of trials and probabilities (float64) and seeds -> counts of successes, likewise.
extern Op binomial_op;

}  // namespace strata
