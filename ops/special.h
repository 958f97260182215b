// libtorch's namespace special: functions of mathematics and statistics, element by element.
#pragma once
#include <optional>

#include "../core/tensor.h"
#include "binary.h"
#include "pointwise_functions.h"
#include "reduce.h"
#include "softmax.h"
#include "unary.h"

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

// Functions that stand in strata:: too, some under another name.
inline Tensor expit(const Tensor& x) { return sigmoid(x); }
inline Tensor gammaln(const Tensor& x) { return lgamma(x); }
inline Tensor psi(const Tensor& x) { return strata::digamma(x); }
inline Tensor multigammaln(const Tensor& x, int64_t p) { return mvlgamma(x, p); }
using strata::digamma, strata::polygamma, strata::erf, strata::erfc, strata::erfinv, strata::exp2, strata::expm1,
    strata::log1p, strata::round, strata::sinc, strata::logit, strata::xlogy, strata::logsumexp, strata::softmax,
    strata::log_softmax;

}  // namespace strata::special
