// The most frequent max pool, 2x2 windows with stride 2, as SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu {

/// One row of `n` maxima over `top` and `bottom` (2n values each) into `out`, and into `index` where each stands when
/// `top[0]` is element `first` of its plane and `bottom[0]` is element `first + width`. The first of equal values wins,
/// a later NaN over all.
void max_pool_2x2_row(const float* top, const float* bottom, int64_t n, int32_t first, int32_t width, float* out,
                      int64_t* index);

}  // namespace strata::cpu
