// ONNX's quantized numbers: sums of products are computed exactly, in double precision.
#include <limits>

#include "exchange/onnx/windows.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;

/// Scales or zero points that broadcast to x: of all, of each index of an axis, or of blocks along it.
Tensor spread(const Tensor& t, const Tensor& x, int64_t axis, int64_t block) {
  if (t.numel() == 1) return t.reshape({});
  if (block > 0) return narrow(repeat_interleave(t, block, axis), axis, 0, x.size(axis));
  Ints sizes(static_cast<size_t>(x.dim()), 1);
  sizes[static_cast<size_t>(wrapped(axis, x.dim()))] = t.numel();
  return t.reshape(sizes);
}

bool is_integer(DType dtype) { return !is_floating_point(dtype); }

/// Rounded, moved and bounded to what the dtype holds.
Tensor as_quantized(const Tensor& scaled, const Tensor& zero_point, DType dtype) {
  const int bits = 8 * static_cast<int>(item_size(dtype));
  const bool is_unsigned = dtype == kByte || dtype == kUInt16;
  STRATA_CHECK(bits <= 16, "load_onnx: quantized numbers of {}", name(dtype));
  const double least = is_unsigned ? 0 : -static_cast<double>(1 << (bits - 1));
  const double most = static_cast<double>(is_unsigned ? (1 << bits) - 1 : (1 << (bits - 1)) - 1);
  const Tensor whole = round(scaled);
  const Tensor moved = zero_point.defined() ? add(whole, cast(cast(zero_point, kInt), whole.dtype())) : whole;
  return cast(cast(clamp(moved, Scalar(least), Scalar(most)), kInt), dtype);
}

Tensor quantized(A a) {
  const Tensor& x = a[0];
  const int64_t axis = a.integer("axis", 1), block = a.integer("block_size", 0);
  const bool saturates = a.flag("saturate", true);
  const std::optional<DType> stated = a.dtype("output_dtype");
  const DType dtype = a.has(2) ? a[2].dtype() : stated.value_or(kByte);
  const DType precision = a.dtype("precision").value_or(is_floating_point(x.dtype()) ? x.dtype() : kFloat);
  const Tensor scale = spread(a[1], x, axis, block);
  const Tensor zero_point = a.has(2) ? spread(a[2], x, axis, block) : Tensor();
  const Tensor scaled = div(cast(x, precision), cast(scale, precision));
  return is_integer(dtype) ? as_quantized(scaled, zero_point, dtype) : cast_to(scaled, dtype, saturates);
}

Tensor dequantized(A a) {
  const Tensor& x = a[0];
  const int64_t axis = a.integer("axis", 1), block = a.integer("block_size", 0);
  const Tensor zero_point = a.tensor_or_none(2);
  const DType out = a.dtype("output_dtype").value_or(a[1].dtype());
  Tensor wide = cast(x, kFloat);
  if (zero_point.defined() && is_integer(x.dtype())) wide = sub(wide, cast(spread(zero_point, x, axis, block), kFloat));
  return cast(mul(wide, cast(spread(a[1], x, axis, block), kFloat)), out);
}

std::tuple<Tensor, Tensor, Tensor> dynamically_quantized(A a) {
  const Tensor& x = a[0];
  const Tensor most = clamp_min(max(x), Scalar(0)), least = clamp_max(min(x), Scalar(0));
  const Tensor range = sub(most, least);
  const Tensor scale = div(where(eq(range, 0), ones_like(range), range), 255);
  const Tensor zero_point = round(clamp(neg(div(least, scale)), Scalar(0), Scalar(255)));
  return {cast(clamp(add(round(div(x, scale)), zero_point), Scalar(0), Scalar(255)), kByte), scale,
          cast(zero_point, kByte)};
}

/// Numbers without their zero point; `row_axis` is the axis of zero points of which there are several.
Tensor centered(const Tensor& x, const Tensor& zero_point, int64_t axis) {
  const Tensor wide = cast(x, kDouble);
  return zero_point.defined() ? sub(wide, cast(spread(zero_point, x, axis, 0), kDouble)) : wide;
}

/// Zero points of a product's first factor are of its rows, of the second of its columns.
Tensor integer_product(const Tensor& x, const Tensor& x_zero, const Tensor& y, const Tensor& y_zero) {
  return matmul(centered(x, x_zero, -2), centered(y, y_zero, -1));
}

Tensor requantized(const Tensor& sums, const Tensor& scale, const Tensor& zero_point) {
  return as_quantized(mul(sums, scale), zero_point, zero_point.dtype());
}

Tensor quantized_product(A a) {
  const Tensor sums = integer_product(a[0], a[2], a[3], a[5]);
  const auto of = [&](size_t i, int64_t axis) { return cast(spread(a[i], sums, axis, 0), kDouble); };
  return requantized(sums, div(mul(of(1, -2), of(4, -1)), of(6, -2)), a[7]);
}

Tensor quantized_conv(A a) {
  const Tensor bias = a.has(8) ? cast(a[8], kDouble) : Tensor();
  const Tensor sums = convolve(a, centered(a[0], a[2], 1), centered(a[3], a[5], 0), bias);
  const Tensor scale = div(mul(cast(a[1], kDouble), cast(spread(a[4], sums, 1, 0), kDouble)), cast(a[6], kDouble));
  return requantized(sums, scale, a[7]);
}

constexpr OpEntry kQuantizedOps[] = {
    {"QuantizeLinear", [](A a) { return quantized(a); }},
    {"DequantizeLinear", [](A a) { return dequantized(a); }},
    {"DynamicQuantizeLinear", [](A a) { return dynamically_quantized(a); }},
    {"MatMulInteger",
     [](A a) { return cast(integer_product(a[0], a.tensor_or_none(2), a[1], a.tensor_or_none(3)), kInt); }},
    {"QLinearMatMul", [](A a) { return quantized_product(a); }},
    {"ConvInteger",
     [](A a) {
       return cast(convolve(a, centered(a[0], a.tensor_or_none(2), 1), centered(a[1], a.tensor_or_none(3), 0), {}),
                   kInt);
     }},
    {"QLinearConv", [](A a) { return quantized_conv(a); }},
};

}  // namespace

std::span<const OpEntry> quantized_ops() { return kQuantizedOps; }

}  // namespace strata::onnx
