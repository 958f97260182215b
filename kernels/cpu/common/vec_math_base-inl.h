// What the functions of vec_math-inl.h have in common: constants, polynomials, powers of 2 and limits.
#if defined(STRATA_VEC_MATH_BASE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_VEC_MATH_BASE_INL_H
#undef STRATA_VEC_MATH_BASE_INL_H
#else
#define STRATA_VEC_MATH_BASE_INL_H
#endif
#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct Consts {
  static constexpr bool kIsFloat = sizeof(T) == 4;
  static constexpr int kMantissaBits = kIsFloat ? 23 : 52;
  static constexpr T kBias = kIsFloat ? 127 : 1023;
  static constexpr T kInf = std::numeric_limits<T>::infinity();
  static constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();
  /// Adding 1.5 * 2^mantissa rounds to an integer, which then sits in the low bits.
  static constexpr T kRoundMagic = kIsFloat ? T(12582912.0) : T(6755399441055744.0);
  static constexpr T kLn2Hi = kIsFloat ? T(0.693145751953125) : T(0.6931471805596629565116018);
  static constexpr T kLn2Lo = kIsFloat ? T(1.428606765330187045e-6) : T(0.28235290563031577122588448175e-12);
};

/// The sum of coefficient(p) x^p for p < kPowers; coefficient(p) is a vector.
template <int kPowers, class V, class F>
HWY_INLINE V horner(V x, F coefficient) {
  V y = coefficient(kPowers - 1);
#pragma GCC unroll 16
  for (int p = kPowers - 2; p >= 0; --p) y = hn::MulAdd(y, x, coefficient(p));
  return y;
}
/// Coefficients from the lowest power up.
template <class D, class V, int n>
HWY_INLINE V polynomial(D d, V x, const hn::TFromD<D> (&coefficients)[n]) {
  return horner<n>(
      x, [&](int p) __attribute__((always_inline)) { return hn::Set(d, coefficients[p]); });
}
/// Coefficients from the highest power down.
template <class D, class V, class... C>
HWY_INLINE V polynomial(D d, V x, hn::TFromD<D> highest, C... rest) {
  constexpr int kLast = sizeof...(C);
  const hn::TFromD<D> coefficients[] = {highest, static_cast<hn::TFromD<D>>(rest)...};
  return horner<kLast + 1>(
      x, [&](int p) __attribute__((always_inline)) { return hn::Set(d, coefficients[kLast - p]); });
}

/// 2^n for the integer n that `biased` = n + kRoundMagic carries; n in [-bias, bias + 1).
template <class D, class V>
HWY_INLINE V pow2_of_rounded(D d, V biased) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  const auto bits =
      hn::Add(hn::BitCast(du, biased), hn::Set(du, static_cast<hn::TFromD<decltype(du)>>(Consts<T>::kBias)));
  return hn::BitCast(d, hn::ShiftLeft<Consts<T>::kMantissaBits>(bits));
}

#if HWY_TARGET == HWY_AVX3
HWY_INLINE hn::Vec<hn::ScalableTag<float>> scale_by_pow2(hn::ScalableTag<float>, hn::Vec<hn::ScalableTag<float>> y,
                                                         hn::Vec<hn::ScalableTag<float>> n) {
  return {_mm512_scalef_ps(y.raw, n.raw)};
}
HWY_INLINE hn::Vec<hn::ScalableTag<double>> scale_by_pow2(hn::ScalableTag<double>, hn::Vec<hn::ScalableTag<double>> y,
                                                          hn::Vec<hn::ScalableTag<double>> n) {
  return {_mm512_scalef_pd(y.raw, n.raw)};
}
#endif
/// y * 2^n for an integer n, in two steps, so that results in the subnormal range round once and overflow gives
/// infinity.
template <class D, class V>
HWY_INLINE V scale_by_pow2(D d, V y, V n) {
  const V magic = hn::Set(d, Consts<hn::TFromD<D>>::kRoundMagic);
  const V half = hn::MulAdd(n, hn::Set(d, 0.5), magic);
  const V other = hn::Add(hn::Sub(n, hn::Sub(half, magic)), magic);
  return hn::Mul(hn::Mul(y, pow2_of_rounded(d, half)), pow2_of_rounded(d, other));
}

/// Keeps NaN: x86's min and max return the second operand when one is NaN, others' differ.
template <class D, class V>
HWY_INLINE V clamp_keep_nan(D d, V x, hn::TFromD<D> lo, hn::TFromD<D> hi) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  return hn::Max(hn::Set(d, lo), hn::Min(hn::Set(d, hi), x));
#else
  const V below = hn::IfThenElse(hn::Gt(x, hn::Set(d, hi)), hn::Set(d, hi), x);
  return hn::IfThenElse(hn::Lt(below, hn::Set(d, lo)), hn::Set(d, lo), below);
#endif
}

/// Puts the limits of a logarithm in place: -inf at 0, NaN below, inf at inf, NaN at NaN.
template <class D, class V>
HWY_INLINE V with_log_limits(D d, V x, V y) {
  using C = Consts<hn::TFromD<D>>;
  const auto inside = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, hn::Set(d, C::kInf)));
  if (HWY_LIKELY(hn::AllTrue(d, inside))) return y;
  const V at_limit = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Set(d, -C::kInf),
                                    hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Set(d, C::kNaN)));
  return hn::IfThenElse(inside, y, at_limit);
}

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
