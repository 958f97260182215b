// The functions of namespace special that are ops: rules and public functions.
#include <cmath>
#include <numbers>

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/overwrite.h"
#include "ops/rules.h"
#include "ops/run_broadcast.h"
#include "ops/special.h"
#include "ops/special_def.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "ops/without_slope.h"

namespace strata {
namespace {

Tensor bessel(Bessel kind, const Tensor& x) { return call1(bessel_op, {&x}, BesselParams{kind}); }

/// y / x, and its limit at 0.
Tensor over(const Tensor& y, const Tensor& x, double limit) {
  const Tensor is_zero = x == 0;
  return where(is_zero, limit, y / where(is_zero, 1, x));
}

/// J1(x) / x for sign -1, I1(x) / x for 1, of y = J1(x) or I1(x). Derivatives of the quotient lose a power of x in
/// digits with each order, so near 0 it is the power series, DLMF 10.2.2 and 10.25.2: 1/2 sum (sign x^2 / 4)^k / (k!
/// (k + 1)!). The first term left out is below 1e-20 of the first there, and at 0 it tells from the 12th derivative on.
Tensor first_order_over(const Tensor& y, const Tensor& x, double sign) {
  constexpr double kNear = 0.125;
  constexpr int kTerms = 5;
  const Tensor is_near = abs(x) < kNear, t = square(where(is_near, x, 0)) * (sign / 4);
  Tensor series = t * (1.0 / (kTerms * (kTerms + 1))) + 1;
  for (int k = kTerms - 1; k > 0; --k) series = t * series * (1.0 / (k * (k + 1))) + 1;
  return where(is_near, series * 0.5, y / where(is_near, 1, x));
}

/// The derivative of y = f(x): DLMF 10.6, 10.29 and 9.2.1.
Tensor slope_of(Bessel kind, const Tensor& x, const Tensor& y) {
  switch (kind) {
    case Bessel::kJ0:
      return -bessel(Bessel::kJ1, x);
    case Bessel::kJ1:
      return bessel(Bessel::kJ0, x) - first_order_over(y, x, -1);
    case Bessel::kY0:
      return -bessel(Bessel::kY1, x);
    case Bessel::kY1:
      return bessel(Bessel::kY0, x) - y / x;
    case Bessel::kI1:
      return i0(x) - first_order_over(y, x, 1);
    case Bessel::kI0e:
      return bessel(Bessel::kI1e, x) - sign(x) * y;
    case Bessel::kI1e:
      return bessel(Bessel::kI0e, x) - over(y, x, 0.5) - sign(x) * y;
    case Bessel::kK0:
      return -bessel(Bessel::kK1, x);
    case Bessel::kK1:
      return -bessel(Bessel::kK0, x) - y / x;
    case Bessel::kK0e:
      return y - bessel(Bessel::kK1e, x);
    case Bessel::kK1e:
      return y - bessel(Bessel::kK0e, x) - y / x;
    case Bessel::kAiry:
      return bessel(Bessel::kAirySlope, x);
    default:
      return x * bessel(Bessel::kAiry, x);
  }
}

/// x^(a - 1) exp(-x) / Gamma(a), by which the incomplete gamma function P(a, x) grows in x.
Tensor gamma_slope(const Tensor& a, const Tensor& x) { return exp((a - 1) * log(x) - x - lgamma(a)); }

}  // namespace

STRATA_OP(bessel_op) = pointwise<BesselParams>("bessel(Tensor x, int kind) -> Tensor",
                                               [](const Primals& c, const BesselParams& p) {
                                                 return slope_of(p.kind, c.in(0), c.out());
                                               })
                           .saves(saves_in(0) | saves_out(0))
                           .dtypes(kFloatingTypes);
STRATA_OP(i0_op) = pointwise("i0(Tensor x) -> Tensor", [](const Primals& c) { return bessel(Bessel::kI1, c.in(0)); })
                       .saves(saves_in(0))
                       .dtypes(kFloatingTypes);
STRATA_OP(polynomial_op) =
    pointwise_constant<PolynomialParams>("polynomial(Tensor x, Tensor n, int kind) -> Tensor").dtypes(kFloatingTypes);
STRATA_OP(entr_op) = pointwise("entr(Tensor x) -> Tensor", [](const Primals& c) { return -1 - log(c.in(0)); })
                         .saves(saves_in(0))
                         .dtypes(kFloatingTypes);
STRATA_OP(erfcx_op) = pointwise("erfcx(Tensor x) -> Tensor",
                                [](const Primals& c) { return 2 * (c.in(0) * c.out()) - 2 * std::numbers::inv_sqrtpi; })
                          .saves(saves_in(0) | saves_out(0))
                          .dtypes(kFloatingTypes);
STRATA_OP(ndtr_op) = pointwise("ndtr(Tensor x) -> Tensor",
                               [](const Primals& c) {
                                 return exp(square(c.in(0)) * -0.5) * (std::numbers::inv_sqrtpi * std::sqrt(0.5));
                               })
                         .saves(saves_in(0))
                         .dtypes(kFloatingTypes);
STRATA_OP(log_ndtr_op) = pointwise("log_ndtr(Tensor x) -> Tensor",
                                   [](const Primals& c) {
                                     // The density over the distribution function, as both vanish.
                                     return std::sqrt(2 / std::numbers::pi) / special::erfcx(c.in(0) * -std::sqrt(0.5));
                                   })
                             .saves(saves_in(0))
                             .dtypes(kFloatingTypes);
STRATA_OP(ndtri_op) = pointwise("ndtri(Tensor x) -> Tensor",
                                [](const Primals& c) {
                                  return std::sqrt(2 * std::numbers::pi) * exp(0.5 * square(c.out()));
                                })
                          .saves(saves_out(0))
                          .dtypes(kFloatingTypes);
STRATA_OP(zeta_op) = pointwise(
                         "zeta(Tensor q, Tensor s) -> Tensor",
                         [](const Primals& c) { return -c.in(1) * special::zeta(c.in(1) + 1, c.in(0)); }, zero)
                         .saves_for(0, saves_in(0, 1))
                         .dtypes(kFloatingTypes);
STRATA_OP(gammainc_op) = pointwise(
                             "gammainc(Tensor x, Tensor a) -> Tensor",
                             [](const Primals& c) { return gamma_slope(c.in(1), c.in(0)); }, zero)
                             .saves_for(0, saves_in(0, 1))
                             .dtypes(kFloatingTypes);
STRATA_OP(gammaincc_op) = pointwise(
                              "gammaincc(Tensor x, Tensor a) -> Tensor",
                              [](const Primals& c) { return -gamma_slope(c.in(1), c.in(0)); }, zero)
                              .saves_for(0, saves_in(0, 1))
                              .dtypes(kFloatingTypes);

namespace {

Tensor floating(const char* op, const Tensor& x) {
  STRATA_CHECK_AS(NotImplementedError, !is_complex(x.dtype()), "{}: not implemented for {}", op, name(x.dtype()));
  return cast(x, float_type(x.dtype()));
}
Tensor run(const Op& op, const char* name, const Tensor& x) {
  const Tensor y = floating(name, x);
  return call1(op, {&y});
}
Tensor run(Bessel kind, const char* name, const Tensor& x) { return bessel(kind, floating(name, x)); }

DType floating_type(const char* op, DType t) {
  STRATA_CHECK_AS(NotImplementedError, !is_complex(t), "{}: not implemented for {}", op, name(t));
  return float_type(t);
}
/// An order that the function has no derivative by.
Tensor order(const Tensor& x, NoSlope why) { return without_slope(stop_gradient(x), x, why); }
template <class P = NoParams>
Tensor run(const Op& op, const char* name, const Tensor& a, const Tensor& b, const P& p = {}) {
  return detail::run_broadcast(op, name, a, b, floating_type(name, result_type(a, b)), p);
}
Tensor run(Polynomial kind, const char* name, const Tensor& x, const Tensor& n) {
  return run(polynomial_op, name, x, n, PolynomialParams{kind});
}
Tensor number(const Scalar& value, const Tensor& beside, const char* name) {
  const DType t = floating_type(name, result_type(beside, value));
  return scalar_tensor(value, TensorOptions(t).device(beside.device()));
}

}  // namespace

Tensor i0(const Tensor& x) { return run(i0_op, "i0", x); }
Tensor& i0_(Tensor& x) {
  return detail::overwrite(x, "i0_", [&] { return i0(detail::before(x)); });
}
Tensor igamma(const Tensor& a, const Tensor& x) { return run(gammainc_op, "igamma", x, order(a, NoSlope::kIgamma)); }
Tensor igammac(const Tensor& a, const Tensor& x) {
  return run(gammaincc_op, "igammac", x, order(a, NoSlope::kIgammac));
}

Tensor Tensor::i0() const { return strata::i0(*this); }
Tensor& Tensor::i0_() const { return strata::i0_(self()); }
Tensor Tensor::igamma(const Tensor& other) const { return strata::igamma(*this, other); }
Tensor& Tensor::igamma_(const Tensor& other) const {
  return detail::overwrite(self(), "igamma_", [&] { return detail::before(self(), other).igamma(other); });
}
Tensor Tensor::igammac(const Tensor& other) const { return strata::igammac(*this, other); }
Tensor& Tensor::igammac_(const Tensor& other) const {
  return detail::overwrite(self(), "igammac_", [&] { return detail::before(self(), other).igammac(other); });
}

namespace special {

Tensor i0e(const Tensor& x) { return run(Bessel::kI0e, "i0e", x); }
Tensor i1(const Tensor& x) { return run(Bessel::kI1, "i1", x); }
Tensor i1e(const Tensor& x) { return run(Bessel::kI1e, "i1e", x); }
Tensor bessel_j0(const Tensor& x) { return run(Bessel::kJ0, "bessel_j0", x); }
Tensor bessel_j1(const Tensor& x) { return run(Bessel::kJ1, "bessel_j1", x); }
Tensor bessel_y0(const Tensor& x) { return run(Bessel::kY0, "bessel_y0", x); }
Tensor bessel_y1(const Tensor& x) { return run(Bessel::kY1, "bessel_y1", x); }
Tensor modified_bessel_k0(const Tensor& x) { return run(Bessel::kK0, "modified_bessel_k0", x); }
Tensor modified_bessel_k1(const Tensor& x) { return run(Bessel::kK1, "modified_bessel_k1", x); }
Tensor scaled_modified_bessel_k0(const Tensor& x) { return run(Bessel::kK0e, "scaled_modified_bessel_k0", x); }
Tensor scaled_modified_bessel_k1(const Tensor& x) { return run(Bessel::kK1e, "scaled_modified_bessel_k1", x); }
Tensor airy_ai(const Tensor& x) { return run(Bessel::kAiry, "airy_ai", x); }
Tensor entr(const Tensor& x) { return run(entr_op, "entr", x); }
Tensor erfcx(const Tensor& x) { return run(erfcx_op, "erfcx", x); }
/// The slope is taken at a copy, as PyTorch's, so that the operand may be written over before it is asked for.
Tensor ndtr(const Tensor& x) { return run(ndtr_op, "ndtr", detail::before(x)); }
Tensor log_ndtr(const Tensor& x) { return run(log_ndtr_op, "log_ndtr", x); }
Tensor ndtri(const Tensor& x) { return run(ndtri_op, "ndtri", x); }

Tensor xlog1py(const Tensor& a, const Tensor& b) { return run(xlog1py_op, "xlog1py", a, b); }
Tensor xlog1py(const Tensor& a, const Scalar& b) { return xlog1py(a, number(b, a, "xlog1py")); }
Tensor xlog1py(const Scalar& a, const Tensor& b) { return xlog1py(number(a, b, "xlog1py"), b); }

Tensor zeta(const Tensor& x, const Tensor& q) { return run(zeta_op, "zeta", q, order(x, NoSlope::kZeta)); }
Tensor zeta(const Tensor& x, const Scalar& q) { return zeta(x, number(q, x, "zeta")); }
Tensor zeta(const Scalar& x, const Tensor& q) { return zeta(number(x, q, "zeta"), q); }

// The three forms of a polynomial.
#define STRATA_POLYNOMIAL(f, kind)                                                       \
  Tensor f(const Tensor& x, const Tensor& n) { return run(Polynomial::kind, #f, x, n); } \
  Tensor f(const Tensor& x, const Scalar& n) { return f(x, number(n, x, #f)); }          \
  Tensor f(const Scalar& x, const Tensor& n) { return f(number(x, n, #f), n); }

STRATA_POLYNOMIAL(chebyshev_polynomial_t, kChebyshevT)
STRATA_POLYNOMIAL(chebyshev_polynomial_u, kChebyshevU)
STRATA_POLYNOMIAL(chebyshev_polynomial_v, kChebyshevV)
STRATA_POLYNOMIAL(chebyshev_polynomial_w, kChebyshevW)
STRATA_POLYNOMIAL(shifted_chebyshev_polynomial_t, kShiftedChebyshevT)
STRATA_POLYNOMIAL(shifted_chebyshev_polynomial_u, kShiftedChebyshevU)
STRATA_POLYNOMIAL(shifted_chebyshev_polynomial_v, kShiftedChebyshevV)
STRATA_POLYNOMIAL(shifted_chebyshev_polynomial_w, kShiftedChebyshevW)
STRATA_POLYNOMIAL(hermite_polynomial_h, kHermiteH)
STRATA_POLYNOMIAL(hermite_polynomial_he, kHermiteHe)
STRATA_POLYNOMIAL(laguerre_polynomial_l, kLaguerreL)
STRATA_POLYNOMIAL(legendre_polynomial_p, kLegendreP)
#undef STRATA_POLYNOMIAL

}  // namespace special
}  // namespace strata
