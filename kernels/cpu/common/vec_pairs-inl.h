// More vector mathematics, for float and double: remainders, lengths, angles, neighbours and the parts of numbers; and
// the way of floats through double. Compiled once per instruction set.
#if defined(STRATA_VEC_PAIRS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_VEC_PAIRS_INL_H
#undef STRATA_VEC_PAIRS_INL_H
#else
#define STRATA_VEC_PAIRS_INL_H
#endif
#include <hwy/highway.h>

#include <cmath>

#include "kernels/arithmetic_special.h"
#include "kernels/cpu/common/vec_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// f, a function of vectors of doubles, of both halves of vectors of floats.
template <class D, class F, class... V>
HWY_INLINE hn::Vec<D> by_halves(D d, F f, V... x) {
#if HWY_TARGET == HWY_SCALAR
  return hn::DemoteTo(d, f(hn::PromoteTo(hn::ScalableTag<double>(), x)...));
#else
  const hn::Half<D> half;
  const hn::ScalableTag<double> wide;
  const auto low = hn::DemoteTo(half, f(hn::PromoteTo(wide, hn::LowerHalf(half, x))...));
  const auto high = hn::DemoteTo(half, f(hn::PromoteTo(wide, hn::UpperHalf(half, x))...));
  return hn::Combine(d, high, low);
#endif
}

/// As std::fmod, exact. The quotient, rounded and cut, is right or one too far from 0, and so what its product leaves
/// is less than y and has no digits that the operands have not. Quotients that are no integers of the type, and
/// infinities and NaN, are left to the scalar function.
template <class D, class V>
HWY_INLINE V fmod(D d, V x, V y) {
  using T = hn::TFromD<D>;
  const auto scalar = [](T a, T b) { return arithmetic::math::fmod(a, b); };
#if HWY_TARGET <= HWY_AVX2  // where the product is not rounded before the difference
  const V size = hn::Abs(x), divisor = hn::Abs(y);
  const V whole = hn::Trunc(hn::Div(size, divisor)), rest = hn::NegMulAdd(whole, divisor, size);
  V r = hn::IfThenElse(hn::Lt(rest, hn::Zero(d)), hn::Add(rest, divisor), rest);
  r = hn::CopySign(hn::IfThenElse(hn::Eq(whole, hn::Zero(d)), size, r), x);  // an infinite divisor has no product
  constexpr T kMost = sizeof(T) == 4 ? T(8388608) : T(4503599627370496);
  const auto is_exact = hn::Lt(whole, hn::Set(d, kMost));
  if (HWY_LIKELY(hn::AllTrue(d, is_exact))) return r;
  return hn::IfThenElse(is_exact, r, by_lanes(d, x, y, scalar));
#else
  return by_lanes(d, x, y, scalar);
#endif
}

/// As std::hypot. Squares of floats have room in double.
template <class D, class V>
HWY_INLINE V hypot(D d, V x, V y) {
  using C = Consts<hn::TFromD<D>>;
  const V a = hn::Abs(x), b = hn::Abs(y);
  V r;
  if constexpr (C::kIsFloat) {
    r = by_halves(
        d, [](auto v, auto w) HWY_ATTR { return hn::Sqrt(hn::MulAdd(v, v, hn::Mul(w, w))); }, a, b);
  } else {
    const V large = hn::IfThenElse(hn::Lt(a, b), b, a), small = hn::IfThenElse(hn::Lt(a, b), a, b);
    const V ratio = hn::Div(small, large), sum = hn::MulAdd(ratio, ratio, hn::Set(d, 1));
    r = hn::IfThenElse(hn::Eq(large, hn::Zero(d)), hn::Add(a, b), hn::Mul(large, hn::Sqrt(sum)));
  }
  const V infinity = hn::Set(d, C::kInf);
  return hn::IfThenElse(hn::Or(hn::Eq(a, infinity), hn::Eq(b, infinity)), infinity, r);
}

/// The next number from x on the way to y, as std::nextafter: one step of the bits, which are a sign and a size.
template <class D, class V>
HWY_INLINE V nextafter(D d, V x, V y) {
  const hn::RebindToUnsigned<D> du;
  const auto one = hn::Set(du, 1), bits = hn::BitCast(du, x);
  const auto grows = hn::Eq(hn::VecFromMask(du, hn::RebindMask(du, hn::Lt(x, y))),
                            hn::VecFromMask(du, hn::RebindMask(du, hn::Gt(x, hn::Zero(d)))));
  const V next = hn::BitCast(d, hn::IfThenElse(grows, hn::Add(bits, one), hn::Sub(bits, one)));
  const V from_zero = hn::CopySign(hn::BitCast(d, one), y);
  const V step = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), from_zero, next);
  const V apart = hn::IfThenElse(hn::Eq(x, y), y, step);
  return hn::IfThenElse(hn::And(hn::Eq(x, x), hn::Eq(y, y)), apart, hn::Add(x, y));
}

/// The bits of |x| brought into the normal numbers, and by how many powers of 2 that was.
template <class D, class V>
HWY_INLINE auto normal_bits(D d, V x, V& moved) {
  using T = hn::TFromD<D>;
  using C = Consts<T>;
  const auto subnormal = hn::Lt(hn::Abs(x), hn::Set(d, std::numeric_limits<T>::min()));
  moved = hn::IfThenElseZero(subnormal, hn::Set(d, C::kIsFloat ? T(25) : T(54)));
  const V scale = hn::Set(d, C::kIsFloat ? T(33554432.0) : T(18014398509481984.0));
  return hn::BitCast(hn::RebindToUnsigned<D>(), hn::Abs(hn::IfThenElse(subnormal, hn::Mul(x, scale), x)));
}
template <class D, class V>
HWY_INLINE auto has_digits(D d, V x) {
  const auto finite = hn::Lt(hn::Abs(x), hn::Set(d, Consts<hn::TFromD<D>>::kInf));
  return hn::And(finite, hn::Gt(hn::Abs(x), hn::Zero(d)));
}
/// The mantissa and the exponent of std::frexp.
template <class D, class V>
HWY_INLINE V frexp_mantissa(D d, V x) {
  using C = Consts<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  using U = hn::TFromD<decltype(du)>;
  V moved;
  const auto digits = hn::And(normal_bits(d, x, moved), hn::Set(du, (U{1} << C::kMantissaBits) - 1));
  const V mantissa = hn::BitCast(d, hn::Or(digits, hn::BitCast(du, hn::Set(d, 0.5))));
  return hn::IfThenElse(has_digits(d, x), hn::CopySign(mantissa, x), x);
}
template <class D, class V>
HWY_INLINE V frexp_exponent(D d, V x) {
  using T = hn::TFromD<D>;
  using C = Consts<T>;
  const hn::RebindToUnsigned<D> du;
  V moved;
  // The biased exponent, made a number by the bits of 2^mantissa.
  const V whole = hn::Set(d, C::kIsFloat ? T(8388608.0) : T(4503599627370496.0));
  const auto biased = hn::Or(hn::ShiftRight<C::kMantissaBits>(normal_bits(d, x, moved)), hn::BitCast(du, whole));
  const V exponent = hn::Sub(hn::Sub(hn::BitCast(d, biased), whole), hn::Set(d, C::kBias - 1));
  return hn::IfThenElseZero(has_digits(d, x), hn::Sub(exponent, moved));
}

/// As std::atan2: the angle of the smaller coordinate over the larger one, turned to where the point lies.
template <class D, class V>
HWY_INLINE V atan2_of_numbers(D d, V y, V x) {
  using T = hn::TFromD<D>;
  const V a = hn::Abs(y), b = hn::Abs(x), zero = hn::Zero(d), one = hn::Set(d, 1);
  const auto is_steep = hn::Gt(a, b);
  const V ratio = hn::Div(hn::IfThenElse(is_steep, b, a), hn::IfThenElse(is_steep, a, b));
  V t = hn::IfThenElse(hn::Eq(a, b), hn::IfThenElse(hn::Eq(a, zero), zero, one), ratio);  // two zeros or infinities
  hwy::HWY_NAMESPACE::impl::AtanImpl<T> impl;
  V angle = impl.AtanPoly(d, t);
  angle = hn::IfThenElse(is_steep, hn::Sub(hn::Set(d, 1.57079632679489661923), angle), angle);
  const auto is_left = hn::Lt(hn::CopySign(one, x), zero);
  angle = hn::IfThenElse(is_left, hn::Sub(hn::Set(d, arithmetic::kPi), angle), angle);
  return hn::CopySign(angle, y);
}
template <class D, class V>
HWY_INLINE V atan2(D d, V y, V x) {
  V angle;
  if constexpr (sizeof(hn::TFromD<D>) == 8)
    angle = atan2_of_numbers(d, y, x);
  else
    angle = by_halves(
        d, [](auto v, auto w) HWY_ATTR { return atan2_of_numbers(hn::ScalableTag<double>(), v, w); }, y, x);
  return hn::IfThenElse(hn::And(hn::Eq(x, x), hn::Eq(y, y)), angle, hn::Add(x, y));
}

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
