// Element-wise functions that are made of other ops: signs, powers of two, logarithms of sums and their kin.
#pragma once
#include "../core/tensor.h"

namespace strata {

// Shapes broadcast and dtypes promote as in PyTorch.

/// x itself; throws for bool.
Tensor positive(const Tensor& x);
/// Is the sign bit set? That of -0 is; integers are tested against 0. Throws for complex numbers.
Tensor signbit(const Tensor& x);
/// |a| with the sign of b, zeros' signs counted; integers become floats. The gradient at a = 0 is 0.
Tensor copysign(const Tensor& a, const Tensor& b);
Tensor copysign(const Tensor& a, const Scalar& b);
/// 0 below zero, 1 above, `values` at zero; 0 for NaN. Both have one dtype, which is not complex. It has no
/// derivative: to ask for one is an error in backward.
Tensor heaviside(const Tensor& x, const Tensor& values);
/// sin(pi x) / (pi x), and 1 at 0.
Tensor sinc(const Tensor& x);
Tensor& sinc_(Tensor& x);
/// log2(2^a + 2^b) without overflow; for floating point tensors.
Tensor logaddexp2(const Tensor& a, const Tensor& b);
/// a * 2^b.
Tensor ldexp(const Tensor& a, const Tensor& b);
Tensor& ldexp_(Tensor& a, const Tensor& b);
/// a to the power b, computed in double (or complex double).
Tensor float_power(const Tensor& a, const Tensor& b);
Tensor float_power(const Tensor& a, const Scalar& b);
Tensor float_power(const Scalar& a, const Tensor& b);
/// Is it +inf, -inf? As bool; throws for complex numbers.
Tensor isposinf(const Tensor& x);
Tensor isneginf(const Tensor& x);
/// The logarithm of the multivariate gamma function of dimension p, at least 1.
Tensor mvlgamma(const Tensor& x, int64_t p);

// Shifts and bits by the names of Python's operators, as libtorch has them.
Tensor __and__(const Tensor& a, const Tensor& b);
Tensor __and__(const Tensor& a, const Scalar& b);
Tensor __or__(const Tensor& a, const Tensor& b);
Tensor __or__(const Tensor& a, const Scalar& b);
Tensor __xor__(const Tensor& a, const Tensor& b);
Tensor __xor__(const Tensor& a, const Scalar& b);
Tensor __lshift__(const Tensor& a, const Tensor& b);
Tensor __lshift__(const Tensor& a, const Scalar& b);
Tensor __rshift__(const Tensor& a, const Tensor& b);
Tensor __rshift__(const Tensor& a, const Scalar& b);

}  // namespace strata
