// Fourier transforms of several lines side by side as SIMD code chosen at run time for the processor.
#pragma once
#include <complex>
#include <cstdint>

namespace strata::cpu::fft {

/// Neighbouring lines are read, transformed and written together.
inline constexpr int64_t kFftTogether = 8;

/// Transforms kFftTogether lines of n values, n a power of two. The real parts of value j of all lines are at
/// x[2 j kFftTogether], the imaginary ones kFftTogether behind. `turns[k]` is exp(-2πi k / n) for k < n. Overwrites x
/// as well as y, which is as large, and returns the one that has the result.
double* fft_side_by_side(double* x, double* y, const std::complex<double>* turns, int64_t n);

}  // namespace strata::cpu::fft
