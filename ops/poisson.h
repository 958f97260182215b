// Numbers drawn from Poisson's distribution.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// How many events happen where `rate` are expected, of a floating point dtype and not negative: whole numbers in the
/// shape and dtype of `rate`. Each is found among the values of the distribution function by one uniform number, so it
/// costs some 30 evaluations of the incomplete gamma function. It has no derivative (in PyTorch: zeros).
Tensor poisson(const Tensor& rate);

}  // namespace strata
