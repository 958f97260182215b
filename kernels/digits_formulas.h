// The formulas of divisors of whole numbers and of the digits of floats, and which op each belongs to.
#pragma once
#include "kernels/op_formulas.h"
#include "ops/digits_def.h"

namespace strata::arithmetic {

// --- whole numbers and bits -----------------------------------------------------------------------------------------

/// By Euclid's algorithm; of the lowest integer the absolute value wraps.
struct Gcd {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    using U = std::make_unsigned_t<T>;
    U a = static_cast<U>(Abs::run(x)), b = static_cast<U>(Abs::run(y));
    while (b != 0) {
      const U rest = static_cast<U>(a % b);
      a = b;
      b = rest;
    }
    return static_cast<T>(a);
  }
};
/// 0 where both are; it wraps.
struct Lcm {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    const T g = Gcd::run(x, y);
    return g == 0 ? T(0) : Abs::run(Mul::run(DivTrunc::run(x, g), y));
  }
};
/// x = m 2^e with 0.5 <= |m| < 1; zeros, infinities and NaN are their own m, of e = 0.
struct FrexpMantissa {
  template <class T>
  STRATA_HD static T run(T x) {
    int exponent = 0;
    return std::isfinite(x) ? std::frexp(x, &exponent) : x;
  }
};
struct FrexpExponent {
  template <class T>
  STRATA_HD static T run(T x) {
    int exponent = 0;
    if (std::isfinite(x)) std::frexp(x, &exponent);
    return static_cast<T>(exponent);
  }
};

// --- ops ------------------------------------------------------------------------------------------------------------

using Digits = List<Binary<gcd_op, Gcd, kIntegers>,                    //
                    Binary<lcm_op, Lcm, kIntegers>,                    //
                    Unary<frexp_mantissa_op, FrexpMantissa, kFloats>,  //
                    Unary<frexp_exponent_op, FrexpExponent, kFloats>>;

}  // namespace strata::arithmetic
