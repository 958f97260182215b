// The functions of vec_math-inl.h for floats, and powers of doubles, where AVX-512 looks values up in registers.
#if defined(STRATA_VEC_MATH_TABLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_VEC_MATH_TABLES_INL_H
#undef STRATA_VEC_MATH_TABLES_INL_H
#else
#define STRATA_VEC_MATH_TABLES_INL_H
#endif
#include <hwy/highway.h>

#include "kernels/cpu/common/math_tables.h"
#include "kernels/cpu/common/vec_math_base-inl.h"

#if HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Note [Functions from tables]
// A permutation of a register picks one of 16 or 32 floats for every lane. After a reduction of the argument to a
// table's entry and a small rest, the polynomial in the rest has half the terms that it has without a table.

using Floats = hn::ScalableTag<float>;
using Doubles = hn::ScalableTag<double>;
using FloatVec = hn::Vec<Floats>;
using DoubleVec = hn::Vec<Doubles>;

/// table[the low 4 bits of each index]
HWY_INLINE FloatVec look_up_16(const float* table, hn::Vec<hn::RebindToUnsigned<Floats>> index) {
  return {_mm512_permutexvar_ps(index.raw, _mm512_load_ps(table))};
}
HWY_INLINE DoubleVec look_up_16(const double* table, hn::Vec<hn::RebindToUnsigned<Doubles>> index) {
  return {_mm512_permutex2var_pd(_mm512_load_pd(table), index.raw, _mm512_load_pd(table + 8))};
}
/// table[the low 5 bits of each index]
HWY_INLINE FloatVec look_up_32(const float* table, hn::Vec<hn::RebindToUnsigned<Floats>> index) {
  return {_mm512_permutex2var_ps(_mm512_load_ps(table), index.raw, _mm512_load_ps(table + 16))};
}

/// x = 2^exponent mantissa with a mantissa in [3/4, 3/2); a third more than x tells from 3/2 on, and may be infinite.
struct FloatParts {
  FloatVec exponent, mantissa;
};
HWY_INLINE FloatParts split(Floats d, FloatVec x) {
  const FloatVec exponent = {_mm512_getexp_ps(hn::Mul(x, hn::Set(d, 1.33333337f)).raw)};
  return {hn::Min(exponent, hn::Set(d, 128)), {_mm512_getmant_ps(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src)}};
}

/// As split's, of doubles. 4/3 is rounded down here: times the double above it, the one below 3/2 would be 2.
HWY_INLINE DoubleVec exponent_from_three_quarters(Doubles d, DoubleVec x) {
  return {_mm512_getexp_pd(hn::Mul(x, hn::Set(d, 1.3333333333333333)).raw)};
}

/// True if every lane is positive and finite.
HWY_INLINE bool all_positive(FloatVec x) {
  constexpr int kNaNs = 0x81, kZeros = 0x06, kInfinities = 0x18, kNegative = 0x40;
  return _mm512_fpclass_ps_mask(x.raw, kNaNs | kZeros | kInfinities | kNegative) == 0;
}

HWY_INLINE FloatVec exp(Floats d, FloatVec x) {
  const hn::RebindToUnsigned<Floats> du;
  x = clamp_keep_nan(d, x, -104, 89);
  const FloatVec magic = hn::Set(d, Consts<float>::kRoundMagic / 16);  // rounds to sixteenths
  const FloatVec biased = hn::MulAdd(x, hn::Set(d, 1.4426950408889634f), magic), n = hn::Sub(biased, magic);
  const FloatVec high = hn::NegMulAdd(n, hn::Set(d, Consts<float>::kLn2Hi), x);
  const FloatVec r = hn::NegMulAdd(n, hn::Set(d, Consts<float>::kLn2Lo), high);
  const FloatVec q = polynomial(d, r, tables::kExp);
  const FloatVec power = look_up_16(tables::kSixteenths, hn::BitCast(du, biased));
  const FloatVec y = hn::MulAdd(power, hn::MulAdd(hn::Mul(r, r), q, r), power);
  return scale_by_pow2(d, y, n);  // takes the integer below n
}

/// log(1 + r) + minus_log + exponent ln(2), small terms first.
HWY_INLINE FloatVec log_sum(Floats d, FloatVec exponent, FloatVec minus_log, FloatVec r) {
  const FloatVec q = polynomial(d, r, tables::kLog);
  const FloatVec of_mantissa = hn::Add(minus_log, hn::MulAdd(hn::Mul(r, r), q, r));
  return hn::MulAdd(exponent, hn::Set(d, 0.693147180559945309f), of_mantissa);
}

HWY_INLINE FloatVec log(Floats d, FloatVec x) {
  const hn::RebindToUnsigned<Floats> du;
  const auto parts = split(d, x);
  const auto at = hn::ShiftRight<18>(hn::BitCast(du, parts.mantissa));
  const FloatVec r = hn::MulSub(parts.mantissa, look_up_32(tables::kReciprocal, at), hn::Set(d, 1));
  const FloatVec y = log_sum(d, parts.exponent, look_up_32(tables::kMinusLog, at), r);
  return HWY_LIKELY(all_positive(x)) ? y : with_log_limits(d, x, y);
}

HWY_INLINE FloatVec log_by(const tables::FloatLog& table, Floats d, FloatVec x) {
  const hn::RebindToUnsigned<Floats> du;
  const auto parts = split(d, x);
  const auto at = hn::ShiftRight<18>(hn::BitCast(du, parts.mantissa));
  const FloatVec r = hn::MulSub(parts.mantissa, look_up_32(table.reciprocal, at), hn::Set(d, 1));
  const FloatVec q = polynomial(d, r, table.rest);
  const FloatVec small = hn::MulAdd(hn::Mul(r, r), q, hn::Mul(r, hn::Set(d, table.of_e[1])));
  const FloatVec of_mantissa =
      hn::Add(look_up_32(table.minus_log, at), hn::MulAdd(r, hn::Set(d, table.of_e[0]), small));
  const FloatVec y = hn::MulAdd(parts.exponent, hn::Set(d, table.of_two[0]),
                                hn::MulAdd(parts.exponent, hn::Set(d, table.of_two[1]), of_mantissa));
  return HWY_LIKELY(all_positive(x)) ? y : with_log_limits(d, x, y);
}
HWY_INLINE FloatVec log2(Floats d, FloatVec x) { return log_by(tables::kFloatLog2, d, x); }
HWY_INLINE FloatVec log10(Floats d, FloatVec x) { return log_by(tables::kFloatLog10, d, x); }

/// The parts of 1 + x, rounded, give the table's entry; the rest is that of 1 + x itself.
HWY_INLINE FloatVec log1p(Floats d, FloatVec x) {
  const hn::RebindToUnsigned<Floats> du;
  const FloatVec one = hn::Set(d, 1), u = hn::Add(x, one);
  const auto parts = split(d, u);
  const auto at = hn::ShiftRight<18>(hn::BitCast(du, parts.mantissa));
  const FloatVec reciprocal = scale_by_pow2(d, look_up_32(tables::kReciprocal, at), hn::Neg(parts.exponent));
  const FloatVec r = hn::MulAdd(x, reciprocal, hn::Sub(reciprocal, one));
  const FloatVec y = hn::CopySign(log_sum(d, parts.exponent, look_up_32(tables::kMinusLog, at), r), x);
  return HWY_LIKELY(all_positive(u)) ? y : with_log_limits(d, u, y);
}

/// The polynomial of the table's entry next to x >= 0, and beyond the last one's the value there; NaN for NaN.
template <int kPowers>
HWY_INLINE FloatVec piecewise(Floats d, FloatVec x, const float (&table)[kPowers][32], float step) {
  const hn::RebindToUnsigned<Floats> du;
  x = hn::Min(hn::Set(d, 31 * step), x);  // the second operand where that is NaN
  const FloatVec magic = hn::Set(d, Consts<float>::kRoundMagic);
  const FloatVec biased = hn::MulAdd(x, hn::Set(d, 1 / step), magic);
  const FloatVec r = hn::NegMulAdd(hn::Sub(biased, magic), hn::Set(d, step), x);
  const auto at = hn::BitCast(du, biased);
  return horner<kPowers>(
      r, [&](int p) __attribute__((always_inline)) { return look_up_32(table[p], at); });
}

HWY_INLINE FloatVec tanh(Floats d, FloatVec x) {
  return hn::CopySign(piecewise(d, hn::Abs(x), tables::kTanh, tables::kTanhStep), x);
}

HWY_INLINE FloatVec normal_cdf(Floats d, FloatVec x) {
  const FloatVec tail = piecewise(d, hn::Abs(x), tables::kNormalTail, tables::kNormalStep);
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(hn::Set(d, 1), tail));
}

/// x^y for x >= 0, to more bits than floats have.
HWY_INLINE DoubleVec pow_for_floats(Doubles d, DoubleVec x, DoubleVec y) {
  const hn::RebindToUnsigned<Doubles> du;
  const DoubleVec exponent = exponent_from_three_quarters(d, x);
  const DoubleVec mantissa = {_mm512_getmant_pd(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src)};
  const auto at = hn::ShiftRight<48>(hn::BitCast(du, mantissa));
  const DoubleVec r = hn::MulSub(mantissa, look_up_16(tables::kReciprocal16, at), hn::Set(d, 1));
  const DoubleVec whole = hn::Add(exponent, look_up_16(tables::kMinusLog2, at));
  const DoubleVec log = hn::Mul(hn::MulAdd(polynomial(d, r, tables::kLog2), r, whole), y);
  const DoubleVec e = clamp_keep_nan(d, log, -151, 128.5);
  const DoubleVec magic = hn::Set(d, Consts<double>::kRoundMagic / 16);
  const DoubleVec biased = hn::Add(e, magic), n = hn::Sub(biased, magic);
  const DoubleVec power = look_up_16(tables::kSixteenthsOfPower, hn::BitCast(du, biased));
  return scale_by_pow2(d, hn::Mul(power, polynomial(d, hn::Sub(e, n), tables::kExp2)), n);
}

HWY_INLINE FloatVec pow_of_size(Floats d, FloatVec x, FloatVec y) {
  const hn::Half<Floats> half;
  const Doubles wide;
  const auto part = [&](auto a, auto b) HWY_ATTR {
    return hn::DemoteTo(half, pow_for_floats(wide, hn::PromoteTo(wide, a), hn::PromoteTo(wide, b)));
  };
  x = hn::Abs(x);
  return hn::Combine(d, part(hn::UpperHalf(half, x), hn::UpperHalf(half, y)),
                     part(hn::LowerHalf(half, x), hn::LowerHalf(half, y)));
}

/// A number of twice a double's digits: high + low, |low| less than a rounding of high.
struct TwoDoubles {
  DoubleVec high, low;
};
/// a + b, exact where a is no smaller than b, or 0.
HWY_INLINE TwoDoubles sum_exactly(DoubleVec a, DoubleVec b) {
  const DoubleVec high = hn::Add(a, b);
  return {high, hn::Sub(b, hn::Sub(high, a))};
}

/// log(x) for x >= 0; at 0 and infinity the high part is infinite and the low one is not to be used.
HWY_INLINE TwoDoubles log_in_two(Doubles d, DoubleVec x) {
  const hn::RebindToUnsigned<Doubles> du;
  // A third more than x may be infinite where x is not.
  const DoubleVec of_third_more = exponent_from_three_quarters(d, x);
  const DoubleVec exponent = hn::Min(of_third_more, hn::Set(d, 1024));
  const DoubleVec mantissa = {_mm512_getmant_pd(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src)};
  const auto at = hn::ShiftRight<48>(hn::BitCast(du, mantissa));
  const DoubleVec c = look_up_16(tables::kReciprocal16, at);
  // The product less 1 in two parts, and half of its square likewise.
  const DoubleVec product = hn::Mul(mantissa, c);
  const TwoDoubles r = sum_exactly(hn::Sub(product, hn::Set(d, 1)), hn::MulSub(mantissa, c, product));
  const DoubleVec half = hn::Mul(r.high, hn::Set(d, 0.5)), square = hn::Mul(r.high, half);
  const DoubleVec square_rest = hn::MulSub(r.high, half, square);
  const DoubleVec whole = hn::MulAdd(exponent, hn::Set(d, tables::kLn2High), look_up_16(tables::kMinusLnHigh, at));
  const TwoDoubles a = sum_exactly(whole, r.high), b = sum_exactly(a.high, hn::Neg(square));
  DoubleVec low = hn::MulAdd(exponent, hn::Set(d, tables::kLn2Low), look_up_16(tables::kMinusLnLow, at));
  low = hn::Add(low, hn::Add(a.low, b.low));
  low = hn::Add(low, hn::Sub(hn::NegMulAdd(r.low, r.high, r.low), square_rest));
  const DoubleVec cube = hn::Mul(hn::Add(square, square), r.high);
  const TwoDoubles y = sum_exactly(b.high, hn::MulAdd(cube, polynomial(d, r.high, tables::kLn), low));
  const auto has_log = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, hn::Set(d, Consts<double>::kInf)));
  return {hn::IfThenElse(has_log, y.high, of_third_more), y.low};
}

HWY_INLINE DoubleVec exp_of_two(Doubles d, TwoDoubles x) {
  const hn::RebindToUnsigned<Doubles> du;
  const DoubleVec low = hn::IfThenElseZero(hn::Lt(hn::Abs(x.high), hn::Set(d, 1024)), x.low);
  const DoubleVec high = clamp_keep_nan(d, x.high, -746, 710);
  const DoubleVec magic = hn::Set(d, Consts<double>::kRoundMagic / 16);  // rounds to sixteenths
  const DoubleVec biased = hn::MulAdd(high, hn::Set(d, 1.4426950408889634), magic), n = hn::Sub(biased, magic);
  const DoubleVec r =
      hn::Add(hn::NegMulAdd(n, hn::Set(d, tables::kLn2High), high), hn::NegMulAdd(n, hn::Set(d, tables::kLn2Low), low));
  const auto at = hn::BitCast(du, biased);
  const DoubleVec power = look_up_16(tables::kSixteenthsOfPower, at), rest = look_up_16(tables::kSixteenthsRest, at);
  const DoubleVec p = hn::MulAdd(hn::Mul(r, r), polynomial(d, r, tables::kExpOfDoubles), r);
  return scale_by_pow2(d, hn::Add(power, hn::MulAdd(power, p, rest)), n);
}

HWY_INLINE DoubleVec pow_of_size(Doubles d, DoubleVec x, DoubleVec y) {
  const TwoDoubles log = log_in_two(d, hn::Abs(x));
  const DoubleVec high = hn::Mul(log.high, y);
  return exp_of_two(d, {high, hn::MulAdd(log.low, y, hn::MulSub(log.high, y, high))});
}

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
