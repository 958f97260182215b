// ONNX's element-wise ops.
#include <cmath>
#include <limits>

#include "exchange/onnx/ops.h"
#include "ops/activation.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/pointwise_functions.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/special.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::onnx {

namespace {

/// What is too large for 8 bits: from half of a step above the largest number on, where a tie goes to the even one.
struct Float8Range {
  DType dtype;
  double most, too_large;
  bool with_tie, has_infinity;
};
constexpr Float8Range kFloat8Ranges[] = {{kFloat8_e4m3fn, 448, 464, false, false},
                                         {kFloat8_e4m3fnuz, 240, 248, true, false},
                                         {kFloat8_e5m2, 57344, 61440, true, true},
                                         {kFloat8_e5m2fnuz, 57344, 61440, true, false}};

Tensor cast_to_float8(const Tensor& given, const Float8Range& range, bool saturates) {
  const Tensor x = cast(given, kFloat);
  if (saturates) return cast(where(isnan(x), x, clamp(x, -range.most, range.most)), range.dtype);
  const Tensor size = abs(x), overflows = range.with_tie ? ge(size, range.too_large) : gt(size, range.too_large);
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor instead = range.has_infinity ? mul(sign(x), infinity) : full({}, std::nan(""), kFloat);
  return cast(where(overflows, instead, x), range.dtype);
}

}  // namespace

Tensor cast_to(const Tensor& x, DType dtype, bool saturates) {
  for (const Float8Range& range : kFloat8Ranges)
    if (range.dtype == dtype && x.dtype() != dtype) return cast_to_float8(x, range, saturates);
  return x.dtype() == dtype ? x : cast(x, dtype);
}

namespace {

using A = const Arguments&;

/// uint16, uint32 and uint64 are for storage alone here, so they are computed as int64.
bool is_storage(DType dtype) { return dtype == kUInt16 || dtype == kUInt32 || dtype == kUInt64; }

/// The numbers of what is computed as int64; those that do not fit are refused.
Tensor as_computed(const Tensor& x) {
  if (!is_storage(x.dtype())) return x;
  const Tensor wide = cast(x, kLong);
  STRATA_CHECK(x.dtype() != kUInt64 || wide.numel() == 0 || (is_known(wide) && ge(wide, 0).all().item<bool>()),
               "load_onnx: numbers of uint64 above {} are not computed with here", std::numeric_limits<int64_t>::max());
  return wide;
}

template <class F>
Tensor computed(A a, F f) {
  return cast(f(as_computed(a[0]), as_computed(a[1])), a[0].dtype());
}

template <class F>
Tensor compared(A a, F f) {
  return f(as_computed(a[0]), as_computed(a[1]));
}

/// Quotients of integers are cut off, as C's are.
Tensor quotient(const Tensor& x, const Tensor& y) {
  return is_floating_point(x.dtype()) ? div(x, y) : div(x, y, "trunc");
}

template <class F>
Tensor folded(A a, F f) {
  Tensor out = as_computed(a[0]);
  for (size_t i = 1; i < a.size(); ++i) out = f(out, as_computed(a[i]));
  return cast(out, a[0].dtype());
}

Tensor shifted(A a) {
  const bool left = a.text("direction") == "LEFT";
  const Tensor &x = a[0], &by = a[1];
  if (x.dtype() == kByte) {  // a shift by 8 and more leaves nothing
    const Tensor wide = cast(x, kLong), n = minimum(cast(by, kLong), full({}, 8, kLong));
    return cast(left ? bitwise_and(bitwise_left_shift(wide, n), 255) : bitwise_right_shift(wide, n), kByte);
  }
  return computed(
      a, [&](const Tensor& v, const Tensor& n) { return left ? bitwise_left_shift(v, n) : bitwise_right_shift(v, n); });
}

/// The bounds are attributes before opset 11.
Tensor clipped(A a) {
  const Tensor x = as_computed(a[0]);
  Tensor out = x;
  const auto bound = [&](size_t i, const char* name) {
    if (a.opset() >= 11) return a.has(i) ? as_computed(a[i]) : Tensor();
    return a.has(name) ? full({}, a.number(name, 0), x.dtype()) : Tensor();
  };
  const Tensor least = bound(1, "min"), most = bound(2, "max");
  if (least.defined()) out = maximum(out, least);
  if (most.defined()) out = minimum(out, most);
  return cast(out, a[0].dtype());
}

Tensor is_infinite(A a) {
  const bool negative = a.flag("detect_negative", true), positive = a.flag("detect_positive", true);
  const Tensor& x = a[0];
  if (negative && positive) return isinf(x);
  if (!negative && !positive) return zeros_like(x, kBool);
  return negative ? isneginf(x) : isposinf(x);
}

/// Softmax and its kin: before opset 13, over all axes from `axis` on.
template <class F>
Tensor over_axis(A a, F f) {
  const Tensor& x = a[0];
  if (a.opset() >= 13) return f(x, a.integer("axis", -1));
  const int64_t axis = wrapped(a.integer("axis", 1), x.dim());
  const Tensor rows = flatten(x.reshape(x.dim() == 0 ? IntArrayRef{1} : x.sizes()), axis);
  return f(rows, axis).reshape(x.sizes());
}

Tensor hardmax(const Tensor& x, int64_t axis) {
  const Tensor places = arange(x.size(axis), kLong);
  Ints sizes(static_cast<size_t>(x.dim()), 1);
  sizes[static_cast<size_t>(wrapped(axis, x.dim()))] = x.size(axis);
  return cast(eq(argmax(x, axis, true), places.reshape(sizes)), x.dtype());
}

Tensor shrunk(A a) {
  const Tensor& x = a[0];
  const double lambda = a.number("lambd", 0.5), bias = a.number("bias", 0);
  const Tensor inner = zeros_like(x);
  return cast(where(lt(x, -lambda), add(x, bias), where(gt(x, lambda), sub(x, bias), inner)), x.dtype());
}

/// In eager code and in training alike, what is dropped are numbers of the default generator.
std::tuple<Tensor, Tensor> dropped(A a) {
  const Tensor& x = a[0];
  a.ignore("seed"), a.ignore("ratio");
  const double p = a.opset() < 12 ? 0 : a.has(1) ? a.number_in(1).toDouble() : 0.5;
  const bool trains = a.opset() >= 12 && a.has(2) && a.flag_in(2);
  if (!trains || p == 0) return {x, a.wants(1) ? ones_like(x, kBool) : Tensor()};
  const Tensor mask = ge(rand(x.sizes(), TensorOptions(kFloat).device(x.device())), p);
  return {mul(x, div(cast(mask, x.dtype()), 1 - p)), mask};
}

Tensor sum_of(A a) {
  return folded(a, [](const Tensor& x, const Tensor& y) { return add(x, y); });
}

constexpr OpEntry kPointwiseOps[] = {
    {"Abs", [](A a) { return cast(abs(as_computed(a[0])), a[0].dtype()); }},
    {"Acos", [](A a) { return acos(a[0]); }},
    {"Acosh", [](A a) { return acosh(a[0]); }},
    {"Asin", [](A a) { return asin(a[0]); }},
    {"Asinh", [](A a) { return asinh(a[0]); }},
    {"Atan", [](A a) { return atan(a[0]); }},
    {"Atanh", [](A a) { return atanh(a[0]); }},
    {"BitwiseNot",
     [](A a) { return cast(bitwise_not(is_storage(a[0].dtype()) ? cast(a[0], kLong) : a[0]), a[0].dtype()); }},
    {"Ceil", [](A a) { return ceil(a[0]); }},
    {"Cos", [](A a) { return cos(a[0]); }},
    {"Cosh", [](A a) { return cosh(a[0]); }},
    {"Erf", [](A a) { return cast(erf(a[0]), a[0].dtype()); }},
    {"Exp", [](A a) { return exp(a[0]); }},
    {"Floor", [](A a) { return floor(a[0]); }},
    {"Identity", [](A a) { return a.value(0); }},
    {"IsInf", [](A a) { return is_infinite(a); }},
    {"IsNaN", [](A a) { return isnan(a[0]); }},
    {"Log", [](A a) { return log(a[0]); }},
    {"Neg", [](A a) { return neg(a[0]); }},
    {"Not", [](A a) { return logical_not(a[0]); }},
    {"Reciprocal", [](A a) { return reciprocal(a[0]); }},
    {"Round", [](A a) { return round(a[0]); }},
    {"Sign", [](A a) { return cast(sign(as_computed(a[0])), a[0].dtype()); }},
    {"Sin", [](A a) { return sin(a[0]); }},
    {"Sinh", [](A a) { return sinh(a[0]); }},
    {"Sqrt", [](A a) { return sqrt(a[0]); }},
    {"Tan", [](A a) { return tan(a[0]); }},
    {"Tanh", [](A a) { return tanh(a[0]); }},

    {"Celu", [](A a) { return celu(a[0], a.number("alpha", 1)); }},
    {"Elu", [](A a) { return elu(a[0], a.number("alpha", 1)); }},
    {"Gelu", [](A a) { return gelu(a[0], a.text("approximate", "none")); }},
    {"HardSigmoid",
     [](A a) { return clamp(add(mul(a[0], a.number("alpha", 0.2)), a.number("beta", 0.5)), Scalar(0), Scalar(1)); }},
    {"HardSwish", [](A a) { return hardswish(a[0]); }},
    {"LeakyRelu", [](A a) { return leaky_relu(a[0], a.number("alpha", 0.01)); }},
    {"Mish", [](A a) { return mish(a[0]); }},
    {"PRelu",
     [](A a) {
       const Tensor &x = a[0], &slope = a[1];
       return where(lt(x, 0), mul(x, slope), x);
     }},
    {"Relu", [](A a) { return relu(a[0]); }},
    {"Selu",
     [](A a) {
       return elu(a[0], a.number("alpha", 1.67326319217681884765625), a.number("gamma", 1.05070102214813232421875));
     }},
    {"Shrink", [](A a) { return shrunk(a); }},
    {"Sigmoid", [](A a) { return sigmoid(a[0]); }},
    {"Softplus", [](A a) { return softplus(a[0]); }},
    {"Softsign", [](A a) { return softsign(a[0]); }},
    {"Swish", [](A a) { return mul(a[0], sigmoid(mul(a[0], a.number("alpha", 1)))); }},
    {"ThresholdedRelu", [](A a) { return threshold(a[0], a.number("alpha", 1), 0); }},
    {"Clip", [](A a) { return clipped(a); }},
    {"Dropout", [](A a) { return dropped(a); }},
    {"Softmax", [](A a) { return over_axis(a, [](const Tensor& x, int64_t d) { return softmax(x, d); }); }},
    {"LogSoftmax", [](A a) { return over_axis(a, [](const Tensor& x, int64_t d) { return log_softmax(x, d); }); }},
    {"Hardmax", [](A a) { return over_axis(a, hardmax); }},

    {"Add", [](A a) { return computed(a, [](const Tensor& x, const Tensor& y) { return add(x, y); }); }},
    {"Sub", [](A a) { return computed(a, [](const Tensor& x, const Tensor& y) { return sub(x, y); }); }},
    {"Mul", [](A a) { return computed(a, [](const Tensor& x, const Tensor& y) { return mul(x, y); }); }},
    {"Div", [](A a) { return computed(a, quotient); }},
    {"Pow",
     [](A a) {
       const Tensor x = as_computed(a[0]), y = as_computed(a[1]);
       return cast(is_floating_point(y.dtype()) && !is_floating_point(x.dtype()) ? pow(cast(x, kDouble), y) : pow(x, y),
                   a[0].dtype());
     }},
    {"Mod",
     [](A a) {
       const bool like_c = a.flag("fmod");
       return computed(a, [&](const Tensor& x, const Tensor& y) { return like_c ? fmod(x, y) : remainder(x, y); });
     }},
    {"BitShift", [](A a) { return shifted(a); }},
    {"BitwiseAnd", [](A a) { return computed(a, [](const Tensor& x, const Tensor& y) { return bitwise_and(x, y); }); }},
    {"BitwiseOr", [](A a) { return computed(a, [](const Tensor& x, const Tensor& y) { return bitwise_or(x, y); }); }},
    {"BitwiseXor", [](A a) { return computed(a, [](const Tensor& x, const Tensor& y) { return bitwise_xor(x, y); }); }},
    {"And", [](A a) { return logical_and(a[0], a[1]); }},
    {"Or", [](A a) { return logical_or(a[0], a[1]); }},
    {"Xor", [](A a) { return logical_xor(a[0], a[1]); }},
    {"Equal", [](A a) { return compared(a, [](const Tensor& x, const Tensor& y) { return eq(x, y); }); }},
    {"Greater", [](A a) { return compared(a, [](const Tensor& x, const Tensor& y) { return gt(x, y); }); }},
    {"GreaterOrEqual", [](A a) { return compared(a, [](const Tensor& x, const Tensor& y) { return ge(x, y); }); }},
    {"Less", [](A a) { return compared(a, [](const Tensor& x, const Tensor& y) { return lt(x, y); }); }},
    {"LessOrEqual", [](A a) { return compared(a, [](const Tensor& x, const Tensor& y) { return le(x, y); }); }},
    {"Max", [](A a) { return folded(a, [](const Tensor& x, const Tensor& y) { return maximum(x, y); }); }},
    {"Min", [](A a) { return folded(a, [](const Tensor& x, const Tensor& y) { return minimum(x, y); }); }},
    {"Sum", [](A a) { return sum_of(a); }},
    {"Mean", [](A a) { return div(sum_of(a), static_cast<double>(a.size())); }},
    {"Where", [](A a) { return where(a[0], a[1], a[2]); }},

    {"Cast",
     [](A a) {
       a.ignore("round_mode");  // of float8e8m0
       return cast_to(a[0], *a.dtype("to"), a.flag("saturate", true));
     }},
    {"CastLike",
     [](A a) {
       a.ignore("round_mode");
       return cast_to(a[0], a[1].dtype(), a.flag("saturate", true));
     }},
};

}  // namespace

std::span<const OpEntry> pointwise_ops() { return kPointwiseOps; }

}  // namespace strata::onnx
