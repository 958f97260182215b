// One pass of the Fourier transform of eight lines at once, as SIMD code chosen at run time for the processor.
#pragma once
#include <cstdint>

namespace strata::cpu {

/// Lines side by side: element i of all of them is kFftLanes real parts, then as many imaginary parts, from
/// i * 2 * kFftLanes on.
inline constexpr int64_t kFftLanes = 8;

/// A pass of Stockham's self-sorting algorithm for the factor `radix` (2, 3, 4 or 5) of a length: `count` times
/// transforms of radix elements that are `inner` apart, each result times its turn.
struct FftPass {
  int64_t radix, inner, count;
  const double* turns;  ///< (real, imaginary) by result 1 … radix - 1, then by place in `inner`
};

/// `in` and `out` do not overlap.
void run_fft_pass(const FftPass& pass, const double* in, double* out);

}  // namespace strata::cpu
