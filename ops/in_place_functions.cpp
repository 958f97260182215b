// Activations that write over their input what the function gives.
#include "ops/in_place_functions.h"

#include "ops/activation.h"
#include "ops/overwrite.h"

namespace strata {

using detail::before, detail::overwrite;

Tensor& celu_(Tensor& x, const Scalar& alpha) {
  return overwrite(x, "celu_", [&] { return celu(before(x), alpha); });
}
Tensor& elu_(Tensor& x, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale) {
  return overwrite(x, "elu_", [&] { return elu(before(x), alpha, scale, input_scale); });
}
Tensor& gelu_(Tensor& x, std::string_view approximate) {
  return overwrite(x, "gelu_", [&] { return gelu(before(x), approximate); });
}
Tensor& hardsigmoid_(Tensor& x) {
  return overwrite(x, "hardsigmoid_", [&] { return hardsigmoid(before(x)); });
}
Tensor& hardswish_(Tensor& x) {
  return overwrite(x, "hardswish_", [&] { return hardswish(before(x)); });
}
Tensor& hardtanh_(Tensor& x, const Scalar& min_val, const Scalar& max_val) {
  return overwrite(x, "hardtanh_", [&] { return hardtanh(before(x), min_val, max_val); });
}
Tensor& leaky_relu_(Tensor& x, const Scalar& negative_slope) {
  return overwrite(x, "leaky_relu_", [&] { return leaky_relu(before(x), negative_slope); });
}
Tensor& mish_(Tensor& x) {
  return overwrite(x, "mish_", [&] { return mish(before(x)); });
}
Tensor& relu6_(Tensor& x) {
  return overwrite(x, "relu6_", [&] { return relu6(before(x)); });
}
Tensor& selu_(Tensor& x) {
  return overwrite(x, "selu_", [&] { return selu(before(x)); });
}
Tensor& silu_(Tensor& x) {
  return overwrite(x, "silu_", [&] { return silu(before(x)); });
}
Tensor& threshold_(Tensor& x, const Scalar& threshold, const Scalar& value) {
  return overwrite(x, "threshold_", [&] { return strata::threshold(before(x), threshold, value); });
}

}  // namespace strata
