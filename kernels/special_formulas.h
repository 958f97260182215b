// The formulas of the functions of mathematics beyond those of the C library, all computed in double, of whole numbers
// and of the bits of floats; and which op each belongs to.
#pragma once
#include "kernels/op_formulas.h"
#include "kernels/special_bessel.h"
#include "kernels/special_erf.h"
#include "kernels/special_gamma.h"
#include "kernels/special_polynomials.h"
#include "ops/digits_def.h"
#include "ops/special_def.h"

namespace strata::arithmetic {

template <double (*kFunction)(double)>
struct InDouble : Long {
  template <class T>
  STRATA_HD static T run(T x) {
    return static_cast<T>(kFunction(static_cast<double>(x)));
  }
};
template <double (*kFunction)(double, double)>
struct PairInDouble : Long {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    return static_cast<T>(kFunction(static_cast<double>(x), static_cast<double>(y)));
  }
};

namespace special {
// As the ops take them: what they are derived by stands first.
STRATA_HD double gamma_p(double x, double a) { return incomplete_gamma(a, x, true); }
STRATA_HD double gamma_q(double x, double a) { return incomplete_gamma(a, x, false); }
/// Hurwitz's zeta with PyTorch's limits in s.
STRATA_HD double zeta_of(double q, double s) { return s == 1 ? kInf : s < 1 || std::isnan(s) ? kNaN : zeta(s, q); }
}  // namespace special

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
struct Nextafter {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    return std::nextafter(x, y);
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

template <Op& op, class P, double (*... kFunctions)(double)>
using KindsInDouble = OpFormulas<op, 1, kFloats, P, InDouble<kFunctions>...>;
template <Op& op, class P, double (*... kFunctions)(double, double)>
using PairKindsInDouble = OpFormulas<op, 2, kFloats, P, PairInDouble<kFunctions>...>;

// Of an op of several kinds the functions stand in the order of their enum in ops/special_def.h.
using OfSpecial =
    List<Unary<erfcx_op, InDouble<&special::erfcx>, kFloats>,             //
         Unary<log_ndtr_op, InDouble<&special::log_ndtr>, kFloats>,       //
         Unary<ndtri_op, InDouble<&special::ndtri>, kFloats>,             //
         Binary<zeta_op, PairInDouble<&special::zeta_of>, kFloats>,       //
         Binary<gammainc_op, PairInDouble<&special::gamma_p>, kFloats>,   //
         Binary<gammaincc_op, PairInDouble<&special::gamma_q>, kFloats>,  //
         Binary<gcd_op, Gcd, kIntegers>,                                  //
         Binary<lcm_op, Lcm, kIntegers>,                                  //
         Binary<nextafter_op, Nextafter, kFloats>,                        //
         Unary<frexp_mantissa_op, FrexpMantissa, kFloats>,                //
         Unary<frexp_exponent_op, FrexpExponent, kFloats>,                //
         KindsInDouble<bessel_op, BesselParams, &special::bessel_j0, &special::bessel_j1, &special::bessel_y0,
                       &special::bessel_y1, &special::bessel_i0, &special::bessel_i1, &special::bessel_i0e,
                       &special::bessel_i1e, &special::bessel_k0, &special::bessel_k1, &special::bessel_k0e,
                       &special::bessel_k1e, &special::airy_ai, &special::airy_ai_slope>,
         PairKindsInDouble<polynomial_op, PolynomialParams, &special::chebyshev_t, &special::chebyshev_u,
                           &special::chebyshev_v, &special::chebyshev_w, &special::shifted_chebyshev_t,
                           &special::shifted_chebyshev_u, &special::shifted_chebyshev_v, &special::shifted_chebyshev_w,
                           &special::hermite_h, &special::hermite_he, &special::laguerre_l, &special::legendre_p>>;

}  // namespace strata::arithmetic
