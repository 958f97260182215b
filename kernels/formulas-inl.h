// The formulas of the element-wise ops, each written once: Note [Formulas].
//
// Included inside of a namespace, by arithmetic.h for single numbers and by vec_formulas-inl.h once per instruction
// set.

/// Functions whose result is bool.
struct Test {
  static constexpr bool kBool = true;
};
/// Functions of so few instructions that memory bounds them.
struct Cheap {
  static constexpr bool kCheap = true;
};
struct CheapTest : Test, Cheap {};

// --- one operand ----------------------------------------------------------------------------------------------------

struct Neg : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return static_cast<T>(-wrapping(x));
  }
};
struct Abs : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    if constexpr (kIsInteger<T>)
      return is_negative(x) ? Neg::run(x) : x;
    else
      return math::abs(x);
  }
};
/// 0 for NaN.
struct Sign : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return static_cast<T>(math::select(x > T(0), T(1), T(0)) - math::select(is_negative(x), T(1), T(0)));
  }
};
struct Square : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return static_cast<T>(wrapping(x) * wrapping(x));
  }
};
struct Cube : Cheap {
  STRATA_FORMULA auto run(auto x) { return x * x * x; }
};
/// NaN stays NaN.
struct Relu : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return math::select(x <= T(0), T(0), x);
  }
};
struct Sqrt {
  STRATA_FORMULA auto run(auto x) { return math::sqrt(x); }
};
struct Rsqrt {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return T(1) / math::sqrt(x);
  }
};
struct Reciprocal {
  template <class T>
  STRATA_FORMULA T run(T x) {
    return T(1) / x;
  }
};
struct Floor : Cheap {
  STRATA_FORMULA auto run(auto x) { return math::floor(x); }
};
struct Ceil : Cheap {
  STRATA_FORMULA auto run(auto x) { return math::ceil(x); }
};
/// Halves to even.
struct Round : Cheap {
  STRATA_FORMULA auto run(auto x) { return math::round(x); }
};
/// Halves to even of 10^-n; one of the numbers is 10^|n|, the other 1.
struct RoundTo : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T up, T down) {
    return math::round(x * up / down) * down / up;
  }
};
/// x = m 2^e with 0.5 <= |m| < 1; zeros, infinities and NaN are their own m, of e = 0.
struct FrexpMantissa : Cheap {
  STRATA_FORMULA auto run(auto x) { return math::frexp_mantissa(x); }
};
struct FrexpExponent : Cheap {
  STRATA_FORMULA auto run(auto x) { return math::frexp_exponent(x); }
};
struct Trunc : Cheap {
  STRATA_FORMULA auto run(auto x) { return math::trunc(x); }
};
struct Frac : Cheap {
  STRATA_FORMULA auto run(auto x) { return x - math::trunc(x); }
};
/// Other numbers for NaN, infinity and minus infinity.
struct NanToNum : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T nan, T top, T bottom) {
    const T finite = math::select(math::is_inf(x), math::select(is_negative(x), bottom, top), x);
    return math::select(x == x, finite, nan);
  }
};
struct IsNan : CheapTest {
  STRATA_FORMULA auto run(auto x) { return !(x == x); }
};
struct IsInf : CheapTest {
  STRATA_FORMULA auto run(auto x) { return math::is_inf(x); }
};
struct IsFinite : CheapTest {
  STRATA_FORMULA auto run(auto x) { return math::is_finite(x); }
};
struct LogicalNot : CheapTest {
  template <class T>
  STRATA_FORMULA auto run(T x) {
    return x == T(0);
  }
};

struct Exp {
  STRATA_FORMULA auto run(auto x) { return math::exp(x); }
};
struct Exp2 {
  STRATA_FORMULA auto run(auto x) { return math::exp2(x); }
};
struct Expm1 {
  STRATA_FORMULA auto run(auto x) { return math::expm1(x); }
};
struct Log {
  STRATA_FORMULA auto run(auto x) { return math::log(x); }
};
struct Log2 {
  STRATA_FORMULA auto run(auto x) { return math::log2(x); }
};
struct Log10 {
  STRATA_FORMULA auto run(auto x) { return math::log10(x); }
};
struct Log1p {
  STRATA_FORMULA auto run(auto x) { return math::log1p(x); }
};
struct Sin {
  STRATA_FORMULA auto run(auto x) { return math::sin(x); }
};
struct Cos {
  STRATA_FORMULA auto run(auto x) { return math::cos(x); }
};
/// Of sin(pi x) what is left of x beside the nearest whole number n, and the sign of (-1)^n: exact, however large x is.
struct Sinc {
  template <class T>
  STRATA_FORMULA T run(T x) {
    const T n = math::round(x), half = n * T(0.5), sine = math::sin((x - n) * T(kPi));
    const T sign = math::select(math::floor(half) == half, T(1), T(-1));
    return math::select(x == T(0), T(1), sine * sign / (x * T(kPi)));
  }
  template <class T>
  STRATA_FORMULA Complex<T> run(Complex<T> z) {
    const T n = math::round(z.real()), half = n * T(0.5);
    const Complex<T> sine = math::sin(Complex<T>(z.real() - n, z.imag()) * T(kPi));
    return z == Complex<T>(0) ? Complex<T>(1) : sine * T(math::floor(half) == half ? 1 : -1) / (z * T(kPi));
  }
};
struct Tan {
  STRATA_FORMULA auto run(auto x) { return math::tan(x); }
};
struct Asin {
  STRATA_FORMULA auto run(auto x) { return math::asin(x); }
};
struct Acos {
  STRATA_FORMULA auto run(auto x) { return math::acos(x); }
};
struct Atan {
  STRATA_FORMULA auto run(auto x) { return math::atan(x); }
};
struct Sinh {
  STRATA_FORMULA auto run(auto x) { return math::sinh(x); }
};
struct Cosh {
  STRATA_FORMULA auto run(auto x) { return math::cosh(x); }
};
struct Tanh {
  STRATA_FORMULA auto run(auto x) { return math::tanh(x); }
};
struct Asinh {
  STRATA_FORMULA auto run(auto x) { return math::asinh(x); }
};
struct Acosh {
  STRATA_FORMULA auto run(auto x) { return math::acosh(x); }
};
struct Atanh {
  STRATA_FORMULA auto run(auto x) { return math::atanh(x); }
};
/// Adding 0 makes the root at -1 that of a positive 0.
struct AcoshBackward {
  template <class T>
  STRATA_FORMULA T run(T g, T x) {
    return g / math::sqrt((x - T(1)) * (x + T(1)) + T(0));
  }
};
struct Erf {
  STRATA_FORMULA auto run(auto x) { return math::erf(x); }
};
struct Sigmoid {
  template <class T>
  STRATA_FORMULA T run(T x) {
    const T e = math::exp(-math::abs(x));
    return math::select(x < T(0), e, T(1)) / (T(1) + e);
  }
  template <class T>
  STRATA_FORMULA Complex<T> run(Complex<T> z) {
    const bool negative = z.real() < 0;
    const Complex<T> e = math::exp(negative ? z : -z);
    return (negative ? e : Complex<T>(1)) / (T(1) + e);
  }
};

// --- activations: some take numbers after their operands ------------------------------------------------------------

struct Silu {
  STRATA_FORMULA auto run(auto x) { return x * Sigmoid::run(x); }
};

inline constexpr double kLog2OfE = 1.44269504088896340736;

#include "kernels/activation_formulas-inl.h"

// --- two operands ---------------------------------------------------------------------------------------------------

struct Add : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    return static_cast<T>(wrapping(x) + wrapping(y));
  }
};
struct Sub : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    return static_cast<T>(wrapping(x) - wrapping(y));
  }
};
struct Mul : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    return static_cast<T>(wrapping(x) * wrapping(y));
  }
};
struct Div : Cheap {
  STRATA_FORMULA auto run(auto x, auto y) { return x / y; }
};
/// Rounds towards zero; the lowest integer over -1 wraps.
struct DivTrunc : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "div")) return static_cast<T>(-1);
      return is_minus_one(y) ? Neg::run(x) : static_cast<T>(x / y);
    } else {
      return math::trunc(x / y);
    }
  }
};
/// The sign of the dividend.
struct Fmod {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "fmod")) return x;
      return is_minus_one(y) ? T(0) : static_cast<T>(x % y);
    } else {
      return math::fmod(x, y);
    }
  }
};
/// The sign of the divisor.
struct Remainder {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "remainder")) return x;
    }
    const T r = Fmod::run(x, y);
    const T moved = math::select(is_negative(r) ^ is_negative(y), Add::run(r, y), r);
    return math::select(r == T(0), r, moved);
  }
};
struct FloorDivide {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "floor_divide")) return static_cast<T>(-1);
      const T q = DivTrunc::run(x, y), r = static_cast<T>(wrapping(x) - wrapping(q) * wrapping(y));
      return r != 0 && is_negative(x) != is_negative(y) ? static_cast<T>(q - 1) : q;
    } else {
      return of_floats(x, y);
    }
  }
  /// As Python and PyTorch do it: exact where x / y rounded up to an integer that is too large.
  template <class T>
  STRATA_FORMULA T of_floats(T x, T y) {
    const T mod = math::fmod(x, y), cut = (x - mod) / y;
    const T below = math::select(is_negative(y) ^ is_negative(mod), cut - T(1), cut);
    const T quotient = math::select(mod == T(0), cut, below);
    const T floor = math::floor(quotient), rounded = math::select(quotient - floor > T(0.5), floor + T(1), floor);
    const T whole = math::select(quotient == T(0), math::copysign(T(0), x / y), rounded);
    return math::select(y == T(0), x / y, whole);
  }
};
/// NaN in either operand is the result; so in Minimum.
struct Maximum : Cheap {
  STRATA_FORMULA auto run(auto x, auto y) { return math::select(x == x, math::select(x > y, x, y), x); }
};
struct Minimum : Cheap {
  STRATA_FORMULA auto run(auto x, auto y) { return math::select(x == x, math::select(x < y, x, y), x); }
};
/// NaN only where both operands are; so in Fmin.
struct Fmax : Cheap {
  STRATA_FORMULA auto run(auto x, auto y) { return math::select(x == x, math::select(y > x, y, x), y); }
};
struct Fmin : Cheap {
  STRATA_FORMULA auto run(auto x, auto y) { return math::select(x == x, math::select(y < x, y, x), y); }
};
struct Pow {
  STRATA_FORMULA auto run(auto x, auto y) { return math::pow(x, y); }
};
struct Atan2 {
  STRATA_FORMULA auto run(auto x, auto y) { return math::atan2(x, y); }
};
/// x log(y), and 0 where x is 0 whatever the logarithm is; NaN stays NaN. So in Xlog1py.
struct Xlogy {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    return math::select(x == T(0), math::select(y == y, T(0), y), x * math::log(y));
  }
};
struct Xlog1py {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    return math::select(x == T(0), math::select(y == y, T(0), y), x * math::log1p(y));
  }
};
/// log(exp(x) + exp(y)); the difference of equal infinities is none.
struct Logaddexp {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    const T apart = math::select(x == y, T(0), x - y);
    return math::select(x < y, y, x) + math::log1p(math::exp(-math::abs(apart)));
  }
};
/// The same of powers of 2.
struct Logaddexp2 {
  template <class T>
  STRATA_FORMULA T run(T x, T y) {
    const T apart = math::select(x == y, T(0), x - y);
    return math::select(x < y, y, x) + math::log1p(math::exp2(-math::abs(apart))) * T(kLog2OfE);
  }
};
/// Infinite where an operand is, though the other be NaN.
struct Hypot {
  STRATA_FORMULA auto run(auto x, auto y) { return math::hypot(x, y); }
};
struct Copysign : Cheap {
  STRATA_FORMULA auto run(auto x, auto y) { return math::copysign(x, y); }
};
struct Nextafter {
  STRATA_FORMULA auto run(auto x, auto y) { return math::nextafter(x, y); }
};
struct Eq : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return x == y; }
};
struct Ne : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return !(x == y); }
};
struct Lt : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return x < y; }
};
struct Le : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return x <= y; }
};
struct Gt : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return x > y; }
};
struct Ge : CheapTest {
  STRATA_FORMULA auto run(auto x, auto y) { return x >= y; }
};
struct LogicalAnd : CheapTest {
  template <class T>
  STRATA_FORMULA auto run(T x, T y) {
    const auto no_x = x == T(0), no_y = y == T(0);
    return !(no_x | no_y);
  }
};
struct LogicalOr : CheapTest {
  template <class T>
  STRATA_FORMULA auto run(T x, T y) {
    const auto no_x = x == T(0), no_y = y == T(0);
    return !(no_x & no_y);
  }
};
struct LogicalXor : CheapTest {
  template <class T>
  STRATA_FORMULA auto run(T x, T y) {
    return (x == T(0)) ^ (y == T(0));
  }
};

// Losses of a prediction x and a target t.
struct BinaryCrossEntropy {
  template <class T>
  STRATA_FORMULA T run(T x, T t) {
    return (t - T(1)) * cut(math::log1p(-x)) - t * cut(math::log(x));
  }
  /// At least -100; NaN stays NaN.
  template <class T>
  STRATA_FORMULA T cut(T log) {
    return math::select(log < T(-100), T(-100), log);
  }
};
struct BinaryCrossEntropyWithLogits {
  template <class T>
  STRATA_FORMULA T run(T x, T t) {
    const T negative = math::select(x > T(0), T(0), x);
    return (T(1) - t) * x - negative + math::log1p(math::exp(-math::abs(x)));
  }
};
/// Numbers: beta, 0.5 / beta, 0.5 * beta.
struct SmoothL1 : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T t, T beta, T curvature, T shift) {
    const T size = math::abs(x - t);
    return math::select(size < beta, size * size * curvature, size - shift);
  }
};

/// g times the difference over beta, cut at -1 and 1.
struct SmoothL1Backward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T x, T t, T beta, T, T) {
    const T slope = (x - t) / beta, low = math::select(slope < T(-1), T(-1), slope);
    return g * math::select(low > T(1), T(1), low);
  }
};

// --- three operands -------------------------------------------------------------------------------------------------

/// min(max(x, lo), hi), NaN from any operand.
struct Clamp : Cheap {
  template <class T>
  STRATA_FORMULA T run(T x, T lo, T hi) {
    const T low = math::select(lo == lo, math::select(x < lo, lo, x), lo);
    return math::select(hi == hi, math::select(low > hi, hi, low), hi);
  }
};
/// From the nearer end, so that both ends are met exactly.
struct Lerp : Cheap {
  template <class T>
  STRATA_FORMULA T run(T a, T b, T w) {
    const T diff = b - a;
    return math::select(math::abs(w) < T(0.5), math::fma(w, diff, a), math::fma(-diff, T(1) - w, b));
  }
};
struct Addcmul : Cheap {
  STRATA_FORMULA auto run(auto x, auto a, auto b, auto value) { return x + value * a * b; }
};
struct Addcdiv : Cheap {
  STRATA_FORMULA auto run(auto x, auto a, auto b, auto value) { return x + value * a / b; }
};
