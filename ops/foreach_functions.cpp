// Functions of lists of tensors without other operands, as loops over those of one.
#include "ops/foreach_functions.h"
#include "ops/foreach_loops.h"

namespace strata {

using foreach::each;
using foreach::each_in_place;

std::vector<Tensor> _foreach_abs(TensorList tensors) {
  return each("_foreach_abs", tensors, [&](size_t i) { return tensors[i].abs(); });
}
void _foreach_abs_(TensorList tensors) {
  each_in_place("_foreach_abs_", tensors, [&](size_t i) { tensors[i].abs_(); });
}
std::vector<Tensor> _foreach_acos(TensorList tensors) {
  return each("_foreach_acos", tensors, [&](size_t i) { return tensors[i].acos(); });
}
void _foreach_acos_(TensorList tensors) {
  each_in_place("_foreach_acos_", tensors, [&](size_t i) { tensors[i].acos_(); });
}
std::vector<Tensor> _foreach_asin(TensorList tensors) {
  return each("_foreach_asin", tensors, [&](size_t i) { return tensors[i].asin(); });
}
void _foreach_asin_(TensorList tensors) {
  each_in_place("_foreach_asin_", tensors, [&](size_t i) { tensors[i].asin_(); });
}
std::vector<Tensor> _foreach_atan(TensorList tensors) {
  return each("_foreach_atan", tensors, [&](size_t i) { return tensors[i].atan(); });
}
void _foreach_atan_(TensorList tensors) {
  each_in_place("_foreach_atan_", tensors, [&](size_t i) { tensors[i].atan_(); });
}
std::vector<Tensor> _foreach_ceil(TensorList tensors) {
  return each("_foreach_ceil", tensors, [&](size_t i) { return tensors[i].ceil(); });
}
void _foreach_ceil_(TensorList tensors) {
  each_in_place("_foreach_ceil_", tensors, [&](size_t i) { tensors[i].ceil_(); });
}
std::vector<Tensor> _foreach_cos(TensorList tensors) {
  return each("_foreach_cos", tensors, [&](size_t i) { return tensors[i].cos(); });
}
void _foreach_cos_(TensorList tensors) {
  each_in_place("_foreach_cos_", tensors, [&](size_t i) { tensors[i].cos_(); });
}
std::vector<Tensor> _foreach_cosh(TensorList tensors) {
  return each("_foreach_cosh", tensors, [&](size_t i) { return tensors[i].cosh(); });
}
void _foreach_cosh_(TensorList tensors) {
  each_in_place("_foreach_cosh_", tensors, [&](size_t i) { tensors[i].cosh_(); });
}
std::vector<Tensor> _foreach_erf(TensorList tensors) {
  return each("_foreach_erf", tensors, [&](size_t i) { return tensors[i].erf(); });
}
void _foreach_erf_(TensorList tensors) {
  each_in_place("_foreach_erf_", tensors, [&](size_t i) { tensors[i].erf_(); });
}
std::vector<Tensor> _foreach_erfc(TensorList tensors) {
  return each("_foreach_erfc", tensors, [&](size_t i) { return tensors[i].erfc(); });
}
void _foreach_erfc_(TensorList tensors) {
  each_in_place("_foreach_erfc_", tensors, [&](size_t i) { tensors[i].erfc_(); });
}
std::vector<Tensor> _foreach_exp(TensorList tensors) {
  return each("_foreach_exp", tensors, [&](size_t i) { return tensors[i].exp(); });
}
void _foreach_exp_(TensorList tensors) {
  each_in_place("_foreach_exp_", tensors, [&](size_t i) { tensors[i].exp_(); });
}
std::vector<Tensor> _foreach_expm1(TensorList tensors) {
  return each("_foreach_expm1", tensors, [&](size_t i) { return tensors[i].expm1(); });
}
void _foreach_expm1_(TensorList tensors) {
  each_in_place("_foreach_expm1_", tensors, [&](size_t i) { tensors[i].expm1_(); });
}
std::vector<Tensor> _foreach_floor(TensorList tensors) {
  return each("_foreach_floor", tensors, [&](size_t i) { return tensors[i].floor(); });
}
void _foreach_floor_(TensorList tensors) {
  each_in_place("_foreach_floor_", tensors, [&](size_t i) { tensors[i].floor_(); });
}
std::vector<Tensor> _foreach_frac(TensorList tensors) {
  return each("_foreach_frac", tensors, [&](size_t i) { return tensors[i].frac(); });
}
void _foreach_frac_(TensorList tensors) {
  each_in_place("_foreach_frac_", tensors, [&](size_t i) { tensors[i].frac_(); });
}
std::vector<Tensor> _foreach_lgamma(TensorList tensors) {
  return each("_foreach_lgamma", tensors, [&](size_t i) { return tensors[i].lgamma(); });
}
void _foreach_lgamma_(TensorList tensors) {
  each_in_place("_foreach_lgamma_", tensors, [&](size_t i) { tensors[i].lgamma_(); });
}
std::vector<Tensor> _foreach_log(TensorList tensors) {
  return each("_foreach_log", tensors, [&](size_t i) { return tensors[i].log(); });
}
void _foreach_log_(TensorList tensors) {
  each_in_place("_foreach_log_", tensors, [&](size_t i) { tensors[i].log_(); });
}
std::vector<Tensor> _foreach_log10(TensorList tensors) {
  return each("_foreach_log10", tensors, [&](size_t i) { return tensors[i].log10(); });
}
void _foreach_log10_(TensorList tensors) {
  each_in_place("_foreach_log10_", tensors, [&](size_t i) { tensors[i].log10_(); });
}
std::vector<Tensor> _foreach_log1p(TensorList tensors) {
  return each("_foreach_log1p", tensors, [&](size_t i) { return tensors[i].log1p(); });
}
void _foreach_log1p_(TensorList tensors) {
  each_in_place("_foreach_log1p_", tensors, [&](size_t i) { tensors[i].log1p_(); });
}
std::vector<Tensor> _foreach_log2(TensorList tensors) {
  return each("_foreach_log2", tensors, [&](size_t i) { return tensors[i].log2(); });
}
void _foreach_log2_(TensorList tensors) {
  each_in_place("_foreach_log2_", tensors, [&](size_t i) { tensors[i].log2_(); });
}
std::vector<Tensor> _foreach_neg(TensorList tensors) {
  return each("_foreach_neg", tensors, [&](size_t i) { return tensors[i].neg(); });
}
void _foreach_neg_(TensorList tensors) {
  each_in_place("_foreach_neg_", tensors, [&](size_t i) { tensors[i].neg_(); });
}
std::vector<Tensor> _foreach_reciprocal(TensorList tensors) {
  return each("_foreach_reciprocal", tensors, [&](size_t i) { return tensors[i].reciprocal(); });
}
void _foreach_reciprocal_(TensorList tensors) {
  each_in_place("_foreach_reciprocal_", tensors, [&](size_t i) { tensors[i].reciprocal_(); });
}
std::vector<Tensor> _foreach_round(TensorList tensors) {
  return each("_foreach_round", tensors, [&](size_t i) { return tensors[i].round(); });
}
void _foreach_round_(TensorList tensors) {
  each_in_place("_foreach_round_", tensors, [&](size_t i) { tensors[i].round_(); });
}
std::vector<Tensor> _foreach_rsqrt(TensorList tensors) {
  return each("_foreach_rsqrt", tensors, [&](size_t i) { return tensors[i].rsqrt(); });
}
void _foreach_rsqrt_(TensorList tensors) {
  each_in_place("_foreach_rsqrt_", tensors, [&](size_t i) { tensors[i].rsqrt_(); });
}
std::vector<Tensor> _foreach_sigmoid(TensorList tensors) {
  return each("_foreach_sigmoid", tensors, [&](size_t i) { return tensors[i].sigmoid(); });
}
void _foreach_sigmoid_(TensorList tensors) {
  each_in_place("_foreach_sigmoid_", tensors, [&](size_t i) { tensors[i].sigmoid_(); });
}
std::vector<Tensor> _foreach_sign(TensorList tensors) {
  return each("_foreach_sign", tensors, [&](size_t i) { return tensors[i].sign(); });
}
void _foreach_sign_(TensorList tensors) {
  each_in_place("_foreach_sign_", tensors, [&](size_t i) { tensors[i].sign_(); });
}
std::vector<Tensor> _foreach_sin(TensorList tensors) {
  return each("_foreach_sin", tensors, [&](size_t i) { return tensors[i].sin(); });
}
void _foreach_sin_(TensorList tensors) {
  each_in_place("_foreach_sin_", tensors, [&](size_t i) { tensors[i].sin_(); });
}
std::vector<Tensor> _foreach_sinh(TensorList tensors) {
  return each("_foreach_sinh", tensors, [&](size_t i) { return tensors[i].sinh(); });
}
void _foreach_sinh_(TensorList tensors) {
  each_in_place("_foreach_sinh_", tensors, [&](size_t i) { tensors[i].sinh_(); });
}
std::vector<Tensor> _foreach_sqrt(TensorList tensors) {
  return each("_foreach_sqrt", tensors, [&](size_t i) { return tensors[i].sqrt(); });
}
void _foreach_sqrt_(TensorList tensors) {
  each_in_place("_foreach_sqrt_", tensors, [&](size_t i) { tensors[i].sqrt_(); });
}
std::vector<Tensor> _foreach_tan(TensorList tensors) {
  return each("_foreach_tan", tensors, [&](size_t i) { return tensors[i].tan(); });
}
void _foreach_tan_(TensorList tensors) {
  each_in_place("_foreach_tan_", tensors, [&](size_t i) { tensors[i].tan_(); });
}
std::vector<Tensor> _foreach_tanh(TensorList tensors) {
  return each("_foreach_tanh", tensors, [&](size_t i) { return tensors[i].tanh(); });
}
void _foreach_tanh_(TensorList tensors) {
  each_in_place("_foreach_tanh_", tensors, [&](size_t i) { tensors[i].tanh_(); });
}
std::vector<Tensor> _foreach_trunc(TensorList tensors) {
  return each("_foreach_trunc", tensors, [&](size_t i) { return tensors[i].trunc(); });
}
void _foreach_trunc_(TensorList tensors) {
  each_in_place("_foreach_trunc_", tensors, [&](size_t i) { tensors[i].trunc_(); });
}

}  // namespace strata
