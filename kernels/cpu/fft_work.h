// The work on lines of the Fourier kernels, by what is transformed to what, one by one or side by side.
#pragma once
#include <algorithm>

#include "kernels/cpu/fft_plan.h"
#include "kernels/cpu/vec_fft.h"

namespace strata::cpu {

/// A transform with exponents of the other sign has the value k at the place of -k.
inline int64_t mirrored(int64_t k, int64_t n) { return k == 0 ? 0 : n - k; }

// Each is made for lines of n values, at most `most` of them and kTogether at once. It takes them by put(line, place,
// value), transforms them by run(lines), and then has the results at get(line, place).

/// Neighbours are read and written together, to use whole cache lines.
inline constexpr int64_t kFftTogether = 8;
inline int64_t together(int64_t most) { return std::min(most, kFftTogether); }

/// Complex to complex.
class ComplexLine {
 public:
  static constexpr int64_t kTogether = kFftTogether;
  ComplexLine(int64_t n, bool forward, int64_t most)
      : n_(n), forward_(forward), line_(n), in_(together(most) * n), out_(together(most) * n) {}
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
  static constexpr int64_t kTogether = kFftTogether;
  SpectrumLine(int64_t n, bool forward, int64_t most)
      : n_(n), half_(n / 2 + 1), forward_(forward), line_(n), in_(together(most) * n), out_(together(most) * half_) {}
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
  static constexpr int64_t kTogether = kFftTogether;
  SignalLine(int64_t n, bool forward, int64_t most)
      : n_(n), half_(n / 2 + 1), forward_(forward), line_(n), in_(together(most) * half_), out_(together(most) * n) {}
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

/// What the bundles share: complex lines side by side, which do not touch each other. Lanes without a line have old
/// values.
class Bundle {
 public:
  static constexpr int64_t kTogether = kFftLanes;

 protected:
  static constexpr int64_t kElement = 2 * kFftLanes;
  explicit Bundle(int64_t n) : lines_(n) {}
  static FftComplex at(const double* lines, int64_t lane, int64_t j) {
    const double* const p = lines + j * kElement + lane;
    return {p[0], p[kFftLanes]};
  }
  static void set(double* lines, int64_t lane, int64_t j, FftComplex v) {
    double* const p = lines + j * kElement + lane;
    p[0] = v.real();
    p[kFftLanes] = v.imag();
  }
  FftBundle lines_;
  const double* result_ = nullptr;
};

/// Complex to complex.
class ComplexBundle : public Bundle {
 public:
  ComplexBundle(int64_t n, bool forward, int64_t) : Bundle(n), n_(n), forward_(forward) {}
  static bool takes(int64_t n) { return FftBundle::takes(n); }
  void put(int64_t l, int64_t j, FftComplex v) { set(lines_.data(), l, j, v); }
  void run(int64_t) { result_ = lines_.run(); }
  FftComplex get(int64_t l, int64_t k) const { return at(result_, l, forward_ ? k : mirrored(k, n_)); }

 private:
  int64_t n_;
  bool forward_;
};

/// Real signals of even length to spectra, as RealFftLine does it.
class SpectrumBundle : public Bundle {
 public:
  SpectrumBundle(int64_t n, bool forward, int64_t)
      : Bundle(n / 2), h_(n / 2), forward_(forward), turns_(half_turns(n)) {}
  static bool takes(int64_t n) { return n % 2 == 0 && FftBundle::takes(n / 2); }
  void put(int64_t l, int64_t j, double v) { lines_.data()[j / 2 * kElement + j % 2 * kFftLanes + l] = v; }
  void run(int64_t) { result_ = lines_.run(); }
  FftComplex get(int64_t l, int64_t k) const {
    const bool known = k <= h_;
    if (!known) k = 2 * h_ - k;
    const FftComplex z = at(result_, l, k == h_ ? 0 : k);
    const FftComplex v = spectrum_of(z, at(result_, l, mirrored(k, h_)), turns_[static_cast<size_t>(k)]);
    return known == forward_ ? v : std::conj(v);
  }

 private:
  int64_t h_;
  bool forward_;
  std::vector<FftComplex> turns_;
};

/// Halves of spectra to real signals of even length, as RealFftLine does it.
class SignalBundle : public Bundle {
 public:
  SignalBundle(int64_t n, bool forward, int64_t)
      : Bundle(n / 2), h_(n / 2), forward_(forward), turns_(half_turns(n)), spectrum_((h_ + 1) * kElement) {}
  static bool takes(int64_t n) { return SpectrumBundle::takes(n); }
  void put(int64_t l, int64_t k, FftComplex v) {
    const bool own = k == 0 || k == h_;  // its own conjugate: real
    set(spectrum_.data(), l, k, own ? v.real() : forward_ ? std::conj(v) : v);
  }
  void run(int64_t lines) {
    for (int64_t k = 0; k < h_; ++k)
      for (int64_t l = 0; l < lines; ++l)
        set(lines_.data(), l, k,
            signal_input(at(spectrum_.data(), l, k), at(spectrum_.data(), l, h_ - k), turns_[static_cast<size_t>(k)]));
    result_ = lines_.run();
  }
  double get(int64_t l, int64_t j) const {
    const FftComplex z = at(result_, l, j / 2);
    return j % 2 == 0 ? z.real() : -z.imag();
  }

 private:
  int64_t h_;
  bool forward_;
  std::vector<FftComplex> turns_;
  Scratch<double> spectrum_;
};

}  // namespace strata::cpu
