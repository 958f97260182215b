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

// Note [Arithmetic]
// Each function is `F::run(x, ..., numbers...)` for operands of one type: bool, an integer, float, double or, where
// that has a meaning, a complex number of those. Results have the operands' type, or bool where F::kBool is there.
// 16-bit floats are computed in float. Integers wrap around instead of overflowing. An integer division by zero throws
// on the host; a GPU cannot, there all bits of a quotient are set and a remainder is the dividend.

/// The type that values of T are computed in.
template <class T>
using Compute = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

/// Arithmetic on integers that wraps around instead of overflowing.
template <class T>
using Wrapping =
    std::conditional_t<std::is_same_v<T, bool>, unsigned, std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>;

template <class T>
inline constexpr bool kIsInteger = std::is_integral_v<T>;

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

/// Functions whose result is bool.
struct Test {
  static constexpr bool kBool = true;
};

// --- one operand ----------------------------------------------------------------------------------------------------

struct Same {
  template <class T>
  STRATA_HD static T run(T x) {
    return x;
  }
};
struct Neg {
  template <class T>
  STRATA_HD static T run(T x) {
    if constexpr (kIsInteger<T>)
      return static_cast<T>(Wrapping<T>(0) - static_cast<Wrapping<T>>(x));
    else
      return -x;
  }
};
struct Abs {
  template <class T>
  STRATA_HD static T run(T x) {
    if constexpr (kIsInteger<T>)
      return is_negative(x) ? Neg::run(x) : x;
    else
      return std::abs(x);
  }
};
/// 0 for NaN.
struct Sign {
  template <class T>
  STRATA_HD static T run(T x) {
    return static_cast<T>((x > T(0)) - is_negative(x));
  }
};
struct Square {
  template <class T>
  STRATA_HD static T run(T x) {
    if constexpr (kIsInteger<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(x) * static_cast<Wrapping<T>>(x));
    else
      return x * x;
  }
};
struct Cube {
  template <class T>
  STRATA_HD static T run(T x) {
    return x * x * x;
  }
};
/// NaN stays NaN.
struct Relu {
  template <class T>
  STRATA_HD static T run(T x) {
    return x <= T(0) ? T(0) : x;
  }
};
struct Sqrt {
  template <class T>
  STRATA_HD static T run(T x) {
    return math::sqrt(x);
  }
};
struct Rsqrt {
  template <class T>
  STRATA_HD static T run(T x) {
    return T(1) / math::sqrt(x);
  }
};
struct Reciprocal {
  template <class T>
  STRATA_HD static T run(T x) {
    return T(1) / x;
  }
};
// Integers are whole already.
struct Floor {
  template <class T>
  STRATA_HD static T run(T x) {
    if constexpr (kIsInteger<T>)
      return x;
    else
      return std::floor(x);
  }
};
struct Ceil {
  template <class T>
  STRATA_HD static T run(T x) {
    if constexpr (kIsInteger<T>)
      return x;
    else
      return std::ceil(x);
  }
};
/// Halves to even.
struct Round {
  template <class T>
  STRATA_HD static T run(T x) {
    if constexpr (kIsInteger<T>)
      return x;
    else
      return std::nearbyint(x);
  }
};
struct Trunc {
  template <class T>
  STRATA_HD static T run(T x) {
    if constexpr (kIsInteger<T>)
      return x;
    else
      return std::trunc(x);
  }
};
struct Frac {
  template <class T>
  STRATA_HD static T run(T x) {
    return x - std::trunc(x);
  }
};
struct IsNan : Test {
  template <class T>
  STRATA_HD static bool run(T x) {
    return x != x;
  }
};
struct IsInf : Test {
  template <class T>
  STRATA_HD static bool run(T x) {
    if constexpr (kIsInteger<T>)
      return false;
    else
      return math::is_inf(x);
  }
};
struct IsFinite : Test {
  template <class T>
  STRATA_HD static bool run(T x) {
    if constexpr (kIsInteger<T>)
      return true;
    else
      return math::is_finite(x);
  }
};
struct LogicalNot : Test {
  template <class T>
  STRATA_HD static bool run(T x) {
    return x == T(0);
  }
};
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

struct Add {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    if constexpr (kIsInteger<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(x) + static_cast<Wrapping<T>>(y));
    else
      return x + y;
  }
};
struct Sub {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    if constexpr (kIsInteger<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(x) - static_cast<Wrapping<T>>(y));
    else
      return x - y;
  }
};
struct Mul {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    if constexpr (kIsInteger<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(x) * static_cast<Wrapping<T>>(y));
    else
      return x * y;
  }
};
struct Div {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    return x / y;
  }
};
/// NaN in either operand is the result; so in Minimum.
struct Maximum {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    return x != x || x > y ? x : y;
  }
};
struct Minimum {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    return x != x || x < y ? x : y;
  }
};

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

/// Rounds towards zero; the lowest integer over -1 wraps.
struct DivTrunc {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "div")) return static_cast<T>(-1);
      return is_minus_one(y) ? Neg::run(x) : static_cast<T>(x / y);
    } else {
      return std::trunc(x / y);
    }
  }
};
/// The sign of the dividend.
struct Fmod {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "fmod")) return x;
      return is_minus_one(y) ? T(0) : static_cast<T>(x % y);
    } else {
      return std::fmod(x, y);
    }
  }
};
/// The sign of the divisor.
struct Remainder {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "remainder")) return x;
    }
    const T r = Fmod::run(x, y);
    return r != 0 && is_negative(r) != is_negative(y) ? static_cast<T>(r + y) : r;
  }
};
struct FloorDivide {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    if constexpr (kIsInteger<T>) {
      if (is_zero_divisor(y, "floor_divide")) return static_cast<T>(-1);
      const T q = DivTrunc::run(x, y);
      return Fmod::run(x, y) != 0 && is_negative(x) != is_negative(y) ? static_cast<T>(q - 1) : q;
    } else {
      return of_floats(x, y);
    }
  }
  /// As Python and PyTorch do it: exact where x / y rounded up to an integer that is too large.
  template <class T>
  STRATA_HD static T of_floats(T x, T y) {
    if (y == 0) return x / y;
    const T mod = std::fmod(x, y);
    T quotient = (x - mod) / y;
    if (mod != 0 && (y < 0) != (mod < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(T(0), x / y);
    const T floored = std::floor(quotient);
    return quotient - floored > T(0.5) ? floored + 1 : floored;
  }
};
/// Negative powers of integers are 0, but for those of 1 and -1.
struct PowInteger {
  template <class T, class E>
  STRATA_HD static T run(T x, E y) {
    if (is_negative(y)) {
      if (x == T(1)) return 1;
      if (is_minus_one(x)) return y % 2 ? x : T(1);
      return 0;
    }
    T result = 1;
    for (; y; y = static_cast<E>(y / 2), x = Mul::run(x, x)) {
      if (y % 2) result = Mul::run(result, x);
    }
    return result;
  }
};

struct Eq : Test {
  template <class T>
  STRATA_HD static bool run(T x, T y) {
    return x == y;
  }
};
struct Ne : Test {
  template <class T>
  STRATA_HD static bool run(T x, T y) {
    return x != y;
  }
};
struct Lt : Test {
  template <class T>
  STRATA_HD static bool run(T x, T y) {
    return x < y;
  }
};
struct Le : Test {
  template <class T>
  STRATA_HD static bool run(T x, T y) {
    return x <= y;
  }
};
struct Gt : Test {
  template <class T>
  STRATA_HD static bool run(T x, T y) {
    return x > y;
  }
};
struct Ge : Test {
  template <class T>
  STRATA_HD static bool run(T x, T y) {
    return x >= y;
  }
};
struct LogicalAnd : Test {
  template <class T>
  STRATA_HD static bool run(T x, T y) {
    return (x != 0) & (y != 0);
  }
};
struct LogicalOr : Test {
  template <class T>
  STRATA_HD static bool run(T x, T y) {
    return (x != 0) | (y != 0);
  }
};
struct LogicalXor : Test {
  template <class T>
  STRATA_HD static bool run(T x, T y) {
    return (x != 0) != (y != 0);
  }
};
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
/// min(max(x, lo), hi), NaN from any operand.
struct Clamp {
  template <class T>
  STRATA_HD static T run(T x, T lo, T hi) {
    const T low = lo != lo || x < lo ? lo : x;
    return hi != hi || low > hi ? hi : low;
  }
};
/// From the nearer end, so that both ends are met exactly.
struct Lerp {
  template <class T>
  STRATA_HD static T run(T a, T b, T w) {
    const T diff = b - a;
    return std::abs(w) < T(0.5) ? std::fma(w, diff, a) : std::fma(-diff, T(1) - w, b);
  }
};
struct Addcmul {
  template <class T>
  STRATA_HD static T run(T x, T a, T b, T value) {
    return x + value * a * b;
  }
};
struct Addcdiv {
  template <class T>
  STRATA_HD static T run(T x, T a, T b, T value) {
    return x + value * a / b;
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
