// Fourier transforms of one line, in double precision: kissfft, and Bluestein's algorithm for lengths that it is slow
// at.
#pragma once
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace strata::cpu {

using FftComplex = std::complex<double>;

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
  std::vector<FftComplex> scratch_;
};

/// Transforms between real lines and the first n / 2 + 1 values of their spectrum, by complex ones of half the length
/// where n is even (Press et al., Numerical Recipes, section 12.3).
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
  std::vector<FftComplex> turns_, from_, to_;
};

}  // namespace strata::cpu
