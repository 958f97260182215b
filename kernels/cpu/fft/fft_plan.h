// Fourier transforms of lines, in double precision: by kissfft, or by Bluestein's algorithm on top of it for lengths
// that it is slow at.
#pragma once
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/fft/vec_fft.h"

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
  /// exp(-2πi k / n) for k < n where n is a power of two, else null.
  const FftComplex* turns() const;

 private:
  std::shared_ptr<const FftPlan> plan_;
  std::unique_ptr<FftPlan> own_;
  Scratch<FftComplex> scratch_;
};

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

/// Up to `most` lines of n values that are transformed together: side by side where n is a power of two whose lines
/// stay in the caches and there are enough of them, else one after the other.
class FftGroup {
 public:
  FftGroup(int64_t n, int64_t most);
  /// The real (part 0) or imaginary (part 1) part of value j of line l, before the transform.
  double& input(int64_t l, int64_t j, int part) { return in_.data()[place(l, j, part)]; }
  void set(int64_t l, int64_t j, FftComplex v) {
    input(l, j, 0) = v.real();
    input(l, j, 1) = v.imag();
  }
  void run(int64_t lines);
  /// The transform: as FftLine::run gives it.
  FftComplex get(int64_t l, int64_t k) const { return {result_[place(l, k, 0)], result_[place(l, k, 1)]}; }

 private:
  int64_t place(int64_t l, int64_t j, int part) const { return l * line_step_ + j * value_step_ + part * part_step_; }
  int64_t n_;
  FftLine line_;
  bool is_side_by_side_;
  int64_t line_step_, value_step_, part_step_;
  Scratch<double> in_, out_;
  const double* result_ = nullptr;
};

}  // namespace strata::cpu::fft
