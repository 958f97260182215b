// CPU kernels of quotients and remainders.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/division.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/common/op_loops.h"
#include "kernels/cpu/common/vec_formulas-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

static const FloatLoops* loops() { return formulas::vector_loops(formulas::Divisions()); }

#if HWY_TARGET == HWY_SCALAR
template <class... O>
const IntegerLoops* integer_loops(arithmetic::List<O...>) {
  static constexpr IntegerLoops kNone[sizeof...(O)];
  return kNone;
}
#else
// Note [Quotients of integers]
// Processors divide vectors of floating point numbers only. The quotient x / y of two integers that are numbers of such
// a type is next to an integer that it is not by at least 1 / |x| of its size. That is more than a rounding for
// integers of 32 bits in double and of 16 in float, so the rounded quotient, cut or rounded down, is the integer one.
// So it is for those of 64 bits that are below 2^51, which most are.
using Ints = hn::ScalableTag<int32_t>;

template <class T>
HWY_INLINE hn::Vec<Ints> load_ints(const Source<hn::Rebind<T, Ints> >& x, size_t i) {
  const hn::Rebind<T, Ints> d;
  if constexpr (sizeof(T) == 4)
    return x.load(d, i);
  else
    return hn::PromoteTo(Ints(), x.load(d, i));
}
/// Keeps the low bits, which wraps.
template <class T>
HWY_INLINE void store_ints(hn::Vec<Ints> v, T* to) {
  if constexpr (sizeof(T) == 4) {
    hn::StoreU(v, Ints(), to);
  } else {
    using U = std::make_unsigned_t<T>;
    const hn::Rebind<U, Ints> d;
    hn::StoreU(hn::TruncateTo(d, hn::BitCast(hn::RebindToUnsigned<Ints>(), v)), d, reinterpret_cast<U*>(to));
  }
}

template <bool kDown, class V>
HWY_INLINE V whole(V quotient) {
  return kDown ? hn::Floor(quotient) : quotient;  // conversions to integers cut
}
/// x / y, by elements of T's size, rounded down or towards zero.
template <class T, bool kDown>
HWY_INLINE hn::Vec<Ints> quotients(hn::Vec<Ints> x, hn::Vec<Ints> y) {
  const Ints d;
  if constexpr (sizeof(T) < 4) {
    const hn::Rebind<float, Ints> floats;
    return hn::ConvertTo(d, whole<kDown>(hn::Div(hn::ConvertTo(floats, x), hn::ConvertTo(floats, y))));
  } else {
    const hn::Half<Ints> half;
    const hn::Rebind<double, hn::Half<Ints> > doubles;
    const auto part = [&](auto a, auto b) HWY_ATTR {
      return hn::DemoteTo(half, whole<kDown>(hn::Div(hn::PromoteTo(doubles, a), hn::PromoteTo(doubles, b))));
    };
    const auto q = hn::Combine(d, part(hn::UpperHalf(half, x), hn::UpperHalf(half, y)),
                               part(hn::LowerHalf(half, x), hn::LowerHalf(half, y)));
    return hn::IfThenElse(hn::Eq(y, hn::Set(d, -1)), hn::Neg(x), q);  // wraps where the double would be cut off
  }
}

template <class F>
constexpr bool kRemains = std::is_same_v<F, arithmetic::Fmod> || std::is_same_v<F, arithmetic::Remainder>;
template <class F>
constexpr bool kFloors = std::is_same_v<F, arithmetic::FloorDivide> || std::is_same_v<F, arithmetic::Remainder>;

template <class F, class T>
HWY_INLINE hn::Vec<Ints> divide(hn::Vec<Ints> x, hn::Vec<Ints> y) {
  const auto q = quotients<T, kFloors<F> >(x, y);
  return kRemains<F> ? hn::Sub(x, hn::Mul(q, y)) : q;
}

template <class F, class T>
void integer_loop(const LoopArgs& a) {
  using D = hn::Rebind<T, Ints>;
  const D d;
  Splat<D> splat[2];
  const Source<D> x(d, a.in[0], a.step[0], splat[0]), y(d, a.in[1], a.step[1], splat[1]);
  T* const out = static_cast<T*>(a.out);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(Ints()));
  int64_t i = 0;
  for (; i + lanes <= a.n; i += lanes) {
    const size_t at = static_cast<size_t>(i);
    const auto divisor = load_ints<T>(y, at);
    if (HWY_UNLIKELY(!hn::AllFalse(Ints(), hn::Eq(divisor, hn::Zero(Ints()))))) break;  // the formula throws below
    store_ints(divide<F, T>(load_ints<T>(x, at), divisor), out + i);
  }
  const T *const p = static_cast<const T*>(a.in[0]), *const q = static_cast<const T*>(a.in[1]);
  for (; i < a.n; ++i) out[i] = F::run(p[i * a.step[0]], q[i * a.step[1]]);
}

using Longs = hn::ScalableTag<int64_t>;
using Doubles = hn::ScalableTag<double>;
/// Doubles around it are as far apart as integers: the bits of its sum with one count like the integer.
constexpr double kCounting = 0x1.8p52;

HWY_INLINE hn::Vec<Doubles> as_doubles(hn::Vec<Longs> x) {
  const hn::Vec<Doubles> counting = hn::Set(Doubles(), kCounting);
  return hn::Sub(hn::BitCast(Doubles(), hn::Add(x, hn::BitCast(Longs(), counting))), counting);
}
HWY_INLINE hn::Vec<Longs> as_longs(hn::Vec<Doubles> x) {
  const hn::Vec<Doubles> counting = hn::Set(Doubles(), kCounting);
  return hn::Sub(hn::BitCast(Longs(), hn::Add(x, counting)), hn::BitCast(Longs(), counting));
}
/// Are all of x and y from -2^51 to 2^51, and none of y zero?
HWY_INLINE bool divide_as_doubles(hn::Vec<Longs> x, hn::Vec<Longs> y) {
  const Longs d;
  const hn::RebindToUnsigned<Longs> bits;
  const auto half = hn::Set(d, int64_t{1} << 51);
  const auto high = hn::ShiftRight<52>(hn::BitCast(bits, hn::Or(hn::Add(x, half), hn::Add(y, half))));
  return hn::AllTrue(bits, hn::Eq(high, hn::Zero(bits))) && hn::AllFalse(d, hn::Eq(y, hn::Zero(d)));
}

template <class F>
void long_loop(const LoopArgs& a) {
  const Longs d;
  Splat<Longs> splat[2];
  const Source<Longs> x(d, a.in[0], a.step[0], splat[0]), y(d, a.in[1], a.step[1], splat[1]);
  const int64_t *const p = static_cast<const int64_t*>(a.in[0]), *const q = static_cast<const int64_t*>(a.in[1]);
  int64_t* const out = static_cast<int64_t*>(a.out);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < a.n; i += lanes) {
    if (HWY_LIKELY(i + lanes <= a.n)) {
      const auto dividend = x.load(d, static_cast<size_t>(i)), divisor = y.load(d, static_cast<size_t>(i));
      if (HWY_LIKELY(divide_as_doubles(dividend, divisor))) {
        const auto u = as_doubles(dividend), v = as_doubles(divisor);
        const auto quotient = kFloors<F> ? hn::Floor(hn::Div(u, v)) : hn::Trunc(hn::Div(u, v));
        // The product is an integer below 2^52, so it is exact.
        hn::StoreU(as_longs(kRemains<F> ? hn::Sub(u, hn::Mul(quotient, v)) : quotient), d, out + i);
        continue;
      }
    }
    for (int64_t k = i; k < std::min(i + lanes, a.n); ++k) out[k] = F::run(p[k * a.step[0]], q[k * a.step[1]]);
  }
}

template <Op& op, int inputs, unsigned types, class P, class F>
constexpr IntegerLoops loops_of(arithmetic::OpFormulas<op, inputs, types, P, F>) {
  return {&integer_loop<F, uint8_t>, &integer_loop<F, int8_t>, &integer_loop<F, int16_t>, &integer_loop<F, int32_t>,
          &long_loop<F>};
}
template <class... O>
const IntegerLoops* integer_loops(arithmetic::List<O...>) {
  static constexpr IntegerLoops kLoops[] = {loops_of(O())...};
  return kLoops;
}
#endif

/// In the order of the list.
static const IntegerLoops* loops_of_integers() { return integer_loops(arithmetic::Divisions()); }

}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
namespace {
HWY_EXPORT(loops);
HWY_EXPORT(loops_of_integers);

const VectorOps registered(arithmetic::Divisions(), HWY_DYNAMIC_DISPATCH(loops)(),
                           HWY_DYNAMIC_DISPATCH(loops_of_integers)());

}  // namespace
}  // namespace strata::cpu::pointwise
#endif
