// Results of functions that have no derivative, or 0 for it: they require a gradient where an operand does.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// Functions whose results have a slope of 0, and, from the first refused on but for nextafter (by its second operand),
/// none at all: whoever asks for it is told.
enum class NoSlope : int64_t {
  kBernoulli,
  kPoisson,
  kHeaviside,
  kFirstRefused = kHeaviside,
  kBernoulliOfNumber,
  kBinomial,
  kZeta,
  kIgamma,
  kIgammac,
  kNextafter,
  kGeqrf,
  kLdlFactor,
  kLdlSolve,
  kLast = kLdlSolve
};

/// y, which was computed of x without a history: as in PyTorch it requires a gradient where x does. The gradient by x
/// and the tangent along it are 0, or an error that names the function.
Tensor without_slope(const Tensor& y, const Tensor& x, NoSlope why);

}  // namespace strata
