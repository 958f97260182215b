// Numbers drawn from Poisson's and the binomial distribution.
#pragma once
#include "../core/generator.h"
#include "../core/tensor.h"

namespace strata {

/// How many events happen where `rate` are expected, of a floating point dtype, finite and not negative: whole numbers
/// in the shape and dtype of `rate`. By rejection from a rate of 10 on (Hörmann's PTRS), else by Knuth's product. Its
/// gradient by `rate` is 0, as in PyTorch.
Tensor poisson(const Tensor& rate, OptionalGenerator generator = {});

/// How many of `count` trials succeed, each with probability `prob`, of one floating point dtype and broadcast: whole
/// numbers of that dtype. By rejection where ten successes (or failures) are expected (Hörmann's BTRS), else by the
/// lengths of runs. It has no derivative: to
/// ask for one is an error in backward.
Tensor binomial(const Tensor& count, const Tensor& prob, OptionalGenerator generator = {});

}  // namespace strata
