// Functions of three tensors, element by element.
#pragma once
#include <optional>
#include <vector>

#include "../core/tensor.h"

namespace strata {

/// a where the condition (bool, or uint8) holds, else b; the untaken branch gets a zero gradient, whatever its value.
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor where(const Tensor& condition, const Tensor& a, const Scalar& b);
Tensor where(const Tensor& condition, const Scalar& a, const Tensor& b);
Tensor where(const Tensor& condition, const Scalar& a, const Scalar& b);
/// min(max(x, min), max); either bound may be absent. NaN stays NaN; the gradient is 1 on the closed interval.
Tensor clamp(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max = std::nullopt);
Tensor clamp(const Tensor& x, OptionalTensorRef min = {}, OptionalTensorRef max = {});
Tensor clamp_min(const Tensor& x, const Scalar& min);
Tensor clamp_min(const Tensor& x, const Tensor& min);
Tensor clamp_max(const Tensor& x, const Scalar& max);
Tensor clamp_max(const Tensor& x, const Tensor& max);
Tensor& clamp_(Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max = std::nullopt);
inline Tensor clip(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max = std::nullopt) {
  return clamp(x, min, max);
}
inline Tensor clip(const Tensor& x, OptionalTensorRef min = {}, OptionalTensorRef max = {}) {
  return clamp(x, min, max);
}
/// start + weight * (end - start).
Tensor lerp(const Tensor& start, const Tensor& end, const Tensor& weight);
Tensor lerp(const Tensor& start, const Tensor& end, const Scalar& weight);
/// x + value * a * b.
Tensor addcmul(const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value = 1);
/// x + value * a / b.
Tensor addcdiv(const Tensor& x, const Tensor& a, const Tensor& b, const Scalar& value = 1);

}  // namespace strata
