// Special functions that the C++ library lacks, in double.
#pragma once

namespace strata::cpu {

/// log |Gamma(x)|, safe on any thread.
double lgamma(double x);
/// Derivative of lgamma; PyTorch's limits: NaN at negative integers, -inf at +0, +inf at -0.
double digamma(double x);
/// n-th derivative of digamma, n >= 1, by Hurwitz's zeta.
double polygamma(int n, double x);
/// Inverse of erf; infinite at -1 and 1, NaN beyond.
double erfinv(double x);

}  // namespace strata::cpu
