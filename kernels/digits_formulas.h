// The formulas of common divisors and multiples, and which op each belongs to.
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
/// 0 where both are; it wraps. What has fewer bits than an int is multiplied as ints are, and the absolute value wraps.
struct Lcm {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    if constexpr (sizeof(T) < sizeof(int)) return static_cast<T>(run<int>(x, y));
    const T g = Gcd::run(x, y);
    return g == 0 ? T(0) : Abs::run(Mul::run(DivTrunc::run(x, g), y));
  }
};
// --- ops ------------------------------------------------------------------------------------------------------------

using Digits = List<Binary<gcd_op, Gcd, kIntegers>, Binary<lcm_op, Lcm, kIntegers>>;

}  // namespace strata::arithmetic
