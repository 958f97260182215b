// The arithmetic of the element-wise ops, one value at a time: what the CPU's plain loops and the CUDA kernels compute.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/error.h"
#include "core/half.h"
#include "kernels/arithmetic_complex.h"
#include "kernels/host_device.h"

namespace strata::arithmetic {

// Note [Formulas]
// A formula is a struct whose `F::run(x, ..., numbers...)` computes an op from operands of one type T, and numbers that
// the op's params hold, in T too. T is bool, an integer, float, double, a complex number of those, or a vector of
// floats or doubles: each wherever it has a meaning. Formulas are written with operators and the functions of a
// namespace `math`, which stands here for single numbers and in vec_formulas-inl.h for vectors; a choice is
// `math::select`, which computes both sides. Results have the operands' type, or bool where F::kBool is there. 16-bit
// floats are computed in float. Integers wrap around instead of overflowing. An integer division by zero throws on the
// host; a GPU cannot, there all bits of a quotient are set and a remainder is the dividend.
//
// Formulas that vectors have stand in formulas-inl.h, the others in this file and in arithmetic_special.h.

inline constexpr double kPi = 3.14159265358979323846;

/// The type that values of T are computed in.
template <class T>
using Compute = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

/// Arithmetic on integers that wraps around instead of overflowing.
template <class T>
using Wrapping =
    std::conditional_t<std::is_same_v<T, bool>, unsigned, std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>;

template <class T>
inline constexpr bool kIsInteger = std::is_integral_v<T>;

/// An integer as one whose arithmetic wraps; other numbers are themselves.
template <class T>
STRATA_HD constexpr auto wrapping(T x) {
  if constexpr (kIsInteger<T>)
    return static_cast<Wrapping<T>>(x);
  else
    return x;
}

template <class T>
STRATA_HD constexpr bool is_negative(T x) {
  if constexpr (std::is_signed_v<T>)
    return x < 0;
  else
    return false;
}

/// The result type of a function: the operands' own, or bool.
template <class F, class T>
using Result = std::conditional_t < requires {
  F::kBool;
}
, bool, T > ;

/// Negative powers of integers are 0, but for those of 1 and -1.
template <class T, class E>
STRATA_HD T integer_power(T x, E y) {
  if (is_negative(y)) {
    if (x == T(1)) return 1;
    if (is_negative(x) && x == static_cast<T>(-1)) return y % 2 ? x : T(1);
    return 0;
  }
  T result = 1;
  for (; y; y = static_cast<E>(y / 2), x = static_cast<T>(wrapping(x) * wrapping(x))) {
    if (y % 2) result = static_cast<T>(wrapping(result) * wrapping(x));
  }
  return result;
}

// What formulas are written with, for single numbers; arithmetic_complex.h has the rest.
namespace math {

template <class T>
STRATA_HD T select(bool condition, T x, T y) {
  return condition ? x : y;
}
// Integers are whole already.
template <class T>
STRATA_HD T floor(T x) {
  if constexpr (kIsInteger<T>)
    return x;
  else
    return std::floor(x);
}
template <class T>
STRATA_HD T ceil(T x) {
  if constexpr (kIsInteger<T>)
    return x;
  else
    return std::ceil(x);
}
/// Halves to even.
template <class T>
STRATA_HD T round(T x) {
  if constexpr (kIsInteger<T>)
    return x;
  else
    return std::nearbyint(x);
}
template <class T>
STRATA_HD T trunc(T x) {
  if constexpr (kIsInteger<T>)
    return x;
  else
    return std::trunc(x);
}
/// The share of the standard normal distribution below x.
template <class T>
STRATA_HD T normal_cdf(T x) {
  return T(0.5) * std::erfc(x * T(-0.70710678118654752440));
}
/// The derivative of x times that: the share and x times the density.
template <class T>
STRATA_HD T gelu_slope(T x) {
  constexpr T kDensityAtZero = T(0.39894228040143267794);
  return fma(x, std::exp(x * x * T(-0.5)) * kDensityAtZero, normal_cdf(x));
}
/// Whether it holds for any of the numbers that are computed at once: what few of them need is skipped by it.
STRATA_HD bool any(bool condition) { return condition; }
/// a b + c, rounded once or twice.
template <class T>
STRATA_HD T mul_add(T a, T b, T c) {
  return a * b + c;
}
using std::copysign, std::hypot, std::nextafter;
/// exp(x) of doubles to the digits of a float, for |x| up to 700.
STRATA_HD double exp_to_float(double x) { return std::exp(x); }
template <class T>
STRATA_HD T frexp_mantissa(T x) {
  int exponent = 0;
  return std::isfinite(x) ? std::frexp(x, &exponent) : x;
}
template <class T>
STRATA_HD T frexp_exponent(T x) {
  int exponent = 0;
  if (std::isfinite(x)) std::frexp(x, &exponent);
  return static_cast<T>(exponent);
}
/// The number of the first lane.
STRATA_HD double first(double x) { return x; }
/// F::of, written for doubles, of floats as well.
template <class F, class T, class... More>
STRATA_HD T in_double(T x, More... more) {
  return static_cast<T>(F::template of<T>(static_cast<double>(x), static_cast<double>(more)...));
}
/// F::of of doubles, F::of_floats of floats.
template <class F, class T>
STRATA_HD T in_own(T x) {
  if constexpr (sizeof(T) == 4)
    return F::of_floats(x);
  else
    return F::template of<T>(x);
}
/// The function of doubles, number by number.
template <auto kFunction, class T, class... More>
STRATA_HD T each(T x, More... more) {
  return static_cast<T>(kFunction(static_cast<double>(x), static_cast<double>(more)...));
}
/// What takes the place of a function of doubles for vectors of floats: F::of.
template <class F, auto kFunction, class T, class... More>
STRATA_HD T in_double_or(T x, More... more) {
  return each<kFunction>(x, more...);
}
/// std::fmod, whose loop of divisions most floats do not need. A quotient below 2^29 of two numbers of 24 bits differs
/// by more than a double's rounding from any integer that it is not, so its integer part is right, the product has no
/// more than 53 bits, and the rest is exact.
template <class T>
STRATA_HD T fmod(T x, T y) {
  if constexpr (std::is_same_v<T, float>) {
    const double a = x, b = y, whole = std::trunc(a / b);
    if (std::abs(whole) < 536870912.0 && std::abs(b) < 1e39)  // an infinite divisor has no product
      return std::copysign(static_cast<float>(a - whole * b), x);
  }
  return std::fmod(x, y);
}
template <class T>
requires std::is_integral_v<T> STRATA_HD bool is_inf(T) { return false; }
template <class T>
requires std::is_integral_v<T> STRATA_HD bool is_finite(T) { return true; }
template <class T>
requires std::is_integral_v<T> STRATA_HD T pow(T x, T y) { return integer_power(x, y); }

}  // namespace math

/// Is it? Then the host throws instead.
template <class T>
STRATA_HD bool is_zero_divisor(T y, [[maybe_unused]] const char* op) {
#ifndef __CUDA_ARCH__
  if (y == 0) [[unlikely]]
    STRATA_THROW("{}: integer division by zero", op);
#endif
  return y == 0;
}
template <class T>
STRATA_HD constexpr bool is_minus_one(T y) {
  return is_negative(y) && y == static_cast<T>(-1);
}

#define STRATA_FORMULA STRATA_HD static
#include "kernels/formulas-inl.h"
#undef STRATA_FORMULA

// --- one operand ----------------------------------------------------------------------------------------------------

struct BitwiseNot {
  template <class T>
  STRATA_HD static T run(T x) {
    if constexpr (std::is_same_v<T, bool>)
      return !x;
    else
      return static_cast<T>(~x);
  }
};

// --- two operands ---------------------------------------------------------------------------------------------------

struct BitwiseAnd {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    return static_cast<T>(x & y);
  }
};
struct BitwiseOr {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    return static_cast<T>(x | y);
  }
};
struct BitwiseXor {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    return static_cast<T>(x ^ y);
  }
};
/// Shifts by a negative count, or by all bits or more, push everything out.
template <class T>
STRATA_HD constexpr bool pushes_all_out(T count) {
  return is_negative(count) || static_cast<uint64_t>(count) >= sizeof(T) * 8;
}
struct ShiftLeft {
  template <class T>
  STRATA_HD static T run(T x, T count) {
    return pushes_all_out(count) ? T(0) : static_cast<T>(static_cast<Wrapping<T>>(x) << count);
  }
};
struct ShiftRight {
  template <class T>
  STRATA_HD static T run(T x, T count) {
    return static_cast<T>(x >> (pushes_all_out(count) ? static_cast<T>(sizeof(T) * 8 - 1) : count)) *
           static_cast<T>(!std::is_unsigned_v<T> || !pushes_all_out(count));
  }
};

// --- three operands -------------------------------------------------------------------------------------------------

struct Where {
  template <class T>
  STRATA_HD static T run(bool condition, T x, T y) {
    return condition ? x : y;
  }
};
/// A dropout mask's effect.
struct MaskedScale {
  template <class T>
  STRATA_HD static T run(T x, bool mask, T scale) {
    return x * (static_cast<T>(mask) * scale);
  }
};

// --- complex numbers ------------------------------------------------------------------------------------------------

struct Conj {
  template <class T>
  STRATA_HD static Complex<T> run(Complex<T> z) {
    return {z.real(), -z.imag()};
  }
};
/// The complex number of two parts.
struct Join {
  template <class T>
  STRATA_HD static Complex<T> run(T re, T im) {
    return {re, im};
  }
};
/// The absolute value.
struct Length {
  template <class T>
  STRATA_HD static T run(Complex<T> z) {
    return math::abs(z);
  }
};

}  // namespace strata::arithmetic
