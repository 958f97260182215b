// The transform of lines side by side: each value is a vector of what the lines have there.
#include "kernels/cpu/fft/vec_fft.h"

#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/fft/vec_fft.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::fft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kFftTogether>;
using V = hn::Vec<D>;

/// Values of some of the lines.
struct Values {
  V re, im;
  static HWY_INLINE Values load(const double* p) { return {hn::LoadU(D(), p), hn::LoadU(D(), p + kFftTogether)}; }
  HWY_INLINE void store(double* p) const {
    hn::StoreU(re, D(), p);
    hn::StoreU(im, D(), p + kFftTogether);
  }
  HWY_INLINE Values plus(const Values& b) const { return {hn::Add(re, b.re), hn::Add(im, b.im)}; }
  HWY_INLINE Values minus(const Values& b) const { return {hn::Sub(re, b.re), hn::Sub(im, b.im)}; }
  /// The values times -i: a quarter turn clockwise.
  HWY_INLINE Values turned_right() const { return {im, hn::Neg(re)}; }
  HWY_INLINE Values times(std::complex<double> w) const {
    const V c = hn::Set(D(), w.real()), s = hn::Set(D(), w.imag());
    return {hn::MulSub(re, c, hn::Mul(im, s)), hn::MulAdd(re, s, hn::Mul(im, c))};
  }
};

/// f(offset) for the vectors that make up the lines of one value.
template <class F>
HWY_INLINE void for_lines(F f) {
  for (size_t v = 0; v < static_cast<size_t>(kFftTogether); v += hn::Lanes(D())) f(static_cast<int64_t>(v));
}

// Stockham's algorithm sorts as it goes (C. Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992,
// section 1.7): a pass takes `stride` transforms of length `length` to four times as many of a fourth of the length.

/// One pass of radix 4; `step` is how far turns of this length lie apart in the table.
void pass4(const double* x, double* y, const std::complex<double>* turns, int64_t length, int64_t stride,
           int64_t step) {
  constexpr int64_t kValue = 2 * kFftTogether;
  const int64_t quarter = length / 4, apart = stride * quarter * kValue;
  for (int64_t p = 0; p < quarter; ++p) {
    const std::complex<double> w1 = turns[p * step], w2 = turns[2 * p * step], w3 = turns[3 * p * step];
    for (int64_t q = 0; q < stride; ++q) {
      const double* from = x + (q + stride * p) * kValue;
      double* to = y + (q + stride * 4 * p) * kValue;
      for_lines([&](int64_t v) HWY_ATTR {
        const Values a = Values::load(from + v), b = Values::load(from + apart + v),
                     c = Values::load(from + 2 * apart + v), d = Values::load(from + 3 * apart + v);
        const Values even = a.plus(c), odd = a.minus(c), sum = b.plus(d), turned = b.minus(d).turned_right();
        const int64_t next = stride * kValue;
        even.plus(sum).store(to + v);
        odd.plus(turned).times(w1).store(to + next + v);
        even.minus(sum).times(w2).store(to + 2 * next + v);
        odd.minus(turned).times(w3).store(to + 3 * next + v);
      });
    }
  }
}

/// The last pass where an odd power of two leaves transforms of length 2.
void pass2(const double* x, double* y, int64_t stride) {
  constexpr int64_t kValue = 2 * kFftTogether;
  for (int64_t q = 0; q < stride; ++q) {
    for_lines([&](int64_t v) HWY_ATTR {
      const Values a = Values::load(x + q * kValue + v), b = Values::load(x + (q + stride) * kValue + v);
      a.plus(b).store(y + q * kValue + v);
      a.minus(b).store(y + (q + stride) * kValue + v);
    });
  }
}

double* transform(double* x, double* y, const std::complex<double>* turns, int64_t n) {
  int64_t stride = 1;
  for (int64_t length = n; length > 1; std::swap(x, y)) {
    if (length == 2) {
      pass2(x, y, stride);
      length = 1;
    } else {
      pass4(x, y, turns, length, stride, stride);
      length /= 4;
      stride *= 4;
    }
  }
  return x;
}

}  // namespace strata::cpu::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::fft {
HWY_EXPORT(transform);

double* fft_side_by_side(double* x, double* y, const std::complex<double>* turns, int64_t n) {
  return HWY_DYNAMIC_DISPATCH(transform)(x, y, turns, n);
}
}  // namespace strata::cpu::fft
#endif
