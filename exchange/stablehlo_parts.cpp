// What several ops are made of in StableHLO.
#include <limits>
#include <numeric>

#include "exchange/stablehlo_writer.h"

namespace strata::stablehlo {

DimVector counted(int64_t n) {
  DimVector dims(static_cast<size_t>(n), 0);
  std::iota(dims.begin(), dims.end(), int64_t{0});
  return dims;
}

Operand with_dim(const Call& c, const Operand& x) { return x.dim() == 0 ? c.w.reshaped(x, {1}) : x; }

Operand beginning(const Call& c, const Operand& x, IntArrayRef sizes) {
  const DimVector zeros(sizes.size(), 0), ones(sizes.size(), 1);
  return c.w.op("stablehlo.slice", {x}, x.dtype, sizes,
                array("start_indices", zeros) + ", " + array("limit_indices", sizes) + ", " + array("strides", ones));
}

Operand padded(const Call& c, const Operand& x, const Scalar& value, IntArrayRef low, IntArrayRef high,
               IntArrayRef sizes) {
  return c.w.op("stablehlo.pad", {x, c.w.number(value, x.dtype)}, x.dtype, sizes,
                array("edge_padding_low", low) + ", " + array("edge_padding_high", high) + ", " +
                    array("interior_padding", DimVector(sizes.size(), 0)));
}

std::string padding_of_windows(IntArrayRef low, IntArrayRef high) {
  std::string text;
  for (size_t d = 0; d < low.size(); ++d)
    text += (d ? ", [" : "[") + std::to_string(low[d]) + ", " + std::to_string(high[d]) + "]";
  return "padding = dense<[" + text + "]> : tensor<" + std::to_string(low.size()) + "x2xi64>";
}

Operand conjugated(const Call& c, const Operand& x) {
  const DType part = to_real_dtype(x.dtype);
  const Operand real = c.w.op("stablehlo.real", {x}, part, x.sizes),
                imag = c.w.op("stablehlo.imag", {x}, part, x.sizes);
  const Operand turned = c.w.op("stablehlo.negate", {imag}, part, x.sizes);
  return c.w.op("stablehlo.complex", {real, turned}, x.dtype, x.sizes);
}

DType summed_in(DType dtype) { return dtype == kHalf || dtype == kBFloat16 ? kFloat : dtype; }

Scalar extreme(DType dtype, bool greatest) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (isFloatingType(dtype)) return greatest ? kInf : -kInf;
  if (dtype == kBool) return greatest;
  const auto bits = static_cast<int>(8 * item_size(dtype));
  const bool is_unsigned = dtype == kByte || dtype == kUInt16 || dtype == kUInt32 || dtype == kUInt64;
  if (is_unsigned) return greatest ? static_cast<int64_t>(bits == 64 ? -1 : (int64_t{1} << bits) - 1) : int64_t{0};
  const int64_t most = bits == 64 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << (bits - 1)) - 1;
  return greatest ? most : -most - 1;
}

Operands better_of(const Call& c, const Operands& one, const Operands& other, const PairOrder& order) {
  const Operand &a = one[0], &i = one[1], &b = other[0], &j = other[1];
  const auto either = [&](const Operand& p, const Operand& q) {
    return c.w.op("stablehlo.or", {p, q}, kBool, a.sizes);
  };
  const auto both = [&](const Operand& p, const Operand& q) { return c.w.op("stablehlo.and", {p, q}, kBool, a.sizes); };
  const auto stands_first = [&](bool last) { return c.w.compared(last ? "GT" : "LT", i, j); };
  const Operand is_nan = c.w.compared("NE", a, a), other_is_nan = c.w.compared("NE", b, b);
  const Operand better = either(c.w.compared(order.greatest ? "GT" : "LT", a, b),
                                both(is_nan, c.w.op("stablehlo.not", {other_is_nan}, kBool, a.sizes)));
  const Operand tie = either(both(c.w.compared("EQ", a, b), stands_first(order.last_number)),
                             both(both(is_nan, other_is_nan), stands_first(order.last_nan)));
  const Operand first = either(better, tie);
  return {c.w.selected(first, a, b), c.w.selected(first, i, j)};
}

std::string better_pair(const Call& c, DType dtype, const PairOrder& order) {
  const Operand a = c.w.argument(dtype, {}), i = c.w.argument(kLong, {}), b = c.w.argument(dtype, {}),
                j = c.w.argument(kLong, {});
  return c.w.region({a, i, b, j}, [&] { return better_of(c, {a, i}, {b, j}, order); });
}

namespace {
/// Where in x each element of index leads, that has the place along `dim`: (index.sizes(), dims).
Operand coordinates(const Call& c, const Operand& index, int64_t dims, int64_t dim) {
  DimVector column(index.sizes);
  column.push_back(1);
  Operands parts;
  for (int64_t d = 0; d < dims; ++d)
    parts.push_back(c.w.reshaped(d == dim ? index : c.w.iota(index.dtype, index.sizes, d), column));
  column[column.size() - 1] = dims;
  return c.w.op("stablehlo.concatenate", parts, index.dtype, column,
                "dimension = " + std::to_string(index.dim()) + " : i64");
}
}  // namespace

Operand gathered(const Call& c, const Operand& x, const Operand& index, int64_t dim) {
  const DimVector ones(x.sizes.size(), 1), all = counted(x.dim());
  return c.w.op("stablehlo.gather", {x, coordinates(c, index, x.dim(), dim)}, x.dtype, index.sizes,
                "dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [" + listed(all) +
                    "], start_index_map = [" + listed(all) + "], index_vector_dim = " + std::to_string(index.dim()) +
                    ">, " + array("slice_sizes", ones) + ", indices_are_sorted = false");
}

Operand scattered(const Call& c, const Operand& x, const Operand& index, const Operand& source, int64_t dim,
                  const std::string& joining) {
  const std::string all = listed(counted(x.dim()));
  return c.w.op(
      "stablehlo.scatter", {x, coordinates(c, index, x.dim(), dim), source}, {joining}, {{"", x.dtype, x.sizes}},
      "scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [" + all +
          "], scatter_dims_to_operand_dims = [" + all + "], index_vector_dim = " + std::to_string(index.dim()) +
          ">, indices_are_sorted = false, unique_indices = false")[0];
}

}  // namespace strata::stablehlo
