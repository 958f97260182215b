// The work on lines of the Fourier kernels, by what is transformed to what.
#pragma once
#include "kernels/cpu/fft/fft_plan.h"

namespace strata::cpu::fft {

/// A transform with exponents of the other sign has the value k at the place of -k.
inline int64_t mirrored(int64_t k, int64_t n) { return k == 0 ? 0 : n - k; }

// Each is made for lines of n values, at most `most` of them at once. It takes them by put(line, place, value),
// transforms them by run(lines), and then has the results at get(line, place).

/// Complex lines to their complex spectra, or back.
class ComplexLine {
 public:
  ComplexLine(int64_t n, bool forward, int64_t most) : n_(n), forward_(forward), group_(n, most) {}
  void put(int64_t l, int64_t j, FftComplex v) { group_.set(l, j, v); }
  void run(int64_t lines) { group_.run(lines); }
  FftComplex get(int64_t l, int64_t k) const { return group_.get(l, forward_ ? k : mirrored(k, n_)); }

 private:
  int64_t n_;
  bool forward_;
  FftGroup group_;
};

// A real line x of even length n as the complex one z[j] = x[2j] + i x[2j + 1] of half the length has the spectrum
// Z = E + iO of the even and the odd elements, which are real lines of their own: E[k] and O[k] come from Z[k] and
// conj(Z[n / 2 - k]), and X[k] = E[k] + exp(-2πi k / n) O[k] (Press et al., Numerical Recipes, section 12.3).

/// How long the complex lines of real ones are.
inline int64_t complex_length(int64_t n) { return n % 2 == 0 ? n / 2 : n; }

/// Real lines to the first half of their spectra.
class SpectrumLine {
 public:
  SpectrumLine(int64_t n, bool forward, int64_t most) : n_(n), forward_(forward), group_(complex_length(n), most) {
    if (is_even()) turns_ = half_turns(n);
  }
  void put(int64_t l, int64_t j, double v) {
    if (is_even())
      group_.input(l, j / 2, static_cast<int>(j % 2)) = v;
    else
      group_.set(l, j, v);
  }
  void run(int64_t lines) { group_.run(lines); }
  FftComplex get(int64_t l, int64_t k) const {
    const bool known = k <= n_ / 2;
    const FftComplex v = value(l, known ? k : n_ - k);
    return known == forward_ ? v : std::conj(v);
  }

 private:
  bool is_even() const { return n_ % 2 == 0; }
  FftComplex value(int64_t l, int64_t k) const {
    if (!is_even()) return group_.get(l, k);
    const int64_t h = n_ / 2;
    return spectrum_of(group_.get(l, k == h ? 0 : k), group_.get(l, k == 0 ? 0 : h - k),
                       turns_[static_cast<size_t>(k)]);
  }

  int64_t n_;
  bool forward_;
  FftGroup group_;
  std::vector<FftComplex> turns_;
};

/// Halves of spectra to real signals; the imaginary parts of X[0] and, for even n, of X[n / 2] count as 0.
class SignalLine {
 public:
  SignalLine(int64_t n, bool forward, int64_t most)
      : n_(n), half_(n / 2 + 1), forward_(forward), group_(complex_length(n), most), spectrum_(most * half_) {
    if (is_even()) turns_ = half_turns(n);
  }
  void put(int64_t l, int64_t k, FftComplex v) { spectrum_.data()[l * half_ + k] = forward_ ? std::conj(v) : v; }
  void run(int64_t lines) {
    for (int64_t l = 0; l < lines; ++l)
      is_even() ? set_even(l, spectrum_.data() + l * half_) : set_odd(l, spectrum_.data() + l * half_);
    group_.run(lines);
  }
  double get(int64_t l, int64_t j) const {
    if (!is_even()) return group_.get(l, j).real();
    const FftComplex v = group_.get(l, j / 2);
    return j % 2 == 0 ? v.real() : -v.imag();
  }

 private:
  bool is_even() const { return n_ % 2 == 0; }
  void set_even(int64_t l, const FftComplex* x) {
    const int64_t h = n_ / 2;
    group_.set(l, 0, signal_input(x[0].real(), x[h].real(), turns_[0]));
    for (int64_t k = 1; k < h; ++k) group_.set(l, k, signal_input(x[k], x[h - k], turns_[static_cast<size_t>(k)]));
  }
  /// The inverse is conj(forward(conj)), and the result is real.
  void set_odd(int64_t l, const FftComplex* x) {
    group_.set(l, 0, x[0].real());
    for (int64_t k = 1; k <= n_ / 2; ++k) {
      group_.set(l, k, std::conj(x[k]));
      group_.set(l, n_ - k, x[k]);
    }
  }

  int64_t n_, half_;
  bool forward_;
  FftGroup group_;
  Scratch<FftComplex> spectrum_;
  std::vector<FftComplex> turns_;
};

}  // namespace strata::cpu::fft
