// libtorch's namespace special: functions of mathematics and statistics, element by element.
#pragma once
#include <optional>

#include "../core/tensor.h"
#include "binary.h"
#include "pointwise_functions.h"
#include "reduce.h"
#include "softmax.h"
#include "unary.h"

namespace strata {

/// The modified Bessel function of the first kind and order 0; even.
Tensor i0(const Tensor& x);
Tensor& i0_(Tensor& x);
/// The regularized lower incomplete gamma function P(a, x), the integral of t^(a - 1) exp(-t) / Gamma(a) from 0 to x;
/// NaN where a or x is negative. It has no derivative by a: to ask for one is an error in backward.
Tensor igamma(const Tensor& a, const Tensor& x);
/// The upper one, Q = 1 - P, exact where it is small.
Tensor igammac(const Tensor& a, const Tensor& x);

}  // namespace strata

namespace strata::special {

// Integer tensors are converted to the default floating point dtype first.

/// -x log(x); 0 at 0 and -inf below. Its gradient at 0 is inf.
Tensor entr(const Tensor& x);
/// The share of the standard normal distribution below x.
Tensor ndtr(const Tensor& x);
/// a log(1 + b), and 0 where a is 0 (unless b is NaN).
Tensor xlog1py(const Tensor& a, const Tensor& b);
Tensor xlog1py(const Tensor& a, const Scalar& b);
Tensor xlog1py(const Scalar& a, const Tensor& b);

// Bessel functions (DLMF 10). They have derivatives, also those that have none in PyTorch.
/// Of the first kind, orders 0 and 1.
Tensor bessel_j0(const Tensor& x);
Tensor bessel_j1(const Tensor& x);
/// Of the second kind; -inf at 0 and NaN below.
Tensor bessel_y0(const Tensor& x);
Tensor bessel_y1(const Tensor& x);
/// Modified, of the first kind: I0, and exp(-|x|) times it; I1 likewise.
using strata::i0;
Tensor i0e(const Tensor& x);
Tensor i1(const Tensor& x);
Tensor i1e(const Tensor& x);
inline Tensor modified_bessel_i0(const Tensor& x) { return i0(x); }
inline Tensor modified_bessel_i1(const Tensor& x) { return i1(x); }
/// Modified, of the second kind; inf at 0 and NaN below. `scaled` ones are multiplied by exp(x).
Tensor modified_bessel_k0(const Tensor& x);
Tensor modified_bessel_k1(const Tensor& x);
Tensor scaled_modified_bessel_k0(const Tensor& x);
Tensor scaled_modified_bessel_k1(const Tensor& x);
/// Spherical, of the first kind and order 0: sin(x) / x, 1 at 0 and 0 at infinity.
Tensor spherical_bessel_j0(const Tensor& x);
/// Airy's function Ai (DLMF 9); NaN at infinity.
Tensor airy_ai(const Tensor& x);

/// exp(x^2) erfc(x).
Tensor erfcx(const Tensor& x);
/// log(ndtr(x)), exact where that vanishes.
Tensor log_ndtr(const Tensor& x);
/// The inverse of ndtr on [0, 1]; NaN outside.
Tensor ndtri(const Tensor& x);
/// igamma and igammac.
inline Tensor gammainc(const Tensor& a, const Tensor& x) { return igamma(a, x); }
inline Tensor gammaincc(const Tensor& a, const Tensor& x) { return igammac(a, x); }
/// Hurwitz's zeta function, the sum of (k + q)^-x over k = 0, 1, ...; inf for x = 1, NaN below. It has no
/// derivative by x, and throws where one would be recorded.
Tensor zeta(const Tensor& x, const Tensor& q);
Tensor zeta(const Tensor& x, const Scalar& q);
Tensor zeta(const Scalar& x, const Tensor& q);

// Orthogonal polynomials (DLMF 18) of degree n, which loses its fraction; 0 for n < 0, and NaN above a million
// but for Chebyshev's between -1 and 1. They have no derivative, and results that require none, as PyTorch's.
/// Chebyshev's T_n(x), of the first kind.
Tensor chebyshev_polynomial_t(const Tensor& x, const Tensor& n);
Tensor chebyshev_polynomial_t(const Tensor& x, const Scalar& n);
Tensor chebyshev_polynomial_t(const Scalar& x, const Tensor& n);
/// U_n(x), of the second kind.
Tensor chebyshev_polynomial_u(const Tensor& x, const Tensor& n);
Tensor chebyshev_polynomial_u(const Tensor& x, const Scalar& n);
Tensor chebyshev_polynomial_u(const Scalar& x, const Tensor& n);
/// V_n(x), of the third kind.
Tensor chebyshev_polynomial_v(const Tensor& x, const Tensor& n);
Tensor chebyshev_polynomial_v(const Tensor& x, const Scalar& n);
Tensor chebyshev_polynomial_v(const Scalar& x, const Tensor& n);
/// W_n(x), of the fourth kind.
Tensor chebyshev_polynomial_w(const Tensor& x, const Tensor& n);
Tensor chebyshev_polynomial_w(const Tensor& x, const Scalar& n);
Tensor chebyshev_polynomial_w(const Scalar& x, const Tensor& n);
/// The same at 2x - 1, orthogonal on [0, 1].
Tensor shifted_chebyshev_polynomial_t(const Tensor& x, const Tensor& n);
Tensor shifted_chebyshev_polynomial_t(const Tensor& x, const Scalar& n);
Tensor shifted_chebyshev_polynomial_t(const Scalar& x, const Tensor& n);
Tensor shifted_chebyshev_polynomial_u(const Tensor& x, const Tensor& n);
Tensor shifted_chebyshev_polynomial_u(const Tensor& x, const Scalar& n);
Tensor shifted_chebyshev_polynomial_u(const Scalar& x, const Tensor& n);
Tensor shifted_chebyshev_polynomial_v(const Tensor& x, const Tensor& n);
Tensor shifted_chebyshev_polynomial_v(const Tensor& x, const Scalar& n);
Tensor shifted_chebyshev_polynomial_v(const Scalar& x, const Tensor& n);
Tensor shifted_chebyshev_polynomial_w(const Tensor& x, const Tensor& n);
Tensor shifted_chebyshev_polynomial_w(const Tensor& x, const Scalar& n);
Tensor shifted_chebyshev_polynomial_w(const Scalar& x, const Tensor& n);
/// Hermite's H_n(x) of physics.
Tensor hermite_polynomial_h(const Tensor& x, const Tensor& n);
Tensor hermite_polynomial_h(const Tensor& x, const Scalar& n);
Tensor hermite_polynomial_h(const Scalar& x, const Tensor& n);
/// He_n(x) of probability.
Tensor hermite_polynomial_he(const Tensor& x, const Tensor& n);
Tensor hermite_polynomial_he(const Tensor& x, const Scalar& n);
Tensor hermite_polynomial_he(const Scalar& x, const Tensor& n);
/// Laguerre's L_n(x).
Tensor laguerre_polynomial_l(const Tensor& x, const Tensor& n);
Tensor laguerre_polynomial_l(const Tensor& x, const Scalar& n);
Tensor laguerre_polynomial_l(const Scalar& x, const Tensor& n);
/// Legendre's P_n(x).
Tensor legendre_polynomial_p(const Tensor& x, const Tensor& n);
Tensor legendre_polynomial_p(const Tensor& x, const Scalar& n);
Tensor legendre_polynomial_p(const Scalar& x, const Tensor& n);

// Functions that stand in strata:: too, some under another name.
inline Tensor expit(const Tensor& x) { return sigmoid(x); }
inline Tensor gammaln(const Tensor& x) { return lgamma(x); }
inline Tensor psi(const Tensor& x) { return strata::digamma(x); }
inline Tensor multigammaln(const Tensor& x, int64_t p) { return mvlgamma(x, p); }
using strata::digamma, strata::polygamma, strata::erf, strata::erfc, strata::erfinv, strata::exp2, strata::expm1,
    strata::log1p, strata::round, strata::sinc, strata::logit, strata::xlogy, strata::logsumexp, strata::softmax,
    strata::log_softmax;

}  // namespace strata::special
