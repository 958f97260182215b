// What each op is in StableHLO. Ops that are not here and decompose are written as what they are made of.
#include <algorithm>
#include <array>
#include <limits>

#include "exchange/stablehlo_writer.h"
#include "ops/creation.h"
#include "ops/promote.h"

namespace strata::stablehlo {
namespace {

template <size_t N>
struct Literal {  // a name as an argument of a template
  constexpr Literal(const char (&text)[N]) { std::copy(text, text + N, value); }
  char value[N];
};

/// As many operands as the op has, in the dtype and shape of the result.
template <Literal name>
Operands pointwise(const Call& c) {
  Operands in;
  for (size_t i = 0; i < c.in.size(); ++i) in.push_back(c.as_result(i));
  return {c.w.op(name.value, in, c.dtype(), c.sizes())};
}

template <Literal name>
Operands test_of_one(const Call& c) {
  return {c.w.op(name.value, {c.in[0]}, kBool, c.sizes())};
}

template <Literal direction>
Operands comparison(const Call& c) {
  const DType common = promote_types(c.in[0].dtype, c.in[1].dtype);
  const auto side = [&](size_t i) { return c.w.broadcast(c.w.converted(c.in[i], common), c.sizes()); };
  return {c.w.compared(direction.value, side(0), side(1))};
}

/// Of numbers, whether they are not zero.
Operand truth(const Call& c, const Operand& x) {
  if (x.dtype == kBool) return x;
  return c.w.compared("NE", x, c.w.number(0, x.dtype, x.sizes));
}

template <Literal name>
Operands logical(const Call& c) {
  Operands in;
  for (const Operand& x : c.in) in.push_back(c.w.broadcast(truth(c, x), c.sizes()));
  return {c.w.op(name.value, in, kBool, c.sizes())};
}

Operands complex_of_parts(const Call& c) {
  const DType part = to_real_dtype(c.dtype());
  const auto side = [&](size_t i) { return c.w.broadcast(c.w.converted(c.in[i], part), c.sizes()); };
  return {c.w.op("stablehlo.complex", {side(0), side(1)}, c.dtype(), c.sizes())};
}

Operands complex_abs(const Call& c) { return {c.w.op("stablehlo.abs", {c.in[0]}, c.dtype(), c.sizes())}; }
Operands conj(const Call& c) { return {conjugated(c, c.in[0])}; }

Operands isnan(const Call& c) { return {c.w.compared("NE", c.in[0], c.in[0])}; }

/// The result has the sign of the divisor, StableHLO's that of the dividend.
Operands remainder(const Call& c) {
  const Operand a = c.as_result(0), b = c.as_result(1), zero = c.w.number(0, c.dtype(), c.sizes());
  const Operand r = c.w.op("stablehlo.remainder", {a, b}, c.dtype(), c.sizes());
  const Operand differs =
      c.w.op("stablehlo.xor", {c.w.compared("LT", r, zero), c.w.compared("LT", b, zero)}, kBool, c.sizes());
  const Operand wrong = c.w.op("stablehlo.and", {differs, c.w.compared("NE", r, zero)}, kBool, c.sizes());
  return {c.w.selected(wrong, c.w.op("stablehlo.add", {r, b}, c.dtype(), c.sizes()), r)};
}

Operands pow_scalar(const Call& c) {
  const Operand exponent = c.w.number(c.fields["exponent"].toScalar(), c.dtype(), c.sizes());
  return {c.w.op("stablehlo.power", {c.as_result(0), exponent}, c.dtype(), c.sizes())};
}

Operands relu(const Call& c) {
  return {c.w.op("stablehlo.maximum", {c.in[0], c.w.number(0, c.dtype(), c.sizes())}, c.dtype(), c.sizes())};
}

Operands where(const Call& c) {
  return {c.w.selected(c.w.broadcast(c.in[0], c.sizes()), c.as_result(1), c.as_result(2))};
}

Operands same(const Call& c) { return {c.in[0]}; }
Operands convert(const Call& c) { return {c.w.converted(c.dtype() == kBool ? truth(c, c.in[0]) : c.in[0], c.dtype())}; }
Operands reshape(const Call& c) { return {c.w.reshaped(c.in[0], c.sizes())}; }
Operands expand(const Call& c) { return {c.w.broadcast(c.in[0], c.sizes())}; }
Operands permute(const Call& c) { return {c.w.transposed(c.in[0], c.integers("dims"))}; }
Operands fill(const Call& c) { return {c.w.number(c.fields["value"].toScalar(), c.dtype(), c.sizes())}; }

Operand sliced(const Call& c, int64_t dim, int64_t start, int64_t end, int64_t step) {
  const Operand& x = c.in[0];
  const auto d = static_cast<size_t>(dim);
  DimVector from(x.sizes.size(), 0), to = x.sizes, steps(x.sizes.size(), 1), sizes = x.sizes;
  from[d] = start, to[d] = end, steps[d] = step, sizes[d] = (end - start + step - 1) / step;
  return c.w.op("stablehlo.slice", {x}, x.dtype, sizes,
                array("start_indices", from) + ", " + array("limit_indices", to) + ", " + array("strides", steps));
}

Operands view_as_real(const Call& c) {
  DimVector column(c.in[0].sizes);
  column.push_back(1);
  Operands parts;
  for (const char* part : {"stablehlo.real", "stablehlo.imag"})
    parts.push_back(c.w.reshaped(c.w.op(part, {c.in[0]}, c.dtype(), c.in[0].sizes), column));
  return {c.w.op("stablehlo.concatenate", parts, c.dtype(), c.sizes(),
                 "dimension = " + std::to_string(c.in[0].dim()) + " : i64")};
}

Operands view_as_complex(const Call& c) {
  const int64_t last = c.in[0].dim() - 1;
  const auto part = [&](int64_t i) { return c.w.reshaped(sliced(c, last, i, i + 1, 1), c.sizes()); };
  return {c.w.op("stablehlo.complex", {part(0), part(1)}, c.dtype(), c.sizes())};
}

Operands select(const Call& c) {
  const int64_t i = c.integer("index");
  return {c.w.reshaped(sliced(c, c.integer("dim"), i, i + 1, 1), c.sizes())};
}

Operands slice(const Call& c) {
  const int64_t start = c.integer("start"), length = c.integer("length"), step = c.integer("step");
  return {sliced(c, c.integer("dim"), start, length == 0 ? start : start + (length - 1) * step + 1, step)};
}

Operands cat(const Call& c) {
  Operands in;
  for (const Operand& x : c.in) in.push_back(c.w.converted(x, c.dtype()));
  return {c.w.op("stablehlo.concatenate", in, c.dtype(), c.sizes(),
                 "dimension = " + std::to_string(c.integer("dim")) + " : i64")};
}

Operands pad(const Call& c) {
  const Scalar value = c.fields["value"].toScalar();
  return {padded(c, c.in[0], value, c.integers("low"), c.integers("high"), c.sizes())};
}

Operands flip(const Call& c) {
  return {c.w.op("stablehlo.reverse", {c.in[0]}, c.dtype(), c.sizes(), array("dimensions", c.integers("dims")))};
}

template <bool upper>
Operands triangle(const Call& c) {
  const auto last = static_cast<int64_t>(c.sizes().size()) - 1;
  const Operand row = c.w.iota(kLong, c.sizes(), last - 1), column = c.w.iota(kLong, c.sizes(), last);
  const Operand limit =
      c.w.op("stablehlo.add", {row, c.w.number(c.integer("diagonal"), kLong, c.sizes())}, kLong, c.sizes());
  return {c.w.selected(c.w.compared(upper ? "GE" : "LE", column, limit), c.in[0], c.w.number(0, c.dtype(), c.sizes()))};
}

Operand sum_over(const Call& c, IntArrayRef dims) {
  const DType wide = summed_in(c.dtype());
  return c.w.reduced("stablehlo.add", c.w.converted(c.in[0], wide), c.w.number(0, wide), dims);
}

Operands sum(const Call& c) {
  return {c.w.reshaped(c.w.converted(sum_over(c, c.integers("dims")), c.dtype()), c.sizes())};
}

Operands mean(const Call& c) {
  const std::vector<int64_t> dims = c.integers("dims");
  int64_t n = 1;
  for (const int64_t d : dims) n *= c.in[0].sizes[static_cast<size_t>(d)];
  const Operand total = sum_over(c, dims);
  const Operand divided =
      c.w.op("stablehlo.divide", {total, c.w.number(n, total.dtype, total.sizes)}, total.dtype, total.sizes);
  return {c.w.reshaped(c.w.converted(divided, c.dtype()), c.sizes())};
}

Operands prod(const Call& c) {
  const Operand x = c.w.converted(c.in[0], c.dtype());
  return {c.w.reshaped(c.w.reduced("stablehlo.multiply", x, c.w.number(1, c.dtype()), {c.integer("dim")}), c.sizes())};
}

template <bool greatest>
Operands extreme_over(const Call& c) {
  const Operand least = c.w.number(extreme(c.dtype(), !greatest), c.dtype());
  const char* const name = greatest ? "stablehlo.maximum" : "stablehlo.minimum";
  return {c.w.reshaped(c.w.reduced(name, c.in[0], least, c.integers("dims")), c.sizes())};
}

template <Literal name, bool neutral>
Operands truth_over(const Call& c) {
  const Operand found = c.w.reduced(name.value, truth(c, c.in[0]), c.w.number(neutral, kBool), c.integers("dims"));
  return {c.w.converted(c.w.reshaped(found, c.sizes()), c.dtype())};
}

/// The first of the greatest along a dim; NaN counts as greatest, or as least.
template <bool greatest>
Operands place_of_extreme(const Call& c) {
  const int64_t dim = c.integer("dim");
  const Operand &x = c.in[0], places = c.w.iota(kLong, x.sizes, dim);
  DimVector sizes = x.sizes;
  sizes.erase(static_cast<size_t>(dim));
  const Operands found = c.w.op("stablehlo.reduce",
                                {x, places, c.w.number(extreme(x.dtype, !greatest), x.dtype),
                                 c.w.number(std::numeric_limits<int64_t>::max(), kLong)},
                                {better_pair(c, x.dtype, {greatest})}, {{"", x.dtype, sizes}, {"", kLong, sizes}},
                                array("dimensions", {dim}));
  return {c.w.reshaped(found[1], c.sizes())};
}

/// Of matrices whose leading dims are broadcast; vectors are matrices of one row or column.
Operand product(const Call& c, Operand a, Operand b, int64_t contracted) {
  if (a.dim() == 1) a = c.w.reshaped(a, {1, a.sizes[0]});
  if (b.dim() == 1) b = c.w.reshaped(b, {b.sizes[0], 1});
  const auto n = static_cast<size_t>(std::max(a.dim(), b.dim()) - 2);
  DimVector batch(n, 1);
  for (const Operand* x : {&a, &b})
    for (size_t d = 0; d + 2 < x->sizes.size(); ++d) {
      int64_t& size = batch[n - x->sizes.size() + 2 + d];
      if (size == 1) size = x->sizes[d];
    }
  const auto with_batch = [&](const Operand& x) {
    DimVector sizes = batch;
    sizes.push_back(x.sizes[x.sizes.size() - 2]);
    sizes.push_back(x.sizes[x.sizes.size() - 1]);
    return c.w.broadcast(x, sizes);
  };
  a = with_batch(a), b = with_batch(b);
  const DimVector dims = counted(static_cast<int64_t>(n));
  DimVector sizes = batch;
  sizes.push_back(a.sizes[n]);
  sizes.push_back(b.sizes[n + static_cast<size_t>(1 - contracted)]);
  const auto list = [](const char* name, IntArrayRef d) { return std::string(name) + " = [" + listed(d) + "]"; };
  const auto last = static_cast<int64_t>(n);
  return c.w.op("stablehlo.dot_general", {a, b}, c.dtype(), sizes,
                "dot_dimension_numbers = #stablehlo.dot<" + list("lhs_batching_dimensions", dims) + ", " +
                    list("rhs_batching_dimensions", dims) + ", " + list("lhs_contracting_dimensions", {last + 1}) +
                    ", " + list("rhs_contracting_dimensions", {last + contracted}) + ">");
}

Operands matmul(const Call& c) { return {c.w.reshaped(product(c, c.in[0], c.in[1], 0), c.sizes())}; }

/// Rows of any number of leading dims times the transposed weight, and a bias.
Operands linear(const Call& c) {
  const Operand &x = c.in[0], &weight = c.in[1];
  const int64_t width = x.sizes[x.sizes.size() - 1];
  int64_t rows = 1;
  for (int64_t d = 0; d + 1 < x.dim(); ++d) rows *= x.sizes[static_cast<size_t>(d)];
  const Operand y = c.w.reshaped(product(c, c.w.reshaped(x, {rows, width}), weight, 1), c.sizes());
  if (!c.has(2)) return {y};
  return {c.w.op("stablehlo.add", {y, c.w.broadcast(c.in[2], c.sizes())}, c.dtype(), c.sizes())};
}

// Convolutions. Params count three dims, of which the input has the last ones.

struct Window {
  int64_t dims;
  DimVector in, out, kernel, stride, padding, dilation;
};

Window window_of(const Call& c, int64_t dims) {
  const auto last = [&](const char* name) {
    const std::vector<int64_t> all = c.integers(name);
    return DimVector(IntArrayRef(all).slice(all.size() - static_cast<size_t>(dims), static_cast<size_t>(dims)));
  };
  return {dims, last("input"), last("output"), last("kernel"), last("stride"), last("padding"), last("dilation")};
}

/// `b, f, 0, 1` with the names that a dim of samples and one of features have.
std::string layout(const char* first, const char* second, int64_t dims) {
  std::string text = std::string("[") + first + ", " + second;
  for (int64_t d = 0; d < dims; ++d) text += ", " + std::to_string(d);
  return text + "]";
}

struct Geometry {
  DimVector stride, low, high, lhs_dilation, rhs_dilation;
  bool reversed = false;
};

Operand convolved(const Call& c, const Operand& x, const Operand& w, const std::string& layouts, const Geometry& g,
                  int64_t groups) {
  std::string reversal;
  for (size_t d = 0; d < g.low.size(); ++d) (reversal += d ? ", " : "") += g.reversed ? "true" : "false";
  return c.w.op("stablehlo.convolution", {x, w}, c.dtype(), c.sizes(),
                "dimension_numbers = #stablehlo.conv<" + layouts + ">, " + array("window_strides", g.stride) + ", " +
                    padding_of_windows(g.low, g.high) + ", " + array("lhs_dilation", g.lhs_dilation) + ", " +
                    array("rhs_dilation", g.rhs_dilation) + ", window_reversal = array<i1: " + reversal +
                    ">, feature_group_count = " + std::to_string(groups) + " : i64, batch_group_count = 1 : i64");
}

Operands convolution(const Call& c) {
  const int64_t dims = c.in[0].dim() - 2;
  const Window n = window_of(c, dims);
  const DimVector once(static_cast<size_t>(dims), 1);
  const std::string samples = layout("b", "f", dims);
  const Operand y = convolved(c, c.in[0], c.in[1], samples + "x" + layout("o", "i", dims) + "->" + samples,
                              {n.stride, n.padding, n.padding, once, n.dilation}, c.integer("groups"));
  if (!c.has(2)) return {y};
  return {c.w.op("stablehlo.add", {y, c.w.broadcast_in_dim(c.in[2], c.sizes(), {1})}, c.dtype(), c.sizes())};
}

/// What the strides leave over at the end of the input.
int64_t rest(const Window& n, size_t d) {
  return n.in[d] + 2 * n.padding[d] - n.dilation[d] * (n.kernel[d] - 1) - 1 - (n.out[d] - 1) * n.stride[d];
}

/// The gradient is spread out by the strides, and the kernel goes over it backwards.
Operands convolution_backward_input(const Call& c) {
  STRATA_CHECK(c.integer("groups") == 1, "to_stablehlo: gradients of convolutions in groups are not known here");
  const int64_t dims = c.in[0].dim() - 2;
  const Window n = window_of(c, dims);
  Geometry g{DimVector(n.stride.size(), 1), {}, {}, n.stride, n.dilation, true};
  for (size_t d = 0; d < n.stride.size(); ++d) {
    g.low.push_back(n.dilation[d] * (n.kernel[d] - 1) - n.padding[d]);
    g.high.push_back(g.low[d] + rest(n, d));
  }
  const std::string samples = layout("b", "f", dims);
  return {convolved(c, c.in[0], c.in[1], samples + "x" + layout("i", "o", dims) + "->" + samples, g, 1)};
}

/// The input is convolved with the gradient, where samples are what is summed over and features stand apart.
Operands convolution_backward_weight(const Call& c) {
  STRATA_CHECK(c.integer("groups") == 1, "to_stablehlo: gradients of convolutions in groups are not known here");
  const int64_t dims = c.in[0].dim() - 2;
  const Window n = window_of(c, dims);
  Geometry g{n.dilation, n.padding, {}, DimVector(n.stride.size(), 1), n.stride};
  for (size_t d = 0; d < n.stride.size(); ++d) g.high.push_back(n.padding[d] - rest(n, d));
  const std::string turned = layout("f", "b", dims);
  return {convolved(c, c.in[1], c.in[0], turned + "x" + layout("i", "o", dims) + "->" + turned, g, 1)};
}

// Indexing.

/// Negative places count from the end where the op says so.
Operand places(const Call& c, const Operand& index, int64_t size) {
  if (!c.flag("wrap")) return index;
  const Operand zero = c.w.number(0, index.dtype, index.sizes), n = c.w.number(size, index.dtype, index.sizes);
  return c.w.selected(c.w.compared("LT", index, zero), c.w.op("stablehlo.add", {index, n}, index.dtype, index.sizes),
                      index);
}

/// The dims of x[:, index] that index does not make.
DimVector dims_around(int64_t first, int64_t index_dims, int64_t dims) {
  DimVector around = counted(first);
  for (int64_t d = first + index_dims; d < dims; ++d) around.push_back(d);
  return around;
}

void check_one_index(const Call& c, size_t inputs) {
  STRATA_CHECK(c.in.size() == inputs && c.in[inputs - 1].dtype != kBool,
               "to_stablehlo: an index by several tensors, or by a mask");
}

Operands index(const Call& c) {
  check_one_index(c, 2);
  const int64_t first = c.integer("first");
  const Operand& x = c.in[0];
  const Operand at = places(c, c.in[1], x.sizes[static_cast<size_t>(first)]);
  DimVector sizes = x.sizes;
  sizes[static_cast<size_t>(first)] = 1;
  const std::string place = std::to_string(first);
  return {c.w.op("stablehlo.gather", {x, at}, c.dtype(), c.sizes(),
                 "dimension_numbers = #stablehlo.gather<offset_dims = [" +
                     listed(dims_around(first, at.dim(), static_cast<int64_t>(c.sizes().size()))) +
                     "], collapsed_slice_dims = [" + place + "], start_index_map = [" + place +
                     "], index_vector_dim = " + std::to_string(at.dim()) + ">, " + array("slice_sizes", sizes) +
                     ", indices_are_sorted = false")};
}

/// The region of a scatter: what is written is added, or takes the place of what was there.
std::string writing(const Call& c, DType dtype) {
  if (c.flag("accumulate")) return c.w.joining("stablehlo.add", dtype);
  const Operand before = c.w.argument(dtype, {}), written = c.w.argument(dtype, {});
  return c.w.region({before, written}, [&] { return Operands{written}; });
}

Operands index_put(const Call& c) {
  check_one_index(c, 3);
  const int64_t first = c.integer("first");
  const Operand &x = c.in[0], at = places(c, c.in[2], x.sizes[static_cast<size_t>(first)]);
  DimVector sizes(x.sizes);
  sizes.erase(static_cast<size_t>(first));
  for (int64_t d = at.dim(); d-- > 0;) sizes.insert(static_cast<size_t>(first), at.sizes[static_cast<size_t>(d)]);
  const Operand values = c.w.broadcast(c.w.converted(c.in[1], x.dtype), sizes);
  const std::string place = std::to_string(first);
  return c.w.op("stablehlo.scatter", {x, at, values}, {writing(c, x.dtype)}, {{"", x.dtype, x.sizes}},
                "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [" +
                    listed(dims_around(first, at.dim(), values.dim())) + "], inserted_window_dims = [" + place +
                    "], scatter_dims_to_operand_dims = [" + place + "], index_vector_dim = " +
                    std::to_string(at.dim()) + ">, indices_are_sorted = false, unique_indices = false");
}

Operands gather(const Call& c) {
  return {c.w.reshaped(gathered(c, with_dim(c, c.in[0]), with_dim(c, c.in[1]), c.integer("dim")), c.sizes())};
}

Operands scatter(const Call& c) {
  const Operand index = with_dim(c, c.in[1]);
  Operand source = with_dim(c, c.in[2]);  // may reach beyond the index
  if (source.sizes != index.sizes) source = beginning(c, source, index.sizes);
  const Operand& x = c.in[0];
  return {c.w.reshaped(scattered(c, with_dim(c, x), index, source, c.integer("dim"), writing(c, x.dtype)), c.sizes())};
}

/// Towards 0.
Operands trunc(const Call& c) {
  const Operand& x = c.in[0];
  if (!is_floating_point(x.dtype)) return {x};
  return {c.w.selected(c.w.compared("LT", x, c.w.number(0, x.dtype, x.sizes)),
                       c.w.op("stablehlo.ceil", {x}, x.dtype, x.sizes),
                       c.w.op("stablehlo.floor", {x}, x.dtype, x.sizes))};
}

Operands isinf(const Call& c) {
  const Operand magnitude = c.w.op("stablehlo.abs", {c.in[0]}, c.in[0].dtype, c.in[0].sizes);
  return {
      c.w.compared("EQ", magnitude, c.w.number(std::numeric_limits<double>::infinity(), c.in[0].dtype, c.in[0].sizes))};
}

struct Entry {
  std::string_view name;
  Write write;
};

constexpr Entry kEntries[] = {
    {"abs", pointwise<"stablehlo.abs">},
    {"acos", pointwise<"chlo.acos">},
    {"acosh", pointwise<"chlo.acosh">},
    {"asin", pointwise<"chlo.asin">},
    {"asinh", pointwise<"chlo.asinh">},
    {"atan", pointwise<"chlo.atan">},
    {"atanh", pointwise<"chlo.atanh">},
    {"cosh", pointwise<"chlo.cosh">},
    {"sinh", pointwise<"chlo.sinh">},
    {"digamma", pointwise<"chlo.digamma">},
    {"erf", pointwise<"chlo.erf">},
    {"erfc", pointwise<"chlo.erfc">},
    {"erfinv", pointwise<"chlo.erf_inv">},
    {"lgamma", pointwise<"chlo.lgamma">},
    {"ceil", pointwise<"stablehlo.ceil">},
    {"cos", pointwise<"stablehlo.cosine">},
    {"exp", pointwise<"stablehlo.exponential">},
    {"expm1", pointwise<"stablehlo.exponential_minus_one">},
    {"floor", pointwise<"stablehlo.floor">},
    {"log", pointwise<"stablehlo.log">},
    {"log1p", pointwise<"stablehlo.log_plus_one">},
    {"neg", pointwise<"stablehlo.negate">},
    {"round", pointwise<"stablehlo.round_nearest_even">},
    {"rsqrt", pointwise<"stablehlo.rsqrt">},
    {"sigmoid", pointwise<"stablehlo.logistic">},
    {"sign", pointwise<"stablehlo.sign">},
    {"sin", pointwise<"stablehlo.sine">},
    {"sqrt", pointwise<"stablehlo.sqrt">},
    {"tan", pointwise<"stablehlo.tan">},
    {"tanh", pointwise<"stablehlo.tanh">},
    {"bitwise_not", pointwise<"stablehlo.not">},
    {"add", pointwise<"stablehlo.add">},
    {"sub", pointwise<"stablehlo.subtract">},
    {"mul", pointwise<"stablehlo.multiply">},
    {"div", pointwise<"stablehlo.divide">},
    {"pow", pointwise<"stablehlo.power">},
    {"maximum", pointwise<"stablehlo.maximum">},
    {"minimum", pointwise<"stablehlo.minimum">},
    {"atan2", pointwise<"stablehlo.atan2">},
    {"fmod", pointwise<"stablehlo.remainder">},
    {"bitwise_and", pointwise<"stablehlo.and">},
    {"bitwise_or", pointwise<"stablehlo.or">},
    {"bitwise_xor", pointwise<"stablehlo.xor">},
    {"complex", complex_of_parts},
    {"complex_abs", complex_abs},
    {"conj", conj},
    {"view_as_real", view_as_real},
    {"view_as_complex", view_as_complex},
    {"isfinite", test_of_one<"stablehlo.is_finite">},
    {"isnan", isnan},
    {"isinf", isinf},
    {"trunc", trunc},
    {"logical_not", logical<"stablehlo.not">},
    {"logical_and", logical<"stablehlo.and">},
    {"logical_or", logical<"stablehlo.or">},
    {"logical_xor", logical<"stablehlo.xor">},
    {"eq", comparison<"EQ">},
    {"ne", comparison<"NE">},
    {"lt", comparison<"LT">},
    {"le", comparison<"LE">},
    {"gt", comparison<"GT">},
    {"ge", comparison<"GE">},
    {"remainder", remainder},
    {"pow_scalar", pow_scalar},
    {"relu", relu},
    {"where", where},
    {"cast", convert},
    {"cast_to_integer", convert},
    {"copy", same},
    {"alias", same},
    {"detach", same},
    {"stop_gradient", same},
    {"view", reshape},
    {"squeeze", reshape},
    {"unsqueeze", reshape},
    {"expand", expand},
    {"permute", permute},
    {"fill", fill},
    {"select", select},
    {"slice", slice},
    {"cat", cat},
    {"pad", pad},
    {"flip", flip},
    {"tril", triangle<false>},
    {"triu", triangle<true>},
    {"sum", sum},
    {"mean", mean},
    {"prod", prod},
    {"amax", extreme_over<true>},
    {"amin", extreme_over<false>},
    {"all", truth_over<"stablehlo.and", true>},
    {"any", truth_over<"stablehlo.or", false>},
    {"argmax", place_of_extreme<true>},
    {"argmin", place_of_extreme<false>},
    {"matmul", matmul},
    {"linear", linear},
    {"convolution", convolution},
    {"convolution_backward_input", convolution_backward_input},
    {"convolution_backward_weight", convolution_backward_weight},
    {"index", index},
    {"index_put", index_put},
    {"gather", gather},
    {"scatter", scatter},
    {"cumsum", running_sum},
    {"cumprod", running_product},
    {"cummax", running_maximum},
    {"cummin", running_minimum},
    {"max_pool", max_pool},
    {"max_pool_values", max_pool_values},
    {"max_pool_scatter", max_pool_scatter},
    {"max_pool_gather", max_pool_gather},
    {"avg_pool", avg_pool},
    {"avg_pool_backward", avg_pool_backward},
    {"sort", sort},
    {"topk", topk},
    {"fft_c2c", fft_c2c},
    {"fft_r2c", fft_r2c},
    {"fft_c2r", fft_c2r},
    {"triangular_solve", triangular_solve},
    {"cond", cond},
    {"while", while_loop},
    {"scan", scan},
};

}  // namespace

Write find_write(std::string_view op) {
  for (const Entry& e : kEntries)
    if (e.name == op) return e.write;
  return nullptr;
}

}  // namespace strata::stablehlo
