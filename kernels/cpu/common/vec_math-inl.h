// Vector mathematics for float and double: exp, log, trigonometric and hyperbolic functions, erf; compiled once per
// instruction set.
#if defined(STRATA_VEC_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_VEC_MATH_INL_H
#undef STRATA_VEC_MATH_INL_H
#else
#define STRATA_VEC_MATH_INL_H
#endif
#include <hwy/highway.h>
#include <cmath>
#include <limits>

#include "hwy/contrib/math/math-inl.h"
#include "kernels/cpu/common/vec_math_base-inl.h"
#include "kernels/cpu/common/vec_math_tables-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Note [Vector mathematics]
// Errors are measured against long double by test/ops/unary_accuracy.cpp, which keeps the bound of every function.
// Every lane is computed from its own value alone, so a result does not depend on where in an array it stands.
// Where AVX-512 has tables for floats, the functions of vec_math_tables-inl.h come before those of the same name here.

/// exp(r) - 1 for |r| <= ln(2) / 2.
template <class D, class V>
HWY_INLINE V expm1_reduced(D d, V r) {
  hwy::HWY_NAMESPACE::impl::ExpImpl<hn::TFromD<D>> impl;
  return impl.ExpPoly(d, r);
}

/// x = n ln(2) + r with |r| <= ln(2) / 2.
template <class V>
struct ExpReduction {
  V biased, n, r;
};
template <class D, class V>
HWY_INLINE ExpReduction<V> exp_reduce(D d, V x) {
  using C = Consts<hn::TFromD<D>>;
  const V magic = hn::Set(d, C::kRoundMagic);
  const V biased = hn::MulAdd(x, hn::Set(d, 1.4426950408889634), magic);
  const V n = hn::Sub(biased, magic);
  return {biased, n, hn::NegMulAdd(n, hn::Set(d, C::kLn2Lo), hn::NegMulAdd(n, hn::Set(d, C::kLn2Hi), x))};
}

template <class D, class V>
HWY_INLINE V exp(D d, V x) {
  constexpr bool kF = sizeof(hn::TFromD<D>) == 4;
  x = clamp_keep_nan(d, x, kF ? -104 : -746, kF ? 89 : 710);
  const auto e = exp_reduce(d, x);
  return scale_by_pow2(d, hn::Add(expm1_reduced(d, e.r), hn::Set(d, 1)), e.n);
}

/// exp where neither it nor 2^n, n = x / ln(2) rounded, leaves the normal numbers.
template <class D, class V>
HWY_INLINE V exp_of_normal(D d, V x) {
  const auto e = exp_reduce(d, x);
  return hn::Mul(hn::Add(expm1_reduced(d, e.r), hn::Set(d, 1)), pow2_of_rounded(d, e.biased));
}

/// exp of doubles, |x| < 700, right to 6e-11: what will be rounded to floats. Between the powers of 2 by the polynomial
/// that meets the function at Chebyshev's points.
template <class D, class V>
HWY_INLINE V exp_to_float(D d, V x) {
  const V magic = hn::Set(d, Consts<double>::kRoundMagic);
  const V biased = hn::MulAdd(x, hn::Set(d, 1.4426950408889634), magic);
  const V r = hn::NegMulAdd(hn::Sub(biased, magic), hn::Set(d, 0.6931471805599453), x);
  const V between =
      polynomial(d, r, 0.000199075693108482892, 0.0013948578326459796, 0.0083332835387085270, 0.041666218319291947,
                 0.16666666786308586, 0.50000001077291653, 0.99999999999550904, 0.99999999995956175);
  return hn::Mul(between, pow2_of_rounded(d, biased));
}

template <class D, class V>
HWY_INLINE V exp2(D d, V x) {
  constexpr bool kF = sizeof(hn::TFromD<D>) == 4;
  x = clamp_keep_nan(d, x, kF ? -151 : -1076, kF ? 128 : 1024);
  const V magic = hn::Set(d, Consts<hn::TFromD<D>>::kRoundMagic);
  const V n = hn::Sub(hn::Add(x, magic), magic);
  const V r = hn::Mul(hn::Sub(x, n), hn::Set(d, 0.6931471805599453));
  return scale_by_pow2(d, hn::Add(expm1_reduced(d, r), hn::Set(d, 1)), n);
}

/// exp(x) / 2 without overflow before the result itself overflows.
template <class D, class V>
HWY_INLINE V half_exp(D d, V x) {
  constexpr bool kF = sizeof(hn::TFromD<D>) == 4;
  x = clamp_keep_nan(d, x, kF ? -104 : -746, kF ? 90 : 711);
  const auto e = exp_reduce(d, x);
  return scale_by_pow2(d, hn::Add(expm1_reduced(d, e.r), hn::Set(d, 1)), hn::Sub(e.n, hn::Set(d, 1)));
}

template <class D, class V>
HWY_INLINE V expm1(D d, V x) {
  using T = hn::TFromD<D>;
  constexpr bool kF = sizeof(T) == 4;
  const auto e = exp_reduce(d, clamp_keep_nan(d, x, kF ? -30 : -50, kF ? 89 : 710));
  // 2^n p + (2^n - 1), at half scale because 2^128 is no float.
  const V magic = hn::Set(d, Consts<T>::kRoundMagic);
  const V s = pow2_of_rounded(d, hn::Add(hn::Sub(e.n, hn::Set(d, 1)), magic));
  const V y = hn::MulAdd(s, expm1_reduced(d, e.r), hn::Sub(s, hn::Set(d, 0.5)));
  const auto tiny = hn::Lt(hn::Abs(x), hn::Set(d, kF ? T(1e-8) : T(1e-17)));
  return hn::IfThenElse(tiny, x, hn::Add(y, y));
}

template <class D, class V>
HWY_INLINE V tanh(D d, V x) {
  using T = hn::TFromD<D>;
  constexpr bool kF = sizeof(T) == 4;
  V a = hn::Abs(x);
  // From here on the sum below is rounded, to y at times, whose quotient is 1 sooner than 1 - 2 / sum.
  const auto large = hn::Gt(a, hn::Set(d, kF ? T(7.9) : T(18)));
  const bool is_any_large = !hn::AllFalse(d, large);
  if (is_any_large) a = hn::IfThenElse(large, hn::Min(a, hn::Set(d, kF ? T(9.5) : T(20))), a);
  const auto e = exp_reduce(d, hn::Add(a, a));
  const V s = pow2_of_rounded(d, e.biased);
  const V y = hn::MulAdd(s, expm1_reduced(d, e.r), hn::Sub(s, hn::Set(d, 1)));  // exp(2a) - 1
  const V sum = hn::Add(y, hn::Set(d, 2));
  V quotient = hn::Div(y, sum);
  if (is_any_large) quotient = hn::IfThenElse(large, hn::Sub(hn::Set(d, 1), hn::Div(hn::Set(d, 2), sum)), quotient);
  return hn::CopySign(quotient, x);
}

template <class D, class V>
HWY_INLINE V sigmoid(D d, V x) {
  const V e = exp(d, hn::Neg(hn::Abs(x)));
  const V one = hn::Set(d, 1);
  return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e));
}

template <class D, class V>
HWY_INLINE V sinh(D d, V x) {
  const V a = hn::Abs(x);
  const V m = expm1(d, hn::Min(a, hn::Set(d, 1)));
  const V small = hn::Mul(hn::Set(d, 0.5), hn::Add(m, hn::Div(m, hn::Add(m, hn::Set(d, 1)))));
  const V e = half_exp(d, a);
  const V big = hn::Sub(e, hn::Div(hn::Set(d, 0.25), e));
  return hn::CopySign(hn::IfThenElse(hn::Lt(a, hn::Set(d, 1)), small, big), x);
}

template <class D, class V>
HWY_INLINE V cosh(D d, V x) {
  const V e = half_exp(d, hn::Abs(x));
  return hn::Add(e, hn::Div(hn::Set(d, 0.25), e));
}

/// x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); log(1 + f) = f + p.
template <class V>
struct LogParts {
  V k, f, p;
};

template <class D, class V>
HWY_INLINE V log_tail(D d, V f) {              // log(1 + f) - f
  if constexpr (sizeof(hn::TFromD<D>) == 4) {  // Cephes
    const V q = polynomial(d, f, 7.0376836292e-2f, -1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f,
                           1.4249322787e-1f, -1.6668057665e-1f, 2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f);
    const V f2 = hn::Mul(f, f);
    return hn::MulAdd(hn::Mul(f2, f), q, hn::Mul(f2, hn::Set(d, -0.5f)));
  } else {  // fdlibm: f - (f^2/2 - s (f^2/2 + R(s^2)))
    const V s = hn::Div(f, hn::Add(f, hn::Set(d, 2)));
    const V z = hn::Mul(s, s);
    const V r = hn::Mul(z, polynomial(d, z, 1.479819860511658591e-01, 1.531383769920937332e-01,
                                      1.818357216161805012e-01, 2.222219843214978396e-01, 2.857142874366239149e-01,
                                      3.999999999940941908e-01, 6.666666666666735130e-01));
    const V half_f2 = hn::Mul(hn::Mul(f, f), hn::Set(d, 0.5));
    return hn::MulSub(s, hn::Add(half_f2, r), half_f2);
  }
}

template <class D, class V>
HWY_INLINE LogParts<V> log_parts(D d, V x) {
  using T = hn::TFromD<D>;
  using C = Consts<T>;
  const hn::RebindToUnsigned<D> du;
  using U = hn::TFromD<decltype(du)>;
  const auto subnormal = hn::Lt(x, hn::Set(d, std::numeric_limits<T>::min()));
  x = hn::IfThenElse(subnormal, hn::Mul(x, hn::Set(d, C::kIsFloat ? T(33554432.0) : T(18014398509481984.0))), x);
  constexpr U kOne = C::kIsFloat ? U{0x3f800000} : U(0x3ff0000000000000);
  constexpr U kSqrtHalf = C::kIsFloat ? U{0x3f3504f3} : U(0x3fe6a09e667f3bcc);
  const auto moved = hn::Add(hn::BitCast(du, x), hn::Set(du, kOne - kSqrtHalf));
  // The biased exponent, made a number by the bits of 2^mantissa.
  constexpr T kTwoToMantissa = C::kIsFloat ? T(8388608.0) : T(4503599627370496.0);
  const auto exponent = hn::Or(hn::ShiftRight<C::kMantissaBits>(moved), hn::BitCast(du, hn::Set(d, kTwoToMantissa)));
  V k = hn::Sub(hn::BitCast(d, exponent), hn::Set(d, kTwoToMantissa + C::kBias));
  k = hn::Sub(k, hn::IfThenElseZero(subnormal, hn::Set(d, C::kIsFloat ? T(25) : T(54))));
  const auto mantissa = hn::And(moved, hn::Set(du, (U{1} << C::kMantissaBits) - 1));
  const V f = hn::Sub(hn::BitCast(d, hn::Add(mantissa, hn::Set(du, kSqrtHalf))), hn::Set(d, 1));
  return {k, f, log_tail(d, f)};
}

/// k ln(2) + f + p + extra.
template <class D, class V>
HWY_INLINE V log_sum(D d, const LogParts<V>& l, V extra) {
  using T = hn::TFromD<D>;
  const V hi = hn::Set(d, sizeof(T) == 4 ? T(0.693359375) : T(6.93147180369123816490e-01));
  const V lo = hn::Set(d, sizeof(T) == 4 ? T(-2.12194440e-4) : T(1.90821492927058770002e-10));
  return hn::MulAdd(l.k, hi, hn::Add(l.f, hn::Add(hn::MulAdd(l.k, lo, l.p), extra)));
}

template <class D, class V>
HWY_INLINE V log(D d, V x) {
  return with_log_limits(d, x, log_sum(d, log_parts(d, x), hn::Zero(d)));
}

template <class D, class V>
HWY_INLINE V log2(D d, V x) {
  const auto l = log_parts(d, x);
  const V log2e_minus_1 = hn::Set(d, 0.44269504088896340735992);
  const V tail = hn::Add(hn::Mul(hn::Add(l.f, l.p), log2e_minus_1), l.p);
  return with_log_limits(d, x, hn::Add(l.k, hn::Add(l.f, tail)));
}

template <class D, class V>
HWY_INLINE V log10(D d, V x) {
  using T = hn::TFromD<D>;
  constexpr bool kF = sizeof(T) == 4;
  const auto l = log_parts(d, x);
  // log10(2) and log10(e) in two parts each; products with the short first parts are exact.
  const V two_hi = hn::Set(d, kF ? T(3.0078125e-1) : T(3.01029995663611771306e-01));
  const V two_lo = hn::Set(d, kF ? T(2.48745663981195213739e-4) : T(3.69423907715893078616e-13));
  const V e_hi = hn::Set(d, T(4.3359375e-1)), e_lo = hn::Set(d, T(7.00731903251827651129e-4));
  const V tail = hn::MulAdd(hn::Add(l.f, l.p), e_lo, hn::MulAdd(l.p, e_hi, hn::Mul(l.k, two_lo)));
  return with_log_limits(d, x, hn::MulAdd(l.k, two_hi, hn::MulAdd(l.f, e_hi, tail)));
}

template <class D, class V>
HWY_INLINE V log1p(D d, V x) {
  using C = Consts<hn::TFromD<D>>;
  const V one = hn::Set(d, 1);
  const V u = hn::Add(one, x);
  const V lost = hn::Div(hn::Sub(x, hn::Sub(u, one)), u);  // what 1 + x rounded away, seen through the logarithm
  const V y = log_sum(d, log_parts(d, u), hn::IfThenElseZero(hn::Lt(x, hn::Set(d, C::kInf)), lost));
  const auto tiny = hn::Lt(hn::Abs(x), hn::Set(d, std::numeric_limits<hn::TFromD<D>>::epsilon() / 4));
  return hn::IfThenElse(tiny, x, with_log_limits(d, u, y));
}

template <class D, class V>
HWY_INLINE V asinh(D d, V x) {
  const V one = hn::Set(d, 1), a = hn::Abs(x);
  const auto large = hn::Gt(a, hn::Set(d, 16777216.0));
  const V s = hn::IfThenElse(large, one, a);
  const V s2 = hn::Mul(s, s);
  const V arg = hn::Add(s, hn::Div(s2, hn::Add(one, hn::Sqrt(hn::Add(s2, one)))));
  const V by_log1p = log1p(d, hn::IfThenElse(large, hn::Sub(a, one), arg));
  const V y = hn::Add(by_log1p, hn::IfThenElseZero(large, hn::Set(d, 0.6931471805599453)));
  return hn::CopySign(y, x);
}

template <class D, class V>
HWY_INLINE V acosh(D d, V x) {
  using C = Consts<hn::TFromD<D>>;
  const V one = hn::Set(d, 1), t = hn::Sub(x, one);
  const auto large = hn::Gt(x, hn::Set(d, 16777216.0));
  const V s = hn::IfThenElse(large, one, t);
  const V arg = hn::Add(s, hn::Sqrt(hn::MulAdd(s, s, hn::Add(s, s))));
  const V y =
      hn::Add(log1p(d, hn::IfThenElse(large, t, arg)), hn::IfThenElseZero(large, hn::Set(d, 0.6931471805599453)));
  return hn::IfThenElse(hn::Lt(x, one), hn::Set(d, C::kNaN), y);
}

template <class D, class V>
HWY_INLINE V atanh(D d, V x) {
  const V a = hn::Abs(x);
  const V y = log1p(d, hn::Div(hn::Add(a, a), hn::Sub(hn::Set(d, 1), a)));
  return hn::CopySign(hn::Mul(y, hn::Set(d, 0.5)), x);
}

/// x = q pi/2 + r; the low two bits of `quadrant` are those of q. Good to |x| <= kTrigLimit.
template <class V, class U>
struct TrigReduction {
  V r;
  U quadrant;
};
inline constexpr double kTrigLimit = 30000;

template <class D, class V>
HWY_INLINE auto trig_reduce(D d, V x) {
  using T = hn::TFromD<D>;
  constexpr bool kF = sizeof(T) == 4;
  const hn::RebindToUnsigned<D> du;
  const V magic = hn::Set(d, Consts<T>::kRoundMagic);
  const V biased = hn::MulAdd(x, hn::Set(d, 0.63661977236758134308), magic);
  const V q = hn::Sub(biased, magic);
  V r = hn::NegMulAdd(q, hn::Set(d, T(0.5) * (kF ? T(3.140625) : T(3.1415926218032836914))), x);
  r = hn::NegMulAdd(q, hn::Set(d, T(0.5) * (kF ? T(0.0009670257568359375) : T(3.1786509424591713469e-8))), r);
  r = hn::NegMulAdd(q, hn::Set(d, T(0.5) * (kF ? T(6.2771141529083251953e-7) : T(1.2246467864107188502e-16))), r);
  r = hn::NegMulAdd(q, hn::Set(d, T(0.5) * (kF ? T(1.2154201256553420762e-10) : T(1.2736634327021899816e-24))), r);
  return TrigReduction<V, hn::Vec<decltype(du)>>{r, hn::BitCast(du, biased)};
}

template <class D, class V>
HWY_INLINE V sin_reduced(D d, V r) {  // |r| <= pi/4
  const V z = hn::Mul(r, r);
  const auto p = [&]() HWY_ATTR {
    if constexpr (sizeof(hn::TFromD<D>) == 4)
      return polynomial(d, z, -1.9515295891e-4f, 8.3321608736e-3f, -1.6666654611e-1f);
    else
      return polynomial(d, z, 1.58969099521155010221e-10, -2.50507602534068634195e-08, 2.75573137070700676789e-06,
                        -1.98412698298579493134e-04, 8.33333333332248946124e-03, -1.66666666666666324348e-01);
  }();
  return hn::MulAdd(hn::Mul(p, z), r, r);
}

template <class D, class V>
HWY_INLINE V cos_reduced(D d, V r) {  // |r| <= pi/4
  const V z = hn::Mul(r, r), one = hn::Set(d, 1);
  const auto p = [&]() HWY_ATTR {
    if constexpr (sizeof(hn::TFromD<D>) == 4)
      return polynomial(d, z, 2.443315711809948e-5f, -1.388731625493765e-3f, 4.166664568298827e-2f);
    else
      return polynomial(d, z, -1.13596475577881948265e-11, 2.08757232129817482790e-09, -2.75573143513906633035e-07,
                        2.48015872894767294178e-05, -1.38888888888741095749e-03, 4.16666666666666019037e-02);
  }();
  const V half_z = hn::Mul(z, hn::Set(d, 0.5));
  const V w = hn::Sub(one, half_z);
  const V lost = hn::Sub(hn::Sub(one, w), half_z);
  return hn::Add(w, hn::MulAdd(hn::Mul(z, z), p, lost));
}

/// Lanes beyond the range of the reduction (and inf, NaN) by the scalar library function.
template <class D, class V>
HWY_NOINLINE void redo_large(D d, V x, V& y, hn::TFromD<D> (*scalar)(hn::TFromD<D>)) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T in[HWY_MAX_BYTES / sizeof(T)];
  HWY_ALIGN T out[HWY_MAX_BYTES / sizeof(T)];
  hn::Store(x, d, in);
  hn::Store(y, d, out);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    if (!(std::abs(in[i]) <= T(kTrigLimit))) out[i] = scalar(in[i]);
  }
  y = hn::Load(d, out);
}

template <class D, class V>
HWY_INLINE bool trig_in_range(D d, V x) {
  return hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, kTrigLimit)));
}

/// sin(x + quarters pi/2).
template <int kQuarters, class D, class V>
HWY_INLINE V sin_shifted(D d, V x) {
  const hn::RebindToUnsigned<D> du;
  const auto t = trig_reduce(d, x);
  const auto q = hn::Add(t.quadrant, hn::Set(du, kQuarters));
  const auto one = hn::Set(du, 1);
  const auto use_cos = hn::RebindMask(d, hn::Eq(hn::And(q, one), one));
  constexpr int kSignShift = sizeof(hn::TFromD<D>) * 8 - 2;
  const V sign = hn::And(hn::BitCast(d, hn::ShiftLeft<kSignShift>(q)), hn::SignBit(d));
  return hn::Xor(hn::IfThenElse(use_cos, cos_reduced(d, t.r), sin_reduced(d, t.r)), sign);
}

template <class D, class V>
HWY_INLINE V sin(D d, V x) {
  V y = sin_shifted<0>(d, x);
  y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, y);
  if (HWY_UNLIKELY(!trig_in_range(d, x))) redo_large(d, x, y, std::sin);
  return y;
}

template <class D, class V>
HWY_INLINE V cos(D d, V x) {
  V y = sin_shifted<1>(d, x);
  if (HWY_UNLIKELY(!trig_in_range(d, x))) redo_large(d, x, y, std::cos);
  return y;
}

template <class D, class V>
HWY_INLINE V tan(D d, V x) {
  const hn::RebindToUnsigned<D> du;
  const auto t = trig_reduce(d, x);
  const auto one = hn::Set(du, 1);
  const auto odd = hn::RebindMask(d, hn::Eq(hn::And(t.quadrant, one), one));
  const V s = sin_reduced(d, t.r), c = cos_reduced(d, t.r);
  V y = hn::Div(hn::IfThenElse(odd, hn::Neg(c), s), hn::IfThenElse(odd, s, c));
  y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, y);
  if (HWY_UNLIKELY(!trig_in_range(d, x))) redo_large(d, x, y, std::tan);
  return y;
}

/// Applies a scalar function to every lane: for functions that are rare.
template <class D, class V, class F>
HWY_INLINE V by_lane(D d, V x, F f) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)];
  hn::Store(x, d, lanes);
  for (size_t i = 0; i < hn::Lanes(d); ++i) lanes[i] = f(lanes[i]);
  return hn::Load(d, lanes);
}

/// The same for two operands.
template <class D, class V, class F>
HWY_INLINE V by_lanes(D d, V x, V y, F f) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T a[HWY_MAX_BYTES / sizeof(T)];
  HWY_ALIGN T b[HWY_MAX_BYTES / sizeof(T)];
  hn::Store(x, d, a);
  hn::Store(y, d, b);
  for (size_t i = 0; i < hn::Lanes(d); ++i) a[i] = f(a[i], b[i]);
  return hn::Load(d, a);
}

#if HWY_TARGET != HWY_SCALAR
/// |x|^y for floats by way of double, whose log2 keeps enough bits for any y.
template <class D, class V>
HWY_INLINE V pow_of_size(D d, V x, V y) {
  const hn::Half<D> half;
  const hn::Rebind<double, decltype(half)> wide;
  const auto part = [&](auto a, auto b) HWY_ATTR {
    const auto log = log2(wide, hn::PromoteTo(wide, a));
    return hn::DemoteTo(half, exp2(wide, hn::Mul(hn::PromoteTo(wide, b), log)));
  };
  x = hn::Abs(x);
  return hn::Combine(d, part(hn::UpperHalf(half, x), hn::UpperHalf(half, y)),
                     part(hn::LowerHalf(half, x), hn::LowerHalf(half, y)));
}
#endif

/// As std::pow, whose special values are those of C's annex F.
template <class D, class V>
HWY_INLINE V pow(D d, V x, V y) {
  using T = hn::TFromD<D>;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(T) == 4 || HWY_TARGET == HWY_AVX3) {
    const V one = hn::Set(d, 1), zero = hn::Zero(d), size = hn::Abs(x), sign = hn::And(x, hn::SignBit(d));
    // A power of 1 or -1 by infinity would be a product 0 inf in the exponent.
    V r = hn::IfThenElse(hn::Eq(size, one), hn::IfThenElse(hn::Eq(y, y), one, y), pow_of_size(d, x, y));
    if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Gt(x, zero)))) {
      const V half_y = hn::Mul(y, hn::Set(d, 0.5));
      const auto whole = hn::Eq(hn::Round(y), y), even = hn::Eq(hn::Round(half_y), half_y);
      r = hn::IfThenElse(even, r, hn::IfThenElse(whole, hn::Xor(r, sign), r));
      const auto finite = hn::Lt(size, hn::Set(d, Consts<T>::kInf));
      const auto undefined = hn::And(hn::And(hn::Lt(x, zero), finite), hn::And(hn::Eq(y, y), hn::Not(whole)));
      r = hn::IfThenElse(undefined, hn::Set(d, Consts<T>::kNaN), r);
    }
    return hn::IfThenElse(hn::Or(hn::Eq(y, zero), hn::Eq(x, one)), one, r);
  }
#endif
  return by_lanes(d, x, y, [](T a, T b) { return std::pow(a, b); });
}

// --- of floats; formulas of special_erf-inl.h serve for doubles ---

template <class D, class V>
HWY_INLINE V erf(D d, V x) {
  // Minimax fits: erf(x)/x - 1 in x^2 below 1, -log(erfc(x)) between 1 and 4.
  const V a = hn::Abs(x);
  const V z = hn::Mul(x, x);
  const V small = hn::MulAdd(x,
                             polynomial(d, z, 7.853857823647559e-05f, -8.010192542e-04f, 5.188327748e-03f,
                                        -2.685381100e-02f, 1.128358543e-01f, -3.761262596e-01f, 1.283791661e-01f),
                             x);
  const V c = hn::IfThenElse(hn::Gt(a, hn::Set(d, 4)), hn::Set(d, 4), a);
  const V minus_log_erfc = polynomial(d, c, -1.54606261e-06f, 4.44072675e-05f, -0.000584146216f, 0.00470601064f,
                                      -0.0262842852f, 0.1098641f, 0.632031981f, 1.13012481f, -0.000295823949f);
  const V big = hn::CopySign(hn::Sub(hn::Set(d, 1), exp_of_normal(d, hn::Neg(minus_log_erfc))), x);
  return hn::IfThenElse(hn::Lt(a, hn::Set(d, 1)), small, big);
}

/// The share of the standard normal distribution below x.
template <class D, class V>
HWY_INLINE V normal_cdf(D d, V x) {
  // A fit of the logarithm to base 2 of erfc(|x| / sqrt(2)), which is twice the share below -|x|, weighted so that the
  // share itself is right to 1e-8; from 6.08 on it is 0.
  const V a = hn::Abs(x);
  const V log = hn::Mul(a, polynomial(d, a, -2.835067335e-06f, 3.937921065e-05f, -1.861860510e-04f, -1.369253587e-04f,
                                      7.063409314e-03f, -5.249617249e-02f, -4.592081904e-01f, -1.151105165f));
  // Half of 2^log: the shift carries log - 1 rounded.
  const V shift = hn::Set(d, Consts<float>::kRoundMagic - 1);
  const V biased = hn::Add(log, shift);
  const V r = hn::Mul(hn::Sub(log, hn::Sub(biased, shift)), hn::Set(d, 0.6931471805599453));
  const V share = hn::Mul(hn::Add(expm1_reduced(d, r), hn::Set(d, 1)), pow2_of_rounded(d, biased));
  const V tail = hn::IfThenZeroElse(hn::Gt(a, hn::Set(d, 6.08)), share);
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(hn::Set(d, 1), tail));
}

/// The derivative of x times that share: the share and x times the density.
template <class D, class V>
HWY_INLINE V gelu_slope(D d, V x) {
  // At -|x| it is exp(-x^2 / 2) times a fit that is right to 2e-8 of the whole, and from 6.2 on 0; at |x| it is 1 less
  // that. Infinity times 0 is no number, as by the definition.
  const V minus_half_square = hn::Mul(hn::Mul(x, x), hn::Set(d, -0.5));
  const V a = hn::Abs(x), zero = hn::Zero(d);
  const auto is_far = hn::Gt(a, hn::Set(d, 6.2));
  const V fit = polynomial(d, a, -3.238442688e-07f, 7.879536760e-06f, -8.626954954e-05f, 5.710046033e-04f,
                           -2.612289148e-03f, 9.046659600e-03f, -2.552480506e-02f, 6.196513623e-02f, -1.328249167e-01f,
                           2.499773847e-01f, -7.978834240e-01f, 0.5f);
  const V power = exp_of_normal(d, hn::IfThenZeroElse(is_far, minus_half_square));
  const V tail = hn::IfThenZeroElse(is_far, hn::Mul(power, fit));
  return hn::MulAdd(zero, a, hn::IfThenElse(hn::Lt(x, zero), tail, hn::Sub(hn::Set(d, 1), tail)));
}

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
