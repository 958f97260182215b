// Functions of one tensor, element by element, and those that choose between elements.
#include "test/differential/names.h"

namespace differential {
namespace {

Rows unary_rows() {
  return {
      {"neg", &Tensor::neg, &Tensor::neg_},
      {"abs", &Tensor::abs, &Tensor::abs_},
      {"sign", &Tensor::sign, &Tensor::sign_},
      {"sgn", &Tensor::sgn, &Tensor::sgn_},
      {"sqrt", &Tensor::sqrt, &Tensor::sqrt_},
      {"rsqrt", &Tensor::rsqrt, &Tensor::rsqrt_},
      {"reciprocal", &Tensor::reciprocal, &Tensor::reciprocal_},
      {"square", &Tensor::square, &Tensor::square_},
      {"exp", &Tensor::exp, &Tensor::exp_},
      {"exp2", &Tensor::exp2, &Tensor::exp2_},
      {"expm1", &Tensor::expm1, &Tensor::expm1_},
      {"log", &Tensor::log, &Tensor::log_},
      {"log2", &Tensor::log2, &Tensor::log2_},
      {"log10", &Tensor::log10, &Tensor::log10_},
      {"log1p", &Tensor::log1p, &Tensor::log1p_},
      {"sin", &Tensor::sin, &Tensor::sin_},
      {"cos", &Tensor::cos, &Tensor::cos_},
      {"tan", &Tensor::tan, &Tensor::tan_},
      {"asin", &Tensor::asin, &Tensor::asin_},
      {"acos", &Tensor::acos, &Tensor::acos_},
      {"atan", &Tensor::atan, &Tensor::atan_},
      {"sinh", &Tensor::sinh, &Tensor::sinh_},
      {"cosh", &Tensor::cosh, &Tensor::cosh_},
      {"tanh", &Tensor::tanh, &Tensor::tanh_},
      {"asinh", &Tensor::asinh, &Tensor::asinh_},
      {"acosh", &Tensor::acosh, &Tensor::acosh_},
      {"atanh", &Tensor::atanh, &Tensor::atanh_},
      {"sigmoid", &Tensor::sigmoid, &Tensor::sigmoid_},
      {"erf", &Tensor::erf, &Tensor::erf_},
      {"erfc", &Tensor::erfc, &Tensor::erfc_},
      {"erfinv", &Tensor::erfinv, &Tensor::erfinv_},
      {"lgamma", &Tensor::lgamma, &Tensor::lgamma_},
      {"digamma", &Tensor::digamma, &Tensor::digamma_},
      {"floor", &Tensor::floor, &Tensor::floor_},
      {"ceil", &Tensor::ceil, &Tensor::ceil_},
      {"round", [](T x) { return x.round(); }, [](Tensor& x) { return x.round_(); }},
      {"round", [](T x, I decimals) { return x.round(decimals); }},
      {"trunc", &Tensor::trunc, &Tensor::trunc_},
      {"frac", &Tensor::frac, &Tensor::frac_},
      {"relu", &Tensor::relu, &Tensor::relu_},
      {"logical_not", &Tensor::logical_not, &Tensor::logical_not_},
      {"bitwise_not", &Tensor::bitwise_not, &Tensor::bitwise_not_},
      {"nan_to_num", &Tensor::nan_to_num, &Tensor::nan_to_num_},
      {"deg2rad", &Tensor::deg2rad, &Tensor::deg2rad_},
      {"rad2deg", &Tensor::rad2deg, &Tensor::rad2deg_},
      {"logit", &Tensor::logit, &Tensor::logit_},
      {"polygamma", [](I n, T x) { return strata::polygamma(n, x); }},
      {"isnan", &Tensor::isnan},
      {"isinf", &Tensor::isinf},
      {"isfinite", &Tensor::isfinite},
      {"conj_physical", &Tensor::conj_physical, &Tensor::conj_physical_},
      {"angle", &Tensor::angle},
      {"isreal", &Tensor::isreal},
      {"real", [](T x) { return strata::real(x); }},
      {"imag", [](T x) { return strata::imag(x); }},
      {"view_as_real", [](T x) { return strata::view_as_real(x); }},
      {"view_as_complex", [](T x) { return strata::view_as_complex(x); }},
      {"complex", [](T re, T im) { return strata::complex(re, im); }},
      {"polar", [](T r, T angle) { return strata::polar(r, angle); }},
  };
}

Rows activation_rows() {
  return {
      {"gelu", [](T x, Text approximate) { return strata::gelu(x, approximate); }},
      {"silu", [](T x) { return strata::silu(x); }},
      {"leaky_relu", [](T x, S slope) { return strata::leaky_relu(x, slope); }},
      {"elu", [](T x, S alpha, S scale, S input_scale) { return strata::elu(x, alpha, scale, input_scale); }},
      {"selu", [](T x) { return strata::selu(x); }},
      {"celu", [](T x, S alpha) { return strata::celu(x, alpha); }},
      {"softplus", [](T x, S beta, S threshold) { return strata::softplus(x, beta, threshold); }},
      {"hardtanh", [](T x, S low, S high) { return strata::hardtanh(x, low, high); }},
      {"relu6", [](T x) { return strata::relu6(x); }},
      {"hardsigmoid", [](T x) { return strata::hardsigmoid(x); }},
      {"hardswish", [](T x) { return strata::hardswish(x); }},
      {"mish", [](T x) { return strata::mish(x); }},
      {"log_sigmoid", [](T x) { return strata::log_sigmoid(x); }},
      {"softshrink", [](T x, S lambda) { return strata::softshrink(x, lambda); }},
      {"hardshrink", [](T x, S lambda) { return strata::hardshrink(x, lambda); }},
      {"threshold", [](T x, S threshold, S value) { return strata::threshold(x, threshold, value); }},
      {"prelu", [](T x, T weight) { return strata::prelu(x, weight); }},
      {"glu", [](T x, I dim) { return strata::glu(x, dim); }},
  };
}

Rows choosing_rows() {
  return {
      {"clamp", [](T x, MaybeScalar low, MaybeScalar high) { return x.clamp(low, high); },
       [](Tensor& x, MaybeScalar low, MaybeScalar high) { return x.clamp_(low, high); }},
      {"clamp", [](T x, Maybe low, Maybe high) { return x.clamp(low, high); },
       [](Tensor& x, Maybe low, Maybe high) { return x.clamp_(low, high); }},
      {"clamp_min", [](T x, S low) { return x.clamp_min(low); }, [](Tensor& x, S low) { return x.clamp_min_(low); }},
      {"clamp_min", [](T x, T low) { return x.clamp_min(low); }, [](Tensor& x, T low) { return x.clamp_min_(low); }},
      {"clamp_max", [](T x, S high) { return x.clamp_max(high); },
       [](Tensor& x, S high) { return x.clamp_max_(high); }},
      {"clamp_max", [](T x, T high) { return x.clamp_max(high); },
       [](Tensor& x, T high) { return x.clamp_max_(high); }},
      {"where", [](T condition, T a, T b) { return strata::where(condition, a, b); }},
      {"where", [](T condition, T a, S b) { return strata::where(condition, a, b); }},
      {"where", [](T condition, S a, T b) { return strata::where(condition, a, b); }},
      {"where", [](T condition, S a, S b) { return strata::where(condition, a, b); }},
      {"lerp", [](T x, T end, S weight) { return x.lerp(end, weight); },
       [](Tensor& x, T end, S weight) { return x.lerp_(end, weight); }},
      {"lerp", [](T x, T end, T weight) { return x.lerp(end, weight); },
       [](Tensor& x, T end, T weight) { return x.lerp_(end, weight); }},
      {"addcmul", &Tensor::addcmul, &Tensor::addcmul_},
      {"addcdiv", &Tensor::addcdiv, &Tensor::addcdiv_},
  };
}

Rows copying_rows() {
  return {
      {"to", [](T x, strata::DType dtype) { return x.to(dtype); }},
      {"type_as", &Tensor::type_as},
      {"clone", [](T x) { return x.clone(); }},
      {"contiguous", [](T x) { return x.contiguous(); }},
      {"detach", [](T x) { return x.detach(); }},
      {"copy_", [](Tensor& x, T source) { return x.copy_(source); }},
      {"fill_", [](Tensor& x, S value) { return x.fill_(value); }},
      {"fill_", [](Tensor& x, T value) { return x.fill_(value); }},
      {"zero_", &Tensor::zero_},
      {"zeros_like", [](T x) { return strata::zeros_like(x); }},
      {"ones_like", [](T x) { return strata::ones_like(x); }},
      {"full_like", [](T x, S value) { return strata::full_like(x, value); }},
  };
}

}  // namespace

Rows pointwise_rows() {
  Rows rows;
  for (auto family : {unary_rows, activation_rows, choosing_rows, copying_rows})
    for (auto& row : family()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
