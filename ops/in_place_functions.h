// In-place methods and activations as libtorch's functions with an underscore: `negative_(x)`, `silu_(x)`.
#pragma once
#include <optional>
#include <string_view>

#include "../core/tensor.h"

namespace strata {

// Each writes over x what the function without the underscore gives, and returns x. Errors are the methods'.

inline Tensor& negative_(Tensor& x) { return x.neg_(); }
inline Tensor& fix_(Tensor& x) { return x.trunc_(); }
inline Tensor& arcsin_(Tensor& x) { return x.asin_(); }
inline Tensor& arccos_(Tensor& x) { return x.acos_(); }
inline Tensor& arctan_(Tensor& x) { return x.atan_(); }
inline Tensor& arcsinh_(Tensor& x) { return x.asinh_(); }
inline Tensor& arccosh_(Tensor& x) { return x.acosh_(); }
inline Tensor& arctanh_(Tensor& x) { return x.atanh_(); }
inline Tensor& deg2rad_(Tensor& x) { return x.deg2rad_(); }
inline Tensor& rad2deg_(Tensor& x) { return x.rad2deg_(); }
inline Tensor& conj_physical_(Tensor& x) { return x.conj_physical_(); }
inline Tensor& logit_(Tensor& x, std::optional<double> eps = std::nullopt) { return x.logit_(eps); }
inline Tensor& nan_to_num_(Tensor& x, std::optional<double> nan = std::nullopt,
                           std::optional<double> posinf = std::nullopt, std::optional<double> neginf = std::nullopt) {
  return x.nan_to_num_(nan, posinf, neginf);
}
inline Tensor& clip_(Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max = std::nullopt) {
  return x.clamp_(min, max);
}
inline Tensor& clamp_min_(Tensor& x, const Scalar& min) { return x.clamp_min_(min); }
inline Tensor& clamp_min_(Tensor& x, const Tensor& min) { return x.clamp_min_(min); }
inline Tensor& clamp_max_(Tensor& x, const Scalar& max) { return x.clamp_max_(max); }
inline Tensor& clamp_max_(Tensor& x, const Tensor& max) { return x.clamp_max_(max); }
inline Tensor& xlogy_(Tensor& x, const Tensor& other) { return x.xlogy_(other); }
inline Tensor& xlogy_(Tensor& x, const Scalar& other) { return x.xlogy_(other); }
inline Tensor& addmv_(Tensor& x, const Tensor& matrix, const Tensor& vector, const Scalar& beta = 1,
                      const Scalar& alpha = 1) {
  return x.addmv_(matrix, vector, beta, alpha);
}
inline Tensor& detach_(Tensor& x) {
  x.detach_();
  return x;
}
/// Not for tensors that require grad.
inline const Tensor& resize_as_(const Tensor& x, const Tensor& other, std::optional<MemoryFormat> format = {}) {
  return x.resize_as_(other, format);
}

Tensor& celu_(Tensor& x, const Scalar& alpha = 1);
Tensor& elu_(Tensor& x, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1);
Tensor& gelu_(Tensor& x, std::string_view approximate = "none");
Tensor& hardsigmoid_(Tensor& x);
Tensor& hardswish_(Tensor& x);
Tensor& hardtanh_(Tensor& x, const Scalar& min_val = -1, const Scalar& max_val = 1);
Tensor& leaky_relu_(Tensor& x, const Scalar& negative_slope = 0.01);
Tensor& mish_(Tensor& x);
Tensor& relu6_(Tensor& x);
Tensor& selu_(Tensor& x);
Tensor& silu_(Tensor& x);
Tensor& threshold_(Tensor& x, const Scalar& threshold, const Scalar& value);

}  // namespace strata
