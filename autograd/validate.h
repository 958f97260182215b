// What a gradient that a user's code returns must look like.
#pragma once
#include <string>

#include "../core/tensor.h"

namespace strata::autograd {

/// Shape, dtype and device of a tensor that a gradient will be for.
struct TensorKind {
  TensorKind() = default;
  explicit TensorKind(const Tensor& t);
  DimVector sizes;
  DType dtype = kFloat;
  Device device;
};

/// `grad`, which backward of `who` returned for input `i`, made to fit: summed where the input broadcasts to its shape
/// and cast to its dtype, as PyTorch's engine does. Throws for any other shape, for complex numbers where the input is
/// real, and for another device.
Tensor fit_gradient(const Tensor& grad, const TensorKind& input, const std::string& who, size_t i);

}  // namespace strata::autograd
