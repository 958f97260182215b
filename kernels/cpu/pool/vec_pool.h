// The most frequent max pool, 2x2 windows with stride 2, as SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu::pool {

/// The maxima of one plane x of rows of `width` values (fewer than 2^31 in all) into out `(oh, ow)`, and into `index`
/// where each stands in x. All windows lie inside x. The first of equal values wins, a later NaN over all.
void max_pool_2x2(const float* x, int64_t width, int64_t oh, int64_t ow, float* out, int64_t* index);

}  // namespace strata::cpu::pool
