// The ops of namespace special, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Bessel functions of orders 0 and 1: of the first and second kind, the modified ones, these times exp(-|x|) or
/// exp(x); and Airy's function with its derivative. I0 is an op of its own, whose slope does not need its values.
enum class Bessel : int64_t { kJ0, kJ1, kY0, kY1, kI1, kI0e, kI1e, kK0, kK1, kK0e, kK1e, kAiry, kAirySlope };
struct BesselParams {
  Bessel kind;
};

/// Orthogonal polynomials.
enum class Polynomial : int64_t {
  kChebyshevT,
  kChebyshevU,
  kChebyshevV,
  kChebyshevW,
  kShiftedChebyshevT,
  kShiftedChebyshevU,
  kShiftedChebyshevV,
  kShiftedChebyshevW,
  kHermiteH,
  kHermiteHe,
  kLaguerreL,
  kLegendreP
};
struct PolynomialParams {
  Polynomial kind;
};

extern Op bessel_op, i0_op, xlog1py_op, entr_op, erfcx_op, ndtr_op, log_ndtr_op, ndtri_op;
/// Of x and the degree n; it has no derivative.
extern Op polynomial_op;
/// Of x, by which they are derived, and of an order, by which they are not.
extern Op zeta_op, gammainc_op, gammaincc_op;

}  // namespace strata
