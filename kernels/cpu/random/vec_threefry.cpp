// Vector code of explicit keys: the Threefry-2x32-20 block function, and uniform, normal and logarithmic values.
#include "kernels/cpu/random/vec_threefry.h"

#include <cmath>
#include <limits>
#include <utility>

#include "kernels/keyed.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/random/vec_threefry.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::random::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Note [Logarithms of XLA]
// A value that was rounded differently on its way through a logarithm near 1 is far off in relative terms, so values
// can only agree with JAX's if every step does. Hence log, log1p and erf_inv here are those of XLA's CPU compiler (from
// Cephes, Cephes and Giles), fused multiply-adds where it fuses, and in double it calls the C library's log, as here.

/// a b + c, rounded once on every target.
template <class D, class V>
HWY_INLINE V fused(D d, V a, V b, V c) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::MulAdd(a, b, c);
#else
  using T = hn::TFromD<D>;
  HWY_ALIGN T in[3][HWY_MAX_BYTES / sizeof(T)];
  hn::Store(a, d, in[0]);
  hn::Store(b, d, in[1]);
  hn::Store(c, d, in[2]);
  for (size_t i = 0; i < hn::Lanes(d); ++i) in[0][i] = std::fma(in[0][i], in[1][i], in[2][i]);
  return hn::Load(d, in[0]);
#endif
}

// ---- Words ----------------------------------------------------------------------------------------------------------

template <class V>
struct Words {
  V x0, x1;
};

template <int... kTurns, class V>
HWY_INLINE void mix(Words<V>& w) {
  ((w.x0 = hn::Add(w.x0, w.x1), w.x1 = hn::Xor(hn::RotateRight<32 - kTurns>(w.x1), w.x0)), ...);
}
template <class D, class V>
HWY_INLINE void add_key(D d, Words<V>& w, V k0, V k1, uint32_t number) {
  w.x0 = hn::Add(w.x0, k0);
  w.x1 = hn::Add(w.x1, hn::Add(k1, hn::Set(d, number)));
}

/// The block function for any number of blocks at once, which hides the latency of one.
template <class D, class V, class... W>
HWY_INLINE void threefry(D d, V k0, V k1, W&... w) {
  const V k2 = hn::Xor(hn::Xor(k0, k1), hn::Set(d, 0x1BD11BDAu));
  (add_key(d, w, k0, k1, 0), ...);
  (mix<13, 15, 26, 6>(w), ...);
  (add_key(d, w, k1, k2, 1), ...);
  (mix<17, 29, 16, 24>(w), ...);
  (add_key(d, w, k2, k0, 2), ...);
  (mix<13, 15, 26, 6>(w), ...);
  (add_key(d, w, k0, k1, 3), ...);
  (mix<17, 29, 16, 24>(w), ...);
  (add_key(d, w, k1, k2, 4), ...);
  (mix<13, 15, 26, 6>(w), ...);
  (add_key(d, w, k2, k0, 5), ...);
}

/// Counters from `first` on, the upper half in x0.
template <class D>
HWY_INLINE Words<hn::Vec<D>> counters(D d, uint64_t first) {
  const auto low = hn::Set(d, static_cast<uint32_t>(first)), high = hn::Set(d, static_cast<uint32_t>(first >> 32));
  const auto x1 = hn::Add(hn::Iota(d, 0), low);
  return {hn::IfThenElse(hn::Lt(x1, low), hn::Add(high, hn::Set(d, 1)), high), x1};
}

void ThreefryCounted(const uint32_t* key, uint64_t first, int64_t n, uint32_t* b0, uint32_t* b1) {
  const hn::ScalableTag<uint32_t> d;
  const auto k0 = hn::Set(d, key[0]), k1 = hn::Set(d, key[1]);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < n; i += 2 * lanes) {
    auto u = counters(d, first + i), v = counters(d, first + i + lanes);
    threefry(d, k0, k1, u, v);
    hn::StoreU(u.x0, d, b0 + i);
    hn::StoreU(u.x1, d, b1 + i);
    hn::StoreU(v.x0, d, b0 + i + lanes);
    hn::StoreU(v.x1, d, b1 + i + lanes);
  }
}

void ThreefryEach(const uint32_t* k0, const uint32_t* k1, const uint32_t* counter, int64_t n, uint32_t* b0,
                  uint32_t* b1) {
  const hn::ScalableTag<uint32_t> d;
  for (int64_t i = 0; i < n; i += hn::Lanes(d)) {
    Words<hn::Vec<decltype(d)>> w{hn::Zero(d), hn::LoadU(d, counter + i)};
    threefry(d, hn::LoadU(d, k0 + i), hn::LoadU(d, k1 + i), w);
    hn::StoreU(w.x0, d, b0 + i);
    hn::StoreU(w.x1, d, b1 + i);
  }
}

// ---- Uniform --------------------------------------------------------------------------------------------------------

void UnitF32(const uint32_t* b0, const uint32_t* b1, int64_t n, int drawn, int mantissa, float* x) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto one = hn::Set(d, 1.0f);
  for (int64_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto bits = hn::Xor(hn::LoadU(du, b0 + i), hn::LoadU(du, b1 + i));
    const auto upper = hn::ShiftRightSame(hn::ShiftLeftSame(bits, 32 - drawn), 32 - mantissa);
    const auto fraction = hn::ShiftLeftSame(upper, 23 - mantissa);
    hn::StoreU(hn::Sub(hn::BitCast(d, hn::Or(fraction, hn::BitCast(du, one))), one), d, x + i);
  }
}

void UnitF64(const uint32_t* b0, const uint32_t* b1, int64_t n, double* x) {
  const hn::ScalableTag<double> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<uint32_t, decltype(d)> half;
  const auto one = hn::Set(d, 1.0);
  for (int64_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto high = hn::PromoteTo(du, hn::LoadU(half, b0 + i)), low = hn::PromoteTo(du, hn::LoadU(half, b1 + i));
    const auto fraction = hn::ShiftRight<12>(hn::Or(hn::ShiftLeft<32>(high), low));
    hn::StoreU(hn::Sub(hn::BitCast(d, hn::Or(fraction, hn::BitCast(du, one))), one), d, x + i);
  }
}

template <class T>
HWY_INLINE void scale(T* x, int64_t n, T low, T width) {
  const hn::ScalableTag<T> d;
  const auto lowest = hn::Set(d, low);
  for (int64_t i = 0; i < n; i += hn::Lanes(d))
    hn::StoreU(hn::Max(lowest, fused(d, hn::LoadU(d, x + i), hn::Set(d, width), lowest)), d, x + i);
}
void ScaleF32(float* x, int64_t n, float low, float width) { scale(x, n, low, width); }
void ScaleF64(double* x, int64_t n, double low, double width) { scale(x, n, low, width); }

// ---- Logarithms: Note [Logarithms of XLA] ---------------------------------------------------------------------------

template <const auto& table, class D, class V, size_t... k>
HWY_INLINE V horner(D d, V x, std::index_sequence<k...>) {
  using T = hn::TFromD<D>;
  V y = hn::Set(d, static_cast<T>(table[0]));
  ((y = fused(d, y, x, hn::Set(d, static_cast<T>(table[k + 1])))), ...);
  return y;
}
/// Coefficients from the highest power down.
template <const auto& table, class D, class V>
HWY_INLINE V polynomial(D d, V x) {
  return horner<table>(d, x, std::make_index_sequence<table.size() - 1>());
}

/// Logarithm of x >= 0: -inf at 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log(D d, V x, float) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const V one = hn::Set(d, 1.0f), zero = hn::Zero(d);
  const auto bits = hn::BitCast(du, hn::Max(x, hn::Set(d, std::numeric_limits<float>::min())));
  const V mantissa = hn::BitCast(d, hn::Or(hn::And(bits, hn::Set(du, 0x807fffffu)), hn::Set(du, 0x3f000000u)));
  const auto low = hn::Lt(mantissa, hn::Set(d, 0.70710677f));
  const V exponent = hn::ConvertTo(d, hn::Sub(hn::BitCast(di, hn::ShiftRight<23>(bits)), hn::Set(di, 126)));
  const V e = hn::Sub(exponent, hn::IfThenElse(low, one, zero));
  const V f = hn::Add(hn::Sub(mantissa, one), hn::IfThenElse(low, mantissa, zero));
  const V f2 = hn::Mul(f, f), f3 = hn::Mul(f2, f);
  const V a = polynomial<keyed::kLogA>(d, f);
  const V b = polynomial<keyed::kLogB>(d, f);
  const V c = polynomial<keyed::kLogC>(d, f);
  const V p = fused(d, fused(d, a, f3, b), f3, c);
  const V tail = fused(d, p, f3, hn::Mul(e, hn::Set(d, -2.12194440e-4f)));
  const V head = fused(d, hn::Set(d, -0.5f), f2, f);
  const V y = fused(d, e, hn::Set(d, 0.693359375f), hn::Add(head, tail));
  return hn::IfThenElse(hn::Eq(x, zero), hn::Set(d, -std::numeric_limits<float>::infinity()), y);
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log(D d, V x, double) {
  HWY_ALIGN double lane[HWY_MAX_BYTES / sizeof(double)];
  hn::Store(x, d, lane);
  for (size_t i = 0; i < hn::Lanes(d); ++i) lane[i] = std::log(lane[i]);
  return hn::Load(d, lane);
}

/// log(1 + x) for x in [-1, 0].
template <class D, class V>
HWY_INLINE V log1p(D d, V x) {
  using T = hn::TFromD<D>;
  const V x2 = hn::Mul(x, x);
  const V above = polynomial<keyed::kLog1pAbove>(d, x);
  const V below = polynomial<keyed::kLog1pBelow>(d, x);
  const V cubic = hn::Mul(hn::Mul(x, x2), hn::Div(above, below));
  const V near = hn::Add(x, fused(d, hn::Set(d, T(-0.5)), x2, cubic));
  const auto is_near = hn::Lt(hn::Abs(x), hn::Set(d, T(0.41421356237309504880)));
  if (hn::AllTrue(d, is_near)) return near;
  return hn::IfThenElse(is_near, near, log(d, hn::Add(x, hn::Set(d, T(1))), T()));
}

template <class T>
HWY_INLINE void neg_log(T* x, int64_t n) {
  const hn::ScalableTag<T> d;
  for (int64_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(hn::Neg(log(d, hn::LoadU(d, x + i), T())), d, x + i);
}
void NegLogF32(float* x, int64_t n) { neg_log(x, n); }
void NegLogF64(double* x, int64_t n) { neg_log(x, n); }

template <class T>
HWY_INLINE void exponential(T* x, int64_t n) {
  const hn::ScalableTag<T> d;
  for (int64_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(hn::Neg(log1p(d, hn::Neg(hn::LoadU(d, x + i)))), d, x + i);
}
void ExponentialF32(float* x, int64_t n) { exponential(x, n); }
void ExponentialF64(double* x, int64_t n) { exponential(x, n); }

// ---- The inverse of erf ---------------------------------------------------------------------------------------------

/// erf_inv(x) / x, with w = -log(1 - x^2).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V erf_inv_ratio(D d, V w, float) {
  const auto central = hn::Lt(w, hn::Set(d, 5.0f));
  const V y = polynomial<keyed::ErfInv<float>::kCentral>(d, hn::Sub(w, hn::Set(d, 2.5f)));
  if (HWY_LIKELY(hn::AllTrue(d, central))) return y;
  const V tail = polynomial<keyed::ErfInv<float>::kTail>(d, hn::Sub(hn::Sqrt(w), hn::Set(d, 3.0f)));
  return hn::IfThenElse(central, y, tail);
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V erf_inv_ratio(D d, V w, double) {
  const auto central = hn::Lt(w, hn::Set(d, 6.25)), far = hn::Ge(w, hn::Set(d, 16.0));
  const V y = polynomial<keyed::ErfInv<double>::kCentral>(d, hn::Sub(w, hn::Set(d, 3.125)));
  if (HWY_LIKELY(hn::AllTrue(d, central))) return y;
  const V root = hn::Sqrt(w);
  const V tail = polynomial<keyed::ErfInv<double>::kTail>(d, hn::Sub(root, hn::Set(d, 3.25)));
  const V end = polynomial<keyed::ErfInv<double>::kEnd>(d, hn::Sub(root, hn::Set(d, 5.0)));
  return hn::IfThenElse(central, y, hn::IfThenElse(far, end, tail));
}

template <class T>
HWY_INLINE void erf_inv(T* x, int64_t n, T scale) {
  const hn::ScalableTag<T> d;
  for (int64_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto u = hn::LoadU(d, x + i);
    const auto ratio = erf_inv_ratio(d, hn::Neg(log1p(d, hn::Mul(u, hn::Neg(u)))), T());
    const auto at_end = hn::Eq(hn::Abs(u), hn::Set(d, T(1)));
    const auto y = hn::Mul(u, hn::IfThenElse(at_end, hn::Set(d, std::numeric_limits<T>::infinity()), ratio));
    hn::StoreU(hn::Mul(y, hn::Set(d, scale)), d, x + i);
  }
}
void ErfInvF32(float* x, int64_t n, float scale) { erf_inv(x, n, scale); }
void ErfInvF64(double* x, int64_t n, double scale) { erf_inv(x, n, scale); }

}  // namespace strata::cpu::random::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::random {

HWY_EXPORT(ThreefryCounted);
HWY_EXPORT(ThreefryEach);
HWY_EXPORT(UnitF32);
HWY_EXPORT(UnitF64);
HWY_EXPORT(ScaleF32);
HWY_EXPORT(ScaleF64);
HWY_EXPORT(ErfInvF32);
HWY_EXPORT(ErfInvF64);
HWY_EXPORT(NegLogF32);
HWY_EXPORT(NegLogF64);
HWY_EXPORT(ExponentialF32);
HWY_EXPORT(ExponentialF64);

void threefry_counted(const uint32_t* key, uint64_t first, int64_t n, uint32_t* b0, uint32_t* b1) {
  HWY_DYNAMIC_DISPATCH(ThreefryCounted)(key, first, n, b0, b1);
}
void threefry_each(const uint32_t* k0, const uint32_t* k1, const uint32_t* counter, int64_t n, uint32_t* b0,
                   uint32_t* b1) {
  HWY_DYNAMIC_DISPATCH(ThreefryEach)(k0, k1, counter, n, b0, b1);
}
void unit_block(const uint32_t* b0, const uint32_t* b1, int64_t n, int drawn, int mantissa, float* x) {
  HWY_DYNAMIC_DISPATCH(UnitF32)(b0, b1, n, drawn, mantissa, x);
}
void unit_block(const uint32_t* b0, const uint32_t* b1, int64_t n, double* x) {
  HWY_DYNAMIC_DISPATCH(UnitF64)(b0, b1, n, x);
}
void scale_block(float* x, int64_t n, float low, float width) { HWY_DYNAMIC_DISPATCH(ScaleF32)(x, n, low, width); }
void scale_block(double* x, int64_t n, double low, double width) { HWY_DYNAMIC_DISPATCH(ScaleF64)(x, n, low, width); }
void erf_inv_block(float* x, int64_t n, float scale) { HWY_DYNAMIC_DISPATCH(ErfInvF32)(x, n, scale); }
void erf_inv_block(double* x, int64_t n, double scale) { HWY_DYNAMIC_DISPATCH(ErfInvF64)(x, n, scale); }
void neg_log_block(float* x, int64_t n) { HWY_DYNAMIC_DISPATCH(NegLogF32)(x, n); }
void neg_log_block(double* x, int64_t n) { HWY_DYNAMIC_DISPATCH(NegLogF64)(x, n); }
void exponential_block(float* x, int64_t n) { HWY_DYNAMIC_DISPATCH(ExponentialF32)(x, n); }
void exponential_block(double* x, int64_t n) { HWY_DYNAMIC_DISPATCH(ExponentialF64)(x, n); }

}  // namespace strata::cpu::random
#endif
