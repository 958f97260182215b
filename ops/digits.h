// Divisors of whole numbers, and floats by their digits.
#pragma once
#include <tuple>

#include "../core/tensor.h"

namespace strata {

/// The greatest common divisor of integers, with broadcasting; |a| where b is 0.
Tensor gcd(const Tensor& a, const Tensor& b);
Tensor& gcd_(Tensor& a, const Tensor& b);
/// The least common multiple of integers, not negative unless it wraps; 0 where one of them is 0.
Tensor lcm(const Tensor& a, const Tensor& b);
Tensor& lcm_(Tensor& a, const Tensor& b);
/// The next number after a towards b that their dtype has, with broadcasting; b where they are equal. It has no
/// derivative, and throws where one would be recorded.
Tensor nextafter(const Tensor& a, const Tensor& b);
/// (mantissa, exponent in int32) with x = mantissa * 2^exponent and 0.5 <= |mantissa| < 1, of floating point tensors.
/// Zeros, infinities and NaN are mantissas of exponent 0. The derivative of the mantissa takes the exponent for fixed.
std::tuple<Tensor, Tensor> frexp(const Tensor& x);

}  // namespace strata
