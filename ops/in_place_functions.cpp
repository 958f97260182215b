// Activations that write over their input what the function gives.
#include "ops/in_place_functions.h"

#include "core/grad_mode.h"
#include "ops/activation.h"
#include "ops/in_place.h"
#include "ops/write_over.h"

namespace strata {
namespace {

/// Writes `f(x)` over x; where a derivative may be taken by x's values, of a copy of them.
template <class F>
Tensor& overwrite(Tensor& x, const char* method, F f) {
  return detail::in_place(method, [&]() -> Tensor& {
    const bool recorded = x.requires_grad() && GradMode::is_enabled();
    return detail::write_over(x, f(recorded ? x.clone() : x), method);
  });
}

}  // namespace

Tensor& celu_(Tensor& x, const Scalar& alpha) {
  return overwrite(x, "celu_", [&](const Tensor& v) { return celu(v, alpha); });
}
Tensor& elu_(Tensor& x, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale) {
  return overwrite(x, "elu_", [&](const Tensor& v) { return elu(v, alpha, scale, input_scale); });
}
Tensor& gelu_(Tensor& x, std::string_view approximate) {
  return overwrite(x, "gelu_", [&](const Tensor& v) { return gelu(v, approximate); });
}
Tensor& hardsigmoid_(Tensor& x) { return overwrite(x, "hardsigmoid_", &hardsigmoid); }
Tensor& hardswish_(Tensor& x) { return overwrite(x, "hardswish_", &hardswish); }
Tensor& hardtanh_(Tensor& x, const Scalar& min_val, const Scalar& max_val) {
  return overwrite(x, "hardtanh_", [&](const Tensor& v) { return hardtanh(v, min_val, max_val); });
}
Tensor& leaky_relu_(Tensor& x, const Scalar& negative_slope) {
  return overwrite(x, "leaky_relu_", [&](const Tensor& v) { return leaky_relu(v, negative_slope); });
}
Tensor& mish_(Tensor& x) { return overwrite(x, "mish_", &mish); }
Tensor& relu6_(Tensor& x) { return overwrite(x, "relu6_", &relu6); }
Tensor& selu_(Tensor& x) { return overwrite(x, "selu_", &selu); }
Tensor& silu_(Tensor& x) { return overwrite(x, "silu_", &silu); }
Tensor& threshold_(Tensor& x, const Scalar& threshold, const Scalar& value) {
  return overwrite(x, "threshold_", [&](const Tensor& v) { return strata::threshold(v, threshold, value); });
}

}  // namespace strata
