// The formulas of the element-wise ops on vectors, the lists of ops that they compute, and their loops, for each
// instruction set.
#if defined(STRATA_VEC_FORMULAS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_VEC_FORMULAS_INL_H
#undef STRATA_VEC_FORMULAS_INL_H
#else
#define STRATA_VEC_FORMULAS_INL_H
#endif
#include <hwy/highway.h>

#include <limits>

#include "kernels/cpu/common/loop.h"
#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/common/vec_math-inl.h"
#include "kernels/cpu/common/vec_pairs-inl.h"
#include "kernels/op_formulas.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What comparisons of vectors give.
template <class T>
struct LaneMask {
  hn::Mask<hn::ScalableTag<T>> v;

  friend HWY_INLINE LaneMask operator!(LaneMask a) { return {hn::Not(a.v)}; }
  friend HWY_INLINE LaneMask operator|(LaneMask a, LaneMask b) { return {hn::Or(a.v, b.v)}; }
  friend HWY_INLINE LaneMask operator&(LaneMask a, LaneMask b) { return {hn::And(a.v, b.v)}; }
  friend HWY_INLINE LaneMask operator^(LaneMask a, LaneMask b) { return {hn::Xor(a.v, b.v)}; }
};

/// A vector of numbers that formulas compute with as if it were one.
template <class T>
struct Lanes {
  using D = hn::ScalableTag<T>;
  static constexpr D d{};
  hn::Vec<D> v;

  HWY_INLINE explicit Lanes(hn::Vec<D> values) : v(values) {}
  /// The number in every lane.
  HWY_INLINE explicit Lanes(double number) : v(hn::Set(D(), static_cast<T>(number))) {}

  friend HWY_INLINE Lanes operator-(Lanes a) { return Lanes(hn::Neg(a.v)); }
  friend HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return Lanes(hn::Add(a.v, b.v)); }
  friend HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return Lanes(hn::Sub(a.v, b.v)); }
  friend HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return Lanes(hn::Mul(a.v, b.v)); }
  friend HWY_INLINE Lanes operator/(Lanes a, Lanes b) { return Lanes(hn::Div(a.v, b.v)); }
  friend HWY_INLINE LaneMask<T> operator==(Lanes a, Lanes b) { return {hn::Eq(a.v, b.v)}; }
  friend HWY_INLINE LaneMask<T> operator<(Lanes a, Lanes b) { return {hn::Lt(a.v, b.v)}; }
  friend HWY_INLINE LaneMask<T> operator<=(Lanes a, Lanes b) {
    if constexpr (std::is_integral_v<T>)  // for which older versions of Highway have no Le
      return !(b < a);
    else
      return {hn::Le(a.v, b.v)};
  }
  friend HWY_INLINE LaneMask<T> operator>(Lanes a, Lanes b) { return {hn::Gt(a.v, b.v)}; }
  friend HWY_INLINE LaneMask<T> operator>=(Lanes a, Lanes b) { return b <= a; }
};

/// Formulas in namespace strata::arithmetic wrap integers here.
template <class T>
HWY_INLINE Lanes<T> wrapping(Lanes<T> x) {
  return x;
}
template <class T>
HWY_INLINE LaneMask<T> is_negative(Lanes<T> x) {
  return x < Lanes<T>(0);
}

/// Vectors' side of arithmetic::math.
namespace math {

template <class T>
HWY_INLINE Lanes<T> select(LaneMask<T> condition, Lanes<T> x, Lanes<T> y) {
  return Lanes<T>(hn::IfThenElse(condition.v, x.v, y.v));
}
template <class T>
HWY_INLINE Lanes<T> fma(Lanes<T> a, Lanes<T> b, Lanes<T> c) {
  return Lanes<T>(hn::MulAdd(a.v, b.v, c.v));
}
template <class T>
HWY_INLINE Lanes<T> mul_add(Lanes<T> a, Lanes<T> b, Lanes<T> c) {
  return fma(a, b, c);
}
template <class T>
HWY_INLINE bool any(LaneMask<T> condition) {
  return !hn::AllFalse(Lanes<T>::d, condition.v);
}
template <class T>
HWY_INLINE Lanes<T> copysign(Lanes<T> x, Lanes<T> y) {
  return Lanes<T>(hn::CopySign(x.v, y.v));
}
template <class T>
HWY_INLINE Lanes<T> abs(Lanes<T> x) {
  return Lanes<T>(hn::Abs(x.v));
}
template <class T>
HWY_INLINE LaneMask<T> is_inf(Lanes<T> x) {
  return abs(x) == Lanes<T>(std::numeric_limits<T>::infinity());
}
template <class T>
HWY_INLINE LaneMask<T> is_finite(Lanes<T> x) {
  return abs(x) < Lanes<T>(std::numeric_limits<T>::infinity());
}

/// A function of vectors, f(d, v), for Lanes.
#define STRATA_OF_LANES(name, f)         \
  template <class T>                     \
  HWY_INLINE Lanes<T> name(Lanes<T> x) { \
    return Lanes<T>(f);                  \
  }
STRATA_OF_LANES(sqrt, hn::Sqrt(x.v))
STRATA_OF_LANES(floor, hn::Floor(x.v))
STRATA_OF_LANES(ceil, hn::Ceil(x.v))
STRATA_OF_LANES(round, hn::Round(x.v))
STRATA_OF_LANES(trunc, hn::Trunc(x.v))
STRATA_OF_LANES(exp, HWY_NAMESPACE::exp(x.d, x.v))
STRATA_OF_LANES(exp2, HWY_NAMESPACE::exp2(x.d, x.v))
STRATA_OF_LANES(expm1, HWY_NAMESPACE::expm1(x.d, x.v))
STRATA_OF_LANES(log, HWY_NAMESPACE::log(x.d, x.v))
STRATA_OF_LANES(log2, HWY_NAMESPACE::log2(x.d, x.v))
STRATA_OF_LANES(log10, HWY_NAMESPACE::log10(x.d, x.v))
STRATA_OF_LANES(log1p, HWY_NAMESPACE::log1p(x.d, x.v))
STRATA_OF_LANES(sin, HWY_NAMESPACE::sin(x.d, x.v))
STRATA_OF_LANES(cos, HWY_NAMESPACE::cos(x.d, x.v))
STRATA_OF_LANES(tan, HWY_NAMESPACE::tan(x.d, x.v))
STRATA_OF_LANES(asin, hn::Asin(x.d, x.v))
STRATA_OF_LANES(acos, hn::Acos(x.d, x.v))
STRATA_OF_LANES(atan, hn::Atan(x.d, x.v))
STRATA_OF_LANES(sinh, HWY_NAMESPACE::sinh(x.d, x.v))
STRATA_OF_LANES(cosh, HWY_NAMESPACE::cosh(x.d, x.v))
STRATA_OF_LANES(tanh, HWY_NAMESPACE::tanh(x.d, x.v))
STRATA_OF_LANES(asinh, HWY_NAMESPACE::asinh(x.d, x.v))
STRATA_OF_LANES(acosh, HWY_NAMESPACE::acosh(x.d, x.v))
STRATA_OF_LANES(atanh, HWY_NAMESPACE::atanh(x.d, x.v))
STRATA_OF_LANES(frexp_mantissa, HWY_NAMESPACE::frexp_mantissa(x.d, x.v))
STRATA_OF_LANES(frexp_exponent, HWY_NAMESPACE::frexp_exponent(x.d, x.v))
#undef STRATA_OF_LANES

HWY_INLINE Lanes<float> erf(Lanes<float> x) { return Lanes<float>(HWY_NAMESPACE::erf(x.d, x.v)); }
HWY_INLINE Lanes<float> normal_cdf(Lanes<float> x) { return Lanes<float>(HWY_NAMESPACE::normal_cdf(x.d, x.v)); }
HWY_INLINE Lanes<float> gelu_slope(Lanes<float> x) { return Lanes<float>(HWY_NAMESPACE::gelu_slope(x.d, x.v)); }
// Of doubles by formulas that come later.
HWY_INLINE Lanes<double> erf(Lanes<double> x);
HWY_INLINE Lanes<double> normal_cdf(Lanes<double> x);
HWY_INLINE Lanes<double> gelu_slope(Lanes<double> x);
HWY_INLINE Lanes<double> exp_to_float(Lanes<double> x) { return Lanes<double>(HWY_NAMESPACE::exp_to_float(x.d, x.v)); }
template <class T>
HWY_INLINE Lanes<T> pow(Lanes<T> x, Lanes<T> y) {
  return Lanes<T>(HWY_NAMESPACE::pow(x.d, x.v, y.v));
}
template <class T>
HWY_INLINE Lanes<T> fmod(Lanes<T> x, Lanes<T> y) {
  return Lanes<T>(HWY_NAMESPACE::fmod(x.d, x.v, y.v));
}
template <class T>
HWY_INLINE Lanes<T> nextafter(Lanes<T> x, Lanes<T> y) {
  return Lanes<T>(HWY_NAMESPACE::nextafter(x.d, x.v, y.v));
}
template <class T>
HWY_INLINE Lanes<T> hypot(Lanes<T> x, Lanes<T> y) {
  return Lanes<T>(HWY_NAMESPACE::hypot(x.d, x.v, y.v));
}
using arithmetic::math::kInf, arithmetic::math::kNaN;

HWY_INLINE double first(Lanes<double> x) { return hn::GetLane(x.v); }
template <class F, class... More>
HWY_INLINE Lanes<double> in_double(Lanes<double> x, More... more) {
  return F::template of<double>(x, more...);
}
template <class F, class... More>
HWY_INLINE Lanes<float> in_double(Lanes<float> x, More... more) {
  return Lanes<float>(by_halves(
      x.d, [](auto... v) HWY_ATTR { return F::template of<float>(Lanes<double>(v)...).v; }, x.v, more.v...));
}
template <class F, class T>
HWY_INLINE Lanes<T> in_own(Lanes<T> x) {
  if constexpr (sizeof(T) == 4)
    return F::of_floats(x);
  else
    return F::template of<T>(x);
}
template <auto kFunction, class T>
HWY_INLINE Lanes<T> each(Lanes<T> x) {
  return Lanes<T>(by_lane(x.d, x.v, [](T v) { return static_cast<T>(kFunction(v)); }));
}
template <auto kFunction, class T>
HWY_INLINE Lanes<T> each(Lanes<T> x, Lanes<T> y) {
  return Lanes<T>(by_lanes(x.d, x.v, y.v, [](T v, T w) { return static_cast<T>(kFunction(v, w)); }));
}
template <class F, auto kFunction, class T, class... More>
HWY_INLINE Lanes<T> in_double_or(Lanes<T> x, More... more) {
  if constexpr (sizeof(T) == 4)
    return in_double<F>(x, more...);
  else
    return each<kFunction>(x, more...);
}

template <class T>
HWY_INLINE Lanes<T> atan2(Lanes<T> x, Lanes<T> y) {
  return Lanes<T>(HWY_NAMESPACE::atan2(x.d, x.v, y.v));
}

}  // namespace math

namespace formulas {

using arithmetic::Binary, arithmetic::List, arithmetic::OpFormulas, arithmetic::Ternary, arithmetic::Unary;
using arithmetic::kFloats, arithmetic::kFields, arithmetic::kNumeric, arithmetic::kReals, arithmetic::kNumbers,
    arithmetic::kEverything, arithmetic::kUnsigned;
using arithmetic::kIsInteger, arithmetic::kPi;
namespace special = arithmetic::special;

#define STRATA_FORMULA static HWY_INLINE
// A group uses those above it.
#include "kernels/formulas-inl.h"

#include "kernels/special_formulas-inl.h"

#include "kernels/special_series-inl.h"

#include "kernels/special_bessel-inl.h"
#include "kernels/special_erf-inl.h"
#include "kernels/special_gamma-inl.h"
#include "kernels/special_polynomials-inl.h"
#undef STRATA_FORMULA
#include "kernels/op_formulas-inl.h"

}  // namespace formulas
namespace math {

HWY_INLINE Lanes<double> erf(Lanes<double> x) { return formulas::erf_by_parts(x); }
HWY_INLINE Lanes<double> normal_cdf(Lanes<double> x) { return formulas::Ndtr::of<double>(x); }
HWY_INLINE Lanes<double> gelu_slope(Lanes<double> x) {
  const Lanes<double> density = exp(x * x * Lanes<double>(-0.5)) * Lanes<double>(0.39894228040143267794);
  return fma(x, density, normal_cdf(x));
}

}  // namespace math
namespace formulas {

/// Is it marked as one of few instructions?
template <class F>
constexpr bool kIsCheap = requires {
  F::kCheap;
};

/// The loop of every formula F: whole vectors (four at a time where F is marked kCheap, else two, whose chains of
/// operations overlap), then what is left. `of` computes a vector from one of each input. What is left of more than a
/// vector is the end of a whole one, as masked stores take long; it is computed first, since the output may be an
/// input.
template <class F, class Sink, class D, class Of, class... In>
HWY_INLINE void run_vectors(D d, const LoopArgs& a, Of of, const In&... in) {
  const Sink sink{static_cast<decltype(Sink::out)>(a.out)};
  const auto at = [&](size_t i) HWY_ATTR { return of(in.load(d, i)...); };
  const size_t lanes = hn::Lanes(d), n = static_cast<size_t>(a.n);
  if (n < lanes) {
    if (n > 0) sink.put_n(d, of(in.load_n(d, 0, n)...), 0, n);
    return;
  }
  const bool has_end = n % lanes != 0;
  auto end = decltype(at(0))();
  if (has_end) end = at(n - lanes);
  size_t i = 0;
  if constexpr (kIsCheap<F>) {
    if (HWY_UNLIKELY(a.stream)) {
      for (; i + lanes <= n; i += lanes) sink.stream(d, at(i), i);
      hwy::FlushStream();
    }
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
      const auto v0 = at(i), v1 = at(i + lanes), v2 = at(i + 2 * lanes), v3 = at(i + 3 * lanes);
      sink.put(d, v0, i);
      sink.put(d, v1, i + lanes);
      sink.put(d, v2, i + 2 * lanes);
      sink.put(d, v3, i + 3 * lanes);
    }
  } else {
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
      const auto v0 = at(i), v1 = at(i + lanes);
      sink.put(d, v0, i);
      sink.put(d, v1, i + lanes);
    }
  }
  for (; i + lanes <= n; i += lanes) sink.put(d, at(i), i);
  if (has_end) sink.put(d, end, n - lanes);
}

/// Cheap functions of two inputs have a loop for each way in which these are given, as all that such a loop does beside
/// counts: most of all where short rows meet one value each, such as a channel's. The others have one for all.
template <class F, class T, size_t... k, class... N>
HWY_INLINE void run_loop(const LoopArgs& a, std::index_sequence<k...>, N... numbers) {
  using D = hn::ScalableTag<T>;
  using Sink = std::conditional_t < requires { F::kBool; }
  , BoolSink<D>, PlainSink < D >> ;
  const D d;
  const auto of = [=](auto... x) HWY_ATTR { return F::run(Lanes<T>(x)..., numbers...).v; };
  if constexpr (kIsCheap<F> && sizeof...(k) == 2) {
    const auto *const x = static_cast<const T*>(a.in[0]), *const y = static_cast<const T*>(a.in[1]);
    if (a.step[0] && a.step[1]) return run_vectors<F, Sink>(d, a, of, InRow<D>{x}, InRow<D>{y});
    if (a.step[0]) return run_vectors<F, Sink>(d, a, of, InRow<D>{x}, Repeated<D>{hn::Set(d, *y)});
    if (a.step[1]) return run_vectors<F, Sink>(d, a, of, Repeated<D>{hn::Set(d, *x)}, InRow<D>{y});
    run_vectors<F, Sink>(d, a, of, Repeated<D>{hn::Set(d, *x)}, Repeated<D>{hn::Set(d, *y)});
  } else {
    Splat<D> splat[sizeof...(k)];
    run_vectors<F, Sink>(d, a, of, Source<D>(d, a.in[k], a.step[k], splat[k])...);
  }
}

template <class F, class T, int kInputs, size_t... number>
HWY_INLINE void run_with_numbers(const LoopArgs& a, std::index_sequence<number...>) {
  run_loop<F, T>(a, std::make_index_sequence<kInputs>(), Lanes<T>(a.params[number])...);
}
template <class F, class T, int kInputs, int kNumbers>
void map_loop(const LoopArgs& a) {
  run_with_numbers<F, T, kInputs>(a, std::make_index_sequence<kNumbers>());
}

/// The loops of a formula.
template <class F, int kInputs, int kNumbers>
constexpr FloatLoops float_loops() {
  return {&map_loop<F, float, kInputs, kNumbers>, &map_loop<F, double, kInputs, kNumbers>};
}

/// Cheap formulas of integers have loops over vectors of them, which the compiler of plain loops may not use.
template <class F, int kInputs, int kNumbers, unsigned types>
constexpr IntegerLoops integer_loops() {
  if constexpr (kIsCheap<F> && (types & arithmetic::kIntegers))
    return {.i32 = &map_loop<F, int32_t, kInputs, kNumbers>, .i64 = &map_loop<F, int64_t, kInputs, kNumbers>};
  return {};
}

template <Op& op, int kInputs, unsigned types, class P, class... F>
constexpr void add_loops(FloatLoops*& to, OpFormulas<op, kInputs, types, P, F...> o) {
  ((*to++ = float_loops<F, kInputs, o.kNumberCount>()), ...);
}
template <Op& op, int kInputs, unsigned types, class P, class... F>
constexpr void add_loops(IntegerLoops*& to, OpFormulas<op, kInputs, types, P, F...> o) {
  ((*to++ = integer_loops<F, kInputs, o.kNumberCount, types>()), ...);
}
/// The loops of a list's formulas over floats, or over integers, in their order.
template <class Loops = FloatLoops, class... O>
const Loops* vector_loops(List<O...>) {
  static constexpr auto kLoops = [] {
    std::array<Loops, (O::kCount + ...)> loops;
    Loops* to = loops.data();
    (add_loops(to, O()), ...);
    return loops;
  }();
  return kLoops.data();
}

}  // namespace formulas
}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
