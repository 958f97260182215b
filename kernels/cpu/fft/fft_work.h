// The work on lines of the Fourier kernels, by what is transformed to what.
#pragma once
#include "kernels/cpu/fft/fft_plan.h"

namespace strata::cpu::fft {

/// A transform with exponents of the other sign has the value k at the place of -k.
inline int64_t mirrored(int64_t k, int64_t n) { return k == 0 ? 0 : n - k; }

// Each is made for lines of n values, at most `most` of them at once. It takes them by put(line, place, value),
// transforms them by run(lines), and then has the results at get(line, place).

/// Neighbours are read and written together, to use whole cache lines.
inline constexpr int64_t kFftTogether = 8;

/// Complex to complex.
class ComplexLine {
 public:
  ComplexLine(int64_t n, bool forward, int64_t most)
      : n_(n), forward_(forward), line_(n), in_(most * n), out_(most * n) {}
  void put(int64_t l, int64_t j, FftComplex v) { in_.data()[l * n_ + j] = v; }
  void run(int64_t lines) {
    for (int64_t l = 0; l < lines; ++l) line_.run(in_.data() + l * n_, out_.data() + l * n_);
  }
  FftComplex get(int64_t l, int64_t k) { return out_.data()[l * n_ + (forward_ ? k : mirrored(k, n_))]; }

 private:
  int64_t n_;
  bool forward_;
  FftLine line_;
  Scratch<FftComplex> in_, out_;
};

/// Real signals to spectra.
class SpectrumLine {
 public:
  SpectrumLine(int64_t n, bool forward, int64_t most)
      : n_(n), half_(n / 2 + 1), forward_(forward), line_(n), in_(most * n), out_(most * half_) {}
  void put(int64_t l, int64_t j, double v) { in_.data()[l * n_ + j] = v; }
  void run(int64_t lines) {
    for (int64_t l = 0; l < lines; ++l) line_.to_spectrum(in_.data() + l * n_, out_.data() + l * half_);
  }
  FftComplex get(int64_t l, int64_t k) {
    const bool known = k < half_;
    const FftComplex v = out_.data()[l * half_ + (known ? k : n_ - k)];
    return known == forward_ ? v : std::conj(v);
  }

 private:
  int64_t n_, half_;
  bool forward_;
  RealFftLine line_;
  Scratch<double> in_;
  Scratch<FftComplex> out_;
};

/// Halves of spectra to real signals.
class SignalLine {
 public:
  SignalLine(int64_t n, bool forward, int64_t most)
      : n_(n), half_(n / 2 + 1), forward_(forward), line_(n), in_(most * half_), out_(most * n) {}
  void put(int64_t l, int64_t k, FftComplex v) { in_.data()[l * half_ + k] = forward_ ? std::conj(v) : v; }
  void run(int64_t lines) {
    for (int64_t l = 0; l < lines; ++l) line_.to_signal(in_.data() + l * half_, out_.data() + l * n_);
  }
  double get(int64_t l, int64_t j) { return out_.data()[l * n_ + j]; }

 private:
  int64_t n_, half_;
  bool forward_;
  RealFftLine line_;
  Scratch<FftComplex> in_;
  Scratch<double> out_;
};

}  // namespace strata::cpu::fft
