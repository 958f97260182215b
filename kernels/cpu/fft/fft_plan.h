// Fourier transforms of lines, in double precision: by kissfft, or by Bluestein's algorithm on top of it for lengths
// that it is slow at.
#pragma once
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/cpu/common/lines.h"

namespace strata::cpu::fft {

using FftComplex = std::complex<double>;

/// The product without the special case for NaN that the language asks for.
inline FftComplex times(FftComplex a, FftComplex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

class FftPlan;

/// The transform of lines of one length by one thread: a plan that all threads share, and memory of its own.
class FftLine {
 public:
  explicit FftLine(int64_t n);
  ~FftLine();
  FftLine(FftLine&&) noexcept;
  /// y[k] = Σ x[j] exp(-2πi jk / n); x and y are n elements that do not overlap.
  void run(const FftComplex* x, FftComplex* y);

 private:
  std::shared_ptr<const FftPlan> plan_;
  std::unique_ptr<FftPlan> own_;
  Scratch<FftComplex> scratch_;
};

// A real line x of even length n as the complex one z[j] = x[2j] + i x[2j + 1] of half the length has the spectrum
// Z = E + iO of the even and the odd elements, which are real lines of their own: E[k] and O[k] come from Z[k] and
// conj(Z[n / 2 - k]), and X[k] = E[k] + exp(-2πi k / n) O[k] (Press et al., Numerical Recipes, section 12.3).

/// exp(-2πi k / n) for k <= n / 2.
std::vector<FftComplex> half_turns(int64_t n);
/// X[k] from Z[k], Z[n / 2 - k] and the turn for k.
inline FftComplex spectrum_of(FftComplex z, FftComplex opposite, FftComplex turn) {
  const FftComplex evens = z + std::conj(opposite), odds = z - std::conj(opposite);
  return 0.5 * (evens + times(turn, {odds.imag(), -odds.real()}));
}
/// What conj(Z[k]) is, times 2, for given X[k] and X[n / 2 - k].
inline FftComplex signal_input(FftComplex x, FftComplex opposite, FftComplex turn) {
  const FftComplex odds = times(std::conj(turn), x - std::conj(opposite));
  return std::conj(x + std::conj(opposite) + FftComplex(-odds.imag(), odds.real()));
}

/// Transforms between real lines and the first n / 2 + 1 values of their spectrum, by complex ones of half the length
/// where n is even.
class RealFftLine {
 public:
  explicit RealFftLine(int64_t n);
  /// y[k] = Σ x[j] exp(-2πi jk / n) for k <= n / 2.
  void to_spectrum(const double* x, FftComplex* y);
  /// y[j] = Σ X[k] exp(2πi jk / n) over all n values, of which x has the first n / 2 + 1; the imaginary parts of X[0]
  /// and, for even n, of X[n / 2] count as 0.
  void to_signal(const FftComplex* x, double* y);

 private:
  bool even() const { return n_ % 2 == 0; }
  int64_t n_;
  FftLine line_;
  std::vector<FftComplex> turns_;
  Scratch<FftComplex> from_, to_;
};

}  // namespace strata::cpu::fft
