// libtorch's functions of lists of tensors: each is the function of one tensor, once for each of the list.
#pragma once
#include <vector>

#include "../core/tensor.h"

namespace strata {

// All take lists that are not empty and, where there are several, as long as each other; tensors at one place go
// together as in the function without `_foreach`. Those that end in `_` write into the tensors of the first list.

std::vector<Tensor> _foreach_abs(TensorList tensors);
void _foreach_abs_(TensorList tensors);
std::vector<Tensor> _foreach_acos(TensorList tensors);
void _foreach_acos_(TensorList tensors);
std::vector<Tensor> _foreach_asin(TensorList tensors);
void _foreach_asin_(TensorList tensors);
std::vector<Tensor> _foreach_atan(TensorList tensors);
void _foreach_atan_(TensorList tensors);
std::vector<Tensor> _foreach_ceil(TensorList tensors);
void _foreach_ceil_(TensorList tensors);
std::vector<Tensor> _foreach_cos(TensorList tensors);
void _foreach_cos_(TensorList tensors);
std::vector<Tensor> _foreach_cosh(TensorList tensors);
void _foreach_cosh_(TensorList tensors);
std::vector<Tensor> _foreach_erf(TensorList tensors);
void _foreach_erf_(TensorList tensors);
std::vector<Tensor> _foreach_erfc(TensorList tensors);
void _foreach_erfc_(TensorList tensors);
std::vector<Tensor> _foreach_exp(TensorList tensors);
void _foreach_exp_(TensorList tensors);
std::vector<Tensor> _foreach_expm1(TensorList tensors);
void _foreach_expm1_(TensorList tensors);
std::vector<Tensor> _foreach_floor(TensorList tensors);
void _foreach_floor_(TensorList tensors);
std::vector<Tensor> _foreach_frac(TensorList tensors);
void _foreach_frac_(TensorList tensors);
std::vector<Tensor> _foreach_lgamma(TensorList tensors);
void _foreach_lgamma_(TensorList tensors);
std::vector<Tensor> _foreach_log(TensorList tensors);
void _foreach_log_(TensorList tensors);
std::vector<Tensor> _foreach_log10(TensorList tensors);
void _foreach_log10_(TensorList tensors);
std::vector<Tensor> _foreach_log1p(TensorList tensors);
void _foreach_log1p_(TensorList tensors);
std::vector<Tensor> _foreach_log2(TensorList tensors);
void _foreach_log2_(TensorList tensors);
std::vector<Tensor> _foreach_neg(TensorList tensors);
void _foreach_neg_(TensorList tensors);
std::vector<Tensor> _foreach_reciprocal(TensorList tensors);
void _foreach_reciprocal_(TensorList tensors);
std::vector<Tensor> _foreach_round(TensorList tensors);
void _foreach_round_(TensorList tensors);
std::vector<Tensor> _foreach_rsqrt(TensorList tensors);
void _foreach_rsqrt_(TensorList tensors);
std::vector<Tensor> _foreach_sigmoid(TensorList tensors);
void _foreach_sigmoid_(TensorList tensors);
std::vector<Tensor> _foreach_sign(TensorList tensors);
void _foreach_sign_(TensorList tensors);
std::vector<Tensor> _foreach_sin(TensorList tensors);
void _foreach_sin_(TensorList tensors);
std::vector<Tensor> _foreach_sinh(TensorList tensors);
void _foreach_sinh_(TensorList tensors);
std::vector<Tensor> _foreach_sqrt(TensorList tensors);
void _foreach_sqrt_(TensorList tensors);
std::vector<Tensor> _foreach_tan(TensorList tensors);
void _foreach_tan_(TensorList tensors);
std::vector<Tensor> _foreach_tanh(TensorList tensors);
void _foreach_tanh_(TensorList tensors);
std::vector<Tensor> _foreach_trunc(TensorList tensors);
void _foreach_trunc_(TensorList tensors);

std::vector<Tensor> _foreach_add(TensorList tensors, const Scalar& scalar);
void _foreach_add_(TensorList tensors, const Scalar& scalar);
/// others times alpha is added.
std::vector<Tensor> _foreach_add(TensorList tensors, TensorList others, const Scalar& alpha = 1);
void _foreach_add_(TensorList tensors, TensorList others, const Scalar& alpha = 1);
std::vector<Tensor> _foreach_add(TensorList tensors, ArrayRef<Scalar> scalars);
void _foreach_add_(TensorList tensors, ArrayRef<Scalar> scalars);
std::vector<Tensor> _foreach_sub(TensorList tensors, const Scalar& scalar);
void _foreach_sub_(TensorList tensors, const Scalar& scalar);
std::vector<Tensor> _foreach_sub(TensorList tensors, TensorList others, const Scalar& alpha = 1);
void _foreach_sub_(TensorList tensors, TensorList others, const Scalar& alpha = 1);
std::vector<Tensor> _foreach_sub(TensorList tensors, ArrayRef<Scalar> scalars);
void _foreach_sub_(TensorList tensors, ArrayRef<Scalar> scalars);
std::vector<Tensor> _foreach_add(TensorList tensors, const Tensor& other, const Scalar& alpha = 1);
void _foreach_add_(TensorList tensors, const Tensor& other, const Scalar& alpha = 1);
std::vector<Tensor> _foreach_mul(TensorList tensors, const Scalar& scalar);
void _foreach_mul_(TensorList tensors, const Scalar& scalar);
std::vector<Tensor> _foreach_mul(TensorList tensors, TensorList others);
void _foreach_mul_(TensorList tensors, TensorList others);
std::vector<Tensor> _foreach_mul(TensorList tensors, ArrayRef<Scalar> scalars);
void _foreach_mul_(TensorList tensors, ArrayRef<Scalar> scalars);
std::vector<Tensor> _foreach_mul(TensorList tensors, const Tensor& other);
void _foreach_mul_(TensorList tensors, const Tensor& other);
std::vector<Tensor> _foreach_div(TensorList tensors, const Scalar& scalar);
void _foreach_div_(TensorList tensors, const Scalar& scalar);
std::vector<Tensor> _foreach_div(TensorList tensors, TensorList others);
void _foreach_div_(TensorList tensors, TensorList others);
std::vector<Tensor> _foreach_div(TensorList tensors, ArrayRef<Scalar> scalars);
void _foreach_div_(TensorList tensors, ArrayRef<Scalar> scalars);
std::vector<Tensor> _foreach_div(TensorList tensors, const Tensor& other);
void _foreach_div_(TensorList tensors, const Tensor& other);
std::vector<Tensor> _foreach_clamp_max(TensorList tensors, const Scalar& scalar);
void _foreach_clamp_max_(TensorList tensors, const Scalar& scalar);
std::vector<Tensor> _foreach_clamp_max(TensorList tensors, TensorList others);
void _foreach_clamp_max_(TensorList tensors, TensorList others);
std::vector<Tensor> _foreach_clamp_max(TensorList tensors, ArrayRef<Scalar> scalars);
void _foreach_clamp_max_(TensorList tensors, ArrayRef<Scalar> scalars);
std::vector<Tensor> _foreach_clamp_min(TensorList tensors, const Scalar& scalar);
void _foreach_clamp_min_(TensorList tensors, const Scalar& scalar);
std::vector<Tensor> _foreach_clamp_min(TensorList tensors, TensorList others);
void _foreach_clamp_min_(TensorList tensors, TensorList others);
std::vector<Tensor> _foreach_clamp_min(TensorList tensors, ArrayRef<Scalar> scalars);
void _foreach_clamp_min_(TensorList tensors, ArrayRef<Scalar> scalars);
std::vector<Tensor> _foreach_maximum(TensorList tensors, const Scalar& scalar);
void _foreach_maximum_(TensorList tensors, const Scalar& scalar);
std::vector<Tensor> _foreach_maximum(TensorList tensors, TensorList others);
void _foreach_maximum_(TensorList tensors, TensorList others);
std::vector<Tensor> _foreach_maximum(TensorList tensors, ArrayRef<Scalar> scalars);
void _foreach_maximum_(TensorList tensors, ArrayRef<Scalar> scalars);
std::vector<Tensor> _foreach_minimum(TensorList tensors, const Scalar& scalar);
void _foreach_minimum_(TensorList tensors, const Scalar& scalar);
std::vector<Tensor> _foreach_minimum(TensorList tensors, TensorList others);
void _foreach_minimum_(TensorList tensors, TensorList others);
std::vector<Tensor> _foreach_minimum(TensorList tensors, ArrayRef<Scalar> scalars);
void _foreach_minimum_(TensorList tensors, ArrayRef<Scalar> scalars);
std::vector<Tensor> _foreach_pow(TensorList tensors, const Scalar& scalar);
void _foreach_pow_(TensorList tensors, const Scalar& scalar);
std::vector<Tensor> _foreach_pow(TensorList tensors, TensorList others);
void _foreach_pow_(TensorList tensors, TensorList others);
std::vector<Tensor> _foreach_pow(TensorList tensors, ArrayRef<Scalar> scalars);
void _foreach_pow_(TensorList tensors, ArrayRef<Scalar> scalars);
/// A number to the powers of the tensors.
std::vector<Tensor> _foreach_pow(const Scalar& self, TensorList exponents);

std::vector<Tensor> _foreach_addcdiv(TensorList tensors, TensorList a, TensorList b, const Scalar& value = 1);
std::vector<Tensor> _foreach_addcdiv(TensorList tensors, TensorList a, TensorList b, ArrayRef<Scalar> scalars);
std::vector<Tensor> _foreach_addcdiv(TensorList tensors, TensorList a, TensorList b, const Tensor& scalars);
void _foreach_addcdiv_(TensorList tensors, TensorList a, TensorList b, const Scalar& value = 1);
void _foreach_addcdiv_(TensorList tensors, TensorList a, TensorList b, ArrayRef<Scalar> scalars);
void _foreach_addcdiv_(TensorList tensors, TensorList a, TensorList b, const Tensor& scalars);
std::vector<Tensor> _foreach_addcmul(TensorList tensors, TensorList a, TensorList b, const Scalar& value = 1);
std::vector<Tensor> _foreach_addcmul(TensorList tensors, TensorList a, TensorList b, ArrayRef<Scalar> scalars);
std::vector<Tensor> _foreach_addcmul(TensorList tensors, TensorList a, TensorList b, const Tensor& scalars);
void _foreach_addcmul_(TensorList tensors, TensorList a, TensorList b, const Scalar& value = 1);
void _foreach_addcmul_(TensorList tensors, TensorList a, TensorList b, ArrayRef<Scalar> scalars);
void _foreach_addcmul_(TensorList tensors, TensorList a, TensorList b, const Tensor& scalars);

/// tensors + weights * (ends - tensors).
std::vector<Tensor> _foreach_lerp(TensorList tensors, TensorList ends, TensorList weights);
std::vector<Tensor> _foreach_lerp(TensorList tensors, TensorList ends, const Scalar& weight);
std::vector<Tensor> _foreach_lerp(TensorList tensors, TensorList ends, ArrayRef<Scalar> weights);
void _foreach_lerp_(TensorList tensors, TensorList ends, TensorList weights);
void _foreach_lerp_(TensorList tensors, TensorList ends, const Scalar& weight);
void _foreach_lerp_(TensorList tensors, TensorList ends, ArrayRef<Scalar> weights);

/// The norm of each tensor, 0-dim: of order `ord`, in `dtype` if one is given.
std::vector<Tensor> _foreach_norm(TensorList tensors, const Scalar& ord = 2, std::optional<DType> dtype = std::nullopt);
/// The largest element of each, 0-dim.
std::vector<Tensor> _foreach_max(TensorList tensors);
void _foreach_zero_(TensorList tensors);
void _foreach_copy_(TensorList tensors, TensorList sources, bool non_blocking = false);

}  // namespace strata
