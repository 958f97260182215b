// Passes of the Fourier transform over lines side by side: every lane does the same, so nothing is shuffled. Products
// and sums are not fused: all processors give the same bits.
#include "kernels/cpu/vec_fft.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/vec_fft.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kFftLanes>;

/// Complex numbers of as many lines as D has lanes.
struct V {
  hn::Vec<D> re, im;
};
HWY_INLINE V operator+(const V& a, const V& b) { return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)}; }
HWY_INLINE V operator-(const V& a, const V& b) { return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)}; }
HWY_INLINE V operator*(double s, const V& a) {
  const auto factor = hn::Set(D(), s);
  return {hn::Mul(factor, a.re), hn::Mul(factor, a.im)};
}
/// a - ib and a + ib.
HWY_INLINE V minus_i(const V& a, const V& b) { return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)}; }
HWY_INLINE V plus_i(const V& a, const V& b) { return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)}; }
HWY_INLINE V turned(const V& a, const double* turn) {
  const auto c = hn::Set(D(), turn[0]), s = hn::Set(D(), turn[1]);
  return {hn::Sub(hn::Mul(a.re, c), hn::Mul(a.im, s)), hn::Add(hn::Mul(a.re, s), hn::Mul(a.im, c))};
}

constexpr double kSin60 = 0.86602540378443864676, kCos72 = 0.30901699437494742410, kSin72 = 0.95105651629515357212,
                 kCos144 = -0.80901699437494742410, kSin144 = 0.58778525229247312917;

template <int R>
HWY_INLINE void butterfly(V (&x)[R]) {
  if constexpr (R == 2) {
    const V a = x[0];
    x[0] = a + x[1];
    x[1] = a - x[1];
  } else if constexpr (R == 3) {
    const V sum = x[1] + x[2], sine = kSin60 * (x[1] - x[2]), middle = x[0] - 0.5 * sum;
    x[0] = x[0] + sum;
    x[1] = minus_i(middle, sine);
    x[2] = plus_i(middle, sine);
  } else if constexpr (R == 4) {
    const V a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], e = x[1] - x[3];
    x[0] = a + c;
    x[1] = minus_i(b, e);
    x[2] = a - c;
    x[3] = plus_i(b, e);
  } else {
    const V a = x[1] + x[4], b = x[2] + x[3], c = x[1] - x[4], e = x[2] - x[3];
    const V m1 = x[0] + (kCos72 * a + kCos144 * b), m2 = x[0] + (kCos144 * a + kCos72 * b);
    const V s1 = kSin72 * c + kSin144 * e, s2 = kSin144 * c - kSin72 * e;
    x[0] = x[0] + (a + b);
    x[1] = minus_i(m1, s1);
    x[2] = minus_i(m2, s2);
    x[3] = plus_i(m2, s2);
    x[4] = plus_i(m1, s1);
  }
}

/// Element `i` of the result of all `count` transforms' places `i` in `inner`.
template <int R>
void run_radix(const FftPass& p, const double* in, double* out) {
  const D d;
  constexpr int64_t kElement = 2 * kFftLanes;
  for (int64_t k = 0; k < p.count; ++k) {
    for (int64_t i = 0; i < p.inner; ++i) {
      const double* const from = in + (i + p.inner * R * k) * kElement;
      double* const to = out + (i + p.inner * k) * kElement;
      for (int64_t lane = 0; lane < kFftLanes; lane += static_cast<int64_t>(hn::Lanes(d))) {
        V x[R];
        for (int b = 0; b < R; ++b) {
          const double* const at = from + b * p.inner * kElement + lane;
          x[b] = {hn::Load(d, at), hn::Load(d, at + kFftLanes)};
        }
        butterfly<R>(x);
        for (int j = 0; j < R; ++j) {
          const V y = i == 0 || j == 0 ? x[j] : turned(x[j], p.turns + 2 * ((j - 1) * p.inner + i));
          double* const at = to + j * p.inner * p.count * kElement + lane;
          hn::Store(y.re, d, at);
          hn::Store(y.im, d, at + kFftLanes);
        }
      }
    }
  }
}

void run_pass(const FftPass& p, const double* in, double* out) {
  switch (p.radix) {
    case 2:
      return run_radix<2>(p, in, out);
    case 3:
      return run_radix<3>(p, in, out);
    case 4:
      return run_radix<4>(p, in, out);
    default:
      return run_radix<5>(p, in, out);
  }
}

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu {
HWY_EXPORT(run_pass);

void run_fft_pass(const FftPass& pass, const double* in, double* out) { HWY_DYNAMIC_DISPATCH(run_pass)(pass, in, out); }

}  // namespace strata::cpu
#endif
