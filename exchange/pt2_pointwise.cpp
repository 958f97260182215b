// ATen's element-wise ops for exported programs.
#include "exchange/pt2_ops.h"
#include "ops/activation.h"
#include "ops/aliases.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/loss.h"
#include "ops/pointwise_functions.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/special.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::pt2 {
namespace {

using A = const Arguments&;

Tensor to_dtype(A a) {
  const Tensor& x = a.self();
  const std::optional<DType> dtype = a.maybe_dtype();
  return dtype && *dtype != x.dtype() ? cast(x, *dtype) : x;
}

Tensor clamp_by_tensors(A a) {
  Tensor x = a.self();
  if (const OptionalTensorRef least = a.maybe_tensor("min")) x = clamp_min(x, *least);
  if (const OptionalTensorRef most = a.maybe_tensor("max")) x = clamp_max(x, *most);
  return x;
}

/// One of the two may be a number; in place ("pow_.Scalar") it is the exponent, else ("pow.Scalar") the base.
Tensor power(A a) {
  return a.with_operand("exponent", [&](const auto& exponent) {
    if constexpr (std::is_same_v<decltype(exponent), const Tensor&>)
      return a.with_operand("self", [&](const auto& base) { return pow(base, exponent); });
    else
      return pow(a.self(), exponent);
  });
}

/// What is dropped has another name in place.
template <class F>
Tensor dropped(A a, F f) {
  return f(a.has("self") ? a.self() : a.tensor("input"), a.number("p", 0.5), a.flag("train"));
}

/// add, sub and rsub: `other` may be scaled.
template <class F>
Tensor scaled(A a, F f) {
  const Scalar alpha = a.scalar("alpha", 1);
  return a.with_other([&](const Tensor& x, const auto& y) { return f(x, y, alpha); });
}

constexpr OpEntry kPointwiseOps[] = {
    {"abs", "default", [](A a) { return abs(a.self()); }},
    {"acos", "default", [](A a) { return acos(a.self()); }},
    {"acosh", "default", [](A a) { return acosh(a.self()); }},
    {"alias", "default", [](A a) { return a.self(); }},
    {"angle", "default", [](A a) { return angle(a.self()); }},
    {"asin", "default", [](A a) { return asin(a.self()); }},
    {"asinh", "default", [](A a) { return asinh(a.self()); }},
    {"atan", "default", [](A a) { return atan(a.self()); }},
    {"atanh", "default", [](A a) { return atanh(a.self()); }},
    {"bitwise_not", "default", [](A a) { return bitwise_not(a.self()); }},
    {"ceil", "default", [](A a) { return ceil(a.self()); }},
    {"conj", "default", [](A a) { return conj(a.self()); }},
    {"_conj", "default", [](A a) { return conj(a.self()); }},
    {"cos", "default", [](A a) { return cos(a.self()); }},
    {"cosh", "default", [](A a) { return cosh(a.self()); }},
    {"deg2rad", "default", [](A a) { return deg2rad(a.self()); }},
    {"digamma", "default", [](A a) { return digamma(a.self()); }},
    {"erf", "default", [](A a) { return erf(a.self()); }},
    {"erfc", "default", [](A a) { return erfc(a.self()); }},
    {"erfinv", "default", [](A a) { return erfinv(a.self()); }},
    {"exp", "default", [](A a) { return exp(a.self()); }},
    {"exp2", "default", [](A a) { return exp2(a.self()); }},
    {"expm1", "default", [](A a) { return expm1(a.self()); }},
    {"floor", "default", [](A a) { return floor(a.self()); }},
    {"frac", "default", [](A a) { return frac(a.self()); }},
    {"imag", "default", [](A a) { return imag(a.self()); }},
    {"heaviside", "default", [](A a) { return heaviside(a.self(), a.tensor("values")); }},
    {"i0", "default", [](A a) { return i0(a.self()); }},
    {"isclose", "default",
     [](A a) {
       return isclose(a.self(), a.tensor("other"), a.number("rtol", 1e-5), a.number("atol", 1e-8), a.flag("equal_nan"));
     }},
    {"isneginf", "default", [](A a) { return isneginf(a.self()); }},
    {"isposinf", "default", [](A a) { return isposinf(a.self()); }},
    {"sinc", "default", [](A a) { return sinc(a.self()); }},
    {"isfinite", "default", [](A a) { return isfinite(a.self()); }},
    {"isinf", "default", [](A a) { return isinf(a.self()); }},
    {"isnan", "default", [](A a) { return isnan(a.self()); }},
    {"lgamma", "default", [](A a) { return lgamma(a.self()); }},
    {"log", "default", [](A a) { return log(a.self()); }},
    {"log10", "default", [](A a) { return log10(a.self()); }},
    {"log1p", "default", [](A a) { return log1p(a.self()); }},
    {"log2", "default", [](A a) { return log2(a.self()); }},
    {"logical_not", "default", [](A a) { return logical_not(a.self()); }},
    {"neg", "default", [](A a) { return neg(a.self()); }},
    {"positive", "default", [](A a) { return a.self(); }},
    {"rad2deg", "default", [](A a) { return rad2deg(a.self()); }},
    {"real", "default", [](A a) { return real(a.self()); }},
    {"reciprocal", "default", [](A a) { return reciprocal(a.self()); }},
    {"round", "default", [](A a) { return round(a.self()); }},
    {"round", "decimals", [](A a) { return round(a.self(), a.integer("decimals")); }},
    {"rsqrt", "default", [](A a) { return rsqrt(a.self()); }},
    {"sgn", "default", [](A a) { return sgn(a.self()); }},
    {"sign", "default", [](A a) { return sign(a.self()); }},
    {"signbit", "default", [](A a) { return signbit(a.self()); }},
    {"sin", "default", [](A a) { return sin(a.self()); }},
    {"sinh", "default", [](A a) { return sinh(a.self()); }},
    {"sqrt", "default", [](A a) { return sqrt(a.self()); }},
    {"square", "default", [](A a) { return square(a.self()); }},
    {"tan", "default", [](A a) { return tan(a.self()); }},
    {"tanh", "default", [](A a) { return tanh(a.self()); }},
    {"trunc", "default", [](A a) { return trunc(a.self()); }},
    {"logit", "default", [](A a) { return logit(a.self(), a.maybe_number("eps")); }},
    {"nan_to_num", "default",
     [](A a) {
       return nan_to_num(a.self(), a.maybe_number("nan"), a.maybe_number("posinf"), a.maybe_number("neginf"));
     }},

    // Activations.
    {"celu", "default", [](A a) { return celu(a.self(), a.scalar("alpha", 1)); }},
    {"elu", "default",
     [](A a) { return elu(a.self(), a.scalar("alpha", 1), a.scalar("scale", 1), a.scalar("input_scale", 1)); }},
    {"gelu", "default", [](A a) { return gelu(a.self(), a.text("approximate", "none")); }},
    {"glu", "default", [](A a) { return glu(a.self(), a.integer("dim", -1)); }},
    {"hardshrink", "default", [](A a) { return hardshrink(a.self(), a.scalar("lambd", 0.5)); }},
    {"hardsigmoid", "default", [](A a) { return hardsigmoid(a.self()); }},
    {"hardswish", "default", [](A a) { return hardswish(a.self()); }},
    {"hardtanh", "default", [](A a) { return hardtanh(a.self(), a.scalar("min_val", -1), a.scalar("max_val", 1)); }},
    {"leaky_relu", "default", [](A a) { return leaky_relu(a.self(), a.scalar("negative_slope", 0.01)); }},
    {"log_sigmoid", "default", [](A a) { return log_sigmoid(a.self()); }},
    {"mish", "default", [](A a) { return mish(a.self()); }},
    {"prelu", "default", [](A a) { return prelu(a.self(), a.tensor("weight")); }},
    {"_prelu_kernel", "default", [](A a) { return where(gt(a.self(), 0), a.self(), mul(a.tensor("weight"), a.self())); }},
    {"relu", "default", [](A a) { return relu(a.self()); }},
    {"relu_", "default",
     [](A a) {
       Tensor x = a.self();
       return relu_(x);
     }},
    {"relu6", "default", [](A a) { return relu6(a.self()); }},
    {"selu", "default", [](A a) { return selu(a.self()); }},
    {"sigmoid", "default", [](A a) { return sigmoid(a.self()); }},
    {"silu", "default", [](A a) { return silu(a.self()); }},
    {"softplus", "default", [](A a) { return softplus(a.self(), a.scalar("beta", 1), a.scalar("threshold", 20)); }},
    {"softshrink", "default", [](A a) { return softshrink(a.self(), a.scalar("lambd", 0.5)); }},
    {"threshold", "default", [](A a) { return threshold(a.self(), a.scalar("threshold"), a.scalar("value")); }},

    // Two operands, the second of which may be a number.
    {"add", "Tensor Scalar", [](A a) { return scaled(a, [](auto... x) { return add(x...); }); }},
    {"add_", "Tensor Scalar",
     [](A a) { return scaled(a, [](Tensor x, const auto& y, const Scalar& alpha) { return x.add_(y, alpha); }); }},
    {"sub", "Tensor Scalar", [](A a) { return scaled(a, [](auto... x) { return sub(x...); }); }},
    {"rsub", "Tensor Scalar", [](A a) { return scaled(a, [](auto... x) { return rsub(x...); }); }},
    {"mul", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return mul(x...); }); }},
    {"div", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return div(x...); }); }},
    {"div", "Tensor_mode Scalar_mode",
     [](A a) {
       const std::string mode = a.text("rounding_mode");
       const std::optional<std::string_view> rounding = mode.empty() ? std::nullopt : std::optional<std::string_view>(mode);
       return a.with_other([&](auto... x) { return div(x..., rounding); });
     }},
    {"pow", "Tensor_Tensor Tensor_Scalar Scalar Tensor", [](A a) { return power(a); }},
    {"fmod", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return fmod(x...); }); }},
    {"remainder", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return remainder(x...); }); }},
    {"floor_divide", "default Scalar Tensor", [](A a) { return a.with_other([](auto... x) { return floor_divide(x...); }); }},
    {"xlogy", "Tensor Scalar_Other", [](A a) { return a.with_other([](auto... x) { return xlogy(x...); }); }},
    {"atan2", "default", [](A a) { return atan2(a.self(), a.tensor("other")); }},
    {"copysign", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return copysign(x...); }); }},
    {"fmax", "default", [](A a) { return fmax(a.self(), a.tensor("other")); }},
    {"fmin", "default", [](A a) { return fmin(a.self(), a.tensor("other")); }},
    {"hypot", "default", [](A a) { return hypot(a.self(), a.tensor("other")); }},
    {"logaddexp", "default", [](A a) { return logaddexp(a.self(), a.tensor("other")); }},
    {"maximum", "default", [](A a) { return maximum(a.self(), a.tensor("other")); }},
    {"minimum", "default", [](A a) { return minimum(a.self(), a.tensor("other")); }},
    {"max", "other", [](A a) { return maximum(a.self(), a.tensor("other")); }},
    {"min", "other", [](A a) { return minimum(a.self(), a.tensor("other")); }},

    {"eq", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return eq(x...); }); }},
    {"ne", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return ne(x...); }); }},
    {"lt", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return lt(x...); }); }},
    {"le", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return le(x...); }); }},
    {"gt", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return gt(x...); }); }},
    {"ge", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return ge(x...); }); }},
    {"logical_and", "default", [](A a) { return logical_and(a.self(), a.tensor("other")); }},
    {"logical_or", "default", [](A a) { return logical_or(a.self(), a.tensor("other")); }},
    {"logical_xor", "default", [](A a) { return logical_xor(a.self(), a.tensor("other")); }},
    {"bitwise_and", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return bitwise_and(x...); }); }},
    {"bitwise_or", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return bitwise_or(x...); }); }},
    {"bitwise_xor", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return bitwise_xor(x...); }); }},
    {"bitwise_left_shift", "Tensor Tensor_Scalar",
     [](A a) { return a.with_other([](auto... x) { return bitwise_left_shift(x...); }); }},
    {"bitwise_right_shift", "Tensor Tensor_Scalar",
     [](A a) { return a.with_other([](auto... x) { return bitwise_right_shift(x...); }); }},
    {"__and__", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return bitwise_and(x...); }); }},
    {"__or__", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return bitwise_or(x...); }); }},
    {"__xor__", "Tensor Scalar", [](A a) { return a.with_other([](auto... x) { return bitwise_xor(x...); }); }},

    // Three.
    {"addcdiv", "default",
     [](A a) { return addcdiv(a.self(), a.tensor("tensor1"), a.tensor("tensor2"), a.scalar("value", 1)); }},
    {"addcmul", "default",
     [](A a) { return addcmul(a.self(), a.tensor("tensor1"), a.tensor("tensor2"), a.scalar("value", 1)); }},
    {"clamp", "default", [](A a) { return clamp(a.self(), a.maybe_scalar("min"), a.maybe_scalar("max")); }},
    {"clamp", "Tensor", [](A a) { return clamp_by_tensors(a); }},
    {"clamp_min", "default", [](A a) { return clamp_min(a.self(), a.scalar("min")); }},
    {"clamp_min", "Tensor", [](A a) { return clamp_min(a.self(), a.tensor("min")); }},
    {"clamp_max", "default", [](A a) { return clamp_max(a.self(), a.scalar("max")); }},
    {"clamp_max", "Tensor", [](A a) { return clamp_max(a.self(), a.tensor("max")); }},
    {"lerp", "Tensor Scalar",
     [](A a) { return a.with_operand("weight", [&](const auto& w) { return lerp(a.self(), a.tensor("end"), w); }); }},
    {"where", "self ScalarOther ScalarSelf Scalar",
     [](A a) {
       const Tensor& condition = a.tensor("condition");
       return a.with_operand("self", [&](const auto& x) {
         return a.with_operand("other", [&](const auto& y) { return where(condition, x, y); });
       });
     }},

    // Copies and casts.
    {"clone", "default", [](A a) { return clone(a.self()); }},
    {"contiguous", "default", [](A a) { return contiguous(a.self()); }},
    {"copy", "default", [](A a) { return expand(cast(a.tensor("src"), a.self().dtype()), a.self().sizes()); }},
    {"detach", "default", [](A a) { return detach(a.self()); }},
    {"fill", "Scalar Tensor",
     [](A a) {
       const auto fill = [&](const auto& value) { return where(ones_like(a.self(), kBool), value, a.self()); };
       return cast(a.with_operand("value", fill), a.self().dtype());
     }},
    {"zero", "default", [](A a) { return zeros_like(a.self()); }},
    {"lift_fresh_copy", "default", [](A a) { return clone(a.self()); }},
    {"lift_fresh", "default", [](A a) { return a.self(); }},
    {"_to_copy", "default",
     [](A a) {
       const Tensor out = to_dtype(a);
       return out.is_same(a.self()) ? clone(out) : out;
     }},
    {"to", "dtype dtype_layout device prim_Device", [](A a) { return to_dtype(a); }},
    {"to", "other", [](A a) { return cast(a.self(), a.tensor("other").dtype()); }},
    {"type_as", "default", [](A a) { return cast(a.self(), a.tensor("other").dtype()); }},
    {"view_as_complex", "default", [](A a) { return view_as_complex(a.self()); }},
    {"view_as_real", "default", [](A a) { return view_as_real(a.self()); }},
    {"complex", "default", [](A a) { return complex(a.tensor("real"), a.tensor("imag")); }},
    {"polar", "default", [](A a) { return polar(a.tensor("abs"), a.tensor("angle")); }},

    // Random ones.
    {"dropout", "default", [](A a) { return dropped(a, [](auto... x) { return dropout(x...); }); }},
    {"feature_dropout", "default", [](A a) { return dropped(a, [](auto... x) { return feature_dropout(x...); }); }},
    {"alpha_dropout", "default", [](A a) { return dropped(a, [](auto... x) { return alpha_dropout(x...); }); }},
    {"native_dropout", "default",
     [](A a) {
       const Tensor& x = a.tensor("input");
       const double p = a.number("p", 0.5);
       if (!a.flag("train", true)) return std::tuple(x, ones_like(x, kBool));
       const Tensor kept = dropout(ones_like(x), p, true);
       return std::tuple(mul(x, kept), ne(kept, 0));
     }},
    {"bernoulli", "default", [](A a) { return bernoulli(a.self()); }},
    {"bernoulli", "p float", [](A a) { return bernoulli(a.self(), a.number("p", 0.5)); }},
    {"rand_like", "default", [](A a) { return rand_like(a.self(), a.options()); }},
    {"randn_like", "default", [](A a) { return randn_like(a.self(), a.options()); }},
};

}  // namespace

std::span<const OpEntry> pointwise_ops() { return kPointwiseOps; }

}  // namespace strata::pt2
